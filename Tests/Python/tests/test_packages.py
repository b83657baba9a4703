"""The Python and the Node package: they find siwa, share it, end it, and bring it with them."""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys

import pytest

from conftest import BINARY, REPOSITORY
from processes import blocks, completed, run, running
from siwa_emulator import EmulatorError, running_emulator, world

PACKAGES = REPOSITORY / "packages"
EXAMPLES = REPOSITORY / "Examples/Languages"
COPIED = ["go/siwa_test.go", "java/Siwa.java", "perl/Siwa.pm", "php/Siwa.php", "ruby/siwa.rb", "rust/tests/siwa/mod.rs"]
FREE_PORTS = ["--json", "--port", "0", "--control-port", "0", "--smtp-port", "0"]
ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="packed on Linux alone")
TELLING_TEST = """
import json, pathlib
def test_where(apple_addresses, apple, testrun_uid, worker_id):
    pathlib.Path(worker_id).write_text(json.dumps(apple_addresses | {"teams": len(apple.get("/state")["teams"])}))
"""


@pytest.fixture
def starts(tmp_path, monkeypatch):
    """A file with a line for each start of siwa."""
    file, program = tmp_path / "starts", tmp_path / "counted-siwa"
    program.write_text(f'#!/bin/sh\necho >> {file}\nexec {BINARY} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("SIWA_BINARY", str(program))
    return file


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """An environment without siwa."""
    monkeypatch.delenv("SIWA_BINARY", raising=False)
    monkeypatch.setenv("PATH", os.fspath(tmp_path / "bin"))
    (tmp_path / "bin").mkdir()
    return tmp_path / "bin"


def pytest_in(folder, *options):
    # These plug-ins only take time.
    options = ["-p", "no:cacheprovider", "-p", "no:schemathesis", "-p", "no:hypothesispytest", *options]
    return completed([sys.executable, "-m", "pytest", *options], cwd=folder)


def node(folder, *arguments, **options):
    """Node where the package is installed as a link."""
    (folder / "node_modules").mkdir(exist_ok=True)
    if not (folder / "node_modules/siwa-emulator").exists():
        (folder / "node_modules/siwa-emulator").symlink_to(PACKAGES / "node")
    return completed([NODE, *arguments], cwd=folder, **options)


NODE = shutil.which("node") or "node"
LAUNCHER = "node_modules/siwa-emulator/bin/siwa-emulator.js"


def test_the_first_test_needs_no_other_file(starts, tmp_path):
    (block,) = blocks((PACKAGES / "python/README.md").read_text(), "python")
    assert block == (EXAMPLES / "python/test_first.py").read_text()
    (tmp_path / "test_first.py").write_text(block)
    done = pytest_in(tmp_path)
    assert "1 passed" in done.stdout, done.stdout + done.stderr
    assert starts.read_text() == "\n"


def test_workers_share_one_emulator_and_have_a_world_each(starts, tmp_path):
    (tmp_path / "test_where.py").write_text(TELLING_TEST)
    done = pytest_in(tmp_path, "--numprocesses", "2", "--dist", "each")
    assert "2 passed" in done.stdout, done.stdout + done.stderr
    assert starts.read_text() == "\n"
    told = [json.loads((tmp_path / worker).read_text()) for worker in ("gw0", "gw1")]
    (control,) = {one["control"].partition("/w/")[0] for one in told}
    assert len({one["control"] for one in told}) == len({one["smtp_user"] for one in told}) == 2
    assert told[0]["teams"] == told[1]["teams"]
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", int(control.rpartition(":")[2])))


def test_workers_that_need_no_emulator_start_none(starts, tmp_path):
    (tmp_path / "test_other.py").write_text("def test_other():\n    pass\n")
    assert "2 passed" in pytest_in(tmp_path, "--numprocesses", "2", "--dist", "each").stdout
    assert not starts.exists()


@pytest.mark.parametrize("workers", ["0", "1"])
def test_a_missing_program_names_the_three_places(nowhere, tmp_path, workers):
    shutil.copy(EXAMPLES / "python/test_first.py", tmp_path)
    done = pytest_in(tmp_path, "--numprocesses", workers)
    assert "1 error" in done.stdout, done.stdout
    packaged = PACKAGES / "python/siwa_emulator/_program/bin/siwa"
    assert f"SIWA_BINARY is not set, the PATH has no siwa, and this package has no {packaged}" in done.stdout


def test_workers_are_told_of_a_start_that_failed(tmp_path, monkeypatch):
    monkeypatch.setenv("SIWA_BINARY", "echo")
    shutil.copy(EXAMPLES / "python/test_first.py", tmp_path)
    done = pytest_in(tmp_path, "--numprocesses", "2", "--dist", "each")
    assert "2 errors" in done.stdout and done.stdout.count("echo is no siwa") >= 2, done.stdout


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        ("/nowhere/siwa", "siwa does not start: [Errno 2] No such file or directory: '/nowhere/siwa'"),
        ("false", "false ended with status 1"),
        ("echo", "echo is no siwa: it said 'emulator --json"),
    ],
)
def test_a_start_that_fails_is_explained(monkeypatch, program, sentence):
    monkeypatch.setenv("SIWA_BINARY", program)
    with pytest.raises(EmulatorError, match=re.escape(sentence)), running_emulator():
        pass


