"""What `make dist` packs, made of the built program: it runs from anywhere, can be read about, and installs and goes."""

import json
import os
import re
import sys

import pytest

from conftest import BINARY, REPOSITORY
from processes import HARNESS, SECONDS_MAX, completed, run

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(sys.platform != "linux", reason="packed on Linux alone"),
]


def run_in_throw_away_root(package, script):
    copy = 'mkdir -p /run/siwa-test; cp "$0" /run/siwa-test/siwa.deb\n'
    inside = HARNESS / "throw_away.sh"
    shell = ["/bin/sh", "-euxc", copy + script, package]
    run("unshare", "--mount", "--pid", "--fork", "sh", inside, package.parent, "--", *shell)


def all_commands(command, words=()):
    yield (*words, command["commandName"]), command
    for one in command.get("subcommands", []):
        yield from all_commands(one, (*words, command["commandName"]))


def test_the_archive_brings_what_the_program_loads(unpacked):
    assert unpacked.name == f"siwa-{run(BINARY, '--version').strip()}-linux-{os.uname().machine}"
    program = unpacked / "bin/siwa"
    assert run(program, "--version", env={}) == run(BINARY, "--version")
    libraries = re.findall(r"=> (\S+)", run("ldd", program))
    assert len(libraries) > 10
    for library in libraries:
        is_of_the_c_library = re.search(r"/(ld-linux|lib(c|m|dl|rt|pthread|resolv)\.so)", library)
        assert is_of_the_c_library or f"{unpacked}/" in os.path.realpath(library), library
    licenses = (unpacked / "share/doc/siwa/licenses.txt").read_text()
    for name in ("swift-nio", "GRDB.swift", "hummingbird", "libcurl4", "libpq5"):
        assert f"==== {name}" in licenses, name
    for page in ("accounts", "emulator", "settings", "install", "operations"):
        assert (unpacked / f"share/doc/siwa/{page}.md").exists(), page
    assert (unpacked / "LICENSE").read_text() == (REPOSITORY / "LICENSE").read_text()


def test_every_option_stands_in_the_manual(unpacked):
    root = json.loads(run(BINARY, "--experimental-dump-help"))["command"]
    pages = {}
    for path in (unpacked / "share/man/man1").iterdir():
        done = completed(
            ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-P", "cat", path],
            env=dict(os.environ, MANWIDTH="200", MANROFFOPT="-c", LC_ALL="C.UTF-8"),
        )
        assert done.returncode == 0 and not done.stderr, f"{path.name}: {done.stderr}"
        # Without what makes it bold, and the spaces that make lines even.
        pages[path.name] = " ".join(re.sub(r".\x08|\x1b\[\d*m", "", done.stdout).split())
    for words, command in all_commands(root):
        if "help" in words or not command.get("shouldDisplay", True):
            continue
        page = pages["-".join(words[:2]) + ".1"]
        for argument in command.get("arguments", []):
            if argument["kind"] != "positional" and argument["shouldDisplay"]:
                assert f"--{argument['preferredName']['name']}" in page, (words, argument)
        assert " ".join(words[:2]) in page
    assert "siwa-emulator" in pages["siwa.1"]


@pytest.mark.parametrize(
    ("shell", "path"),
    [
        ("bash", "bash-completion/completions/siwa"),
        ("zsh", "zsh/site-functions/_siwa"),
        ("fish", "fish/vendor_completions.d/siwa.fish"),
    ],
)
def test_the_completions_are_scripts_of_their_shell(unpacked, shell, path):
    script = unpacked / "share" / path
    run(shell, "-n", script)
    assert "control-allowed-host" in script.read_text()


def test_the_package_depends_on_the_libraries_and_keeps_secrets_from_others(packed):
    _, package = packed
    fields = run("dpkg-deb", "--field", package)
    for name in ("libc6", "libcurl4", "libpq5", "libsqlite3-0", "adduser", "ca-certificates"):
        assert re.search(rf"^Depends: .*\b{name}\b", fields, re.MULTILINE), name
    listed = run("dpkg-deb", "--contents", package)
    modes = {line.split()[-1]: line.split()[:2] for line in listed.splitlines() if "->" not in line}
    assert modes["./etc/siwa/siwa.yaml"] == ["-rw-r-----", "root/root"]
    assert modes["./usr/bin/siwa"] == ["-rwxr-xr-x", "root/root"]
    assert "./lib/systemd/system/siwa.service" in modes
    assert all(owner == "root/root" for _, owner in modes.values())


