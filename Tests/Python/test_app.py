"""siwa app in a terminal: the whole story of a person, at three sizes, and every way to leave."""

import contextlib
import os
import re
import shlex
import signal
import subprocess
import time
import urllib.parse

import pytest
import requests

from conftest import BINARY
from processes import completed
from terminal import Terminal
from test_account_pages import Person
from visitor import Visitor

PASSWORD = "apple"
SIZES = [(80, 24), (120, 40), (44, 20)]
SECONDS_MAX = 60


def server(demo):
    """The demo's address by the name that every system resolves."""
    return f"http://localhost:{urllib.parse.urlsplit(demo['server']).port}"


def options(demo, data, *more):
    """How siwa app finds the demo."""
    return ["app", "--server", server(demo), "--control", demo["control"], "--data", str(data), *more]


@contextlib.contextmanager
def opened(size, *arguments, **environment):
    terminal = Terminal(*size, shlex.join([BINARY, *arguments]), **environment)
    try:
        yield terminal
    finally:
        terminal.close()


def make_person(demo, name):
    email = f"{name}@example.com"
    answer = requests.post(demo["control"] + "/people", timeout=20, json={
        "email": email, "given_name": "Ida", "family_name": "Lund", "password": PASSWORD,
    })
    assert answer.status_code == 201, answer.text
    return email


def sign_in_to_device(terminal, email):
    terminal.wait_for("Settings")
    terminal.keep("settings-signed-out")
    terminal.press("Tab")
    terminal.fill(PASSWORD)
    terminal.wait_for("Sign out of the Apple Account")
    assert email in terminal.words
    terminal.keep("settings")
    terminal.press("Escape", shows="With Apple you need no password")


@contextlib.contextmanager
def opened_on_device(demo, data, name, size=(80, 24)):
    """The app on a device to which somebody of that name is signed in; the terminal and the address."""
    email = make_person(demo, name)
    with opened(size, *options(demo, data, "--person", email)) as terminal:
        sign_in_to_device(terminal, email)
        yield terminal, email


def sign_in(terminal, shows="You are signed in"):
    terminal.choose("Sign in with Apple", shows="asks you to sign in")
    terminal.choose("Continue", shows)


def first_sign_in(terminal):
    terminal.choose("Sign in with Apple", shows="asks you to sign in")
    terminal.press("C-u")
    terminal.type("Ĳda 家")
    terminal.wait_for("Ĳda 家")
    terminal.keep("sheet-first-time")
    terminal.focus("<")
    while "Hide my email" not in terminal.focused:
        terminal.press("Right")
        time.sleep(0.2)
    terminal.choose("Continue", shows="You are signed in")
    terminal.wait_for("Ĳda 家")
    terminal.wait_for("Lund")
    terminal.wait_for("privaterelay.appleid.com")
    terminal.wait_for("private relay address")
    terminal.keep("result")


def run_secure_task(terminal):
    terminal.choose("Secure task")
    terminal.choose("Show the recipe", shows="Three oranges")
    terminal.keep("secure-task")
    terminal.press("Escape")
    terminal.wait_until_gone("Three oranges")


def sign_out_and_in_again(terminal):
    terminal.choose("Sign out", shows="You are signed out")
    terminal.keep("signed-out")
    terminal.choose("Sign in with Apple", shows="asks you to sign in")
    assert "Given name" not in terminal.text
    terminal.keep("sheet-again")
    terminal.choose("Continue", shows="You are signed in")
    terminal.wait_for("Ĳda 家")


def look_at_sessions(terminal):
    terminal.choose("Account", shows="Sign-in methods")
    terminal.keep("account")
    terminal.choose("Sessions", shows="this device")
    terminal.keep("sessions")
    terminal.press("Escape", shows="Sign-in methods")


def stop_using(terminal):
    terminal.choose("Settings of the device")
    terminal.choose("Stop using Apple Account", shows="no longer uses your Apple Account")
    terminal.keep("settings-stopped")
    terminal.press("Escape", shows="You stopped using Sign in with Apple")
    terminal.keep("attention")
    terminal.choose("Go to sign-in")


def delete(terminal):
    terminal.choose("Sign in with Apple", shows="Given name")
    terminal.choose("Continue", shows="You are signed in")
    terminal.choose("Account", shows="Sign-in methods")
    terminal.choose("Delete account", shows="permanently")
    terminal.keep("deletion")
    terminal.choose("Delete my account", shows="Your account has been deleted")
    terminal.keep("deleted")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_whole_story(demo, tmp_path, size):
    with opened_on_device(demo, tmp_path, f"ida{size[0]}", size) as (terminal, _):
        terminal.keep("login")
        first_sign_in(terminal)
        run_secure_task(terminal)
        sign_out_and_in_again(terminal)
        look_at_sessions(terminal)
        stop_using(terminal)
        delete(terminal)


