"""PostgreSQL servers of a test's own, and accounts servers on them."""

import contextlib
import os
import signal
import subprocess

import requests

from processes import BINARY, REPOSITORY, STOP_SECONDS_MAX, completed, free_port, ready_line


class Cluster:
    """A PostgreSQL server that `scripts/test-postgresql` runs; it goes with the test."""

    def __init__(self, **environment):
        self._process = subprocess.Popen(
            [REPOSITORY / "scripts/test-postgresql"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=dict(os.environ, **environment),
        )
        _, self.port, self.folder = self._answer()
        self.url = f"postgres://app@/postgres?host={self.folder}&port={self.port}"

    def command(self, words):
        """Has the script do something; what it tells besides that it is done."""
        self._process.stdin.write(f"{words}\n")
        self._process.stdin.flush()
        answer = self._answer()
        assert answer[:1] == ["done"], f"scripts/test-postgresql could not {words}"
        return answer[1:]

    def close(self):
        self._process.stdin.close()
        self._process.wait(60)

    def _answer(self):
        line = self._process.stdout.readline()
        assert line, "scripts/test-postgresql has ended"
        return line.split()


@contextlib.contextmanager
def running_cluster(**environment):
    cluster = Cluster(**environment)
    try:
        yield cluster
    finally:
        cluster.close()


class Server:
    """One `siwa serve`, which can be ended in every way and started again at its port."""

    def __init__(self, settings, log=None, program=(BINARY,), **options):
        # What a test does not ask about does not fill its report.
        self.settings = {"SIWA_LOG_LEVEL": "error"} | settings
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = log
        self._program = program
        self._options = options
        self.process = None

    def start(self):
        with open(self.log or os.devnull, "ab") as errors:
            self.process = subprocess.Popen(
                [*self._program, "serve", "--json", "--port", str(self.port)],
                stdout=subprocess.PIPE,
                stderr=errors if self.log else None,
                text=True,
                env=self.settings,
                **self._options,
            )
        ready_line(self.process)

    def terminate(self):
        """Asks the server to end, and gives its exit code."""
        self.process.terminate()
        return self.process.wait(STOP_SECONDS_MAX)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(STOP_SECONDS_MAX)

    def close(self):
        if self.process and self.process.poll() is None:
            self.kill()


@contextlib.contextmanager
def serving(settings, log=None, program=(BINARY,), **options):
    server = Server(settings, log, program, **options)
    try:
        server.start()
        yield server
    finally:
        server.close()


def call(method, url, body=None, token=None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = requests.request(method, url, json=body, headers=headers, timeout=60)
    return answer.status_code, answer.json() if answer.content else None


def siwa(settings, *arguments):
    return completed([BINARY, *arguments], env=settings, timeout=60)
