"""The real sheet in Chromium, by Selenium."""

import shutil

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.expected_conditions import url_to_be
from selenium.webdriver.support.wait import WebDriverWait

from siwa_emulator.selenium import sign_in_on_sheet


@pytest.fixture
def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage"]:
        options.add_argument(argument)
    # Without a driver of the system, Selenium brings one.
    browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    yield browser
    browser.quit()


def test_a_person_signs_in_on_the_sheet(apple, apple_person, app, browser):
    browser.get(apple.authorize_url())
    sign_in_on_sheet(browser, apple_person, email="hide")
    WebDriverWait(browser, 20).until(url_to_be(apple.return_url))
    user = app.redeem(app.next_form()["code"])
    assert user["is_private_email"] in (True, "true")
