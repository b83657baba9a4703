"""A shop on an origin of its own, whose page loads Apple's script."""

import html
import http.server
import json
import threading

PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>Shop</title>
<script src="{apple}/appleauth/static/jsapi/appleid/1/en_US/appleid.auth.js"></script>
<script>
AppleID.auth.init({settings});
function show(kind, result) {{
  const line = document.createElement("pre");
  line.id = kind;
  line.textContent = JSON.stringify(result);
  document.body.append(line);
}}
function attempt() {{
  AppleID.auth.signIn()?.then(
    (result) => show("success", result), (problem) => show("failure", problem));
}}
</script>
<body style="font-family: system-ui; padding: 2rem">
<h1>Shop</h1>
<button onclick="attempt()">Sign in</button>
"""


class Shop:
    """One shop; `popup` decides how its page signs in."""

    client_id = "com.example.shop.web"

    def __init__(self, apple, popup):
        self.apple = apple.rstrip("/")
        self.popup = popup
        self.listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"http://localhost:{self.listener.server_port}"

    @property
    def redirect_uri(self):
        return self.address + "/callback"

    @property
    def page(self):
        settings = {
            "clientId": self.client_id,
            "redirectURI": self.redirect_uri,
            "scope": "name email",
            "state": "s-1",
            "nonce": "n-1",
            "usePopup": self.popup,
        }
        return PAGE.format(apple=self.apple, settings=json.dumps(settings))

    def close(self):
        self.listener.shutdown()
        self.listener.server_close()

    def _handler(shop):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.answer(shop.page)

            def do_POST(self):
                form = self.rfile.read(int(self.headers["Content-Length"])).decode()
                self.answer(f"<title>Callback</title><pre id=form>{html.escape(form)}</pre>")

            def answer(self, text):
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *arguments):
                pass

        return Handler
