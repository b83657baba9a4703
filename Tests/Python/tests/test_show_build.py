"""scripts/show-build: how far a build is, for a person and for a log, and what it says when it fails."""

import contextlib
import os
import pty
import signal
import subprocess

import pytest

from conftest import REPOSITORY
from processes import completed

SCRIPT = REPOSITORY / "scripts/show-build"
SECONDS_MAX = 60


class Build:
    """A build that does a step when it is told to."""

    def __init__(self, folder, output=subprocess.PIPE, steps_min=0):
        self.log = folder / "logs/build.log"
        self.folder = folder
        self.steps = folder / "steps"
        os.mkfifo(self.steps)
        read_steps = 'while read -r line; do [ "$line" != fail ] || exit 7; echo "$line"; done < "$0"'
        self.process = subprocess.Popen(
            [SCRIPT, self.log, str(steps_min), "bash", "-c", read_steps, self.steps],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            # Whoever runs the tests in the background has them ignore it.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        self.writer = open(self.steps, "w", encoding="utf-8")

    def say(self, line):
        self.writer.write(line + "\n")
        self.writer.flush()

    def end(self):
        """The exit code, the rest of the output and the errors."""
        self.writer.close()
        output, errors = self.process.communicate(timeout=SECONDS_MAX)
        return self.process.returncode, output or "", errors


@pytest.fixture
def build(tmp_path):
    build = Build(tmp_path)
    yield build
    build.process.kill()


def test_a_log_gets_few_lines_and_the_time_is_kept(build, tmp_path):
    assert build.process.stdout.readline() == f"    the first one takes some minutes; the whole log is {build.log}\n"
    build.say("Fetching https://example.com/a-package")
    for step, percent in [(25, 20), (50, 50), (55, None), (90, 90)]:
        build.say(f"[{step}/100] Compiling Juice File{step}.swift")
        if percent:
            assert build.process.stdout.readline().startswith(f"    {percent} %  {step} of 100  ")
    status, output, errors = build.end()
    assert (status, errors) == (0, "")
    assert output.startswith("    built in ") and output.count("\n") == 1
    assert "Compiling Juice File55.swift" in build.log.read_text()
    seconds, steps = (tmp_path / "logs/build.log.last").read_text().split()
    assert int(seconds) < SECONDS_MAX and steps == "100"


def test_a_first_build_is_measured_by_what_is_known(tmp_path):
    build = Build(tmp_path, steps_min=1000)
    build.process.stdout.readline()
    build.say("[90/100] Compiling Juice File90.swift")
    build.say("[300/400] Compiling Juice File300.swift")
    assert build.process.stdout.readline().startswith("    30 %  300 of 1000  ")
    build.say("[1000/2000] Compiling Juice File1000.swift")
    assert build.process.stdout.readline().startswith("    50 %  1000 of 2000  ")
    assert build.end()[0] == 0


def test_the_last_time_is_told(tmp_path):
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs/build.log.last").write_text("192 2871\n")
    build = Build(tmp_path)
    _, output, _ = build.end()
    assert output.startswith("    the last one took 3 min 12 s, for 2871 steps; ")
    # It had nothing to do, which tells nothing about the next one.
    assert (tmp_path / "logs/build.log.last").read_text() == "192 2871\n"


def test_a_failure_tells_its_errors_once_and_where_the_log_is(build):
    for _ in range(2):
        build.say("/juice/A.swift:3:7: error: cannot find 'pulp' in scope")
    build.say("/juice/A.swift:4:1: warning: unused")
    build.say("fail")
    status, _, errors = build.end()
    assert status == 7
    assert errors.splitlines()[0] == "/juice/A.swift:3:7: error: cannot find 'pulp' in scope"
    assert errors.count("error: ") == 1 and "warning" not in errors
    assert f"the whole log is {build.log}" in errors


def test_a_failure_without_errors_tells_the_end_of_the_log(build):
    build.say("the disk is full")
    build.say("fail")
    assert build.end()[2].startswith("the disk is full\n")


def test_a_log_that_can_not_be_written_ends_it_before_the_build(tmp_path):
    log = tmp_path / "logs/build.log"
    log.mkdir(parents=True)
    command = [SCRIPT, log, "0", "touch", tmp_path / "was built"]
    result = completed(command, timeout=SECONDS_MAX)
    assert result.returncode == 1 and str(log) in result.stderr
    assert not (tmp_path / "was built").exists()


def test_a_terminal_has_one_line_that_is_rewritten(tmp_path):
    ours, theirs = pty.openpty()
    build = Build(tmp_path, output=theirs)
    os.close(theirs)
    screen = ""

    def read_until(text):
        nonlocal screen
        while text not in screen:
            screen += os.read(ours, 4096).decode()

    for step in (10, 60):
        build.say(f"[{step}/100] Compiling Juice " + "AVeryLongName" * 20)
        read_until(f"{step} %  {step} of 100")
    assert build.end()[0] == 0
    with contextlib.suppress(OSError):
        read_until("built in")
    os.close(ours)
    drawn = [line for line in screen.split("\r\x1b[K") if " of 100" in line]
    assert len(drawn) >= 2 and all(len(line) < 80 and "\n" not in line for line in drawn)


def test_control_c_ends_the_build(build):
    build.say("[10/100] Compiling Juice File.swift")
    build.process.stdout.readline()
    build.process.stdout.readline()
    build.process.send_signal(signal.SIGINT)
    assert build.end()[0] == 130
