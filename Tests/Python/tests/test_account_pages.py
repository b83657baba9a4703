"""The accounts server's pages in Chromium: a person's whole life on them, with axe on every page."""

import re
import time

import pytest
from selenium.webdriver.common.keys import Keys

import visitor
from inspector import Inspector
from visitor import Visitor

PASSWORD = "seven ripe oranges"
NEW_PASSWORD = "nine green limes"
MAIL_SECONDS_MAX = 60

# Name, width, height, color scheme, language. A person has the first look of a language, and the
# pages are judged in both.
LOOKS = {
    "en": [("wide-light-en", 1000, 800, "light", "en"), ("phone-dark-en", 320, 640, "dark", "en")],
    "de": [("phone-light-de", 320, 640, "light", "de"), ("wide-dark-de", 1000, 800, "dark", "de")],
}


class Person(Visitor):
    """Somebody with a browser, an Apple Account and an inbox."""

    def __init__(self, demo, browser, name):
        super().__init__(demo, browser, f"{name}@example.com")
        self.name = name
        account = {"email": self.email, "given_name": "Pia", "password": visitor.PASSWORD}
        self.control("POST", "/people", account | {"two_factor": False})

    def open(self, path):
        self.browser.open(self.server + path)

    def send(self, address, **fields):
        self.browser.fill_form(address, **fields)
        self.browser.send(address)

    def follow(self, selector):
        """Follows a link and waits for the next page."""
        self.browser.follow(self.element(selector).get_dom_attribute("href"))

    @property
    def path(self):
        return "/" + self.browser.driver.current_url.split("/", 3)[3]

    @property
    def focused(self):
        return self.browser.driver.switch_to.active_element

    @property
    def told(self):
        """The code of the refusal that the page tells."""
        return self.element("[data-code]").get_attribute("data-code")

    def follow_mail(self, page):
        """Opens the latest mail's link to a page, which has to be in the person's inbox."""
        pattern = re.compile(rf"https?://\S+/{page}\?token=[\w-]+")
        deadline = time.monotonic() + MAIL_SECONDS_MAX
        while time.monotonic() < deadline:
            for entry in self.control("GET", f"/mail?email={self.email}")["messages"]:
                if self.email not in entry.get("recipient", entry.get("to")):
                    continue
                link = pattern.search(self.control("GET", f"/mail/{entry['id']}")["text"])
                if link:
                    self.open("/" + link.group().split("/", 3)[3])
                    return
            time.sleep(0.2)
        pytest.fail(f"no mail with a link to {page}")

    def pass_apple(self, first=True, hide=False):
        """Goes through Apple's sheet, from a page that has led there."""
        if self.has("[name=password]"):
            self.prove(second_factor=False)
        if first:
            self.choose_email("hide" if hide else "share")
        self.browser.press("continue")
        self.browser.wait_for_address(self.server)


def make_account(person, inspector):
    person.open("/")
    assert person.path == "/sign-in"
    assert person.element("footer a").get_attribute("href") == person.demo["control"] + "/"
    inspector.inspect("sign-in")
    person.element("summary").click()
    inspector.inspect("sign-in-unfolded")
    typed = {"name": "Pia Nyström", "username": person.name, "email": person.email}
    person.send("/create-account", **typed, password="2short")
    assert person.told == "password_too_short"
    inspector.inspect("sign-in-account-refused")
    assert person.focused.get_attribute("id") == "new-password-field"
    person.open("/create-account")
    inspector.inspect("create-account")
    person.send("/create-account", **typed, password="2short")
    assert person.told == "password_too_short"
    inspector.inspect("create-account-refused")
    person.send("/create-account", password=PASSWORD)
    assert person.path == "/"
    inspector.inspect("account-new")
    person.browser.send("/sign-out")
    person.follow_mail("verify-email")
    assert person.path.startswith("/sign-in?return_to=/verify-email")
    person.send("/sign-in/password", username=person.name, password=PASSWORD)
    assert person.email in person.text()
    inspector.inspect("verify-email")
    person.browser.send("/verify-email")
    assert person.path == "/?notice=email-verified"
    inspector.inspect("account-verified")


