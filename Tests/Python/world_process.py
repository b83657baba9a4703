"""One of several test processes that share an emulator, each in a world of its own.

usage: world_process.py ADDRESSES NAME NUMBER

Only the control port and the browser's first request name the world: the server's own requests,
its mail and its look at Apple's keys are those of a client that knows of no worlds.
"""

import http.server
import json
import queue
import smtplib
import sys
import threading
import time
from email.message import EmailMessage
from urllib.parse import urlencode

import jwt
import requests

from sheet import Sheet
from world import ISSUER, TIMEOUT_SECONDS

ROUNDS = 4
WAIT_SECONDS = 30
DAY_SECONDS = 86_400
PERSON = "maya@example.com"
APP = "com.example.suite"
WEB = "com.example.suite.web"
REDIRECT_URI = "https://suite.example.com/callback"


class Receiver(http.server.BaseHTTPRequestHandler):
    """Takes the notifications of one world."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        payload = jwt.decode(body["payload"], options={"verify_signature": False})
        self.server.events.put(json.loads(payload["events"]))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


class Process:
    def __init__(self, addresses, name, number):
        self.apple, self.control, self.smtp = (
            addresses[key].rstrip("/") for key in ("apple", "control", "smtp")
        )
        self.name = name
        self.number = number
        self.number_of_requests = 0
        self.number_of_mails = 0
        self.receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        self.receiver.events = queue.Queue()
        threading.Thread(target=self.receiver.serve_forever, daemon=True).start()

    def call(self, method, path, body=None):
        response = requests.request(
            method,
            self.control + path,
            json=body,
            headers={"Siwa-World": self.name},
            timeout=TIMEOUT_SECONDS + WAIT_SECONDS,
        )
        assert response.ok, (method, path, response.text)
        return response.json() if response.content else None

    def set_up(self):
        """Nobody was here before; the clock, the keys and the answers are this world's."""
        state = self.call("GET", "/state")
        assert [person["email"] for person in state["people"]] == [PERSON, "noah@example.com"]
        assert self.call("GET", "/requests")["requests"] == []
        self.team = state["teams"][0]["team_id"]
        app = {"client_id": APP, "team_id": self.team, "name": "Suite"}
        app["notification_url"] = f"http://127.0.0.1:{self.receiver.server_port}/"
        self.call("POST", "/apps", app)
        service = {"client_id": WEB, "primary_client_id": APP, "return_urls": [REDIRECT_URI]}
        self.call("POST", "/services", service)
        key = self.call("POST", "/keys", {"team_id": self.team})
        self.key_id, self.private_key = key["key_id"], key["private_key_pem"]
        self.call("POST", "/mail-sources", {"team_id": self.team, "domain": "juice.example.com"})
        self.call("POST", "/clock", {"advance_seconds": self.number * DAY_SECONDS})
        if self.number % 2:
            self.call("POST", "/signing-keys/rotate", {})
        else:
            self.call("PATCH", "/switches", {"token_type": "bearer"})

    def secret(self):
        now = int(time.time()) + self.number * DAY_SECONDS
        claims = {"iss": self.team, "iat": now, "exp": now + 600, "aud": ISSUER, "sub": WEB}
        headers = {"kid": self.key_id}
        return jwt.encode(claims, self.private_key, algorithm="ES256", headers=headers)

    def token(self, **fields):
        self.number_of_requests += 1
        form = {"client_id": WEB, "client_secret": self.secret()} | fields
        return requests.post(self.apple + "/auth/token", data=form, timeout=TIMEOUT_SECONDS)

    def sign_in(self, state):
        """A browser in this world, and the person's decision made beforehand."""
        decision = {"person": PERSON, "decision": "continue", "email": "hide"}
        self.call("POST", "/authorizations/next", decision)
        query = {
            "siwa_world": self.name,
            "client_id": WEB,
            "redirect_uri": REDIRECT_URI,
            "response_type": "code",
            "response_mode": "form_post",
            "scope": "name email",
            "state": state,
        }
        sheet = Sheet()
        sheet.open(self.apple + "/auth/authorize?" + urlencode(query))
        self.number_of_requests += 1
        _, fields = sheet.form_post()
        assert fields["state"] == state
        # The person is asked as the first time, since consent ends with each round.
        assert "user" in fields
        return fields["code"]

    def verify(self, token):
        keys = jwt.PyJWKClient(self.apple + "/auth/keys").get_signing_key_from_jwt(token)
        claims = jwt.decode(
            token,
            keys.key,
            algorithms=["RS256"],
            audience=WEB,
            issuer=ISSUER,
            leeway=self.number * DAY_SECONDS + 60,
        )
        days = round((claims["iat"] - time.time()) / DAY_SECONDS)
        assert days == self.number, "the token has another world's time"
        return claims

    def mail(self, address, text):
        mail = EmailMessage()
        mail["From"] = "news@juice.example.com"
        mail["To"] = address
        mail["Subject"] = text
        mail.set_content(text)
        host, port = self.smtp.rsplit(":", 1)
        with smtplib.SMTP(host, int(port), timeout=TIMEOUT_SECONDS) as client:
            client.send_message(mail)
        found = self.call("GET", f"/mail?after={self.number_of_mails}&wait={WAIT_SECONDS}")
        assert [message["subject"] for message in found["messages"]] == [text]
        assert found["bounces"] == []
        self.number_of_mails = found["last_number"]

    def stop_using(self, subject):
        before = self.call("GET", "/notifications")["last_number"]
        self.call("POST", f"/people/{PERSON}/stop-using", {"client_id": APP})
        found = self.call("GET", f"/notifications?after={before}&wait={WAIT_SECONDS}")
        assert [one["type"] for one in found["notifications"]] == ["consent-revoked"]
        event = self.receiver.events.get(timeout=WAIT_SECONDS)
        assert (event["type"], event["sub"]) == ("consent-revoked", subject)
        assert self.receiver.events.empty()

    def round(self, number):
        text = f"{self.name}-{number}"
        code = self.sign_in(text)
        # A fault of this world's token endpoint meets this process alone, and once.
        self.call("POST", "/faults", {"endpoint": "token", "status": 503, "count": 1})
        exchange = {"grant_type": "authorization_code", "code": code}
        exchange["redirect_uri"] = REDIRECT_URI
        assert self.token(**exchange).status_code == 503
        answer = self.token(**exchange)
        assert answer.status_code == 200, answer.text
        token_type = "Bearer" if self.number % 2 else "bearer"
        assert answer.json()["token_type"] == token_type
        claims = self.verify(answer.json()["id_token"])
        self.mail(claims["email"], text)
        refresh = {"grant_type": "refresh_token", "refresh_token": answer.json()["refresh_token"]}
        assert self.token(**refresh).status_code == 200
        self.stop_using(claims["sub"])
        # Ended, and still told to the world that it came from.
        assert self.token(**refresh).json()["error"] == "invalid_grant"
        return claims["sub"]

    def run(self):
        self.set_up()
        subjects = {self.round(number) for number in range(ROUNDS)}
        requests_seen = self.call("GET", "/requests")["requests"]
        assert len(requests_seen) == self.number_of_requests, requests_seen
        assert {one["path"] for one in requests_seen} == {"/auth/authorize", "/auth/token"}
        assert self.call("GET", "/faults")["faults"] == []
        assert len(subjects) == 1, "the person is the same in each round"
        return subjects.pop()


if __name__ == "__main__":
    process = Process(json.loads(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
    # All begin at once.
    sys.stdin.readline()
    print(process.run())