def test_the_website_signs_the_same_person_in(demo, chromium, tmp_path):
    chromium.forget()
    with opened_on_device(demo, tmp_path, "both", (80, 30)) as (terminal, email):
        visitor = Visitor(demo, chromium, email)
        first_sign_in(terminal)
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
        assert relay in terminal.text
        terminal.choose("Account", shows="Sign-in methods")
        terminal.choose("Sessions", shows="this device")
        assert terminal.text.count("last used") == 2, terminal.text


def test_cancelled_sheet_says_nothing(demo, tmp_path):
    with opened_on_device(demo, tmp_path, "cancel") as (terminal, _):
        terminal.choose("Sign in with Apple", shows="asks you to sign in")
        terminal.press("Escape", shows="With Apple you need no password")
        assert "!" not in terminal.text


def test_no_apple_account(demo, tmp_path):
    with opened((80, 24), *options(demo, tmp_path)) as terminal:
        terminal.wait_for("With Apple you need no password")
        terminal.choose("Settings of the device")
        terminal.choose("Sign out of the Apple Account", shows="Sign in to the device")
        terminal.press("C-c")
    with opened((80, 24), *options(demo, tmp_path)) as terminal:
        terminal.wait_for("With Apple you need no password")
        terminal.choose("Sign in with Apple", shows="No user is signed in to this device")
        terminal.keep("alert")
        terminal.choose("Close", shows="! This device could not sign in with Apple")
        terminal.keep("problem")


def test_password_account(demo, tmp_path):
    with opened((80, 24), *options(demo, tmp_path)) as terminal:
        terminal.wait_for("With Apple you need no password")
        terminal.choose("Create an account", shows="Name (optional)")
        terminal.fill("Noor", "noor")
        terminal.paste("2short")
        terminal.press("Enter", shows="! The password is too short")
        assert "2short" not in terminal.text
        terminal.focus("Password")
        terminal.fill("seven ripe oranges")
        terminal.wait_for("Save the password?")
        terminal.choose("Save", shows="Not linked to an Apple Account")
        terminal.choose("Quit")
    with opened((80, 24), *options(demo, tmp_path)) as terminal:
        terminal.wait_for("Not linked to an Apple Account")
        terminal.choose("Sign out", shows="You are signed out")


def test_resized(demo, tmp_path):
    with opened((80, 24), *options(demo, tmp_path)) as terminal:
        terminal.wait_for("With Apple you need no password")
        terminal.resize(50, 30)
        terminal.wait_for("Esc: back")
        terminal.resize(30, 12)
        terminal.wait_for("more below")
        terminal.resize(90, 30)
        terminal.wait_for("Quit")


@contextlib.contextmanager
def in_shell(demo, data, *more):
    terminal = Terminal(80, 24, SWIFT_BACKTRACE="enable=no")
    try:
        terminal.wait_for("bash")
        terminal.fill("echo before; " + shlex.join([BINARY, *options(demo, data, *more)]) + "; echo status $?")
        terminal.wait_for("With Apple you need no password")
        yield terminal
    finally:
        terminal.close()


def process_of(data):
    found = completed(["pgrep", "-f", f"{BINARY} app.*{data}"])
    return [int(line) for line in found.stdout.split()]


def assert_given_back(terminal):
    terminal.wait_for("before")
    assert "With Apple you need no password" not in terminal.text
    terminal.fill("stty -a")
    terminal.wait_for("-echoprt")
    words = terminal.words.replace(";", "").split()
    assert {"icanon", "echo", "isig", "icrnl"} <= set(words), terminal.text


def test_leaving_while_the_browser_is_waited_for_gives_the_terminal_back(demo, tmp_path):
    with in_shell(demo, tmp_path, "--browser") as terminal:
        terminal.choose("Sign in with the browser", shows="open this URL")
        terminal.press("C-c", shows="status 0")
        assert_given_back(terminal)


@pytest.mark.parametrize("way", ["C-c", "SIGTERM", "SIGHUP", "SIGINT", "SIGSEGV"])
def test_leaving_gives_the_terminal_back(demo, tmp_path, way):
    with in_shell(demo, tmp_path) as terminal:
        if way == "C-c":
            terminal.press(way)
        else:
            for process in process_of(tmp_path):
                os.kill(process, signal.Signals[way])
        terminal.wait_for("status 0" if way == "C-c" else "status")
        assert_given_back(terminal)


