"""The real sheet in Chromium, by Playwright."""

import shutil

import pytest
from playwright.sync_api import sync_playwright

from siwa_emulator.playwright import sign_in_on_sheet


@pytest.fixture
def page():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            # Without a Chromium of the system, `playwright install chromium` brings one.
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox"],
        )
        yield browser.new_page()
        browser.close()


def test_a_person_signs_in_on_the_sheet(apple, apple_person, app, page):
    page.goto(apple.authorize_url())
    sign_in_on_sheet(page, apple_person, email="hide")
    page.wait_for_url(apple.return_url)
    user = app.redeem(app.next_form()["code"])
    assert user["is_private_email"] in (True, "true")
