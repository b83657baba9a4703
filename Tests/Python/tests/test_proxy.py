"""Requests to Apple go through a proxy: tinyproxy, with and without a password."""

import contextlib
import os
import pathlib
import sys

import pytest

from conftest import BINARY, running_emulator
from load import poll
from processes import completed, free_port, is_open, running

APPLE = "appleid.apple.com"
PASSWORD = "seven-ripe.oranges"
# Where swift-nio-ssl finds the authorities that it trusts.
TRUSTED = "/etc/ssl/certs/ca-certificates.crt"
START_SECONDS_MAX = 60
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")


@pytest.fixture(scope="module")
def apple(tmp_path_factory):
    """An emulator with TLS on a free port."""
    data = tmp_path_factory.mktemp("tls")
    with running_emulator("--tls", "--tls-port", str(free_port()), "--tls-data", str(data)) as addresses:
        yield addresses


def apart(command, apple):
    """A command in whose eyes Apple's name is this machine's, and the emulator's authority is trusted."""
    become_root = [] if os.geteuid() == 0 else ["--map-root-user"]
    folder = pathlib.Path(apple["ca"]).parent
    (folder / "hosts").write_text(f"127.0.0.1 localhost {APPLE}\n")
    shell = f'mount --bind "$0/ca.pem" {TRUSTED}; mount --bind "$0/hosts" /etc/hosts; exec "$@"'
    return ["unshare", *become_root, "--mount", "sh", "-euc", shell, folder, *command]


@contextlib.contextmanager
def proxy(apple, folder, *lines):
    """A proxy's port, and the file that it logs its connections to."""
    port, log = free_port(), folder / "proxy.log"
    settings = [f"Port {port}", "Listen 127.0.0.1", "Allow 127.0.0.1", f'LogFile "{log}"', "LogLevel Connect"]
    file = folder / "tinyproxy.conf"
    file.write_text("\n".join([*settings, *lines]) + "\n")
    with running(apart(["tinyproxy", "-d", "-c", file], apple)):
        poll(START_SECONDS_MAX, lambda: is_open(port), "the proxy starts")
        yield port, log


def doctor(settings, apple, **proxies):
    port = apple["tls"].rpartition(":")[2]
    own = {name: value for name, value in settings.items() if "proxy" not in name.lower()}
    own |= {"SIWA_APPLE_URL": f"https://{APPLE}:{port}", "SIWA_SERVICES_ID": ""}
    return completed(apart([BINARY, "doctor"], apple), env=own | proxies).stdout


@pytest.mark.parametrize("name", ["HTTPS_PROXY", "https_proxy"])
@pytest.mark.parametrize("user", ["", f"maya:{PASSWORD}"])
def test_requests_go_through_the_proxy(serve_settings, apple, tmp_path, name, user):
    lines = [f"BasicAuth maya {PASSWORD}"] if user else []
    with proxy(apple, tmp_path, *lines) as (port, log):
        credentials = user.replace("seven", "s%65ven") + "@" if user else ""
        report = doctor(serve_settings, apple, **{name: f"http://{credentials}127.0.0.1:{port}"})
        assert f"{APPLE} go through 127.0.0.1:{port}" in " ".join(report.split())
        assert "RSA keys" in report and PASSWORD not in report
        assert f"CONNECT {APPLE}:" in log.read_text()


@pytest.mark.parametrize("user", ["", "maya:hazelnut@"])
def test_a_wrong_password_is_told(serve_settings, apple, tmp_path, user):
    with proxy(apple, tmp_path, f"BasicAuth maya {PASSWORD}") as (port, _):
        report = doctor(serve_settings, apple, HTTPS_PROXY=f"http://{user}127.0.0.1:{port}")
        assert f"the proxy 127.0.0.1:{port} refuses" in " ".join(report.split())
        assert "RSA keys" not in report and "hazelnut" not in report


def test_a_proxy_that_is_down_is_told(serve_settings, apple):
    report = " ".join(doctor(serve_settings, apple, HTTPS_PROXY=f"127.0.0.1:{free_port()}").split())
    assert "no response through the proxy 127.0.0.1" in report and "nothing listens there" in report


@pytest.mark.parametrize("exceptions", [APPLE, "example.com,.apple.com", "*"])
def test_exceptions_go_directly(serve_settings, apple, tmp_path, exceptions):
    with proxy(apple, tmp_path) as (port, log):
        report = doctor(serve_settings, apple, HTTPS_PROXY=f"127.0.0.1:{port}", NO_PROXY=exceptions)
        assert "RSA keys" in report and f"{APPLE} go directly" in report
        assert f"CONNECT {APPLE}" not in log.read_text()


def test_plain_http_goes_directly(serve_settings, apple):
    proxies = {"HTTPS_PROXY": f"127.0.0.1:{free_port()}", "SIWA_APPLE_URL": apple["apple"]}
    assert "RSA keys" in doctor(serve_settings, apple, **proxies)


def test_a_malformed_proxy_is_no_secret_told(serve_settings, apple):
    report = doctor(serve_settings, apple, HTTPS_PROXY="http://maya:secret@")
    assert "proxy" in report and "FAIL" in report and "secret" not in report.replace("client secret", "")
