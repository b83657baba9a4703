"""A person's whole way through an app: sign in, get mail, stop using it."""

import json
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest


def test_a_person_signs_in_gets_mail_and_leaves(apple, apple_person, decision, app):
    decision("continue", email="hide")
    user = app.redeem(apple.answer()["code"])
    assert user["email"].endswith("@privaterelay.appleid.com")

    app.write(user["email"], subject="Welcome")
    assert [mail["subject"] for mail in apple_person.mail()] == ["Welcome"]

    apple_person.stop_using()
    event = app.next_notification()
    assert (event["type"], event["sub"]) == ("consent-revoked", user["sub"])


def test_a_person_cancels(apple, decision):
    decision("cancel")
    assert apple.answer()["error"] == "user_cancelled_authorize"


def test_a_code_expires(apple, decision, apple_clock, app):
    decision("continue")
    code = apple.answer()["code"]
    apple_clock(301)
    with pytest.raises(HTTPError, match="400"):
        app.redeem(code)
    assert apple.last_refusal() == "the code is older than 300 seconds"


def test_other_tests_at_the_same_emulator_see_none_of_this(apple, decision, app):
    apple.post("/signing-keys/rotate", keep_old=False)
    apple.post("/faults", endpoint="keys", status=503)
    with pytest.raises(HTTPError, match="503"):
        urlopen(f"{apple.url}/auth/keys")
    keys = json.load(urlopen(f"{apple.url}/auth/keys"))["keys"]
    assert [key["kid"] for key in keys] == apple.get("/state")["signing_keys"]

    app.write("maya@example.com", subject=apple.client_id)
    mail = apple.get("/mail?person=maya@example.com")["messages"]
    assert [message["subject"] for message in mail] == [apple.client_id]

    decision("cancel")
    assert apple.answer()["error"] == "user_cancelled_authorize"
