"""A site that knows people by their address, and believes whoever sends it a notification.

It takes each name that is posted, so that an account which somebody else opened shows theirs.
"""

from checked_site import CheckedSite, unverified


class Site(CheckedSite):
    #: What siwa check finds.
    FAILS = {
        "posted-address",
        "unverified-address",
        "reassigned-address",
        "notification-signature",
        "notification-unknown-key",
        "notification-unsigned",
        "notification-issuer",
        "notification-audience",
        "notification-forged",
    }
    ADVICE = {"code-hash", "keys-withdrawn", "name-later", "notification-expired"}

    shown = ("name", "email")

    def account(self, claims, user):
        email = user.get("email") or claims.get("email") or claims["sub"]
        account = self.accounts.setdefault(email, {"email": email, "name": ""})
        account["name"] = user.get("name", {}).get("firstName") or account["name"]
        self.accounts[claims["sub"]] = account
        return account

    def notification(self, token):
        return unverified(token)
