"""A database that moves from SQLite to PostgreSQL and back, as an operator does it."""

import os
import sqlite3
import subprocess

import pytest

from conftest import BINARY
from processes import completed
from test_postgresql import MAYA, call, cluster, serving, settings, siwa  # noqa: F401

ACCOUNT_COUNT = 20_000


@pytest.fixture
def empty(cluster):
    """The address of a database of this test's own."""
    name = f"copy_{os.urandom(8).hex()}"
    subprocess.run(["psql", cluster.url, "-qc", f"CREATE DATABASE {name}"], check=True)
    return cluster.url.replace("/postgres?", f"/{name}?")


@pytest.fixture
def source(settings, tmp_path):
    """The settings of a server on a file in which Maya and many others have accounts; her token."""
    path = tmp_path / "siwa.sqlite"
    local = dict(settings, SIWA_DATABASE_URL=f"sqlite:{path}")
    with serving(local) as server:
        status, made = call("POST", f"{server.url}/api/accounts", MAYA)
        assert status == 201, made
    with sqlite3.connect(path) as database:
        database.executemany(
            "INSERT INTO accounts (id, name, email_is_verified, email_is_private_relay,"
            " email_is_own, mail_is_forwarded, created_at) VALUES (?, 'Noah', 0, 0, 0, 1, 0)",
            ((f"noah{number:06}",) for number in range(ACCOUNT_COUNT)),
        )
    return local, made["token"]


def begin_copy(settings, target):
    """A copy that goes on while the test looks at it."""
    return subprocess.Popen(
        [BINARY, "database", "copy", settings["SIWA_DATABASE_URL"], target],
        env=settings,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def ask(database, question):
    return completed(["psql", database, "-Atc", question]).stdout


def copy(settings, source, target, *options):
    return siwa(settings, "database", "copy", source, target, *options)


def test_people_stay_signed_in_when_the_database_moves_there_and_back(source, empty, tmp_path):
    local, token = source
    moved = copy(local, local["SIWA_DATABASE_URL"], empty)
    assert moved.returncode == 0, moved.stderr
    assert f"{ACCOUNT_COUNT + 1} accounts" in moved.stdout
    remote = dict(local, SIWA_DATABASE_URL=empty)
    with serving(remote) as server:
        status, account = call("GET", f"{server.url}/api/account", token=token)
        assert (status, account["name"]) == (200, "Maya")
        credentials = {key: MAYA[key] for key in ("username", "password")}
        assert call("POST", f"{server.url}/api/sessions/password", credentials)[0] == 201
        # The servers of the source have to be stopped.
        busy = copy(local, empty, f"sqlite:{tmp_path}/busy.sqlite")
        assert busy.returncode == 1
        assert "a server has the source open" in busy.stderr
    again = copy(local, local["SIWA_DATABASE_URL"], empty)
    assert again.returncode == 1
    assert "already contains a finished copy" in again.stderr
    back = f"sqlite:{tmp_path}/back.sqlite"
    assert copy(local, empty, back).returncode == 0
    with serving(dict(local, SIWA_DATABASE_URL=back)) as server:
        assert call("GET", f"{server.url}/api/account", token=token)[0] == 200


def test_a_running_server_is_not_copied(source, empty):
    local, _ = source
    with serving(local):
        ended = copy(local, local["SIWA_DATABASE_URL"], empty)
    assert ended.returncode == 1
    assert "a server has the source open; nothing was copied" in ended.stderr


def test_a_killed_copy_is_opened_by_no_server_and_goes_on(source, empty):
    local, token = source
    process = begin_copy(local, empty)
    # Killed as soon as some accounts are there, and before all are.
    count = 0
    while not count and process.poll() is None:
        count = int(ask(empty, "SELECT count(*) FROM accounts") or 0)
    process.kill()
    process.wait()
    assert 0 < count < ACCOUNT_COUNT
    remote = dict(local, SIWA_DATABASE_URL=empty)
    refused = siwa(remote, "serve", "--port", "0")
    assert refused.returncode == 1
    assert "copy unfinished: run siwa database copy again" in refused.stderr
    went_on = copy(local, local["SIWA_DATABASE_URL"], empty)
    assert went_on.returncode == 0, went_on.stderr
    with serving(remote) as server:
        assert call("GET", f"{server.url}/api/account", token=token)[0] == 200


def test_a_source_that_has_changed_between_two_runs_is_found(source, empty):
    local, _ = source
    path = local["SIWA_DATABASE_URL"].removeprefix("sqlite:")
    subprocess.run(["psql", empty, "-qc", "SELECT 1"], check=True)
    first = begin_copy(local, empty)
    done = ""
    while not done and first.poll() is None:
        done = ask(empty, "SELECT name FROM copied_tables")
    first.kill()
    first.wait()
    with sqlite3.connect(path) as database:
        database.execute("UPDATE accounts SET name = 'other' WHERE id = (SELECT min(id) FROM accounts)")
    ended = copy(local, local["SIWA_DATABASE_URL"], empty)
    assert ended.returncode == 1
    assert "has changed since the copy began, in the table accounts" in ended.stderr
    restarted = copy(local, local["SIWA_DATABASE_URL"], empty, "--restart")
    assert restarted.returncode == 0, restarted.stderr


def test_the_doctor_looks_at_both_databases(source, empty):
    local, _ = source
    on_file = siwa(local, "doctor")
    assert "SQLite's quick check finds no errors" in on_file.stdout
    assert "not held by any process" in on_file.stdout
    on_server = siwa(dict(local, SIWA_DATABASE_URL=empty), "doctor")
    assert "PostgreSQL 1" in on_server.stdout
    # As the script starts it.
    assert "fsync, full_page_writes off" in on_server.stdout
    assert "none yet; the server creates them" in on_server.stdout
