"""The emulator's console in Chromium: somebody watches sign-ins draw themselves."""

import requests

from visitor import EMAIL, Visitor

STAYS = "return window.stays"


def watch_list(operator):
    operator.browser.open(operator.demo["control"] + "/flows")
    assert "No flows yet" in operator.text()
    operator.run("window.stays = true")
    refused = operator.demo["apple"] + "/auth/authorize?client_id=com.example.typo"
    assert requests.get(refused, timeout=20).status_code == 400
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
    answer = requests.get(chromium.driver.current_url + ".html", timeout=20)
    assert answer.status_code == 200
    file = tmp_path / "flow.html"
    file.write_bytes(answer.content)
    chromium.open(file.as_uri())
    text = operator.text()
    assert "requests authorization on the device" in text and "consent-revoked" in text
    radius = "return getComputedStyle(document.querySelector('.diagram')).borderTopLeftRadius"
    assert operator.run(radius) != "0px", "the file's policy must allow its style"
