"""Sites with one mistake each, in one of the ways in which it is usually made: siwa check finds it.

A mistake has several spellings: a public key as an HMAC's secret is a PEM text with a last newline
or without, or bytes. Each line of `SITES` has one of them, the check that finds it, and its verdict.
"""

import base64
import hashlib
import hmac
import html
import itertools
import secrets
import time
from dataclasses import dataclass

import jwt
import requests
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

import app_pyjwt
from checked_site import CheckedSite, Handler, unverified


@dataclass
class Spelled:
    name: str
    check: str
    site: type = CheckedSite
    app: type = app_pyjwt.App
    verdict: str = "fails"

    def __str__(self):
        return f"{self.check}-{self.name}"


# Tokens that nobody of Apple's has signed.


class PostedApp(app_pyjwt.App):
    """The person is whom the posted token names."""

    def finish(self, fields, state, nonce):
        posted = self.verify(fields["id_token"])
        assert posted["nonce"] == nonce
        return posted, self.exchange(fields["code"])["refresh_token"]

    def published_keys(self):
        return requests.get(self.keys_url, timeout=app_pyjwt.TIMEOUT_SECONDS).json()["keys"]

    def key_named(self, name):
        return next((key for key in self.published_keys() if key.get("kid") == name), None)


def spki(key, encoding):
    return key.public_bytes(encoding, PublicFormat.SubjectPublicKeyInfo)


def pkcs1(key, encoding):
    return key.public_bytes(encoding, PublicFormat.PKCS1)


