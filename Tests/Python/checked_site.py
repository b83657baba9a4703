"""A website with a sign-in by Apple, as short as it can be: siwa check passes it.

The broken_*.py sites inherit from it, and leave out one thing each.
"""

import http.server
import json
import secrets
import threading
from http.cookies import SimpleCookie
from urllib.parse import parse_qs, parse_qsl, urlsplit

import jwt

BODY_BYTES_MAX = 64 * 1024


class CheckedSite:
    """The site's rules.

    `app` begins and finishes Apple's part of a sign-in; `listener` verifies what Apple tells, whose
    audience is the primary app. Both are as in app_pyjwt.py.
    """

    def __init__(self, app, listener):
        self.app = app
        self.listener = listener
        self.pending = {}
        self.sessions = {}
        self.accounts = {}
        self.handled = set()

    # A sign-in.

    def begin(self, return_to):
        """The address of Apple, and the cookie of this browser."""
        ticket, state, nonce = (secrets.token_urlsafe(24) for _ in range(3))
        self.pending[ticket] = {"state": state, "nonce": nonce, "return_to": return_to}
        return self.app.begin(state, nonce), ticket

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
        pending = self.pending.pop(ticket, None)
        if pending is None or fields.get("state") != pending["state"]:
            raise ValueError("begin again")
        return pending

    def account(self, claims, user):
        """Found by the subject alone."""
        account = self.accounts.setdefault(claims["sub"], {"id": claims["sub"]})
        account["email"] = claims.get("email")
        account.setdefault("name", user.get("name", {}).get("firstName", ""))
        return account

    def return_address(self, text):
        path = urlsplit(text.replace("\\", "/").replace("\t", ""))
        return text if text.startswith("/") and not path.netloc else "/me"

    session_cookie = "HttpOnly; Secure; SameSite=Lax; Path=/"

    # What Apple tells.

    def notify(self, body):
        claims = self.notification(json.loads(body)["payload"])
        event = json.loads(claims["events"])
        if claims["jti"] in self.handled:
            return
        account = self.accounts.get(event["sub"])
        is_late = account and event["event_time"] / 1000 < account.get("since", 0)
        if event["type"] in ("consent-revoked", "account-deleted") and not is_late:
            self.end_sessions(account)
        self.handled.add(claims["jti"])

    def notification(self, token):
        return self.listener.verify(token)

    def end_sessions(self, account):
        self.sessions = {key: it for key, it in self.sessions.items() if it is not account}

    def delete(self, session):
        account = self.sessions[session]
        self.app.revoke(account["refresh_token"])
        self.end_sessions(account)
        self.accounts = {key: it for key, it in self.accounts.items() if it is not account}


class Handler(http.server.BaseHTTPRequestHandler):
    """HTTP around the rules."""

    site = None

    def do_GET(self):
        address = urlsplit(self.path)
        query = parse_qs(address.query)
        if address.path == "/login":
            url, ticket = self.site.begin(query.get("next", ["/me"])[0])
            pending = f"pending={ticket}; HttpOnly; Secure; SameSite=None; Path=/"
            self.answer(303, {"Location": url, "Set-Cookie": pending})
        elif address.path == "/me":
            account = self.site.sessions.get(self.cookie("session"))
            shown = account and {key: account[key] for key in ("id", "name", "email")}
            self.answer(200 if account else 401, {}, shown or {})
        else:
            self.answer(404)

    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        if length > BODY_BYTES_MAX:
            self.answer(413)
            return
        body = self.rfile.read(length)
        try:
            self.post(urlsplit(self.path).path, body)
        except (AssertionError, ValueError, KeyError, TypeError, OSError) as error:
            self.answer(400, {}, {"error": type(error).__name__})
        except Exception as error:  # whatever a library calls a wrong token
            self.answer(401, {}, {"error": type(error).__name__})

    def post(self, path, body):
        if path == "/callback":
            fields = dict(parse_qsl(body.decode(), keep_blank_values=True))
            session, address = self.site.finish(fields, self.cookie("pending"))
            cookie = f"session={session}; {self.site.session_cookie}"
            self.answer(303, {"Location": address, "Set-Cookie": cookie})
        elif path == "/notifications":
            self.site.notify(body)
            self.answer(200)
        elif path == "/delete":
            self.site.delete(self.cookie("session"))
            self.answer(200)
        else:
            self.answer(404)

    def cookie(self, name):
        morsel = SimpleCookie(self.headers.get("Cookie", "")).get(name)
        return morsel and morsel.value

    def answer(self, status, fields=None, shown=None):
        body = json.dumps(shown or {}).encode()
        self.send_response(status)
        for name, value in (fields or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """The tests read answers, not logs."""


class Served:
    """A site on a free port, while the `with` lasts; the port is known before the site."""

    def __init__(self):
        handler = type("SiteHandler", (Handler,), {})
        self.handler = handler
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def unverified(token):
    """The claims of a token, whoever made it."""
    return jwt.decode(token, options={"verify_signature": False})
