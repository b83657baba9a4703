"""siwa app in plain lines: the whole story of a person, in a pipe and at a terminal, and every way to leave."""

import contextlib
import re
import signal
import time
import urllib.parse

import pytest
import requests

from conftest import BINARY, REPOSITORY
from conversation import conversation
from processes import blocks, completed
from test_account_pages import Person
from visitor import Visitor

PASSWORD = "apple"
LOGIN = "With Apple you need no password"


def wait_for_echo(app, is_on):
    """The program changes the echo a moment before or after it prints the question."""
    end = time.monotonic() + 60
    while app.echoes != is_on:
        assert time.monotonic() < end, f"the echo did not become {is_on}"


def server(demo):
    """The demo's address by the name that every system resolves."""
    return f"http://localhost:{urllib.parse.urlsplit(demo['server']).port}"


def options(demo, data, *more):
    """How siwa app finds the demo."""
    return ["app", "--server", server(demo), "--control", demo["control"], "--data", str(data), *more]


def opened(*arguments, **how):
    return conversation([BINARY, *arguments], **how)


def control(demo, path, body):
    answer = requests.post(demo["control"] + path, timeout=20, json=body)
    assert answer.ok, answer.text


def make_person(demo, name):
    email = f"{name}@example.com"
    control(demo, "/people", {
        "email": email, "given_name": "Ida", "family_name": "Lund", "password": PASSWORD,
    })
    return email


def sign_in_to_device(app, email):
    app.wait_for("Simulated device: Settings")
    app.choose("Sign in to the device", "", PASSWORD, shows=f"Apple Account: {email}")
    app.choose("Back to the app", shows=LOGIN)


@contextlib.contextmanager
def opened_on_device(demo, data, name, **how):
    """The app on a device to which somebody of that name is signed in; the app and the address."""
    email = make_person(demo, name)
    with opened(*options(demo, data, "--person", email), **how) as app:
        sign_in_to_device(app, email)
        yield app, email


def sign_in(app, shows="You are signed in"):
    app.choose("Sign in with Apple", shows="asks you to sign in")
    agree(app, shows)


def agree(app, shows):
    """Continues on the sheet; the first time with the name and the address that it offers."""
    app.choose("Continue", *[""] * 3 * ("Given name" in app.text), shows=shows)


def first_sign_in(app):
    app.choose("Sign in with Apple", shows="Given name: Ida, Family name: Lund")
    app.choose("Continue", "Ĳda 家", "", "Hide my email", shows="Given name: Ĳda 家 Family name: Lund")
    assert re.search(r"^Email: \S+@privaterelay\.appleid\.com$", app.text, re.M)
    assert "private relay address" in app.words


@pytest.mark.parametrize("at_terminal", [False, True], ids=["pipe", "terminal"])
def test_whole_story(demo, tmp_path, at_terminal):
    name = "terminal" if at_terminal else "pipe"
    with opened_on_device(demo, tmp_path, name, at_terminal=at_terminal) as (app, _):
        first_sign_in(app)
        app.choose("Secure task")
        app.choose("Show the recipe", shows="Three oranges")
        app.choose("Back", shows="You are signed in")
        assert "Three oranges" not in app.text
        app.choose("Sign out", shows="You are signed out")
        app.choose("Sign in with Apple", shows="asks you to sign in")
        assert "Given name" not in app.text
        app.choose("Continue", shows="Ĳda 家")
        app.choose("Account", shows="Sign-in methods")
        app.choose("Sessions", shows="this device")
        app.choose("Back", shows="Sign-in methods")
        app.choose("Settings of the device", shows="Turn forwarding off for Juice")
        app.choose("Stop using Apple Account with Juice", shows="no longer uses your Apple Account")
        app.choose("Back to the app", shows="You stopped using Sign in with Apple")
        app.choose("Go to sign-in", shows=LOGIN)
        sign_in(app)
        app.choose("Account", shows="Sign-in methods")
        app.choose("Delete account", shows="permanently")
        app.choose("Delete my account", shows="Your account has been deleted")
        app.answer("Quit")
        assert app.end() == 0
        assert "\x1b" not in app.text


def test_a_withdrawn_consent_ends_the_secure_task(demo, tmp_path):
    with opened_on_device(demo, tmp_path, "withdrawn") as (app, email):
        sign_in(app)
        app.choose("Secure task")
        app.choose("Show the recipe", shows="Three oranges")
        control(demo, f"/people/{email}/stop-using", {"client_id": "com.example.juice"})
        # The page comes by itself.
        app.wait_for("You stopped using Sign in with Apple")
        app.choose("Go to sign-in", shows=LOGIN)


def test_the_website_signs_the_same_person_in(demo, chromium, tmp_path):
    chromium.forget()
    with opened_on_device(demo, tmp_path, "both") as (app, email):
        visitor = Visitor(demo, chromium, email)
        first_sign_in(app)
        chromium.open(visitor.server)
        visitor.begin()
        visitor.prove()
        visitor.element('button[value="continue"]')
        # Both clients are of one group: the website asks for no name.
        assert not visitor.has("[name=given_name]")
        visitor.press("continue")
        chromium.wait_for_address(visitor.server + "/")
        assert "Ĳda 家" in visitor.text()
        [relay] = re.findall(r"\S+@privaterelay\.appleid\.com", visitor.text())
        assert relay in app.text
        app.choose("Account", shows="Sign-in methods")
        app.choose("Sessions", shows="this device")
        assert app.text.count("last used") == 2, app.text


