"""Two accounts servers on one PostgreSQL database, as an operator runs them."""

import contextlib
import json
import subprocess
import urllib.error
import urllib.request

import pytest
from conftest import BINARY, REPOSITORY, STOP_SECONDS_MAX, ready_line


@pytest.fixture(scope="module")
def cluster():
    """A PostgreSQL server of these tests' own: a function that has its script do something."""
    process = subprocess.Popen(
        [REPOSITORY / "scripts/test-postgresql"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    _, port, folder = process.stdout.readline().split()

    def command(word):
        process.stdin.write(f"{word}\n")
        process.stdin.flush()
        assert process.stdout.readline() == "done\n"

    command.url = f"postgres://app@/postgres?host={folder}&port={port}"
    yield command
    process.stdin.close()
    process.wait(60)


@pytest.fixture
def settings(cluster, serve_settings):
    return dict(serve_settings, SIWA_DATABASE_URL=cluster.url)


@contextlib.contextmanager
def serving(settings):
    process = subprocess.Popen(
        [BINARY, "serve", "--json", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        env=settings,
    )
    try:
        yield ready_line(process)["server"]
    finally:
        process.terminate()
        process.wait(STOP_SECONDS_MAX)


def call(method, url, body=None, token=None):
    request = urllib.request.Request(url, method=method)
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"null")


def siwa(settings, *arguments):
    return subprocess.run(
        [BINARY, *arguments], capture_output=True, text=True, env=settings, timeout=60
    )


MAYA = {"username": "maya.juice", "password": "many green apples", "name": "Maya"}


def test_what_one_server_stores_the_other_one_knows_at_once(settings, cluster):
    with serving(settings) as first, serving(settings) as second:
        status, made = call("POST", f"{first}/api/accounts", MAYA)
        assert status == 201, made
        assert call("POST", f"{second}/api/accounts", MAYA)[0] == 409
        token = made["token"]
        status, account = call("GET", f"{second}/api/account", token=token)
        assert (status, account["name"]) == (200, "Maya")

        listing = siwa(settings, "users", "list", "--json")
        assert listing.returncode == 0, listing.stderr
        assert account["id"] in listing.stdout

        # Ended by one server, it is over for the other one, which keeps nothing in memory.
        assert call("DELETE", f"{first}/api/sessions/current", token=token)[0] == 204
        assert call("GET", f"{second}/api/account", token=token)[0] == 401

        credentials = {key: MAYA[key] for key in ("username", "password")}
        status, again = call("POST", f"{second}/api/sessions/password", credentials)
        assert status == 201, again
        cluster("stop")
        assert call("GET", f"{first}/api/account", token=again["token"])[0] == 503
        cluster("start")
        status, back = call("GET", f"{first}/api/account", token=again["token"])
        assert (status, back["id"]) == (200, account["id"])

        removal = siwa(settings, "users", "delete", account["id"], "--yes")
        assert removal.returncode == 0, removal.stderr
        assert call("GET", f"{first}/api/account", token=again["token"])[0] == 401


@pytest.mark.parametrize(
    "url, words",
    [
        ("postgres://app@127.0.0.1:1/siwa", "refused"),
        ("postgres://app:secret@db.example.com", "names no database"),
        ("postgres://app:secret@/siwa?sslmode=secret", "sslmode"),
        ("mysql://app:secret@db/siwa", "is not the address of a database"),
    ],
)
def test_a_wrong_address_is_told_and_not_repeated(settings, url, words):
    ended = siwa(dict(settings, SIWA_DATABASE_URL=url), "serve", "--port", "0")
    assert ended.returncode == 1
    assert words in ended.stderr
    assert "secret" not in ended.stderr


def test_a_backup_is_left_to_postgresql(settings, tmp_path):
    ended = siwa(settings, "database", "backup", str(tmp_path / "copy"))
    assert ended.returncode == 1
    assert "own programs" in ended.stderr
