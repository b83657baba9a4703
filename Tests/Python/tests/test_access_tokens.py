"""Access tokens, checked by PyJWT as a service of the team does it, and a key rotation that is killed."""

import json
import signal
import subprocess

import jwt
import pytest
import requests

from conftest import BINARY
from load import poll
from test_database_copy import ask, empty  # noqa: F401
from test_postgresql import MAYA, call, cluster, serving, siwa  # noqa: F401

AUDIENCE = "https://api.example.com"
ISSUER = "http://localhost:8080"
SECRET = "s" * 32
SECONDS_MAX = 60


class Site:
    """Two servers on one database, and a signed-in person."""

    def __init__(self, settings, first, second):
        self.settings, self.servers = settings, [first, second]
        status, made = call("POST", f"{first.url}/api/accounts", MAYA)
        assert status == 201, made
        self.session, self.account = made["token"], made["account"]["id"]

    def token(self, server):
        status, made = call("POST", f"{server.url}/api/tokens", {"audience": AUDIENCE}, self.session)
        assert status == 201, made
        return made["accessToken"]

    def keys(self):
        listed = siwa(self.settings, "keys", "list", "--json")
        assert listed.returncode == 0, listed.stderr
        return [json.loads(line) for line in listed.stdout.splitlines()]


@pytest.fixture
def site(empty, serve_settings, tmp_path):  # noqa: F811
    settings = serve_settings | {
        "SIWA_DATABASE_URL": empty,
        "SIWA_TOKEN_AUDIENCES": f"orders,{AUDIENCE}",
        "SIWA_INTROSPECTION_SECRETS": f"orders:{SECRET}",
    }
    with serving(settings, tmp_path / "first.log") as first, serving(settings, tmp_path / "second.log") as second:
        yield Site(settings, first, second)


def verified(token, server):
    keys = jwt.PyJWKClient(f"{server.url}/.well-known/jwks.json")
    key = keys.get_signing_key_from_jwt(token).key
    return jwt.decode(token, key, algorithms=["ES256"], audience=AUDIENCE, issuer=ISSUER)


def introspected(token, server):
    form = {"token": token, "token_type_hint": "access_token"}
    answer = requests.post(f"{server.url}/api/introspect", form, auth=("orders", SECRET), timeout=SECONDS_MAX)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_token_of_one_server_is_checked_with_the_keys_of_the_other(site):
    first, second = site.servers
    token = site.token(first)
    claims = verified(token, second)
    assert claims["sub"] == site.account and claims["exp"] - claims["iat"] == 300
    assert jwt.get_unverified_header(token)["typ"] == "at+jwt"
    metadata = requests.get(f"{second.url}/.well-known/oauth-authorization-server", timeout=SECONDS_MAX).json()
    assert metadata["issuer"] == claims["iss"]
    assert introspected(token, second) == {"active": True, "token_type": "Bearer"} | claims
    assert call("DELETE", f"{first.url}/api/sessions/current", token=site.session)[0] == 204
    for ended in [token, site.session]:
        assert introspected(ended, second) == {"active": False}
    # A service that only checks the signature does not see it.
    assert verified(token, second) == claims


@pytest.mark.parametrize("moment", ["as it begins", "before it writes", "when it is done"])
def test_a_rotation_that_is_killed_loses_no_token_and_no_key(site, moment):
    tokens = [site.token(server) for server in site.servers]
    (before,) = site.keys()
    database = site.settings["SIWA_DATABASE_URL"]
    with subprocess.Popen(["psql", database, "-qAt"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as psql:
        if moment == "before it writes":
            psql.stdin.write("BEGIN;\nLOCK TABLE token_keys IN SHARE MODE;\nSELECT 1;\n")
            psql.stdin.flush()
            assert psql.stdout.readline() == "1\n"
        rotation = subprocess.Popen([BINARY, "keys", "rotate"], env=site.settings, stdout=subprocess.DEVNULL)
        waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'token_keys'::regclass"
        if moment == "before it writes":
            poll(SECONDS_MAX, lambda: ask(database, waiting).strip() == "1", "the rotation waits")
        if moment == "when it is done":
            assert rotation.wait(SECONDS_MAX) == 0
        else:
            rotation.send_signal(signal.SIGKILL)
            rotation.wait(SECONDS_MAX)
        # A server ends with it, and one that has not read the new set goes on.
        site.servers[0].kill()
        psql.stdin.close()
    site.servers[0].start()
    again = siwa(site.settings, "keys", "rotate")
    assert again.returncode == 0 or "does not sign yet" in again.stderr, again.stderr
    keys = {key["state"]: key["id"] for key in site.keys()}
    assert set(keys) == {"signs", "waits"} and keys["signs"] == before["id"]
    for server in site.servers:
        for token in tokens + [site.token(server)]:
            assert verified(token, server)["sub"] == site.account
            assert introspected(token, server)["active"]
