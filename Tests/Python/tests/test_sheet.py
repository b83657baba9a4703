"""The sheet, clicked through as a person without JavaScript would."""

import pytest

from sheet import Sheet


@pytest.fixture
def sheet():
    return Sheet()


@pytest.mark.parametrize("step", ["sign-in", "two-factor", "consent"])
def test_every_step_can_be_cancelled(world, sheet, step):
    sheet.open(world.authorize_url())
    if step == "two-factor":
        sheet.press("sign-in", email=world.email, password=world.password)
    elif step == "consent":
        sheet.sign_in(world.email, world.password)
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
    sheet.open(world.authorize_url(**changes))
    assert sheet.redirect is None
    assert sheet.status == 400
    assert text.lower() in sheet.page.text.lower()
