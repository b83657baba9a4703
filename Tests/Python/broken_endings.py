"""A site on which nothing ends, and that is used to browsers of ten years ago.

It takes no notifications, keeps Apple's keys, keeps a browser's cookie over the sign-in, and
sends Apple something else than the token to revoke.
"""

import secrets

import jwt

import app_pyjwt
from checked_site import CheckedSite, Handler


class App(app_pyjwt.App):
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
        return jwt.decode(
            token,
            self.keys[name],
            algorithms=["RS256"],
            audience=self.registration.client_id,
            issuer=self.issuer,
        )


class SiteHandler(Handler):
    """A browser has one cookie from its first request on."""

    def do_GET(self):
        self.new_visitor = None
        if self.path.startswith("/login") and self.cookie("session") is None:
            self.new_visitor = secrets.token_urlsafe(24)
        super().do_GET()

    def complete(self, fields):
        session, address = self.site.finish(fields, self.cookie("pending"))
        self.site.sessions[self.cookie("session")] = self.site.sessions.pop(session)
        self.answer(303, {"Location": address})

    def end_headers(self):
        if getattr(self, "new_visitor", None):
            cookie = f"session={self.new_visitor}; {self.site.session_cookie}"
            self.send_header("Set-Cookie", cookie)
            self.new_visitor = None
        super().end_headers()


class Site(CheckedSite):
    HANDLER = SiteHandler
    #: What siwa check finds.
    FAILS = {
        "account-deleted",
        "consent-revoked",
        "deletion-revokes",
        "pending-cookie-cross-site",
        "session-fixation",
        "unlink-ends-sessions",
    }
    ADVICE = {
        "code-hash",
        "cookies-at-http",
        "key-set-foreign",
        "keys-rotated",
        "keys-withdrawn",
    }

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
