"""An Apple for one test, and a person with an Apple Account."""

import html
import json
import re
import secrets
from collections.abc import Mapping
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request

from siwa_emulator.emulator import TIMEOUT_SECONDS, urlopen


class Apple:
    """An emulated Apple, with a team, a key, an app and a Services ID that no other test has."""

    def __init__(
        self,
        addresses: Mapping[str, str],
        return_url: str = "http://127.0.0.1:8080/callback",
        notification_url: str | None = None,
    ) -> None:
        self.url = addresses["apple"]
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
        notified = {"notification_url": notification_url} if notification_url else {}
        self.post("/teams", **team)
        key = self.post("/keys", **team)
        self.key_id: str = key["key_id"]
        self.private_key: str = key["private_key_pem"]
        self.post("/apps", **team, client_id=self.app_id, **notified)
        self.post("/services", client_id=self.client_id, primary_client_id=self.app_id, return_urls=[return_url])
        self.post("/mail-sources", **team, domain=self.mail_domain)

    def get(self, path: str) -> Any:
        """Reads something at the control port."""
        return self._call("GET", path)

    def post(self, path: str, **fields: Any) -> Any:
        """Changes something at the control port."""
        return self._call("POST", path, fields)

    def delete(self, path: str) -> Any:
        """Removes something at the control port."""
        return self._call("DELETE", path)

    def authorize_url(self, **changes: str) -> str:
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
        return f"{self.url}/auth/authorize?{urlencode(usual | changes)}"

    def answer(self, url: str | None = None) -> dict[str, str]:
        """What a browser posts to your server after a decision that was made ahead."""
        with urlopen(url or self.authorize_url(), timeout=TIMEOUT_SECONDS) as response:
            page = response.read().decode()
        fields = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', page)
        return {name: html.unescape(value) for name, value in fields}

    def last_refusal(self) -> str:
        """Why Apple refused a request of this app's client, the last time it did."""
        requests = self.get("/requests")["requests"]
        mine = [one for one in requests if one.get("client_id") == self.client_id]
        reasons: list[str] = [one["reason"] for one in mine if "reason" in one]
        return reasons[-1]

    def _call(self, method: str, path: str, fields: dict[str, Any] | None = None) -> Any:
        body = None if fields is None else json.dumps(fields).encode()
        request = Request(self.control + path, data=body, method=method)
        try:
            with urlopen(request, timeout=TIMEOUT_SECONDS) as response:
                return json.loads(response.read() or "null")
        except HTTPError as error:
            # The problem details name the field that is wrong.
            raise AssertionError(f"{method} {path}: {error.read().decode()}") from error


class Person:
    """Somebody with an Apple Account, who never used the app."""

    password = "apple"

    def __init__(self, apple: Apple) -> None:
        self._apple = apple
        self.email = f"{secrets.token_hex(4)}@example.com"
        apple.post("/people", email=self.email, given_name="Maya", family_name="Lindgren")

    def stop_using(self) -> None:
        """Stops using the app, as in the settings of the Apple Account."""
        self._apple.post(f"/people/{self.email}/stop-using", client_id=self._apple.app_id)

    def mail(self) -> list[dict[str, Any]]:
        """The messages in the person's inbox."""
        messages: list[dict[str, Any]] = self._apple.get(f"/mail?person={self.email}")["messages"]
        return messages
