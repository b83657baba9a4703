"""The accounts server as a service manager starts it."""

import os
import socket
import subprocess
import sys

import pytest

from conftest import BINARY, REPOSITORY, STOP_SECONDS_MAX
from processes import completed

pytestmark = pytest.mark.nightly


def start(settings, **more):
    return subprocess.Popen(
        [BINARY, "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(settings, **more),
    )


@pytest.fixture
def manager(tmp_path):
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listener.settimeout(30)
    yield listener
    listener.close()


ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="systemd is Linux's")


@ON_LINUX
@pytest.mark.parametrize("kind", ["file", "abstract"])
def test_the_service_manager_is_told_when_requests_are_answered(
    serve_settings, manager, tmp_path, kind
):
    name = str(tmp_path / "notify") if kind == "file" else f"@siwa-test-{os.getpid()}"
    manager.bind(name.replace("@", "\0"))
    process = start(serve_settings, NOTIFY_SOCKET=name)
    try:
        assert manager.recv(100) == b"READY=1"
    finally:
        process.terminate()
        process.communicate(timeout=STOP_SECONDS_MAX)
    assert process.returncode == 0


def test_a_manager_that_is_not_there_is_told_of(serve_settings, tmp_path):
    process = start(serve_settings, NOTIFY_SOCKET=str(tmp_path / "nobody"))
    assert process.stdout.readline()
    process.terminate()
    _, errors = process.communicate(timeout=STOP_SECONDS_MAX)
    assert "NOTIFY_SOCKET" in errors


@ON_LINUX
def test_the_unit_leaves_the_server_few_privileges():
    unit = REPOSITORY / "deployment/siwa.service"
    told = completed(["systemd-analyze", "security", "--offline=yes", "--threshold=15", str(unit)])
    assert told.returncode == 0, told.stdout + told.stderr
