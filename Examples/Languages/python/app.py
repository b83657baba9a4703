"""What a server does for Sign in with Apple, with PyJWT. In your tests, your server takes this place."""

import json
import smtplib
import time
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from threading import Thread
from urllib.parse import parse_qsl, urlencode
from urllib.request import Request, urlopen

import jwt

ISSUER = "https://appleid.apple.com"
TIMEOUT_SECONDS = 20


class App:
    """A server that listens on a port of its own."""

    def __init__(self):
        self.received = Queue()
        app = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                app.received.put(body)
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *arguments):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        Thread(target=self._server.serve_forever, daemon=True).start()

    def connect(self, apple):
        """Points the server at Apple's addresses, and gives it what the developer portal gives."""
        self.apple = apple
        self.keys = jwt.PyJWKClient(f"{apple.url}/auth/keys")
        return self

    def redeem(self, code):
        """Exchanges a code; the claims of the verified identity token."""
        form = {
            "client_id": self.apple.client_id,
            "client_secret": self.client_secret(),
            "code": code,
            "grant_type": "authorization_code",
            "redirect_uri": self.apple.return_url,
        }
        request = Request(f"{self.apple.url}/auth/token", data=urlencode(form).encode())
        with urlopen(request, timeout=TIMEOUT_SECONDS) as response:
            return self.verify(json.load(response)["id_token"], self.apple.client_id)

    def client_secret(self):
        now = int(time.time())
        claims = {"iss": self.apple.team_id, "sub": self.apple.client_id, "aud": ISSUER}
        return jwt.encode(
            claims | {"iat": now, "exp": now + 300},
            self.apple.private_key,
            algorithm="ES256",
            headers={"kid": self.apple.key_id},
        )

    def verify(self, token, audience):
        key = self.keys.get_signing_key_from_jwt(token).key
        return jwt.decode(token, key, algorithms=["RS256"], audience=audience, issuer=ISSUER)

    def next_form(self):
        """What a browser posted to the return URL."""
        return dict(parse_qsl(self.received.get(timeout=TIMEOUT_SECONDS)))

    def next_notification(self):
        """The event of the next notification that Apple posts, verified."""
        payload = json.loads(self.received.get(timeout=TIMEOUT_SECONDS))["payload"]
        return json.loads(self.verify(payload, self.apple.app_id)["events"])

    def write(self, address, subject):
        """Writes to a person, through Apple's relay if they hid their address."""
        mail = EmailMessage()
        mail["From"], mail["To"] = f"hello@{self.apple.mail_domain}", address
        mail["Subject"] = subject
        with smtplib.SMTP(self.apple.smtp_host, int(self.apple.smtp_port)) as server:
            server.login(self.apple.smtp_user, "any")
            server.send_message(mail)

    def close(self):
        self._server.shutdown()
        self._server.server_close()
