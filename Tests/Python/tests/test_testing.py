"""docs/how-to/testing.md: its code and its recipes for CI are those of Examples/Languages, and run here."""

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from xml.etree import ElementTree

import pytest
import yaml

import apart
from conftest import BINARY, REPOSITORY
from processes import HARNESS, blocks, completed

PAGE = (REPOSITORY / "docs/how-to/testing.md").read_text(encoding="utf-8")
EXAMPLES = REPOSITORY / "Examples/Languages"
SUFFIXES = {"python": ("py",), "java": ("java",), "js": ("js",), "yaml": ("yml", "yaml")}
SECONDS_MAX = 120
ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")


@pytest.mark.parametrize("language", SUFFIXES)
def test_code_is_that_of_the_examples(language):
    files = [file for suffix in SUFFIXES[language] for file in EXAMPLES.rglob(f"*.{suffix}")]
    texts = [file.read_text(encoding="utf-8") for file in files]
    # What stands in a class is indented there.
    texts += [textwrap.dedent(text.replace("\n    ", "\n")) for text in texts]
    found = blocks(PAGE, language)
    assert found
    for block in found:
        assert any(block in text for text in texts), block


def test_requirements_are_tested_versions():
    tested = (REPOSITORY / "Tests/Python/requirements.in").read_text(encoding="utf-8").splitlines()
    required = (EXAMPLES / "python/requirements.txt").read_text(encoding="utf-8")
    shown = re.findall(r"[\w\[\]]+==[\d.]+\d", PAGE + required)
    assert len(shown) > 8
    for requirement in shown:
        assert requirement.replace("[crypto]", "") in tested


def test_copied_files_exist():
    paths = re.findall(r"~/sign-in-with-apple/([\w/.-]+)", PAGE)
    assert "Examples/Languages/java" in paths and "Examples/Languages/node" in paths
    for path in paths:
        assert path.startswith(".build/") or (REPOSITORY / path).exists(), path


def test_maven_reads_the_tests_and_the_libraries_that_run_here():
    project = ElementTree.parse(EXAMPLES / "java/pom.xml").getroot()
    space = {"m": "http://maven.apache.org/POM/4.0.0"}
    libraries = {name.text for name in project.findall(".//m:dependency/m:artifactId", space)}
    assert libraries == {"junit-jupiter", "jackson-databind"}
    script = (REPOSITORY / "scripts/test-examples").read_text(encoding="utf-8")
    assert "junit-jupiter-{api,engine}" in script and "jackson-{annotations,core,databind}" in script
    assert project.find("m:build/m:testSourceDirectory", space).text == "${project.basedir}"


def test_node_installs_what_the_example_requires():
    package = json.loads((EXAMPLES / "node/package.json").read_text(encoding="utf-8"))
    required = re.findall(r"""require\("((?!node:|\.)[^"]+)"\)""", (EXAMPLES / "node/app.js").read_text(encoding="utf-8"))
    assert required == list(package["dependencies"])


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project of somebody who tests with Python, where CI has brought siwa."""
    for name in ("app.py", "conftest.py", "pytest_siwa.py", "test_sign_in.py"):
        shutil.copy(EXAMPLES / "python" / name, tmp_path)
    (tmp_path / "siwa").mkdir()
    (tmp_path / "siwa/siwa").symlink_to(BINARY)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    monkeypatch.delenv("SIWA_BINARY", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:cacheprovider")
    return tmp_path


def workflow(name):
    return yaml.safe_load((EXAMPLES / "ci" / name).read_text(encoding="utf-8"))


def bash(script, *options):
    return completed(["bash", *options, "-c", script], timeout=SECONDS_MAX)


def run_apart(script, folder, names="127.0.0.1", **options):
    """Runs a job's script where the usual ports are free."""
    trap = "trap 'kill $(jobs -p)' EXIT\n"
    command = apart.command(names, ["bash", "-ec", trap + script])
    result = completed(command, timeout=SECONDS_MAX, cwd=folder, **options)
    assert result.returncode == 0 and " passed" in result.stdout, result.stdout + result.stderr


@ON_LINUX
def test_github_workflow(project):
    steps = [step for step in workflow("github-actions.yml")["jobs"]["test"]["steps"] if "run" in step]
    assert all(bash(step["run"], "-n").returncode == 0 for step in steps)
    start, test = (step["run"] for step in steps if step["name"].startswith(("Start", "Test")))
    run_apart(f"{start}\n{test}", project)


def test_github_actions_are_pinned():
    text = (EXAMPLES / "ci/github-actions.yml").read_text(encoding="utf-8")
    uses = re.findall(r"uses: (.*)", text)
    assert len(uses) == 2
    assert all(re.fullmatch(r"[a-z/]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one) for one in uses), uses


@pytest.mark.parametrize("name", ["github-actions.yml", "gitlab-ci.yml", "compose.yaml"])
def test_images_are_pinned(name):
    text = (EXAMPLES / "ci" / name).read_text(encoding="utf-8")
    images = re.findall(r"(?:swift|python):\d\S*", text)
    assert images and all(re.fullmatch(r"\w+:\d+\.\d+\.\d+-[a-z-]+", one) for one in images), images


@ON_LINUX
def test_gitlab_workflow(project):
    job = workflow("gitlab-ci.yml")["test"]
    assert all(bash(line, "-n").returncode == 0 for line in job["before_script"])
    run_apart("\n".join(job["script"]), project)


@ON_LINUX
def test_two_of_a_language_share_an_emulator():
    command = [REPOSITORY / "scripts/test-examples", "--shared", BINARY, "python", "node"]
    result = completed(command, timeout=SECONDS_MAX)
    assert "4 passed, 0 failed" in result.stdout, result.stdout + result.stderr


@ON_LINUX
def test_compose_services(tmp_path):
    subprocess.run([REPOSITORY / "deployment/compose-secrets", tmp_path / ".compose"], check=True)
    for name in ("compose.yaml", "test_server.py"):
        shutil.copy(EXAMPLES / "ci" / name, tmp_path)
    inside = HARNESS / "tests_of_compose_inside.py"
    command = apart.command("127.0.0.1 apple accounts", [sys.executable, str(inside), str(tmp_path)])
    result = completed(command, env=os.environ | {"SIWA_BINARY": BINARY}, timeout=SECONDS_MAX)
    assert result.returncode == 0 and "1 passed" in result.stdout, result.stdout + result.stderr
