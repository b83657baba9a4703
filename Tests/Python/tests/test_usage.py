"""A wrong step on the command line: what siwa says, and that it names the next right one."""

import contextlib
import fcntl
import os
import pty
import re
import socket
import sqlite3
import struct
import subprocess
import termios

import pytest

from conftest import BINARY
from conversation import conversation
from processes import completed

SECONDS_MAX = 60
# Nothing of the tests' own settings may count.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("SIWA_")}


def siwa(*arguments, folder=None, through=(), environment=ENVIRONMENT):
    return completed(
        [*through, BINARY, *arguments],
        timeout=SECONDS_MAX,
        cwd=folder,
        env=environment,
    )


def test_siwa_alone_says_what_to_try():
    result = siwa()
    assert result.returncode == 0 and result.stderr == ""
    lines = result.stdout.splitlines()
    assert len(lines) < 12 and all(len(line) <= 110 for line in lines)
    for command in ["demo", "app", "emulator", "check URL"]:
        (line,) = [line for line in lines if line.startswith(f"  siwa {command}")]
        # What it gives stands beside it, and the command is there.
        assert len(line.split("  ")) > 2
        assert siwa(command.split(" ")[0], "--help").returncode == 0


MISTAKES = [
    # What is typed, the exit code, the failure, what the hint has.
    (["emulater"], 2, "there is no command 'emulater'", "did you mean 'siwa emulator'?"),
    (["dmeo"], 2, "there is no command 'dmeo'", "did you mean 'siwa demo'?"),
    (["data"], 2, "there is no command 'data'", "did you mean 'siwa database'?"),
    (["nonsense"], 2, "there is no command 'nonsense'", "siwa --help lists the commands"),
    (["users", "lst"], 2, "there is no command 'lst' of siwa users", "did you mean 'siwa users list'?"),
    (["demo", "--prt", "1"], 2, "unknown option '--prt'. Did you mean '--port'?", "siwa demo --help"),
    (["demo", "--port"], 2, "missing value for '--port <port>'", "siwa demo --help"),
    (["demo", "--port", "many"], 2, "the value 'many' is invalid for '--port <port>'", "siwa demo --help"),
    (["demo", "--control-port", "65536"], 2, "65536 is not a port", "give --control-port a number"),
    (["demo", "more"], 2, "unexpected argument 'more'", "siwa demo --help lists its options"),
    (["explain"], 2, "missing expected argument '<token>'", "siwa explain --help"),
    (["emulator", "--config", "nowhere.yaml"], 1, "there is no file nowhere.yaml", "with --config"),
    (["serve", "--config", "nowhere.yaml"], 1, "there is no file nowhere.yaml", "--config"),
    (["emulator", "--host", "host.invalid"], 1, "can't listen on host.invalid", "0.0.0.0 for all"),
    (["check"], 2, "the server's URL is missing", "siwa check http://localhost:8080/sign-in"),
    (["check", "nonsense"], 2, '"nonsense" is not a URL', "http://localhost:8080/sign-in"),
    (["app", "--server", "nonsense"], 2, "--server nonsense is not a URL", "http://localhost:8080"),
    (["app", "--server", "http://127.0.0.1:9"], 1, "no server responds at http://127.0.0.1:9", "start siwa demo"),
    (["users", "list"], 1, "there is no database at siwa.sqlite", "--database sqlite:PATH"),
    (
        ["audit", "list", "--action", "sign"],
        2,
        'there is no action "sign"; did you mean sign_in, sign_in_refused or sign_out?',
        "siwa audit list --help lists its options",
    ),
    (["audit", "export", "--actor", "x"], 2, 'there is no actor "x"; the actors are person,', "siwa audit export"),
    (
        ["users", "list", "--database", "siwa.sqlite"],
        2,
        "--database is not a database URL",
        "use sqlite:PATH",
    ),
    (
        ["users", "list", "--database", "postgres://nobody@127.0.0.1:9/nothing"],
        1,
        'PostgreSQL: connection to server at "127.0.0.1", port 9 failed',
        "check the database's URL",
    ),
]


@pytest.mark.parametrize("arguments, code, failure, hint", MISTAKES, ids=[" ".join(mistake[0]) for mistake in MISTAKES])
def test_a_mistake_names_the_next_step(tmp_path, arguments, code, failure, hint):
    result = siwa(*arguments, folder=tmp_path)
    assert result.returncode == code and result.stdout == "", result
    *warnings, told, advice = result.stderr.splitlines()
    assert all(warning.startswith("warning: ") for warning in warnings)
    assert told.startswith(f"siwa: {failure}")
    assert advice.startswith("hint: ") and hint in advice


# Root may read everything, unless that right is taken away.
WITHOUT_ROOTS_RIGHTS = (
    ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
)


