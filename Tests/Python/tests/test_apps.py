"""Whole sign-ins by apps as people write them with PyJWT, Authlib and django-allauth.

These tests run twice: against the emulator's own address, with the apps' addresses of Apple
changed and nothing else; and by test_unmodified.py, where nothing at all is changed.
"""

import json

import pytest

import app_allauth
import app_authlib
import app_pyjwt
from conftest import UNMODIFIED
from sheet import Sheet
from world import ISSUER, at


@pytest.fixture
def apple(world):
    """The address that leads to the emulator: Apple's own where nothing is changed."""
    return ISSUER if UNMODIFIED else world.apple


@pytest.fixture(params=[app_pyjwt, app_authlib], ids=["pyjwt", "authlib"])
def app(request, world, apple):
    own = world.registration(world.services_id, world.redirect_uri)
    return at(apple, request.param.App)(own)


@pytest.fixture
def site(world, apple, monkeypatch):
    """django-allauth's adapter, and the client of a Django site that uses it."""
    app_allauth.start()
    from allauth.socialaccount.providers.apple.views import AppleOAuth2Adapter
    from django.test import Client

    for name in ("access_token_url", "authorize_url", "public_key_url"):
        address = getattr(AppleOAuth2Adapter, name).replace(ISSUER, apple)
        monkeypatch.setattr(AppleOAuth2Adapter, name, address)
    client_id = "com.example.python.django"
    world.add_service(client_id, app_allauth.CALLBACK)
    app_allauth.register(world.registration(client_id))
    yield Client(headers={"host": app_allauth.HOST}, raise_request_exception=True)
    from django.contrib.auth import get_user_model

    get_user_model().objects.all().delete()


def person_agrees(world, address, email="share"):
    """The person goes through the whole sheet; answers what the app gets."""
    sheet = Sheet()
    sheet.open(address)
    page = sheet.sign_in(world.email, world.password)
    is_first = dict(page.fields).get("given_name") is not None
    sheet.press("continue", **{"email_choice": email} if is_first else {})
    return sheet.form_post()


def test_a_person_signs_in_and_leaves(world, app, nonce):
    address, fields = person_agrees(world, app.begin("state-1", nonce))
    assert address == world.redirect_uri
    assert json.loads(fields["user"])["name"] == {"firstName": "Inês", "lastName": "Duarte"}
    claims, refresh_token = app.finish(fields, "state-1", nonce)
    assert claims["email"] == world.email
    app.revoke(refresh_token)
    path = f"/people/{world.email}/credential-state?client_id={world.services_id}"
    state = world.call("GET", path)
    assert state["state"] != "authorized"


def test_a_person_hides_the_address(world, app, nonce):
    _, fields = person_agrees(world, app.begin("state-1", nonce), email="hide")
    claims, _ = app.finish(fields, "state-1", nonce)
    assert claims["email"].endswith("@privaterelay.appleid.com")


def test_allauth_makes_a_user(world, site):
    from allauth.socialaccount.models import SocialAccount, SocialToken

    finish = sign_in_with_allauth(world, site)
    assert (finish.status_code, finish["Location"]) == (302, "/welcome")
    account = SocialAccount.objects.get(provider="apple")
    assert account.user.email == world.email
    assert (account.user.first_name, account.user.last_name) == ("Inês", "Duarte")
    assert site.session["_auth_user_id"] == str(account.user.pk)
    assert SocialToken.objects.get(account=account).token_secret


def test_allauth_knows_who_comes_back(world, site):
    from django.contrib.auth import get_user_model

    sign_in_with_allauth(world, site)
    site.logout()
    finish = sign_in_with_allauth(world, site)
    assert finish["Location"] == "/welcome"
    user = get_user_model().objects.get()
    # The name came the first time only, and allauth kept it.
    assert user.first_name == "Inês"


def test_allauth_refuses_a_code_that_was_used(world, site):
    fields = begin_with_allauth(world, site)
    assert finish_with_allauth(site, fields)["Location"] == "/welcome"
    site.logout()
    again = begin_with_allauth(world, site)
    response = finish_with_allauth(site, again | {"code": fields["code"]})
    assert response.status_code == 401
    assert world.last_request()["status"] == 400


def begin_with_allauth(world, site):
    begin = site.post("/apple/login/", secure=True)
    assert begin.status_code == 302
    address, fields = person_agrees(world, begin["Location"])
    assert address == app_allauth.CALLBACK
    return fields


def finish_with_allauth(site, fields):
    posted = site.post("/apple/login/callback/", fields, secure=True)
    assert posted.status_code == 302
    return site.get(posted["Location"], secure=True)


def sign_in_with_allauth(world, site):
    return finish_with_allauth(site, begin_with_allauth(world, site))
