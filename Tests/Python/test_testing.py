"""docs/how-to/testing.md: its commands run from top to bottom, and its code is that of Examples/Languages."""

import os
import re
import shutil
import sys
import textwrap

import pytest
import yaml

from conftest import REPOSITORY, running_emulator
from processes import blocks, completed, free_ports

PAGE = (REPOSITORY / "docs/how-to/testing.md").read_text(encoding="utf-8")
EXAMPLES = REPOSITORY / "Examples/Languages"
SUFFIXES = {"python": "py", "java": "java", "js": "js", "yaml": "yml"}
SECONDS_MAX = 120


@pytest.mark.parametrize("language", SUFFIXES)
def test_code_is_that_of_the_examples(language):
    files = sorted(EXAMPLES.rglob(f"*.{SUFFIXES[language]}"))
    texts = [file.read_text(encoding="utf-8") for file in files]
    # What stands in a class is indented there.
    texts += [textwrap.dedent(text.replace("\n    ", "\n")) for text in texts]
    found = blocks(PAGE, language)
    assert found
    for block in found:
        assert any(block in text for text in texts), block


def test_commands_work(tmp_path):
    with running_emulator() as addresses:
        script = "set -euo pipefail\ncurl() { command curl -sS -w '%{stderr}%{http_code} %{url}\\n' \"$@\"; }\n"
        result = completed(
            ["bash", "-c", script + "\n".join(blocks(PAGE, "sh"))],
            timeout=SECONDS_MAX,
            cwd=tmp_path,
            env=os.environ | {"apple": addresses["apple"], "control": addresses["control"]},
        )
    assert result.returncode == 0, result.stdout + result.stderr
    lines = [line.split(" ") for line in result.stderr.splitlines()]
    assert len(lines) == len(re.findall(r"^curl ", "\n".join(blocks(PAGE, "sh")), re.MULTILINE)) > 15
    # The one refusal is the page's example of one, word for word.
    assert {url for status, url in lines if status not in ("200", "201")} == {
        addresses["apple"] + "/auth/token"
    }
    (refusal,) = blocks(PAGE, "json")
    for name in ("error", "reason", "hint"):
        text = yaml.safe_load(refusal)[name]
        assert f'"{name}":"{text}"' in result.stdout


def test_requirements_are_tested_versions():
    tested = (REPOSITORY / "Tests/Python/requirements.txt").read_text(encoding="utf-8")
    for line in (EXAMPLES / "python/requirements.txt").read_text(encoding="utf-8").splitlines():
        assert line.replace("[crypto]", "") in tested.splitlines()


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project of somebody who tests with Python, where CI has brought siwa."""
    for name in ("app.py", "conftest.py", "pytest_siwa.py", "test_sign_in.py"):
        shutil.copy(EXAMPLES / "python" / name, tmp_path)
    (tmp_path / "siwa").mkdir()
    binary = os.environ.get("SIWA_BINARY", REPOSITORY / ".build/debug/siwa")
    (tmp_path / "siwa/siwa").symlink_to(os.path.abspath(binary))
    (tmp_path / ".venv").symlink_to(sys.prefix)
    monkeypatch.delenv("SIWA_BINARY", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:cacheprovider")
    return tmp_path


def workflow(name):
    return yaml.safe_load((EXAMPLES / "ci" / name).read_text(encoding="utf-8"))


def bash(script, *options, **arguments):
    return completed(["bash", *options, "-c", script], timeout=SECONDS_MAX, **arguments)


def test_github_workflow(project):
    steps = [step for step in workflow("github-actions.yml")["jobs"]["test"]["steps"] if "run" in step]
    assert all(bash(step["run"], "-n").returncode == 0 for step in steps)
    result = bash(steps[-1]["run"], "-e", cwd=project)
    assert result.returncode == 0 and " passed" in result.stdout, result.stdout + result.stderr


def test_gitlab_workflow(project):
    job = workflow("gitlab-ci.yml")["test"]
    assert all(bash(line, "-n").returncode == 0 for line in job["before_script"])
    apple, control, smtp = free_ports(3)
    options = f"--port {apple} --control-port {control} --smtp-port {smtp}"
    script = "\n".join(job["script"]).replace("8082", str(control))
    script = script.replace("siwa emulator", f"siwa emulator {options}")
    environment = {"SIWA_APPLE_URL": f"http://127.0.0.1:{apple}", "SIWA_SMTP": f"127.0.0.1:{smtp}"}
    result = bash(
        "trap 'kill $(jobs -p)' EXIT\n" + script, "-e", cwd=project, env=os.environ | environment
    )
    assert result.returncode == 0 and " passed" in result.stdout, result.stdout + result.stderr
