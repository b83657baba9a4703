"""Starts the server under test."""

import pytest

from app import App


@pytest.fixture
def server():
    server = App()
    yield server
    server.close()


@pytest.fixture
def apple_urls(server):
    return {
        "return_url": f"{server.url}/callback",
        "notification_url": f"{server.url}/notifications",
    }


@pytest.fixture
def app(server, apple):
    return server.connect(apple)
