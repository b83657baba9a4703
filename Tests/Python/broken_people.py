"""A site that takes only people as its author imagined them."""

from checked_site import CheckedSite


class Site(CheckedSite):
    #: What siwa check finds.
    FAILS = set()
    ADVICE = {
        "address-hidden",
        "address-missing",
        "booleans-as-text",
        "code-hash", "keys-withdrawn",
        "name-missing",
    }

    def account(self, claims, user):
        is_new = claims["sub"] not in self.accounts
        if is_new and not user["name"]["firstName"]:
            raise ValueError("a name, please")
        if claims["email"].endswith("@privaterelay.appleid.com"):
            raise ValueError("your own address, please")
        if claims["email_verified"] is not True:
            raise ValueError("a verified address, please")
        return super().account(claims, user)
