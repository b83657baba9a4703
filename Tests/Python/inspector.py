"""Judges pages: axe, the width, the language."""

from axe_core_python.selenium import Axe
from selenium.webdriver.common.by import By


class Inspector:
    """Judges the page that a browser shows."""

    def __init__(self, browser, look):
        self.browser = browser
        self.look = look
        self.seen = []

    def inspect(self, name):
        self.seen.append(name)
        self.browser.keep_picture(f"{name}-{self.look[0]}")
        result = Axe().run(self.browser.driver)
        findings = [
            (finding["id"], finding["nodes"][0]["html"])
            for finding in result["violations"]
            if finding["impact"] in ("serious", "critical")
        ]
        assert findings == [], (name, findings)
        assert not self.browser.is_too_wide, name
        language = self.browser.driver.find_element(By.TAG_NAME, "html")
        expected = "en" if name.startswith("console") else self.look[4]
        assert language.get_attribute("lang") == expected, name
        self.browser.look(*self.look[1:])
