"""PyJWT, unmodified, verifies what the emulator signs: only the address of the keys differs."""

import base64
import hashlib

import jwt
import pytest

from sheet import Sheet
from test_sheet import authorize_url
from world import ISSUER


def verify(world, token, audience, **options):
    key = jwt.PyJWKClient(world.keys_url).get_signing_key_from_jwt(token)
    return jwt.decode(
        token, key.key, algorithms=["RS256"], audience=audience, issuer=ISSUER, **options
    )


def half_hash(text):
    digest = hashlib.sha256(text.encode()).digest()
    return base64.urlsafe_b64encode(digest[:16]).rstrip(b"=").decode()


def test_native_credentials_verify(world, nonce):
    credentials = world.credentials(nonce=nonce)
    claims = verify(world, credentials["identity_token"], world.app_id)
    assert claims["sub"] == credentials["user"]
    assert claims["nonce"] == nonce
    assert claims["email"] == world.email
    assert claims["email_verified"] in (True, "true")
    assert "is_private_email" not in claims
    assert claims["c_hash"] == half_hash(credentials["authorization_code"])
    assert claims["real_user_status"] == 2


def test_hidden_address_is_a_relay_address(world):
    credentials = world.credentials(email="hide")
    claims = verify(world, credentials["identity_token"], world.app_id)
    assert claims["email"].endswith("@privaterelay.appleid.com")
    assert claims["is_private_email"] in (True, "true")
    assert credentials["email"] == claims["email"]


def test_web_token_verifies(world, nonce):
    world.decide_next(email="share")
    sheet = Sheet()
    sheet.open(authorize_url(world, nonce=nonce))
    address, fields = sheet.form_post()
    assert address == world.redirect_uri
    claims = verify(world, fields["id_token"], world.services_id)
    assert claims["nonce"] == nonce
    assert claims["c_hash"] == half_hash(fields["code"])
    assert "real_user_status" not in claims


def test_both_kinds_of_client_see_the_same_person(world):
    native = world.credentials()
    answer = world.token(
        world.app_id,
        grant_type="authorization_code",
        code=native["authorization_code"],
    ).json()
    claims = verify(world, answer["id_token"], world.app_id)
    assert claims["sub"] == native["user"]
    assert claims["at_hash"] == half_hash(answer["access_token"])


def test_another_audience_is_refused(world):
    token = world.credentials()["identity_token"]
    with pytest.raises(jwt.InvalidAudienceError):
        verify(world, token, "com.example.other")


def test_an_altered_token_is_refused(world):
    head, body, signature = world.credentials()["identity_token"].split(".")
    altered = body[:-1] + ("A" if body[-1] != "A" else "B")
    with pytest.raises(jwt.InvalidTokenError):
        verify(world, f"{head}.{altered}.{signature}", world.app_id)


def test_tokens_verify_after_a_rotation(world):
    client = jwt.PyJWKClient(world.keys_url, cooldown_duration=0)
    known = {key.key_id for key in client.get_signing_keys()}
    world.call("POST", "/signing-keys/rotate", {})
    token = world.credentials()["identity_token"]
    assert verify(world, token, world.app_id)["iss"] == ISSUER
    # A client that cached the old set fetches again when it meets an unknown key.
    assert client.get_signing_key_from_jwt(token).key_id
    assert {key.key_id for key in client.get_signing_keys(refresh=True)} != known


def test_three_rs256_keys_are_published(world):
    keys = jwt.PyJWKClient(world.keys_url).get_signing_keys()
    assert len(keys) == 3
    assert len({key.key_id for key in keys}) == 3
    assert {key.algorithm_name for key in keys} == {"RS256"}
