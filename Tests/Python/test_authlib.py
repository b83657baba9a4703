"""Authlib, unmodified, is the app's server: only Apple's address differs."""

import json

import pytest
import requests
from authlib.common.security import generate_token
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oidc.core import CodeIDToken, HybridIDToken
from joserfc import jwt
from joserfc.errors import InvalidClaimError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry

from conftest import new_key
from sheet import Sheet, redirect_parameters
from world import ISSUER, TIMEOUT_SECONDS


@pytest.fixture
def client(world):
    return OAuth2Session(
        client_id=world.services_id,
        client_secret=world.client_secret(world.services_id),
        token_endpoint_auth_method="client_secret_post",
        revocation_endpoint_auth_method="client_secret_post",
        scope="name email",
        redirect_uri=world.redirect_uri,
        default_timeout=TIMEOUT_SECONDS,
    )


def validate(world, kind, token, **parameters):
    """Authlib's own way from an identity token to validated claims."""
    keys = KeySet.import_key_set(requests.get(world.keys_url, timeout=TIMEOUT_SECONDS).json())
    registry = JWSRegistry(algorithms=["RS256"], strict_check_header=False)
    decoded = jwt.decode(token, key=keys, registry=registry)
    options = {
        "iss": {"essential": True, "value": ISSUER},
        "aud": {"essential": True, "value": world.services_id},
    }
    parameters["client_id"] = world.services_id
    claims = kind(decoded.claims, decoded.header, options, parameters)
    claims.validate(leeway=0)
    return claims


def authorize(world, client, nonce):
    """The hybrid flow up to the post to the app; answers its fields."""
    url, state = client.create_authorization_url(
        world.authorize_url,
        response_type="code id_token",
        response_mode="form_post",
        nonce=nonce,
    )
    sheet = Sheet()
    sheet.open(url)
    _, fields = sheet.form_post()
    assert fields["state"] == state
    return fields


def exchange(world, client, code):
    return client.fetch_token(world.token_url, code=code, grant_type="authorization_code")


def test_hybrid_flow_with_hashes_checked(world, client, nonce):
    world.decide_next(email="share", name={"given_name": "Nina", "family_name": "D."})
    fields = authorize(world, client, nonce)
    user = json.loads(fields["user"])
    assert user["name"] == {"firstName": "Nina", "lastName": "D."}
    assert user["email"] == world.email
    first = validate(world, HybridIDToken, fields["id_token"], nonce=nonce, code=fields["code"])
    assert first["c_hash"]

    token = exchange(world, client, fields["code"])
    assert token["token_type"] == "Bearer"
    assert token["expires_in"] == 3600
    second = validate(
        world,
        CodeIDToken,
        token["id_token"],
        nonce=nonce,
        access_token=token["access_token"],
    )
    assert second["at_hash"]
    assert second["sub"] == first["sub"]


def test_authlib_notices_another_nonce_and_another_code(world, client, nonce):
    world.decide_next(email="share")
    fields = authorize(world, client, nonce)
    with pytest.raises(InvalidClaimError):
        validate(world, HybridIDToken, fields["id_token"], nonce="another")
    with pytest.raises(InvalidClaimError):
        validate(world, HybridIDToken, fields["id_token"], nonce=nonce, code=fields["code"] + "x")


def test_the_name_comes_once(world, client, nonce):
    world.decide_next(email="share")
    assert "user" in authorize(world, client, nonce)
    world.decide_next(email="share")
    assert "user" not in authorize(world, client, generate_token(16))


def test_refresh_keeps_the_refresh_token(world, client, nonce):
    world.decide_next(email="share")
    token = exchange(world, client, authorize(world, client, nonce)["code"])
    refresh_token = token["refresh_token"]
    renewed = client.refresh_token(world.token_url, refresh_token=refresh_token)
    assert renewed["access_token"] != token["access_token"]
    claims = validate(world, CodeIDToken, renewed["id_token"], access_token=renewed["access_token"])
    assert "nonce" not in claims
    assert "auth_time" not in claims
    assert renewed["refresh_token"] == refresh_token


def test_refresh_is_refused_after_revocation(world, client, nonce):
    world.decide_next(email="share")
    token = exchange(world, client, authorize(world, client, nonce)["code"])
    answer = client.revoke_token(
        world.revoke_url, token=token["refresh_token"], token_type_hint="refresh_token"
    )
    assert answer.status_code == 200
    assert answer.content == b""
    with pytest.raises(OAuthError, match="invalid_grant"):
        client.refresh_token(world.token_url, refresh_token=token["refresh_token"])
    world.decide_next(email="share")
    assert "user" in authorize(world, client, nonce)


def test_a_wrong_secret_is_refused(world, client, nonce):
    world.decide_next(email="share")
    code = authorize(world, client, nonce)["code"]
    client.client_secret = world.client_secret(world.services_id, key=new_key()[1])
    with pytest.raises(OAuthError, match="invalid_client"):
        exchange(world, client, code)
    assert world.last_request()["status"] == 400
    assert world.last_request()["reason"]


@pytest.mark.parametrize(
    "claims",
    [
        {"exp": 1_700_000_000, "iat": 1_699_999_000},
        {"exp": 4_000_000_000},
        {"aud": "https://account.apple.com"},
        {"iss": "OTHERTEAM1"},
        {"sub": "com.example.other"},
    ],
    ids=lambda claims: "-".join(claims),
)
def test_a_secret_with_a_wrong_claim_is_refused(world, claims):
    code = world.credentials()["authorization_code"]
    response = world.token(
        world.app_id,
        grant_type="authorization_code",
        code=code,
        client_secret=world.client_secret(world.app_id, **claims),
    )
    assert response.status_code == 400
    assert response.json() == {"error": "invalid_client"}
    assert response.headers["Cache-Control"] == "no-store"


def test_a_code_works_once(world, client, nonce):
    world.decide_next(email="share")
    code = authorize(world, client, nonce)["code"]
    exchange(world, client, code)
    with pytest.raises(OAuthError, match="invalid_grant.*already been used"):
        exchange(world, client, code)


def test_a_code_is_bound_to_its_redirect_address(world, client, nonce):
    world.decide_next(email="share")
    code = authorize(world, client, nonce)["code"]
    client.redirect_uri = "https://python.example.com/another"
    with pytest.raises(OAuthError, match="invalid_grant.*redirect_uri mismatch"):
        exchange(world, client, code)


def test_a_code_is_bound_to_its_client(world, client):
    code = world.credentials()["authorization_code"]
    with pytest.raises(OAuthError, match="invalid_grant.*client_id mismatch"):
        exchange(world, client, code)


def test_a_cancelled_sheet_answers_with_apples_error(world, client, nonce):
    world.decide_next(decision="cancel")
    fields = authorize(world, client, nonce)
    assert fields["error"] == "user_cancelled_authorize"
    assert "code" not in fields


@pytest.mark.parametrize("mode", ["query", "fragment"])
def test_redirecting_modes_without_scopes(world, mode):
    client = OAuth2Session(
        client_id=world.services_id,
        client_secret=world.client_secret(world.services_id),
        token_endpoint_auth_method="client_secret_post",
        redirect_uri=world.redirect_uri,
        default_timeout=TIMEOUT_SECONDS,
    )
    world.decide_next(email="share")
    url, state = client.create_authorization_url(world.authorize_url, response_mode=mode)
    sheet = Sheet()
    sheet.open(url)
    assert sheet.redirect.startswith(world.redirect_uri)
    parameters = redirect_parameters(sheet.redirect)
    assert parameters["state"] == state
    assert exchange(world, client, parameters["code"])["refresh_token"]
