"""One of several test processes that share an emulator, each in a world of its own.

usage: world_process.py ADDRESSES NUMBER

The clients know nothing of worlds: only the addresses and the SMTP user name differ.
"""

import json
import queue
import smtplib
import sys
import time
from email.message import EmailMessage

import jwt

import app_pyjwt
from listener import Handler, Listener
from sheet import Sheet
from world import TIMEOUT_SECONDS, World, at

ROUNDS = 4
WAIT_SECONDS = 60
DAY_SECONDS = 86_400


class Receiver(Handler):
    """Takes the notifications of one world."""

    def do_POST(self):
        token = json.loads(self.body())["payload"]
        payload = jwt.decode(token, options={"verify_signature": False})
        self.server.events.put(json.loads(payload["events"]))
        self.answer(200)


class Process(World):
    """The clock, the keys and the answers are this world's, in which nobody was before."""

    def __init__(self, addresses, number):
        self.name = self.smtp_user = addresses["smtp_user"]
        self.number = number
        self.number_of_requests = 0
        self.number_of_mails = 0
        receiver = Listener(Receiver)
        self.events = receiver.events = queue.Queue()
        self.app_fields = {"notification_url": f"http://127.0.0.1:{receiver.server_port}/"}
        super().__init__(addresses)
        self.add("/mail-sources", team_id=self.team_id, domain="juice.example.com")
        self.call("POST", "/clock", {"advance_seconds": number * DAY_SECONDS})
        if number % 2:
            self.call("POST", "/signing-keys/rotate", {"keep_old": False})
        else:
            self.call("PATCH", "/switches", {"token_type": "bearer"})

    def begin(self):
        state = self.call("GET", "/state")
        people = [person["email"] for person in state["people"]]
        assert people == ["maya@example.com", "noah@example.com"]
        assert self.call("GET", "/requests")["requests"] == []
        super().begin()

    def ask_for_token(self, **fields):
        self.number_of_requests += 1
        now = int(time.time()) + self.number * DAY_SECONDS
        secret = self.client_secret(self.services_id, iat=now, exp=now + 600)
        return self.token(self.services_id, client_secret=secret, **fields)

    def sign_in(self, state):
        """A browser in this world, and the person's decision made beforehand."""
        self.decide_next(email="hide")
        sheet = Sheet()
        sheet.open(self.authorize_url(response_type="code", state=state))
        self.number_of_requests += 1
        _, fields = sheet.form_post()
        assert fields["state"] == state
        # The person is asked as the first time, since consent ends with each round.
        assert "user" in fields
        return fields["code"]

    def cancel(self):
        """The person cancels: the decision of another world's sheet is not taken."""
        self.decide_next(decision="cancel")
        sheet = Sheet()
        sheet.open(self.authorize_url(response_type="code"))
        self.number_of_requests += 1
        assert sheet.form_post()[1]["error"] == "user_cancelled_authorize"

    def verify(self, token):
        app = at(self.apple, app_pyjwt.App)(self.registration(self.services_id))
        claims = app.verify(token, leeway=self.number * DAY_SECONDS + 60)
        days = round((claims["iat"] - time.time()) / DAY_SECONDS)
        assert days == self.number, "the token has another world's time"
        return claims

    def mail(self, address, text):
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = "news@juice.example.com", address, text
        mail.set_content(text)
        host, port = self.smtp.rsplit(":", 1)
        with smtplib.SMTP(host, int(port), timeout=TIMEOUT_SECONDS) as client:
            client.login(self.smtp_user, "any")
            client.send_message(mail)
        found = self.call("GET", f"/mail?after={self.number_of_mails}&wait={WAIT_SECONDS}")
        assert [message["subject"] for message in found["messages"]] == [text]
        assert found["bounces"] == []
        self.number_of_mails = found["last_number"]

    def stop_using(self, subject):
        before = self.call("GET", "/notifications")["last_number"]
        self.call("POST", f"/people/{self.email}/stop-using", {"client_id": self.app_id})
        found = self.call("GET", f"/notifications?after={before}&wait={WAIT_SECONDS}")
        assert [one["type"] for one in found["notifications"]] == ["consent-revoked"]
        event = self.events.get(timeout=WAIT_SECONDS)
        assert (event["type"], event["sub"]) == ("consent-revoked", subject)
        assert self.events.empty()

    def round(self, number):
        text = f"{self.name}-{number}"
        code = self.sign_in(text)
        # A fault of this world's token endpoint meets this process alone, and once.
        self.add("/faults", endpoint="token", status=503, count=1)
        exchange = {"grant_type": "authorization_code", "code": code}
        exchange["redirect_uri"] = self.redirect_uri
        assert self.ask_for_token(**exchange).status_code == 503
        answer = self.ask_for_token(**exchange)
        assert answer.status_code == 200, answer.text
        token_type = "Bearer" if self.number % 2 else "bearer"
        assert answer.json()["token_type"] == token_type
        # So does a fault of its keys.
        self.add("/faults", endpoint="keys", status=503, count=1)
        try:
            self.verify(answer.json()["id_token"])
        except jwt.exceptions.PyJWKClientError:
            pass
        else:
            raise AssertionError("the keys had no fault")
        claims = self.verify(answer.json()["id_token"])
        self.number_of_requests += 2
        self.mail(claims["email"], text)
        self.mail(self.email, f"shared address, {text}")
        refresh = {"grant_type": "refresh_token", "refresh_token": answer.json()["refresh_token"]}
        assert self.ask_for_token(**refresh).status_code == 200
        self.stop_using(claims["sub"])
        # Ended, and still told to the world that it came from.
        assert self.ask_for_token(**refresh).json()["error"] == "invalid_grant"
        return claims["sub"]

    def run(self):
        self.cancel()
        subjects = {self.round(number) for number in range(ROUNDS)}
        requests_seen = self.call("GET", "/requests")["requests"]
        assert len(requests_seen) == self.number_of_requests, requests_seen
        assert {one["path"] for one in requests_seen} == {"/auth/authorize", "/auth/token", "/auth/keys"}
        assert self.call("GET", "/faults")["faults"] == []
        assert len(subjects) == 1, "the person is the same in each round"
        return subjects.pop()


if __name__ == "__main__":
    addresses, number = json.loads(sys.argv[1]), int(sys.argv[2])
    # All begin at once.
    sys.stdin.readline()
    print(Process(addresses, number).run())
