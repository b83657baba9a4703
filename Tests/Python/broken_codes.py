"""A site that is careless with codes.

It believes Apple's form without waiting for the exchange, sends no nonce, keeps a sign-in open
after its answer, and remembers whose code it was.
"""

import requests

import app_pyjwt
from checked_site import CheckedSite


class App(app_pyjwt.App):
    def __init__(self, registration):
        super().__init__(registration)
        self.people = {}

    def begin(self, state, nonce):
        return super().begin(state, nonce).split("&nonce=")[0]

    def finish(self, fields, state, nonce):
        assert fields["state"] == state
        claims = self.verify(fields["id_token"]) if "id_token" in fields else None
        code = fields["code"]
        if code not in self.people:
            answer = self.exchange(code)
            if "id_token" in answer:
                claims = self.verify(answer["id_token"])
            if claims is None:
                raise ValueError("no token")
            self.people[code] = claims, answer.get("refresh_token")
        return self.people[code]

    def exchange(self, code):
        """What Apple answers to the code, a refusal too."""
        answer = requests.post(
            self.token_url,
            data={
                "client_id": self.registration.client_id,
                "client_secret": self.client_secret(),
                "grant_type": "authorization_code",
                "code": code,
                "redirect_uri": self.registration.redirect_uri,
            },
            timeout=app_pyjwt.TIMEOUT_SECONDS,
        )
        return answer.json()


class Site(CheckedSite):
    #: What siwa check finds.
    FAILS = {
        "state-sent",
        "nonce-sent",
        "callback-replayed",
        "code-replayed",
        "code-injected",
    }
    ADVICE = {"code-hash", "keys-withdrawn", "token-endpoint-error"}

    def begin(self, return_to):
        url, ticket = super().begin(return_to)
        pending = self.pending[ticket]
        state = pending["state"][:8]
        url = url.replace(pending["state"], state)
        pending["state"] = state
        return url, ticket

    def pending_sign_in(self, fields, ticket):
        pending = self.pending.get(ticket)
        if pending is None or fields.get("state") != pending["state"]:
            raise ValueError("begin again")
        return pending
