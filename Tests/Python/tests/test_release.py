"""What `make release` wrote, on a bare Debian 12 without Swift: each file runs there, as its user would run it."""

import contextlib
import json
import os
import pathlib
import re
import runpy
import secrets
import shutil
import subprocess
import time

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from browser import Chromium
from conftest import REPOSITORY
from processes import completed, ready_line, running
from test_tour import Newcomer

FOLDER = pathlib.Path(os.environ.get("SIWA_RELEASE", REPOSITORY / ".artifacts/release"))
EXAMPLES = REPOSITORY / "Examples/Languages"
LOOK = ("wide-light-en", 1000, 800, "light", "en")
# A tester's patience, from the command to the first sign-ins.
SECONDS_MAX = 60
DEBIAN_PACKAGES = [
    "python3-cffi-backend", "python3-jwt", "python3-cryptography", "python3-pytest", "python3-venv", "nodejs", "node-jose",
]

pytestmark = pytest.mark.release


def released(pattern):
    (path,) = FOLDER.glob(pattern)
    return path


def run(*command, **options):
    done = completed(command, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def inside(root, *command):
    """What runs a command in another root file system, with this machine's network."""
    steps = 'mount -t proc proc "$0/proc"; exec chroot "$0" "$@"'
    shell = ["/bin/sh", "-euc", steps, str(root), *map(str, command)]
    return ["unshare", "--mount", "--pid", "--fork", "--kill-child", *shell]


ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/root"}


@pytest.fixture(scope="module")
def debian(tmp_path_factory):
    """A bare Debian 12 with the interpreters of the tests and what the Debian package depends on."""
    root = tmp_path_factory.mktemp("debian") / "root"
    depends = run("dpkg-deb", "--field", released("*.deb"), "Depends")
    packages = [*DEBIAN_PACKAGES, *(one.split()[0] for one in depends.split(","))]
    run("debootstrap", "--variant=minbase", "--include=" + ",".join(packages), "bookworm", root)
    assert not (root / "usr/bin/swift").exists()
    yield root


@pytest.fixture(scope="module")
def browser():
    browser = Chromium()
    yield browser
    browser.quit()


@contextlib.contextmanager
def demo(root, program):
    data = f"/tmp/demo-{secrets.token_hex(4)}"
    options = ["--json", "--data", data, "--port", "0", "--apple-port", "0", "--control-port", "0"]
    command = inside(root, program, "demo", *options, "--smtp-port", "0")
    with running(command, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT) as process:
        try:
            yield ready_line(process)
        finally:
            # unshare takes no other signal, and ends the program with itself.
            process.kill()


def sign_in(root, program, browser):
    with demo(root, program) as addresses:
        newcomer = Newcomer(addresses, browser, LOOK)
        newcomer.sign_in()
        assert "@privaterelay.appleid.com" in browser.driver.page_source


def timed(*command, **options):
    began = time.monotonic()
    told = run(*command, env=ENVIRONMENT, **options)
    took = time.monotonic() - began
    print(f"took {took:.1f} s")
    assert took < SECONDS_MAX
    return told


def test_the_checksums_are_those_of_all_files():
    run("sha256sum", "--check", "--strict", "checksums.txt", cwd=FOLDER)
    listed = {line.split()[1] for line in (FOLDER / "checksums.txt").read_text().splitlines()}
    assert listed == {path.name for path in FOLDER.iterdir()} - {"checksums.txt"}
    assert "### " in (FOLDER / "release-notes.md").read_text(encoding="utf-8")


def test_the_bill_of_materials_is_valid_and_names_what_is_linked():
    text = released("*.cdx.json").read_text(encoding="utf-8")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    components = {one["name"]: one for one in json.loads(text)["components"]}
    for name in ("swift", "swift-nio", "GRDB.swift", "hummingbird", "libpq5", "libcurl4", "libstdc++-12-dev"):
        assert components[name]["version"] and components[name]["licenses"], name
    pins = json.loads((FOLDER / "Package.resolved").read_text())["pins"]
    assert {pin["state"]["version"] for pin in pins} <= {one["version"] for one in components.values()}


def test_the_archive_needs_no_newer_c_library_than_the_document_says(tmp_path):
    document = (REPOSITORY / "docs/how-to/install.md").read_text(encoding="utf-8")
    (version,) = re.findall(r"For any Linux with glibc (\S+) or later", document)
    run("tar", "-xzf", released("siwa-*.tar.gz"), "-C", tmp_path)
    files = [*tmp_path.glob("*/bin/siwa"), *tmp_path.glob("*/lib/siwa/*")]
    assert len(files) > 10
    run(REPOSITORY / "scripts/check-glibc", f"libc6 (>= {version})", *files)


def test_the_wheel_runs_the_examples_tests(debian):
    wheel = released("*.whl")
    shutil.copy(wheel, debian / "srv")
    shutil.copytree(EXAMPLES / "python", debian / "srv/python")
    steps = f"""
        python3 -m venv --system-site-packages venv
        venv/bin/pip install --quiet --no-index ./{wheel.name}
        venv/bin/siwa --version
        cd python
        ../venv/bin/python -m pytest -q -p no:cacheprovider test_sign_in.py
    """
    told = timed(*inside(debian, "/bin/sh", "-euc", "cd /srv\n" + steps))
    assert " passed" in told


def test_the_npm_package_runs_the_examples_tests(debian):
    folder = debian / "srv/node"
    folder.mkdir()
    (folder / "package.json").write_text("{}")
    # npm itself would be 400 packages of Debian: this machine's unpacks the package.
    run("npm", "install", "--offline", "--no-audit", "--no-fund", released("siwa-emulator-*.tgz"), cwd=folder)
    for name in ("app.js", "sign-in.test.js"):
        shutil.copy(EXAMPLES / "node" / name, folder)
    steps = "cd /srv/node; NODE_PATH=/usr/share/nodejs exec node --test"
    told = timed(*inside(debian, "/bin/sh", "-euc", steps))
    assert "# fail 0" in told and "# pass 0" not in told


def test_a_person_signs_in_to_the_archive(debian, browser):
    run("tar", "-xzf", released("siwa-*.tar.gz"), "-C", debian / "opt")
    (tree,) = (debian / "opt").glob("siwa-*")
    sign_in(debian, f"/opt/{tree.name}/bin/siwa", browser)


def test_a_person_signs_in_to_the_debian_package(debian, browser):
    shutil.copy(released("*.deb"), debian / "srv/siwa.deb")
    run(*inside(debian, "dpkg", "--install", "/srv/siwa.deb"), env=ENVIRONMENT)
    sign_in(debian, "/usr/bin/siwa", browser)


def test_a_person_signs_in_to_the_image(tmp_path, browser):
    image = runpy.run_path(str(REPOSITORY / "scripts/try-image"))["Image"](released("*.oci.tar"), tmp_path)
    sign_in(image.root, "/usr/bin/siwa", browser)

