"""The demo in WebKit, the engine of Safari, and in Chromium: a life on the web, and Apple's script."""

# Fidelity: script-2, script-4, script-5, script-7, script-8, script-12, script-13, script-14
# Fidelity: script-15, script-19

import html
import json
import sys
import urllib.parse
import urllib.request
import uuid

import pytest

from browser import Chromium, WebKit
from conftest import REPOSITORY, running_demo
from listener import HTML, Handler, Listener
from loopback_app import LoopbackApp
from shop import Shop
from visitor import EMAIL, Shopper, Visitor

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
    assert not visitor.has("[name=given_name]")
    visitor.picture("6-apple-again")
    visitor.press("cancel")
    visitor.expect_sign_in_page()
    visitor.picture("7-cancelled")
    visitor.begin()
    visitor.press("continue")
    visitor.expect_account()

    # Without the consent, the session has ended, and Apple asks as it did at first.
    visitor.control("POST", f"/people/{EMAIL}/stop-using", {"client_id": "com.example.juice"})
    browser.wait_until(lambda _: deliveries(visitor) == ["delivered"], "the server was not told")
    browser.open(visitor.server)
    visitor.expect_sign_in_page()
    assert "Your session has ended." in visitor.text()
    visitor.picture("8-session-ended")
    visitor.begin()
    visitor.consent()
    visitor.expect_account()

    browser.open(visitor.server + "/account/delete")
    visitor.element('form[action="/account/delete"]')
    visitor.picture("9-delete")
    browser.send("/account/delete")
    visitor.expect_sign_in_page()
    visitor.picture("10-deleted")
    browser.open(visitor.server)
    visitor.expect_sign_in_page()
    browser.wait_until(lambda _: revocations(visitor) == [200], "Apple was not told of the deletion")
    people = visitor.control("GET", "/state")["people"]
    assert next(p for p in people if p["email"] == EMAIL)["consents"] == []


def deliveries(visitor):
    """How far Apple's notifications to the accounts server are."""
    return [entry["state"] for entry in visitor.control("GET", "/notifications")["notifications"]]


def revocations(visitor):
    """The statuses of what the accounts server sent to Apple to end its tokens."""
    requests = visitor.control("GET", "/requests")["requests"]
    return [request["status"] for request in requests if request["path"] == "/auth/revoke"]


def test_a_sign_in_at_the_numeric_address(demo, chromium):
    numeric = dict(demo, server=demo["server"].replace("localhost", "127.0.0.1"))
    assert numeric != demo
    visitor = Visitor(numeric, chromium)
    chromium.open(visitor.server)
    visitor.begin()
    visitor.prove()
    visitor.consent()
    visitor.expect_account()
    chromium.send("/sign-out")
    visitor.expect_sign_in_page()
    visitor.begin()
    visitor.press("continue")
    visitor.expect_account()


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


class Forwarding(Handler):
    """A site with a form of its own above the one that posts a callback again."""

    def do_GET(self):
        self.answer_text(200, HTML, self.server.page)

    def do_POST(self):
        self.server.posted.append(self.path)
        self.answer_text(200, HTML, "<!DOCTYPE html><title>posted</title>")


def test_a_callback_is_posted_again_by_its_own_form(demo, browser):
    fields = {"state": "0123456789abcdef.1700000000." + "0" * 32, "code": "c"}
    callback = demo["server"].rstrip("/") + "/sign-in/apple/callback"
    with urllib.request.urlopen(callback, urllib.parse.urlencode(fields).encode()) as answer:
        page = answer.read().decode()
    search = '<form method="post" action="/search"><input name="q"></form>'
    page = page.replace("<section", search + "<section").replace("<button", '<button name="submit"')
    with Listener(Forwarding) as site:
        site.page, site.posted = page, []
        browser.open(f"http://127.0.0.1:{site.server_port}/")
        browser.wait_until(lambda driver: driver.title == "posted", "the page posts nothing")
        assert site.posted == ["/sign-in/apple/callback"]


class Gallery(Handler):
    """A page of another origin, whose pictures are what the accounts server answers."""

    def do_GET(self):
        pictures = [f'<img src="{html.escape(address)}" onerror="seen()">' for address in self.server.addresses]
        script = f"let left = {len(pictures)}; function seen() {{ if (--left === 0) document.title = 'seen'; }}"
        self.answer_text(200, HTML, f"<!DOCTYPE html><script>{script}</script>" + "".join(pictures))


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_a_picture_of_another_origin_sets_no_cookie(demo, browser, host):
    """Ports make no difference: the page at localhost is of the same site."""
    server = demo["server"].rstrip("/")
    app = LoopbackApp(server)
    with Listener(Gallery) as gallery:
        begin = f"{server}/sign-in/apple?return_to=/" + urllib.parse.quote("verify-email?token=" + "/" * 400)
        gallery.addresses = [begin] * 8 + [app.address, f"{server}/account/delete"]
        browser.open(f"http://{host}:{gallery.server_port}/")
        browser.wait_until(lambda driver: driver.title == "seen", "the pictures are not there")
    app.close()
    browser.open(f"{server}/sign-in")
    assert browser.driver.get_cookies() == []
    browser.open(f"{server}/sign-in/apple")
    browser.open(f"{server}/sign-in")
    assert len(browser.driver.get_cookies()) == 1


@pytest.fixture
def shopper(demo, browser):
    shop = Shop(demo)
    yield Shopper(demo, browser, shop)
    shop.close()


def test_apples_script_redirects(shopper):
    shopper.open(settings={"usePopup": False})
    shopper.picture("script-1-shop")
    shopper.element("#try").click()
    shopper.element("[name=password]")
    assert shopper.query["response_mode"] == "form_post"
    shopper.prove()
    shopper.consent()
    form = dict(urllib.parse.parse_qsl(shopper.text("#form")))
    assert shopper.browser.driver.current_url == shopper.shop.redirect_uri
    assert form["state"] == "s-1" and form["code"] and form["id_token"]
    assert json.loads(form["user"])["name"]["firstName"] == "Maja"
    assert shopper.run("return sessionStorage.returned") == "undefined"


def expect_popup_request(query):
    assert query["client_id"] == Shop.client_id
    assert query["response_mode"] == "web_message"
    assert query["response_type"] == "code id_token"
    assert query["state"] == "s-1" and query["nonce"] == "n-1"
    assert query["m"] == "11" and query["v"] == "1.5.5"
    assert uuid.UUID(query["frame_id"]).version == 4


def test_apples_script_opens_a_popup(shopper):
    shopper.open(settings={})
    shopper.turn_to_popup()
    shopper.element("[name=password]")
    expect_popup_request(shopper.query)
    shopper.prove(pictures="script-2-popup")
    shopper.consent(pictures="script-3-popup")
    result = shopper.result("success")
    assert result["authorization"]["state"] == "s-1"
    assert result["authorization"]["code"] and result["authorization"]["id_token"]
    assert result["user"]["name"]["firstName"] == "Maja" and result["user"]["email"]
    # The event tells the same as the promise, in two places.
    [detail] = shopper.details("AppleIDSignInOnSuccess")
    assert detail["authorization"] == result["authorization"] and detail["data"] == result

    shopper.turn_to_popup()
    shopper.press("continue")
    second = shopper.result("success", number=2)
    assert second["authorization"]["code"] and "user" not in second

    shopper.turn_to_popup()
    shopper.press("cancel")
    shopper.expect_failure("user_cancelled_authorize")