def test_a_control_url_without_an_emulator_is_explained():
    nobody = "http://127.0.0.1:9"
    with pytest.raises(EmulatorError, match=f"no emulator answers at {nobody}: "), world(nobody):
        pass


def programs(folder, path, packaged):
    """Two programs named siwa, of which the first is in the PATH and the other in a package."""
    for program in (path / "siwa", packaged):
        program.parent.mkdir(parents=True, exist_ok=True)
        program.symlink_to(BINARY)
    return [os.fspath(folder / "named"), os.fspath(path / "siwa"), os.fspath(packaged)]


def found_in_turn(find, order, monkeypatch):
    """Removes the places one after the other."""
    monkeypatch.setenv("SIWA_BINARY", order[0])
    yield find()
    monkeypatch.delenv("SIWA_BINARY")
    yield find()
    os.remove(order[1])
    yield find()


def test_python_looks_in_three_places(nowhere, tmp_path, monkeypatch):
    package = shutil.copytree(PACKAGES / "python/siwa_emulator", tmp_path / "siwa_emulator")
    order = programs(tmp_path, nowhere, package / "_program/bin/siwa")
    command = [sys.executable, "-c", "import siwa_emulator; print(siwa_emulator.find_program())"]
    found = found_in_turn(lambda: run(*command, cwd=tmp_path).strip(), order, monkeypatch)
    assert list(found) == order
    # The command is in the PATH itself.
    (nowhere / "siwa").write_text(f"#!/bin/sh\nexec {sys.executable} -m siwa_emulator \"$@\"\n")
    (nowhere / "siwa").chmod(0o755)
    assert run("siwa", "--version", cwd=tmp_path) == run(BINARY, "--version")


def test_node_looks_in_three_places(nowhere, tmp_path, monkeypatch):
    package = shutil.copytree(PACKAGES / "node", tmp_path / "package")
    platform = run(NODE, "-p", "`${process.platform}-${process.arch}`").strip()
    order = programs(tmp_path, nowhere, package / "program" / platform / "bin/siwa")
    command = [NODE, "-p", "require('./package').findProgram()"]
    found = found_in_turn(lambda: run(*command, cwd=tmp_path).strip(), order, monkeypatch)
    assert list(found) == order
    done = node(tmp_path, "-e", "require('siwa-emulator').startApple()")
    assert "SIWA_BINARY is not set, the PATH has no siwa, and this package has no " in done.stderr


def test_node_starts_one_emulator_and_ends_it(starts, tmp_path):
    (block,) = blocks((PACKAGES / "node/README.md").read_text(), "js")
    (tmp_path / "first.test.js").write_text(block)
    done = node(tmp_path, "--test")
    assert done.returncode == 0 and "# pass 1" in done.stdout, done.stdout + done.stderr
    assert starts.read_text() == "\n"


def test_a_failing_test_of_node_leaves_nothing_running(starts, tmp_path):
    (block,) = blocks((PACKAGES / "node/README.md").read_text(), "js")
    (tmp_path / "first.test.js").write_text(block.replace("assert.ok(", "assert.fail("))
    done = node(tmp_path, "--test", timeout=120)
    assert done.returncode == 1 and "# fail 1" in done.stdout, done.stdout + done.stderr


def test_node_imports_the_package_and_disposes_of_an_apple(tmp_path, monkeypatch):
    monkeypatch.setenv("SIWA_BINARY", BINARY)
    (tmp_path / "module.mjs").write_text(
        'import { startApple } from "siwa-emulator";\n'
        "const apple = await startApple();\n"
        "await apple[Symbol.asyncDispose]();\n"
        "const refused = await fetch(apple.control).catch((error) => error.cause.code);\n"
        "console.log(refused);\n"
    )
    assert node(tmp_path, "module.mjs").stdout == "ECONNREFUSED\n"


