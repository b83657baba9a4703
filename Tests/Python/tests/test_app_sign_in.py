"""An app that signs in through Chromium and comes back at a port of this machine, with axe on every page."""

import pytest

from inspector import Inspector
from loopback_app import LoopbackApp
from test_account_pages import LOOKS, Person


@pytest.fixture
def app(demo):
    app = LoopbackApp(demo["server"])
    yield app
    app.close()


@pytest.mark.parametrize("language", LOOKS)
def test_an_app_signs_in_with_apple(demo, chromium, app, language):
    chromium.forget()
    person = Person(demo, chromium, f"app-{language}")
    inspector = Inspector(chromium, *LOOKS[language])
    chromium.open(app.address)
    assert app.client_id in person.text()
    inspector.inspect("app-sign-in")
    person.follow("a.apple")
    person.pass_apple()
    assert person.path.startswith("/sign-in/app/confirm?request=")
    inspector.inspect("app-confirm")
    chromium.press("continue")
    assert set(app.wait()) == {"code", "state", "iss"}
    assert app.answer["iss"] == app.server
    assert chromium.driver.current_url.startswith(app.redirect_uri)
    answer = app.redeem()
    assert answer.status_code == 201, answer.text
    assert app.account(answer.json()["token"])["email"] == person.email
    assert app.redeem().json()["code"] == "app_code_invalid"
