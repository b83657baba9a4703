"""A site that takes an answer of Apple's from any browser, and sends people anywhere."""

from checked_site import CheckedSite


class Site(CheckedSite):
    session_cookie = "Path=/"

    #: What siwa check finds.
    FAILS = {
        "state-wrong",
        "state-missing",
        "state-other-browser",
        "state-no-browser",
        "open-redirect",
        "session-cookie-http-only",
    }
    ADVICE = {"code-hash", "keys-withdrawn", "return-begins", "session-cookie-same-site"}

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
