"""A plug-in for pytest with which testcontainers needs no engine: the built program takes the place of the image.

Its free ports are those that an engine would publish.
"""

import contextlib
import os

import pytest
from testcontainers.core import container as containers
from testcontainers.core.container import DockerContainer

from processes import running_emulator

IMAGE = f"siwa:{os.environ['SIWA_VERSION']}"
PORTS = {"apple": "8081", "control": "8082", "smtp": "8025"}


@pytest.fixture(scope="session", autouse=True)
def no_engine():
    programs = contextlib.ExitStack()
    published = {}

    def start(container):
        assert container.image == IMAGE and set(container.ports) <= set(PORTS.values())
        addresses = programs.enter_context(running_emulator())
        found = {port: addresses[name].rpartition(":")[2] for name, port in PORTS.items()}
        published.update((port, found[port]) for port in container.ports)
        container._wait_strategy.wait_until_ready(container)
        return container

    with pytest.MonkeyPatch.context() as patch:
        # It would ask the engine for its version.
        patch.setattr(containers, "DockerClient", lambda **_: None)
        patch.setattr(DockerContainer, "start", start)
        patch.setattr(DockerContainer, "stop", lambda container: programs.close())
        patch.setattr(DockerContainer, "get_container_host_ip", lambda container: "localhost")
        patch.setattr(DockerContainer, "get_exposed_port", lambda container, port: int(published[str(port)]))
        yield
