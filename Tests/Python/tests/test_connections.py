"""Slow clients, thousands that say nothing, and what a server that is told to end does with open connections."""

import contextlib
import pathlib
import re
import resource
import select
import socket

import pytest

from load import Connection, poll
from postgresql import serving

TIMEOUT_SECONDS = 60
IDLE_COUNT = 10_000
SLOW_COUNT = 50
ANSWER_COUNT = 20
REQUEST = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
RECEIVE_BYTES = 4096
# The test's own files besides its connections.
OWN_FILE_COUNT = 200
ADDRESSES = [f"127.0.0.{number}" for number in range(2, 12)]
UPLOAD_COUNT = 500
UPLOAD_BYTES = 320 * 1024
UPLOAD = (
    b"POST /sign-in/apple/callback/again HTTP/1.1\r\nHost: localhost:8080\r\nOrigin: http://localhost:8080\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n" % UPLOAD_BYTES
) + b"a" * (UPLOAD_BYTES - 1)
# Less than the uploads' own bytes, 160 MB.
MEMORY_BYTES = 120_000_000
ACCOUNT = {"username": "maya.juice", "password": "many green apples"}


@pytest.fixture
def server(serve_settings):
    """A server that was started as a shell starts programs: with a low limit, which it may raise."""
    _, highest = resource.getrlimit(resource.RLIMIT_NOFILE)

    def lower():
        resource.setrlimit(resource.RLIMIT_NOFILE, (1024, highest))

    with serving(serve_settings, preexec_fn=lower) as server:
        yield server


@pytest.fixture
def connections(server):
    """Opens connections from several addresses, and closes them in the end."""
    with contextlib.ExitStack() as stack:

        def connect(count):
            made = []
            for number in range(count):
                source = (ADDRESSES[number % len(ADDRESSES)], 0)
                address = ("127.0.0.1", server.port)
                connection = stack.enter_context(socket.socket())
                connection.settimeout(TIMEOUT_SECONDS)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BYTES)
                connection.bind(source)
                connection.connect(address)
                made.append(connection)
            return made

        yield connect


def sign_in(server):
    """The seconds that an account and a sign-in take are the test's limit, not a measure."""
    connection = Connection(server.url)
    status, made = connection.send("POST", "/api/accounts", ACCOUNT)
    assert status == 201, made
    status, made = connection.send("POST", "/api/sessions/password", ACCOUNT)
    assert status == 201, made
    status, account = connection.send("GET", "/api/account", token=made["token"])
    assert (status, account["username"]) == (200, ACCOUNT["username"])
    connection.close()


def test_ten_thousand_idle_connections(server, connections):
    low, highest = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = IDLE_COUNT + OWN_FILE_COUNT
    assert highest == resource.RLIM_INFINITY or highest >= needed, (
        f"this system lets a process open {highest} files, the test needs {needed}: ulimit -Hn"
    )
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(low, needed), highest))
    try:
        idle = connections(IDLE_COUNT)
        sign_in(server)
        # They are connections of the server, not of the system's queue before it.
        for connection in [idle[0], idle[-1]]:
            connection.sendall(REQUEST)
            assert connection.recv(65536).startswith(b"HTTP/1.1 200 ")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (low, highest))


def test_clients_that_send_or_read_slowly_hold_up_nobody(server, connections):
    head = b"POST /api/accounts HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    for connection in connections(SLOW_COUNT):
        for byte in head[:20]:
            connection.send(bytes([byte]))
    for connection in connections(SLOW_COUNT):
        connection.sendall(head + b"Content-Length: 1000\r\n\r\n{")
    for connection in connections(SLOW_COUNT):
        # More answers than fit between here and there, and nobody reads them.
        connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * ANSWER_COUNT)
    sign_in(server)


def memory(server):
    """The resident memory of the server's process, in bytes."""
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) * 1024


def test_uploads_that_never_end_fill_no_memory(serve_settings):
    settings = dict(serve_settings, SIWA_SERVICES_ID="com.example.juice.web")
    with serving(settings) as server, contextlib.ExitStack() as stack:
        sign_in(server)
        before = memory(server)
        uploads = []
        for _ in range(UPLOAD_COUNT):
            upload = stack.enter_context(connect(server))
            upload.sendall(UPLOAD)
            uploads.append(upload)
        readable, _, _ = select.select(uploads, [], [], TIMEOUT_SECONDS)
        refused = answer(readable[0])
        assert refused.startswith("HTTP/1.1 503 "), refused
        assert "retry-after: " in refused.lower()
        assert "server_busy" in refused
        assert memory(server) - before < MEMORY_BYTES
        stack.close()
        # The server notices the end of the uploads, and gives back their memory.
        connection = Connection(server.url)
        poll(TIMEOUT_SECONDS, lambda: signs_in(connection), "a sign-in is accepted again")
        connection.close()


def signs_in(connection):
    return connection.send("POST", "/api/sessions/password", ACCOUNT)[0] == 201


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
