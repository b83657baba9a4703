"""The demo in a terminal: its lines for sign-ins, mail and notifications, and the commands in its folder."""

import json
import os
import re
import subprocess
import time

import pytest
import requests

from conftest import BINARY, ready_line
from processes import completed, running

SECONDS_MAX = 60
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("SIWA_")}
PORTS = [word for name in ["", "apple-", "control-", "smtp-"] for word in (f"--{name}port", "0")]


class Demo:
    def __init__(self, folder, addresses):
        self.folder = folder
        self.addresses = addresses

    @property
    def terminal(self):
        return (self.folder / "terminal.txt").read_text()

    def post(self, port, path, /, **fields):
        answer = requests.post(self.addresses[port].rstrip("/") + path, json=fields, timeout=60)
        assert answer.ok, answer.text
        return answer.json() if answer.content else None

    def sign_in(self, email, name):
        name = {"given_name": name, "family_name": "Lindgren"}
        fields = {"client_id": "com.example.juice", "scopes": ["name", "email"], "email": "share", "name": name}
        device = self.post("control", f"/people/{email}/credentials", **fields)
        self.post(
            "server",
            "/api/sessions/apple",
            identityToken=device["identity_token"],
            authorizationCode=device["authorization_code"],
            fullName={"givenName": name["given_name"], "familyName": name["family_name"]},
        )

    def wait_for(self, words):
        """The line of the terminal with these words, without its time."""
        end = time.monotonic() + SECONDS_MAX
        while time.monotonic() < end:
            for line in self.terminal.splitlines():
                if words in line:
                    return line.split("  ", 1)[1]
            time.sleep(0.05)
        pytest.fail(f"no line with {words!r} in:\n{self.terminal}")

    def siwa(self, *arguments):
        return completed([BINARY, *arguments], cwd=self.folder, env=ENVIRONMENT)


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    # The path of a socket in it would be too long.
    folder = tmp_path_factory.mktemp("shell" * 20)
    command = [BINARY, "demo", "--json", *PORTS]
    with (folder / "terminal.txt").open("w") as terminal:
        options = {"cwd": folder, "env": ENVIRONMENT, "stdout": subprocess.PIPE, "stderr": terminal}
        with running(command, text=True, **options) as process:
            yield Demo(folder, ready_line(process))


def test_the_terminal_has_one_line_for_each_event(demo):
    assert demo.terminal == ""
    demo.sign_in("maya@example.com", "Maya")
    line = demo.wait_for("with Apple")
    assert line == "sign-in       Maya Lindgren, maya@example.com, with Apple in an app, new account"
    demo.post("server", "/api/accounts", username="noah", password="orange juice and sun", email="noah@example.com")
    assert demo.wait_for("with a password") == "sign-in       noah, noah@example.com, with a password, new account"
    assert demo.wait_for("mail").startswith("mail          to noah@example.com: ")
    demo.post("control", "/people/maya@example.com/stop-using", client_id="com.example.juice")
    assert demo.wait_for("consent-revoked").endswith("/apple/notifications: received")
    assert len(demo.terminal.splitlines()) == 4, demo.terminal


def test_a_failed_sign_in_has_a_line(demo):
    url = demo.addresses["server"].rstrip("/") + "/api/sessions/password"
    answer = requests.post(url, json={"username": "nobody", "password": "not their password"}, timeout=60)
    assert answer.status_code == 401, answer.text
    assert demo.wait_for("unknown username") == "sign-in       refused: unknown username or wrong password"


def test_the_whole_log_is_in_the_named_file(demo):
    path = demo.addresses["log"]
    log = (demo.folder / path).read_text()
    assert "siwa.accounts: signed in" in log and "siwa.accounts: request" in log
    assert (demo.folder / path).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("name", ["noah@example.com", "Noah", "noah"])
def test_commands_in_the_folder_find_the_demos_account(demo, name):
    shown = demo.siwa("users", "show", name)
    assert shown.returncode == 0 and re.search(r"^username +noah$", shown.stdout, re.MULTILINE), shown
    assert shown.stderr == "note: this is the demo's database, .siwa/siwa.sqlite\n"
    sessions = demo.siwa("users", "sessions", name)
    assert sessions.returncode == 0 and "python-requests" in sessions.stdout, sessions
    audit = demo.siwa("audit", "list", "--account", name)
    assert "account_created" in audit.stdout, audit
    assert "maya" not in audit.stdout


def test_backup_finds_the_database_and_delete_the_account(demo):
    assert demo.siwa("database", "backup", "copy.sqlite").returncode == 0
    # A name may be anybody's.
    named = demo.siwa("users", "delete", "Maya Lindgren", "--yes")
    assert named.returncode == 1 and "Maya Lindgren" in named.stderr, named
    account = json.loads(demo.siwa("users", "show", "maya@example.com", "--json").stdout)["id"]
    deleted = demo.siwa("users", "delete", account, "--yes")
    assert deleted.returncode == 0, deleted
    gone = demo.siwa("users", "delete", account, "--yes")
    assert gone.returncode == 1 and "there is no such account" in gone.stderr


def test_a_database_in_the_folder_comes_first(demo):
    (demo.folder / "siwa.sqlite").touch()
    migrated = demo.siwa("database", "migrate")
    listed = demo.siwa("users", "list")
    for file in demo.folder.glob("siwa.sqlite*"):
        file.unlink()
    assert migrated.returncode == 0, migrated.stderr
    assert listed.stderr.startswith("note: this database has no accounts; --config or --database")
    assert len(listed.stdout.splitlines()) == 1, listed