def modulus(key):
    return key.public_numbers().n.to_bytes(key.key_size // 8, "big")


SECRETS = {
    "pem": lambda key: spki(key, Encoding.PEM),
    "pem-without-newline": lambda key: spki(key, Encoding.PEM).rstrip(),
    "pkcs1-pem": lambda key: pkcs1(key, Encoding.PEM),
    "pkcs1-pem-without-newline": lambda key: pkcs1(key, Encoding.PEM).rstrip(),
    "der": lambda key: spki(key, Encoding.DER),
    "pkcs1-der": lambda key: pkcs1(key, Encoding.DER),
    "modulus": modulus,
    "modulus-text": lambda key: base64.urlsafe_b64encode(modulus(key)).rstrip(b"="),
}


def taking_hashes(secret):
    """Takes the algorithm from the token, and one kind of key for both algorithms."""

    class App(PostedApp):
        def verify(self, token):
            header = jwt.get_unverified_header(token)
            if header["alg"] != "HS256":
                return super().verify(token)
            key = jwt.PyJWK.from_dict(self.key_named(header["kid"])).key
            text, _, signature = token.rpartition(".")
            code = hmac.new(secret(key), text.encode(), hashlib.sha256).digest()
            assert base64.urlsafe_b64encode(code).rstrip(b"=").decode() == signature
            return unverified(token)

    return App


def taking_unsigned(name):
    class App(PostedApp):
        def verify(self, token):
            algorithm = jwt.get_unverified_header(token)["alg"]
            return unverified(token) if algorithm == name else super().verify(token)

    return App


class UnsignedApp(PostedApp):
    """Leaves a signature out that is not there."""

    def verify(self, token):
        return unverified(token) if token.endswith(".") else super().verify(token)


def own_key(header):
    return jwt.PyJWK.from_dict(header["jwk"]).key


def key_of_unknown_name(app, header):
    return own_key(header) if header["kid"] and not app.key_named(header["kid"]) else None


def key_under_known_name(app, header):
    return own_key(header) if app.key_named(header["kid"]) else None


def key_without_name(_, header):
    return None if "kid" in header else own_key(header)


def key_of_certificate(_, header):
    return x509.load_der_x509_certificate(base64.b64decode(header["x5c"][0])).public_key()


def key_at_address(_, header):
    answer = requests.get(header["jku"], timeout=app_pyjwt.TIMEOUT_SECONDS)
    keys = jwt.PyJWKSet.from_dict(answer.json())
    return keys[header["kid"]].key


EMBEDDED = {
    "jwk-of-unknown-name": key_of_unknown_name,
    "jwk-under-known-name": key_under_known_name,
    "jwk-without-name": key_without_name,
    "x5c": key_of_certificate,
    "jku": key_at_address,
}


def taking_key(find):
    class App(PostedApp):
        def verify(self, token):
            try:
                key = find(self, jwt.get_unverified_header(token))
            except KeyError:
                key = None
            return self.verify_by(token, key) if key else super().verify(token)

    return App


def taking_audience(rule):
    class App(PostedApp):
        def verify(self, token):
            key = jwt.PyJWKClient(self.keys_url).get_signing_key_from_jwt(token)
            options = {"verify_aud": False}
            claims = jwt.decode(token, key.key, algorithms=["RS256"], options=options)
            assert rule(claims["aud"], self.registration.client_id)
            return claims

    return App


class EmptyKeysApp(PostedApp):
    """Has nothing to verify with, and verifies nothing."""

    def verify(self, token):
        return super().verify(token) if self.published_keys() else unverified(token)


class StrictKeysApp(app_pyjwt.App):
    """Reads every key, whatever it is for."""

    def verify(self, token):
        answer = requests.get(self.keys_url, timeout=app_pyjwt.TIMEOUT_SECONDS)
        for key in answer.json()["keys"]:
            jwt.PyJWK.from_dict(key)
        return super().verify(token)


# States and codes.


class NoNonceApp(app_pyjwt.App):
    """Sends no nonce, so that the state alone binds the answer to the browser."""

    def begin(self, state, nonce):
        return super().begin(state, nonce).split("&nonce=")[0]

    def finish(self, fields, state, nonce):
        posted = self.verify(fields["id_token"]) if "id_token" in fields else None
        answer = self.exchange(fields["code"])
        claims = self.verify(answer["id_token"])
        assert posted is None or posted["sub"] == claims["sub"]
        return claims, answer["refresh_token"]


def naming_states(make):
    """The states are no random texts."""

    class Site(CheckedSite):
        def begin(self, return_to):
            url, ticket = super().begin(return_to)
            pending = self.pending[ticket]
            state = make()
            url = url.replace(pending["state"], state)
            pending["state"] = state
            return url, ticket

    return Site


def comparing_states(rule):
    class Site(CheckedSite):
        def pending_sign_in(self, fields, ticket):
            pending = self.pending.pop(ticket, None)
            if pending is None or not rule(fields.get("state"), pending["state"]):
                raise ValueError("begin again")
            return pending

    return Site


def nothing_equals(nothing):
    """Without a sign-in the state that was kept is the same as none."""

    class Site(CheckedSite):
        def pending_sign_in(self, fields, ticket):
            pending = self.pending.pop(ticket, {"state": nothing, "return_to": "/me", "nonce": ""})
            if fields.get("state") != pending["state"]:
                raise ValueError("begin again")
            return pending

    return Site


class Guest(CheckedSite):
    """A browser that comes back with an unknown error is signed in to the last account."""

    def finish(self, fields, ticket):
        if fields.get("error") in (None, "user_cancelled_authorize"):
            return super().finish(fields, ticket)
        session = secrets.token_urlsafe(24)
        self.sessions[session] = list(self.accounts.values())[-1]
        return session, "/me"


# Names and addresses.


def showing_name(draw):
    class Site(CheckedSite):
        def account(self, claims, user):
            account = super().account(claims, user)
            account.setdefault("family_name", user.get("name", {}).get("lastName", ""))
            return account

        def me(self, account):
            text = draw(account) if account else "<p>Please sign in"
            return 200, "text/html; charset=utf-8", text

    return Site


def without_double_quotes(text):
    return html.escape(text, quote=False).replace('"', "&quot;")


def in_double_quotes(account):
    return f'<p>Welcome, {account["id"]}<input value="{html.escape(account["name"], quote=False)}">'


def in_single_quotes(account):
    return f"<p>Welcome, {account['id']}<input value='{without_double_quotes(account['name'])}'>"


def family_name_alone(account):
    return f"<p>Welcome, {account['id']} {account['family_name']}"


def showing_error(draw):
    class Site(CheckedSite):
        def refusal(self, error, fields):
            return 400, "text/html", draw(fields.get("error", ""))

    return Site


def failing_at(user):
    """Fails at one thing that a browser can send for `user`."""

    class Site(CheckedSite):
        def finish(self, fields, ticket):
            if fields.get("user") == user:
                raise RuntimeError("it has no name")
            return super().finish(fields, ticket)

        def refusal(self, error, fields):
            status, *rest = super().refusal(error, fields)
            return 500 if isinstance(error, RuntimeError) else status, *rest

    return Site


USERS = {
    "cut": '{"name": [',
    "empty": "",
    "null": "null",
    "list": "[]",
    "text": '"text"',
    "name-null": '{"name":null}',
    "name-text": '{"name":"text"}',
    "parts": '{"name":{"firstName":null,"lastName":1}}',
}


def trusting_address(rule):
    """Finds people by an address that it takes for proved."""

    class Site(CheckedSite):
        shown = ("name", "email")

        def account(self, claims, user):
            key = claims["email"] if rule(claims["email_verified"]) else claims["sub"]
            account = self.accounts.setdefault(key, {"email": claims["email"], "name": ""})
            account["name"] = user.get("name", {}).get("firstName") or account["name"]
            self.accounts[claims["sub"]] = account
            return account

    return Site


def refusing(rule):
    """Takes no people but those that its author knows."""

    class Site(CheckedSite):
        def account(self, claims, user):
            if rule(claims):
                raise ValueError("another address, please")
            return super().account(claims, user)

    return Site


def is_relay(claims):
    return claims.get("email", "").endswith("@privaterelay.appleid.com")


# Sessions and notifications.


class AdoptingHandler(Handler):
    def complete(self, fields):
        session, address = self.site.finish(fields, self.cookie("pending"))
        known = self.cookie("session") or session
        self.site.sessions[known] = self.site.sessions.pop(session)
        cookie = f"session={known}; {self.site.session_cookie}"
        self.answer(303, {"Location": address, "Set-Cookie": cookie})


class Adopting(CheckedSite):
    """Takes whatever a browser brings for the session's identifier."""

    HANDLER = AdoptingHandler


def taking_notifications(kind):
    """Verifies notifications in another way than identity tokens."""

    class Site(CheckedSite):
        def notification(self, token):
            app = kind(self.listener.registration)
            app.keys_url = self.listener.keys_url
            return app.verify(token)

    return Site


class NewestWord(CheckedSite):
    ends = ("consent-revoked", "account-deleted")


class SecureAtHTTP(CheckedSite):
    """Its cookies are as they must be at https."""

    pending_cookie = "HttpOnly; Secure; SameSite=None; Path=/"
    session_cookie = "HttpOnly; Secure; SameSite=Lax; Path=/"


COUNTER = itertools.count(1_000_000)
SITES = [
    *(Spelled(name, "algorithm-hs256", app=taking_hashes(it)) for name, it in SECRETS.items()),
    *(
        Spelled(name, "algorithm-none", app=taking_unsigned(name))
        for name in ("none", "None", "NONE", "nOnE")
    ),
    *(Spelled(name, "embedded-key", app=taking_key(it)) for name, it in EMBEDDED.items()),
    Spelled("missing", "signature-of-other-claims", app=UnsignedApp),
    Spelled("beginning", "other-app", app=taking_audience(str.startswith)),
    Spelled("end", "other-app", app=taking_audience(str.endswith)),
    Spelled("unverified", "key-set-empty", app=EmptyKeysApp),
    Spelled("strict", "key-set-foreign", app=StrictKeysApp, verdict="advice"),
    Spelled(
        "counter", "state-sent", naming_states(lambda: f"sign-in-{next(COUNTER):024}"), NoNonceApp
    ),
    Spelled("time", "state-sent", naming_states(lambda: f"{time.time():024.3f}"), NoNonceApp),
    Spelled("absent", "state-missing", comparing_states(lambda it, own: it in (None, own)), NoNonceApp),
    Spelled("empty", "state-missing", comparing_states(lambda it, own: it in ("", own)), NoNonceApp),
    Spelled("absent", "state-no-browser", nothing_equals(None), NoNonceApp),
    Spelled("empty", "state-no-browser", nothing_equals(""), NoNonceApp),
    Spelled("without-token", "code-injected", app=NoNonceApp),
    Spelled("signed-in", "error-markup", Guest),
    Spelled(
        "double-quotes",
        "error-markup",
        showing_error(lambda error: f'<p title="{html.escape(error, quote=False)}">Try again'),
    ),
    Spelled(
        "single-quotes",
        "error-markup",
        showing_error(lambda error: f"<p title='{without_double_quotes(error)}'>Try again"),
    ),
    Spelled("double-quotes", "name-markup", showing_name(in_double_quotes)),
    Spelled("single-quotes", "name-markup", showing_name(in_single_quotes)),
    Spelled("family-name", "name-markup", showing_name(family_name_alone)),
    *(
        Spelled(name, "user-unreadable", failing_at(user), verdict="advice")
        for name, user in USERS.items()
    ),
    Spelled("truth-as-text", "unverified-address", trusting_address(bool)),
    Spelled("no-truth-as-text", "unverified-address", trusting_address(lambda it: it != "false")),
    Spelled(
        "empty", "address-missing", refusing(lambda it: it.get("email") == ""), verdict="advice"
    ),
    Spelled("absent", "address-missing", refusing(lambda it: "email" not in it), verdict="advice"),
    Spelled(
        "new-domain",
        "address-hidden",
        refusing(lambda it: it["email"].endswith("@private.icloud.com")),
        verdict="advice",
    ),
    Spelled(
        "no-claim",
        "address-hidden",
        refusing(lambda it: is_relay(it) and "is_private_email" not in it),
        verdict="advice",
    ),
    Spelled("hs256", "notification-forged", taking_notifications(taking_hashes(SECRETS["pem"]))),
    Spelled("none", "notification-forged", taking_notifications(taking_unsigned("None"))),
    Spelled("jwk", "notification-forged", taking_notifications(taking_key(key_under_known_name))),
    Spelled("adopted", "session-fixation", Adopting),
    Spelled("secure", "cookies-at-http", SecureAtHTTP, verdict="advice"),
    Spelled("older-word", "account-deleted", NewestWord, verdict="advice"),
]
