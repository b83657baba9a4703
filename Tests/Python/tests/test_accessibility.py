"""Every page of the emulator under axe: wide and narrow, light and dark, in both directions."""

import pathlib
import re
import smtplib
from email.message import EmailMessage

import pytest
import requests
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from inspector import Inspector
from sheet import Sheet

OTHER_EMAIL = "pia@example.com"
MANAGED_EMAIL = "student@school.example.com"

# Name, width, height, color scheme, language.
LOOKS = {
    "en": [("wide-light-en", 1000, 800, "light", "en"), ("phone-dark-en", 375, 700, "dark", "en")],
    "ar": [("phone-light-ar", 375, 700, "light", "ar")],
    "ja": [("wide-dark-ja", 1000, 800, "dark", "ja")],
    "de": [("phone-light-de", 375, 700, "light", "de")],
}

CONSOLE_PAGES = [
    ("console-overview", "/"),
    ("console-people", "/console/people"),
    ("console-person", "/console/people/{email}"),
    ("console-apps", "/console/apps"),
    ("console-client", "/console/apps/client/{service}"),
    ("console-keys", "/console/keys"),
    ("console-inbox", "/console/inbox"),
    ("console-mail", "/console/inbox/1"),
    ("console-refused-mail", "/console/inbox/2"),
    ("console-notifications", "/console/notifications"),
    ("console-clock", "/console/clock"),
    ("console-faults", "/console/faults"),
    ("console-requests", "/console/requests"),
    ("console-missing", "/console/nothing"),
]

# The sign-in page as at Apple: only the form, which has the focus.
WITHOUT_BUTTONS = '{"person_buttons":false}'


@pytest.fixture
def browser(chromium):
    chromium.forget()
    return chromium


@pytest.fixture
def people(world):
    """Besides the world's person, one with several addresses and one that a school manages."""
    others = ["pia@work.example.com", "pia@home.example.com"]
    names = {"given_name": "Pia", "family_name": "Nyström", "other_emails": others}
    world.add_person(OTHER_EMAIL, two_factor=False, **names)
    world.add_person(MANAGED_EMAIL, two_factor=False, given_name="Timo", managed=True)
    return world


def answer_page(world, language):
    """The page that posts itself to the app, without the script that would."""
    sheet = Sheet()
    sheet.session.headers["Accept-Language"] = language
    sheet.open(world.authorize_url())
    sheet.press("cancel")
    return re.sub(r"<script>.*?</script>", "", sheet.page.text)


def walk_the_sheet(world, browser, inspector):
    browser.open(world.authorize_url())
    inspector.inspect("sign-in")
    browser.fill(email=world.email, password="wrong")
    browser.press("sign-in")
    inspector.inspect("sign-in-error")
    browser.fill(email=world.email, password=world.password)
    browser.press("sign-in")
    inspector.inspect("two-factor")
    browser.enter_code()
    inspector.inspect("consent")
    browser.press("continue")
    browser.wait_for_address(world.redirect_uri)
    browser.open(world.authorize_url())
    inspector.inspect("returning")
    browser.press("switch-account")
    browser.fill(email=OTHER_EMAIL, password=world.password)
    browser.press("sign-in")
    inspector.inspect("consent-addresses")
    browser.open(world.authorize_url())
    inspector.inspect("chooser")
    browser.press("switch-account")
    browser.fill(email=MANAGED_EMAIL, password=world.password)
    browser.press("sign-in")
    inspector.inspect("consent-managed")


def walk_the_account(world, browser, inspector):
    """The account page of a person with several addresses and an app that they are hidden from."""
    world.credentials(OTHER_EMAIL, email="hide")
    account = world.apple + "/account"
    browser.forget()
    browser.open(account)
    inspector.inspect("account-sign-in")
    browser.fill(email=world.email, password="wrong")
    browser.send("/account/sign-in")
    inspector.inspect("account-sign-in-error")
    browser.fill(email=world.email, password=world.password)
    browser.send("/account/sign-in")
    inspector.inspect("account-two-factor")
    browser.forget()
    browser.open(account)
    browser.fill(email=OTHER_EMAIL, password=world.password)
    browser.send("/account/sign-in")
    inspector.inspect("account")
    for name, path in [("account-app", "app"), ("account-stop", "stop-using")]:
        browser.open(f"{account}/{path}?client_id={world.app_id}")
        inspector.inspect(name)
    browser.open(f"{account}/delete")
    inspector.inspect("account-delete")
    browser.open(f"{account}/app?client_id=com.example.none")
    inspector.inspect("account-failure")


def walk_the_popup(world, browser, inspector):
    """The page that answers an opener; opened by nobody, it says so."""
    browser.forget()
    world.decide_next(email="share")
    browser.open(world.authorize_url(response_mode="web_message"))
    inspector.inspect("web-message")


