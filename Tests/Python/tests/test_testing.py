"""docs/how-to/testing.md, ci.md and testcontainers.md: their code is that of Examples/Languages, and runs here."""

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
from archives import small_archive
from conftest import BINARY, REPOSITORY
from processes import HARNESS, blocks, completed

PAGE = (REPOSITORY / "docs/how-to/testing.md").read_text(encoding="utf-8")
CI_PAGE = (REPOSITORY / "docs/how-to/ci.md").read_text(encoding="utf-8")
EXAMPLES = REPOSITORY / "Examples/Languages"
TESTCONTAINERS_PAGE = (REPOSITORY / "docs/how-to/testcontainers.md").read_text(encoding="utf-8")
SUFFIXES = {"python": ("py",), "java": ("java",), "js": ("js",), "ts": ("ts",), "yaml": ("yml", "yaml")}
SECONDS_MAX = 120
ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")


@pytest.mark.parametrize(
    ("page", "language"),
    [
        *[(PAGE, language) for language in ("python", "java", "js")],
        *[(CI_PAGE, language) for language in ("python", "yaml")],
        *[(TESTCONTAINERS_PAGE, language) for language in ("python", "java")],
    ],
)
def test_code_is_that_of_the_examples(page, language):
    files = [file for suffix in SUFFIXES[language] for file in EXAMPLES.rglob(f"*.{suffix}")]
    texts = [file.read_text(encoding="utf-8") for file in files]
    # What stands in a class is indented there.
    texts += [textwrap.dedent(text.replace("\n    ", "\n")) for text in texts]
    found = blocks(page, language)
    assert found
    for block in found:
        assert any(block in text for text in texts), block


def test_requirements_are_tested_versions():
    tested = (REPOSITORY / "Tests/Python/requirements.in").read_text(encoding="utf-8").splitlines()
    required = (EXAMPLES / "python/requirements.txt").read_text(encoding="utf-8")
    shown = re.findall(r"[\w\[\]]+==[\d.]+\d", PAGE + CI_PAGE + TESTCONTAINERS_PAGE + required)
    assert len(shown) > 8
    for requirement in shown:
        assert requirement.replace("[crypto]", "") in tested


def test_copied_files_exist():
    paths = re.findall(r"~/sign-in-with-apple/([\w/.-]+)", PAGE)
    assert "Examples/Languages/java" in paths and "Examples/Languages/node" in paths
    for path in paths:
        assert path.startswith((".build/", ".artifacts/")) or (REPOSITORY / path).exists(), path


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
    text = (EXAMPLES / "node/app.js").read_text(encoding="utf-8")
    assert re.findall(r"""require\("((?!node:|\.)[^"]+)"\)""", text) == list(package["dependencies"])


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project of somebody who tests with Python."""
    for name in ("app.py", "conftest.py", "test_sign_in.py"):
        shutil.copy(EXAMPLES / "python" / name, tmp_path)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    monkeypatch.delenv("SIWA_BINARY", raising=False)
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:cacheprovider")
    return tmp_path


def workflow(name):
    return yaml.safe_load((EXAMPLES / "ci" / name).read_text(encoding="utf-8"))


def bash(script, *options):
    return completed(["bash", *options, "-c", script], timeout=SECONDS_MAX)


def run_apart(script, folder, names="127.0.0.1", **options):
    """Runs a job's script where the usual ports are free."""
    trap = "trap 'for process in $(jobs -p); do kill $process; done' EXIT\n"
    command = apart.command(names, ["bash", "-ec", trap + script])
    result = completed(command, timeout=SECONDS_MAX, cwd=folder, **options)
    assert result.returncode == 0 and " passed" in result.stdout, result.stdout + result.stderr


def github_jobs():
    return workflow("github-actions.yml")["jobs"]


def scripts_of(job):
    """The scripts of a job on GitHub, by the names of its steps."""
    return {step["name"]: step["run"] for step in job["steps"] if "run" in step}


