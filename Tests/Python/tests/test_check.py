"""siwa check: sites that are defended pass, and broken ones fail at exactly their lines."""

import concurrent.futures
import contextlib
import json
import os
import shlex
import signal
import socket
import subprocess
import threading
import time
import xml.etree.ElementTree as ElementTree

import pytest
from cryptography.hazmat.primitives import serialization

import app_authlib
import app_pyjwt
import broken_sites
import peculiar_sites
import spelled_sites
from checked_site import CheckedSite, Handler, Served
from conftest import BINARY, new_key, running_demo, running_emulator
from processes import completed, free_port
from world import Registration, World, at

SECONDS_MAX = 300
RUN_COUNT = 4
APP = "com.example.checked"
POPUP = '{"identityToken": "{identityToken}", "authorizationCode": "{code}", "redirectUri": "{redirectURI}", "nonce": "{nonce}"}'


class WithAuthlib(CheckedSite):
    """Its library, joserfc, refuses a whole set for one key of a curve that it does not know."""

    APP = app_authlib.App
    ADVICE = {"key-set-foreign", "keys-withdrawn"}

    def popup_claims(self, token):
        return self.app.validate(app_authlib.CodeIDToken, token)


SITES = [CheckedSite, WithAuthlib]
SITES += broken_sites.SITES + peculiar_sites.SITES + spelled_sites.SITES


@contextlib.contextmanager
def serving(world, kind):
    """The address of a site that is registered at Apple."""
    with Served(getattr(kind, "HANDLER", Handler), kind.TLS) as served:
        app = {"client_id": APP, "team_id": world.team_id}
        # Apple's notifications come to nobody whose certificate is unknown.
        if not kind.TLS:
            app["notification_url"] = served.url + "/notifications"
        world.add("/apps", **app)
        own = world.registration(APP + ".web", served.url + "/callback")
        service = {"client_id": own.client_id, "primary_client_id": APP}
        world.add("/services", **service, return_urls=[own.redirect_uri])
        # Notifications are for the primary app.
        listener = at(world.apple, app_pyjwt.App)(world.registration(APP))
        served.handler.site = kind(at(world.apple, kind.APP)(own), listener)
        yield served.url


def check(url, control, *options, signed_in="/me"):
    """Runs the command; answers its exit code and output."""
    command = [BINARY, "check", url, "--control", control, "--signed-in", signed_in, *options]
    run = completed(command, timeout=SECONDS_MAX)
    return run.returncode, run.stdout, run.stderr


def verdicts(output):
    return {it["name"]: (it["verdict"], it["reason"]) for it in json.loads(output)["checks"]}


def names(found, verdict):
    return {name for name, (it, _) in found.items() if it == verdict}


def examine(world, kind):
    """What a run finds of a site, a whole one or of some checks, and its exit code."""
    unlink = 'POST /unlink {"reason": "{random}"}'
    options = ["--delete", "POST /delete", "--unlink", unlink, "--format", "json"]
    options += ["--api", "POST /popup " + POPUP, "--nonces", "POST /nonces", "--android", "/android"]
    for name in kind.ONLY:
        options += ["--only", name]
    with serving(world, kind) as address:
        code, output, errors = check(address + "/login", world.control, *options)
    assert output, errors
    return verdicts(output), code


def examine_apart(kind):
    # What it logs would stand between the results of the tests.
    with running_emulator(stderr=subprocess.DEVNULL) as addresses:
        return examine(World(addresses), kind)


@pytest.fixture(scope="module")
def runs(request):
    """A run for each site that a test asks for, several side by side: they wait half of the time."""
    tests = [it for it in request.session.items if "runs" in it.fixturenames]
    sites = [it.callspec.params["site"] for it in tests if hasattr(it, "callspec")]
    pool = concurrent.futures.ThreadPoolExecutor(RUN_COUNT)
    yield {site: pool.submit(examine_apart, site) for site in sites}
    pool.shutdown(cancel_futures=True)


def test_the_accounts_server_passes(runs, tmp_path):
    # The runs of the sites go on meanwhile.
    settings = {"SIWA_ANDROID_PACKAGES": "com.example.juice", "SIWA_ALLOWED_ORIGINS": "https://shop.example.com"}
    with running_demo(tmp_path, env=os.environ | settings) as addresses:
        code, output, errors = check(
            addresses["server"] + "/sign-in/apple",
            addresses["control"],
            "--delete",
            "GET /account/delete",
            "--unlink",
            'PUT /api/account/password {"username": "{random}", "newPassword": "{random}"}',
            "--unlink",
            "DELETE /api/account/apple",
            "--api",
            "POST /api/sessions/apple " + POPUP,
            "--nonces",
            "POST /api/nonces",
            "--native-client",
            "com.example.juice",
            "--android",
            "/sign-in/android/callback",
            signed_in="/",
        )
    assert code == 0, output + errors
    assert "0 fail, 0 with advice, 1 not examined, 0 without a verdict" in output, output
    assert "not examined  session-cookie-secure" in output, output