def forget_password(person, inspector):
    person.browser.send("/sign-out")
    for _ in range(3):
        person.send("/sign-in/password", username=person.name, password="wrong")
        assert person.told == "credentials_invalid"
    assert person.browser.field("username").get_attribute("value") == person.name
    assert person.browser.field("password").get_attribute("value") == ""
    inspector.inspect("sign-in-refused")
    person.browser.follow("/forgot-password")
    inspector.inspect("forgot-password")
    person.send("/forgot-password", username=person.name)
    inspector.inspect("forgot-password-sent")
    person.follow_mail("reset-password")
    inspector.inspect("reset-password")
    person.send("/reset-password", new_password=NEW_PASSWORD)
    assert person.path == "/reset-password"
    assert person.browser.field("username").get_attribute("value") == person.name
    inspector.inspect("sign-in-notice")
    person.send("/sign-in/password", password=NEW_PASSWORD)
    assert person.path == "/"


def change_things(person, inspector):
    person.open("/.well-known/change-password")
    assert person.path == "/?change=password#password"
    inspector.inspect("account-password")
    person.send("/account/password", current_password="wrong", new_password=PASSWORD)
    assert person.told == "credentials_invalid"
    inspector.inspect("account-password-refused")
    person.send("/account/password", current_password=NEW_PASSWORD, new_password=PASSWORD)
    assert person.path == "/?notice=password-changed"
    person.open("/?change=email")
    inspector.inspect("account-email")
    person.send("/account/email", email=f"new-{person.email}")
    assert person.path == "/?notice=link-sent"
    inspector.inspect("account-email-waits")
    person.browser.send("/account/email/cancel")
    assert person.path == "/?notice=email-change-cancelled"


def link_apple(person, inspector=None):
    person.open("/")
    person.follow("a[href='/account/apple']")
    if inspector:
        inspector.inspect("apple-link")
    person.follow("a[href*='purpose=link']")
    person.pass_apple()
    assert person.path == "/?notice=apple-linked"


def use_apple(person, inspector):
    link_apple(person, inspector)
    inspector.inspect("account-linked")
    person.browser.send("/sign-out")
    person.open("/sign-in/apple")
    person.pass_apple(first=False)
    assert person.name in person.text()
    person.open("/confirm?return_to=/account/delete")
    inspector.inspect("confirm")
    person.send("/sign-in/password", password=PASSWORD)
    assert person.path == "/account/delete"
    inspector.inspect("deletion")
    person.open("/")
    person.browser.follow("/account/apple")
    inspector.inspect("apple-unlink")
    person.browser.send("/account/apple/unlink")
    assert person.path == "/?notice=apple-unlinked"


def leave(person, inspector):
    person.open("/account/delete")
    person.browser.send("/account/delete")
    assert person.path == "/sign-in?notice=deleted"
    person.open("/sign-in/apple")
    person.pass_apple(hide=True)
    inspector.inspect("account-relay")
    assert person.name not in person.text()
    person.open("/reset-password?token=x" + "y" * 200)
    assert person.told == "link_invalid"
    inspector.inspect("link-invalid")


@pytest.mark.parametrize("language", LOOKS)
def test_a_whole_life(demo, chromium, language):
    chromium.forget()
    person = Person(demo, chromium, f"life-{language}")
    inspector = Inspector(chromium, *LOOKS[language])
    make_account(person, inspector)
    forget_password(person, inspector)
    change_things(person, inspector)
    use_apple(person, inspector)
    leave(person, inspector)
    assert len(inspector.seen) == len(set(inspector.seen)) == 24


