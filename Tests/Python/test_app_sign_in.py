"""An app that signs in through Chromium and comes back at a port of this machine, with axe on every page."""

import pytest
from selenium.webdriver.common.by import By

from inspector import Inspector
from loopback_app import LoopbackApp
from test_account_pages import LOOKS, PASSWORD, Person


@pytest.fixture
def app(demo):
    app = LoopbackApp(demo["server"])
    yield app
    app.close()


def press_apple(browser):
    link = browser.driver.find_element(By.CSS_SELECTOR, "a.apple")
    browser.follow(link.get_dom_attribute("href"))


@pytest.mark.parametrize("language", LOOKS)
def test_an_app_signs_in_with_apple(demo, chromium, app, language):
    chromium.forget()
    person = Person(demo, chromium, f"app-{language}")
    inspector = Inspector(chromium, *LOOKS[language])
    chromium.open(app.address)
    assert app.client_id in person.text
    inspector.inspect("app-sign-in")
    press_apple(chromium)
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


def test_another_account_signs_in_with_its_password(demo, chromium, app):
    chromium.forget()
    chromium.look(*LOOKS["en"][0][1:])
    first = Person(demo, chromium, "app-first")
    first.open("/create-account")
    first.send("/create-account", username=first.name, password=PASSWORD)
    chromium.open(app.address)
    assert first.name in first.text
    chromium.press("another")
    chromium.driver.find_element(By.CSS_SELECTOR, "details.unfolding summary").click()
    form = chromium.driver.find_element(By.CSS_SELECTOR, 'form[action="/create-account"]')
    form.find_element(By.NAME, "username").send_keys("app-second")
    form.find_element(By.NAME, "password").send_keys(PASSWORD)
    chromium.send("/create-account")
    chromium.press("continue")
    app.wait()
    assert app.account(app.redeem().json()["token"])["username"] == "app-second"


def test_cancelling_is_told_the_app(demo, chromium, app):
    chromium.forget()
    chromium.open(app.address)
    chromium.press("cancel")
    assert app.wait()["error"] == "access_denied"
    chromium.open(app.address.replace("S256", "plain"))
    told = chromium.driver.find_element(By.CSS_SELECTOR, "[data-code]")
    assert told.get_attribute("data-code") == "app_challenge_missing"
