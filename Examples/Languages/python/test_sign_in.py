"""A person's whole way through an app: sign in, get mail, stop using it."""

import json
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest


def test_a_person_signs_in_gets_mail_and_leaves(siwa, person, decision, app):
    decision("continue", email="hide")
    user = app.redeem(siwa.answer()["code"])
    assert user["email"].endswith("@privaterelay.appleid.com")

    app.write(user["email"], subject="Welcome")
    assert [mail["subject"] for mail in person.mail()] == ["Welcome"]

    person.stop_using()
    event = app.next_notification()
    assert (event["type"], event["sub"]) == ("consent-revoked", user["sub"])


def test_a_person_cancels(siwa, decision):
    decision("cancel")
    assert siwa.answer()["error"] == "user_cancelled_authorize"


def test_a_code_expires(siwa, decision, clock, app):
    decision("continue")
    code = siwa.answer()["code"]
    clock(301)
    with pytest.raises(HTTPError, match="400"):
        app.redeem(code)
    assert siwa.last_refusal() == "the code is older than 300 seconds"


def test_other_tests_at_the_same_emulator_see_none_of_this(siwa, decision, app):
    siwa.post("/signing-keys/rotate", keep_old=False)
    siwa.post("/faults", endpoint="keys", status=503)
    with pytest.raises(HTTPError, match="503"):
        urlopen(f"{siwa.apple}/auth/keys")
    keys = json.load(urlopen(f"{siwa.apple}/auth/keys"))["keys"]
    assert [key["kid"] for key in keys] == siwa.get("/state")["signing_keys"]

    app.write("maya@example.com", subject=siwa.client_id)
    mail = siwa.get("/mail?person=maya@example.com")["messages"]
    assert [message["subject"] for message in mail] == [siwa.client_id]

    decision("cancel")
    assert siwa.answer()["error"] == "user_cancelled_authorize"