@pytest.mark.parametrize("site", SITES, ids=lambda it: it.__name__)
def test_what_is_wrong_with_a_site_is_found_and_nothing_else(runs, site):
    found, code = runs[site].result()
    made = site.ONLY or site.ADVICE | site.NOT_EXAMINED
    assert names(found, "error") == set(), found
    assert names(found, "fails") == site.FAILS, found
    assert names(found, "advice") == site.ADVICE & made, found
    assert code == (1 if site.FAILS else 0)
    if not site.FAILS:
        assert names(found, "not_examined") == site.NOT_EXAMINED & made, found
    for name in site.FAILS:
        assert found[name][1].startswith(site.REASON), found


NATIVE = '{"identityToken": "{identityToken}", "authorizationCode": "{code}"}'


def examine_api(world, kind, *options):
    """What a run finds of an API for apps, without a sign-in in a browser."""
    with serving(world, kind) as address:
        api = f"POST {address}/popup {NATIVE}"
        command = [BINARY, "check", "--api", api, "--native-client", APP, "--format", "json"]
        run = completed([*command, "--control", world.control, *options], timeout=SECONDS_MAX)
    assert run.stdout, run.stderr
    return verdicts(run.stdout), run.returncode


@pytest.mark.parametrize(
    "site", [broken_sites.Doors, broken_sites.Greeting], ids=lambda it: it.__name__
)
def test_an_api_that_verifies_nothing_fails_without_a_web_sign_in(world, site):
    found, code = examine_api(world, site)
    assert names(found, "fails") == broken_sites.API_FAILS - {"api-nonce"}, found
    assert names(found, "advice") == broken_sites.API_ADVICE, found
    assert names(found, "error") == set() and code == 1, found
    assert set(found) == broken_sites.API


def test_an_api_that_ignores_the_token_shows_nothing(world):
    found, _ = examine_api(world, broken_sites.CodeAlone)
    assert names(found, "fails") | names(found, "error") == set(), found
    assert names(found, "not_examined") == broken_sites.API_FORGERIES | {"api-nonce"}, found
    assert found["api-replayed"][0] == "holds"


def test_a_failure_can_be_accepted(world):
    accepted = [["--accept", f"{name}=the gateway verifies it"] for name in broken_sites.API]
    options = [word for words in accepted for word in words]
    found, code = examine_api(world, broken_sites.Doors, *options)
    assert names(found, "fails") == broken_sites.API_FAILS - {"api-nonce"} and code == 0, found


def test_each_check_has_been_seen_to_find_something():
    listed = completed([BINARY, "check", "--list"])
    checks = {line.split(":")[0] for line in listed.stdout.splitlines()}
    assert len(checks) > 50
    found = [site.FAILS | site.ADVICE for site in broken_sites.SITES + spelled_sites.SITES]
    assert checks - set.union(*found) == set()


@pytest.mark.parametrize(
    "site", [peculiar_sites.Silent, peculiar_sites.Overworked], ids=lambda it: it.__name__
)
def test_a_server_that_stops_in_between_holds_nothing(runs, site):
    found, code = runs[site].result()
    assert code == 1
    assert names(found, "fails") | names(found, "advice") == set(), found
    errors = names(found, "error")
    assert len(errors) > 40 and "keys-rotated" in errors, found
    assert all(site.REASON in found[name][1] for name in errors), found


def test_the_check_brings_an_emulator_with_a_seed(tmp_path):
    key, private = new_key()
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    public = key.public_key().public_bytes(serialization.Encoding.PEM, form).decode()
    port = free_port()
    with Served() as served:
        callback = served.url + "/callback"
        app = {"client_id": APP, "team_id": "CHECKTEAM1"}
        service = {"client_id": APP + ".web", "primary_client_id": APP}
        signing_key = {"team_id": "CHECKTEAM1", "key_id": "CHECKKEY01", "public_key_pem": public}
        seed = {
            "teams": [{"team_id": "CHECKTEAM1"}],
            "keys": [signing_key],
            "apps": [app],
            "services": [service | {"return_urls": [callback]}],
        }
        (tmp_path / "seed.json").write_text(json.dumps(seed))
        registration = Registration(APP + ".web", "CHECKTEAM1", "CHECKKEY01", private, callback)
        app = at(f"http://127.0.0.1:{port}", app_pyjwt.App)(registration)
        served.handler.site = CheckedSite(app, app)
        command = [BINARY, "check", served.url, "--start", "/login", "--signed-in", "/me"]
        command += ["--config", str(tmp_path / "seed.json"), "--port", str(port)]
        command += ["--only", "state-wrong", "--only", "consent-revoked"]
        run = completed(command, timeout=SECONDS_MAX)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "1 hold, 0 fail, 0 with advice, 1 not examined, 0 without a verdict" in run.stdout
    assert "register the server's URL in the seed" in run.stdout


