"""What a server that is told to end does with connections that are open."""

import contextlib
import socket

import pytest

from load import poll
from postgresql import serving

TIMEOUT_SECONDS = 20
REQUEST = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
def server(serve_settings):
    with serving(serve_settings) as server:
        yield server


def connect(server):
    connection = socket.create_connection(("127.0.0.1", server.port), TIMEOUT_SECONDS)
    connection.settimeout(TIMEOUT_SECONDS)
    return connection


def answer(connection):
    """All that comes until the server closes."""
    received = b""
    while chunk := connection.recv(65536):
        received += chunk
    return received.decode()


def is_refused(server):
    with contextlib.suppress(TimeoutError):
        try:
            socket.create_connection(("127.0.0.1", server.port), 0.2).close()
        except ConnectionRefusedError:
            return True
    return False


def test_what_is_on_its_way_is_answered(server):
    with connect(server) as silent, connect(server) as half, connect(server) as used:
        half.sendall(REQUEST[:20])
        used.sendall(REQUEST)
        assert used.recv(65536).startswith(b"HTTP/1.1 200 ")
        server.process.terminate()
        poll(TIMEOUT_SECONDS, lambda: is_refused(server), "no new connection is taken")
        for connection, rest in [(half, REQUEST[20:]), (silent, REQUEST), (used, REQUEST)]:
            connection.sendall(rest)
            text = answer(connection)
            assert text.startswith("HTTP/1.1 200 "), text
            assert "connection: close" in text.lower()
            assert text.endswith('{"status":"live"}')
    assert server.process.wait(TIMEOUT_SECONDS) == 0


def test_who_says_nothing_does_not_hold_it_up(server):
    with connect(server) as silent:
        server.process.terminate()
        assert server.process.wait(TIMEOUT_SECONDS) == 0
        assert silent.recv(1) == b""
