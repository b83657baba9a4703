"""A shop on an origin of its own, whose page loads Apple's script."""

import html
import json

import requests

from listener import HTML, Handler, Listener

PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>Shop</title>
{head}
<script>
window.heard = [];
for (const name of ["AppleIDSignInOnSuccess", "AppleIDSignInOnFailure", "AppleIDSigInLoaded"])
  document.addEventListener(name, (event) => heard.push([name, event.detail]));
function settings(changes) {{
  return {{ clientId: "{client_id}", redirectURI: location.origin + "/callback",
    scope: "name email", state: "s-1", nonce: "n-1", usePopup: true, ...changes }};
}}
function show(kind, result) {{
  const line = document.createElement("pre");
  line.className = kind;
  line.textContent = JSON.stringify(result);
  document.body.append(line);
}}
function attempt(changes) {{
  const promise = AppleID.auth.signIn(changes);
  sessionStorage.returned = typeof promise;
  promise?.then((result) => show("success", result), (problem) => show("failure", problem));
}}
</script>
<script src="{apple}/appleauth/static/jsapi/appleid/1/{locale}/appleid.auth.js"></script>
<script>{start}</script>
<body style="font-family: system-ui; padding: 2rem">
<h1>Shop</h1>
<p><button id="try" onclick="attempt()">Sign in</button></p>
{body}
"""


class Shop:
    """One shop, which Apple knows; its page is that of `PAGE` with `parts`."""

    client_id = "com.example.shop.web"

    def __init__(self, demo):
        self.apple = demo["apple"].rstrip("/")
        self.callback_count = 0
        self.parts = {}
        self.set_page()
        self.listener = Listener(self._handler())
        service = {
            "client_id": self.client_id,
            "primary_client_id": "com.example.juice",
            "name": "Shop",
            "return_urls": [self.redirect_uri],
        }
        requests.post(demo["control"] + "/services", json=service, timeout=60).raise_for_status()

    @property
    def address(self):
        return f"http://localhost:{self.listener.server_port}"

    @property
    def redirect_uri(self):
        return self.address + "/callback"

    def set_page(self, settings=None, head="", body="", locale="en_US"):
        """Decides on the page; with settings, it tells the script what to ask."""
        start = "" if settings is None else f"AppleID.auth.init(settings({json.dumps(settings)}))"
        self.parts = {"start": start, "head": head, "body": body, "locale": locale}

    @property
    def page(self):
        return PAGE.format(apple=self.apple, client_id=self.client_id, **self.parts)

    def close(self):
        self.listener.close()

    def _handler(shop):
        class ShopHandler(Handler):
            def do_GET(self):
                # A page that parts itself from its popups.
                policy = "same-origin" if self.path == "/parted" else "unsafe-none"
                fields = {"Cross-Origin-Opener-Policy": policy}
                self.answer_text(200, HTML, shop.page, fields)

            def do_POST(self):
                shop.callback_count += 1
                form = html.escape(self.body().decode())
                self.answer_text(200, HTML, f"<title>Callback</title><pre id=form>{form}</pre>")

        return ShopHandler
