"""A site that reads the identity token of the browser's form.

It looks at nothing in it: not at who signed it, by whom it was issued, nor at whom and when it is for.
"""

import requests

import app_pyjwt
from checked_site import CheckedSite, unverified


class App(app_pyjwt.App):
    def finish(self, fields, state, nonce):
        assert fields["state"] == state
        answer = requests.post(
            self.token_url,
            data={
                "client_id": self.registration.client_id,
                "client_secret": self.client_secret(),
                "grant_type": "authorization_code",
                "code": fields["code"],
                "redirect_uri": self.registration.redirect_uri,
            },
            timeout=app_pyjwt.TIMEOUT_SECONDS,
        )
        answer.raise_for_status()
        return unverified(fields["id_token"]), answer.json()["refresh_token"]


class Site(CheckedSite):
    #: What siwa check finds.
    FAILS = {
        "nonce-wrong",
        "nonce-missing",
        "issuer",
        "audience",
        "expired",
        "other-app",
        "signature-of-other-claims",
        "foreign-key",
        "embedded-key",
        "unknown-key",
        "algorithm-none",
        "algorithm-hs256",
        "key-set-empty",
    }
    ADVICE = {"issued-in-the-future", "code-hash", "signature-for-the-code", "code-injected"}
