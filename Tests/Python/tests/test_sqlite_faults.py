"""A SQLite file on a full disk, locked by another program, or on a disk that takes no writes."""

import sqlite3
import subprocess

import pytest

from conftest import BINARY
from load import Connection, poll
from postgresql import serving
from processes import completed
from small_disk import SmallDisk

PASSWORD = "many green apples"
DISK_BYTES = 8 * 1024 * 1024
# The write-ahead log is used again from its beginning: a full disk shows once it would have to grow.
RENAMES_MAX = 4000
RECOVERY_SECONDS_MAX = 60
# The server tries every five seconds whether it can write.
PROBE_SECONDS_MAX = 60


class Maya:
    """Somebody with an account, and the last name that was acknowledged."""

    def __init__(self, server):
        self.connection = Connection(server.url)
        self.count = 0
        body = {"username": "maya.juice", "password": PASSWORD, "name": "Maya"}
        status, made = self.connection.send("POST", "/api/accounts", body)
        assert status == 201, made
        self.token = made["token"]
        self.name = "Maya"

    def rename(self):
        self.count += 1
        name = f"Maya {self.count} " + "M" * 60
        status, answer = self.connection.send("PATCH", "/api/account", {"name": name}, self.token)
        if status == 200:
            self.name = name
        return status, answer

    def expect_readable(self):
        status, account = self.connection.send("GET", "/api/account", token=self.token)
        assert (status, account["name"]) == (200, self.name)

    def expect_refused(self, server):
        """Writes are refused with 503, reads go on, and the probes tell which of both."""
        status, problem = self.rename()
        assert (status, problem["code"]) == (503, "store_unavailable")
        self.expect_readable()
        poll(PROBE_SECONDS_MAX, lambda: self.readiness() == 503, "the probe tells it")
        assert self.connection.send("GET", "/health/live")[0] == 200
        assert server.process.poll() is None

    def expect_recovery(self):
        poll(RECOVERY_SECONDS_MAX, lambda: self.rename()[0] == 200, "names can be changed again")
        self.expect_readable()
        poll(PROBE_SECONDS_MAX, lambda: self.readiness() == 200, "the probe tells it")

    def readiness(self):
        return self.connection.send("GET", "/health/ready")[0]


@pytest.fixture
def disk(tmp_path):
    folder = tmp_path / "disk"
    folder.mkdir()
    return SmallDisk(folder, DISK_BYTES)


@pytest.fixture
def settings(disk, serve_settings):
    """Those of a server on the small disk."""
    return dict(serve_settings, SIWA_DATABASE_URL=f"sqlite:{disk.folder}/siwa.sqlite")


def test_a_full_disk(disk, settings, tmp_path):
    log = tmp_path / "server.log"
    with serving(settings, log, disk.command()) as server:
        maya = Maya(server)
        disk.fill(server.process)
        statuses = (maya.rename()[0] for _ in range(RENAMES_MAX))
        assert next(status for status in statuses if status != 200) == 503
        maya.expect_refused(server)
        assert "disk is full" in log.read_text()
        disk.clear(server.process)
        maya.expect_recovery()


def test_a_full_disk_and_a_kill(disk, settings):
    """What was acknowledged before the disk was full is there after the process died on it."""
    folder = disk.folder
    # The disk outlives the server: a program that only waits keeps it.
    keeper = subprocess.Popen(disk.command(program="cat"), stdin=subprocess.PIPE)
    enter = ["nsenter", f"--target={keeper.pid}", "--mount", "--"]
    try:
        poll(RECOVERY_SECONDS_MAX, lambda: is_mounted(keeper, folder), "the disk is mounted")
        with serving(settings, None, [*enter, BINARY]) as server:
            maya = Maya(server)
            disk.fill(keeper)
            statuses = (maya.rename()[0] for _ in range(RENAMES_MAX))
            assert next(status for status in statuses if status != 200) == 503
            server.kill()
            disk.clear(keeper)
            server.start()
            maya.connection.close()
            maya.expect_readable()
            maya.expect_recovery()
    finally:
        keeper.stdin.close()
        keeper.wait(RECOVERY_SECONDS_MAX)


def is_mounted(process, folder):
    with open(f"/proc/{process.pid}/mounts") as mounts:
        return any(line.split()[1] == str(folder) for line in mounts)


def test_a_lock_of_another_program(serve_settings, tmp_path):
    with serving(serve_settings) as server:
        maya = Maya(server)
        other = sqlite3.connect(tmp_path / "siwa.sqlite", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        maya.expect_refused(server)
        other.execute("ROLLBACK")
        other.close()
        maya.expect_recovery()


def test_a_disk_that_takes_no_writes_is_told_at_the_start(disk, settings):
    ended = completed([*disk.command(",ro"), "serve", "--port", "0"], env=settings, timeout=60)
    assert ended.returncode == 1
    lines = [line for line in ended.stderr.splitlines() if not line.startswith("note:")]
    assert len(lines) == 2 and lines[1].startswith("hint: "), ended.stderr
    assert "siwa.sqlite" in lines[0]
