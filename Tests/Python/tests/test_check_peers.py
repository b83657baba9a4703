"""siwa check against sites of others: what it finds is true, and it finds nothing else.

Each finding has its reason, which was read in the library's code.
"""

import contextlib
import dataclasses
import json
import os
import pathlib
import string
import sys
import tempfile

import pytest
import requests

import broken_sites
from load import poll
from processes import HARNESS, SITES, free_port, own_certificate, running
from test_check import check, names, verdicts

pytestmark = pytest.mark.nightly
MODULES = "/usr/lib/apache2/modules"
START_SECONDS_MAX = 60


@contextlib.contextmanager
def answering(command, address, certificate, environment=None):
    """A server's process, from when it answers."""
    with running(command, env=os.environ | {"PYTHONPATH": str(HARNESS)} | (environment or {}), cwd=SITES):
        poll(START_SECONDS_MAX, lambda: answers(address, certificate), f"{command[0]} answers")
        yield


def answers(address, certificate):
    try:
        requests.get(address, verify=str(certificate), allow_redirects=False, timeout=5)
    except requests.RequestException:
        return False
    return True


@contextlib.contextmanager
def allauth(world, folder):
    """A site with django-allauth; answers its address."""
    address = f"https://127.0.0.1:{free_port()}"
    client_id = "com.example.python.peer"
    world.add_service(client_id, address + "/accounts/apple/login/callback/")
    certificate = own_certificate(folder)
    peer = {
        "folder": str(folder),
        "apple": world.apple,
        "registration": dataclasses.asdict(world.registration(client_id)),
    }
    command = [sys.executable, "-m", "gunicorn", "peer_allauth", "--threads", "4"]
    command += ["--bind", address.removeprefix("https://"), "--log-level", "error"]
    command += ["--certfile", str(certificate), "--keyfile", str(certificate)]
    with answering(command, address + "/me", certificate, {"PEER": json.dumps(peer)}):
        yield address


@contextlib.contextmanager
def pages():
    """The folder of a site with a page, and one that shows what Apple signed."""
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder)
        secure = site / "secure"
        secure.mkdir()
        (secure / "index.html").write_text("<!DOCTYPE html><title>Inside</title><p>Inside.")
        claims = "".join(f'<p><!--#echo var="OIDC_CLAIM_{name}" -->' for name in ("sub", "email"))
        (secure / "me.shtml").write_text(f"<!DOCTYPE html><title>You</title>{claims}")
        # Apache answers as another user.
        site.chmod(0o755)
        yield site


@contextlib.contextmanager
def openidc(world, folder, site):
    """Apache with mod_auth_openidc, and a site's folder; answers its address."""
    port = free_port()
    address = f"https://127.0.0.1:{port}"
    client_id = "com.example.python.apache"
    world.add_service(client_id, address + "/secure/redirect_uri")
    certificate = own_certificate(folder)
    values = {
        "folder": folder,
        "site": site,
        "port": port,
        "modules": MODULES,
        "apple": world.apple,
        "client_id": client_id,
        "client_secret": world.client_secret(client_id),
        "passphrase": "a-passphrase-of-tests",
    }
    text = (SITES / "peer_openidc.conf").read_text()
    configuration = folder / "apache.conf"
    configuration.write_text(string.Template(text).substitute(values))
    command = ["/usr/sbin/apache2", "-f", str(configuration), "-D", "FOREGROUND"]
    with answering(command, address + "/secure/index.html", certificate):
        yield address


def examine(world, start, signed_in):
    code, output, errors = check(start, world.control, "--format", "json", signed_in=signed_in)
    assert output, errors
    return verdicts(output), code


#: What needs an address for Apple's notifications, a token API or an Android callback, which neither library has, or
#: --delete.
NOT_HANDLED = broken_sites.API | {
    "account-deleted",
    "android-redirect",
    "consent-revoked",
    "deletion-revokes",
    "notification-audience",
    "notification-expired",
    "notification-forged",
    "notification-issuer",
    "notification-late",
    "notification-repeated",
    "notification-signature",
    "notification-unknown-key",
    "notification-unsigned",
    "unlink-ends-sessions",
}


def test_django_allauth(world, tmp_path):
    with allauth(world, tmp_path) as address:
        found, code = examine(world, address + "/accounts/apple/login/", "/me")
    assert names(found, "error") == set(), found
    assert names(found, "fails") == {
        # AppleOAuth2Client asks for `code id_token` and sends no nonce, which OpenID Connect
        # requires then.
        "nonce-sent",
        # Without a nonce, and without PKCE (OAUTH_PKCE_ENABLED is off unless a site turns it on),
        # nothing ties the code to the browser: the person is whoever the code's token names.
        "code-injected",
    }, found
    assert names(found, "advice") == {
        # get_access_token_data unpacks `user` as an object, and fails at any other JSON.
        "user-unreadable",
    }, found
    assert names(found, "not_examined") == NOT_HANDLED | {
        # There is none that could be wrong.
        "nonce-wrong",
        "nonce-missing",
        # AppleOAuth2Adapter reads the token of the code, and the posted one only without it.
        "algorithm-hs256",
        "algorithm-none",
        "code-hash",
        "embedded-key",
        "foreign-key",
        "other-app",
        "signature-of-other-claims",
        "unknown-key",
    }, found
    assert code == 1


@pytest.mark.skipif(sys.platform != "linux", reason="Debian packs the module")
def test_mod_auth_openidc(world, tmp_path):
    with pages() as site, openidc(world, tmp_path, site) as address:
        found, code = examine(world, address + "/secure/index.html", "/secure/me.shtml")
    assert names(found, "error") == set(), found
    assert names(found, "fails") == set(), found
    # oidc_session_save_cache sets SameSite=None, unless OIDCCookieSameSite is on.
    assert names(found, "advice") == {"session-cookie-same-site"}, found
    assert names(found, "not_examined") == NOT_HANDLED | {
        # The module passes on what Apple signed, and never the name of the form.
        "name-later",
        "name-markup",
    }, found
    assert code == 0
