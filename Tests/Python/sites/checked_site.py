"""A website with a sign-in by Apple, as short as it can be: siwa check passes it.

The sites of broken_sites.py inherit from it, and leave out one thing each.
"""

import hashlib
import html
import json
import pathlib
import secrets
import ssl
import tempfile
from http.cookies import SimpleCookie
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import jwt

import app_pyjwt
import listener
from listener import Listener
from processes import own_certificate

# What a wrong form raises; all else is a library's word for a wrong token.
WRONG = (AssertionError, ValueError, KeyError, TypeError, OSError)


class CheckedSite:
    """The site's rules.

    `app` begins and finishes Apple's part of a sign-in; `listener` verifies what Apple tells, whose
    audience is the primary app. Both are as in app_pyjwt.py.
    """

    #: The kind of app that the site has, and whether it is reached by https.
    APP = app_pyjwt.App
    TLS = False

    #: The checks that are made, where not all are, and those that find something. PyJWT has no
    #: function for c_hash, and fetches Apple's keys for each token, so that one is refused whose
    #: key was withdrawn. Cookies are plain at http, which tells nothing of those at https.
    ONLY = set()
    FAILS = set()
    USUAL_ADVICE = {"code-hash", "keys-withdrawn"}
    ADVICE = USUAL_ADVICE
    NOT_EXAMINED = {"session-cookie-secure"}
    #: How the reason of each finding begins.
    REASON = ""

    def __init__(self, app, listener):
        self.app = app
        self.listener = listener
        self.pending = {}
        self.sessions = {}
        self.accounts = {}
        self.handled = set()
        self.nonces = set()

    # A sign-in.

    #: What a browser that began nothing is taken to have begun.
    unknown = None

    def begin(self, return_to):
        """The address of Apple, and the cookie of this browser."""
        ticket, nonce = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        state = self.new_state()
        self.pending[ticket] = {"state": state, "nonce": nonce, "return_to": return_to}
        return self.app.begin(state, nonce), ticket

    def new_state(self):
        return secrets.token_urlsafe(24)

    def is_state(self, given, own):
        return given == own

    def finish(self, fields, ticket):
        """The session's token and where to go; raises what is wrong."""
        pending = self.pending_sign_in(fields, ticket)
        if "error" in fields:
            raise ValueError("cancelled")
        claims, refresh_token = self.app.finish(fields, pending["state"], pending["nonce"])
        account = self.account(claims, json.loads(fields.get("user") or "{}"))
        account["refresh_token"] = refresh_token
        account["since"] = claims["auth_time"]
        session = secrets.token_urlsafe(24)
        self.sessions[session] = account
        return session, self.return_address(pending["return_to"])

    def pending_sign_in(self, fields, ticket):
        """What this browser began, which ends here."""
        pending = self.pending.pop(ticket, self.unknown)
        if pending is None or not self.is_state(fields.get("state"), pending["state"]):
            raise ValueError("begin again")
        return pending

    def account(self, claims, user):
        """Found by the subject alone."""
        account = self.accounts.setdefault(claims["sub"], {"id": claims["sub"]})
        account["email"] = claims.get("email")
        name = user.get("name", {})
        account.setdefault("name", name.get("firstName") or "")
        account.setdefault("family_name", name.get("lastName") or "")
        return account

    def return_address(self, text):
        path = urlsplit(text.replace("\\", "/").replace("\t", ""))
        is_own = text.startswith("/") and not path.netloc
        return text if is_own and not text.startswith("/login") else "/me"

    # What a browser sees.

    shown = ("id", "name", "email")
    #: Whether a form without this browser's cookie is posted once more, from the site's own page.
    forwards = True

    @property
    def is_plain(self):
        """Whether the site is reached by http, where Safari takes no Secure cookie."""
        return not self.app.registration.redirect_uri.startswith("https:")

    @property
    def pending_cookie(self):
        rest = "SameSite=Lax" if self.is_plain else "Secure; SameSite=None"
        return f"HttpOnly; {rest}; Path=/"

    @property
    def session_cookie(self):
        return "HttpOnly; SameSite=Lax; Path=/" + ("" if self.is_plain else "; Secure")

    def forwarding_page(self, fields):
        inputs = "".join(
            f'<input type="hidden" name="{html.escape(name)}" value="{html.escape(value)}">'
            for name, value in (fields | {"from_own_site": "1"}).items()
        )
        return (
            f'<form method="post" action="/callback">{inputs}<button>Go on</button></form>'
            "<script>document.forms[0].submit()</script>"
        )

    def me(self, account):
        """The page that tells who is signed in: its status, type and text."""
        if account is None:
            return 401, "application/json", "{}"
        text = json.dumps({key: account[key] for key in self.shown})
        return 200, "application/json", text

    def refusal(self, error, fields):
        """The answer to Apple's form when nobody is signed in."""
        is_wrong = isinstance(error, WRONG)
        text = json.dumps({"error": type(error).__name__})
        return 400 if is_wrong else 401, "application/json", text

    # What a popup and an Android app reach.

    android = "#Intent;package=com.example.checked;scheme=signin;end"

    def new_nonce(self):
        nonce = secrets.token_urlsafe(24)
        self.nonces.add(nonce)
        return nonce

    def popup(self, fields):
        """Whom a popup's token signs in; raises what is wrong."""
        claims = self.popup_claims(fields["identityToken"])
        self.check_nonce(claims, fields.get("nonce"))
        return claims["sub"]

    def popup_claims(self, token):
        return self.app.verify(token)

    def check_nonce(self, claims, nonce):
        if hashlib.sha256(nonce.encode()).hexdigest() != claims.get("nonce"):
            raise ValueError("another nonce")
        self.nonces.remove(nonce)

    def android_address(self, fields):
        return "intent://callback?" + urlencode({"code": fields.get("code", "")}) + self.android

    def allowed_origin(self, origin):
        """The page's origin that may read answers."""

    # What Apple tells.

    ends = ("consent-revoked", "account-deleted", "account-delete")

    def notify(self, body):
        claims = self.notification(json.loads(body)["payload"])
        event = json.loads(claims["events"])
        if claims["jti"] in self.handled:
            return
        account = self.accounts.get(event["sub"])
        ends = event["type"] in self.ends
        if account and ends and not self.is_late(account, event):
            self.end_sessions(account)
        self.handled.add(claims["jti"])

    def is_late(self, account, event):
        """Whether the person has signed in since."""
        return event["event_time"] / 1000 < account["since"]

    def notification(self, token):
        return self.listener.verify(token)

    def end_sessions(self, account):
        self.sessions = {key: it for key, it in self.sessions.items() if it is not account}

    def unlink(self, session):
        """Signs the person out everywhere else."""
        account = self.sessions[session]
        self.end_sessions(account)
        self.sessions[session] = account

    def delete(self, session):
        account = self.sessions[session]
        self.app.revoke(account["refresh_token"])
        self.end_sessions(account)
        self.accounts = {key: it for key, it in self.accounts.items() if it is not account}


