"""The tour on the console's first page: a newcomer walks its four steps with the demo."""

import contextlib
import itertools
from urllib.parse import urlparse

from selenium.webdriver.common.by import By

from conftest import running_emulator
from inspector import Inspector
from visitor import Visitor
from world import in_world

# Name, width, height, color scheme, language.
LOOKS = [
    ("wide-light-en", 1200, 800, "light", "en"),
    ("wide-dark-en", 1200, 800, "dark", "en"),
    ("phone-light-en", 390, 800, "light", "en"),
    ("phone-dark-en", 390, 800, "dark", "en"),
]
STEPS = ["sign-in", "stop-using", "broken-secret", "mail"]


class Newcomer(Visitor):
    """Somebody with a browser on the console."""

    def __init__(self, demo, browser, *looks):
        super().__init__(demo, browser)
        self.inspector = Inspector(browser, *looks)
        self.turns = itertools.cycle(looks)
        browser.forget()

    def inspect(self, name):
        """Judges the page in every look; the next step is done in another one than the last."""
        self.browser.open(self.demo["control"] + "/")
        self.inspector.inspect(f"console-tour-{name}")
        self.browser.look(*next(self.turns)[1:])

    def part(self, step):
        return self.element(f"#tour-{step}")

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
        world = urlparse(self.demo["control"]).path
        self.browser.send(f"{world}/console/tour/{step}")
        assert self.element("[role=status]").is_displayed()

    @contextlib.contextmanager
    def site(self, step):
        """The site that a step's link opens beside the console."""
        driver = self.browser.driver
        console = driver.current_window_handle
        self.element(f"#tour-{step} a.button").click()
        self.browser.wait_until(lambda driver: len(driver.window_handles) == 2, "no site opens")
        driver.switch_to.window(next(name for name in driver.window_handles if name != console))
        self.browser.wait_for_address(self.server)
        yield
        driver.close()
        driver.switch_to.window(console)

    def sign_in(self):
        """Goes through the site's sign-in and Apple's sheet, and hides the address."""
        self.browser.open(self.server + "/sign-in/apple")
        if self.has("[name=password]"):
            self.prove()
        self.choose_email("hide")
        self.browser.press("continue")
        self.browser.wait_for_address(self.server)


def test_all_four_steps_with_the_demo(demo, chromium):
    newcomer = Newcomer(demo, chromium, *LOOKS)
    newcomer.inspect("begin")
    assert newcomer.done == []

    with newcomer.site("sign-in"):
        newcomer.sign_in()
    newcomer.inspect("signed-in")
    assert newcomer.done == STEPS[:1]
    assert newcomer.titles("sign-in")[0] == "requests authorization"
    assert newcomer.titles("sign-in")[-1] == "exchanges the code"

    newcomer.press("stop-using")
    newcomer.control("GET", "/notifications?wait=10")
    newcomer.inspect("stopped")
    assert newcomer.done == STEPS[:2]
    assert "notification 1: consent-revoked" in newcomer.titles("stop-using")

    newcomer.press("refuse-secret")
    newcomer.inspect("secret-refused-next")
    assert newcomer.done == STEPS[:2]
    with newcomer.site("broken-secret"):
        newcomer.sign_in()
    newcomer.inspect("secret-refused")
    assert newcomer.done == STEPS[:3]

    newcomer.press("mail")
    newcomer.inspect("all-done")
    assert newcomer.done == STEPS
    assert newcomer.titles("mail") == ["sends a message", "forwards it"]


def test_the_tour_of_a_world_is_done_in_that_world(chromium):
    with running_emulator() as addresses:
        own = in_world(addresses, "tour")
        newcomer = Newcomer(own | {"server": ""}, chromium, LOOKS[2])
        chromium.open(own["control"])
        for index, step in enumerate(STEPS):
            newcomer.press(step)
            assert newcomer.done == STEPS[: index + 1]
        newcomer.inspect("world")
        chromium.open(addresses["control"])
        assert newcomer.done == []
