"""Authlib, unmodified, is the app's server: only Apple's address differs."""

import pytest
from authlib.integrations.base_client.errors import OAuthError
from authlib.oidc.core import CodeIDToken, HybridIDToken
from joserfc.errors import InvalidClaimError

import app_authlib
from conftest import new_key
from sheet import Sheet, redirect_parameters
from world import at


@pytest.fixture
def app(world):
    kind = at(world.apple, app_authlib.App)
    return kind(world.registration(world.services_id, world.redirect_uri))


def authorize(world, app, nonce):
    """The hybrid flow up to the post to the app; answers its fields."""
    world.decide_next(email="share")
    sheet = Sheet()
    sheet.open(app.begin("s1", nonce))
    return sheet.form_post()[1]


def exchange(app, code):
    endpoint = app.apple["token_endpoint"]
    return app.session.fetch_token(endpoint, code=code, grant_type="authorization_code")


def refresh(app, token):
    return app.session.refresh_token(app.apple["token_endpoint"], token["refresh_token"])


def test_authlib_notices_another_nonce_and_another_code(world, app, nonce):
    fields = authorize(world, app, nonce)
    with pytest.raises(InvalidClaimError):
        app.validate(HybridIDToken, fields["id_token"], nonce="another")
    with pytest.raises(InvalidClaimError):
        app.validate(HybridIDToken, fields["id_token"], nonce=nonce, code=fields["code"] + "x")


def test_refresh_keeps_the_refresh_token(world, app, nonce):
    token = exchange(app, authorize(world, app, nonce)["code"])
    renewed = refresh(app, token)
    assert renewed["access_token"] != token["access_token"]
    claims = app.validate(CodeIDToken, renewed["id_token"], access_token=renewed["access_token"])
    assert claims["at_hash"] and "nonce" not in claims and "auth_time" not in claims
    assert renewed["refresh_token"] == token["refresh_token"]


def test_refresh_is_refused_after_revocation(world, app, nonce):
    token = exchange(app, authorize(world, app, nonce)["code"])
    app.revoke(token["refresh_token"])
    with pytest.raises(OAuthError, match="invalid_grant"):
        refresh(app, token)
    assert "user" in authorize(world, app, nonce)


def test_a_wrong_secret_is_refused(world, app, nonce):
    code = authorize(world, app, nonce)["code"]
    app.session.client_secret = world.client_secret(world.services_id, key=new_key()[1])
    with pytest.raises(OAuthError, match="invalid_client"):
        exchange(app, code)
    assert world.last_request()["status"] == 400
    assert world.last_request()["reason"]
    wrong = {"grant_type": "authorization_code", "code": code, "client_secret": "x.y.z"}
    refusal = world.token(world.services_id, **wrong)
    assert refusal.json() == {"error": "invalid_client"}
    assert refusal.headers["Cache-Control"] == "no-store"


def test_a_code_works_once(world, app, nonce):
    code = authorize(world, app, nonce)["code"]
    exchange(app, code)
    with pytest.raises(OAuthError, match="invalid_grant.*already been used"):
        exchange(app, code)


def test_a_code_is_bound_to_its_redirect_address(world, app, nonce):
    code = authorize(world, app, nonce)["code"]
    app.session.redirect_uri = "https://python.example.com/another"
    with pytest.raises(OAuthError, match="invalid_grant.*redirect_uri mismatch"):
        exchange(app, code)


def test_a_code_is_bound_to_its_client(world, app):
    code = world.credentials()["authorization_code"]
    with pytest.raises(OAuthError, match="invalid_grant.*client_id mismatch"):
        exchange(app, code)


@pytest.mark.parametrize("mode", ["query", "fragment"])
def test_redirecting_modes_without_scopes(world, app, mode):
    app.session.scope = None
    world.decide_next(email="share")
    endpoint = app.apple["authorization_endpoint"]
    url, state = app.session.create_authorization_url(endpoint, response_mode=mode)
    sheet = Sheet()
    sheet.open(url)
    assert sheet.redirect.startswith(world.redirect_uri)
    parameters = redirect_parameters(sheet.redirect)
    assert parameters["state"] == state
    assert exchange(app, parameters["code"])["refresh_token"]