# The contrast of a field's border to what is inside and outside of it, and the free space below
# the last session before the line of what follows.
BORDERS = """
const channels = (color) => color.match(/[\\d.]+/g).slice(0, 3).map(Number);
const luminance = (color) => {
  const [red, green, blue] = channels(color).map((value) => value / 255)
    .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one, other) => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};
const field = getComputedStyle(document.querySelector("input[name=name]"));
const card = getComputedStyle(document.querySelector(".card"));
return [field.backgroundColor, card.backgroundColor]
  .map((ground) => contrast(field.borderTopColor, ground));
"""
ROOM = """
const list = document.querySelector(".sessions");
const last = list.lastElementChild.querySelector(".sides").getBoundingClientRect();
return list.nextElementSibling.getBoundingClientRect().top - last.bottom;
"""


def test_borders_are_seen_and_the_last_session_has_room(demo, chromium):
    person = Person(demo, chromium, "bordered")
    for is_first in [True, False]:
        chromium.forget()
        person.open("/sign-in/apple")
        person.pass_apple(first=is_first)
    for look in LOOKS["en"]:
        chromium.look(*look[1:])
        person.open("/")
        assert min(person.run(BORDERS)) >= 3, look
        assert person.run(ROOM) >= 12, look


BUTTON = """
const button = document.querySelector("a.apple");
const [outside, logo, title] = [button, button.children[0], button.children[1]]
  .map((element) => element.getBoundingClientRect());
const style = getComputedStyle(button);
return {
  width: outside.width, height: outside.height, size: parseFloat(style.fontSize),
  logo: logo.height, before: logo.left - outside.left, after: outside.right - title.right,
  colors: [style.backgroundColor, style.color, style.borderTopColor],
};
"""
BLACK, WHITE = "rgb(0, 0, 0)", "rgb(255, 255, 255)"


@pytest.mark.parametrize("look", LOOKS["en"] + LOOKS["de"], ids=lambda look: look[0])
def test_apples_button_has_apples_proportions(demo, chromium, look):
    chromium.forget()
    chromium.look(*look[1:])
    person = Person(demo, chromium, f"button-{look[0]}")
    person.open("/sign-in")
    button = person.run(BUTTON)
    assert button["height"] == 44 and button["width"] >= 140
    # 43 % of the height, or less where the margins of 8 % leave no room for it.
    assert button["size"] <= 18.92
    assert button["size"] == 18.92 or look[1] < 400
    # The widths of titles are estimated, and DejaVu Sans is wider than the fonts of phones.
    assert min(button["before"], button["after"]) >= 0.07 * button["width"]
    assert button["logo"] == pytest.approx(1.35 * button["size"], abs=0.1)
    is_light = look[3] == "light"
    ground, ink = (BLACK, WHITE) if is_light else (WHITE, BLACK)
    assert button["colors"] == [ground, ink, ground]
    person.open("/sign-in/apple")
    person.pass_apple()
    person.open("/confirm")
    chromium.keep_picture(f"confirm-outlined-{look[0]}")
    outline = BLACK if is_light else WHITE
    assert person.run(BUTTON)["colors"] == [WHITE, BLACK, outline]


@pytest.mark.parametrize("language", LOOKS)
def test_a_reset_shows_what_else_opens_the_account(demo, chromium, language):
    chromium.forget()
    inspector = Inspector(chromium, *LOOKS[language])
    person = Person(demo, chromium, f"resetting-{language}")
    person.open("/create-account")
    person.send("/create-account", username=person.name, email=person.email, password=PASSWORD)
    person.follow_mail("verify-email")
    person.browser.send("/verify-email")
    link_apple(person)
    person.browser.send("/sign-out")
    person.open("/forgot-password")
    person.send("/forgot-password", username=person.name)
    person.follow_mail("reset-password")
    person.send("/reset-password", new_password=NEW_PASSWORD)
    inspector.inspect("sign-in-reset")
    assert "Apple Account" in person.text(".notice + .notice")
    person.send("/sign-in/password", password=NEW_PASSWORD)
    assert person.path == "/"


