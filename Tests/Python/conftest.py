"""Starts the emulator once, and gives each test a world of its own in it."""

import os
import pathlib
import secrets

import pytest
import requests
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from browser import Chromium
from processes import BINARY, REPOSITORY, ready_line, run, running_demo, running_emulator  # noqa: F401
from shop import Shop
from world import World

# All requests stay on this machine. To look for proxies, requests goes through the environment, which fails in a
# thread when pytest adds the next test's name at that moment.
requests.utils.proxy_bypass = lambda host: True

# Where test_unmodified.py runs tests, Apple's names lead to this machine.
TLS_DATA = os.environ.get("SIWA_TLS_DATA")
UNMODIFIED = TLS_DATA is not None
collect_ignore = [] if UNMODIFIED else ["tests/test_trust.py"]


@pytest.fixture(scope="session")
def addresses():
    options = ["--tls", "--tls-port", "443", "--tls-data", TLS_DATA] if UNMODIFIED else []
    with running_emulator(*options) as addresses:
        yield addresses


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    with running_demo(tmp_path_factory.mktemp("demo")) as addresses:
        yield addresses


@pytest.fixture(scope="module")
def accounts(demo):
    """The address of the accounts server."""
    return demo["server"].rstrip("/")


@pytest.fixture(scope="module")
def chromium():
    browser = Chromium()
    yield browser
    browser.quit()


@pytest.fixture(scope="module")
def shop(demo):
    shop = Shop(demo)
    yield shop
    shop.close()


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """The archive and the Debian package that scripts/dist makes of the built program."""
    output = tmp_path_factory.mktemp("dist")
    environment = dict(os.environ, SIWA_DIST_IS_FAST="1")
    told = run(REPOSITORY / "scripts/dist", BINARY, output, env=environment)
    archive, package = map(pathlib.Path, told.split())
    return archive, package


@pytest.fixture(scope="module")
def unpacked(packed, tmp_path_factory):
    """The folder in the archive."""
    folder = tmp_path_factory.mktemp("unpacked")
    run("tar", "-xzf", packed[0], "-C", folder)
    (tree,) = folder.iterdir()
    return tree


@pytest.fixture
def serve_settings(tmp_path):
    """The environment of a siwa serve that is on its own, with a database in a temporary folder."""
    key = tmp_path / "AuthKey_ABC123DEFG.p8"
    key.write_text(new_key()[1])
    return dict(
        os.environ,
        SIWA_TEAM_ID="DEF123GHIJ",
        SIWA_KEY_ID="ABC123DEFG",
        SIWA_KEY_FILE=str(key),
        SIWA_CLIENT_IDS="com.example.juice",
        SIWA_PUBLIC_URL="http://localhost:8080",
        SIWA_SEALING_KEYS="k1:" + "A" * 43 + "=",
        SIWA_DATABASE_URL=f"sqlite:{tmp_path / 'siwa.sqlite'}",
    )


@pytest.fixture
def world(addresses):
    """A team with an app, a Services ID, a key and a person, fresh for each test."""
    return World(addresses)


@pytest.fixture
def nonce():
    return secrets.token_urlsafe(16)


def new_key():
    """A key of a developer team's, and the text of its .p8 file."""
    key = ec.generate_private_key(ec.SECP256R1())
    form = serialization.PrivateFormat.PKCS8
    text = key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())
    return key, text.decode()
