"""The emulator's console in Chromium: pages that update themselves, and mail."""

import smtplib
from email.message import EmailMessage

import requests
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support import expected_conditions

from visitor import EMAIL, Visitor

STAYS = "return window.stays"


def watch_list(operator):
    operator.browser.open(operator.demo["control"] + "/flows")
    assert "No flows yet" in operator.text()
    operator.run("window.stays = true")
    refused = operator.demo["apple"] + "/auth/authorize?client_id=com.example.typo"
    assert requests.get(refused, timeout=60).status_code == 400
    operator.element("li.state-refused.fresh")
    body = {"client_id": "com.example.juice", "scopes": ["name", "email"], "email": "share"}
    operator.control("POST", f"/people/{EMAIL}/credentials", body)
    operator.element("li.state-authorized")
    assert operator.run(STAYS) is True


def watch_flow(operator):
    operator.element("ol#flows > li:first-child > a").click()
    operator.browser.wait_until(lambda _: operator.text("h1") == "Juice", "the flow is not shown")
    operator.element("summary").click()
    operator.run("window.stays = true")
    assert "requests authorization on the device" in operator.text()
    operator.control("POST", f"/people/{EMAIL}/stop-using", {"client_id": "com.example.juice"})
    for part in ["li.notification", "li.attempt", "span.pill.revoked"]:
        operator.element(part)
    assert operator.run(STAYS) is True
    assert operator.has("li:first-child > details[open]")


def test_flows_draw_themselves_and_a_file_tells_the_same(demo, chromium, tmp_path):
    operator = Visitor(demo, chromium)
    watch_list(operator)
    watch_flow(operator)
    answer = requests.get(chromium.driver.current_url + ".html", timeout=60)
    assert answer.status_code == 200
    file = tmp_path / "flow.html"
    file.write_bytes(answer.content)
    chromium.open(file.as_uri())
    text = operator.text()
    assert "requests authorization on the device" in text and "consent-revoked" in text
    radius = "return getComputedStyle(document.querySelector('.diagram')).borderTopLeftRadius"
    assert operator.run(radius) != "0px", "the file's policy must allow its style"


def send_mail(demo):
    """Sends a mail to an address that belongs to no person, with a link to the server in text and HTML."""
    link = f"{demo['server']}/sign-in"
    mail = EmailMessage()
    mail["From"] = "news@juice.example.com"
    mail["To"] = "pia@new.example.com"
    mail["Subject"] = "A long letter"
    mail.set_content(f"Sign in: {link}")
    lines = "".join(f"<p>Line {number}</p>" for number in range(40))
    mail.add_alternative(f'{lines}<a href="{link}" target="_self">Sign in</a>', subtype="html")
    host, port = demo["smtp"].rsplit(":", 1)
    with smtplib.SMTP(host, int(port), timeout=60) as client:
        client.send_message(mail)
    return link


def expect_new_tab(browser, link):
    """Clicks the link in the current page or frame, and closes the tab that it opens."""
    driver = browser.driver
    here = driver.current_window_handle
    driver.find_element(By.CSS_SELECTOR, f'a[href="{link}"]').click()
    browser.wait_until(lambda _: len(driver.window_handles) == 2, "the link opens no tab")
    driver.switch_to.window(driver.window_handles[1])
    driver.close()
    driver.switch_to.window(here)


def test_the_inbox_updates_itself_and_mail_is_shown_whole(demo, chromium):
    operator = Visitor(demo, chromium)
    chromium.open(demo["control"] + "/console/inbox")
    operator.run("window.stays = true")
    link = send_mail(demo)
    item = operator.element("#messages-list > li.fresh")
    assert "A long letter" in item.text and "unread" in item.text and "pia@new.example.com" in item.text
    assert operator.run(STAYS) is True
    operator.element("#messages-list a").click()
    size = """
        const frame = document.querySelector("iframe.mail");
        const root = frame.contentDocument.documentElement;
        return root.scrollHeight > 1000 && root.scrollHeight === root.clientHeight;
    """
    chromium.wait_until(lambda _: operator.run(size), "the frame is not as high as its mail")
    expect_new_tab(chromium, link)
    chromium.driver.switch_to.frame(operator.element("iframe.mail"))
    expect_new_tab(chromium, link)
    chromium.open(demo["control"] + "/console/inbox?q=letter")
    assert operator.has("#messages-list > li.read")


def test_a_switch_is_set_when_it_is_chosen(demo, chromium):
    visitor = Visitor(demo, chromium)
    control = demo["control"]
    chromium.open(control + "/console/faults")
    choice = "#switch-token_type select"
    page = visitor.element("html")
    visitor.run(f"const it = document.querySelector('{choice}'); it.value = 'bearer';"
                "it.dispatchEvent(new Event('change', {bubbles: true}))")
    chromium.wait_until(expected_conditions.staleness_of(page), "the page stays")
    assert visitor.control("GET", "/switches")["token_type"] == "bearer"
    # With the keyboard, the choice is made when the field is left.
    page = visitor.element("html")
    visitor.element("#switch-token_type select").send_keys(Keys.ARROW_UP)
    assert visitor.control("GET", "/switches")["token_type"] == "bearer"
    chromium.driver.switch_to.active_element.send_keys(Keys.TAB)
    chromium.wait_until(expected_conditions.staleness_of(page), "the page stays")
    assert visitor.control("GET", "/switches")["token_type"] == "Bearer"
