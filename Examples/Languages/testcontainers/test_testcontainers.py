"""The emulator runs in a container for all tests, and each test has a world of its own in it."""

import pytest
import requests
from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import HttpWaitStrategy

APPLE, CONTROL, SMTP = 8081, 8082, 8025
TIMEOUT_SECONDS = 20


@pytest.fixture(scope="session")
def emulator():
    container = DockerContainer("siwa:0.1.0").with_exposed_ports(APPLE, CONTROL, SMTP)
    container.waiting_for(HttpWaitStrategy(CONTROL, "/health").for_status_code(200))
    with container:
        host = container.get_container_host_ip()
        yield {port: f"{host}:{container.get_exposed_port(port)}" for port in (APPLE, CONTROL, SMTP)}


@pytest.fixture
def apple(emulator):
    """The URLs of a world: `apple` for your server, `control` for the test; `smtp_user` names it to the mail relay."""
    worlds = f"http://{emulator[CONTROL]}/worlds"
    world = requests.post(worlds, json={}, timeout=TIMEOUT_SECONDS).json()
    yield {
        "apple": f"http://{emulator[APPLE]}{world['path']}",
        "control": f"http://{emulator[CONTROL]}{world['path']}",
        "smtp": emulator[SMTP],
        "smtp_user": world["smtp_user"],
    }
    requests.delete(f"{worlds}/{world['world']}", timeout=TIMEOUT_SECONDS)


def test_a_person_signs_in(apple):
    decision = {"person": "maya@example.com", "decision": "continue", "email": "hide"}
    requests.post(f"{apple['control']}/authorizations/next", json=decision, timeout=TIMEOUT_SECONDS)
    query = {
        "client_id": "com.example.juice.web",
        "redirect_uri": "https://juice.example.com/sign-in/apple/callback",
        "response_type": "code id_token",
        "response_mode": "form_post",
        "scope": "name email",
        "nonce": "n",
    }
    page = requests.get(f"{apple['apple']}/auth/authorize", query, timeout=TIMEOUT_SECONDS)
    assert page.ok and 'name="code"' in page.text, page.text
