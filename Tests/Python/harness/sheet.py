"""A browser without JavaScript: reads the sheet's forms and presses their buttons."""

from html.parser import HTMLParser
from urllib.parse import parse_qsl, urljoin, urlsplit

import requests

from world import TIMEOUT_SECONDS


class Page(HTMLParser):
    """The first form of a page, its headings, and the code of the trusted device."""

    def __init__(self, address, text):
        super().__init__()
        self.address = address
        self.text = text
        self.action = None
        self.method = None
        self.fields = []
        self.buttons = []
        self.shown_code = ""
        self.heading = ""
        self._inside = None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "form" and self.action is None:
            self.action = urljoin(self.address, values["action"])
            self.method = values["method"]
        elif tag == "input" and values.get("name"):
            if values.get("type") != "radio" or "checked" in values:
                self.fields.append((values["name"], values.get("value") or ""))
        elif tag == "button" and values.get("name") == "action":
            self.buttons.append(values["value"])
        elif tag == "output":
            self._inside = "output"
        elif tag == "h1":
            self._inside = "h1"

    def handle_endtag(self, tag):
        if tag == self._inside:
            self._inside = None

    def handle_data(self, data):
        if self._inside == "output":
            self.shown_code += data
        elif self._inside == "h1":
            self.heading += data


class Sheet:
    """A person at the sheet, with the cookies of one browser."""

    def __init__(self):
        self.session = requests.Session()
        self.page = None
        self.redirect = None

    def open(self, url):
        return self._read(self._send("GET", url))

    def press(self, action, **answers):
        """Submits the page's form by the button with this action."""
        assert action in self.page.buttons, self.page.text
        fields = dict(self.page.fields) | answers | {"action": action}
        return self._read(self._send("POST", self.page.action, data=fields))

    def sign_in(self, email, password):
        """Goes through password and two-factor step."""
        page = self.press("sign-in", email=email, password=password)
        if "two-factor" in page.buttons:
            page = self.press("two-factor", code=page.shown_code)
        return page

    def form_post(self):
        """The fields that the page would post to the app, and where."""
        assert not self.page.buttons, self.page.text
        assert self.page.method == "post", self.page.text
        return self.page.action, dict(self.page.fields)

    def _send(self, method, url, **options):
        response = self.session.request(
            method, url, timeout=TIMEOUT_SECONDS, allow_redirects=False, **options
        )
        while response.is_redirect:
            target = urljoin(response.url, response.headers["Location"])
            if urlsplit(target).netloc != urlsplit(response.url).netloc:
                self.redirect = target
                break
            response = self.session.get(target, timeout=TIMEOUT_SECONDS, allow_redirects=False)
        return response

    def _read(self, response):
        self.page = Page(response.url, response.text)
        self.status = response.status_code
        return self.page


def redirect_parameters(url):
    """The parameters of a redirect, from its query or its fragment."""
    parts = urlsplit(url)
    return dict(parse_qsl(parts.query or parts.fragment))
