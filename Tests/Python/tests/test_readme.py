"""The README, the first tutorial and the page about tokens: their commands run beside a make run, and people sign in."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import time

import pytest
import requests

from apng import frame_count
from browser import Chromium
from conftest import REPOSITORY
from processes import blocks, completed, free_ports
from test_tour import Newcomer

PAGES = ["README.md", "docs/tutorials/first-sign-in.md"]
PICTURE = "docs/images/first-sign-in.png"
PICTURE_BYTES_MAX = 600_000
# A build that has nothing to do takes seconds; on a busy machine some more.
START_SECONDS_MAX = 900
COMMAND_SECONDS_MAX = 300
LAST_WORDS = "Press Control-C to stop."
LOOK = ("wide-light-en", 1000, 800, "light", "en")


def text(page):
    return (REPOSITORY / page).read_text(encoding="utf-8")


def commands(page):
    """The commands of a page, without comments."""
    lines = "".join(blocks(text(page), "sh")).splitlines()
    return [re.sub(r"\s+# .*", "", line) for line in lines]


class Run:
    """What `make run` started, on other ports than the usual ones."""

    def __init__(self, folder):
        usual = ["8080", "8081", "8082", "8025"]
        self.ports = dict(zip(usual, map(str, free_ports(len(usual))), strict=True))
        self.data = folder / "data"
        options = ["--port", "--apple-port", "--control-port", "--smtp-port"]
        words = [word for pair in zip(options, self.ports.values(), strict=True) for word in pair]
        self.output = folder / "output"
        with self.output.open("w") as output:
            self.process = subprocess.Popen(
                ["make", "run"],
                cwd=REPOSITORY,
                env=os.environ | {"ARGS": " ".join([*words, "--data", str(self.data)])},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait(self):
        deadline = time.monotonic() + START_SECONDS_MAX
        while LAST_WORDS not in self.words:
            assert self.process.poll() is None and time.monotonic() < deadline, self.words
            time.sleep(0.2)

    @property
    def words(self):
        return self.output.read_text(encoding="utf-8")

    @property
    def addresses(self):
        return {
            "server": f"http://localhost:{self.ports['8080']}",
            "control": f"http://127.0.0.1:{self.ports['8082']}",
        }

    def moved(self, words):
        """Words of a page, with this run's ports."""
        return re.sub(r"\b(8080|8081|8082|8025)\b", lambda port: self.ports[port.group()], words)

    def stop(self):
        """Presses Control-C."""
        os.killpg(self.process.pid, signal.SIGINT)
        self.process.wait(START_SECONDS_MAX)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    run = Run(tmp_path_factory.mktemp("run"))
    try:
        run.wait()
        yield run
    finally:
        with contextlib.suppress(ProcessLookupError):
            run.stop()


@pytest.fixture(scope="module")
def newcomer(run):
    browser = Chromium()
    yield Newcomer(run.addresses, browser, LOOK)
    browser.quit()


def test_make_run_says_few_lines_and_the_pages_repeat_them(run):
    # The log may have gone on by the time that this is read.
    beginning, end, _ = run.words.partition(LAST_WORDS)
    lines = (beginning + end).splitlines()
    assert len(lines) < 30, run.words
    announced = lines[-8:]
    assert announced[0] == f"The accounts server   {run.addresses['server']}"
    (shown,) = blocks(text(PAGES[1]), "text")
    for line, ours in zip(run.moved(shown).splitlines(), announced, strict=True):
        # The command of the app has its ports and the program's whole path here, and the log another folder.
        own = "siwa app" in line or "demo.log" in line
        assert line[:22] == ours[:22] and (own or line == ours)


def test_a_person_signs_in_as_the_readme_says(run, newcomer):
    page = requests.get(
        f"http://127.0.0.1:{run.ports['8080']}/sign-in",
        headers={"Host": f"localhost:{run.ports['8080']}"},
        timeout=60,
    )
    assert page.ok and "Sign in with Apple" in page.text
    newcomer.sign_in()
    assert "Hello, Maya" in newcomer.browser.driver.page_source


@pytest.mark.parametrize("page", PAGES)
def test_commands_run_from_top_to_bottom(run, newcomer, page):
    done = [execute(run, command) for command in commands(page)]
    assert len(done) > 3
    newcomer.browser.open(newcomer.server)
    # The tutorial takes the consent back.
    has_ended = newcomer.browser.driver.current_url.endswith("/sign-in?notice=session-ended")
    assert has_ended == (page == PAGES[1])


def test_the_emulator_gives_what_the_verifier_takes(run):
    key, credential = [execute(run, command) for command in commands("docs/how-to/verify-tokens.md")]
    assert key.startswith("-----BEGIN PRIVATE KEY-----")
    assert json.loads(credential).keys() >= {"identity_token", "authorization_code"}


def execute(run, command):
    """Runs a command of a page, as far as it can be run beside tests; what it writes."""
    if command.startswith("git clone"):
        assert command == "git clone <this repository> sign-in-with-apple && cd sign-in-with-apple"
        return None
    if command == "make run":
        return None
    # The tests don't run themselves.
    command = command.replace("make test", "make --dry-run test")
    # The usual ports are those of the app's own defaults.
    command = command.replace(
        "siwa app", f"siwa app --server http://localhost:8080 --control http://127.0.0.1:8082 --data {run.data}/app"
    )
    result = completed(
        ["bash", "-euo", "pipefail", "-c", run.moved(command).replace("curl -s", "curl -sS --fail")],
        cwd=REPOSITORY,
        timeout=COMMAND_SECONDS_MAX,
    )
    assert result.returncode == 0, command + "\n" + result.stdout + result.stderr
    assert result.stdout, command
    return result.stdout


def test_control_c_ends_it(run):
    run.stop()
    for port in run.ports.values():
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", int(port)), 5).close()


def test_the_readme_is_one_screen_with_a_small_moving_picture():
    assert len(text("README.md").splitlines()) <= 80
    assert f'<img src="{PICTURE}" alt="' in text("README.md")
    picture = (REPOSITORY / PICTURE).read_bytes()
    assert len(picture) < PICTURE_BYTES_MAX and frame_count(picture) == 5
