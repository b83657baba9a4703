"""A failing step fails `make`, with the shell of a Mac's make too."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[3]


@pytest.mark.parametrize(("target", "printed"), [("test-swift", "what failed"), ("ci", "checking the format")])
def test_failing_step(tmp_path, target, printed):
    """make 3.81 knows no .SHELLFLAGS, so recipes run under `bash -c` alone: without pipefail, without -e."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    swift = tmp_path / "swift"
    swift.write_text("#!/bin/sh\necho it fails\nexit 1\n")
    swift.chmod(0o755)
    made = subprocess.run(
        ["make", ".SHELLFLAGS=-c", "PATH=" + f"{tmp_path}:{os.environ['PATH']}", target],
        cwd=tmp_path, capture_output=True, text=True, timeout=60,
    )
    assert made.returncode != 0, made.stdout
    assert printed in made.stdout
    assert "all checks passed" not in made.stdout and "took" not in made.stdout


APT_GET = """#!/bin/sh
case "$*" in
    *--simulate*) printf 'Inst libpq5 (15)\\nInst libpq-dev (15)\\nConf libpq-dev (15)\\n' ;;
    *install*) cp printed when-installing ;;
esac
"""


def test_setup_prints_what_it_installs_before_it_does(tmp_path):
    programs = {"swift": "#!/bin/sh\necho Swift version 6.3", "id": "#!/bin/sh\necho 0"}
    programs |= {"dpkg-query": "#!/bin/sh\nexit 1", "apt-get": APT_GET}
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/setup", tmp_path / "scripts")
    for name, text in programs.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    with (tmp_path / "printed").open("w") as printed:
        environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
        subprocess.run([tmp_path / "scripts/setup", "run"], env=environment, stdout=printed, check=True, timeout=60)
    assert (tmp_path / "when-installing").read_text() == "==> installing libpq5 libpq-dev\n"


def test_every_python_library_has_a_version_and_hashes():
    wanted = re.sub(r"\[.*?\]", "", (ROOT / "Tests/Python/requirements.in").read_text()).splitlines()
    entries = (ROOT / "Tests/Python/requirements.txt").read_text().replace("\\\n", "").splitlines()
    entries = [entry for entry in entries if not entry.lstrip().startswith("#")]
    assert all("==" in entry and "--hash=sha256:" in entry for entry in entries)
    listed = {entry.split()[0].lower() for entry in entries}
    assert {name.lower() for name in wanted} <= listed
