"""A terminal of tmux, in which a program runs and a person presses keys."""

import os
import pathlib
import re
import secrets
import subprocess
import time

import pytest

SCREENS = pathlib.Path(__file__).resolve().parents[2] / ".artifacts" / "screens"
WAIT_SECONDS_MAX = 30
LOOK_SECONDS = 0.05
FOCUS_MOVES_MAX = 40


class Terminal:
    """A window of a tmux server of its own, so that nobody's sessions are touched."""

    def __init__(self, width, height, command="bash --norc --noprofile", **environment):
        self.size = f"{width}x{height}"
        self._socket = "siwa-" + secrets.token_hex(6)
        variables = {"LANG": "C.UTF-8"} | environment
        self._tmux("new-session", "-d", "-x", str(width), "-y", str(height),
                   *[part for name, value in variables.items() for part in ("-e", f"{name}={value}")],
                   command)

    def _tmux(self, *arguments):
        done = self._run(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def _run(self, *arguments):
        clean = {name: value for name, value in os.environ.items() if name != "TMUX"}
        return subprocess.run(["tmux", "-u", "-L", self._socket, "-f", "/dev/null", *arguments],
                              capture_output=True, text=True, env=clean, timeout=WAIT_SECONDS_MAX)

    def close(self):
        """Ends the server; it has ended by itself when its program has, or does so just now."""
        done = self._run("kill-server")
        ended = ["no server running", "server exited unexpectedly"]
        assert done.returncode == 0 or any(text in done.stderr for text in ended), done.stderr

    @property
    def text(self):
        return self._tmux("capture-pane", "-p")

    @property
    def words(self):
        """The screen in one line, so that a sentence that was broken is found."""
        return re.sub(r"\s+", " ", self.text)

    def press(self, key, shows=""):
        self._tmux("send-keys", key)
        if shows:
            self.wait_for(shows)

    def type(self, text):
        self._tmux("send-keys", "-l", text)

    def fill(self, *values):
        """Types into each field from the one with the focus on; the last one sends the form."""
        for value in values:
            self.type(value)
            self.press("Enter")

    def paste(self, text):
        self._tmux("set-buffer", text)
        self._tmux("paste-buffer", "-p")

    def resize(self, width, height):
        self._tmux("resize-window", "-x", str(width), "-y", str(height))

    def wait_for(self, text):
        return self._wait(lambda: text in self.words, f"'{text}'")

    def wait_until_gone(self, text):
        return self._wait(lambda: text not in self.words, f"no '{text}'")

    def _wait(self, is_there, goal):
        deadline = time.monotonic() + WAIT_SECONDS_MAX
        while time.monotonic() < deadline:
            if is_there():
                return
            time.sleep(LOOK_SECONDS)
        pytest.fail(f"the screen should show {goal}:\n{self.text}")

    @property
    def focused(self):
        """The line that has the focus."""
        lines = [line.strip() for line in self.text.splitlines()]
        return next((line for line in lines if line.startswith("> ")), "")

    def focus(self, label):
        """Moves the focus as somebody does who watches it.

        A key must not move it on the page before: what is looked for is waited for, unless it is further down.
        """
        deadline = time.monotonic() + 2
        while label not in self.words and time.monotonic() < deadline:
            time.sleep(LOOK_SECONDS)
        for _ in range(FOCUS_MOVES_MAX):
            line = self.focused
            if label in line:
                return
            self.press("Down")
            deadline = time.monotonic() + 2
            while self.focused == line and time.monotonic() < deadline:
                time.sleep(LOOK_SECONDS / 5)
        pytest.fail(f"nothing to choose is called '{label}':\n{self.text}")

    def choose(self, label, shows=""):
        self.focus(label)
        self.press("Enter", shows)

    def keep(self, name):
        """Keeps the screen for people who want to look at it."""
        SCREENS.mkdir(parents=True, exist_ok=True)
        (SCREENS / f"{name}-{self.size}.txt").write_text(self.text)
