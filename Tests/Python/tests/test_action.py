"""action.yml: the steps of its script, with an archive from a server of this test."""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import sys

import pytest
import requests
import yaml

from archives import checksum, serving_files, small_archive
from conftest import BINARY, REPOSITORY
from processes import completed, free_port

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the action needs Linux")
ACTION = yaml.safe_load((REPOSITORY / "action.yml").read_text(encoding="utf-8"))
SCRIPT = "deployment/action/siwa-action"
VERSION = ACTION["inputs"]["version"]["default"]
NAME = f"siwa-{VERSION}-linux-{os.uname().machine}"
SEED = """
people:
  - email: olga@example.com
    given_name: Olga
    two_factor: false
"""
SECONDS_MAX = 120
TIMEOUT_SECONDS = 20


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    return small_archive(tmp_path_factory.mktemp("release"), NAME)


@pytest.fixture(scope="module")
def release(archive):
    with serving_files(archive[0].parent) as url:
        yield url


class Job:
    """A job of GitHub Actions that uses the action: its files, and what each step leaves to the next."""

    def __init__(self, folder):
        self.temporary = folder / "temporary"
        self.temporary.mkdir()
        self.files = {name: folder / name.lower() for name in ["GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_ENV", "GITHUB_STEP_SUMMARY"]}
        for file in self.files.values():
            file.touch()
        self.inputs = {name: str(given.get("default", "")) for name, given in ACTION["inputs"].items()}
        self.inputs |= {"port": "0", "control-port": "0", "smtp-port": "0"}
        self.action_path = REPOSITORY

    def lines(self, name):
        return self.files[name].read_text(encoding="utf-8").splitlines()

    def outputs(self):
        return dict(line.split("=", 1) for line in self.lines("GITHUB_OUTPUT"))

    def value(self, expression):
        """What the runner puts in the place of an expression in action.yml."""
        kind, name = re.fullmatch(r"\$\{\{ (inputs|steps\.\w+\.outputs)\.([\w-]+) \}\}", expression).groups()
        return self.inputs[name] if kind == "inputs" else self.outputs()[name]

    def environment(self):
        path = os.pathsep.join([*reversed(self.lines("GITHUB_PATH")), os.environ["PATH"]])
        variables = {"PATH": path, "RUNNER_TEMP": self.temporary, "GITHUB_ACTION_PATH": self.action_path}
        return variables | self.files | dict(line.split("=", 1) for line in self.lines("GITHUB_ENV"))

    def run(self, step):
        """A step with a script, as the runner executes it."""
        variables = {name: self.value(text) for name, text in step["env"].items()}
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        return completed(command, env=self.environment() | variables, timeout=SECONDS_MAX)

    def run_until(self, word):
        """The result of the step that calls the script with this word; those before it succeed."""
        for step in ACTION["runs"]["steps"]:
            if "run" in step:
                result = self.run(step)
                if step["run"].endswith(f" {word}"):
                    return result
                assert result.returncode == 0, result.stderr
        raise AssertionError(word)

    def end(self):
        """Ends the processes that steps have left, as the runner does."""
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if f"RUNNER_TEMP={self.temporary}".encode() in (process / "environ").read_bytes().split(b"\0"):
                    os.kill(int(process.name), signal.SIGTERM)


@pytest.fixture
def job(tmp_path):
    job = Job(tmp_path)
    yield job
    job.end()


@pytest.fixture
def started(job, release, archive):
    """A job whose emulator runs."""
    job.inputs |= {"base-url": release, "checksum": archive[1]}
    seed = job.temporary / "seed.yaml"
    seed.write_text(SEED)
    job.inputs["seed"] = str(seed)
    result = job.run_until("start")
    assert result.returncode == 0, result.stdout + result.stderr
    return job


def post(url, **fields):
    answer = requests.post(url, json=fields, timeout=TIMEOUT_SECONDS)
    assert answer.ok, answer.text
    return answer.json()


