"""An app as RFC 8252 describes it: it listens on a port of this machine, and signs in through the browser."""

import base64
import hashlib
import secrets
import threading
import urllib.parse

import requests

from listener import HTML, Handler, Listener

TIMEOUT_SECONDS = 60


class LoopbackApp:
    """One app with its listener; `address` is what it opens in the browser."""

    client_id = "com.example.juice"

    def __init__(self, server):
        self.server = server.rstrip("/")
        # Not every system resolves the names below localhost, which browsers know by themselves.
        self.api = f"http://127.0.0.1:{urllib.parse.urlsplit(server).port}"
        self.state = secrets.token_urlsafe(16)
        self.verifier = secrets.token_urlsafe(48)
        self.answer = None
        self.came_back = threading.Event()
        self.listener = Listener(self._handler())

    @property
    def redirect_uri(self):
        return f"http://127.0.0.1:{self.listener.server_port}/signed-in"

    @property
    def address(self):
        digest = hashlib.sha256(self.verifier.encode()).digest()
        query = {
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "state": self.state,
            "code_challenge": base64.urlsafe_b64encode(digest).decode().rstrip("="),
            "code_challenge_method": "S256",
        }
        return f"{self.server}/sign-in/app?" + urllib.parse.urlencode(query)

    def wait(self):
        """The parameters that the browser brought to the port."""
        assert self.came_back.wait(TIMEOUT_SECONDS), "the browser did not come back"
        assert self.answer["state"] == self.state
        return self.answer

    def redeem(self):
        return requests.post(
            f"{self.api}/api/sessions/code",
            json={
                "code": self.answer["code"],
                "codeVerifier": self.verifier,
                "redirectUri": self.redirect_uri,
                "clientId": self.client_id,
            },
            timeout=TIMEOUT_SECONDS,
        )

    def account(self, token):
        answer = requests.get(
            f"{self.api}/api/account",
            headers={"Authorization": f"Bearer {token}"},
            timeout=TIMEOUT_SECONDS,
        )
        assert answer.status_code == 200, answer.text
        return answer.json()

    def close(self):
        self.listener.close()

    def _handler(app):
        class AppHandler(Handler):
            def do_GET(self):
                path, _, query = self.path.partition("?")
                if path != "/signed-in":
                    self.answer(404)
                    return
                app.answer = dict(urllib.parse.parse_qsl(query))
                text = "<!DOCTYPE html><title>Signed in</title><p>You can go back to the app."
                self.answer_text(200, HTML, text)
                app.came_back.set()

        return AppHandler
