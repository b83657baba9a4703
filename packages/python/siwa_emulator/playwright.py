"""The sheet, with Playwright."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from siwa_emulator.apple import Person


def sign_in_on_sheet(page: Page, person: Person, email: Literal["hide", "share"] | None = "hide") -> None:
    """Signs a person in on the sheet that the page shows, and presses Continue.

    `email` is the choice of a person who is new to the app; with None it stays as it is. Wait for your own page then.
    """
    page.fill("[name=email]", person.email)
    page.fill("[name=password]", person.password)
    page.click("button[value=sign-in]")
    page.fill("[name=code]", page.inner_text("#shown-code"))
    page.click("button[value=two-factor]")
    if email:
        page.check(f"[name=email_choice][value={email}]")
    page.click("button[value=continue]")
