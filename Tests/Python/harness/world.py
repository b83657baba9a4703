"""The emulator as a test sees it: who is registered, and requests to both ports."""

import dataclasses
import time
from urllib.parse import urlencode

import jwt
import requests

ISSUER = "https://appleid.apple.com"
TIMEOUT_SECONDS = 60


@dataclasses.dataclass(frozen=True)
class Registration:
    """What an app has from Apple's developer site: its names and its key."""

    client_id: str
    team_id: str
    key_id: str
    private_key: str
    redirect_uri: str


def at(apple, kind):
    """A kind of app, with another address in place of Apple's."""
    names = [name for name in dir(kind) if name.endswith("_url")]
    own = {name: getattr(kind, name).replace(ISSUER, apple) for name in names}
    return type(kind.__name__, (kind,), own)


def in_world(addresses, name):
    """Creates a world; the addresses of the emulator there."""
    url = addresses["control"] + "/worlds"
    answer = requests.post(url, json={"world": name}, timeout=TIMEOUT_SECONDS)
    answer.raise_for_status()
    made = answer.json()
    own = {"apple": made["apple_url"], "control": made["control_url"]}
    return addresses | own | {"smtp_user": made["smtp_user"]}


class World:
    team_id = "PYTHONTEAM"
    app_id = "com.example.python"
    services_id = "com.example.python.web"
    redirect_uri = "https://python.example.com/sign-in/callback"
    email = "ines@example.com"
    password = "orange and lemon"
    app_fields = {}

    def __init__(self, addresses):
        self.apple = addresses["apple"]
        self.control = addresses["control"]
        self.smtp = addresses["smtp"]
        self.begin()
        self.add("/teams", team_id=self.team_id, name="Python")
        key = self.add("/keys", team_id=self.team_id)
        self.key_id = key["key_id"]
        self.private_key = key["private_key_pem"]
        app = {"client_id": self.app_id, "team_id": self.team_id, "name": "Python"}
        self.add("/apps", **app, **self.app_fields)
        self.add_service(self.services_id, self.redirect_uri, name="Python on the web")
        self.add_person(self.email, given_name="Inês", family_name="Duarte")

    def begin(self):
        self.call("POST", "/reset")

    def authorize_url(self, **changes):
        query = {
            "client_id": self.services_id,
            "redirect_uri": self.redirect_uri,
            "response_type": "code id_token",
            "response_mode": "form_post",
            "scope": "name email",
            "state": "s1",
            "nonce": "n1",
        }
        return self.apple + "/auth/authorize?" + urlencode(query | changes)

    def call(self, method, path, body=None, expecting=200):
        """Asks the control port; answers the JSON."""
        url = self.control + path
        response = requests.request(method, url, json=body, timeout=TIMEOUT_SECONDS)
        assert response.status_code == expecting, response.text
        return response.json() if response.content else None

    def add(self, path, **fields):
        return self.call("POST", path, fields, expecting=201)

    def add_service(self, client_id, redirect_uri, **fields):
        service = {"client_id": client_id, "primary_client_id": self.app_id} | fields
        self.add("/services", **service, return_urls=[redirect_uri])

    def add_person(self, email, **fields):
        self.add("/people", **{"email": email, "password": self.password} | fields)

    def registration(self, client_id, redirect_uri=""):
        return Registration(client_id, self.team_id, self.key_id, self.private_key, redirect_uri)

    def credentials(self, of=email, **fields):
        """What a person's device hands the app."""
        body = {"client_id": self.app_id, "scopes": ["name", "email"], "email": "share"}
        return self.add(f"/people/{of}/credentials", **body | fields)

    def decide_next(self, decision="continue", **fields):
        body = {"person": self.email, "decision": decision}
        return self.call("POST", "/authorizations/next", body | fields, expecting=201)

    def client_secret(self, client_id, key=None, **claims):
        now = int(time.time())
        own = {"iss": self.team_id, "iat": now, "exp": now + 600, "aud": ISSUER, "sub": client_id}
        headers = {"kid": self.key_id}
        return jwt.encode(own | claims, key or self.private_key, "ES256", headers)

    def token(self, client_id, **fields):
        """Posts to Apple's token endpoint without any library in between."""
        form = {"client_id": client_id, "client_secret": self.client_secret(client_id)} | fields
        return requests.post(self.apple + "/auth/token", data=form, timeout=TIMEOUT_SECONDS)

    def last_request(self):
        return self.call("GET", "/requests")["requests"][-1]
