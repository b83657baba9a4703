"""Sites that each leave out some defences: siwa check finds exactly their lines."""

import json
import secrets
import threading

import jwt

import app_pyjwt
from checked_site import CheckedSite, Handler, unverified

USUAL = CheckedSite.USUAL_ADVICE
#: What an API lets through that decodes a token and verifies nothing.
API_FORGERIES = {
    "api-changed-claims", "api-unsigned", "api-foreign-key", "api-embedded-key", "api-unknown-key",
    "api-algorithm-none", "api-algorithm-hs256",
}
API = API_FORGERIES | {
    "api-issuer", "api-audience", "api-expired", "api-issued-in-the-future", "api-nonce",
    "api-replayed",
}
API_ADVICE = {"api-issued-in-the-future"}
API_FAILS = API - API_ADVICE


class ByAddress(CheckedSite):
    """Knows people by their address, where it believes one.

    It takes each name that is posted, so that an account which somebody else opened shows theirs.
    """

    shown = ("name", "email")

    def account(self, claims, user):
        email = self.address(claims, user)
        own = {"email": email or claims.get("email"), "name": ""}
        account = self.accounts.setdefault(email or claims["sub"], own)
        account["name"] = user.get("name", {}).get("firstName") or account["name"]
        self.accounts[claims["sub"]] = account
        return account


class Accounts(ByAddress):
    """Believes every address, and whoever sends it a notification."""

    FAILS = {
        "posted-address", "unverified-address", "reassigned-address", "notification-signature",
        "notification-unknown-key", "notification-unsigned", "notification-issuer",
        "notification-audience", "notification-forged",
    }
    ADVICE = USUAL | {"name-later", "notification-expired"}

    def address(self, claims, user):
        return user.get("email") or claims.get("email")

    def notification(self, token):
        return unverified(token)


class Browser(CheckedSite):
    """Takes an answer of Apple's from any browser, and sends people anywhere."""

    FAILS = {
        "state-wrong", "state-missing", "state-other-browser", "state-no-browser", "open-redirect",
        "session-cookie-http-only",
    }
    ADVICE = USUAL | {"return-begins", "session-cookie-same-site"}

    session_cookie = "Path=/"

    def pending_sign_in(self, fields, ticket):
        """Some browser began it: the nonce is known, the state is not looked at."""
        nonce = self.app.verify(fields["id_token"])["nonce"] if "id_token" in fields else None
        for ticket, pending in self.pending.items():
            if nonce in (None, pending["nonce"]):
                fields["state"] = pending["state"]
                return self.pending.pop(ticket)
        raise ValueError("begin again")

    def return_address(self, text):
        return text


class CarelessApp(app_pyjwt.App):
    """Believes Apple's form without waiting for the exchange, sends no nonce, and remembers whose code it was."""

    def __init__(self, registration):
        super().__init__(registration)
        self.people = {}

    def begin(self, state, nonce):
        return super().begin(state, nonce).split("&nonce=")[0]

    def finish(self, fields, state, nonce):
        assert fields["state"] == state
        claims = self.verify(fields["id_token"]) if "id_token" in fields else None
        code = fields["code"]
        if code not in self.people:
            # What Apple answers to the code, a refusal too.
            answer = self.post_code(code).json()
            if "id_token" in answer:
                claims = self.verify(answer["id_token"])
            if claims is None:
                raise ValueError("no token")
            self.people[code] = claims, answer.get("refresh_token")
        return self.people[code]


class Codes(CheckedSite):
    """Is careless with codes, and keeps a sign-in open after its answer."""

    APP = CarelessApp
    FAILS = {"state-sent", "nonce-sent", "callback-replayed", "code-replayed", "code-injected"}
    ADVICE = USUAL | {"token-endpoint-error"}

    def new_state(self):
        return super().new_state()[:8]

    def pending_sign_in(self, fields, ticket):
        pending = self.pending.get(ticket)
        if pending is None or fields.get("state") != pending["state"]:
            raise ValueError("begin again")
        return pending


class KeepingApp(app_pyjwt.App):
    """Keeps Apple's keys."""

    #: How many tokens with an unknown key are refused before the keys are fetched again.
    PATIENCE = 3

    def __init__(self, registration):
        super().__init__(registration)
        self.keys = None
        self.refused_count = 0

    def verify(self, token):
        name = jwt.get_unverified_header(token)["kid"]
        if self.keys is None or self.refused_count == self.PATIENCE:
            fetched = jwt.PyJWKClient(self.keys_url).get_signing_keys()
            self.keys = {it.key_id: it.key for it in fetched}
            self.refused_count = 0
        if name not in self.keys:
            self.refused_count += 1
            raise ValueError("an unknown key")
        self.refused_count = 0
        return self.verify_by(token, self.keys[name])


class EndlessHandler(Handler):
    """A browser has one cookie from its first request on."""

    def do_GET(self):
        self.new_visitor = None
        if self.path.startswith("/login") and self.cookie("session") is None:
            self.new_visitor = secrets.token_urlsafe(24)
        super().do_GET()

    def known_session(self):
        return self.cookie("session")

    def end_headers(self):
        if getattr(self, "new_visitor", None):
            cookie = f"session={self.new_visitor}; {self.site.session_cookie}"
            self.send_header("Set-Cookie", cookie)
            self.new_visitor = None
        super().end_headers()


