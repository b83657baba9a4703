"""siwa check: sites that are defended pass, and broken ones fail at exactly their lines."""

import json
import xml.etree.ElementTree as ElementTree

import pytest
from cryptography.hazmat.primitives import serialization

import app_authlib
import app_pyjwt
import broken_sites
import peculiar_sites
import spelled_sites
from checked_site import CheckedSite, Handler, Served
from conftest import BINARY, new_key, running_demo
from processes import completed, free_port
from registration import Registration

SECONDS_MAX = 300
APP = "com.example.checked"
# PyJWT has no function for c_hash, and these sites call none of their own. Both fetch Apple's keys
# for each token, and so refuse one whose key was withdrawn. joserfc refuses a whole set for one key of
# a curve that it does not know.
ADVICE = {app_pyjwt.App: broken_sites.USUAL, app_authlib.App: {"key-set-foreign", "keys-withdrawn"}}
# Cookies are plain at http, which tells nothing of those at https.
NOT_EXAMINED = {"session-cookie-secure"}


@pytest.fixture
def served(world):
    """A place for a site, registered at Apple with its address for notifications."""
    with Served() as served:
        register(world, served)
        yield served


def register(world, served, notifications="/notifications"):
    fields = {"client_id": APP, "team_id": world.team_id}
    if notifications:
        fields["notification_url"] = served.url + notifications
    world.add("/apps", **fields)
    services_id, redirect_uri = APP + ".web", served.url + "/callback"
    world.add("/services", client_id=services_id, primary_client_id=APP, return_urls=[redirect_uri])
    served.registration = Registration(
        services_id, world.team_id, world.key_id, world.private_key, redirect_uri
    )


@pytest.fixture
def listener(world, monkeypatch):
    """Notifications are for the primary app."""
    registration = Registration(APP, world.team_id, world.key_id, world.private_key, "")
    return make_app(app_pyjwt.App, world, registration, monkeypatch)


def make_app(kind, world, registration, monkeypatch):
    for name in ("authorize_url", "token_url", "revoke_url", "keys_url", "discovery_url"):
        if hasattr(kind, name):
            address = getattr(kind, name).replace(app_pyjwt.App.issuer, world.apple)
            monkeypatch.setattr(kind, name, address)
    return kind(registration)


def check(url, control, *options, signed_in="/me"):
    """Runs the command; answers its exit code and output."""
    command = [BINARY, "check", url, "--control", control, "--signed-in", signed_in, *options]
    run = completed(command, timeout=SECONDS_MAX)
    return run.returncode, run.stdout, run.stderr


def serving(world, site, tls=False):
    """A place for a kind of site, which may have a handler of its own."""
    served = Served(getattr(site, "HANDLER", Handler), tls)
    # Apple's notifications come to nobody whose certificate is unknown.
    register(world, served, None if tls else "/notifications")
    return served


def verdicts(output):
    return {it["name"]: (it["verdict"], it["reason"]) for it in json.loads(output)["checks"]}


def names(found, verdict):
    return {name for name, (it, _) in found.items() if it == verdict}


def examine(site, served, control, only=()):
    """What a run finds of a site, a whole one or of some checks, and its exit code."""
    served.handler.site = site
    unlink = 'POST /unlink {"reason": "{random}"}'
    options = ["--delete", "POST /delete", "--unlink", unlink, "--format", "json"]
    for name in only:
        options += ["--only", name]
    code, output, errors = check(served.url + "/login", control, *options)
    assert output, errors
    return verdicts(output), code


@pytest.mark.parametrize("kind", [app_pyjwt.App, app_authlib.App], ids=["pyjwt", "authlib"])
def test_a_defended_site_passes(world, served, listener, monkeypatch, kind):
    app = make_app(kind, world, served.registration, monkeypatch)
    found, code = examine(CheckedSite(app, listener), served, world.control)
    assert code == 0, found
    assert names(found, "fails") == set()
    assert names(found, "not_examined") == NOT_EXAMINED, found
    assert names(found, "advice") == ADVICE[kind], found


@pytest.mark.parametrize("site", broken_sites.SITES, ids=lambda it: it.__name__)
def test_a_broken_site_fails_at_its_lines(world, listener, monkeypatch, site):
    with serving(world, site, getattr(site, "TLS", False)) as served:
        app = make_app(site.APP, world, served.registration, monkeypatch)
        found, code = examine(site(app, listener), served, world.control)
    assert names(found, "error") == set(), found
    assert names(found, "fails") == site.FAILS, found
    assert names(found, "advice") == site.ADVICE, found
    assert code == (1 if site.FAILS else 0)


@pytest.mark.parametrize("spelled", spelled_sites.SITES, ids=str)
def test_a_mistake_is_found_in_each_spelling(world, listener, monkeypatch, spelled):
    with serving(world, spelled.site) as served:
        app = make_app(spelled.app, world, served.registration, monkeypatch)
        site = spelled.site(app, listener)
        found, _ = examine(site, served, world.control, [spelled.check])
    assert found[spelled.check][0] == spelled.verdict, found


def test_each_check_has_been_seen_to_find_something():
    listed = completed([BINARY, "check", "--list"])
    checks = {line.split(":")[0] for line in listed.stdout.splitlines()}
    assert len(checks) > 50
    found = [site.FAILS | site.ADVICE for site in broken_sites.SITES]
    found.append({spelled.check for spelled in spelled_sites.SITES})
    assert checks - set.union(*found) == set()


