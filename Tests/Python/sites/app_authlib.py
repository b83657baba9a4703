"""An app's server with Authlib, which finds everything by Apple's discovery document."""

import requests
from authlib.integrations.requests_client import OAuth2Session
from authlib.oidc.core import CodeIDToken, HybridIDToken
from joserfc import jwt
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry

import app_pyjwt

TIMEOUT_SECONDS = 60


class App:
    discovery_url = "https://appleid.apple.com/.well-known/openid-configuration"

    def __init__(self, registration):
        self.registration = registration
        self.apple = self.fetch(self.discovery_url)
        self.session = OAuth2Session(
            client_id=registration.client_id,
            client_secret=app_pyjwt.App(registration).client_secret(),
            token_endpoint_auth_method="client_secret_post",
            revocation_endpoint_auth_method="client_secret_post",
            scope="name email",
            redirect_uri=registration.redirect_uri,
            default_timeout=TIMEOUT_SECONDS,
        )

    def begin(self, state, nonce):
        url, _ = self.session.create_authorization_url(
            self.apple["authorization_endpoint"],
            state=state,
            nonce=nonce,
            response_type="code id_token",
            response_mode="form_post",
        )
        return url

    def finish(self, fields, state, nonce):
        assert fields["state"] == state
        posted = self.validate(HybridIDToken, fields["id_token"], nonce=nonce, code=fields["code"])
        token = self.session.fetch_token(
            self.apple["token_endpoint"],
            code=fields["code"],
            grant_type="authorization_code",
        )
        claims = self.validate(
            CodeIDToken, token["id_token"], nonce=nonce, access_token=token["access_token"]
        )
        assert claims["sub"] == posted["sub"]
        return claims, token["refresh_token"]

    def validate(self, kind, token, **parameters):
        keys = KeySet.import_key_set(self.fetch(self.apple["jwks_uri"]))
        registry = JWSRegistry(algorithms=["RS256"], strict_check_header=False)
        decoded = jwt.decode(token, key=keys, registry=registry)
        options = {
            "iss": {"essential": True, "value": self.apple["issuer"]},
            "aud": {"essential": True, "value": self.registration.client_id},
        }
        parameters["client_id"] = self.registration.client_id
        claims = kind(decoded.claims, decoded.header, options, parameters)
        claims.validate(leeway=0)
        return claims

    def revoke(self, refresh_token):
        self.session.revoke_token(
            self.apple["revocation_endpoint"],
            token=refresh_token,
            token_type_hint="refresh_token",
        ).raise_for_status()

    def fetch(self, url):
        answer = requests.get(url, timeout=TIMEOUT_SECONDS)
        answer.raise_for_status()
        return answer.json()
