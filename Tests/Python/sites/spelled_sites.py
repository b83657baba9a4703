"""Sites with one mistake each, in one of the ways in which it is usually made: siwa check finds it.

A mistake has several spellings: a public key as an HMAC's secret is a PEM text with a last newline
or without, or bytes. Each line of `SITES` has one of them, and the check that finds it.
"""

import base64
import hashlib
import hmac
import html
import itertools
import secrets
import time

import jwt
import requests
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

import app_pyjwt
from broken_sites import ByAddress
from checked_site import CheckedSite, Handler, unverified


def spelled(check, name, app=app_pyjwt.App, base=CheckedSite, is_advice=False, **members):
    """A site whose mistake that check finds, with its own app or its own members."""
    found, others = ("ADVICE", "FAILS") if is_advice else ("FAILS", "ADVICE")
    members |= {"APP": app, "ONLY": {check}, found: {check}, others: set()}
    return type(f"{check}-{name}", (base,), members)


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
    """The page of a site that writes the name in a way of its own."""

    def me(self, account):
        text = draw(account) if account else "<p>Please sign in"
        return 200, "text/html; charset=utf-8", text

    return me


def without_double_quotes(text):
    return html.escape(text, quote=False).replace('"', "&quot;")


def in_double_quotes(account):
    return f'<p>Welcome, {account["id"]}<input value="{html.escape(account["name"], quote=False)}">'


def in_single_quotes(account):
    return f"<p>Welcome, {account['id']}<input value='{without_double_quotes(account['name'])}'>"


def family_name_alone(account):
    return f"<p>Welcome, {account['id']} {account['family_name']}"


def showing_error(draw):
    """The answer of a site that writes Apple's error in a way of its own."""
    return lambda self, error, fields: (400, "text/html", draw(fields.get("error", "")))


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
    return lambda self, claims, user: claims["email"] if rule(claims["email_verified"]) else None


def refusing(rule):
    """Takes no people but those that its author knows."""

    def account(self, claims, user):
        if rule(claims):
            raise ValueError("another address, please")
        return CheckedSite.account(self, claims, user)

    return account


def is_relay(claims):
    return claims.get("email", "").endswith("@privaterelay.appleid.com")


# Sessions and notifications.


class AdoptingHandler(Handler):
    """Takes whatever a browser brings for the session's identifier."""

    def known_session(self):
        return self.cookie("session")


def taking_notifications(kind):
    """Verifies notifications in another way than identity tokens."""

    def notification(self, token):
        app = kind(self.listener.registration)
        app.keys_url = self.listener.keys_url
        return app.verify(token)

    return notification


# Addresses to return to.


class SingleHandler(Handler):
    """Refuses a sign-in with two parameters that it does not know together."""

    def do_GET(self):
        if self.path.startswith("/login") and "&" in self.path:
            self.answer(400)
            return
        super().do_GET()


def redirecting(rule):
    """Looks at a part of the address to return to."""

    def return_address(self, address):
        own = self.app.registration.redirect_uri.removesuffix("/callback")
        return address if rule(address, own) else "/me"

    return return_address


REDIRECT_RULES = {
    "own-origin": lambda address, own: address.startswith(own),
    "own-name": lambda address, own: address.startswith(own.rsplit(":", 1)[0]),
    "own-name-anywhere": lambda address, own: own.split("/")[2].split(":")[0] in address,
    "slash": lambda address, own: address.startswith("/"),
    "one-slash": lambda address, own: address.startswith("/") and not address.startswith("//"),
}

COUNTER = itertools.count(1_000_000)
UNKNOWN = {"return_to": "/me", "nonce": ""}
# At https its cookies are right.
AT_HTTPS = {
    "pending_cookie": "HttpOnly; Secure; SameSite=None; Path=/",
    "session_cookie": "HttpOnly; Secure; SameSite=Lax; Path=/",
}
SITES = [
    *(spelled("algorithm-hs256", name, taking_hashes(it)) for name, it in SECRETS.items()),
    *(
        spelled("algorithm-none", name, taking_unsigned(name))
        for name in ("none", "None", "NONE", "nOnE")
    ),
    *(spelled("embedded-key", name, taking_key(it)) for name, it in EMBEDDED.items()),
    spelled("signature-of-other-claims", "missing", UnsignedApp),
    spelled("other-app", "beginning", taking_audience(str.startswith)),
    spelled("other-app", "end", taking_audience(str.endswith)),
    spelled("key-set-empty", "unverified", EmptyKeysApp),
    spelled("key-set-foreign", "strict", StrictKeysApp, is_advice=True),
    spelled(
        "state-sent", "counter", NoNonceApp, new_state=lambda _: f"sign-in-{next(COUNTER):024}"
    ),
    spelled("state-sent", "time", NoNonceApp, new_state=lambda _: f"{time.time():024.3f}"),
    spelled("state-missing", "absent", NoNonceApp, is_state=lambda _, it, own: it in (None, own)),
    spelled("state-missing", "empty", NoNonceApp, is_state=lambda _, it, own: it in ("", own)),
    # Without a sign-in the state that was kept is the same as none.
    spelled("state-no-browser", "absent", NoNonceApp, unknown=UNKNOWN | {"state": None}),
    spelled("state-no-browser", "empty", NoNonceApp, unknown=UNKNOWN | {"state": ""}),
    spelled("code-injected", "without-token", NoNonceApp),
    spelled("error-markup", "signed-in", base=Guest),
    spelled(
        "error-markup",
        "double-quotes",
        refusal=showing_error(lambda it: f'<p title="{html.escape(it, quote=False)}">Try again'),
    ),
    spelled(
        "error-markup",
        "single-quotes",
        refusal=showing_error(lambda it: f"<p title='{without_double_quotes(it)}'>Try again"),
    ),
    spelled("name-markup", "double-quotes", me=showing_name(in_double_quotes)),
    spelled("name-markup", "single-quotes", me=showing_name(in_single_quotes)),
    spelled("name-markup", "family-name", me=showing_name(family_name_alone)),
    *(
        spelled("user-unreadable", name, base=failing_at(user), is_advice=True)
        for name, user in USERS.items()
    ),
    *(
        spelled("unverified-address", name, base=ByAddress, address=trusting_address(rule))
        for name, rule in {
            "truth-as-text": bool,
            "no-truth-as-text": lambda it: it != "false",
        }.items()
    ),
    *(
        spelled(check, name, account=refusing(rule), is_advice=True)
        for check, name, rule in [
            ("address-missing", "empty", lambda it: it.get("email") == ""),
            ("address-missing", "absent", lambda it: "email" not in it),
            ("address-hidden", "new-domain", lambda it: it["email"].endswith("@private.icloud.com")),
            ("address-hidden", "no-claim", lambda it: is_relay(it) and "is_private_email" not in it),
        ]
    ),
    *(
        spelled("notification-forged", name, notification=taking_notifications(kind))
        for name, kind in {
            "hs256": taking_hashes(SECRETS["pem"]),
            "none": taking_unsigned("None"),
            "jwk": taking_key(key_under_known_name),
        }.items()
    ),
    spelled("session-fixation", "adopted", HANDLER=AdoptingHandler),
    spelled("cookies-at-http", "secure", **AT_HTTPS, is_advice=True),
    spelled("account-deleted", "older-word", ends=CheckedSite.ends[:2], is_advice=True),
    *(
        spelled(
            "open-redirect",
            name,
            return_address=redirecting(rule),
            HANDLER=SingleHandler,
            REASON="with next=",
        )
        for name, rule in REDIRECT_RULES.items()
    ),
]
