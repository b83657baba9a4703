"""A program that asks in plain lines, in a pipe or at a terminal, with somebody who answers."""

import contextlib
import os
import pty
import re
import select
import subprocess
import termios
import time

import pytest

WAIT_SECONDS_MAX = 30
PROMPT = ": "


class Conversation:
    """`text` is what the program wrote since the last answer."""

    def __init__(self, process, given, shown):
        self.process = process
        self.text = ""
        self._given = given
        self._shown = shown

    @property
    def words(self):
        """The text in one line, so that a sentence that was broken is found."""
        return re.sub(r"\s+", " ", self.text)

    def wait_for(self, text):
        """Reads until the text is there, and the program waits for an answer."""
        self._read_until(lambda: text in self.words and self.text.endswith(PROMPT), f"'{text}'")

    def answer(self, *lines):
        for line in lines:
            self._read_until(lambda: self.text.endswith(PROMPT), "a question")
            self.text = ""
            os.write(self._given, line.encode() + b"\n")

    def choose(self, label, *values, shows=""):
        """Chooses an action by its name, and fills in its fields."""
        self.answer(label, *values)
        self.wait_for(shows)

    def end(self):
        """Reads to the end; the exit code."""
        self._read_until(lambda: False, None)
        return self.process.wait(WAIT_SECONDS_MAX)

    @property
    def echoes(self):
        """Whether the terminal shows what is typed."""
        return bool(termios.tcgetattr(self._given)[3] & termios.ECHO)

    def _read_until(self, is_there, goal):
        deadline = time.monotonic() + WAIT_SECONDS_MAX
        while not is_there():
            ready, _, _ = select.select([self._shown], [], [], max(0, deadline - time.monotonic()))
            part = b""
            # A terminal whose program has ended gives an error.
            with contextlib.suppress(OSError):
                part = os.read(self._shown, 65536) if ready else b""
            if not part and ready and goal is None:
                return
            if not part:
                pytest.fail(f"the program should write {goal}:\n{self.text}")
            self.text += part.decode().replace("\r\n", "\n")


@contextlib.contextmanager
def conversation(command, at_terminal=False, **options):
    if at_terminal:
        given, other = pty.openpty()
        termios.tcsetwinsize(other, (24, 80))
        shown = given
        process = subprocess.Popen(command, stdin=other, stdout=other, start_new_session=True, **options)
        os.close(other)
    else:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options)
        given, shown = process.stdin.fileno(), process.stdout.fileno()
    with process:
        try:
            yield Conversation(process, given, shown)
        finally:
            process.kill()
            if at_terminal:
                os.close(given)
