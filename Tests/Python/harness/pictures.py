"""Signs Maya in with a real browser, and saves what she sees: pages, and one animated picture.

usage: python pictures.py OUTPUT_FOLDER
"""

import base64
import html
import pathlib
import sys
import tempfile

from selenium.webdriver.common.by import By

from apng import animated
from browser import Chromium
from processes import running_demo
from sheet import Sheet
from world import World

WIDTH, HEIGHT = 760, 600
FRAME_SECONDS = 3

# What stands around a screen: the address above, what happens below.
FRAME = """
<meta charset="utf-8">
<style>
  body {{ margin: 0; font: 15px system-ui, sans-serif; background: #e8e8ed; color: #1d1d1f }}
  .address {{ margin: 9px 14px; padding: 5px 14px; border-radius: 8px; background: #fff; color: #515154 }}
  img {{ display: block; width: {width}px; height: {height}px }}
  p {{ margin: 0; padding: 12px 16px; font-size: 17px }}
  b {{ margin-right: 8px; color: #0066cc }}
</style>
<div class="address">{address}</div><img src="data:image/png;base64,{screen}"><p><b>{number}</b>{caption}</p>
"""


class Film:
    """Screens of one browser, each with its address and a sentence."""

    def __init__(self, browser):
        self.browser = browser
        self.screens = []

    def take(self, caption, address):
        self.browser.look(WIDTH, HEIGHT, "light", "en")
        screen = self.browser.driver.get_screenshot_as_base64()
        self.screens.append((caption, address, screen))

    def frames(self):
        """The screens with what stands around them, as pictures."""
        for number, (caption, address, screen) in enumerate(self.screens, 1):
            page = FRAME.format(
                width=WIDTH, height=HEIGHT, address=html.escape(address), screen=screen, number=number,
                caption=html.escape(caption),
            )
            with tempfile.NamedTemporaryFile("w", suffix=".html", encoding="utf-8") as file:
                file.write(page)
                file.flush()
                self.browser.look(WIDTH, HEIGHT + 96, "light", "en")
                self.browser.open("file://" + file.name)
                yield base64.b64decode(self.browser.driver.get_screenshot_as_base64())


def play(browser, addresses):
    """A first sign-in from the button to the account, and what was recorded of it."""
    film = Film(browser)
    site, apple = "http://localhost:8080", "http://127.0.0.1:8081"
    browser.driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
    browser.look(WIDTH, HEIGHT, "light", "en")
    browser.open(addresses["server"])
    film.take("Your site: press Sign in with Apple", site + "/sign-in")
    browser.open(addresses["server"].rstrip("/") + "/sign-in/apple")
    browser.fill(email="maya@example.com", password="apple")
    film.take("An Apple of your own: sign in as one of its people", apple + "/auth/authorize")
    browser.press("sign-in")
    browser.enter_code()
    browser.fill(given_name="Maja", family_name="Nilsson")
    browser.driver.find_element(By.CSS_SELECTOR, "input[name=email_choice][value=hide]").click()
    browser.keep_picture("sheet")
    browser.look(WIDTH, HEIGHT, "light", "en")
    browser.driver.execute_script("scrollTo(0, document.body.scrollHeight)")
    film.take("Edit the name, hide the address, continue", apple + "/auth/authorize")
    browser.press("continue")
    browser.wait_for_address(addresses["server"])
    browser.keep_picture("account")
    film.take("The account, with the name that Apple tells only once", site + "/")
    open_flow(browser, addresses)
    browser.driver.execute_script("document.querySelector('h1').scrollIntoView()")
    film.take(
        "What happened, request by request; a refusal with its reason and its fix",
        "http://127.0.0.1:8082/flows",
    )
    return film


def open_flow(browser, addresses):
    """Opens the latest sign-in."""
    browser.open(addresses["control"] + "/flows")
    browser.driver.find_element(By.CSS_SELECTOR, "a[href*='/flows/']").click()


def refuse(browser, addresses):
    """A sign-in whose first exchange of the code is refused."""
    world, sheet = World(addresses), Sheet()
    sheet.open(world.authorize_url())
    sheet.sign_in(world.email, world.password)
    sheet.press("continue")
    code = sheet.form_post()[1]["code"]
    for redirect_uri in [world.redirect_uri + "/", world.redirect_uri]:
        exchange = {"grant_type": "authorization_code", "code": code}
        world.token(world.services_id, redirect_uri=redirect_uri, **exchange)
    browser.look(WIDTH, HEIGHT, "light", "en")
    open_flow(browser, addresses)
    browser.keep_picture("flow")


def main(output):
    browser = Chromium()
    browser.pictures = output
    try:
        with tempfile.TemporaryDirectory() as data, running_demo(data) as addresses:
            film = play(browser, addresses)
            refuse(browser, addresses)
            frames = list(film.frames())
    finally:
        browser.quit()
    picture = animated(frames, [FRAME_SECONDS] * len(frames))
    pathlib.Path(output, "first-sign-in.png").write_bytes(picture)


if __name__ == "__main__":
    main(sys.argv[1])
