"""The apps of test_apps.py with nothing changed: Apple's own addresses lead to the emulator.

`siwa emulator env` says what the apps' process needs, and apart.py makes Apple's names lead to
this machine for that process alone, where the emulator listens on port 443.
"""

import json
import os
import pathlib
import re
import sys

import pytest

import apart
from conftest import BINARY
from processes import completed

SECONDS_MAX = 240
FOLDER = pathlib.Path(__file__).resolve().parent


@pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")
def test_apps_sign_in_with_nothing_changed(tmp_path):
    options = ["--tls-port", "443", "--tls-data", str(tmp_path)]
    told = completed([BINARY, "emulator", "env", "--format", "json", *options], check=True)
    # A shell takes the variables as its user would, and the tests inherit them.
    shell = 'eval "$("$@")"; cd "$TESTS"; exec "$PYTHON" -m pytest test_apps.py test_trust.py'
    variables = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    variables |= {"PYTHON": sys.executable, "TESTS": str(FOLDER), "SIWA_BINARY": BINARY}
    variables["SIWA_TLS_DATA"] = str(tmp_path)
    result = completed(
        apart.command(
            json.loads(told.stdout)["hosts"],
            ["sh", "-euc", shell, "sh", BINARY, "emulator", "env", *options],
        ),
        env=variables,
        timeout=SECONDS_MAX,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    (count,) = re.findall(r"^(\d+) passed", result.stdout, re.MULTILINE)
    assert int(count) >= 12, result.stdout
