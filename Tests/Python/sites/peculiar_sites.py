"""Sites that are defended in another way than most, or that are busy: siwa check must not fail them."""

import html
import queue
import threading

from checked_site import CheckedSite, Handler


class Background(CheckedSite):
    """Answers Apple's notifications at once, and acts on them in a thread of its own."""

    ONLY = {
        "consent-revoked",
        "notification-signature",
        "notification-unsigned",
        "notification-repeated",
        "notification-late",
        "account-deleted",
    }

    def __init__(self, app, listener):
        super().__init__(app, listener)
        self.waiting = queue.Queue()
        threading.Thread(target=self.act, daemon=True).start()

    def notify(self, body):
        self.waiting.put(body)

    def act(self):
        while True:
            body = self.waiting.get()
            try:
                super().notify(body)
            except Exception:  # whatever a library calls a wrong token
                continue


class NonceAlone(CheckedSite):
    """Looks at the nonce, which is this browser's own, and not at the state."""

    ONLY = {"state-sent", "state-wrong", "state-missing", "state-other-browser", "state-no-browser"}
    ADVICE = {"state-missing", "state-wrong"}

    def pending_sign_in(self, fields, ticket):
        pending = self.pending.pop(ticket, None)
        if pending is None:
            raise ValueError("begin again")
        fields["state"] = pending["state"]
        return pending


class SilentCookie(CheckedSite):
    """Says nothing about SameSite, so that Chromium sends the cookie for two minutes."""

    ONLY = {"state-sent", "pending-cookie-cross-site"}
    ADVICE = {"pending-cookie-cross-site"}

    pending_cookie = "HttpOnly; Path=/"
    forwards = False


class TicketHandler(Handler):
    def complete(self, fields):
        ticket = self.cookie("pending")
        session, address = self.site.finish(fields, ticket)
        self.site.sessions[ticket] = self.site.sessions.pop(session)
        self.answer(303, {"Location": address})

    def cookie(self, name):
        return super().cookie("pending")


class NewTicket(CheckedSite):
    """Gives each sign-in a cookie that becomes the session's: nobody else can know it before."""

    HANDLER = TicketHandler
    ONLY = {"callback-replayed", "session-cookie-same-site", "session-fixation"}
    ADVICE = {"session-fixation"}
    NOT_EXAMINED = {"callback-replayed"}


class BusyHandler(Handler):
    """Has no time for every twentieth form, and says so once."""

    count = 0

    def complete(self, fields):
        self.site.count += 1
        if self.site.count == 2:
            # The three sign-ins before all checks must have worked, each of them.
            raise ValueError("a mishap")
        if self.site.count % 20 == 5:
            self.answer(429, {"Retry-After": "0"})
        elif self.site.count % 80 == 12:
            self.answer(503)
        else:
            super().complete(fields)


class Busy(CheckedSite):
    """Now and then it has no time, as servers with a limit."""

    HANDLER = BusyHandler

    count = 0


class Apart(CheckedSite):
    """Shows of people what Apple signed, and nothing that the form brought."""

    ONLY = {"name-later", "name-markup", "posted-address", "reassigned-address"}
    NOT_EXAMINED = {"name-later", "name-markup"}

    shown = ("id", "email")


class OwnPageHandler(Handler):
    def do_GET(self):
        if self.path != "/me":
            super().do_GET()
            return
        account = self.site.sessions.get(self.cookie("session"))
        path = f"/people/{account['id']}" if account else "/login"
        self.answer(303, {"Location": path})


class SubjectAlone(CheckedSite):
    """Shows Apple's identifier of the person, and to strangers one word."""

    NOT_EXAMINED = {"name-later", "name-markup", "session-cookie-secure"}

    def me(self, account):
        return 200, "text/html", f"<p>{account['id'] if account else 'nobody'}"


class NameAlone(CheckedSite):
    """Shows the name, and nothing of people who have none."""

    def me(self, account):
        text = html.escape(account["name"]) if account else "Please sign in"
        return 200, "text/html", f"<p>{text}"


class OwnPages(CheckedSite):
    """Leads people to a page of their own, and strangers to the sign-in."""

    HANDLER = OwnPageHandler
    NOT_EXAMINED = {"name-later", "name-markup", "session-cookie-secure"}


SITES = [
    Background,
    NonceAlone,
    SilentCookie,
    NewTicket,
    Busy,
    Apart,
    SubjectAlone,
    NameAlone,
    OwnPages,
]


FORMS_MAX = 20


class SilentHandler(Handler):
    """Answers some forms, and then nobody any more."""

    def handle(self):
        if self.site.count < FORMS_MAX:
            super().handle()

    def complete(self, fields):
        self.site.count += 1
        super().complete(fields)


class Silent(CheckedSite):
    HANDLER = SilentHandler
    REASON = "got no response"

    count = 0


class OverworkedHandler(Handler):
    """Answers some forms, and then each with 503."""

    def complete(self, fields):
        self.site.count += 1
        if self.site.count < FORMS_MAX:
            super().complete(fields)
        else:
            self.answer(503, {"Retry-After": "600"})


class Overworked(Silent):
    HANDLER = OverworkedHandler
    REASON = "responded with 503"
