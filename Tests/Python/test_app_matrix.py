"""siwa app in a terminal: ways in that change, a server that dies, and a device that is not as it should be."""

import contextlib
import re

import pytest
import requests

from conftest import running_demo
from line import Line
from test_app import make_person, opened, opened_on_device, options, sign_in, sign_in_to_device

SIZE = (80, 24)
PASSWORD = "seven ripe oranges"


@pytest.fixture
def line(demo):
    """The line between the app and its server."""
    port = re.search(r":(\d+)", demo["server"].split("//")[1]).group(1)
    line = Line("127.0.0.1", int(port))
    line.connect()
    yield line
    line.cut()


@contextlib.contextmanager
def app_on_line(demo, line, data, *more):
    arguments = options(demo, data, *more)
    arguments[arguments.index("--server") + 1] = f"http://127.0.0.1:{line.port}"
    with opened(SIZE, *arguments) as terminal:
        yield terminal


def test_first_password_unlink_link_and_change(demo, tmp_path):
    with opened_on_device(demo, tmp_path, "ways") as (terminal, _):
        sign_in(terminal)
        terminal.choose("Account", shows="Apple is your only sign-in method")
        terminal.choose("Set a password", shows="New password")
        terminal.fill("ida.ways", PASSWORD)
        terminal.wait_for("Your password is saved")
        terminal.wait_for("Password (ida.ways)")
        terminal.keep("account-two-ways")
        terminal.choose("Unlink Apple Account", shows="no longer linked")
        terminal.keep("account-unlinked")
        terminal.choose("Link Apple Account", shows="asks you to sign in")
        terminal.choose("Continue", shows="Your Apple Account is linked")
        terminal.choose("Change password", shows="Current password")
        terminal.fill("wrong", "nine green limes")
        terminal.wait_for("! The username or password is incorrect")
        terminal.focus("Current password")
        terminal.fill(PASSWORD, "nine green limes")
        terminal.wait_for("Your password is saved")


def test_server_down_at_the_first_sign_in_gets_the_name_once(demo, tmp_path, line):
    email = make_person(demo, "pending")
    with app_on_line(demo, line, tmp_path, "--person", email) as terminal:
        sign_in_to_device(terminal, email)
        line.cut()
        sign_in(terminal, "Almost done")
        terminal.keep("pending")
        terminal.choose("Try again now", shows="The server still does not respond")
        line.connect()
        terminal.choose("Try again now", shows="You are signed in")
        terminal.wait_for("Lund")
        terminal.choose("Quit")
    with app_on_line(demo, line, tmp_path) as terminal:
        terminal.wait_for("You are signed in")
        assert line.count("POST /api/sessions/apple") == 1


def test_the_app_starts_when_the_server_is_down(demo, tmp_path, line):
    line.cut()
    with app_on_line(demo, line, tmp_path) as terminal:
        terminal.wait_for("With Apple you need no password")
        sign_in(terminal, "Almost done")
        line.connect()
        terminal.choose("Try again now", shows="You are signed in")


def test_a_signed_in_app_starts_when_server_and_emulator_are_down(demo, tmp_path):
    with opened_on_device(demo, tmp_path, "offline") as (terminal, _):
        sign_in(terminal)
        terminal.choose("Quit")
    nowhere = "http://127.0.0.1:9"
    with opened(SIZE, "app", "--server", nowhere, "--control", nowhere, "--data", str(tmp_path)) as terminal:
        terminal.wait_for("You are signed in")


def test_server_that_dies_while_the_app_runs(demo, tmp_path, line):
    email = make_person(demo, "dies")
    with app_on_line(demo, line, tmp_path, "--person", email) as terminal:
        sign_in_to_device(terminal, email)
        sign_in(terminal)
        line.cut()
        terminal.choose("Account", shows="! The server can't be reached")
        terminal.wait_for("Sign-in methods")
        terminal.keep("server-gone")
        line.connect()
        terminal.choose("Sessions", shows="this device")
        assert "!" not in terminal.text


def test_another_person_on_the_device(demo, tmp_path):
    second = make_person(demo, "second")
    with opened_on_device(demo, tmp_path, "first") as (terminal, _):
        sign_in(terminal)
        terminal.choose("Settings of the device")
        terminal.choose("Sign out of the Apple Account", shows="Email address")
        terminal.focus("Email address")
        terminal.press("C-u")
        terminal.fill(second, "apple")
        terminal.wait_for("Sign out of the Apple Account")
        terminal.press("Escape")
        terminal.choose("Secure task")
        # The device does not know the first person any more, and the server does.
        terminal.choose("Show the recipe", shows="Three oranges")
        terminal.choose("Sign in again, then show it", shows="asks you to sign in")
        terminal.choose("Continue", shows="Another Apple Account")
        # The page itself says it, once.
        assert "!" not in terminal.text
        terminal.keep("another-person")
        terminal.choose("Go to sign-in")
        sign_in(terminal)
        terminal.wait_for(second)


def test_app_that_moved_to_another_team(tmp_path):
    # The app is gone from its team afterwards, so this Apple is nobody else's.
    with running_demo(tmp_path / "demo") as demo, \
            opened(SIZE, *options(demo, tmp_path / "app", "--person", "maya@example.com")) as terminal:
        sign_in_to_device(terminal, "maya@example.com")
        sign_in(terminal)
        for path, body in [
            ("/teams", {"team_id": "JUICETEAM2"}),
            ("/transfers", {"client_id": "com.example.juice", "to_team": "JUICETEAM2"}),
        ]:
            answer = requests.post(demo["control"] + path, timeout=20, json=body)
            assert answer.ok, answer.text
        terminal.choose("Secure task")
        terminal.choose("Show the recipe", shows="Juice has a new owner")
        terminal.keep("moved")


def test_two_factor_off_and_slow_answers(demo, tmp_path):
    with opened_on_device(demo, tmp_path, "trials") as (terminal, _):
        terminal.choose("Settings of the device")
        terminal.choose("Turn two-factor authentication off", shows="Turn two-factor authentication on")
        terminal.press("Escape")
        terminal.choose("Sign in with Apple", shows="Two-factor authentication is off")
        terminal.keep("alert-two-factor")
        terminal.choose("Open Settings")
        terminal.choose("Turn two-factor authentication on", shows="Turn two-factor authentication off")
        terminal.choose("Respond after 3 seconds", shows="Respond at once")
        terminal.keep("settings-trials")
        terminal.press("Escape")
        terminal.choose("Sign in with Apple", shows="Please wait")
        terminal.wait_for("asks you to sign in")
        terminal.choose("Continue", shows="You are signed in")
