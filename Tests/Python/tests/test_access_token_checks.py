"""The checks of Examples/AccessTokens, against keys of the test and against the accounts server."""

import base64
import contextlib
import json
import os
import queue
import secrets
import shutil
import signal
import subprocess
import sys
import threading
import time

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

from conftest import BINARY, REPOSITORY, ready_line
from listener import Handler, Listener
from postgresql import call, siwa
from processes import completed, running
from test_postgresql import MAYA

EXAMPLES = REPOSITORY / "Examples/AccessTokens"
AUDIENCE = "https://api.example.com"
ANSWER_SECONDS_MAX = 60
# Debian's golang-jwt is a folder, to which the module is led.
DEBIAN_GO = "replace github.com/golang-jwt/jwt/v4 => /usr/share/gocode/src/github.com/golang-jwt/jwt"
LANGUAGES = ["python", "node"]
if shutil.which("apt-get"):
    # Debian's Python has an older PyJWT.
    LANGUAGES += ["debian-python", *(pytest.param(name, marks=pytest.mark.languages) for name in ["go", "java"])]

# Each forgery changes the header, the claims, or the key.
REFUSED = {
    "expired": {"exp": int(time.time()) - 61},
    "without an end": {"exp": None},
    "with a text as its end": {"exp": "soon"},
    "without an account": {"sub": None},
    "for another audience": {"aud": "https://other.example.com"},
    "of another issuer": {"iss": "https://other.example.com"},
    "of a withdrawn key": {"kid": "withdrawn"},
    "of another key with the name of ours": {"key": ec.generate_private_key(ec.SECP256R1())},
    "an identity token": {"typ": "JWT"},
    "unsigned": {"alg": "none"},
    "signed with the public key": {"alg": "HS256"},
}
WRONG_VALUES = [None, 1, 0.5, True, [], ["at+jwt"], ["ES256"], ["ours"], {}, {"toString": 1}]
GOOD_HEADER = {"typ": "at+jwt", "alg": "ES256", "kid": "ours"}
HEADERS = [None, 1, "at+jwt", [], [GOOD_HEADER], {}]
HEADERS += [GOOD_HEADER | {name: value} for name in GOOD_HEADER for value in WRONG_VALUES]
# Failures of an accounts server that responds.
FAILURES = {
    "503 with JSON": (503, '{"status": 503, "code": "unavailable"}'),
    "503 with a key set": (503, '{"keys": []}'),
    "200 without a key": (200, '{"keys": []}'),
    "200 with a page": (200, "<!DOCTYPE html>"),
    "dies": "dies",
}


class Checker:
    """A program that is fed tokens, and answers with the number of the line."""

    def __init__(self, process):
        self.process, self.sent, self.answers = process, 0, {}
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)

    def send(self, line):
        self.sent += 1
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.sent

    def answer(self, number):
        while number not in self.answers:
            found, _, answer = self.lines.get(timeout=ANSWER_SECONDS_MAX).strip().partition(" ")
            self.answers[int(found)] = answer
        return self.answers.pop(number)

    def check(self, token):
        return self.answer(self.send(token))

    def passes(self, token):
        assert self.check(token) == "maya"

    def refuses(self, token):
        assert self.check(token).startswith("refused: ")

    def is_unavailable(self, token):
        assert self.check(token).startswith("unavailable: ")

    def advance(self, seconds):
        self.send(f"+{seconds}")


@pytest.fixture(scope="module", params=LANGUAGES)
def command(request, tmp_path_factory):
    """The command of a checker, which is compiled once."""
    folder = tmp_path_factory.mktemp(request.param)
    match request.param:
        case "node":
            return ["node", EXAMPLES / "check-token.js"]
        case "go":
            (folder / "go.mod").write_text((EXAMPLES / "go.mod").read_text() + DEBIAN_GO)
            build = ["go", "build", "-modfile", folder / "go.mod", "-o", folder / "check", "check_token.go"]
            options = os.environ | {"GOPROXY": "off", "GOFLAGS": "-mod=mod"}
            build = completed(build, cwd=EXAMPLES, env=options)
            assert build.returncode == 0, build.stderr
            return [folder / "check"]
        case "java":
            completed(["javac", "-Xlint:all,-serial", "-Werror", "-d", folder, EXAMPLES / "CheckToken.java"], check=True)
            return ["java", "-cp", folder, "CheckToken"]
        case "debian-python":
            return ["/usr/bin/python3", EXAMPLES / "check_token.py"]
        case "python":
            return [sys.executable, EXAMPLES / "check_token.py"]