class Doors(CheckedSite):
    """Lets in every popup, every origin, and leads to every app."""

    FAILS = API_FAILS | {"cors-reflection", "android-redirect"}
    ADVICE = API_ADVICE
    ONLY = FAILS | ADVICE

    def popup(self, fields):
        return unverified(fields["identityToken"])["sub"]

    def allowed_origin(self, origin):
        return origin

    def android_address(self, fields):
        return "intent://callback?code=" + fields.get("code", "") + self.android


class Greeting(Doors):
    """Says more at a person's first sign-in than later."""

    def popup(self, fields):
        person = super().popup(fields)
        answer = {"id": person} if person in self.accounts else {"id": person, "created": True}
        self.accounts.setdefault(person, {"id": person})
        return json.dumps(answer)


class UntiedNonce(CheckedSite):
    """Takes each of its nonces once, with whatever token it comes."""

    FAILS = {"api-nonce", "api-replayed"}
    ONLY = FAILS

    def check_nonce(self, claims, nonce):
        self.nonces.remove(nonce)


class CodeAlone(CheckedSite):
    """Does not read the token that an app posts: Apple's answer to the code says who it is."""

    def popup(self, fields):
        code = {"grant_type": "authorization_code", "code": fields["authorizationCode"]}
        answer = self.listener.post(self.listener.token_url, **code)
        answer.raise_for_status()
        return self.listener.verify(answer.json()["id_token"])["sub"]


class Endings(CheckedSite):
    """Nothing ends on it, and it is used to browsers of ten years ago.

    It takes no notifications, keeps a browser's cookie over the sign-in, and sends Apple something
    else than the token to revoke.
    """

    APP = KeepingApp
    HANDLER = EndlessHandler
    FAILS = {
        "account-deleted", "consent-revoked", "deletion-revokes", "pending-cookie-cross-site",
        "session-fixation", "unlink-ends-sessions",
    }
    ADVICE = USUAL | {"cookies-at-http", "key-set-foreign", "keys-rotated"}

    pending_cookie = "HttpOnly; Secure; SameSite=Lax; Path=/"
    forwards = False

    def notify(self, body):
        raise ValueError("there is no such address")

    def unlink(self, session):
        """Nothing but the link ends."""

    def delete(self, session):
        account = self.sessions[session]
        # Apple answers 200 to whatever it does not know.
        self.app.revoke("the account of " + account["name"])
        self.end_sessions(account)


class Notifications(CheckedSite):
    """Acts on notifications however old they are, and calls one that comes again wrong."""

    ADVICE = USUAL | {"notification-late", "notification-repeated"}

    lock = threading.Lock()

    def notify(self, body):
        with self.lock:
            known = len(self.handled)
            super().notify(body)
            if len(self.handled) == known:
                raise ValueError("I know that already")

    def is_late(self, account, event):
        return False


class Pages(CheckedSite):
    """Writes into its pages whatever comes, and fails at what it does not expect."""

    FAILS = {"error-markup", "name-markup"}
    ADVICE = USUAL | {"cancelled", "user-unreadable"}

    def me(self, account):
        if account is None:
            return 200, "text/html", "<p>Nobody is here."
        shown = " ".join(str(account[key]) for key in self.shown)
        return 200, "text/html; charset=utf-8", f"<p>Welcome, {shown}!"

    def refusal(self, error, fields):
        if "error" in fields:
            return 500, "text/html", f"<h1>Apple says: {fields['error']}</h1>"
        is_unreadable = fields.get("user", "{}").endswith("[")
        return 500 if is_unreadable else 400, "text/html", "<p>Try again."


class People(CheckedSite):
    """Takes only people as its author imagined them."""

    ADVICE = USUAL | {"address-hidden", "address-missing", "booleans-as-text", "name-missing"}

    def account(self, claims, user):
        is_new = claims["sub"] not in self.accounts
        if is_new and not user["name"]["firstName"]:
            raise ValueError("a name, please")
        if claims["email"].endswith("@privaterelay.appleid.com"):
            raise ValueError("your own address, please")
        if claims["email_verified"] is not True:
            raise ValueError("a verified address, please")
        return super().account(claims, user)


class SecureOrigin(CheckedSite):
    """Is reached by https, and lets its session's cookie out of it."""

    TLS = True
    FAILS = {"session-cookie-secure"}

    session_cookie = "HttpOnly; SameSite=Lax; Path=/"


class BelievingApp(app_pyjwt.App):
    """Reads the identity token of the browser's form.

    It looks at nothing in it: not at who signed it, by whom it was issued, nor at whom and when it is for.
    """

    def finish(self, fields, state, nonce):
        assert fields["state"] == state
        return unverified(fields["id_token"]), self.exchange(fields["code"])["refresh_token"]


class Token(CheckedSite):
    APP = BelievingApp
    FAILS = {
        "nonce-wrong", "nonce-missing", "issuer", "audience", "expired", "other-app",
        "signature-of-other-claims", "foreign-key", "embedded-key", "unknown-key",
        "algorithm-none", "algorithm-hs256", "key-set-empty",
    }
    ADVICE = {"code-hash", "issued-in-the-future", "signature-for-the-code", "code-injected"}


SITES = [Accounts, Browser, Codes, Doors, Endings, Notifications, Pages, People, SecureOrigin, Token, UntiedNonce]
