"""Both servers do what their own descriptions say, whatever is asked of them."""

import json
import os
import pathlib
import sys

import requests
from cryptography.hazmat.primitives import serialization

from conftest import new_key, running_emulator
from processes import HARNESS, completed

SCHEMATHESIS = pathlib.Path(sys.executable).with_name("schemathesis")
PASSWORD = "seven ripe oranges"
# Far more than a run takes, since the machine may have much else to do.
RUN_SECONDS_MAX = 1800

HOOKS = HARNESS / "openapi_hooks.py"
SETTINGS = f"""
hooks = "{HOOKS}"
request-timeout = 300
seed = {os.environ.get("SIWA_OPENAPI_SEED", 1)}
generation.max-examples = 10
# Values of earlier responses would make the requests depend on the random parts of those.
phases.coverage.extra-data-sources.responses = false
phases.fuzzing.extra-data-sources.responses = false
checks.positive_data_acceptance.expected-statuses = [
    "2xx", "401", "403", "404", "409", "410", "429", "503",
]
# A link that was followed before is told of first.
checks.negative_data_rejection.expected-statuses = [
    "400", "401", "403", "404", "405", "409", "410", "413", "415", "422", "429", "503",
]
"""


def unsaid(operations):
    """The settings of operations that may refuse what their schemas allow."""
    return f"""
[[operations]]
include-operation-id = {operations}
checks.positive_data_acceptance.enabled = false
"""


ACCOUNT_SETTINGS = SETTINGS + unsaid(
    [
        # No address may be waiting.
        "requestEmailVerification",
        # A code is of one sign-in, and is used once.
        "redeemAppCode",
        # Only Apple can sign a notification.
        "receiveNotification",
    ]
)
# The tests of the routes wait; here nobody has the time.
CONTROL_SETTINGS = SETTINGS + """
[parameters]
"query.wait" = 0
""" + unsaid(
    [
        # The time may be at most a hundred years from that of the machine.
        "moveClock",
        # The parts of a state refer to one another.
        "importState",
        # A person has an identifier only for teams whose apps they use.
        "sendNotification",
    ]
)


def public_key_text():
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return new_key()[0].public_key().public_bytes(serialization.Encoding.PEM, form).decode()


TEAM, APP, SERVICE, PERSON = (
    "JUICETEAM1", "com.example.juice", "com.example.juice.web", "maya@example.com"
)
# Objects of the emulator's seed, and what follows Apple's rules of addresses and keys, by operation and member.
KNOWN = {
    "": {
        "team_id": TEAM, "to_team": TEAM, "client_id": APP, "primary_client_id": APP,
        "email": PERSON, "person": PERSON, "shared_email": PERSON, "public_key_pem": public_key_text(),
        "notification_url": "https://shop.example.com/apple", "return_urls": ["https://shop.example.com/back"],
    },
    "addTeam": {"team_id": None},
    "addApp": {"client_id": None},
    "addService": {"client_id": None},
    "addPerson": {"email": None},
    "changeService": {"client_id": SERVICE},
    # The person stays who they are, and can sign in, for the other operations.
    "changePerson": {"has_email": True, "two_factor": True},
    "changePassword": {"password": "apple"},
    "signInToDevice": {"password": "apple"},
}


def token(accounts, username):
    answer = requests.post(
        f"{accounts}/api/accounts", json={"username": username, "password": PASSWORD}, timeout=60
    )
    assert answer.status_code == 201, answer.text
    return answer.json()["token"]


def operations(accounts, method):
    paths = requests.get(f"{accounts}/openapi.json", timeout=60).json()["paths"]
    return [item[method]["operationId"] for item in paths.values() if method in item]


def ask(server, folder, settings, *options, known={}):
    """Asks everything that is selected, in all the ways the description allows and some that it does not."""
    path = folder / "schemathesis.toml"
    path.write_text(settings)
    command = [SCHEMATHESIS, "--config-file", path, "run", f"{server}/openapi.json"]
    command += ["--phases", "examples,coverage,fuzzing", "--no-color", *options]
    environment = dict(os.environ, SIWA_OPENAPI_KNOWN=json.dumps(known))
    run = completed(command, cwd=folder, env=environment, timeout=RUN_SECONDS_MAX)
    assert run.returncode == 0, run.stdout[-6000:] + run.stderr[-2000:]


def test_what_ends_something(accounts, tmp_path):
    """Each with an account of its own, since the session may not be there afterwards.

    This test comes first: after the other one, this network has created its share of accounts.
    """
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


def test_what_ends_nothing(accounts, tmp_path):
    authorization = f"Authorization: Bearer {token(accounts, 'maya')}"
    ask(accounts, tmp_path, ACCOUNT_SETTINGS, "-H", authorization, "--exclude-method", "DELETE")


def test_the_control_port(tmp_path):
    with running_emulator() as addresses:
        ask(addresses["control"].rstrip("/"), tmp_path, CONTROL_SETTINGS, known=KNOWN)
