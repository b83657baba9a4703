"""siwa app: ways in that change, a server that dies, and a device that is not as it should be."""

import re

import pytest

from conftest import running_demo
from line import Line
from test_app import LOGIN, agree, control, make_person, opened, opened_on_device, options, sign_in, sign_in_to_device

PASSWORD = "seven ripe oranges"


@pytest.fixture
def line(demo):
    """The line between the app and its server."""
    port = re.search(r":(\d+)", demo["server"].split("//")[1]).group(1)
    line = Line("127.0.0.1", int(port))
    line.connect()
    yield line
    line.cut()


def app_on_line(demo, line, data, *more):
    arguments = options(demo, data, *more)
    arguments[arguments.index("--server") + 1] = f"http://127.0.0.1:{line.port}"
    return opened(*arguments)


def test_first_password_unlink_link_and_change(demo, tmp_path):
    with opened_on_device(demo, tmp_path, "ways") as (app, _):
        sign_in(app)
        app.choose("Account", shows="Apple is your only sign-in method")
        app.choose("Set a password", shows="New password")
        app.choose("Save", "ida.ways", PASSWORD, shows="Your password is saved")
        assert "Password (ida.ways)" in app.text
        app.choose("Unlink Apple Account", shows="no longer linked")
        app.choose("Link Apple Account", shows="asks you to sign in")
        agree(app, "Your Apple Account is linked")
        app.choose("Change password", shows="Current password")
        app.choose("Save", "wrong", "nine green limes", shows="Problem: The username or password is incorrect")
        app.choose("Save", PASSWORD, "nine green limes", shows="Your password is saved")


def test_server_down_at_the_first_sign_in_gets_the_name_once(demo, tmp_path, line):
    email = make_person(demo, "pending")
    with app_on_line(demo, line, tmp_path, "--person", email) as app:
        sign_in_to_device(app, email)
        line.cut()
        sign_in(app, "Almost done")
        app.choose("Try again now", shows="The server still does not respond")
        line.connect()
        app.choose("Try again now", shows="You are signed in")
        assert "Lund" in app.text
    with app_on_line(demo, line, tmp_path) as app:
        app.wait_for("You are signed in")
        assert "has not responded" not in app.text
        assert line.count("POST /api/sessions/apple") == 1


def test_the_app_starts_when_the_server_is_down(demo, tmp_path, line):
    line.cut()
    with app_on_line(demo, line, tmp_path) as app:
        app.wait_for(LOGIN)
        sign_in(app, "Almost done")
        line.connect()
        app.choose("Try again now", shows="You are signed in")


def test_a_signed_in_app_starts_when_server_and_emulator_are_down(demo, tmp_path):
    with opened_on_device(demo, tmp_path, "offline") as (app, _):
        sign_in(app)
    nowhere = "http://127.0.0.1:9"
    with opened("app", "--server", nowhere, "--control", nowhere, "--data", str(tmp_path)) as app:
        app.wait_for("You are signed in")
        assert "has not responded" in app.text


def test_server_that_dies_while_the_app_runs(demo, tmp_path, line):
    email = make_person(demo, "dies")
    with app_on_line(demo, line, tmp_path, "--person", email) as app:
        sign_in_to_device(app, email)
        sign_in(app)
        line.cut()
        app.choose("Account", shows="Problem: The server can't be reached")
        assert "Sign-in methods" in app.text
        line.connect()
        app.choose("Sessions", shows="this device")
        assert "Problem" not in app.text


def test_another_person_on_the_device(demo, tmp_path):
    second = make_person(demo, "second")
    with opened_on_device(demo, tmp_path, "first") as (app, _):
        sign_in(app)
        app.choose("Settings of the device")
        app.choose("Sign out of the Apple Account", shows="Email address")
        app.choose("Sign in to the device", second, "apple", shows="Sign out of the Apple Account")
        app.choose("Back to the app")
        app.choose("Secure task")
        # The device does not know the first person any more, and the server does.
        app.choose("Show the recipe", shows="Three oranges")
        app.choose("Sign in again, then show it", shows="asks you to sign in")
        agree(app, "Problem: This device is signed in to another Apple Account")
        app.choose("Back", shows="You are signed in")
        app.choose("Sign out", shows="You are signed out")
        sign_in(app)
        assert second in app.text


def test_app_that_moved_to_another_team(tmp_path):
    # The app is gone from its team afterwards, so this Apple is nobody else's.
    with running_demo(tmp_path / "demo") as demo, \
            opened(*options(demo, tmp_path / "app", "--person", "maya@example.com")) as app:
        sign_in_to_device(app, "maya@example.com")
        sign_in(app)
        control(demo, "/teams", {"team_id": "JUICETEAM2"})
        control(demo, "/transfers", {"client_id": "com.example.juice", "to_team": "JUICETEAM2"})
        app.choose("Secure task")
        app.choose("Show the recipe", shows="Juice has a new owner")


def test_two_factor_off_and_slow_answers(demo, tmp_path):
    with opened_on_device(demo, tmp_path, "trials") as (app, _):
        app.choose("Settings of the device")
        app.choose("Turn two-factor authentication off", shows="Turn two-factor authentication on")
        app.choose("Back to the app")
        app.choose("Sign in with Apple", shows="Two-factor authentication is off")
        app.choose("Open Settings")
        app.choose("Turn two-factor authentication on", shows="Turn two-factor authentication off")
        app.choose("Respond after 3 seconds", shows="Respond at once")
        app.choose("Back to the app")
        app.choose("Sign in with Apple", shows="Please wait… == Simulated device: Sign in with Apple ==")
        agree(app, "You are signed in")