def test_the_command_of_node_passes_on_signals_and_the_status(tmp_path, monkeypatch):
    monkeypatch.setenv("SIWA_BINARY", BINARY)
    assert node(tmp_path, LAUNCHER, "--version").stdout == run(BINARY, "--version")
    assert node(tmp_path, LAUNCHER, "--no-such-option").returncode == 2
    with running([NODE, LAUNCHER, *FREE_PORTS], cwd=tmp_path, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 0
    killed = tmp_path / "killed"
    killed.write_text("#!/bin/sh\nkill -KILL $$\n")
    killed.chmod(0o755)
    monkeypatch.setenv("SIWA_BINARY", str(killed))
    assert node(tmp_path, LAUNCHER).returncode == 128 + signal.SIGKILL


@pytest.mark.parametrize("name", COPIED)
def test_a_file_to_copy_names_its_version(name):
    head = (EXAMPLES / name).read_text(encoding="utf-8")[:100]
    (version,) = re.findall(r"^(?://|#) siwa (\S+)$", head, re.MULTILINE)
    assert version == run(BINARY, "--version").strip()


@pytest.mark.parametrize("script", ["wheel", "npm-package"])
def test_a_tree_without_a_program_is_refused(script, tmp_path):
    done = completed([REPOSITORY / "scripts" / script, tmp_path])
    assert done.returncode == 1 and f"there is no program {tmp_path}/bin/siwa" in done.stderr, done.stderr


@pytest.fixture(scope="module")
def wheel(unpacked, tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    sbom = folder / "parts.json"
    sbom.write_text("{}")
    return packed_twice("wheel", unpacked, folder, sbom)


@pytest.fixture(scope="module")
def tarball(unpacked, tmp_path_factory):
    return packed_twice("npm-package", unpacked, tmp_path_factory.mktemp("npm"))


def packed_twice(script, tree, folder, *options):
    """The file that a script packs, the same each time."""
    files = [run(REPOSITORY / "scripts" / script, tree, folder / name, *options).strip() for name in "ab"]
    first, second = map(pathlib.Path, files)
    assert first.name == second.name and first.read_bytes() == second.read_bytes()
    return first


@ON_LINUX
@pytest.mark.nightly
def test_the_wheel_brings_the_program(wheel, tmp_path, nowhere):
    version = run(BINARY, "--version")
    run(sys.executable, "-m", "venv", tmp_path / "fresh")
    run(tmp_path / "fresh/bin/python", "-m", "pip", "install", "--no-index", wheel)
    assert run(tmp_path / "fresh/bin/siwa", "--version") == version
    start = "import siwa_emulator\nwith siwa_emulator.running_emulator() as it: print(it['event'])"
    assert run(tmp_path / "fresh/bin/python", "-c", start) == "ready\n"
    run(sys.executable, "-m", "pip", "install", "--no-index", "--target", tmp_path / "target", wheel)
    assert run(sys.executable, "-m", "siwa_emulator", "--version", cwd=tmp_path / "target") == version
    (described,) = (tmp_path / "target").glob("*.dist-info")
    assert {"licenses/LICENSE", "licenses/licenses.txt", "sboms/siwa.sbom.json"} <= {
        os.fspath(file.relative_to(described)) for file in described.rglob("*")
    }


@ON_LINUX
@pytest.mark.nightly
def test_the_wheel_runs_where_its_name_says(wheel):
    platform = re.fullmatch(r"siwa_emulator-\S+-py3-none-(manylinux_2_\d+_\w+)\.whl", wheel.name)[1]
    told = run(sys.executable, "-m", "auditwheel", "show", wheel)
    assert f'consistent with the following platform tag: "{platform}"' in " ".join(told.split())


@ON_LINUX
@pytest.mark.nightly
def test_the_npm_package_brings_the_program(tarball, tmp_path, monkeypatch):
    monkeypatch.delenv("SIWA_BINARY", raising=False)
    (tmp_path / "package.json").write_text("{}")
    run("npm", "install", "--offline", "--no-audit", "--no-fund", tarball, cwd=tmp_path)
    assert run("npx", "--offline", "siwa-emulator", "--version", cwd=tmp_path) == run(BINARY, "--version")
    # On another system, a program is looked for elsewhere.
    (tmp_path / "node_modules/siwa-emulator/program").rename(tmp_path / "elsewhere")
    refused = completed(["node", "node_modules/siwa-emulator/bin/siwa-emulator.js", "--version"], cwd=tmp_path)
    assert refused.returncode == 1 and "siwa was not found" in refused.stderr


@ON_LINUX
@pytest.mark.nightly
def test_the_types_of_node_describe_the_package(tmp_path):
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules/siwa-emulator").symlink_to(PACKAGES / "node")
    (tmp_path / "typed.ts").write_text(
        'import { startApple } from "siwa-emulator";\n'
        'export async function code(): Promise<string> {\n'
        '  const apple = await startApple({ returnURL: "http://127.0.0.1:3000/callback" });\n'
        '  await apple.decide("continue", { email: "hide" });\n'
        "  // @ts-expect-error\n"
        '  await apple.decide("perhaps");\n'
        "  await apple[Symbol.asyncDispose]();\n"
        "  return (await apple.answer()).code;\n"
        "}\n"
    )
    options = ["--strict", "--noEmit", "--target", "es2021", "--lib", "es2021,dom"]
    run("tsc", *options, "--module", "nodenext", "--moduleResolution", "nodenext", "typed.ts", cwd=tmp_path)