@pytest.mark.parametrize("site", peculiar_sites.SITES, ids=lambda it: it.__name__)
def test_a_peculiar_site_does_not_fail(world, listener, monkeypatch, site):
    with serving(world, site) as served:
        app = make_app(app_pyjwt.App, world, served.registration, monkeypatch)
        only = getattr(site, "ONLY", set())
        found, code = examine(site(app, listener), served, world.control, only)
    usual = set() if only else ADVICE[app_pyjwt.App]
    assert names(found, "fails") | names(found, "error") == set(), found
    assert names(found, "advice") == site.ADVICE | usual, found
    assert names(found, "not_examined") == getattr(site, "NOT_EXAMINED", set()), found
    assert code == 0


@pytest.mark.parametrize(
    ("handler", "reason"),
    [(peculiar_sites.ShortLived, "got no answer"), (peculiar_sites.Overworked, "answered 503")],
    ids=["silent", "overworked"],
)
def test_a_server_that_stops_in_between_holds_nothing(
    world, listener, monkeypatch, handler, reason
):
    with Served(handler) as served:
        register(world, served)
        app = make_app(app_pyjwt.App, world, served.registration, monkeypatch)
        found, code = examine(peculiar_sites.Mortal(app, listener), served, world.control)
    assert code == 1
    assert names(found, "fails") | names(found, "advice") == set(), found
    errors = names(found, "error")
    assert len(errors) > 40 and "keys-rotated" in errors, found
    assert all(reason in found[name][1] for name in errors), found


@pytest.mark.parametrize("rule", peculiar_sites.REDIRECT_RULES, ids=lambda it: it.__name__)
def test_a_return_address_that_is_looked_at_in_part_is_found(world, listener, monkeypatch, rule):
    with Served(peculiar_sites.SingleHandler) as served:
        register(world, served)
        app = make_app(app_pyjwt.App, world, served.registration, monkeypatch)
        site = peculiar_sites.redirecting(rule, served.url)
        served.handler.site = site(app, listener)
        options = ["--only", "open-redirect", "--format", "json"]
        code, output, _ = check(served.url + "/login", world.control, *options)
    verdict, reason = verdicts(output)["open-redirect"]
    assert (code, verdict) == (1, "fails"), output
    assert reason.startswith("with next="), reason


def test_the_accounts_server_passes(tmp_path):
    with running_demo(tmp_path) as addresses:
        code, output, errors = check(
            addresses["server"] + "/sign-in/apple",
            addresses["control"],
            "--delete",
            "GET /account/delete",
            "--unlink",
            'PUT /api/account/password {"username": "{random}", "newPassword": "{random}"}',
            "--unlink",
            "DELETE /api/account/apple",
            signed_in="/",
        )
    assert code == 0, output + errors
    assert "0 fail, 0 with advice, 1 not examined, 0 without a verdict" in output, output
    assert "not examined  session-cookie-secure" in output, output


def test_the_check_brings_an_emulator_with_a_seed(tmp_path, monkeypatch):
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
        for name in ("authorize_url", "token_url", "revoke_url", "keys_url"):
            address = getattr(app_pyjwt.App, name)
            own = address.replace(app_pyjwt.App.issuer, f"http://127.0.0.1:{port}")
            monkeypatch.setattr(app_pyjwt.App, name, own)
        registration = Registration(APP + ".web", "CHECKTEAM1", "CHECKKEY01", private, callback)
        app = app_pyjwt.App(registration)
        served.handler.site = CheckedSite(app, app)
        command = [BINARY, "check", served.url, "--start", "/login", "--signed-in", "/me"]
        command += ["--config", str(tmp_path / "seed.json"), "--port", str(port)]
        command += ["--only", "state-wrong", "--only", "consent-revoked"]
        run = completed(command, timeout=SECONDS_MAX)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "1 hold, 0 fail, 0 with advice, 1 not examined, 0 without a verdict" in run.stdout
    assert "register the server's address in the seed" in run.stdout


def test_formats_and_chosen_checks(world, served, listener, monkeypatch):
    app = make_app(app_pyjwt.App, world, served.registration, monkeypatch)
    served.handler.site = broken_sites.Browser(app, listener)
    chosen = ["--only", "state-wrong", "--only", "audience", "--only", "deletion-revokes"]
    code, output, _ = check(served.url + "/login", world.control, *chosen)
    assert code == 1
    assert "FAILS         state-wrong" in output and "fix: " in output
    assert "1 hold, 1 fail, 0 with advice, 1 not examined" in output
    for part in ("sent", "expected", "came", "fix", "see"):
        assert f"              {part}: " in output
    code, output, _ = check(served.url + "/login", world.control, *chosen, "--format", "junit")
    suite = ElementTree.fromstring(output)
    assert code == 1
    assert [suite.get(it) for it in ("tests", "failures", "skipped")] == ["3", "1", "1"]


@pytest.mark.parametrize(
    "options",
    [
        ["nowhere"],
        ["http://127.0.0.1:9/", "--only", "wishes"],
        ["http://127.0.0.1:9/", "--delete", "everything"],
        ["http://127.0.0.1:9/", "--unlink", "everything"],
        ["http://127.0.0.1:9/", "--unlink", "GET /account"],
        ["http://127.0.0.1:9/", "--control", "here"],
        ["http://127.0.0.1:9/", "--format", "song"],
    ],
    ids=lambda it: it[-1],
)
def test_wrong_usage(options):
    run = completed([BINARY, "check", *options], timeout=60)
    assert run.returncode == 2, run.stderr
    assert "hint: " in run.stderr


def test_a_server_that_is_not_there_is_told(world):
    code, _, errors = check("http://127.0.0.1:9/login", world.control)
    assert code == 1
    assert "got no answer" in errors and "hint: start the server" in errors


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
