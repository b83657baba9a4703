"""Loads the plug-in, and starts the server under test."""

import pytest

from app import App

pytest_plugins = ["pytest_siwa"]


@pytest.fixture
def server():
    server = App()
    yield server
    server.close()


@pytest.fixture
def siwa_urls(server):
    return {
        "return_url": f"{server.url}/callback",
        "notification_url": f"{server.url}/notifications",
    }


@pytest.fixture
def app(server, siwa):
    return server.connect(siwa)