def test_how_long_a_start_takes_is_told_and_a_program_that_is_none_is_refused():
    told = run(REPOSITORY / "scripts/start-time", BINARY)
    for line in ("first start, which makes keys", "with the keys of an earlier one"):
        assert re.search(rf"^{line}: \d+ ms \(\d+ to \d+\)$", told, re.MULTILINE), told
    refused = completed([REPOSITORY / "scripts/start-time", "/bin/true"])
    assert refused.returncode == 1 and "the emulator has ended" in refused.stderr, refused.stderr


def check_glibc(depends, *files):
    command = [REPOSITORY / "scripts/check-glibc", depends, *files]
    return completed(command, timeout=SECONDS_MAX)


@pytest.mark.parametrize(
    ("depends", "sentence"),
    [
        ("libc6 (>= 2.4), libcurl4 (>= 7.88)", "but the package depends on libc6 (>= 2.4)"),
        ("libcurl4 (>= 7.88)", "no libc6 (>= …) in: libcurl4 (>= 7.88)"),
    ],
)
def test_a_package_that_asks_for_too_old_a_c_library_is_refused(depends, sentence):
    checked = check_glibc(depends, BINARY)
    assert checked.returncode == 1 and sentence in checked.stderr, checked.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="dpkg needs root")
def test_the_package_installs_and_goes_where_systemd_fails(packed):
    script = r"""
        mkdir -p /run/systemd/system
        printf '#!/bin/sh\necho "$@" >> /run/siwa-test/asked; exit 1\n' > /usr/local/bin/systemctl
        chmod +x /usr/local/bin/systemctl
        PATH=/usr/local/bin:$PATH
        dpkg --install /run/siwa-test/siwa.deb 2>&1 | tee /run/siwa-test/told
        grep -q 'siwa: the server did not restart' /run/siwa-test/told
        test "$(dpkg-query --show --showformat='${db:Status-Status}' siwa)" = installed
        dpkg --purge siwa
        test ! -e /usr/bin/siwa
        grep -q daemon-reload /run/siwa-test/asked
        grep -q 'disable --now siwa.service' /run/siwa-test/asked
    """
    run_in_throw_away_root(packed[1], script)


@pytest.mark.skipif(os.geteuid() != 0, reason="dpkg needs root")
def test_the_package_installs_and_goes(packed):
    script = r"""
        deb=/run/siwa-test/siwa.deb
        dpkg --install $deb
        siwa --version
        test "$(stat -c '%U:%G %a' /etc/siwa/siwa.yaml)" = "root:siwa 640"
        test "$(stat -c '%U:%G %a' /etc/siwa)" = "root:siwa 750"
        grep -q '^ExecStart=/usr/bin/siwa serve --config /etc/siwa/siwa.yaml' /lib/systemd/system/siwa.service
        test ! -e /etc/systemd/system/multi-user.target.wants/siwa.service
        getent passwd siwa | grep -q ':/var/lib/siwa:'
        setpriv --reuid siwa --regid siwa --clear-groups head -n 1 /etc/siwa/siwa.yaml

        # An upgrade keeps what was written, and who may read it.
        echo 'SIWA_APP_NAME: Mine' >> /etc/siwa/siwa.yaml
        install -d -o siwa -m 0700 /var/lib/siwa
        touch /var/lib/siwa/siwa.sqlite
        dpkg --install $deb
        grep -q Mine /etc/siwa/siwa.yaml
        test "$(stat -c '%U:%G %a' /etc/siwa/siwa.yaml)" = "root:siwa 640"

        dpkg --remove siwa
        test ! -e /usr/bin/siwa
        grep -q Mine /etc/siwa/siwa.yaml
        test -e /var/lib/siwa/siwa.sqlite

        touch /etc/siwa/apple.p8
        dpkg --purge siwa
        test ! -e /var/lib/siwa
        test ! -e /etc/siwa/siwa.yaml
        test -e /etc/siwa/apple.p8
    """
    run_in_throw_away_root(packed[1], script)
