"""An app's server with PyJWT and requests, written for Apple and for nobody else."""

import time
from urllib.parse import urlencode

import jwt
import requests

TIMEOUT_SECONDS = 20


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
        return (
            self.authorize_url
            + "?"
            + urlencode(
                {
                    "client_id": self.registration.client_id,
                    "redirect_uri": self.registration.redirect_uri,
                    "response_type": "code id_token",
                    "response_mode": "form_post",
                    "scope": "name email",
                    "state": state,
                    "nonce": nonce,
                }
            )
        )

    def finish(self, fields, state, nonce):
        """Takes what Apple's page posted; answers the person's claims and refresh token."""
        assert fields["state"] == state
        posted = self.verify(fields["id_token"])
        assert posted["nonce"] == nonce
        answer = requests.post(
            self.token_url,
            data={
                "client_id": self.registration.client_id,
                "client_secret": self.client_secret(),
                "grant_type": "authorization_code",
                "code": fields["code"],
                "redirect_uri": self.registration.redirect_uri,
            },
            timeout=TIMEOUT_SECONDS,
        )
        answer.raise_for_status()
        claims = self.verify(answer.json()["id_token"])
        assert claims["sub"] == posted["sub"]
        return claims, answer.json()["refresh_token"]

    def verify(self, token):
        key = jwt.PyJWKClient(self.keys_url).get_signing_key_from_jwt(token)
        return jwt.decode(
            token,
            key.key,
            algorithms=["RS256"],
            audience=self.registration.client_id,
            issuer=self.issuer,
        )

    def revoke(self, refresh_token):
        requests.post(
            self.revoke_url,
            data={
                "client_id": self.registration.client_id,
                "client_secret": self.client_secret(),
                "token": refresh_token,
                "token_type_hint": "refresh_token",
            },
            timeout=TIMEOUT_SECONDS,
        ).raise_for_status()

    def client_secret(self):
        now = int(time.time())
        return jwt.encode(
            {
                "iss": self.registration.team_id,
                "iat": now,
                "exp": now + 600,
                "aud": self.issuer,
                "sub": self.registration.client_id,
            },
            self.registration.private_key,
            algorithm="ES256",
            headers={"kid": self.registration.key_id},
        )