@pytest.mark.parametrize(
    "arguments",
    [
        ["serve", "--config", "closed/file"],
        ["users", "list", "--database", "sqlite:closed/file"],
        ["database", "copy", "sqlite:closed/file", "sqlite:new"],
    ],
    ids=["settings", "database", "copy"],
)
def test_a_file_of_another_user_is_not_called_missing(tmp_path, arguments):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    result = siwa(*arguments, folder=tmp_path, through=WITHOUT_ROOTS_RIGHTS)
    assert result.returncode == 1 and result.stdout == "", result
    told, advice = result.stderr.splitlines()[-2:]
    assert told == "siwa: no permission to read closed/file"
    assert "sudo -u siwa" in advice


COMMANDS_OF_A_DATABASE = [
    ["users", "list"],
    ["users", "sessions", "someone"],
    ["audit", "export"],
    ["keys", "list"],
    ["database", "backup", "copy.sqlite"],
]


@pytest.mark.parametrize("content", [b"", b"another program's"], ids=["empty", "foreign"])
def test_a_command_changes_no_file_without_tables(tmp_path, content):
    path = tmp_path / "siwa.sqlite"
    path.touch()
    if content:
        with contextlib.closing(sqlite3.connect(path)) as database, database:
            database.execute("CREATE TABLE notes (text TEXT)")
    before = path.read_bytes()
    for arguments in COMMANDS_OF_A_DATABASE:
        result = siwa(*arguments, "--database", "sqlite:siwa.sqlite", folder=tmp_path)
        assert result.returncode == 1 and result.stdout == "", result
        assert "siwa: the database has no tables of siwa" in result.stderr
        assert "siwa database migrate" in result.stderr
    copied = siwa("database", "copy", "sqlite:siwa.sqlite", "sqlite:other.sqlite", folder=tmp_path)
    assert copied.returncode == 1 and "the database has no tables of siwa" in copied.stderr
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["siwa.sqlite"]


def test_migrate_creates_the_tables_once(tmp_path):
    missing = siwa("database", "migrate", "--database", "sqlite:siwa.sqlite", folder=tmp_path)
    assert missing.returncode == 1 and "there is no database at" in missing.stderr
    (tmp_path / "siwa.sqlite").touch()
    for _ in range(2):
        done = siwa("database", "migrate", "--database", "sqlite:siwa.sqlite", folder=tmp_path)
        assert (done.returncode, done.stdout) == (0, "the tables are up to date\n"), done
    arguments = ["users", "list", "--database", "sqlite:siwa.sqlite"]
    listed = siwa(*arguments, folder=tmp_path)
    assert listed.returncode == 0, listed
    with contextlib.closing(sqlite3.connect(tmp_path / "siwa.sqlite")) as database, database:
        database.execute("DELETE FROM grdb_migrations WHERE identifier = 'administration'")
    older = siwa(*arguments, folder=tmp_path)
    assert older.returncode == 1 and "an older version created the tables" in older.stderr, older
    assert list(tmp_path.glob("*.before-*")) == []


def test_a_file_of_a_newer_program_gets_no_advice_about_its_owner(tmp_path):
    (tmp_path / "siwa.sqlite").touch()
    made = siwa("database", "migrate", "--database", "sqlite:siwa.sqlite", folder=tmp_path)
    assert made.returncode == 0, made
    with contextlib.closing(sqlite3.connect(tmp_path / "siwa.sqlite")) as database, database:
        database.execute("INSERT INTO grdb_migrations VALUES ('of a newer program')")
    result = siwa("users", "list", "--database", "sqlite:siwa.sqlite", folder=tmp_path)
    assert result.returncode == 1 and result.stdout == "", result
    told = result.stderr.splitlines()[-1]
    assert (
        told == "siwa: a newer version migrated the database; run that version or restore a backup"
    )


