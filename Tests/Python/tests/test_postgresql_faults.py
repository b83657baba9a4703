"""PostgreSQL restarted, killed and failed over under load: nothing acknowledged is lost, and service comes back."""

import pytest

from load import Connection, Load, poll
from postgresql import running_cluster, serving
from replicas import apple_settings, sign_ins

LOAD = 100
# How soon the server answers again by itself, once the database takes writes.
RECOVERY_SECONDS_MAX = 60
# The server tries every five seconds whether it can write.
PROBE_SECONDS_MAX = 60


def is_ready(server):
    connection = Connection(server.url)
    try:
        return connection.send("GET", "/health/ready")[0] == 200
    finally:
        connection.close()


def check(load, server):
    """What was answered is there, and everything else was a 503."""
    assert {failure[2] for failure in load.failures} <= {503}, load.failures[-5:]
    assert len(load.people) > 10
    assert load.lost(server.url) == []


def expect_recovery(load, server):
    load.wait_for_write(RECOVERY_SECONDS_MAX)
    load.wait_for(LOAD)
    poll(PROBE_SECONDS_MAX, lambda: is_ready(server), "the probe tells it")


def test_a_database_that_is_restarted_or_killed(world, serve_settings):
    with running_cluster() as cluster:
        settings = apple_settings(serve_settings, cluster.url, world)
        with serving(settings) as server:
            with Load(server.url, sign_ins(world, 80)) as load:
                load.wait_for(LOAD)
                cluster.command("restart")
                expect_recovery(load, server)
                cluster.command("crash")
                poll(PROBE_SECONDS_MAX, lambda: not is_ready(server), "the probe tells it")
                cluster.command("start")
                expect_recovery(load, server)
            check(load, server)


@pytest.mark.parametrize("end", ["crash", "hang"])
def test_a_standby_that_takes_over(world, serve_settings, end):
    """The first server dies, or hangs with all its connections open, which nobody is told."""
    with running_cluster() as cluster:
        (port,) = cluster.command("standby")
        folders, ports = f"{cluster.folder},{cluster.folder}", f"{cluster.port},{port}"
        url = f"postgres://app@/postgres?host={folders}&port={ports}"
        settings = apple_settings(serve_settings, url, world)
        with serving(settings) as server:
            with Load(server.url, sign_ins(world, 80)) as load:
                load.wait_for(LOAD)
                cluster.command(end)
                cluster.command("promote")
                expect_recovery(load, server)
            check(load, server)
