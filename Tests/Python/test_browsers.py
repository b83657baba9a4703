"""The demo in WebKit, the engine of Safari, and in Chromium: a life on the web, and Apple's script."""

import json
import sys
import urllib.parse

import pytest
import requests
from selenium.webdriver.common.by import By

from browser import Chromium, WebKit
from conftest import REPOSITORY, running_demo
from shop import Shop

EMAIL = "maya@example.com"
PASSWORD = "apple"
# Only Linux has a WebKit that a driver leads.
ENGINES = [Chromium, WebKit] if sys.platform == "linux" else [Chromium]


@pytest.fixture
def demo(tmp_path):
    with running_demo(tmp_path) as addresses:
        yield addresses


@pytest.fixture(params=ENGINES, ids=lambda engine: engine.__name__.lower())
def browser(request):
    yield from opened(request.param)


@pytest.fixture
def chromium():
    yield from opened(Chromium)


def opened(engine):
    browser = engine()
    browser.pictures = REPOSITORY / ".artifacts" / "screenshots" / engine.__name__.lower()
    yield browser
    browser.quit()


class Visitor:
    """Somebody with a browser, on the accounts server and at Apple."""

    def __init__(self, demo, browser):
        self.demo = demo
        self.browser = browser
        self.server = demo["server"].rstrip("/")

    def control(self, method, path, body=None):
        answer = requests.request(method, self.demo["control"] + path, json=body, timeout=20)
        assert answer.ok, answer.text
        return answer.json() if answer.content else None

    def element(self, selector):
        """An element, as soon as the page that comes has it."""
        return self.browser.wait_until(
            lambda driver: driver.find_element(By.CSS_SELECTOR, selector), f"no {selector}"
        )

    def text(self, selector="body"):
        return self.element(selector).text

    def picture(self, name):
        self.browser.keep_picture(name)

    def begin(self):
        """Presses the button of the sign-in page."""
        self.element("a.apple").click()

    def prove(self, pictures=None):
        """Password and second factor at Apple."""
        self.element("[name=password]")
        if pictures:
            self.picture(f"{pictures}-password")
        self.browser.fill(email=EMAIL, password=PASSWORD)
        self.browser.press("sign-in")
        self.element("#shown-code")
        if pictures:
            self.picture(f"{pictures}-code")
        self.browser.enter_code()

    def consent(self, pictures=None):
        """Edits the name and hides the address."""
        self.element("[name=given_name]")
        self.browser.fill(given_name="Maja", family_name="Nilsson")
        self.element("[name=email_choice][value=hide]").click()
        if pictures:
            self.picture(f"{pictures}-consent")
        self.press("continue")

    def press(self, action):
        """Presses a button of Apple's sheet, which can lead anywhere."""
        self.element(f'button[value="{action}"]').click()

    def expect_account(self):
        self.browser.wait_for_address(self.server + "/")
        self.element('form[action="/sign-out"]')
        text = self.text()
        assert "Maja Nilsson" in text and "@privaterelay.appleid.com" in text
        assert EMAIL not in text

    def expect_sign_in_page(self):
        self.browser.wait_for_address(self.server + "/sign-in")
        self.element("a.apple")


def test_a_life_on_the_web(demo, browser):
    visitor = Visitor(demo, browser)
    browser.open(visitor.server)
    visitor.expect_sign_in_page()
    visitor.picture("1-sign-in")
    visitor.begin()
    visitor.prove(pictures="2-apple")
    visitor.consent(pictures="3-apple")
    visitor.expect_account()
    visitor.picture("4-account")
    browser.send("/sign-out")
    visitor.expect_sign_in_page()
    visitor.picture("5-signed-out")

    # Apple knows the person: nothing is asked, and the person changes their mind.
    visitor.begin()
    visitor.element('button[value="cancel"]')
    visitor.picture("6-apple-again")
    visitor.press("cancel")
    visitor.expect_sign_in_page()
    visitor.picture("7-cancelled")
    visitor.begin()
    visitor.press("continue")
    visitor.expect_account()

    browser.open(visitor.server + "/account/delete")
    visitor.element('form[action="/account/delete"]')
    visitor.picture("8-delete")
    browser.send("/account/delete")
    visitor.expect_sign_in_page()
    visitor.picture("9-deleted")
    browser.open(visitor.server)
    visitor.expect_sign_in_page()
    people = visitor.control("GET", "/state")["people"]
    assert next(p for p in people if p["email"] == EMAIL)["consents"] == []


def test_a_sign_in_without_scripts(demo, chromium):
    chromium.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    visitor = Visitor(demo, chromium)
    chromium.open(visitor.server)
    visitor.begin()
    visitor.prove()
    visitor.consent()
    # Apple's page, then the accounts server's own, from whose form the cookie comes along.
    visitor.element('input[name="id_token"]')
    visitor.picture("without-scripts-1-apple")
    visitor.element("form button").click()
    chromium.wait_for_address(visitor.server)
    visitor.picture("without-scripts-2-forwarding")
    visitor.element("form button").click()
    visitor.expect_account()


@pytest.fixture
def shop(request, demo):
    shop = Shop(demo["apple"], popup=request.param == "popup")
    service = {
        "client_id": shop.client_id,
        "primary_client_id": "com.example.juice",
        "name": "Shop",
        "return_urls": [shop.redirect_uri],
    }
    requests.post(demo["control"] + "/services", json=service, timeout=20).raise_for_status()
    yield shop
    shop.close()


@pytest.mark.parametrize("shop", ["redirect"], indirect=True)
def test_apples_script_redirects(demo, browser, shop):
    visitor = Visitor(demo, browser)
    browser.open(shop.address)
    visitor.picture("script-1-shop")
    visitor.element("button").click()
    visitor.prove()
    visitor.consent()
    form = dict(urllib.parse.parse_qsl(visitor.text("#form")))
    assert browser.driver.current_url == shop.redirect_uri
    assert form["state"] == "s-1" and form["code"] and form["id_token"]
    assert json.loads(form["user"])["name"]["firstName"] == "Maja"


@pytest.mark.parametrize("shop", ["popup"], indirect=True)
def test_apples_script_opens_a_popup(demo, browser, shop):
    visitor = Visitor(demo, browser)
    browser.open(shop.address)
    window = browser.driver.current_window_handle
    turn_to_popup(visitor)
    visitor.prove(pictures="script-2-popup")
    visitor.consent(pictures="script-3-popup")
    browser.driver.switch_to.window(window)
    result = json.loads(visitor.text("#success"))
    assert result["authorization"]["state"] == "s-1" and result["authorization"]["code"]
    assert result["user"]["name"]["firstName"] == "Maja"

    turn_to_popup(visitor)
    visitor.press("cancel")
    browser.driver.switch_to.window(window)
    assert json.loads(visitor.text("#failure")) == {"error": "user_cancelled_authorize"}


def turn_to_popup(visitor):
    """Presses the shop's button and looks at the window that opens."""
    browser, driver = visitor.browser, visitor.browser.driver
    browser.wait_until(lambda driver: len(driver.window_handles) == 1, "the last popup stays")
    window = driver.current_window_handle
    visitor.element("button").click()
    browser.wait_until(lambda driver: len(driver.window_handles) == 2, "no popup")
    driver.switch_to.window(next(name for name in driver.window_handles if name != window))
