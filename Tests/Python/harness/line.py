"""A line to a server that can be cut, so that the server is down for whoever uses it."""

import contextlib
import socket
import threading

CHUNK_BYTES = 65536


class Line:
    """Carries connections from a port of its own to a server, and keeps what was sent to it."""

    def __init__(self, host, port):
        self._target = (host, port)
        self._sockets = []
        self._lock = threading.Lock()
        self._listener = None
        self.sent = b""
        self.port = 0

    def connect(self):
        """Listens at the port; at the one it had before, when it had one."""
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def cut(self):
        """Ends every connection, and refuses new ones."""
        # A listener that a thread waits for goes on listening until that thread is woken.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self._lock:
            for connection in self._sockets:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
                connection.close()
            self._sockets = []

    def count(self, request):
        """How often a request like `POST /path` was sent."""
        return self.sent.count(request.encode() + b" ")

    def _accept(self, listener):
        while True:
            try:
                near, _ = listener.accept()
                far = socket.create_connection(self._target)
            except OSError:
                return
            with self._lock:
                self._sockets += [near, far]
            for source, goal in [(near, far), (far, near)]:
                threading.Thread(target=self._carry, args=(source, goal), daemon=True).start()

    def _carry(self, source, goal):
        with contextlib.suppress(OSError):
            while data := source.recv(CHUNK_BYTES):
                if goal.getpeername() == self._target:
                    with self._lock:
                        self.sent += data
                goal.sendall(data)
            goal.shutdown(socket.SHUT_WR)
