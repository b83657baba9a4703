"""A plug-in that pytest finds by itself: an Apple for each test, and one emulator for the whole run."""

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from siwa_emulator.apple import Apple, Person
from siwa_emulator.emulator import running_emulator, world
from siwa_emulator.program import EmulatorError
from siwa_emulator.sharing import SharedEmulator, shared_control

SHARED = pytest.StashKey[SharedEmulator]()


@pytest.fixture(scope="session")
def apple_addresses(request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    """Where the emulator is: at SIWA_CONTROL_URL, or started for this run."""
    control = os.environ.get("SIWA_CONTROL_URL", "").rstrip("/")
    shared = getattr(request.config, "workerinput", {}).get("siwa_emulator")
    with contextlib.ExitStack() as stack:
        try:
            if control:
                found = world(control, os.environ.get("SIWA_APPLE_URL"), os.environ.get("SIWA_SMTP"))
            elif shared:
                found = world(shared_control(shared))
            else:
                found = running_emulator()
            addresses = stack.enter_context(found)
        except EmulatorError as error:
            pytest.fail(str(error), pytrace=False)
        yield addresses


@pytest.fixture
def apple_urls() -> dict[str, str]:
    """Override it with where your server is: `return_url` and `notification_url`."""
    return {}


@pytest.fixture
def apple(apple_addresses: dict[str, str], apple_urls: dict[str, str]) -> Apple:
    """An Apple for one test."""
    return Apple(apple_addresses, **apple_urls)


@pytest.fixture
def apple_person(apple: Apple) -> Person:
    """Somebody who never used the app."""
    return Person(apple)


@pytest.fixture
def decision(apple: Apple, apple_person: Person) -> Iterator[Callable[..., None]]:
    """Decides for the person what the app's next request to sign in comes to.

    `decision("cancel")`, or `decision("continue", email="hide")`.
    """

    def decide(word: str = "continue", **choice: Any) -> None:
        who = {"person": apple_person.email, "client_id": apple.client_id}
        apple.post("/authorizations/next", **who, decision=word, **choice)

    yield decide
    apple.delete(f"/authorizations/next?client_id={apple.client_id}")


@pytest.fixture
def apple_clock(apple: Apple) -> Iterator[Callable[[float], None]]:
    """Moves Apple's clock: `apple_clock(301)` makes it 301 seconds later until the test ends.

    The clock is that of all tests of this process.
    """
    moved: list[float] = []

    def advance(seconds: float) -> None:
        apple.post("/clock", advance_seconds=seconds)
        moved.append(seconds)

    yield advance
    apple.post("/clock", advance_seconds=-sum(moved))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tells each worker of pytest-xdist where to ask for the emulator of the run."""
    if os.environ.get("SIWA_CONTROL_URL"):
        return
    stash = node.config.stash
    if SHARED not in stash:
        stash[SHARED] = SharedEmulator()
    node.workerinput["siwa_emulator"] = stash[SHARED].port


def pytest_unconfigure(config: pytest.Config) -> None:
    """Ends the emulator of the run."""
    shared = config.stash.get(SHARED, None)
    if shared:
        shared.close()
