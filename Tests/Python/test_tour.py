"""The tour on the console's first page: a newcomer walks its four steps with the demo."""

import contextlib
import itertools

import requests
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from browser import PAGE_SECONDS_MAX
from conftest import running_demo, running_emulator
from inspector import Inspector

# Name, width, height, color scheme, language.
LOOKS = [
    ("wide-light-en", 1200, 800, "light", "en"),
    ("wide-dark-en", 1200, 800, "dark", "en"),
    ("phone-light-en", 390, 800, "light", "en"),
    ("phone-dark-en", 390, 800, "dark", "en"),
]
EMAIL = "maya@example.com"
PASSWORD = "apple"
STEPS = ["sign-in", "stop-using", "broken-secret", "mail"]


class Newcomer:
    """Somebody with a browser on the console."""

    def __init__(self, addresses, browser, *looks):
        self.addresses = addresses
        self.browser = browser
        self.inspector = Inspector(browser, *looks)
        self.turns = itertools.cycle(looks)
        browser.forget()

    def open(self, query=""):
        self.browser.open(self.addresses["control"] + "/" + query)

    def inspect(self, name):
        """Judges the page in every look; the next step is done in another one than the last."""
        self.open()
        self.inspector.inspect(f"console-tour-{name}")
        self.browser.look(*next(self.turns)[1:])

    def part(self, step):
        return self.browser.driver.find_element(By.ID, f"tour-{step}")

    @property
    def done(self):
        """The steps that the page shows as done, each with its drawing."""
        done = [step for step in STEPS if self.part(step).find_elements(By.CSS_SELECTOR, ".place.done")]
        drawn = [step for step in STEPS if self.part(step).find_elements(By.CSS_SELECTOR, ".excerpt .step")]
        assert done == drawn
        return done

    def titles(self, step):
        """What the arrows of a step's drawing say."""
        labels = self.part(step).find_elements(By.CSS_SELECTOR, ".excerpt .label strong")
        return [label.get_attribute("textContent") for label in labels]

    def press(self, step):
        self.browser.send(f"/console/tour/{step}")
        notice = self.browser.driver.find_element(By.CSS_SELECTOR, "[role=status]")
        assert notice.is_displayed()

    @contextlib.contextmanager
    def site(self, step):
        """The site that a step's link opens beside the console."""
        driver = self.browser.driver
        console = driver.current_window_handle
        self.part(step).find_element(By.CSS_SELECTOR, "a.button").click()
        WebDriverWait(driver, PAGE_SECONDS_MAX).until(lambda driver: len(driver.window_handles) == 2)
        driver.switch_to.window(next(name for name in driver.window_handles if name != console))
        self.browser.wait_for_address(self.addresses["server"])
        yield
        driver.close()
        driver.switch_to.window(console)

    def sign_in(self, knows_password=False):
        """Goes through the site's sign-in and Apple's sheet, and hides the address."""
        self.browser.open(self.addresses["server"].rstrip("/") + "/sign-in/apple")
        if not knows_password:
            self.browser.fill(email=EMAIL, password=PASSWORD)
            self.browser.press("sign-in")
            self.browser.enter_code()
        self.browser.driver.find_element(By.CSS_SELECTOR, "input[name=email_choice][value=hide]").click()
        self.browser.press("continue")
        self.browser.wait_for_address(self.addresses["server"])


def test_all_four_steps_with_the_demo(chromium, tmp_path):
    with running_demo(tmp_path) as addresses:
        newcomer = Newcomer(addresses, chromium, *LOOKS)
        newcomer.inspect("begin")
        assert newcomer.done == []

        with newcomer.site("sign-in"):
            newcomer.sign_in()
        newcomer.inspect("signed-in")
        assert newcomer.done == STEPS[:1]
        assert newcomer.titles("sign-in")[0] == "requests authorization"
        assert newcomer.titles("sign-in")[-1] == "exchanges the code"

        newcomer.press("stop-using")
        requests.get(addresses["control"] + "/notifications?wait=20", timeout=30)
        newcomer.inspect("stopped")
        assert newcomer.done == STEPS[:2]
        assert "notification 1: consent-revoked" in newcomer.titles("stop-using")

        newcomer.press("refuse-secret")
        newcomer.inspect("secret-refused-next")
        assert newcomer.done == STEPS[:2]
        with newcomer.site("broken-secret"):
            newcomer.sign_in(knows_password=True)
        newcomer.inspect("secret-refused")
        assert newcomer.done == STEPS[:3]

        newcomer.press("mail")
        newcomer.inspect("all-done")
        assert newcomer.done == STEPS
        assert newcomer.titles("mail") == ["sends a mail", "forwards it"]


def test_all_four_steps_without_a_site_in_a_world(chromium, tmp_path):
    with running_emulator() as addresses:
        newcomer = Newcomer(addresses, chromium, LOOKS[2])
        newcomer.open("?siwa_world=tour")
        newcomer.press("sign-in")
        assert newcomer.done == STEPS[:1]
        newcomer.press("stop-using")
        assert newcomer.done == STEPS[:2]
        newcomer.press("broken-secret")
        assert newcomer.done == STEPS[:3]
        newcomer.press("mail")
        newcomer.inspect("world")
        assert newcomer.done == STEPS
        newcomer.open("?siwa_world=")
        assert newcomer.done == []