def test_cancelled_sheet_says_nothing(demo, tmp_path):
    with opened_on_device(demo, tmp_path, "cancel") as (app, _):
        app.choose("Sign in with Apple", shows="asks you to sign in")
        app.choose("Cancel", shows=LOGIN)
        assert "Problem" not in app.text


def test_no_apple_account(demo, tmp_path):
    with opened(*options(demo, tmp_path)) as app:
        app.choose("Settings of the device", shows="maya@example.com")
        app.choose("Sign out of the Apple Account", shows="Sign in to the device")
    with opened(*options(demo, tmp_path)) as app:
        app.choose("Sign in with Apple", shows="No user is signed in to this device")
        app.choose("Close", shows="Problem: This device could not sign in with Apple")


def test_password_account(demo, tmp_path):
    with opened(*options(demo, tmp_path)) as app:
        app.choose("Create an account", shows="Name (optional)")
        app.choose("Create an account", "Noor", "noor", "2short", shows="Problem: The password is too short")
        # The page has kept what was typed, but not the password.
        app.choose("Create an account", "", "", "seven ripe oranges", shows="Save the password?")
        app.choose("Save", shows="Not linked to an Apple Account")
        assert "Given name: Noor" in app.text
        app.answer("Quit")
        assert app.end() == 0
    with opened(*options(demo, tmp_path)) as app:
        app.wait_for("Not linked to an Apple Account")
        app.choose("Sign out", shows="You are signed out")


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_password_is_not_shown_and_a_signal_gives_the_terminal_back(demo, tmp_path, signal_number):
    with opened(*options(demo, tmp_path), at_terminal=True) as app:
        app.choose("Sign in", "noor", shows="Password:")
        wait_for_echo(app, False)
        app.answer("nine green limes")
        app.wait_for("Problem: The username or password is incorrect")
        wait_for_echo(app, True)
        assert "limes" not in app.text
        app.choose("Sign in", "", shows="Password:")
        wait_for_echo(app, False)
        app.process.send_signal(signal_number)
        assert app.process.wait(30) == 128 + signal_number
        wait_for_echo(app, True)


def test_wrong_answers_repeat_the_question(demo, tmp_path):
    email = make_person(demo, "wrong")
    with opened_on_device(demo, tmp_path, "unsure") as (app, _):
        for line in ["what", "0", "99", "-1", "", "Continu"]:
            app.choose(line, shows="That is not one of the choices.")
            assert "==" not in app.text
        app.choose("a" * 5000, shows="That line is too long.")
        app.choose("1", shows="asks you to sign in")
        app.choose("continue", "Iris\x1b[2J", "-", shows="Email:")
        # What is no choice shares no address.
        app.choose("3", shows="That is not one of the choices.")
        app.choose("2", shows="Given name: Iris[2J Family name: No name")
        app.choose("Settings of the device")
        app.choose("Sign out of the Apple Account")
        app.choose("Sign in to the device", email, "pear", shows="Problem:")
        assert "pear" not in app.text
        app.choose("Sign in to the device", "", PASSWORD, shows=email)


@pytest.mark.parametrize("lines", ["", "Create an account\nCreate an account\nNo", "Sign in\n\xff\n"])
def test_the_end_of_the_input_is_the_end(demo, tmp_path, lines):
    done = completed([BINARY, *options(demo, tmp_path)], stdin=None, input=lines, timeout=60)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert "== Juice: Sign in ==" in done.stdout and done.stdout.endswith("\n")


def test_signing_in_with_the_browser(demo, chromium, tmp_path):
    chromium.forget()
    person = Person(demo | {"server": server(demo)}, chromium, "browser")
    with opened(*options(demo, tmp_path, "--browser")) as app:
        app.choose("Sign in with the browser", shows="open this URL")
        first = shown_address(app)
        assert first.startswith(server(demo) + "/sign-in/app?")
        app.choose("Cancel", shows=LOGIN)
        assert "Problem" not in app.text
        app.choose("Sign in with the browser", shows="open this URL")
        second = shown_address(app)
        assert second != first
        chromium.open(second)
        chromium.press("cancel")
        app.wait_for(LOGIN)
        assert "Problem" not in app.text
        app.choose("Sign in with the browser", shows="open this URL")
        chromium.open(shown_address(app))
        person.follow("a.apple")
        person.pass_apple()
        chromium.press("continue")
        assert "go back to the app" in person.text()
        app.wait_for("You are signed in")
        assert "Pia" in app.text and person.email in app.text
        app.choose("Sign out", shows="You are signed out")


def shown_address(app):
    return re.search(r"^http://\S+$", app.text, re.M).group()


def masked(text):
    text = re.sub(r"[0-9]{6}\.[0-9a-f]{32}\.[0-9]{4}|\S+@privaterelay\.appleid\.com", "…", text)
    return re.sub(r" +$", "", text, flags=re.M)


def test_the_page_shows_a_conversation_on_a_new_device(demo, tmp_path):
    """Comes last: afterwards, a new device of Maya's account offers the sign-in immediately."""
    [shown] = blocks((REPOSITORY / "docs/reference/app.md").read_text(encoding="utf-8"), "text")
    answers = re.findall(r"^(?:Choose|.*clears it\)).*?: ?(.*)$", shown, re.M)
    done = completed([BINARY, *options(demo, tmp_path)], stdin=None, input="\n".join(answers[:-1]), timeout=60)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert masked(done.stdout).endswith(masked(shown)), done.stdout
