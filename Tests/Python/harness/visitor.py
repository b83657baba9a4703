"""People with a browser: on the accounts server, at Apple, and in a shop."""

import json
import urllib.parse

import requests
from selenium.webdriver.common.by import By

EMAIL = "maya@example.com"
PASSWORD = "apple"


class Visitor:
    """Somebody with a browser, on the accounts server and at Apple."""

    def __init__(self, demo, browser, email=EMAIL):
        self.demo = demo
        self.browser = browser
        self.email = email
        self.server = demo["server"].rstrip("/")

    def control(self, method, path, body=None):
        answer = requests.request(method, self.demo["control"] + path, json=body, timeout=60)
        assert answer.ok, answer.text
        return answer.json() if answer.content else None

    def element(self, selector):
        """An element, as soon as the page that comes has it."""
        return self.browser.wait_until(
            lambda driver: driver.find_element(By.CSS_SELECTOR, selector), f"no {selector}"
        )

    def text(self, selector="body"):
        return self.element(selector).text

    def has(self, selector):
        """Whether the page that is shown now has an element."""
        return bool(self.browser.driver.find_elements(By.CSS_SELECTOR, selector))

    def run(self, script):
        return self.browser.driver.execute_script(script)

    def picture(self, name):
        self.browser.keep_picture(name)

    def begin(self):
        """Presses the button of the sign-in page."""
        self.element("a.apple").click()

    def prove(self, pictures=None, second_factor=True):
        """Enters the password at Apple, and the code of the second factor."""
        self.element("[name=password]")
        if pictures:
            self.picture(f"{pictures}-password")
        self.browser.fill(email=self.email, password=PASSWORD)
        self.browser.press("sign-in")
        if second_factor:
            self.element("#shown-code")
            if pictures:
                self.picture(f"{pictures}-code")
            self.browser.enter_code()

    def consent(self, pictures=None):
        """Edits the name and hides the address."""
        self.element("[name=given_name]")
        undo = self.browser.driver.find_element(By.CSS_SELECTOR, "[value=undo-name]")
        assert not undo.is_displayed()
        self.browser.fill(given_name="Maja", family_name="Nilsson")
        assert undo.is_displayed()
        self.choose_email("hide")
        if pictures:
            self.picture(f"{pictures}-consent")
        self.press("continue")

    def choose_email(self, choice):
        self.element(f"[name=email_choice][value={choice}]").click()

    def press(self, action):
        """Presses a button of Apple's sheet, which can lead anywhere."""
        self.element(f'button[value="{action}"]').click()

    def has_session(self):
        return self.browser.driver.get_cookie("siwa-session") is not None

    def expect_account(self):
        self.browser.wait_for_address(self.server + "/")
        self.element('form[action="/sign-out"]')
        text = self.text()
        assert "Maja Nilsson" in text and "@privaterelay.appleid.com" in text
        assert self.email not in text
        assert self.has_session()

    def expect_sign_in_page(self):
        self.browser.wait_for_address(self.server + "/sign-in")
        self.element("a.apple")
        assert not self.has_session()


class Shopper(Visitor):
    """Somebody in a shop whose page loads Apple's script."""

    def __init__(self, demo, browser, shop, email=EMAIL):
        super().__init__(demo, browser, email)
        self.shop = shop
        self.window = browser.driver.current_window_handle

    def open(self, path="/", **page):
        self.shop.set_page(**page)
        self.browser.open(self.shop.address + path)

    def turn_to_shop(self):
        self.browser.driver.switch_to.window(self.window)

    def wait_for_windows(self, count):
        self.browser.wait_until(
            lambda driver: len(driver.window_handles) == count, f"not {count} windows"
        )

    def turn_to_popup(self, press=None):
        """Presses the shop's button, or does what opens a popup, and looks at that."""
        self.wait_for_windows(1)
        press = press or self.element("#try").click
        press()
        self.wait_for_windows(2)
        handles = self.browser.driver.window_handles
        self.browser.driver.switch_to.window(next(name for name in handles if name != self.window))

    def close_popups(self):
        driver = self.browser.driver
        for handle in driver.window_handles:
            if handle != self.window:
                driver.switch_to.window(handle)
                driver.close()
        self.turn_to_shop()

    @property
    def query(self):
        """The parameters of the page that is shown."""
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.browser.driver.current_url).query))

    def result(self, kind, number=1):
        """What the promise of a `signIn` came to in the shop's window."""
        self.turn_to_shop()
        self.browser.wait_until(
            lambda driver: len(driver.find_elements(By.CSS_SELECTOR, f"pre.{kind}")) >= number,
            f"no {kind}",
        )
        lines = self.browser.driver.find_elements(By.CSS_SELECTOR, f"pre.{kind}")
        return json.loads(lines[number - 1].text)

    def details(self, event):
        """The details of the events of one name that the shop's document got."""
        return [detail for name, detail in self.run("return window.heard") if name == event]

    def expect_failure(self, error):
        assert self.result("failure") == {"error": error}
        assert self.details("AppleIDSignInOnFailure") == [{"error": error}]