def test_the_emulator_runs_and_refused_sign_ins_are_drawn(started):
    outputs = {name: started.value(output["value"]) for name, output in ACTION["outputs"].items()}
    assert set(outputs) == {"apple-url", "control-url", "smtp"}
    control, apple = outputs["control-url"], outputs["apple-url"]
    assert requests.get(f"{control}/health", timeout=TIMEOUT_SECONDS).json() == {"status": "ok"}
    assert requests.get(f"{control}/addresses", timeout=TIMEOUT_SECONDS).json()["smtp"] == outputs["smtp"]
    (person,) = requests.get(f"{control}/state", timeout=TIMEOUT_SECONDS).json()["people"]
    assert person["email"] == "olga@example.com"
    assert started.environment()["SIWA_CONTROL_URL"] == control
    assert shutil.which("siwa", path=started.environment()["PATH"]).startswith(str(started.temporary))

    def report():
        result = completed(["siwa-action", "report"], env=started.environment(), timeout=SECONDS_MAX)
        assert result.returncode == 0, result.stderr
        return started.files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")

    assert report() == ""
    world = post(f"{control}/worlds")
    for path, client in (("", "com.example.first"), (world["path"], "com.example.`second`;#end")):
        form = {"grant_type": "authorization_code", "code": "c", "client_id": client}
        assert requests.post(f"{apple}{path}/auth/token", form, timeout=TIMEOUT_SECONDS).status_code == 400
    first, second = report().split("### ")[1:]
    assert "sequenceDiagram\n    participant server as your server\n    participant apple as Apple\n" in first
    assert "    server-xapple: exchanges the code\n    Note over apple: 400 invalid_request\n```\n" in first
    assert "- POST /auth/token: **400 invalid_request**. client_secret is missing. Fix: send it in the body" in first
    assert second.startswith("com.example.&#96;second&#96;&#59;&#35;end: refused\n")


def test_the_worlds_of_the_tests_remain_for_the_report(started, tmp_path):
    project = tmp_path / "project"
    shutil.copytree(REPOSITORY / "Examples/Languages/python", project)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-k", "a_code_expires", "test_sign_in.py"]
    variables = {"PYTHONDONTWRITEBYTECODE": "1"}
    result = completed(command, cwd=project, env=started.environment() | variables, timeout=SECONDS_MAX)
    assert result.returncode == 0, result.stdout + result.stderr
    result = completed(["siwa-action", "report"], env=started.environment(), timeout=SECONDS_MAX)
    assert result.returncode == 0, result.stderr
    summary = started.files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")
    assert "    browser-->>server: sends code, id_token, user\n    server-xapple: exchanges the code\n" in summary
    assert "the code is older than 300 seconds" in summary


def test_an_archive_that_was_stored_is_used_only_if_it_is_intact(started):
    stored = pathlib.Path(started.outputs()["archive"])
    install = ACTION["runs"]["steps"][2]
    intact = stored.read_bytes()
    stored.write_bytes(b"damaged")
    assert started.run(install).returncode == 0 and stored.read_bytes() == intact
    started.inputs["base-url"] = "http://127.0.0.1:9"
    assert started.run(install).returncode == 0


def test_a_wrong_checksum_is_refused_before_anything_is_unpacked(job, release):
    job.inputs |= {"base-url": release, "checksum": "0" * 64}
    result = job.run_until("install")
    assert result.returncode == 1
    assert re.search(rf"::error::siwa: {release}/{NAME}.tar.gz has the checksum [0-9a-f]{{64}} instead of 0{{64}}", result.stderr)
    assert not list((job.temporary / "siwa").iterdir()) and not job.lines("GITHUB_PATH")


def test_an_archive_that_does_not_exist_is_named(job, release):
    job.inputs |= {"base-url": f"{release}/nowhere/", "checksum": "0" * 64}
    result = job.run_until("install")
    assert result.returncode == 1 and f"::error::siwa: could not download {release}/nowhere/{NAME}" in result.stderr
    assert "404" in result.stderr