class Handler(listener.Handler):
    """HTTP around the rules."""

    site = None

    def do_GET(self):
        address = urlsplit(self.path)
        query = parse_qs(address.query)
        if address.path == "/login":
            url, ticket = self.site.begin(query.get("next", ["/me"])[0])
            pending = f"pending={ticket}; {self.site.pending_cookie}"
            self.answer(303, {"Location": url, "Set-Cookie": pending})
        elif address.path == "/me":
            account = self.site.sessions.get(self.cookie("session"))
            self.answer_text(*self.site.me(account))
        else:
            self.answer(404)

    def do_POST(self):
        body = self.body()
        path = urlsplit(self.path).path
        if path == "/callback":
            fields = dict(parse_qsl(body.decode(), keep_blank_values=True))
            is_first = "from_own_site" not in fields and self.cookie("pending") is None
            if self.site.forwards and is_first:
                self.answer_text(200, "text/html", self.site.forwarding_page(fields))
                return
            try:
                self.complete(fields)
            except Exception as error:  # whatever a library calls a wrong token
                self.answer_text(*self.site.refusal(error, fields))
            return
        try:
            self.post(path, body)
        except Exception as error:
            self.answer_text(400, "text/plain", type(error).__name__)

    def complete(self, fields):
        session, address = self.site.finish(fields, self.cookie("pending"))
        known = self.known_session() or session
        self.site.sessions[known] = self.site.sessions.pop(session)
        cookie = f"session={known}; {self.site.session_cookie}"
        self.answer(303, {"Location": address, "Set-Cookie": cookie})

    def known_session(self):
        """The session's token, where the browser has it already."""

    def post(self, path, body):
        if path == "/notifications":
            self.site.notify(body)
            self.answer(200)
        elif path == "/nonces":
            self.answer_text(201, "application/json", json.dumps({"nonce": self.site.new_nonce()}))
        elif path == "/popup":
            self.answer_text(201, "text/plain", self.site.popup(json.loads(body)))
        elif path == "/android":
            self.answer(303, {"Location": self.site.android_address(dict(parse_qsl(body.decode())))})
        elif path == "/unlink":
            self.site.unlink(self.cookie("session"))
            self.answer(200)
        elif path == "/delete":
            self.site.delete(self.cookie("session"))
            self.answer(200)
        else:
            self.answer(404)

    def do_OPTIONS(self):
        self.answer(204)

    def end_headers(self):
        if allowed := self.site.allowed_origin(self.headers.get("Origin")):
            self.send_header("Access-Control-Allow-Origin", allowed)
        super().end_headers()

    def cookie(self, name):
        morsel = SimpleCookie(self.headers.get("Cookie", "")).get(name)
        return morsel and morsel.value


class Served(Listener):
    """A site, whose port is known before the site; by https with a certificate that nobody knows."""

    def __init__(self, handler=Handler, tls=False):
        self.handler = type("SiteHandler", (handler,), {})
        context = None
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            with tempfile.TemporaryDirectory() as folder:
                context.load_cert_chain(own_certificate(pathlib.Path(folder)))
        super().__init__(self.handler, context)
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.server_port}"


def unverified(token):
    """The claims of a token, whoever made it."""
    return jwt.decode(token, options={"verify_signature": False})
