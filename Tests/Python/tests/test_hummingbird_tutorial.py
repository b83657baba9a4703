"""docs/tutorials/hummingbird-app.md: its commands run from top to bottom, and people sign in to the app."""

import contextlib
import os
import re
import signal
import subprocess

import pytest

from browser import Chromium
from conftest import REPOSITORY
from processes import STOP_SECONDS_MAX, blocks, completed, free_ports
from visitor import Visitor

PAGE = (REPOSITORY / "docs/tutorials/hummingbird-app.md").read_text(encoding="utf-8")
# TutorialTests compares the files of the page with this package.
EXAMPLE = REPOSITORY / "Examples/HelloApple"
USUAL_PORTS = ["9080", "9081", "9082", "9025"]

READY = "Press Control-C to stop."
LISTENING = "started and listening"

pytestmark = pytest.mark.example


class Reader:
    """A reader of the page, with a folder next to a clone and with free ports."""

    def __init__(self, folder):
        (folder / "sign-in-with-apple").symlink_to(REPOSITORY)
        self.folder = folder
        self.ports = dict(zip(USUAL_PORTS, map(str, free_ports(len(USUAL_PORTS))), strict=True))
        self.urls = {
            "server": f"http://127.0.0.1:{self.ports['9080']}",
            "control": f"http://127.0.0.1:{self.ports['9082']}",
        }

    def moved(self, text):
        """A text of the page, with the reader's ports and the example's package."""
        text = re.sub(r"\b(9080|9081|9082|9025)\b", lambda port: self.ports[port.group()], text)
        return text.replace("swift run", f"swift run --package-path {EXAMPLE}")

    def run(self, script):
        result = completed(["bash", "-euo", "pipefail", "-c", self.moved(script)], cwd=self.folder)
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    @contextlib.contextmanager
    def running(self, script, words):
        """Runs a script whose last command keeps running, once it has written the words."""
        process = subprocess.Popen(
            ["bash", "-euo", "pipefail", "-c", self.moved(script)],
            cwd=self.folder,
            env=os.environ | {"PORT": self.ports["9080"]},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            written = ""
            while words not in written:
                line = process.stdout.readline()
                assert line, written
                written += line
            yield process
        finally:
            os.killpg(process.pid, signal.SIGINT)
            process.communicate(timeout=STOP_SECONDS_MAX)


@pytest.fixture
def browser():
    browser = Chromium()
    yield browser
    browser.quit()


def test_the_commands_run_and_people_sign_in(tmp_path, browser):
    reader = Reader(tmp_path)
    folder, build, emulator, app, stop_using, revocations = blocks(PAGE, "sh")
    reader.run(folder)
    reader.folder /= "HelloApple"
    assert build == "swift build\n"
    reader.run(f"{build.strip()} --package-path {EXAMPLE}")
    copying, start = emulator.splitlines()
    assert blocks((EXAMPLE / "README.md").read_text(encoding="utf-8"), "sh")[:2] == [
        start.replace("../sign-in-with-apple/", "../../") + "\n",
        app,
    ]
    reader.run(copying)
    seed = reader.folder / "seed.yaml"
    seed.write_text(reader.moved(seed.read_text(encoding="utf-8")), encoding="utf-8")
    apple = contextlib.ExitStack()
    apple.enter_context(reader.running(start, READY))
    with apple, reader.running(app, LISTENING) as process:
        visitor = Visitor(reader.urls, browser)
        browser.open(visitor.server)
        visitor.picture("hello-start")
        browser.follow("/auth/apple?return_to=/hello")
        visitor.press("cancel")
        browser.wait_for_address(visitor.server)
        assert visitor.text("h1") == "Hello, stranger"
        browser.follow("/auth/apple?return_to=/hello")
        visitor.prove()
        visitor.element("[name=given_name]")
        visitor.press("continue")
        browser.wait_for_address(f"{visitor.server}/hello")
        visitor.picture("hello-signed-in")
        assert visitor.text() == "Hello, Maya Lindgren"
        reader.run(stop_using)
        assert visitor.control("GET", "/notifications?wait=10")
        browser.open(f"{visitor.server}/hello")
        assert "Maya" not in visitor.text()
        browser.open(visitor.server)
        browser.follow("/auth/apple?return_to=/hello")
        visitor.press("continue")
        browser.wait_for_address(f"{visitor.server}/hello")
        browser.open(visitor.server)
        apple.close()
        visitor.element("form[action='/delete'] button").click()
        browser.open(f"{visitor.server}/hello")
        assert "Maya" not in visitor.text()
        os.killpg(process.pid, signal.SIGKILL)
    with reader.running(start, READY), reader.running(app, LISTENING):
        browser.wait_until(
            lambda _: reader.run(revocations) == '["/auth/revoke",200]\n', "no revocation"
        )
