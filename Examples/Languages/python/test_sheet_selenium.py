"""The real sheet in Chromium, by Selenium."""

import shutil

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.expected_conditions import url_to_be
from selenium.webdriver.support.wait import WebDriverWait


@pytest.fixture
def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage"]:
        options.add_argument(argument)
    # Without a driver of the system, Selenium brings one.
    browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    browser.implicitly_wait(20)
    yield browser
    browser.quit()


def test_a_person_signs_in_on_the_sheet(siwa, person, app, browser):
    def find(selector):
        return browser.find_element(By.CSS_SELECTOR, selector)

    browser.get(siwa.authorize_url())
    find("[name=email]").send_keys(person.email)
    find("[name=password]").send_keys(person.password)
    find("button[value=sign-in]").click()
    find("[name=code]").send_keys(find("#shown-code").text)
    find("button[value=two-factor]").click()
    find("[name=email_choice][value=hide]").click()
    find("button[value=continue]").click()
    WebDriverWait(browser, 20).until(url_to_be(siwa.return_url))
    user = app.redeem(app.next_form()["code"])
    assert user["is_private_email"] in (True, "true")
