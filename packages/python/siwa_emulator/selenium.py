"""The sheet, with Selenium."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from siwa_emulator.emulator import TIMEOUT_SECONDS

if TYPE_CHECKING:
    from selenium.webdriver.remote.webdriver import WebDriver
    from selenium.webdriver.remote.webelement import WebElement

    from siwa_emulator.apple import Person


def sign_in_on_sheet(browser: WebDriver, person: Person, email: Literal["hide", "share"] | None = "hide") -> None:
    """Signs a person in on the sheet that the browser shows, and presses Continue.

    `email` is the choice of a person who is new to the app; with None it stays as it is. Wait for your own page then.
    """
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.wait import WebDriverWait

    def find(selector: str) -> WebElement:
        return WebDriverWait(browser, TIMEOUT_SECONDS).until(lambda it: it.find_element(By.CSS_SELECTOR, selector))

    find("[name=email]").send_keys(person.email)
    find("[name=password]").send_keys(person.password)
    find("button[value=sign-in]").click()
    find("[name=code]").send_keys(find("#shown-code").text)
    find("button[value=two-factor]").click()
    if email:
        find(f"[name=email_choice][value={email}]").click()
    find("button[value=continue]").click()
