"""Dockerfile, compose.yaml and the image's configuration, as far as they can be checked without an engine."""

import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest
import yaml

import apart
from conftest import BINARY, REPOSITORY
from processes import HARNESS, completed

pytestmark = pytest.mark.nightly
DOCKERFILE = (REPOSITORY / "Dockerfile").read_text()
COMPOSE = yaml.safe_load((REPOSITORY / "compose.yaml").read_text())
SECONDS_MAX = 240


def instruction(name):
    """What the last stage of the Dockerfile says by an instruction."""
    (words,) = re.findall(rf"^{name} (.*)$", DOCKERFILE.split("FROM scratch")[1], re.MULTILINE)
    return words


def image_configuration():
    path = str(REPOSITORY / "scripts/oci-archive")
    loader = importlib.machinery.SourceFileLoader("oci_archive", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("oci_archive", loader))
    # Nothing is written beside the scripts.
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return module.configuration("1.2.3", b"")["config"]


def test_both_ways_make_the_same_image():
    config = image_configuration()
    assert json.loads(instruction("ENTRYPOINT")) == config["Entrypoint"]
    assert json.loads(instruction("CMD")) == config["Cmd"]
    assert instruction("USER") == config["User"]
    assert instruction("WORKDIR") == config["WorkingDir"]
    assert set(instruction("ENV").split()) <= set(config["Env"])
    assert {f"{port}/tcp" for port in instruction("EXPOSE").split()} == set(config["ExposedPorts"])
    options, command = instruction("HEALTHCHECK").split(" CMD ")
    assert ["CMD", *json.loads(command)] == config["Healthcheck"]["Test"]
    seconds = dict(re.findall(r"--([a-z-]+)=(\d+)s", options))
    for name, key in {"interval": "Interval", "timeout": "Timeout", "start-period": "StartPeriod"}.items():
        assert int(seconds[name]) * 10**9 == config["Healthcheck"][key]


def test_the_dockerfile_runs_scripts_that_exist():
    scripts = re.findall(r"scripts/[a-z-]+", DOCKERFILE)
    assert scripts
    for script in scripts:
        assert os.access(REPOSITORY / script, os.X_OK), script


@pytest.mark.skipif(sys.platform != "linux", reason="containers are Linux's")
def test_the_root_has_the_program_and_what_it_loads_alone(tmp_path):
    root = tmp_path / "root"
    subprocess.run([REPOSITORY / "scripts/image-root", BINARY, root], check=True)
    programs = [
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.is_file() and os.access(path, os.X_OK) and ".so" not in path.name
    ]
    assert programs == ["usr/bin/siwa"]
    for name in ("etc/ssl/certs/ca-certificates.crt", "usr/share/zoneinfo/Europe/Berlin", "etc/passwd"):
        assert (root / name).stat().st_size > 0


def test_services_of_siwa_may_do_nothing_and_are_published_on_this_machine_alone():
    ours = [one for one in COMPOSE["services"].values() if one["image"] == "siwa"]
    assert len(ours) == 2
    for service in ours:
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert all(port.startswith("127.0.0.1:") for port in service["ports"])


def test_who_needs_a_service_waits_until_it_is_healthy():
    services = COMPOSE["services"]
    assert all("healthcheck" in service for service in services.values())
    assert services["accounts"]["depends_on"] == {
        name: {"condition": "service_healthy"} for name in services if name != "accounts"
    }


@pytest.fixture
def secrets(tmp_path):
    folder = tmp_path / "secrets"
    subprocess.run([REPOSITORY / "deployment/compose-secrets", folder], check=True)
    return folder


def test_secrets_are_made_once_and_for_their_owner_alone(secrets):
    assert secrets.stat().st_mode & 0o777 == 0o700
    before = {path.name: path.read_text() for path in secrets.iterdir()}
    again = completed([REPOSITORY / "deployment/compose-secrets", secrets])
    assert again.returncode == 1 and "already exists" in again.stderr
    assert {path.name: path.read_text() for path in secrets.iterdir()} == before
    mounted = {
        volume.split(":")[0]
        for service in COMPOSE["services"].values()
        for volume in service.get("volumes", [])
        if volume.startswith("./")
    }
    files = {service["env_file"] for service in COMPOSE["services"].values() if "env_file" in service}
    assert {pathlib.Path(path).name for path in mounted | files} == set(before)


@pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")
def test_the_services_of_compose_work_together(secrets):
    inside = HARNESS / "compose_inside.py"
    result = completed(
        apart.command("127.0.0.1 apple accounts database", [sys.executable, str(inside), str(secrets)]),
        env=dict(os.environ, SIWA_BINARY=BINARY),
        timeout=SECONDS_MAX,
    )
    assert result.returncode == 0, result.stdout + result.stderr
