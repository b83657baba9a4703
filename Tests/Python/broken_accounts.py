"""A site that knows people by their address, and believes whoever sends it a notification."""

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
    }
    ADVICE = {"code-hash", "notification-expired"}

    def account(self, claims, user):
        email = user.get("email") or claims.get("email")
        for account in self.accounts.values():
            if account["email"] == email:
                self.accounts[claims["sub"]] = account
                return account
        return super().account(claims, user)

    def notification(self, token):
        return unverified(token)
