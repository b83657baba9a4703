"""A site that writes into its pages whatever comes, and fails at what it does not expect."""

from checked_site import CheckedSite


class Site(CheckedSite):
    #: What siwa check finds.
    FAILS = {"error-markup", "name-markup"}
    ADVICE = {"cancelled", "code-hash", "keys-withdrawn", "user-unreadable"}

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
