"""Two accounts servers on one PostgreSQL behind nginx: any request on either, and one that ends under load."""

import contextlib
import html
import itertools
import re

import pytest
import requests

from load import Connection, Load, poll
from loopback_app import LoopbackApp
from postgresql import call, running_cluster, serving
from replicas import Nginx, apple_settings, sign_ins
from sheet import Sheet

ORIGIN = "https://accounts.example.com"
PASSWORD = "many green apples"
TIMEOUT_SECONDS = 60
# Requests that are answered well before the next thing happens.
LOAD = 150
GUESSING_SECONDS_MAX = 60
NGINX_SECONDS_MAX = 60


@pytest.fixture(scope="module")
def cluster():
    with running_cluster() as cluster:
        yield cluster


class Site:
    """Two servers, nginx before them, and where they are."""

    def __init__(self, first, second, nginx, folder):
        self.first, self.second, self.nginx = first, second, nginx
        self.logs = [folder / "first.log", folder / "second.log"]


@pytest.fixture
def site(cluster, serve_settings, tmp_path, world):
    with contextlib.ExitStack() as stack:
        # nginx has its port before the servers are told their address.
        nginx = Nginx(tmp_path, [])
        callback = f"{nginx.url}/sign-in/apple/callback"
        services_id = "com.example.python.replicas"
        world.add_service(services_id, callback)
        settings = apple_settings(serve_settings, cluster.url, world) | {
            "SIWA_PUBLIC_URL": nginx.url,
            "SIWA_SERVICES_ID": services_id,
            "SIWA_TRUSTED_PROXIES": "127.0.0.1",
            "SIWA_LOG_FORMAT": "json",
            "SIWA_LOG_LEVEL": "info",
        }
        first = stack.enter_context(serving(settings, tmp_path / "first.log"))
        second = stack.enter_context(serving(settings, tmp_path / "second.log"))
        nginx.servers = [first, second]
        stack.callback(nginx.close)
        nginx.start()
        yield Site(first, second, nginx, tmp_path)


def test_a_persons_session_is_one_on_all_servers(site, world):
    first, second = site.first.url, site.second.url
    nonce = call("POST", f"{first}/api/nonces")[1]["nonce"]
    device = world.credentials(nonce=nonce)
    body = {
        "identityToken": device["identity_token"],
        "authorizationCode": device["authorization_code"],
        "nonce": nonce,
        "fullName": {"givenName": "Inês", "familyName": "Duarte"},
    }
    status, made = call("POST", f"{second}/api/sessions/apple", body)
    assert status == 201, made
    # What one server took, no server takes again.
    for server in [first, second]:
        assert call("POST", f"{server}/api/sessions/apple", body)[0] == 401
    token = made["token"]
    assert call("PATCH", f"{first}/api/account", {"name": "Inês D."}, token)[0] == 200
    status, account = call("GET", f"{second}/api/account", token=token)
    assert (status, account["name"]) == (200, "Inês D.")
    password = {"username": "ines.duarte", "newPassword": PASSWORD}
    assert call("PUT", f"{second}/api/account/password", password, token)[0] == 200
    credentials = {"username": "ines.duarte", "password": PASSWORD}
    status, other = call("POST", f"{first}/api/sessions/password", credentials)
    assert status == 201, other
    # The end of all other sessions, told to one server, counts on the other at once.
    assert call("DELETE", f"{first}/api/sessions", token=token)[0] in (200, 204)
    assert call("GET", f"{second}/api/account", token=other["token"])[0] == 401
    assert call("DELETE", f"{second}/api/account", token=token)[0] == 204
    assert call("GET", f"{first}/api/account", token=token)[0] == 401


def test_guesses_are_counted_together(site):
    account = {"username": "guessed.person", "password": PASSWORD}
    assert call("POST", f"{site.first.url}/api/accounts", account)[0] == 201
    wrong = account | {"password": "many red apples"}
    servers = [site.first.url, site.second.url]

    def wait(server, body):
        """Seconds that the server wants to be waited for; none when it looked at the password."""
        answer = requests.post(f"{server}/api/sessions/password", json=body, timeout=TIMEOUT_SECONDS)
        assert answer.status_code in (401, 429), answer.text
        return int(answer.headers.get("Retry-After", 0))

    # The waits grow with each guess: sooner or later one is longer than what is asked next takes.
    turns = itertools.cycle(servers)
    poll(GUESSING_SECONDS_MAX, lambda: wait(next(turns), wrong) >= 4, "guesses are slowed down")
    for server in servers:
        assert wait(server, account) > 0, "a server does not know of the guesses at the other one"


def start_again(server, load):
    """Returns when nginx sends the server requests of every kind again, as whoever restarts one after another waits."""
    before = server.log.stat().st_size
    server.start()

    def is_used():
        with open(server.log) as log:
            log.seek(before)
            text = log.read()
        return '"PATCH"' in text and '"GET"' in text

    poll(NGINX_SECONDS_MAX, is_used, "nginx uses the server again")
    load.wait_for(LOAD)


def field(page, name):
    """The value of a hidden field."""
    return html.unescape(re.search(f'name="{name}" value="([^"]*)"', page).group(1))