@contextlib.contextmanager
def checking(command, address):
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
    with running([*command, address, AUDIENCE], **pipes) as process:
        yield Checker(process)


@pytest.fixture
def checker(command, issuer):
    with checking(command, issuer.address) as checker:
        yield checker


@pytest.fixture(scope="module")
def warm_checker(command, lasting_issuer):
    """One process for all tokens whose answer depends on nothing else."""
    with checking(command, lasting_issuer.address) as checker:
        yield checker


class KeySet(Handler):
    def do_GET(self):
        issuer = self.server.issuer
        assert self.path == "/.well-known/jwks.json"
        issuer.requests.put(self.path)
        response = issuer.response
        if response in ("dies", "hangs"):
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"keys":')
            self.wfile.flush()
        if response != "dies":
            issuer.released.wait(ANSWER_SECONDS_MAX)
        if response not in ("dies", "hangs"):
            self.answer_text(response[0], "application/json", response[1])


class Issuer:
    """An accounts server of the test's own: it publishes one key."""

    def __init__(self, address):
        self.address = address
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.response = self.working = 200, self.key_set()
        self.requests = queue.Queue()
        self.released = threading.Event()
        self.released.set()

    def key_set(self, *others):
        key = json.loads(ECAlgorithm.to_jwk(self.key.public_key()))
        return json.dumps({"keys": [*others, key | {"kid": "ours", "use": "sig", "alg": "ES256"}]})

    def token(self, typ="at+jwt", alg="ES256", kid="ours", key=None, **changes):
        now = int(time.time())
        claims = {"iss": self.address, "aud": AUDIENCE, "sub": "maya", "iat": now, "exp": now + 300}
        claims = {name: value for name, value in (claims | changes).items() if value is not None}
        if alg != "ES256":
            key = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return jwt.encode(claims, None if alg == "none" else key or self.key, alg, {"typ": typ, "kid": kid})

    def expect_requests(self, count):
        assert self.requests.qsize() == count


@contextlib.contextmanager
def running_issuer():
    with Listener(KeySet) as listener:
        listener.issuer = Issuer(f"http://127.0.0.1:{listener.server_port}")
        yield listener.issuer
        listener.issuer.released.set()


@pytest.fixture
def issuer():
    with running_issuer() as issuer:
        yield issuer


@pytest.fixture(scope="module")
def lasting_issuer():
    with running_issuer() as issuer:
        yield issuer


def test_a_valid_token_passes(warm_checker, lasting_issuer):
    warm_checker.passes(lasting_issuer.token())


@pytest.mark.parametrize("changes", REFUSED.values(), ids=REFUSED)
def test_a_forged_token_is_refused(warm_checker, lasting_issuer, changes):
    warm_checker.refuses(lasting_issuer.token(**changes))


@pytest.mark.parametrize("text", ["", "a", "a.b.c", "e30.e30.e30", "a.b.c.d"])
def test_what_is_no_token_is_refused(warm_checker, text):
    warm_checker.refuses(text)


def test_a_clock_may_differ_by_a_minute(warm_checker, lasting_issuer):
    now = int(time.time())
    warm_checker.passes(lasting_issuer.token(exp=now - 20))
    warm_checker.passes(lasting_issuer.token(iat=now + 50))


def test_header_values_of_wrong_types_are_refused(warm_checker, lasting_issuer):
    _, claims, signature = lasting_issuer.token().split(".")
    texts = [json.dumps(header) for header in HEADERS] + ["[" * 2_000, '{"a":' * 2_000, '{"typ": 1e999}', "\x00"]
    for text in texts:
        header = base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
        warm_checker.refuses(f"{header}.{claims}.{signature}")
        warm_checker.refuses(f"{header}.{header}.{signature}")
    warm_checker.passes(lasting_issuer.token())


def test_a_hundred_checks_at_once_fetch_the_keys_once(checker, issuer):
    issuer.released.clear()
    numbers = [checker.send(issuer.token()) for _ in range(100)]
    issuer.released.set()
    assert {checker.answer(number) for number in numbers} == {"maya"}
    issuer.expect_requests(1)


