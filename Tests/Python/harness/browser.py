"""Chromium and WebKit, driven over WebDriver."""

import os
import pathlib
import shutil
import subprocess

import pytest
from selenium import webdriver
from selenium.common.exceptions import TimeoutException, WebDriverException
from selenium.webdriver.chrome.service import Service as ChromeService
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support import expected_conditions
from selenium.webdriver.support.wait import WebDriverWait
from selenium.webdriver.webkitgtk.options import Options as WebKitOptions
from selenium.webdriver.webkitgtk.service import Service as WebKitService

PAGE_SECONDS_MAX = 60
LOOK_SECONDS = 0.05


class Browser:
    """One browser with a profile of its own."""

    def __init__(self, driver):
        self.driver = driver
        self.pictures = os.environ.get("SIWA_SCREENSHOTS")
        self.driver.set_page_load_timeout(PAGE_SECONDS_MAX)
        self.driver.set_script_timeout(PAGE_SECONDS_MAX)

    def open(self, url):
        self.driver.get(url)

    def field(self, name):
        return self.driver.find_element(By.NAME, name)

    def fill_form(self, address, **fields):
        """Types into the form to an address, where a page has several."""
        for name, text in fields.items():
            field = self.driver.find_element(
                By.CSS_SELECTOR, f'form[action="{address}"] [name="{name}"]'
            )
            field.clear()
            field.send_keys(text)

    def press(self, action):
        """Presses a button and waits for the next page."""
        self._click(f'button[value="{action}"]')

    def send(self, address):
        """Sends the form to an address by its button and waits for the next page."""
        self._click(f'form[action="{address}"] button:not(.person)')

    def follow(self, address):
        """Follows the link to an address and waits for the next page."""
        self._click(f'a[href="{address}"]')

    def type(self, *keys):
        """Types where the focus is; Enter waits for the next page."""
        page = self.driver.find_element(By.TAG_NAME, "html")
        self.driver.switch_to.active_element.send_keys(*keys)
        if Keys.ENTER in keys:
            self._wait_until_gone(page)

    def _click(self, selector):
        page = self.driver.find_element(By.TAG_NAME, "html")
        self.driver.find_element(By.CSS_SELECTOR, selector).click()
        self._wait_until_gone(page)

    def _wait_until_gone(self, page):
        self.wait_until(expected_conditions.staleness_of(page), "the page stays")

    def wait_for_address(self, beginning):
        """Waits until the browser is where a form that posts itself leads."""
        self.wait_until(
            lambda driver: driver.current_url.startswith(beginning)
            and driver.execute_script("return document.readyState") == "complete",
            f"the browser is not at {beginning}",
        )

    def wait_until(self, condition, problem):
        """What a condition answers once it holds; otherwise the test fails with the problem."""
        # While the next page comes, the driver may refuse to look, for as long as a page may take.
        wait = WebDriverWait(
            self.driver, 2 * PAGE_SECONDS_MAX, LOOK_SECONDS, ignored_exceptions=[WebDriverException]
        )
        try:
            return wait.until(condition)
        except TimeoutException:
            text = self.driver.find_element(By.TAG_NAME, "body").text
            pytest.fail(f"{problem}: {self.driver.current_url} has: {text}")

    def fill(self, **fields):
        for name, text in fields.items():
            self.field(name).clear()
            self.field(name).send_keys(text)

    def enter_code(self):
        self.fill(code=self.driver.find_element(By.ID, "shown-code").text)
        self.press("two-factor")

    @property
    def is_too_wide(self):
        return self.driver.execute_script(
            "return document.documentElement.scrollWidth > innerWidth"
        )

    def keep_picture(self, name):
        """Saves the page as a picture where SIWA_SCREENSHOTS or a test says so."""
        if not self.pictures:
            return
        path = pathlib.Path(self.pictures) / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        self.prepare_picture()
        self.driver.save_screenshot(str(path))

    def prepare_picture(self):
        """Has the browser show all that a picture shall have."""

    def quit(self):
        self.driver.quit()


class Chromium(Browser):
    """Chromium, as a person with a phone, a dark screen or another language has it."""

    def __init__(self):
        options = webdriver.ChromeOptions()
        binary = shutil.which("chromium") or shutil.which("google-chrome")
        if binary:
            options.binary_location = binary
        for argument in [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            # The page that answers the app leads to a name nobody has.
            "--host-resolver-rules=MAP python.example.com 127.0.0.1:9",
        ]:
            options.add_argument(argument)
        # The driver would let pages open popups that nobody asked for.
        options.add_experimental_option("excludeSwitches", ["disable-popup-blocking"])
        service = ChromeService(shutil.which("chromedriver"))
        super().__init__(webdriver.Chrome(options=options, service=service))

    def look(self, width, height, scheme, language):
        """Sets what the screen and the person are like."""
        command = self.driver.execute_cdp_cmd
        command(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )
        feature = {"name": "prefers-color-scheme", "value": scheme}
        command("Emulation.setEmulatedMedia", {"features": [feature]})
        command("Network.enable", {})
        command("Network.setExtraHTTPHeaders", {"headers": {"Accept-Language": language}})

    def forget(self):
        """Forgets all cookies, whatever their path."""
        self.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})

    def prepare_picture(self):
        height = self.driver.execute_script("return document.documentElement.scrollHeight")
        width = self.driver.execute_script("return innerWidth")
        metrics = {"width": width, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", metrics | {"height": max(height, 700)}
        )


class WebKit(Browser):
    """WebKitGTK, which has the engine of Safari, on a screen of its own."""

    SCREEN = (1000, 1400)

    def __init__(self):
        self.screen, display = self._start_screen()
        options = WebKitOptions()
        [binary] = pathlib.Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser")
        options.binary_location = str(binary)
        options.add_argument("--automation")
        # WebKit's sandbox does not start as root.
        environment = {"DISPLAY": display, "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
        service = WebKitService(shutil.which("WebKitWebDriver"), env=os.environ | environment)
        super().__init__(webdriver.WebKitGTK(options=options, service=service))
        self.driver.set_window_rect(0, 0, *self.SCREEN)

    def _start_screen(self):
        """Xvfb, which picks a free number, and the display's name."""
        reading, writing = os.pipe()
        width, height = self.SCREEN
        command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{width}x{height}x24"]
        screen = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as told:
            return screen, f":{told.readline().strip()}"

    def prepare_picture(self):
        # A picture has what was painted last, and the page may have changed since.
        self.driver.execute_async_script(
            "const done = arguments[0];"
            "requestAnimationFrame(() => requestAnimationFrame(() => done()));"
        )

    def quit(self):
        super().quit()
        self.screen.terminate()
        self.screen.wait()
