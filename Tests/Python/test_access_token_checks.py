"""The checks of Examples/AccessTokens, against keys of the test and against the accounts server."""

import json
import os
import secrets
import subprocess
import sys
import time

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm

from conftest import REPOSITORY, running_demo
from listener import Handler, Listener
from postgresql import call, siwa
from test_postgresql import MAYA

EXAMPLES = REPOSITORY / "Examples/AccessTokens"
AUDIENCE = "https://api.example.com"
CHECKERS = {
    "python": ([sys.executable, "check_token.py"], {}),
    "node": (["node", "check-token.js"], {}),
    "go": (["go", "run", "-modfile", "{folder}/go.mod", "check_token.go"], {"GOPROXY": "off", "GOFLAGS": "-mod=mod"}),
    "java": (["java", "CheckToken.java"], {}),
}
# Debian's golang-jwt is a folder, to which the module is led.
DEBIAN_GO = "replace github.com/golang-jwt/jwt/v4 => /usr/share/gocode/src/github.com/golang-jwt/jwt"
# Each forgery changes the header, the claims, or the key.
REFUSED = {
    "expired": {"exp": int(time.time()) - 1},
    "without an end": {"exp": None},
    "for another audience": {"aud": "https://other.example.com"},
    "of another issuer": {"iss": "https://other.example.com"},
    "of a withdrawn key": {"kid": "withdrawn"},
    "of another key with the name of ours": {"key": ec.generate_private_key(ec.SECP256R1())},
    "an identity token": {"typ": "JWT"},
    "unsigned": {"alg": "none"},
    "signed with the public key": {"alg": "HS256"},
}


@pytest.fixture(
    scope="module",
    params=["python", *(pytest.param(name, marks=pytest.mark.nightly) for name in ["node", "go", "java"])],
)
def check(request, tmp_path_factory):
    command, variables = CHECKERS[request.param]
    folder = tmp_path_factory.mktemp("go")
    (folder / "go.mod").write_text((EXAMPLES / "go.mod").read_text() + DEBIAN_GO)
    command = [part.format(folder=folder) for part in command]

    def run(issuer, token):
        return subprocess.run(
            [*command, issuer, AUDIENCE],
            input=token, cwd=EXAMPLES, env=os.environ | variables, capture_output=True, text=True, check=False,
        )

    return run


class Issuer:
    """An accounts server of the test's own: it publishes one key."""

    def __init__(self, address):
        self.address = address
        self.key = ec.generate_private_key(ec.SECP256R1())

    @property
    def key_set(self):
        key = json.loads(ECAlgorithm.to_jwk(self.key.public_key()))
        return json.dumps({"keys": [key | {"kid": "ours", "use": "sig", "alg": "ES256"}]})

    def token(self, typ="at+jwt", alg="ES256", kid="ours", key=None, **changes):
        now = int(time.time())
        claims = {"iss": self.address, "aud": AUDIENCE, "sub": "maya", "iat": now, "exp": now + 300}
        claims = {name: value for name, value in (claims | changes).items() if value is not None}
        if alg != "ES256":
            key = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return jwt.encode(claims, None if alg == "none" else key or self.key, alg, {"typ": typ, "kid": kid})


@pytest.fixture(scope="module")
def issuer():
    class KeySet(Handler):
        def do_GET(self):
            assert self.path == "/.well-known/jwks.json"
            self.answer_text(200, "application/json", issuer.key_set)

    with Listener(KeySet) as listener:
        issuer = Issuer(f"http://127.0.0.1:{listener.server_port}")
        yield issuer


def test_a_valid_token_passes(check, issuer):
    result = check(issuer.address, issuer.token())
    assert (result.stdout, result.returncode) == ("maya\n", 0), result.stderr


def expect_refused(result):
    assert (result.stdout, result.returncode) == ("", 1)
    assert result.stderr.startswith("refused: ")


@pytest.mark.parametrize("changes", REFUSED.values(), ids=REFUSED)
def test_a_forged_token_is_refused(check, issuer, changes):
    expect_refused(check(issuer.address, issuer.token(**changes)))


@pytest.mark.parametrize("text", ["", "a", "a.b.c", "e30.e30.e30", "a.b.c.d"])
def test_what_is_no_token_is_refused(check, issuer, text):
    expect_refused(check(issuer.address, text))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """An accounts server, and the folder of its data."""
    folder = tmp_path_factory.mktemp("demo")
    with running_demo(folder, env=os.environ | {"SIWA_TOKEN_AUDIENCES": AUDIENCE}) as addresses:
        yield addresses["server"].rstrip("/"), folder


def test_a_token_of_the_server_passes_until_its_key_is_withdrawn(check, server):
    address, folder = server
    # The checkers share this server, so each has a person of its own.
    _, person = call("POST", f"{address}/api/accounts", MAYA | {"username": secrets.token_hex(8)})
    _, made = call("POST", f"{address}/api/tokens", {"audience": AUDIENCE}, person["token"])
    token = made["accessToken"]
    result = check(address, token)
    assert (result.stdout.strip(), result.returncode) == (person["account"]["id"], 0), result.stderr
    rotated = siwa(os.environ, "keys", "rotate", "--immediately", "--database", f"sqlite:{folder}/siwa.sqlite")
    assert rotated.returncode == 0, rotated.stderr
    # The checker is a new process, so it fetches the keys again.
    expect_refused(check(address, token))
