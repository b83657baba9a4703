"""People who use an accounts server all at the same time, and know what they were told."""

import http.client
import json
import queue
import random
import ssl
import threading
import time
import urllib.parse

WAIT_SECONDS_MAX = 60
ANSWER_SECONDS_MAX = 60
# After a failure, so that a server that is gone is not asked without end.
PAUSE_SECONDS = 0.02


class Person:
    """Somebody with an account: what the name may be by what was answered."""

    def __init__(self, token, account):
        self.token = token
        self.id = account["id"]
        self.names = {account["name"]}


class Connection:
    """Requests to one address, one after the other on a connection that is kept."""

    def __init__(self, address, certificate=None):
        self._parts = urllib.parse.urlsplit(address)
        self._context = ssl.create_default_context(cafile=certificate) if certificate else None
        self._client = None

    def send(self, method, path, body=None, token=None):
        """Status and JSON; None as the status when there was no answer, with the reason."""
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        try:
            self._client = self._client or self._connect()
            content = json.dumps(body) if body is not None else None
            self._client.request(method, path, content, headers)
            answer = self._client.getresponse()
            content = answer.read()
            return answer.status, json.loads(content) if content.startswith(b"{") else content
        except (OSError, http.client.HTTPException) as error:
            self.close()
            return None, repr(error)

    def close(self):
        if self._client:
            self._client.close()
        self._client = None

    def _connect(self):
        host, port = self._parts.hostname, self._parts.port
        if self._context:
            return http.client.HTTPSConnection(
                host, port, timeout=ANSWER_SECONDS_MAX, context=self._context
            )
        return http.client.HTTPConnection(host, port, timeout=ANSWER_SECONDS_MAX)


class Load:
    """Signs people in, reads and renames them, from several threads, until it is told to stop."""

    def __init__(self, address, sign_ins, certificate=None, threads=6):
        self.people = []
        self.failures = []
        self.answer_count = 0
        self.write_count = 0
        self._address = address
        self._certificate = certificate
        self._sign_ins = queue.SimpleQueue()
        for body in sign_ins:
            self._sign_ins.put(body)
        self._lock = threading.Condition()
        self._is_over = threading.Event()
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(threads)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *reason):
        self.stop()

    def stop(self):
        self._is_over.set()
        for thread in self._threads:
            thread.join(WAIT_SECONDS_MAX)
            assert not thread.is_alive(), "a request did not end"

    def wait_for(self, count):
        """Returns when that many more requests were answered well."""
        with self._lock:
            goal = self.answer_count + count
            came = self._lock.wait_for(lambda: self.answer_count >= goal, WAIT_SECONDS_MAX)
            assert came, f"{self.answer_count} of {goal} answers; {self.failures[-5:]}"

    def wait_for_write(self, seconds):
        """Returns when something that is asked from now on was stored."""
        # Every thread may have one request under way that was answered from before.
        with self._lock:
            goal = self.write_count + len(self._threads) + 1
            came = self._lock.wait_for(lambda: self.write_count >= goal, seconds)
            assert came, f"nothing stored within {seconds} s: {self.failures[-3:]}"

    def failures_of(self, *methods):
        return [failure for failure in self.failures if failure[0] in methods]

    def lost(self, address, certificate=None):
        """What was acknowledged and is not there: empty when all is well."""
        connection = Connection(address, certificate)
        lost = []
        for person in self.people:
            status, account = connection.send("GET", "/api/account", token=person.token)
            if status != 200:
                lost.append((person.id, status, account))
            elif account["id"] != person.id or account["name"] not in person.names:
                lost.append((person.id, account["name"], person.names))
        connection.close()
        return lost

    def _work(self):
        connection = Connection(self._address, self._certificate)
        person = None
        while not self._is_over.is_set():
            if person is None or random.random() < 0.1:
                person = self._sign_in(connection) or person
            elif random.random() < 0.4:
                self._rename(connection, person)
            else:
                self._read(connection, person)
        connection.close()

    def _sign_in(self, connection):
        try:
            body = self._sign_ins.get_nowait()
        except queue.Empty:
            return None
        answer = self._send(connection, 201, "POST", "/api/sessions/apple", body)
        if not answer:
            return None
        person = Person(answer["token"], answer["account"])
        with self._lock:
            self.people.append(person)
        return person

    def _rename(self, connection, person):
        name = f"Name {random.getrandbits(48):x}"
        # Several threads never have the same person: what is under way is known here alone.
        person.names.add(name)
        body = {"name": name}
        answer = self._send(connection, 200, "PATCH", "/api/account", body, person.token)
        if answer:
            person.names = {name}

    def _read(self, connection, person):
        answer = self._send(connection, 200, "GET", "/api/account", None, person.token)
        if not answer:
            return
        if answer["name"] in person.names:
            # What has been read has to stay.
            person.names = {answer["name"]}
        else:
            self._fail("GET", "/api/account", "another name", answer["name"])

    def _send(self, connection, expected, method, path, body=None, token=None):
        status, answer = connection.send(method, path, body, token)
        if status == expected:
            with self._lock:
                self.answer_count += 1
                self.write_count += method != "GET"
                self._lock.notify_all()
            return answer
        self._fail(method, path, status, answer)
        self._is_over.wait(PAUSE_SECONDS)
        return None

    def _fail(self, *failure):
        with self._lock:
            self.failures.append((*failure, time.monotonic()))


def poll(seconds, question, goal):
    """Asks until the answer is true; how many seconds that took."""
    start = time.monotonic()
    while not question():
        assert time.monotonic() - start < seconds, f"not within {seconds} s: {goal}"
        threading.Event().wait(PAUSE_SECONDS)
    return time.monotonic() - start
