"""The accounts server as a service manager starts it."""

import os
import socket
import sys

import pytest

from conftest import REPOSITORY
from postgresql import serving
from processes import completed

pytestmark = pytest.mark.nightly


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
    with serving(serve_settings | {"NOTIFY_SOCKET": name}) as server:
        assert manager.recv(100) == b"READY=1"
        assert server.terminate() == 0


def test_a_manager_that_is_not_there_is_told_of(serve_settings, tmp_path):
    log = tmp_path / "log"
    with serving(serve_settings | {"NOTIFY_SOCKET": str(tmp_path / "nobody")}, log) as server:
        server.terminate()
    assert "NOTIFY_SOCKET" in log.read_text()


@ON_LINUX
def test_the_unit_leaves_the_server_few_privileges():
    unit = REPOSITORY / "deployment/siwa.service"
    told = completed(["systemd-analyze", "security", "--offline=yes", "--threshold=15", str(unit)])
    assert told.returncode == 0, told.stdout + told.stderr
