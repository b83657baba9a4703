"""Runs the blocks of a page from top to bottom in one shell and an empty folder, as a reader pastes them.

The shell has a network of its own (apart.py): the page's ports are free there, and its names lead to this machine.
"""

import dataclasses
import json
import os
import pathlib

import yaml

import apart
from processes import BINARY, REPOSITORY, all_blocks, completed, named_blocks

FOLDER = pathlib.Path(__file__).parent
PRELUDES = [FOLDER / "pages.sh", FOLDER / "pages_as_root.sh"]
THROW_AWAY = FOLDER / "throw_away.sh"
SECONDS_MAX = 120
ANSWER_NAMES = ("code", "field", "detail", "error", "reason", "hint")
NAMES = "127.0.0.1 apple accounts.example.com"


@dataclasses.dataclass(frozen=True)
class Run:
    """A block that runs."""

    #: The commands that run first, and the replacements of the page's words by values of this machine.
    before: str = ""
    values: tuple = ()

    def step(self, language, block):
        command = replaced(block, self.values)
        if language == "python":
            command = f"python3 - <<'END OF FILE'\n{command}END OF FILE\n"
        title = block.splitlines()[0].replace("'", "")
        return f"echo '==> {title}' >&2\n{self.before}\n{command}"


@dataclasses.dataclass(frozen=True)
class File:
    """A block that a reader saves in a file."""

    name: str
    values: tuple = ()
    #: Whether the page uses the file before it shows it.
    is_first: bool = False

    def step(self, _, block):
        return f"cat > {self.name} <<'END OF FILE'\n{replaced(block, self.values)}END OF FILE\n"


@dataclasses.dataclass(frozen=True)
class Answer:
    """JSON that the command prints, or else the block above; the test compares its words."""

    command: str = ""

    def step(self, *_):
        return self.command


class Transcript:
    """A command after a $, and all that it prints."""

    def step(self, _, block):
        command, output = block.removeprefix("$ ").split("\n", 1)
        return f"diff -u - <({command} 2>&1) <<'END OF FILE'\n{output}END OF FILE\n"


@dataclasses.dataclass(frozen=True)
class Parsed:
    """A block that a test can't run, with the reason: only its syntax is checked."""

    reason: str

    def step(self, language, block):
        if language == "sh":
            done = completed(["bash", "-n"], stdin=None, input=block)
            assert done.returncode == 0, done.stderr
        elif language == "python":
            compile(block, "page", "exec")
        elif language in ("json", "yaml"):
            assert yaml.safe_load(block)
        return ""


@dataclasses.dataclass(frozen=True)
class Covered:
    """A block that another test compares or runs: the name of that test."""

    test: str

    def step(self, *_):
        file, _, name = self.test.partition("::")
        (path,) = (REPOSITORY / "Tests/Python").rglob(file)
        assert f"def {name}" in path.read_text(encoding="utf-8")
        return ""


@dataclasses.dataclass(frozen=True)
class Page:
    path: str
    #: By the beginning of a block, what is done with it.
    treatments: dict = dataclasses.field(default_factory=dict)
    #: Parts of curl's arguments that show a refusal.
    refused: tuple = ()
    #: Whether the page installs something, as root.
    needs_root: bool = False
    #: What holds at the page's end.
    after: str = ""

    def blocks(self):
        """Language, text and treatment of each block; every block has one, and every treatment is used."""
        text = (REPOSITORY / self.path).read_text(encoding="utf-8")
        unused, found, names = dict(self.treatments), [], named_blocks(text)
        for language, block in all_blocks(text):
            keys = [key for key in unused if block.startswith(key)]
            assert len(keys) < 2, f"{self.path}: {keys} begin the same block"
            treatment = unused.pop(keys[0]) if keys else default_treatment(language, names.get(block))
            assert treatment, f"{self.path}: nothing runs, saves or compares this block:\n{block}"
            found.append((language, block, treatment))
        assert not unused, f"{self.path}: no block begins with {list(unused)}"
        return found

    def script(self):
        found = sorted(self.blocks(), key=lambda it: not getattr(it[2], "is_first", False))
        steps = [treatment.step(language, block) for language, block, treatment in found]
        return "\n".join([*steps, self.after])


def default_treatment(language, name):
    """Shell blocks run, and a block below a file's name is saved there."""
    return Run() if language == "sh" else File(name) if name else None


def replaced(block, values):
    for shown, real in values:
        assert shown in block, f"no {shown!r} in:\n{block}"
        block = block.replace(shown, real)
    return block


def run(page, folder):
    """Runs a page in the folder."""
    (folder / "programs").mkdir()
    (folder / "programs/siwa").symlink_to(BINARY)
    (folder / "sign-in-with-apple").symlink_to(REPOSITORY)
    (folder / "bare").mkdir()
    script = folder / "page.sh"
    preludes = PRELUDES[: 2 if page.needs_root else 1]
    sources = [f". {prelude}" for prelude in preludes]
    script.write_text("\n".join([*sources, page.script()]), encoding="utf-8")
    shell = ["bash", "-c", f"cd {folder}/bare && . {script}"]
    if page.needs_root:
        shell = ["sh", str(THROW_AWAY), str(REPOSITORY), str(folder), "--", *shell]
    result = completed(
        apart.command(NAMES, shell),
        timeout=SECONDS_MAX,
        env={
            "HOME": str(folder),
            "PATH": f"{folder / 'programs'}:{os.environ['PATH']}",
            "REFUSED": "|".join(page.refused) or "^$",
            "BINARY": BINARY,
            "CLONE": str(REPOSITORY),
        },
    )
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-4000:]
    refusals = (folder / "refusals").read_text() if page.refused else ""
    assert all(part in refusals for part in page.refused), refusals
    compare_answers(page, result.stdout)


def compare_answers(page, output):
    for _, block, treatment in page.blocks():
        if isinstance(treatment, Answer):
            answer = yaml.safe_load(block)
            compared = {name: answer[name] for name in ANSWER_NAMES if name in answer}
            assert compared, block
            for name, text in compared.items():
                assert f"{json.dumps(name)}:{json.dumps(text)}" in output, output
