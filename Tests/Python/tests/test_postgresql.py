"""Two accounts servers on one PostgreSQL database, as an operator runs them."""

import json
import re
import subprocess
import urllib.request

import pytest

from load import poll
from postgresql import call, running_cluster, serving, siwa
from processes import completed


@pytest.fixture(scope="module")
def cluster():
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture
def settings(cluster, serve_settings):
    return dict(serve_settings, SIWA_DATABASE_URL=cluster.url)


IDLE = {
    'siwa_postgresql_connections{state="in_use"} 0',
    "siwa_postgresql_waiting 0",
    "siwa_postgresql_batch_waiting 0",
}


def metrics(server):
    with urllib.request.urlopen(f"{server}/metrics", timeout=60) as answer:
        return answer.read().decode()


def is_idle(text):
    return IDLE <= set(text.splitlines())


MAYA = {"username": "maya.juice", "password": "many green apples", "name": "Maya"}


def test_what_one_server_stores_the_other_one_knows_at_once(settings, cluster):
    with serving(settings) as one, serving(settings) as two:
        first, second = one.url, two.url
        status, made = call("POST", f"{first}/api/accounts", MAYA)
        assert status == 201, made
        assert call("POST", f"{second}/api/accounts", MAYA)[0] == 409
        token = made["token"]
        status, account = call("GET", f"{second}/api/account", token=token)
        assert (status, account["name"]) == (200, "Maya")

        listing = siwa(settings, "users", "list", "--json")
        assert listing.returncode == 0, listing.stderr
        assert account["id"] in listing.stdout

        for server in (first, second):
            poll(30, lambda server=server: is_idle(metrics(server)), "no connection is in use")
            assert re.search("^siwa_postgresql_wait_seconds_count [1-9]", metrics(server), re.M)

        # Ended by one server, it is over for the other one, which keeps nothing in memory.
        assert call("DELETE", f"{first}/api/sessions/current", token=token)[0] == 204
        assert call("GET", f"{second}/api/account", token=token)[0] == 401

        credentials = {key: MAYA[key] for key in ("username", "password")}
        status, again = call("POST", f"{second}/api/sessions/password", credentials)
        assert status == 201, again
        cluster.command("stop")
        assert call("GET", f"{first}/api/account", token=again["token"])[0] == 503
        cluster.command("start")
        status, back = call("GET", f"{first}/api/account", token=again["token"])
        assert (status, back["id"]) == (200, account["id"])

        removal = siwa(settings, "users", "delete", account["id"], "--yes")
        assert removal.returncode == 0, removal.stderr
        assert call("GET", f"{first}/api/account", token=again["token"])[0] == 401


@pytest.mark.parametrize(
    "url, words",
    [
        ("postgres://app@127.0.0.1:1/siwa", "refused"),
        ("postgres://app:secret@db.example.com", "specifies no database"),
        ("postgres://app:secret@/siwa?sslmode=secret", "sslmode"),
        ("mysql://app:secret@db/siwa", "is not a database URL"),
    ],
)
def test_a_wrong_address_is_told_and_not_repeated(settings, url, words):
    ended = siwa(dict(settings, SIWA_DATABASE_URL=url), "serve", "--port", "0")
    assert ended.returncode == 1
    assert words in ended.stderr
    assert "secret" not in ended.stderr


def test_each_entry_of_the_audit_log_is_a_line_of_the_log(settings, tmp_path):
    log = tmp_path / "log"
    logging = dict(settings, SIWA_LOG_FORMAT="json", SIWA_LOG_LEVEL="info")
    with serving(logging, log) as server:
        status, made = call("POST", f"{server.url}/api/accounts", dict(MAYA, username="told.once"))
        assert status == 201, made
        account = call("GET", f"{server.url}/api/account", token=made["token"])[1]["id"]
        assert call("DELETE", f"{server.url}/api/sessions/current", token=made["token"])[0] == 204
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    told = [line["metadata"] for line in lines if line["message"] == "audit"]
    export = siwa(settings, "audit", "export", "--account", account)
    assert export.returncode == 0, export.stderr
    entries = [json.loads(line) for line in export.stdout.splitlines()]
    # The export itself is told by the command, not by the server.
    assert [entry["action"] for entry in entries] == ["account_created", "sign_out", "audit_read"]
    assert [(line["entry"], line["event"]) for line in told] == [
        (entry["id"], entry["action"]) for entry in entries[:2]
    ]
    assert all(line["account"] == account for line in told)


def test_a_mistyped_address_gets_no_tables(settings, cluster, tmp_path):
    """Neither as the database of a command nor as the source of a copy; `migrate` creates them."""
    subprocess.run(["psql", cluster.url, "-qc", "CREATE DATABASE mistyped"], check=True)
    url = cluster.url.replace("/postgres?", "/mistyped?")
    other = dict(settings, SIWA_DATABASE_URL=url)

    def tables():
        question = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
        return int(completed(["psql", url, "-Atc", question]).stdout)

    copy = ["database", "copy", url, f"sqlite:{tmp_path}/copy.sqlite"]
    for arguments in [["users", "list"], ["audit", "list"], ["keys", "list"], copy]:
        refused = siwa(other, *arguments)
        assert refused.returncode == 1, refused
        assert "the database has no tables of siwa" in refused.stderr
        assert "siwa database migrate" in refused.stderr
    assert tables() == 0
    for _ in range(2):
        done = siwa(other, "database", "migrate")
        assert (done.returncode, done.stdout) == (0, "the tables are up to date\n"), done
    assert tables() > 10
    assert siwa(other, "users", "list").returncode == 0
    # The tables of an older program are refused too.
    subprocess.run(["psql", url, "-qc", "DELETE FROM schema_versions WHERE version = 3"], check=True)
    older = siwa(other, "users", "list")
    assert older.returncode == 1, older
    assert "an older version created the tables" in older.stderr and "siwa database migrate" in older.stderr


def test_a_command_logs_nothing_of_what_its_own_server_does(settings):
    assert siwa(settings, "database", "migrate").returncode == 0
    siwa(settings, "users", "list")
    done = siwa(settings, "audit", "list")
    refused = siwa(settings, "users", "show", "nobody@example.com")
    assert (done.returncode, refused.returncode) == (0, 1), refused
    for line in [*done.stderr.splitlines(), *refused.stderr.splitlines()[:-2]]:
        assert line.startswith("note: ") or "fsync" in line, line
    assert refused.stderr.splitlines()[-2:] == [
        "siwa: no account has this id, username, email address or Apple identifier",
        "hint: siwa users list --search TEXT also finds accounts by a part of these",
    ]


def test_a_backup_is_left_to_postgresql(settings, tmp_path):
    ended = siwa(settings, "database", "backup", str(tmp_path / "copy"))
    assert ended.returncode == 1
    assert "does not back up PostgreSQL" in ended.stderr and "pg_dump" in ended.stderr
