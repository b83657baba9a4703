"""A pytest plug-in for Sign in with Apple: copy this file beside your tests.

In conftest.py, `pytest_plugins = ["pytest_siwa"]` brings the fixtures `siwa`, `person`, `decision` and `clock`.
It needs nothing but pytest and the program siwa.
"""

import html
import json
import os
import re
import secrets
import subprocess
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

TIMEOUT_SECONDS = 20


class Siwa:
    """An emulated Apple, with a team, a key, an app and a Services ID that no other test has."""

    def __init__(self, addresses, return_url, notification_url):
        self.apple = addresses["apple"]
        self.control = addresses["control"]
        self.smtp_user = addresses.get("smtp_user", "tests")
        self.smtp_host, self.smtp_port = addresses["smtp"].rsplit(":", 1)
        self.return_url = return_url
        name = secrets.token_hex(4)
        self.team_id = f"TE{name.upper()}"
        self.app_id = f"com.example.{name}"
        self.client_id = f"{self.app_id}.web"
        self.mail_domain = f"{name}.example.com"
        team = {"team_id": self.team_id}
        app = {"client_id": self.app_id, "notification_url": notification_url}
        service = {"client_id": self.client_id, "primary_client_id": self.app_id}
        self.post("/teams", **team)
        key = self.post("/keys", **team)
        self.key_id, self.private_key = key["key_id"], key["private_key_pem"]
        self.post("/apps", **team, **app)
        self.post("/services", **service, return_urls=[return_url])
        self.post("/mail-sources", **team, domain=self.mail_domain)

    def get(self, path):
        """Reads something at the control port."""
        return self._call("GET", path)

    def post(self, path, **fields):
        """Changes something at the control port."""
        return self._call("POST", path, fields)

    def delete(self, path):
        """Removes something at the control port."""
        return self._call("DELETE", path)

    def authorize_url(self, **changes):
        """The address to which your server sends a browser."""
        usual = {
            "client_id": self.client_id,
            "redirect_uri": self.return_url,
            "response_type": "code id_token",
            "response_mode": "form_post",
            "scope": "name email",
            "state": "state-1",
            "nonce": "nonce-1",
        }
        return f"{self.apple}/auth/authorize?{urlencode(usual | changes)}"

    def answer(self, url=None):
        """What a browser posts to your server after a decision that was made ahead."""
        with urlopen(url or self.authorize_url(), timeout=TIMEOUT_SECONDS) as response:
            page = response.read().decode()
        fields = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', page)
        return {name: html.unescape(value) for name, value in fields}

    def last_refusal(self):
        """Why Apple refused a request of this app's client, the last time it did."""
        requests = self.get("/requests")["requests"]
        mine = [one for one in requests if one.get("client_id") == self.client_id]
        return [one["reason"] for one in mine if "reason" in one][-1]

    def _call(self, method, path, fields=None):
        body = None if fields is None else json.dumps(fields).encode()
        request = Request(self.control + path, data=body, method=method)
        try:
            with urlopen(request, timeout=TIMEOUT_SECONDS) as response:
                return json.loads(response.read() or "null")
        except HTTPError as error:
            # The problem details name the field that is wrong.
            raise AssertionError(f"{method} {path}: {error.read().decode()}") from error


class Person:
    """Somebody with an Apple Account."""

    password = "apple"

    def __init__(self, siwa):
        self._siwa = siwa
        self.email = f"{secrets.token_hex(4)}@example.com"
        siwa.post("/people", email=self.email, given_name="Maya", family_name="Lindgren")

    def stop_using(self):
        """Stops using the app, as in the settings of the Apple Account."""
        self._siwa.post(f"/people/{self.email}/stop-using", client_id=self._siwa.app_id)

    def mail(self):
        """The messages in the person's inbox."""
        return self._siwa.get(f"/mail?person={self.email}")["messages"]


@pytest.fixture(scope="session")
def siwa_addresses():
    """Where the emulator is: at SIWA_CONTROL_URL, or started for these tests."""
    control = os.environ.get("SIWA_CONTROL_URL")
    if control:
        # Others may use it too: these tests have a world of their own there.
        try:
            with urlopen(f"{control}/worlds", b"{}", timeout=TIMEOUT_SECONDS) as response:
                world = json.load(response)
        except URLError as error:
            pytest.fail(f"no emulator answers at SIWA_CONTROL_URL, {control}: {error}", pytrace=False)
        apple, path = os.environ.get("SIWA_APPLE_URL"), world["path"]
        yield {
            "apple": apple + path if apple else world["apple_url"],
            "control": control + path,
            "smtp": os.environ.get("SIWA_SMTP", world["smtp"]),
            "smtp_user": world["smtp_user"],
        }
        end = Request(f"{control}/worlds/{world['world']}", method="DELETE")
        urlopen(end, timeout=TIMEOUT_SECONDS).close()
        return
    command = [os.environ.get("SIWA_BINARY", "siwa"), "emulator", "--json"]
    command += ["--port", "0", "--control-port", "0", "--smtp-port", "0"]
    try:
        emulator = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    except OSError as error:
        pytest.fail(f"{error}: put siwa into the PATH, or set SIWA_BINARY or SIWA_CONTROL_URL", pytrace=False)
    with emulator as process:
        yield json.loads(process.stdout.readline())
        process.terminate()


@pytest.fixture
def siwa_urls():
    """Override it with where your server is: `return_url` and `notification_url`."""
    return {
        "return_url": "http://127.0.0.1:8080/callback",
        "notification_url": "http://127.0.0.1:8080/notifications",
    }


@pytest.fixture
def siwa(siwa_addresses, siwa_urls):
    """An Apple for one test."""
    return Siwa(siwa_addresses, **siwa_urls)


@pytest.fixture
def person(siwa):
    """Somebody who never used the app."""
    return Person(siwa)


@pytest.fixture
def decision(siwa, person):
    """Decides for the person what the app's next request to sign in comes to.

    `decision("cancel")`, or `decision("continue", email="hide")`.
    """

    def decide(word="continue", **choice):
        siwa.post(
            "/authorizations/next",
            person=person.email,
            client_id=siwa.client_id,
            decision=word,
            **choice,
        )

    yield decide
    siwa.delete(f"/authorizations/next?client_id={siwa.client_id}")


@pytest.fixture
def clock(siwa):
    """Moves Apple's clock: `clock(301)` makes it 301 seconds later until the test ends.

    The clock is that of all tests of this process.
    """
    moved = []

    def advance(seconds):
        siwa.post("/clock", advance_seconds=seconds)
        moved.append(seconds)

    yield advance
    siwa.post("/clock", advance_seconds=-sum(moved))
