"""The real sheet in Chromium, by Playwright."""

import shutil

import pytest
from playwright.sync_api import sync_playwright


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


def test_a_person_signs_in_on_the_sheet(siwa, person, app, page):
    page.goto(siwa.authorize_url())
    page.fill("[name=email]", person.email)
    page.fill("[name=password]", person.password)
    page.click("button[value=sign-in]")
    page.fill("[name=code]", page.inner_text("#shown-code"))
    page.click("button[value=two-factor]")
    page.check("[name=email_choice][value=hide]")
    page.click("button[value=continue]")
    page.wait_for_url(siwa.return_url)
    user = app.redeem(app.next_form()["code"])
    assert user["is_private_email"] in (True, "true")
