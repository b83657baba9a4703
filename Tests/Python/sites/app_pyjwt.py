"""An app's server with PyJWT and requests, written for Apple and for nobody else."""

import time
from urllib.parse import urlencode

import jwt
import requests

TIMEOUT_SECONDS = 60


class App:
    issuer = "https://appleid.apple.com"
    authorize_url = "https://appleid.apple.com/auth/authorize"
    token_url = "https://appleid.apple.com/auth/token"
    revoke_url = "https://appleid.apple.com/auth/revoke"
    keys_url = "https://appleid.apple.com/auth/keys"

    def __init__(self, registration):
        self.registration = registration

    def begin(self, state, nonce):
        """The address to which a browser is sent."""
        query = {
            "client_id": self.registration.client_id,
            "redirect_uri": self.registration.redirect_uri,
            "response_type": "code id_token",
            "response_mode": "form_post",
            "scope": "name email",
            "state": state,
            "nonce": nonce,
        }
        return self.authorize_url + "?" + urlencode(query)

    def finish(self, fields, state, nonce):
        """Takes what Apple's page posted; answers the person's claims and refresh token."""
        assert fields["state"] == state
        posted = self.verify(fields["id_token"])
        assert posted["nonce"] == nonce
        answer = self.exchange(fields["code"])
        claims = self.verify(answer["id_token"])
        assert claims["sub"] == posted["sub"]
        return claims, answer["refresh_token"]

    def exchange(self, code):
        answer = self.post_code(code)
        answer.raise_for_status()
        return answer.json()

    def post_code(self, code):
        code = {"grant_type": "authorization_code", "code": code}
        return self.post(self.token_url, redirect_uri=self.registration.redirect_uri, **code)

    def verify(self, token, **options):
        key = jwt.PyJWKClient(self.keys_url).get_signing_key_from_jwt(token)
        return self.verify_by(token, key.key, **options)

    def verify_by(self, token, key, **options):
        options |= {"audience": self.registration.client_id, "issuer": self.issuer}
        return jwt.decode(token, key, algorithms=["RS256"], **options)

    def revoke(self, refresh_token):
        token = {"token": refresh_token, "token_type_hint": "refresh_token"}
        self.post(self.revoke_url, **token).raise_for_status()

    def post(self, url, **fields):
        own = {"client_id": self.registration.client_id, "client_secret": self.client_secret()}
        return requests.post(url, data=own | fields, timeout=TIMEOUT_SECONDS)

    def client_secret(self):
        now = int(time.time())
        claims = {
            "iss": self.registration.team_id,
            "iat": now,
            "exp": now + 600,
            "aud": self.issuer,
            "sub": self.registration.client_id,
        }
        headers = {"kid": self.registration.key_id}
        return jwt.encode(claims, self.registration.private_key, "ES256", headers)
