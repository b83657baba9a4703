"""PyJWT, unmodified, verifies what the emulator signs: only the address of the keys differs."""

import base64
import hashlib

import jwt
import pytest

import app_pyjwt
from world import ISSUER, at


def verify(world, token, audience=None):
    app = at(world.apple, app_pyjwt.App)(world.registration(audience or world.app_id))
    return app.verify(token)


def half_hash(text):
    digest = hashlib.sha256(text.encode()).digest()
    return base64.urlsafe_b64encode(digest[:16]).rstrip(b"=").decode()


def test_native_credentials_verify(world, nonce):
    credentials = world.credentials(nonce=nonce)
    claims = verify(world, credentials["identity_token"])
    assert claims["sub"] == credentials["user"]
    assert claims["nonce"] == nonce
    assert claims["email"] == world.email
    assert claims["c_hash"] == half_hash(credentials["authorization_code"])


def test_an_exchanged_token_is_of_the_same_person(world):
    native = world.credentials()
    code = native["authorization_code"]
    answer = world.token(world.app_id, grant_type="authorization_code", code=code).json()
    claims = verify(world, answer["id_token"])
    assert claims["sub"] == native["user"]
    assert claims["at_hash"] == half_hash(answer["access_token"])


def test_another_audience_and_an_altered_token_are_refused(world):
    token = world.credentials()["identity_token"]
    with pytest.raises(jwt.InvalidAudienceError):
        verify(world, token, "com.example.other")
    head, body, signature = token.split(".")
    altered = body[:-1] + ("A" if body[-1] != "A" else "B")
    with pytest.raises(jwt.InvalidTokenError):
        verify(world, f"{head}.{altered}.{signature}")


def test_tokens_verify_after_a_rotation(world):
    client = jwt.PyJWKClient(world.apple + "/auth/keys", cooldown_duration=0)
    known = {key.key_id for key in client.get_signing_keys()}
    world.call("POST", "/signing-keys/rotate", {})
    token = world.credentials()["identity_token"]
    assert verify(world, token)["iss"] == ISSUER
    # A client that cached the old set fetches again when it meets an unknown key.
    assert client.get_signing_key_from_jwt(token).key_id
    keys = client.get_signing_keys(refresh=True)
    assert len(keys) == len({key.key_id for key in keys} - known) == 3
    assert {key.algorithm_name for key in keys} == {"RS256"}