def fill_the_console(world):
    """Something on every page, long words and refusals among it."""
    world.credentials(email="hide")
    world.call("POST", f"/people/{world.email}/stop-using", {"client_id": world.app_id})
    world.credentials(email="hide")
    world.token(world.services_id, grant_type="authorization_code", code="wrong")
    world.add("/faults", endpoint="token", status=502, body="<h1>Bad Gateway</h1>")
    world.call("PATCH", "/switches", {"boolean_claims": "text"})
    world.call("POST", "/signing-keys/rotate", {"keep_old": True})
    message = EmailMessage()
    message["From"] = "Shop <" + "news-of-the-day-" * 3 + "@shop.example.com>"
    message["To"] = world.email
    message["Subject"] = "A glass of juice, " + "unbreakable" * 12
    message.set_content("Hello\n")
    message.add_alternative("<h1>Hello</h1><p>Juice</p>", subtype="html")
    host, port = world.smtp.split(":")
    with smtplib.SMTP(host, int(port), timeout=60) as relay:
        relay.send_message(message)
        with pytest.raises(smtplib.SMTPRecipientsRefused):
            relay.sendmail("a@b.example.com", ["x@privaterelay.appleid.com"], "x")
    inbox = world.call("GET", "/mail")["messages"]
    world.call("POST", f"/mail/{inbox[0]['id']}/reply", {"text": "Hi"}, expecting=201)


def open_details(browser):
    browser.driver.execute_script(
        "document.querySelectorAll('details').forEach((part) => { part.open = true; })"
    )


def walk_the_console(world, browser, inspector):
    fill_the_console(world)
    for name, path in CONSOLE_PAGES:
        path = path.replace("{email}", world.email).replace("{service}", world.services_id)
        browser.open(world.control + path)
        open_details(browser)
        inspector.inspect(name)


def walk_the_flows(world, browser, inspector, folder):
    """The list of sign-ins, the longest of each kind, and one as a file to share."""
    browser.open(world.control + "/flows")
    inspector.inspect("console-flows")
    flows = world.call("GET", "/flows")["flows"]
    for kind in ["web", "native", "unlinked"]:
        of_kind = [flow for flow in flows if flow["kind"] == kind]
        longest = max(of_kind, key=lambda flow: flow["step_count"])
        browser.open(f"{world.control}/flows/{longest['id']}")
        open_details(browser)
        inspector.inspect(f"console-flow-{kind}")
        file = pathlib.Path(folder / f"{kind}.html")
        address = f"{world.control}/flows/{longest['id']}.html"
        page = requests.get(address, timeout=60)
        file.write_text(page.text, encoding="utf-8")
    browser.open(file.as_uri())
    open_details(browser)
    inspector.inspect("console-flow-file")


@pytest.mark.parametrize("language", LOOKS)
def test_no_page_has_a_finding(people, browser, language, tmp_path):
    inspector = Inspector(browser, *LOOKS[language])
    walk_the_sheet(people, browser, inspector)
    browser.open(people.authorize_url(redirect_uri="https://other.example.com/"))
    inspector.inspect("failure")
    browser.open(people.apple)
    inspector.inspect("home")
    page = pathlib.Path(tmp_path / "answer.html")
    page.write_text(answer_page(people, language), encoding="utf-8")
    browser.open(page.as_uri())
    inspector.inspect("form-post")
    walk_the_popup(people, browser, inspector)
    walk_the_account(people, browser, inspector)
    count = 20
    # The console and the flows are in English only.
    if language == "en":
        walk_the_console(people, browser, inspector)
        walk_the_flows(people, browser, inspector, tmp_path)
        count += 5 + len(CONSOLE_PAGES)
    assert len(inspector.seen) == count


def test_the_keyboard_is_enough(people, browser):
    browser.look(*LOOKS["en"][0][1:])
    browser.open(people.authorize_url(siwa_switches=WITHOUT_BUTTONS))

    browser.type(people.email, Keys.TAB, people.password, Keys.ENTER)
    code = browser.driver.find_element(By.ID, "shown-code").text
    browser.type(code, Keys.ENTER)
    browser.field("given_name").send_keys(Keys.CONTROL, "a")
    browser.field("given_name").send_keys("Nina", Keys.TAB, Keys.TAB, Keys.ARROW_DOWN)
    checked = browser.driver.find_element(By.CSS_SELECTOR, "input[type=radio]:checked")
    assert checked.get_attribute("value") == "hide"
    browser.type(Keys.ENTER)
    browser.wait_for_address(people.redirect_uri)
    entries = people.call("GET", "/requests")["requests"]
    assert [entry["status"] for entry in entries[-4:]] == [200] * 4
    person = next(
        person
        for person in people.call("GET", "/state")["people"]
        if person["email"] == people.email
    )
    assert person["consents"][0]["email"] == "hide"


def test_a_persons_button_needs_no_typing(people, browser):
    browser.look(*LOOKS["en"][0][1:])
    browser.open(people.authorize_url())
    buttons = browser.driver.find_elements(By.CSS_SELECTOR, "button.person")
    action = next(
        button.get_attribute("value") for button in buttons if people.email in button.text
    )
    browser.press(action)
    browser.press("continue")
    browser.wait_for_address(people.redirect_uri)


def test_focus_starts_where_the_person_goes_on(people, browser):
    browser.look(*LOOKS["en"][0][1:])

    # A browser moves the focus after it has drawn the page.
    def wait_for_focus(name):
        def is_focused(driver):
            return driver.switch_to.active_element.get_attribute("name") == name

        browser.wait_until(is_focused, f"the focus is not on {name}")

    browser.open(people.authorize_url(siwa_switches=WITHOUT_BUTTONS))
    wait_for_focus("email")
    browser.fill(email=people.email, password="wrong")
    browser.press("sign-in")
    wait_for_focus("password")
    alert = browser.driver.find_element(By.CSS_SELECTOR, "[role=alert]")
    assert browser.field("password").get_attribute("aria-describedby") == alert.get_attribute("id")
    browser.fill(password=people.password)
    browser.press("sign-in")
    wait_for_focus("code")