def test_formats_and_chosen_checks(world):
    chosen = ["--only", "state-wrong", "--only", "audience", "--only", "deletion-revokes"]
    with serving(world, broken_sites.Browser) as address:
        code, output, _ = check(address + "/login", world.control, *chosen)
        report = check(address + "/login", world.control, *chosen, "--format", "junit")
    assert code == 1
    assert "FAILS         state-wrong" in output and "fix: " in output
    assert "1 hold, 1 fail, 0 with advice, 1 not examined" in output
    for part in ("sent", "expected", "actual", "fix", "see"):
        assert f"              {part}: " in output
    suite = ElementTree.fromstring(report[1])
    assert report[0] == 1
    assert [suite.get(it) for it in ("tests", "failures", "skipped")] == ["3", "1", "1"]
    assert all(float(it.get("time")) > 0 for it in suite.iter("testcase") if it.find("skipped") is None)


@pytest.mark.parametrize(
    "words",
    [
        "nowhere",
        "http://127.0.0.1:9/ --only wishes",
        "http://127.0.0.1:9/ --delete everything",
        "http://127.0.0.1:9/ --unlink everything",
        "http://127.0.0.1:9/ --api 'POST /api'",
        "http://127.0.0.1:9/ --nonces everything",
        "http://127.0.0.1:9/ --unlink 'GET /account'",
        "http://127.0.0.1:9/ --control here",
        "http://127.0.0.1:9/ --control http://127.0.0.1:9 --config seed.yaml",
        "http://127.0.0.1:9/ --format song",
        "http://127.0.0.1:9/ --accept wishes=none",
        "http://127.0.0.1:9/ --accept state-sent",
        "--api 'POST /sessions {}' --native-client com.example.app",
        "--api 'POST http://127.0.0.1:9/ {token}'",
        "--api 'POST http://127.0.0.1:9/ {}' --native-client com.example.app",
        "--api 'POST http://127.0.0.1:9/ {token}' --native-client com.example.app --only state-sent",
    ],
)
def test_wrong_usage(words):
    run = completed([BINARY, "check", *shlex.split(words)], timeout=60)
    assert run.returncode == 2, run.stderr
    assert "hint: " in run.stderr


def test_nothing_of_the_check_stays_at_apple(world):
    world.add("/faults", endpoint="revoke", status=503, count=1)
    world.decide_next()
    chosen = ["--only", "other-app", "--only", "embedded-key", "--only", "key-set-foreign", "--only", "token-endpoint-error"]
    with serving(world, CheckedSite) as address:
        before = world.call("GET", "/state")
        code, output, _ = check(address + "/login", world.control, *chosen)
        after = world.call("GET", "/state")
    assert code == 0 and "4 hold" in output, output
    for section in ("faults", "switches", "authorizations_next", "services"):
        assert after[section] == before[section], section
    assert APP in [app["client_id"] for app in before["apps"]]
    for list_name, key in {"people": "email", "apps": "client_id"}.items():
        assert [it[key] for it in after[list_name]] == [it[key] for it in before[list_name]]


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda it: it.name)
def test_a_stopped_check_leaves_nothing(world, ending):
    with serving(world, CheckedSite) as address:
        before = world.call("GET", "/state")
        command = [BINARY, "check", address + "/login", "--control", world.control]
        command += ["--signed-in", "/me", "--only", "key-set-empty"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + SECONDS_MAX
        while not world.call("GET", "/switches")["empty_key_set"]:
            assert process.poll() is None and time.monotonic() < deadline
        process.send_signal(ending)
        _, errors = process.communicate(timeout=SECONDS_MAX)
        after = world.call("GET", "/state")
    assert process.returncode == 1 and "stopped" in errors, errors
    for section in ("people", "faults", "switches"):
        assert after[section] == before[section], section


def test_an_answer_that_drips_ends_with_the_time_limit():
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=drip, args=(server,), daemon=True).start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/login"
        start = time.monotonic()
        run = completed([BINARY, "check", url, "--port", "0"], timeout=120)
    assert run.returncode == 1 and "got no response" in run.stderr, run.stderr
    assert time.monotonic() - start < 100


def drip(server):
    """Answers each request with a body that comes byte by byte."""
    while True:
        connection = server.accept()[0]
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        try:
            while True:
                connection.sendall(b"x")
                time.sleep(0.5)
        except OSError:
            pass


def test_a_running_emulator_is_named_by_its_control_port():
    with socket.create_server(("127.0.0.1", 0)) as emulator:
        port = emulator.getsockname()[1]
        run = completed([BINARY, "check", "http://127.0.0.1:9/", "--port", str(port)], timeout=60)
    assert run.returncode == 1
    assert f"port {port} is already in use\nhint: if your server's emulator runs there" in run.stderr
    assert "--control http://127.0.0.1:8082" in run.stderr


def test_a_server_that_is_not_there_is_told(world):
    code, _, errors = check("http://127.0.0.1:9/login", world.control)
    assert code == 1
    assert "got no response: nothing listens there\nhint: start the server" in errors


def test_a_report_of_a_server_that_is_not_there_has_errors_alone(world):
    address = "http://127.0.0.1:9/login"
    code, output, _ = check(address, world.control, "--format", "json")
    found = verdicts(output)
    assert code == 1
    assert len(found) > 50 and names(found, "error") == set(found)
    code, output, _ = check(address, world.control, "--format", "junit")
    suite = ElementTree.fromstring(output)
    assert code == 1
    assert suite.get("errors") == suite.get("tests") == str(len(found))
