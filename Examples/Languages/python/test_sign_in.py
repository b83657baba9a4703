"""A person's whole way through an app: sign in, get mail, stop using it."""

from urllib.error import HTTPError

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