def test_browser_and_app_go_through_nginx(site, world):
    """Each request of one client goes to the other server than the one before."""
    nginx = site.nginx
    session = requests.Session()
    # The environment may name other authorities.
    session.trust_env = False
    session.verify = nginx.certificate
    session.headers["Origin"] = nginx.url

    # The last of several tabs: the response to its sign-in sets the cookies of all.
    for path in [f"/verify-email?token={'a' * 150}"] * 4 + ["/"]:
        begun = session.get(
            f"{nginx.url}/sign-in/apple",
            params={"return_to": path},
            allow_redirects=False,
            timeout=TIMEOUT_SECONDS,
        )
        assert begun.is_redirect, begun.text
    world.decide_next(email="share")
    sheet = Sheet()
    sheet.open(begun.headers["Location"])
    action, fields = sheet.form_post()
    headers = {"Origin": "https://appleid.apple.com"}
    back = session.post(action, fields, headers=headers, timeout=TIMEOUT_SECONDS)
    assert back.status_code == 200, back.text
    assert "Inês" in session.get(nginx.url, timeout=TIMEOUT_SECONDS).text

    app = LoopbackApp(nginx.url)
    app.client_id, app.api = world.app_id, site.second.url
    page = session.get(app.address, timeout=TIMEOUT_SECONDS).text
    form = {name: field(page, name) for name in ("request", "session")} | {"action": "continue"}
    confirmed = session.post(f"{nginx.url}/sign-in/app/confirm", form, timeout=TIMEOUT_SECONDS)
    session.get(confirmed.headers["Refresh"].removeprefix("0; url="), timeout=TIMEOUT_SECONDS)
    app.wait()
    answer = app.redeem()
    assert answer.status_code == 201, answer.text
    app.api = site.first.url
    assert app.redeem().json()["code"] == "app_code_invalid"
    app.close()

    for log in site.logs:
        assert "sign-in" in log.read_text(), "one of the servers got no request of the sign-in"
    assert "code_challenge" not in nginx.requests, "nginx wrote a query into its log"


def test_nginx_passes_on_the_address_it_was_called_from(site):
    connection = Connection(site.nginx.url, site.nginx.certificate)
    for _ in range(2):
        assert connection.send("GET", "/health/live")[0] == 200
    connection.close()
    told = site.logs[0].read_text() + site.logs[1].read_text()
    assert '"peer":"127.0.0.1"' in told.replace(" ", ""), told[-500:]
    plain = f"http://127.0.0.1:{site.nginx.plain_port}/sign-in?return_to=/"
    answer = requests.get(
        plain, headers={"Host": "localhost"}, allow_redirects=False, timeout=TIMEOUT_SECONDS
    )
    assert (answer.status_code, answer.headers["Location"]) == (
        301,
        "https://localhost/sign-in?return_to=/",
    )


def test_nginx_has_the_limits_of_the_server(site):
    def status(method, path, **request):
        url, certificate = site.nginx.url, site.nginx.certificate
        headers = {"Origin": url} | request.pop("headers", {})
        return requests.request(
            method, url + path, headers=headers, verify=certificate, timeout=TIMEOUT_SECONDS, **request
        ).status_code

    cookies = "; ".join(f"tab-{number}={'x' * 1000}" for number in range(24))
    assert status("GET", "/sign-in", headers={"Cookie": cookies}) == 200
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    for path, headers, kibibytes in [
        ("/sign-in/apple/callback", form, 192),
        ("/sign-in/android/callback", form, 192),
        ("/sign-in/apple/callback/again", form, 320),
        ("/api/sessions/apple", {"Content-Type": "application/json"}, 64),
    ]:
        body = b"x" * kibibytes * 1024
        assert status("POST", path, headers=headers, data=body) in (400, 404), path
        assert status("POST", path, headers=headers, data=body + b"x") == 413, path


def test_a_server_that_is_told_to_end_under_load_fails_no_request(site, world):
    bodies = sign_ins(world, 120)
    nginx = site.nginx
    with Load(nginx.url, bodies, nginx.certificate) as load:
        load.wait_for(LOAD)
        for server in [site.first, site.second, site.first]:
            assert server.terminate() == 0
            load.wait_for(LOAD)
            start_again(server, load)
    assert load.failures == [], nginx.errors[-2000:]
    assert len(load.people) > 20
    for server in [site.first, site.second]:
        assert load.lost(server.url) == []


def test_a_server_that_is_killed_under_load_loses_nothing_acknowledged(site, world):
    bodies = sign_ins(world, 120)
    nginx = site.nginx
    with Load(nginx.url, bodies, nginx.certificate) as load:
        load.wait_for(LOAD)
        for server in [site.first, site.second]:
            server.kill()
            load.wait_for(LOAD)
            start_again(server, load)
    # What changes nothing is asked again elsewhere; of the rest nobody knows whether it was done.
    assert load.failures_of("GET") == [], nginx.errors[-2000:]
    assert {failure[2] for failure in load.failures} <= {502, 504}
    assert len(load.failures) <= 12, "more than was under way at two servers"
    assert len(load.people) > 20
    for server in [site.first, site.second]:
        assert load.lost(server.url) == []
