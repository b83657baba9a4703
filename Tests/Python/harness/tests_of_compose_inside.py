"""Runs the services of Examples/Languages/ci/compose.yaml without a container engine, as compose_inside.py does.

usage: python tests_of_compose_inside.py FOLDER     with compose.yaml, its test, and the files of deployment/compose-secrets
"""

import os
import pathlib
import subprocess
import sys

from compose_inside import healthy_service, services


def main(folder):
    known = services(folder / ".compose", folder / "compose.yaml")
    waits = {"condition": "service_healthy"}
    assert known["accounts"]["depends_on"] == {"apple": waits}
    assert known["tests"]["depends_on"] == {"accounts": waits}
    shell, options, script = known["tests"]["command"]
    install, test = script.splitlines()
    assert install.startswith("pip install "), install
    os.chdir(folder)
    python = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
    with (
        healthy_service(known["apple"], folder / ".compose"),
        healthy_service(known["accounts"], folder / ".compose"),
    ):
        variables = os.environ | known["tests"]["environment"] | {"PATH": python}
        subprocess.run([shell, options, test], env=variables, check=True)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
