"""Who trusts the emulator under Apple's names; run by test_unmodified.py."""

import http.server
import subprocess
import threading

import pytest
import requests

import app_pyjwt
from browser import Chromium
from sheet import Sheet
from world import TIMEOUT_SECONDS

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
    sheet.open(
        "https://account.apple.com/auth/authorize"
        f"?client_id={world.services_id}&redirect_uri={world.redirect_uri}"
        "&response_type=code&response_mode=form_post&scope=email&state=s"
    )
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
    browser.open(
        "https://appleid.apple.com/auth/authorize"
        f"?client_id={world.services_id}&redirect_uri={world.redirect_uri}"
        "&response_type=code&response_mode=form_post&scope=email&state=s"
    )
    assert browser.driver.execute_script("return isSecureContext && location.origin") == (
        "https://appleid.apple.com"
    )
    browser.look(1000, 700, "light", "en")
    browser.fill(email=world.email, password=world.password)
    browser.press("sign-in")
    browser.enter_code()
    assert "Python on the web" in browser.driver.page_source
    browser.keep_picture("apples-own-address")
    cookies = browser.driver.get_cookies()
    assert cookies and all(cookie["secure"] for cookie in cookies)


@pytest.fixture
def shop():
    """A page with Apple's button, as Apple's documentation has people write it."""

    class Handler(http.server.BaseHTTPRequestHandler):
        page = b""

        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(self.page)

        def log_message(self, *arguments):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://localhost:{server.server_port}/", Handler
        server.shutdown()
        thread.join()


def test_apples_script_leads_to_apples_sheet(world, trusting_browser, shop):
    address, handler = shop
    handler.page = f"""<!DOCTYPE html>
<meta name="appleid-signin-client-id" content="{world.services_id}">
<meta name="appleid-signin-scope" content="name email">
<meta name="appleid-signin-redirect-uri" content="{world.redirect_uri}">
<meta name="appleid-signin-state" content="state-1">
<div id="appleid-signin" data-type="sign in"></div>
<script src="https://appleid.cdn-apple.com{SCRIPT}"></script>
""".encode()
    browser = trusting_browser
    browser.open(address)
    browser.driver.execute_script("document.getElementById('appleid-signin').firstChild.click()")
    browser.wait_for_address("https://appleid.apple.com/auth/authorize")
    assert browser.field("email").is_displayed()
