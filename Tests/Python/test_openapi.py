"""Both servers do what their own descriptions say, whatever is asked of them."""

import pathlib
import sys

import requests

from conftest import running_emulator
from processes import completed

SCHEMATHESIS = pathlib.Path(sys.executable).with_name("schemathesis")
PASSWORD = "seven ripe oranges"
# What no schema can say, as the commonest passwords and links that were followed before, is refused by these.
SETTINGS = """
seed = 1
generation.max-examples = 20
checks.positive_data_acceptance.expected-statuses = [
    "2xx", "400", "401", "403", "404", "409", "410", "422", "429", "503",
]
# A link that was followed before is told of first.
checks.negative_data_rejection.expected-statuses = [
    "400", "401", "403", "404", "405", "409", "410", "413", "415", "422", "429", "503",
]
"""
# The tests of the routes wait; here nobody has the time.
CONTROL_SETTINGS = SETTINGS.replace("= 20", "= 10") + """
[parameters]
"query.wait" = 0
"""


def token(accounts, username):
    answer = requests.post(
        f"{accounts}/api/accounts", json={"username": username, "password": PASSWORD}, timeout=60
    )
    assert answer.status_code == 201, answer.text
    return answer.json()["token"]


def operations(accounts, method):
    paths = requests.get(f"{accounts}/openapi.json", timeout=60).json()["paths"]
    return [item[method]["operationId"] for item in paths.values() if method in item]


def ask(server, folder, settings, *options):
    """Asks everything that is selected, in all the ways the description allows and some that it does not."""
    path = folder / "schemathesis.toml"
    path.write_text(settings)
    command = [SCHEMATHESIS, "--config-file", path, "run", f"{server}/openapi.json"]
    command += ["--phases", "examples,coverage,fuzzing", "--no-color", *options]
    run = completed(command, cwd=folder, timeout=600)
    assert run.returncode == 0, run.stdout[-6000:] + run.stderr[-2000:]


def test_what_ends_nothing(accounts, tmp_path):
    authorization = f"Authorization: Bearer {token(accounts, 'maya')}"
    ask(accounts, tmp_path, SETTINGS, "-H", authorization, "--exclude-method", "DELETE")


def test_what_ends_something(accounts, tmp_path):
    """Each with an account of its own, since the session may not be there afterwards."""
    ids = operations(accounts, "delete")
    assert "deleteAccount" in ids
    settings = SETTINGS + "".join(own_account(accounts, operation) for operation in ids)
    ask(accounts, tmp_path, settings, "--include-method", "DELETE")


def own_account(accounts, operation):
    """The settings by which an operation is asked for in the name of somebody of its own."""
    return f"""
[[operations]]
include-operation-id = "{operation}"
headers = {{ Authorization = "Bearer {token(accounts, operation.lower())}" }}
"""


def test_the_control_port(tmp_path):
    with running_emulator() as addresses:
        ask(addresses["control"].rstrip("/"), tmp_path, CONTROL_SETTINGS)
