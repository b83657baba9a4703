"""Runs what compose.yaml says, without an engine: its commands and settings, on this machine, under the names of its services.

usage: python compose_inside.py FOLDER     what deployment/compose-secrets made
Runs where the names lead to this machine (apart.py); exit code 0 when people can sign in, the server hears of them, and
its mail arrives.
"""

import contextlib
import os
import pathlib
import subprocess
import sys

import requests
import yaml

from load import poll
from postgresql import running_cluster
from processes import completed, running

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
BINARY = os.environ["SIWA_BINARY"]
HEALTHY_SECONDS_MAX = 60
TIMEOUT_SECONDS = 60


def services(folder, file=REPOSITORY / "compose.yaml"):
    """The services, with the folder where their containers have /run/siwa."""
    text = file.read_text()
    return yaml.safe_load(text.replace("/run/siwa/", f"{folder}/"))["services"]


def environment(service, folder):
    variables = {"PATH": os.environ["PATH"]} | service.get("environment", {})
    if service.get("env_file"):
        lines = (folder / pathlib.Path(service["env_file"]).name).read_text().splitlines()
        variables |= dict(line.split("=", 1) for line in lines)
    return variables


def wait_until_healthy(test):
    """Runs a health check as an engine does, until it succeeds or has failed too long."""
    assert test[:2] == ["CMD", "/usr/bin/siwa"], test

    def is_healthy():
        return completed([BINARY, *test[2:]]).returncode == 0

    poll(HEALTHY_SECONDS_MAX, is_healthy, "healthy")


@contextlib.contextmanager
def healthy_service(service, folder, **more):
    variables = environment(service, folder) | more
    with running([BINARY, *service["command"]], env=variables, stdout=subprocess.DEVNULL) as process:
        wait_until_healthy(service["healthcheck"]["test"])
        yield
        process.terminate()
        process.wait(TIMEOUT_SECONDS)


@contextlib.contextmanager
def database(service, folder):
    """A PostgreSQL with the user, the password and the database of the service; its port."""
    settings = service["environment"]
    user, name = settings["POSTGRES_USER"], settings["POSTGRES_DB"]
    password = pathlib.Path(settings["POSTGRES_PASSWORD_FILE"]).read_text().strip()
    options = "ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0"
    with running_cluster() as cluster:
        for statement in (
            f"CREATE ROLE {user} LOGIN PASSWORD '{password}'",
            f"CREATE DATABASE {name} OWNER {user} {options}",
        ):
            subprocess.run(["psql", cluster.url, "-qXc", statement], check=True)
        yield cluster.port


def ask(method, url, expecting, body=None):
    answer = requests.request(
        method, url, json=body, timeout=TIMEOUT_SECONDS, allow_redirects=False
    )
    assert answer.status_code == expecting, f"{url}: {answer.status_code} {answer.text}"
    return answer


def sign_in(control):
    """An app signs in with a code, which the accounts server exchanges at the emulator."""
    given = ask(
        "POST",
        f"{control}/people/maya@example.com/credentials",
        201,
        {"client_id": "com.example.juice", "scopes": ["name", "email"], "email": "hide"},
    ).json()
    body = {
        "identityToken": given["identity_token"],
        "authorizationCode": given["authorization_code"],
    }
    session = ask("POST", "http://accounts:8080/api/sessions/apple", 201, body).json()
    assert session["account"]["emailIsPrivateRelay"] is True, session


def begin_on_the_web(control):
    """A browser on the machine is sent to the emulator, which takes the return address with a remark."""
    start = ask("GET", "http://localhost:8080/sign-in/apple", 303)
    address = start.headers["Location"]
    assert address.startswith("http://localhost:8081/auth/authorize?"), address
    ask("GET", address, 200)
    last = ask("GET", f"{control}/requests", 200).json()["requests"][-1]
    assert "Apple would refuse" in last["hint"], last


def stop_using(control):
    """The emulator tells the accounts server by the name of its container."""
    client = {"client_id": "com.example.juice"}
    ask("POST", f"{control}/people/maya@example.com/stop-using", 200, client)

    def told():
        (told,) = ask("GET", f"{control}/notifications", 200).json()["notifications"]
        return told

    poll(HEALTHY_SECONDS_MAX, lambda: told()["attempts"], "the server is told")
    told = told()
    assert told["url"] == "http://accounts:8080/apple/notifications", told
    assert told["state"] == "delivered" and "Apple sends only to https" in told["hint"], told


def receive_mail(control):
    """The accounts server writes to the emulator's relay by the name of its container."""
    person = {"username": "maya", "password": "correct horse battery staple", "email": "maya@example.com"}
    ask("POST", "http://accounts:8080/api/accounts", 201, person)
    (mail,) = ask("GET", f"{control}/mail?wait=20&after=0", 200).json()["messages"]
    assert mail["person"] == "maya@example.com", mail
    text = ask("GET", f"{control}/mail/{mail['id']}", 200).json()["text"]
    assert "http://localhost:8080/verify-email?token=" in text, text


def main(folder):
    folder = pathlib.Path(folder)
    known = services(folder)
    with (
        healthy_service(known["apple"], folder),
        database(known["database"], folder) as port,
        healthy_service(known["accounts"], folder, PGPORT=port),
    ):
        control = "http://apple:8082"
        sign_in(control)
        begin_on_the_web(control)
        stop_using(control)
        receive_mail(control)


if __name__ == "__main__":
    main(sys.argv[1])
