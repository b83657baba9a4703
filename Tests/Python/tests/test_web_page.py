"""Examples/Web in Chromium: a page on another origin, which signs in with Apple's popup and calls the API."""

# Fidelity: script-22

import functools
import json
import os
import shutil
from http.server import SimpleHTTPRequestHandler

import pytest
import requests

from conftest import REPOSITORY, running_demo
from inspector import Inspector
from listener import Listener
from test_account_pages import LOOKS
from visitor import Shopper

SETTINGS = {"servicesID": "com.example.juice.web", "appClient": "com.example.juice"}
PATCH = """
  const [server, done] = arguments;
  fetch(server + "/api/account", {method: "PATCH", credentials: "include",
    headers: {"Content-Type": "application/json"}, body: '{"name": "Maja"}'})
    .then((answer) => done(answer.status), (error) => done(error.name));
"""


class Pages(Listener):
    def at(self, host):
        return f"http://{host}:{self.server_port}"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A demo, a page whose two origins are listed, and the same page on an origin that is not."""
    folder = shutil.copytree(REPOSITORY / "Examples/Web", tmp_path_factory.mktemp("page"), dirs_exist_ok=True)
    files = functools.partial(SimpleHTTPRequestHandler, directory=folder)
    with Pages(files) as page, Pages(files) as other:
        origins = [page.at("127.0.0.1"), page.at("localhost")]
        environment = dict(os.environ, SIWA_ALLOWED_ORIGINS=",".join(origins))
        with running_demo(tmp_path_factory.mktemp("demo"), env=environment) as demo:
            script = demo["apple"].rstrip("/") + "/appleauth/static/jsapi/appleid/1/en_US/appleid.auth.js"
            settings = SETTINGS | {"accounts": demo["server"].rstrip("/"), "appleScript": script}
            (folder / "settings.js").write_text(f"export const settings = {json.dumps(settings)};")
            yield demo, page, other


@pytest.fixture
def visitor(site, chromium, request):
    demo, page, _ = site
    chromium.forget()
    chromium.look(1000, 800, "light", "en")
    visitor = Shopper(demo, chromium, page, f"{request.node.name.replace('_', '-')}@example.com")
    visitor.control("POST", "/people", {"email": visitor.email, "given_name": "Maya", "password": "apple"})
    addresses = [visitor.server + "/sign-in/apple/callback", page.at("127.0.0.1") + "/"]
    visitor.control("PATCH", "/services/com.example.juice.web", {"return_urls": addresses})
    chromium.open(page.at("127.0.0.1"))
    visitor.run("sessionStorage.clear()")
    chromium.open(page.at("127.0.0.1"))
    visitor.element("#appleid-signin [role=button]")
    yield visitor
    visitor.control("PATCH", "/switches", {"popup_answers": True})


def use_popup(visitor):
    """Signs in with the popup, and returns to the page."""
    visitor.turn_to_popup(visitor.element("#appleid-signin [role=button]").click)
    visitor.prove()
    visitor.consent()
    visitor.turn_to_shop()


def expect_name(visitor, name):
    visitor.browser.wait_until(lambda _: visitor.text("#name") == name, "not signed in")


def test_a_popup_signs_in_and_the_session_is_a_token(site, visitor):
    Inspector(visitor.browser, *LOOKS["en"]).inspect("web-page-signed-out")
    use_popup(visitor)
    expect_name(visitor, "Maja Nilsson")
    assert "@privaterelay.appleid.com" in visitor.text("#email")
    assert not visitor.has_session()
    Inspector(visitor.browser, *LOOKS["en"]).inspect("web-page-signed-in")
    visitor.browser.driver.refresh()
    expect_name(visitor, "Maja Nilsson")

    bearer = {"Authorization": "Bearer " + visitor.run("return sessionStorage.session")}
    account = visitor.server.replace("localhost", "127.0.0.1") + "/api/account"
    assert requests.get(account, headers=bearer, timeout=60).ok
    visitor.element("#sign-out").click()
    visitor.element("#appleid-signin [role=button]")
    visitor.browser.wait_until(lambda _: visitor.run("return sessionStorage.session") is None, "session")
    assert requests.get(account, headers=bearer, timeout=60).status_code == 401


def test_a_page_of_another_origin_gets_nothing(site, visitor):
    visitor.browser.open(site[2].at("127.0.0.1"))
    visitor.browser.wait_until(lambda _: "fetch" in visitor.text("#status"), "no refusal")
    assert not visitor.browser.driver.find_element("id", "signed-out").is_displayed()


def test_a_popup_that_does_not_come_back_becomes_a_redirect(site, visitor):
    visitor.control("PATCH", "/switches", {"popup_answers": False})
    use_popup(visitor)
    visitor.browser.wait_for_address(visitor.server + "/sign-in/app/confirm")
    visitor.begin()
    visitor.element('button[value="continue"]').click()
    visitor.browser.wait_for_address(visitor.server + "/sign-in/app/confirm")
    visitor.browser.press("continue")
    visitor.browser.wait_for_address(site[1].at("127.0.0.1") + "/")
    visitor.element("#sign-out")
    assert visitor.browser.driver.current_url == site[1].at("127.0.0.1") + "/"
    assert visitor.run("return sessionStorage.session")


def test_a_popup_that_is_blocked_becomes_a_redirect_and_cancel_leads_back(site, visitor):
    visitor.run("document.querySelector('#appleid-signin [role=button]').click()")
    visitor.browser.wait_for_address(visitor.server + "/sign-in/app/confirm")
    visitor.element('button[value="cancel"]').click()
    visitor.browser.wait_for_address(site[1].at("127.0.0.1") + "/")
    visitor.element("#appleid-signin [role=button]")
    assert visitor.run("return sessionStorage.session") is None


def test_a_cookie_works_only_for_listed_origins_of_the_same_site(site, visitor):
    _, page, other = site
    visitor.browser.open(visitor.server)
    visitor.begin()
    visitor.prove()
    visitor.consent()
    visitor.expect_account()
    for address, outcome in [
        (page.at("localhost"), 200),
        (page.at("127.0.0.1"), "TypeError"),
        (other.at("localhost"), "TypeError"),
    ]:
        visitor.browser.open(address)
        assert visitor.browser.driver.execute_async_script(PATCH, visitor.server) == outcome, address