@pytest.mark.parametrize("language", LOOKS)
def test_a_strange_password_is_undone_or_removed(demo, chromium, language):
    """A person with Apple alone, in whose account somebody else sets a password."""
    chromium.forget()
    inspector = Inspector(chromium, *LOOKS[language])
    person = Person(demo, chromium, f"undoing-{language}")
    person.open("/sign-in/apple")
    person.pass_apple()
    add_password(person)
    inspector.inspect("account-password-strange")
    person.follow_mail("undo-change")
    inspector.inspect("undo-change")
    person.browser.send("/undo-change")
    assert person.path == "/undo-change"
    inspector.inspect("sign-in-undone")
    person.open("/sign-in/apple")
    person.pass_apple(first=False)
    assert person.name not in person.text("#password")
    add_password(person)
    person.browser.send("/account/password/remove")
    assert person.path == "/?notice=password-removed"
    assert person.name not in person.text("#password")


def add_password(person):
    person.open("/?change=password")
    person.send("/account/password", username=person.name, new_password=PASSWORD)
    assert person.path == "/?notice=password-changed"
    person.open("/?change=password")


def test_pages_from_right_to_left(demo, chromium):
    chromium.forget()
    inspector = Inspector(chromium, ("phone-light-ar", 320, 640, "light", "ar"))
    person = Person(demo, chromium, "right-to-left")
    person.open("/sign-in")
    inspector.inspect("sign-in")
    person.open("/create-account")
    person.send("/create-account", username=person.name, email=person.email, password=PASSWORD)
    assert person.path == "/"
    assert person.element("html").get_dom_attribute("dir") == "rtl"
    inspector.inspect("account-new")


def test_the_keyboard_is_enough(demo, chromium):
    chromium.forget()
    chromium.look(*LOOKS["en"][0][1:])
    person = Person(demo, chromium, "keyboard")
    person.open("/create-account")
    # The heading's link, then the fields in order.
    person.element("body").send_keys(Keys.TAB, Keys.TAB)
    chromium.type("Pia", Keys.TAB, person.name, Keys.TAB, Keys.TAB, "short", Keys.ENTER)
    focused = person.focused
    assert focused.get_attribute("name") == "password"
    described = focused.get_attribute("aria-describedby").split()
    alert = person.element("[role=alert]")
    assert alert.get_attribute("id") in described
    chromium.type(PASSWORD, Keys.ENTER)
    assert person.path == "/"
    person.element("body").send_keys(Keys.TAB)
    outline = "return getComputedStyle(document.activeElement).outlineStyle"
    assert person.run(outline) == "solid"


def test_an_account_is_made_on_the_sign_in_page_by_keyboard(demo, chromium):
    chromium.forget()
    chromium.look(*LOOKS["en"][0][1:])
    person = Person(demo, chromium, "unfolding")
    person.open("/sign-in")
    unfolded = person.element("details")
    assert unfolded.get_attribute("open") is None
    # The heading's link, Apple, two fields, the button, the forgotten password, and what unfolds.
    person.element("body").send_keys(*[Keys.TAB] * 7)
    summary = person.focused
    assert summary.tag_name == "summary"
    summary.send_keys(Keys.SPACE)
    assert unfolded.get_attribute("open") == "true"
    # The link of the logo is between the summary and the first field.
    chromium.type(Keys.TAB, Keys.TAB)
    chromium.type("Pia", Keys.TAB, person.name, Keys.TAB, Keys.TAB, PASSWORD, Keys.ENTER)
    assert person.path == "/"
    assert "Pia" in person.text()


def test_the_name_is_saved_once_it_was_changed_and_times_are_local(demo, chromium):
    chromium.forget()
    chromium.look(*LOOKS["en"][0][1:])
    person = Person(demo, chromium, "local")
    person.open("/create-account")
    person.send("/create-account", name="Pia", username=person.name, email=person.email, password=PASSWORD)
    save = person.element("form[action='/account/name'] button")
    assert not save.is_displayed()
    assert "UTC" not in person.text("time.moment")
    chromium.fill(name="Pia Nyström")
    assert save.is_displayed()
    person.send("/account/name", name="Pia Nyström")
    assert "Saved." in person.text()
    assert not person.element("form[action='/account/name'] button").is_displayed()