def test_stopping_and_going_on(demo, tmp_path):
    with in_shell(demo, tmp_path) as terminal:
        terminal.press("C-z", shows="Stopped")
        assert_given_back(terminal)
        terminal.fill("clear; fg")
        terminal.wait_for("With Apple you need no password")
        terminal.choose("Create an account", shows="Name (optional)")


def run_plain(arguments, lines, **environment):
    return subprocess.run([BINARY, *arguments], input="\n".join(lines) + "\n", capture_output=True,
                          text=True, timeout=SECONDS_MAX)


def test_plain_in_a_pipe(demo, tmp_path):
    email = make_person(demo, "plain")
    done = run_plain(options(demo, tmp_path, "--plain", "--person", email), [
        "Sign in to the device", "", PASSWORD, "Back to the app",
        "Sign in with Apple", "Continue", "Iris", "", "3", "2", "Secure task", "Show the recipe", "Back",
        "what", "Sign out", "Quit",
    ])
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout
    for line in [
        "Given name: Iris", "Family name: Lund", "Recipe: Three oranges",
        "not one of the choices", "You are signed out.",
    ]:
        assert line in done.stdout, done.stdout
    # What is no choice of the sheet either shares no address.
    assert done.stdout.count("not one of the choices") == 2, done.stdout
    assert re.search(r"^Email: \S+@privaterelay\.appleid\.com$", done.stdout, re.M)
    assert PASSWORD + "\n" not in done.stdout


def test_plain_ends_with_its_input(demo, tmp_path):
    done = run_plain(options(demo, tmp_path), ["Create an account"])
    assert done.returncode == 0, done.stderr
    assert "== Sign in ==" in done.stdout
    assert "\x1b" not in done.stdout


def shown_address(terminal):
    """The address on the screen, which may take several lines."""
    terminal.wait_for("open this URL")
    lines = [line.strip() for line in terminal.text.splitlines()]
    start = next(number for number, line in enumerate(lines) if line.startswith("http://"))
    return "".join(lines[start:lines.index("", start)])


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_signing_in_with_the_browser(demo, chromium, tmp_path, size):
    chromium.forget()
    person = Person(demo | {"server": server(demo)}, chromium, f"browser{size[0]}")
    with opened(size, *options(demo, tmp_path, "--browser")) as terminal:
        terminal.choose("Sign in with the browser")
        address = shown_address(terminal)
        terminal.keep("browser")
        assert address.startswith(server(demo) + "/sign-in/app?")
        chromium.open(address)
        person.follow("a.apple")
        person.pass_apple()
        chromium.press("continue")
        assert "go back to the app" in person.text()
        terminal.wait_for("You are signed in")
        terminal.wait_for("Pia")
        terminal.wait_for(person.email)
        terminal.choose("Sign out", shows="You are signed out")


def test_giving_up_on_the_browser(demo, chromium, tmp_path):
    chromium.forget()
    with opened((80, 24), *options(demo, tmp_path, "--browser")) as terminal:
        terminal.choose("Sign in with the browser")
        first = shown_address(terminal)
        terminal.press("Escape", shows="With Apple you need no password")
        assert "!" not in terminal.text
        terminal.choose("Sign in with the browser")
        terminal.wait_until_gone("With Apple you need no password")
        second = shown_address(terminal)
        assert second != first
        chromium.open(second)
        chromium.press("cancel")
        terminal.wait_for("With Apple you need no password")
        assert "!" not in terminal.text


def read_until(process, beginning):
    for line in process.stdout:
        if line.startswith(beginning):
            return line.strip()
    pytest.fail(f"no line begins with {beginning}")


def test_plain_with_the_browser(demo, chromium, tmp_path):
    chromium.forget()
    command = [BINARY, *options(demo, tmp_path, "--plain", "--browser")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as app:
        app.stdin.write("Sign in with the browser\n")
        app.stdin.flush()
        chromium.open(read_until(app, "http://"))
        Visitor(demo, chromium).element("details.unfolding summary").click()
        chromium.fill_form("/create-account", username="plain-browser", password="seven ripe oranges")
        chromium.send("/create-account")
        chromium.press("continue")
        read_until(app, "== You are signed in")
        app.stdin.write("Quit\n")
        app.stdin.close()
        rest = app.stdout.read()
        assert app.wait(SECONDS_MAX) == 0
        assert "Not linked to an Apple Account" in rest and "\x1b" not in rest


def test_a_new_device_begins_with_maya(demo, tmp_path):
    """Comes last: afterwards, a new device of this person offers the sign-in immediately."""
    with opened((80, 24), *options(demo, tmp_path)) as terminal:
        terminal.wait_for("With Apple you need no password")
        sign_in(terminal, shows="maya@example.com")
