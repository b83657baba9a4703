"""Who trusts the emulator under Apple's names; run by test_unmodified.py."""

import pytest
import requests

import app_pyjwt
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
