"""The emulator as a test sees it: who is registered, and requests to both ports."""

import time

import jwt
import requests

ISSUER = "https://appleid.apple.com"
TIMEOUT_SECONDS = 20


class World:
    team_id = "PYTHONTEAM"
    app_id = "com.example.python"
    services_id = "com.example.python.web"
    redirect_uri = "https://python.example.com/sign-in/callback"
    email = "ines@example.com"
    password = "orange and lemon"

    def __init__(self, addresses):
        self.apple = addresses["apple"]
        self.control = addresses["control"]
        self.smtp = addresses["smtp"]
        self.call("POST", "/reset", expecting=200)
        self.add("/teams", team_id=self.team_id, name="Python")
        key = self.add("/keys", team_id=self.team_id)
        self.key_id = key["key_id"]
        self.private_key = key["private_key_pem"]
        self.add("/apps", client_id=self.app_id, team_id=self.team_id, name="Python")
        self.add(
            "/services",
            client_id=self.services_id,
            primary_client_id=self.app_id,
            name="Python on the web",
            return_urls=[self.redirect_uri],
        )
        self.add(
            "/people",
            email=self.email,
            given_name="Inês",
            family_name="Duarte",
            password=self.password,
        )

    @property
    def authorize_url(self):
        return self.apple + "/auth/authorize"

    @property
    def token_url(self):
        return self.apple + "/auth/token"

    @property
    def revoke_url(self):
        return self.apple + "/auth/revoke"

    @property
    def keys_url(self):
        return self.apple + "/auth/keys"

    def call(self, method, path, body=None, expecting=200):
        """Asks the control port; answers the JSON."""
        response = requests.request(method, self.control + path, json=body, timeout=TIMEOUT_SECONDS)
        assert response.status_code == expecting, response.text
        return response.json() if response.content else None

    def add(self, path, **fields):
        return self.call("POST", path, fields, expecting=201)

    def credentials(self, **fields):
        """What a device hands the app."""
        body = {"client_id": self.app_id, "scopes": ["name", "email"], "email": "share"}
        return self.call("POST", f"/people/{self.email}/credentials", body | fields, expecting=201)

    def decide_next(self, decision="continue", **fields):
        body = {"person": self.email, "decision": decision}
        return self.call("POST", "/authorizations/next", body | fields, expecting=201)

    def client_secret(self, client_id, key=None, **claims):
        now = int(time.time())
        payload = {
            "iss": self.team_id,
            "iat": now,
            "exp": now + 600,
            "aud": ISSUER,
            "sub": client_id,
        }
        return jwt.encode(
            payload | claims,
            key or self.private_key,
            algorithm="ES256",
            headers={"kid": self.key_id},
        )

    def token(self, client_id, **fields):
        """Posts to Apple's token endpoint without any library in between."""
        form = {"client_id": client_id, "client_secret": self.client_secret(client_id)} | fields
        return requests.post(self.token_url, data=form, timeout=TIMEOUT_SECONDS)

    def last_request(self):
        return self.call("GET", "/requests")["requests"][-1]
