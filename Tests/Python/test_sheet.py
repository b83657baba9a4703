"""The sheet, clicked through as a person without JavaScript would."""

import json

import pytest
import requests
from authlib.common.urls import add_params_to_uri

from sheet import Sheet
from world import TIMEOUT_SECONDS


@pytest.fixture
def sheet():
    return Sheet()


def authorize_url(world, **changes):
    parameters = {
        "client_id": world.services_id,
        "redirect_uri": world.redirect_uri,
        "response_type": "code id_token",
        "response_mode": "form_post",
        "scope": "name email",
        "state": "s1",
        "nonce": "n1",
    } | changes
    return add_params_to_uri(world.authorize_url, list(parameters.items()))


def test_first_sign_in_with_edited_name_and_hidden_address(world, sheet):
    page = sheet.open(authorize_url(world))
    assert "sign-in" in page.buttons
    page = sheet.press("sign-in", email=world.email, password=world.password)
    assert "two-factor" in page.buttons
    page = sheet.press("two-factor", code=page.shown_code)
    assert dict(page.fields)["given_name"] == "Inês"
    assert dict(page.fields)["email_choice"] == "share"
    sheet.press("continue", given_name="Nina", email_choice="hide")
    address, fields = sheet.form_post()
    assert address == world.redirect_uri
    assert fields["state"] == "s1"
    user = json.loads(fields["user"])
    assert user["name"]["firstName"] == "Nina"
    assert user["email"].endswith("@privaterelay.appleid.com")


def test_the_second_sign_in_is_short(world, sheet):
    sheet.open(authorize_url(world))
    sheet.sign_in(world.email, world.password)
    sheet.press("continue")
    page = sheet.open(authorize_url(world))
    assert "continue" in page.buttons, page.text
    assert "given_name" not in dict(page.fields)
    sheet.press("continue")
    _, fields = sheet.form_post()
    assert fields["code"]
    assert "user" not in fields


def test_stop_using_brings_the_first_sheet_back(world, sheet):
    sheet.open(authorize_url(world))
    sheet.sign_in(world.email, world.password)
    sheet.press("continue")
    world.call("POST", f"/people/{world.email}/stop-using", {"client_id": world.services_id})
    page = sheet.open(authorize_url(world))
    assert "given_name" in dict(page.fields)


def test_a_wrong_password_and_a_wrong_code_are_said(world, sheet):
    sheet.open(authorize_url(world))
    page = sheet.press("sign-in", email=world.email, password="wrong")
    assert 'role="alert"' in page.text
    page = sheet.press("sign-in", email=world.email, password=world.password)
    wrong = "000000" if page.shown_code != "000000" else "111111"
    page = sheet.press("two-factor", code=wrong)
    assert 'role="alert"' in page.text
    assert "two-factor" in page.buttons


def test_a_sign_in_stays_in_the_browser_that_began_it(world, sheet):
    page = sheet.open(authorize_url(world))
    stranger = Sheet()
    stranger.page = page
    stranger.press("sign-in", email=world.email, password=world.password)
    assert stranger.status == 400
    other_tab = sheet.open(authorize_url(world, state="s2"))
    assert other_tab.fields != page.fields
    sheet.sign_in(world.email, world.password)
    sheet.press("continue")
    assert sheet.form_post()[1]["state"] == "s2"
    sheet.page = page
    sheet.sign_in(world.email, world.password)
    sheet.press("continue")
    assert sheet.form_post()[1]["state"] == "s1"


@pytest.mark.parametrize("step", ["sign-in", "two-factor", "consent"])
def test_every_step_can_be_cancelled(world, sheet, step):
    sheet.open(authorize_url(world))
    if step != "sign-in":
        page = sheet.press("sign-in", email=world.email, password=world.password)
        if step == "consent":
            sheet.press("two-factor", code=page.shown_code)
    sheet.press("cancel")
    _, fields = sheet.form_post()
    assert fields == {"error": "user_cancelled_authorize", "state": "s1"}


@pytest.mark.parametrize(
    "changes, text",
    [
        ({"redirect_uri": "https://other.example.com/"}, "Invalid web redirect url"),
        ({"client_id": "com.example.unknown"}, "invalid_client"),
        ({"response_mode": "query"}, "response_mode must be form_post"),
        ({"response_type": "id_token"}, "Invalid response type"),
        ({"scope": "profile"}, "scope"),
    ],
)
def test_request_errors_stay_on_the_page(world, sheet, changes, text):
    sheet.open(authorize_url(world, **changes))
    assert sheet.redirect is None
    assert sheet.status == 400
    assert text.lower() in sheet.page.text.lower()


def test_pages_allow_no_frames_and_no_foreign_content(world):
    response = requests.get(authorize_url(world), timeout=TIMEOUT_SECONDS)
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Cache-Control"] == "no-store"
