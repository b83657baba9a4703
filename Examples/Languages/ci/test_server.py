"""A person signs in to a running server, in a browser without scripts."""

import html
import os
import re

import requests

SERVER = "http://localhost:8080"
CONTROL = os.environ["SIWA_CONTROL_URL"]
TIMEOUT_SECONDS = 20


def control(path, **fields):
    response = requests.post(CONTROL + path, json=fields, timeout=TIMEOUT_SECONDS)
    assert response.ok, response.text


def test_a_person_signs_in():
    control("/authorizations/next", person="maya@example.com", decision="continue", email="hide")
    browser = requests.Session()
    answer = browser.get(f"{SERVER}/sign-in/apple", timeout=TIMEOUT_SECONDS).text
    inputs = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', answer)
    form = {name: html.unescape(value) for name, value in inputs}
    page = browser.post(f"{SERVER}/sign-in/apple/callback", data=form, timeout=TIMEOUT_SECONDS)
    assert page.ok and "@privaterelay.appleid.com" in page.text, page.text
