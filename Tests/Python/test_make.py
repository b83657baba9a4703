"""A failing step fails `make`, with the shell of a Mac's make too."""

import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.mark.parametrize(("target", "printed"), [("test-swift", "what failed"), ("ci", "checking the format")])
def test_failing_step(tmp_path, target, printed):
    """make 3.81 knows no .SHELLFLAGS, so recipes run under `bash -c` alone: without pipefail, without -e."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    swift = tmp_path / "swift"
    swift.write_text("#!/bin/sh\necho it fails\nexit 1\n")
    swift.chmod(0o755)
    made = subprocess.run(
        ["make", ".SHELLFLAGS=-c", "PATH=" + f"{tmp_path}:{os.environ['PATH']}", target],
        cwd=tmp_path, capture_output=True, text=True, timeout=60,
    )
    assert made.returncode != 0, made.stdout
    assert printed in made.stdout
    assert "all checks passed" not in made.stdout and "took" not in made.stdout