def test_keys_of_other_types_are_skipped(checker, issuer):
    rsa_key = rsa.generate_private_key(65537, 2048).public_key()
    others = [
        json.loads(RSAAlgorithm.to_jwk(rsa_key)),
        json.loads(OKPAlgorithm.to_jwk(ed25519.Ed25519PrivateKey.generate().public_key())),
        json.loads(ECAlgorithm.to_jwk(ec.generate_private_key(ec.SECP384R1()).public_key())),
        {"kty": "AKP", "alg": "ML-DSA-44", "pub": "AAAA"},
        {},
    ]
    others = [key | {"kid": f"other-{number}"} for number, key in enumerate(others)]
    issuer.response = 200, issuer.key_set(*others)
    checker.passes(issuer.token())


@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES)
def test_an_outage_is_no_forgery(checker, issuer, failure):
    issuer.response = failure
    checker.is_unavailable(issuer.token())
    issuer.expect_requests(1)
    issuer.response = issuer.working
    # It pauses after a failure.
    checker.is_unavailable(issuer.token())
    issuer.expect_requests(1)
    checker.advance(11)
    checker.passes(issuer.token())
    issuer.expect_requests(2)


@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES)
def test_the_last_keys_serve_for_a_day(checker, issuer, failure):
    checker.passes(issuer.token())
    issuer.response = failure
    checker.advance(301)
    for _ in range(3):
        checker.passes(issuer.token())
    issuer.expect_requests(2)
    checker.is_unavailable(issuer.token(kid="of a rotation"))
    checker.advance(86_000)
    checker.passes(issuer.token())
    checker.advance(301)
    checker.is_unavailable(issuer.token())
    issuer.response = issuer.working
    checker.advance(11)
    checker.passes(issuer.token())
    checker.refuses(issuer.token(kid="withdrawn"))


def test_an_unknown_key_is_fetched_at_most_every_ten_seconds(checker, issuer):
    checker.passes(issuer.token())
    for _ in range(3):
        checker.refuses(issuer.token(kid="invented"))
    issuer.expect_requests(1)
    checker.advance(11)
    for _ in range(3):
        checker.refuses(issuer.token(kid="invented"))
    issuer.expect_requests(2)


def test_known_keys_serve_while_a_fetch_hangs(checker, issuer):
    checker.passes(issuer.token())
    issuer.requests.get()
    issuer.response = "hangs"
    issuer.released.clear()
    checker.advance(11)
    waiting = checker.send(issuer.token(kid="invented"))
    issuer.requests.get(timeout=ANSWER_SECONDS_MAX)
    checker.passes(issuer.token())
    assert waiting not in checker.answers
    assert checker.answer(waiting).startswith("unavailable: ")


@contextlib.contextmanager
def running_server(folder):
    """The process of an accounts server, and its address."""
    ports = [argument for name in ["", "control-", "smtp-", "apple-"] for argument in [f"--{name}port", "0"]]
    environment = os.environ | {"SIWA_TOKEN_AUDIENCES": AUDIENCE}
    command = [BINARY, "demo", "--data", str(folder), "--json", *ports]
    with running(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        yield process, ready_line(process)["server"].rstrip("/")


def account_and_token(address):
    _, person = call("POST", f"{address}/api/accounts", MAYA | {"username": secrets.token_hex(8)})
    _, made = call("POST", f"{address}/api/tokens", {"audience": AUDIENCE}, person["token"])
    return person["account"]["id"], made["accessToken"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """An accounts server, and the folder of its data; the checkers share it."""
    folder = tmp_path_factory.mktemp("demo")
    with running_server(folder) as (_, address):
        yield address, folder


def test_a_token_of_the_server_passes_until_its_key_is_withdrawn(command, server):
    address, folder = server
    with checking(command, address) as checker:
        account, token = account_and_token(address)
        assert checker.check(token) == account
        rotated = siwa(os.environ, "keys", "rotate", "--immediately", "--database", f"sqlite:{folder}/siwa.sqlite")
        assert rotated.returncode == 0, rotated.stderr
        assert checker.check(token) == account
        checker.advance(301)
        checker.refuses(token)


def test_tokens_pass_while_the_server_hangs_and_when_it_is_dead(command, tmp_path):
    with running_server(tmp_path) as (server, address), checking(command, address) as checker:
        account, token = account_and_token(address)
        assert checker.check(token) == account
        server.send_signal(signal.SIGSTOP)
        checker.advance(301)
        assert checker.check(token) == account
        checker.advance(11)
        assert checker.check(token) == account
        server.kill()
        checker.advance(11)
        assert checker.check(token) == account
        checker.advance(86_400)
        checker.is_unavailable(token)
