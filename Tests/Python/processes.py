"""Programs that a test runs, ports and a certificate for them."""

import contextlib
import random
import re
import socket
import subprocess
import textwrap

SECONDS_MAX = 600
STOP_SECONDS_MAX = 15


def completed(command, **options):
    """A program that has ended, with all that it wrote."""
    options = {"stdin": subprocess.DEVNULL, "timeout": SECONDS_MAX} | options
    return subprocess.run(command, capture_output=True, text=True, **options)


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
    return {text: name for name, text in found}


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
