"""Starts the emulator once, and gives each test a world of its own in it."""

import json
import os
import pathlib
import secrets
import select
import subprocess

import pytest

from world import World

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
START_SECONDS_MAX = 60
STOP_SECONDS_MAX = 15


@pytest.fixture(scope="session")
def addresses():
    """The addresses of a running emulator: {"apple": URL, "control": URL, "smtp": HOST:PORT}."""
    binary = os.environ.get("SIWA_BINARY", str(REPOSITORY / ".build/debug/siwa"))
    command = [binary, "emulator", "--json"]
    command += ["--port", "0", "--control-port", "0", "--smtp-port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield _ready_line(process)
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@pytest.fixture
def world(addresses):
    """A team with an app, a Services ID, a key and a person, fresh for each test."""
    return World(addresses)


@pytest.fixture
def nonce():
    return secrets.token_urlsafe(16)


def _ready_line(process):
    readable, _, _ = select.select([process.stdout], [], [], START_SECONDS_MAX)
    if not readable:
        pytest.fail(f"the emulator said nothing for {START_SECONDS_MAX} s")
    line = process.stdout.readline()
    if not line:
        pytest.fail(f"the emulator ended with status {process.wait()}")
    event = json.loads(line)
    assert event["event"] == "ready", line
    return event
