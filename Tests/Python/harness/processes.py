"""Programs that a test runs, ports and a certificate for them."""

import contextlib
import json
import os
import pathlib
import random
import re
import select
import socket
import subprocess
import textwrap

import pytest

HARNESS = pathlib.Path(__file__).resolve().parent
SITES = HARNESS.with_name("sites")
REPOSITORY = HARNESS.parents[2]
BINARY = os.path.abspath(os.environ.get("SIWA_BINARY", REPOSITORY / ".build/debug/siwa"))
SECONDS_MAX = 600
START_SECONDS_MAX = 60
STOP_SECONDS_MAX = 60


def completed(command, **options):
    """A program that has ended, with all that it wrote."""
    options = {"stdin": subprocess.DEVNULL, "timeout": SECONDS_MAX} | options
    return subprocess.run(command, capture_output=True, text=True, **options)


def run(*command, **options):
    """The output of a program that ends well."""
    done = completed(command, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@contextlib.contextmanager
def running(command, **options):
    """A program's process, which is told to end after that."""
    process = subprocess.Popen(command, **options)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextlib.contextmanager
def running_emulator(*arguments, **options):
    """The addresses of an emulator: {"apple": URL, "control": URL, "smtp": HOST:PORT}."""
    with _running("emulator", *arguments, **options) as addresses:
        yield addresses


@contextlib.contextmanager
def running_demo(data, **options):
    """The addresses of an accounts server and its Apple, with a database in the folder."""
    with _running("demo", "--data", str(data), "--apple-port", "0", **options) as addresses:
        yield addresses


@contextlib.contextmanager
def _running(*arguments, **options):
    command = [BINARY, *arguments, "--json"]
    command += ["--port", "0", "--control-port", "0", "--smtp-port", "0"]
    with running(command, stdout=subprocess.PIPE, text=True, **options) as process:
        yield ready_line(process)


def ready_line(process):
    readable, _, _ = select.select([process.stdout], [], [], START_SECONDS_MAX)
    if not readable:
        pytest.fail(f"the emulator said nothing for {START_SECONDS_MAX} s")
    line = process.stdout.readline()
    if not line:
        pytest.fail(f"the emulator ended with status {process.wait()}")
    event = json.loads(line)
    assert event["event"] == "ready", line
    return event


def own_certificate(folder):
    """A file with a key that is made now, and its certificate, signed by itself."""
    file = folder / "site.pem"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt"]
    command += ["ec_paramgen_curve:prime256v1", "-nodes", "-keyout", file, "-days", "2"]
    command += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    certificate = completed(command, check=True).stdout
    with file.open("a") as both:
        both.write(certificate)
    return file


def all_blocks(page):
    """The language and the text of each block of a page; a list's blocks are indented there."""
    found = re.findall(r"^( *)```(\w*)\n(.*?)^\1```$", page, re.DOTALL | re.MULTILINE)
    return [(language, textwrap.dedent(text)) for _, language, text in found]


def named_blocks(page):
    """The text of each block with a file's name above it, and that name."""
    found = re.findall(r"^`([^`\n]+)`:\n\n```\w+\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    return {textwrap.dedent(text): name for name, text in found}


def blocks(page, language):
    """The blocks of a language in a page's text."""
    return [text for own, text in all_blocks(page) if own == language]


def is_open(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False


def free_ports(count):
    """Ports that are free, and that the system gives to nobody who asks it for any."""
    ports = set()
    while len(ports) < count:
        port = random.randrange(20_000, 32_000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            ports.add(port)
    return list(ports)


def free_port():
    return free_ports(1)[0]