def test_serve_without_settings_names_each_and_the_demo(tmp_path):
    result = siwa("serve", "--port", "0", folder=tmp_path)
    assert result.returncode == 1
    first, *rest = result.stderr.splitlines()
    assert first == "note: to try the server without any settings, run siwa demo"
    for name in ["SIWA_CLIENT_IDS", "SIWA_TEAM_ID", "SIWA_KEY_ID", "SIWA_KEY_FILE", "SIWA_SEALING_KEYS"]:
        assert any(line.startswith(f"siwa: {name} is not set") for line in rest)
    assert [line.split(" ")[0] for line in rest] == ["siwa:", "hint:"] * (len(rest) // 2)


def test_the_help_of_serve_has_the_settings():
    assert "SIWA_AUDIT_DAYS: default 365" in siwa("serve", "--help").stdout


def test_two_wrong_identifiers_are_told_at_once(tmp_path):
    settings = tmp_path / "siwa.yaml"
    settings.write_text("SIWA_TEAM_ID: short\nSIWA_KEY_ID: short\n")
    result = siwa("serve", "--config", "siwa.yaml", folder=tmp_path)
    for name in ["SIWA_TEAM_ID", "SIWA_KEY_ID"]:
        assert f"siwa: {name} is not ten capital letters or digits" in result.stderr.splitlines()


PORTS = {
    "demo": ["--port", "--apple-port", "--control-port", "--smtp-port"],
    "emulator": ["--port", "--control-port", "--smtp-port"],
    "serve": ["--port"],
}


@pytest.mark.parametrize("command, option", [(command, option) for command in PORTS for option in PORTS[command]])
def test_a_port_in_use_names_its_option(tmp_path, serve_settings, command, option):
    environment = serve_settings if command == "serve" else ENVIRONMENT
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        others = [word for name in PORTS[command] if name != option for word in (name, "0")]
        result = siwa(command, option, port, *others, folder=tmp_path, environment=environment)
    assert result.returncode == 1
    assert f"siwa: port {port} is already in use\nhint: give another one with {option} (0 picks" in result.stderr


@pytest.mark.parametrize("command", ["demo", "emulator"])
def test_all_ports_in_use_are_named_at_once(tmp_path, command):
    with contextlib.ExitStack() as stack:
        others = {name: stack.enter_context(socket.create_server(("127.0.0.1", 0))) for name in PORTS[command]}
        ports = {name: str(other.getsockname()[1]) for name, other in others.items()}
        result = siwa(command, *[word for pair in ports.items() for word in pair], folder=tmp_path)
    assert result.returncode == 1
    (*named, last), (*options, option) = ports.values(), ports
    assert result.stderr.endswith(
        f"siwa: ports {', '.join(named)} and {last} are already in use\n"
        f"hint: give others with {', '.join(options)} and {option} (0 picks a free one), or stop the other programs\n"
    ), result.stderr


def test_missing_settings_come_before_a_port_in_use(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        result = siwa("serve", "--port", str(other.getsockname()[1]), folder=tmp_path)
    assert result.returncode == 1
    assert "SIWA_TEAM_ID is not set" in result.stderr and "in use" not in result.stderr


@pytest.mark.parametrize(
    "name, near",
    [
        ("SIWA_TEAMID", "SIWA_TEAM_ID"),
        ("SIWA_TEMA_ID", "SIWA_TEAM_ID"),
        ("siwa_team_id", "SIWA_TEAM_ID"),
        ("SIWA_TEAM", "SIWA_TEAM_ID"),
        ("SIWA_MAIL_SENDER", "SIWA_MAIL_FROM"),
        ("SIWA_SMTP", "SIWA_SMTP_URL or SIWA_SMTP_URL_FILE"),
    ],
)
def test_a_setting_that_is_nearly_one_gets_a_suggestion(tmp_path, name, near):
    result = siwa("serve", folder=tmp_path, environment=ENVIRONMENT | {name: "JUICETEAM1"})
    assert f"note: {name} is not a setting; did you mean {near}?" in result.stderr.splitlines()
    (tmp_path / "siwa.yaml").write_text(f"{name}: JUICETEAM1\n")
    refused = siwa("serve", "--config", "siwa.yaml", folder=tmp_path)
    assert refused.returncode == 1
    assert refused.stderr.endswith(f"{name} is not a setting\nhint: did you mean {near}?\n")


def test_the_doctors_table_folds_only_to_the_width_of_a_terminal(tmp_path, serve_settings):
    settings = serve_settings | {"SIWA_TEAM_ID": "juice", "SIWA_DATABASE_URL": "sqlite:siwa.sqlite"}
    result = siwa("doctor", folder=tmp_path, environment=settings)
    assert result.returncode == 1
    rows = result.stdout.split("\n\n")[0].splitlines()
    assert len(rows) > 10 and not any(row.startswith(" ") for row in rows), result.stdout
    reader, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 90, 0, 0))
    with subprocess.Popen([BINARY, "doctor"], cwd=tmp_path, env=settings, stdout=terminal) as process:
        os.close(terminal)
        text = read_all(reader)
    assert process.returncode == 1
    # The path is one word.
    lines = [line for line in text.splitlines() if str(tmp_path) not in line]
    assert len(lines) > len(rows) and max(len(line) for line in lines) <= 90, text


def read_all(reader):
    """What a terminal shows until its program ends, which Linux reports as an error."""
    text = b""
    try:
        while data := os.read(reader, 4096):
            text += data
    except OSError:
        pass
    os.close(reader)
    return text.decode()


def test_a_token_with_one_part(tmp_path):
    keys = tmp_path / "keys.json"
    keys.write_text('{"keys": []}')
    result = siwa("explain", "abc", "--keys", str(keys))
    assert result.returncode == 1 and "it has 1 part instead of 3" in result.stdout, result


def at_terminal(folder, *arguments):
    """What a terminal of 80 columns gets from siwa."""
    with conversation([BINARY, *arguments], at_terminal=True, cwd=folder, env=ENVIRONMENT) as program:
        program.end()
        return program.text


def test_a_terminal_gets_indented_json_and_whole_words(tmp_path):
    lines = at_terminal(tmp_path, "doctor", "--json").splitlines()
    first = lines.index("{")
    assert '  "failed": true,' in lines[first:] and '      "check": "team ID",' in lines
    text = at_terminal(tmp_path, "check", "--list")
    assert "key-set-empty: " in text
    # A line that the terminal itself breaks continues at the left edge.
    assert all(re.match(r"[a-z0-9-]+: |  +[^ ]", line) for line in text.splitlines() if line), text
    assert max(len(line) for line in text.splitlines() if "://" not in line) <= 80
