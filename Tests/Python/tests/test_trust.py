"""Who trusts the emulator under Apple's names; run by test_unmodified.py."""

import subprocess

import pytest
import requests

import app_pyjwt
from browser import Chromium
from listener import HTML, Handler, Listener
from sheet import Sheet
from world import ISSUER, TIMEOUT_SECONDS

SCRIPT = "/appleauth/static/jsapi/appleid/1/en_US/appleid.auth.js"


def test_only_the_printed_variables_make_it_trusted(addresses, monkeypatch):
    url = app_pyjwt.App.keys_url
    assert requests.get(url, timeout=TIMEOUT_SECONDS).status_code == 200
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"):
        monkeypatch.delenv(name)
    with pytest.raises(requests.exceptions.SSLError):
        requests.get(url, timeout=TIMEOUT_SECONDS)


@pytest.mark.parametrize("host", ["account.apple.com", "appleid.cdn-apple.com"])
def test_apples_other_hosts_answer_too(addresses, host):
    answer = requests.get(f"https://{host}{SCRIPT}", timeout=TIMEOUT_SECONDS)
    assert answer.status_code == 200 and "AppleID" in answer.text


def test_a_person_can_begin_at_the_account_host(world):
    sheet = Sheet()
    sheet.open(world.authorize_url().replace(world.apple, "https://account.apple.com"))
    sheet.sign_in(world.email, world.password)
    sheet.press("continue")
    address, fields = sheet.form_post()
    assert address == world.redirect_uri and fields["code"]


def test_the_ready_line_says_where(addresses):
    assert addresses["tls"] == "127.0.0.1:443"
    assert addresses["ca"].endswith("/ca.pem")


@pytest.fixture
def trusting_browser(addresses, tmp_path, monkeypatch):
    """Chromium of a person who added the authority to the browser's own."""
    monkeypatch.setenv("HOME", str(tmp_path))
    store = tmp_path / ".pki/nssdb"
    store.mkdir(parents=True)
    command = ["certutil", "-d", f"sql:{store}"]
    subprocess.run([*command, "-N", "--empty-password"], check=True)
    trust = ["-A", "-t", "C,,", "-n", "siwa", "-i", addresses["ca"]]
    subprocess.run([*command, *trust], check=True)
    browser = Chromium()
    yield browser
    browser.quit()


def test_a_browser_shows_the_sheet_at_apples_address(world, trusting_browser):
    browser = trusting_browser
    browser.open(world.authorize_url().replace(world.apple, ISSUER))
    assert browser.driver.execute_script("return isSecureContext && location.origin") == ISSUER
    browser.look(1000, 700, "light", "en")
    browser.fill(email=world.email, password=world.password)
    browser.press("sign-in")
    browser.enter_code()
    assert "Python on the web" in browser.driver.page_source
    browser.keep_picture("apples-own-address")
    cookies = browser.driver.get_cookies()
    assert cookies and all(cookie["secure"] for cookie in cookies)


class ShopHandler(Handler):
    """A page with Apple's button, as Apple's documentation has people write it."""

    page = ""

    def do_GET(self):
        self.answer_text(200, HTML, self.page)


def test_apples_script_leads_to_apples_sheet(world, trusting_browser):
    ShopHandler.page = f"""<!DOCTYPE html>
<meta name="appleid-signin-client-id" content="{world.services_id}">
<meta name="appleid-signin-scope" content="name email">
<meta name="appleid-signin-redirect-uri" content="{world.redirect_uri}">
<meta name="appleid-signin-state" content="state-1">
<div id="appleid-signin" data-type="sign in"></div>
<script src="https://appleid.cdn-apple.com{SCRIPT}"></script>
"""
    browser = trusting_browser
    with Listener(ShopHandler) as shop:
        browser.open(f"http://localhost:{shop.server_port}/")
        browser.driver.execute_script("document.getElementById('appleid-signin').firstChild.click()")
        browser.wait_for_address("https://appleid.apple.com/auth/authorize")
    assert browser.field("email").is_displayed()