@ON_LINUX
def test_github_workflow(project, monkeypatch):
    scripts = scripts_of(github_jobs()["python"])
    # The wheel brings the program; here the tests find the built one.
    monkeypatch.setenv("SIWA_BINARY", BINARY)
    run_apart(scripts["Test"], project)


def test_each_language_has_its_lines():
    jobs = github_jobs()
    lines = jobs["others"]["strategy"]["matrix"]["include"]
    languages = {"python", "node"} | {line["language"] for line in lines}
    folders = {path.name for path in EXAMPLES.iterdir() if path.is_dir()}
    assert languages == folders - {"ci", "testcontainers"}
    scripts = [line[name] for line in lines for name in ("install", "test") if name in line]
    scripts += [script for job in jobs.values() for script in scripts_of(job).values()]
    for script in scripts:
        assert bash(script, "-n").returncode == 0, script


def test_the_workflow_uses_the_action():
    action = yaml.safe_load((REPOSITORY / "action.yml").read_text(encoding="utf-8"))
    version = action["inputs"]["version"]["default"]
    (start,) = [step for step in github_jobs()["others"]["steps"] if "/sign-in-with-apple@" in step.get("uses", "")]
    assert set(start["with"]) <= set(action["inputs"])
    assert start["uses"].endswith("@v" + version.rpartition(".")[0])
    assert scripts_of(github_jobs()["others"])["Draw refused sign-ins"] == "siwa-action report"


def test_github_actions_are_pinned():
    text = (EXAMPLES / "ci/github-actions.yml").read_text(encoding="utf-8")
    uses = re.findall(r"uses: (actions/.*)", text)
    assert len(uses) == 3
    assert all(re.fullmatch(r"[a-z/]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one) for one in uses), uses


def test_recipes_have_the_version_of_the_program():
    version = completed([BINARY, "--version"]).stdout.strip()
    files = [*(EXAMPLES / "ci").iterdir(), *(EXAMPLES / "testcontainers").glob("*.*")]
    texts = [CI_PAGE, TESTCONTAINERS_PAGE] + [file.read_text(encoding="utf-8") for file in files]
    found = re.findall(r"siwa(?:[-_]emulator)?[-:_](\d+\.\d+\.\d+)", "".join(texts))
    assert len(found) > 6 and set(found) == {version}


@pytest.mark.parametrize("name", ["gitlab-ci.yml", "compose.yaml"])
def test_images_are_pinned(name):
    text = (EXAMPLES / "ci" / name).read_text(encoding="utf-8")
    images = re.findall(r"python:\d\S*", text)
    assert images and all(re.fullmatch(r"\w+:\d+\.\d+\.\d+-[a-z-]+", one) for one in images), images


@ON_LINUX
def test_gitlab_workflow(project, tmp_path_factory, monkeypatch):
    file, checksum = small_archive(tmp_path_factory.mktemp("release"), "siwa")
    monkeypatch.setenv("SIWA_URL", file.as_uri())
    monkeypatch.setenv("SIWA_CHECKSUM", checksum)
    job = workflow("gitlab-ci.yml")["test"]
    lines = [line for line in job["before_script"] if "venv" not in line]
    assert len(lines) == len(job["before_script"]) - 2
    run_apart("\n".join(lines + job["script"]), project)
    assert all(bash(line, "-n").returncode == 0 for line in job["after_script"])


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


def test_testcontainers_in_python(tmp_path):
    shutil.copy(EXAMPLES / "testcontainers/test_testcontainers.py", tmp_path)
    version = completed([BINARY, "--version"]).stdout.strip()
    variables = {"SIWA_VERSION": version, "SIWA_BINARY": BINARY, "PYTHONPATH": str(HARNESS)}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "without_engine"]
    result = completed(command, cwd=tmp_path, env=os.environ | variables, timeout=SECONDS_MAX)
    assert result.returncode == 0 and "1 passed" in result.stdout, result.stdout + result.stderr