@pytest.mark.parametrize(
    ("inputs", "sentence"),
    [
        ({"version": "9.9.9"}, "this version of the action does not know siwa-9.9.9-linux-"),
        ({"version": "1.0/../../x"}, "version must be like 0.1.0"),
        ({"checksum": "abc"}, "checksum must be 64 hexadecimal digits"),
    ],
)
def test_wrong_inputs_are_refused(job, inputs, sentence):
    job.inputs |= inputs
    result = job.run_until("find")
    assert result.returncode == 1 and f"::error::siwa: {sentence}" in result.stderr
    assert not job.lines("GITHUB_OUTPUT")


def test_the_checksums_of_the_action_are_used(job, tmp_path):
    job.action_path = tmp_path / "_actions/example/sign-in-with-apple/v0.1"
    folder = (job.action_path / SCRIPT).parent
    shutil.copytree((REPOSITORY / SCRIPT).parent, folder)
    with (folder / "checksums.txt").open("a") as file:
        file.write(f"{'1' * 64}  {NAME.replace('.', '_')}.tar.gz\n{'2' * 64}  {NAME}.tar.gz\n")
    assert job.run_until("find").returncode == 0
    assert job.outputs()["checksum"] == "2" * 64
    # Without base-url, the archive is that of the action's own repository.
    code = f'source "{folder}/siwa-action" find; base_url'
    variables = {"INPUT_VERSION": VERSION, "INPUT_CHECKSUM": "", "INPUT_BASE_URL": ""}
    result = completed(["bash", "-c", code], env=job.environment() | variables)
    assert result.stdout == f"https://github.com/example/sign-in-with-apple/releases/download/v{VERSION}\n"


def test_an_emulator_that_does_not_start_says_why(started):
    pathlib.Path(started.inputs["seed"]).write_text("persons: []\n")
    start = ACTION["runs"]["steps"][3]
    result = started.run(start)
    assert result.returncode == 1 and "::error::siwa: the emulator did not start: " in result.stderr
    assert "persons" in result.stderr


def test_a_report_without_an_emulator_is_refused(job):
    for variables, sentence in (
        ({}, "SIWA_CONTROL_URL is not set"),
        ({"SIWA_CONTROL_URL": f"http://127.0.0.1:{free_port()}"}, "the emulator does not answer at http"),
    ):
        result = completed([REPOSITORY / SCRIPT, "report"], env=job.environment() | variables)
        assert result.returncode != 0 and sentence in result.stderr


def test_the_action_is_pinned_and_takes_inputs_through_the_environment_alone():
    steps = ACTION["runs"]["steps"]
    for step in steps:
        if "uses" in step:
            assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", step["uses"]), step
        else:
            assert step["shell"] == "bash" and "${{" not in step["run"], step
    (cache,) = [step for step in steps if "uses" in step]
    assert "checksum" in cache["with"]["key"]


def test_the_version_is_that_of_the_program():
    assert VERSION == completed([BINARY, "--version"]).stdout.strip()


@pytest.mark.nightly
def test_the_archive_of_a_release_runs(job, tmp_path):
    environment = dict(os.environ, SIWA_DIST_IS_FAST="1")
    output = tmp_path / "dist"
    packed = completed([REPOSITORY / "scripts/dist", BINARY, output], env=environment)
    assert packed.returncode == 0, packed.stderr
    archive = output / f"{NAME}.tar.gz"
    with serving_files(output) as url:
        job.inputs |= {"base-url": url, "checksum": checksum(archive)}
        result = job.run_until("start")
    assert result.returncode == 0, result.stdout + result.stderr
    health = f"{job.outputs()['control-url']}/health"
    assert requests.get(health, timeout=TIMEOUT_SECONDS).json() == {"status": "ok"}
