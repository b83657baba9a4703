"""Starts an emulator, or creates a world in a running one."""

import contextlib
import json
import os
import subprocess
from collections.abc import Iterator
from urllib.error import URLError
from urllib.request import ProxyHandler, Request, build_opener

from siwa_emulator.program import EmulatorError, find_program

TIMEOUT_SECONDS = 20
# The emulator and the server under test are near, and no proxy of the environment reaches them.
urlopen = build_opener(ProxyHandler({})).open


@contextlib.contextmanager
def running_emulator() -> Iterator[dict[str, str]]:
    """Starts an emulator on free ports; its addresses are `apple`, `control` and `smtp`."""
    command = [find_program(), "emulator", "--json"]
    command += ["--port", "0", "--control-port", "0", "--smtp-port", "0"]
    try:
        emulator = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    except OSError as error:
        raise EmulatorError(f"siwa does not start: {error}") from error
    with emulator as process:
        try:
            yield _addresses(process)
        finally:
            process.terminate()


def _addresses(process: subprocess.Popen[str]) -> dict[str, str]:
    line = process.stdout.readline() if process.stdout else ""
    if not line:
        raise EmulatorError(f"{process.args[0]} ended with status {process.wait()}")
    try:
        addresses: dict[str, str] = json.loads(line)
    except ValueError as error:
        raise EmulatorError(f"{process.args[0]} is no siwa: it said {line.strip()!r}") from error
    return addresses


@contextlib.contextmanager
def world(control: str, apple: str | None = None, smtp: str | None = None) -> Iterator[dict[str, str]]:
    """Creates a world in the emulator at a control URL, because others may use it too, and removes it at the end.

    `apple` and `smtp` are the emulator's other addresses, where they differ from those that it knows.
    """
    try:
        with urlopen(f"{control}/worlds", b"{}", timeout=TIMEOUT_SECONDS) as response:
            created = json.load(response)
    except URLError as error:
        raise EmulatorError(f"no emulator answers at {control}: {error}") from error
    try:
        yield {
            "apple": apple + created["path"] if apple else created["apple_url"],
            "control": control + created["path"],
            "smtp": smtp or created["smtp"],
            "smtp_user": created["smtp_user"],
        }
    finally:
        # After a failure, a CI run reports on the worlds.
        if "SIWA_KEEP_WORLDS" not in os.environ:
            end = Request(f"{control}/worlds/{created['world']}", method="DELETE")
            urlopen(end, timeout=TIMEOUT_SECONDS).close()
