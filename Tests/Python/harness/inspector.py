"""Judges pages: axe, the width, the language."""

import pathlib

import axe_playwright_python
from selenium.webdriver.common.by import By

# The package's Python drives another kind of browser; its script runs in each.
AXE = pathlib.Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")

# Every level of WCAG 2.2 up to AA, and axe's own recommendations. Only violations are reported, which is faster.
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = f"axe.run({{resultTypes: ['violations'], runOnly: {TAGS}}}).then(arguments[arguments.length - 1])"


class Inspector:
    """Judges the page that a browser shows, in every look; between pages the browser has the first one."""

    def __init__(self, browser, *looks):
        self.browser = browser
        self.looks = looks
        self.seen = []
        browser.look(*looks[0][1:])

    def inspect(self, name):
        self.seen.append(name)
        self.browser.driver.execute_script(AXE)
        for look in self.looks:
            self.browser.look(*look[1:])
            self._judge(name, look)
        self.browser.look(*self.looks[0][1:])

    def _judge(self, name, look):
        findings = [
            (finding["id"], finding["nodes"][0]["html"])
            for finding in self.browser.driver.execute_async_script(RUN)["violations"]
        ]
        assert findings == [], (name, look, findings)
        assert not self.browser.is_too_wide, (name, look)
        language = self.browser.driver.find_element(By.TAG_NAME, "html")
        assert language.get_attribute("lang") == look[4], (name, look)
        self.browser.keep_picture(f"{name}-{look[0]}")
