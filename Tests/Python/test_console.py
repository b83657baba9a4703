"""The emulator's console in Chromium: somebody who looks instead of guessing, and watches sign-ins draw themselves."""

import smtplib
from email.message import EmailMessage

import pytest
import requests
from selenium.webdriver.common.by import By

from visitor import EMAIL, Visitor


class Operator(Visitor):
    """Somebody on the console."""

    def go(self, title):
        """Goes to another page by the navigation."""
        self.find(f"//nav//a[text()='{title}']").click()
        self.find(f"//nav//a[@aria-current][text()='{title}']")

    def find(self, path):
        """An element by its XPath, as soon as the page that comes has it."""
        return self.browser.wait_until(lambda driver: driver.find_element(By.XPATH, path), f"no {path}")

    def fact(self, name):
        return self.find(f"//dt[text()='{name}']/following-sibling::dd[1]").text

    def expect_notice(self, words):
        self.find(f"//*[@role='status'][. = '{words}']")

    def credentials(self):
        body = {"client_id": "com.example.juice", "scopes": ["name", "email"], "email": "share"}
        return self.control("POST", f"/people/{EMAIL}/credentials", body)


@pytest.fixture
def operator(demo, chromium):
    chromium.forget()
    chromium.open(demo["control"])
    return Operator(demo, chromium)


def test_the_clock_is_moved(operator):
    operator.go("Clock")
    operator.browser.fill_form("/console/clock/advance", days="2")
    operator.find("//button[text()='Move the clock']").click()
    operator.expect_notice("Apple’s clock was changed.")
    assert operator.fact("Offset") == "2 d ahead"
    operator.picture("console-clock-moved")


def test_keys_are_rotated(operator):
    operator.go("Keys")
    key = "//tr[td//span[text()='current']][1]//code"
    old = operator.find(key).text
    operator.browser.send("/console/keys/rotate")
    operator.expect_notice("Apple now signs with new keys.")
    assert operator.find(key).text != old
    operator.find(f"//tr[td//code[text()='{old}']]//span[text()='still published']")
    operator.picture("console-keys-rotated")


def test_a_mail_is_answered(operator):
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "noah@shop.example.com", EMAIL, "Your glass"
    mail.set_content("It is full.")
    host, port = operator.fact("Mail (SMTP)").rsplit(":", 1)
    with smtplib.SMTP(host, int(port), timeout=20) as relay:
        relay.send_message(mail)
    operator.go("Inbox")
    operator.find("//a[.='Your glass']").click()
    operator.find("//form[@action='/console/inbox/1/reply']")
    operator.browser.fill_form("/console/inbox/1/reply", text="Thank you, it was good.")
    operator.browser.send("/console/inbox/1/reply")
    operator.expect_notice("The reply was sent.")
    operator.find("//pre[contains(., 'it was good')]")
    operator.picture("console-mail-answered")


def test_faults_are_cleared(operator):
    operator.control("POST", "/faults", {"endpoint": "token", "status": 502})
    operator.go("Faults & switches")
    operator.find("//span[text()='status 502']")
    operator.picture("console-fault")
    operator.browser.send("/console/faults/clear")
    operator.expect_notice("All faults were cleared.")
    assert "No faults." in operator.text()


def watch_list(operator):
    operator.control("POST", "/reset")
    operator.browser.open(operator.demo["control"] + "/flows")
    assert "No flows yet" in operator.text()
    operator.picture("flows-1-none")
    operator.run("window.stays = true")
    refused = requests.get(
        operator.demo["apple"] + "/auth/authorize", params={"client_id": "com.example.typo"}, timeout=20
    )
    assert refused.status_code == 400
    operator.element("li.state-refused.fresh")
    operator.credentials()
    operator.element("li.state-authorized")
    assert operator.run("return window.stays") is True
    operator.picture("flows-2-list")


def watch_flow(operator):
    operator.element("ol#flows > li:first-child > a").click()
    operator.find("//h1[. = 'Juice']")
    operator.element("summary").click()
    operator.run("window.stays = true")
    assert "requests authorization on the device" in operator.text()
    operator.control("POST", f"/people/{EMAIL}/stop-using", {"client_id": "com.example.juice"})
    for part in ["li.notification", "li.attempt", "span.pill.revoked"]:
        operator.element(part)
    assert operator.run("return window.stays") is True
    assert operator.has("li:first-child > details[open]")
    operator.picture("flows-3-flow")


def test_flows_draw_themselves_and_a_file_tells_the_same(operator, tmp_path):
    watch_list(operator)
    watch_flow(operator)
    answer = requests.get(operator.browser.driver.current_url + ".html", timeout=20)
    assert answer.status_code == 200
    file = tmp_path / "flow.html"
    file.write_bytes(answer.content)
    operator.browser.open(file.as_uri())
    text = operator.text()
    assert "requests authorization on the device" in text and "consent-revoked" in text
    radius = operator.run("return getComputedStyle(document.querySelector('.diagram')).borderTopLeftRadius")
    assert radius != "0px", "the file's policy must allow its style"
    operator.picture("flows-4-file")
