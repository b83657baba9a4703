"""The examples of docs/reference/emulator.md, run from top to bottom against an emulator with the page's seed."""

import os
import re

import pytest

from conftest import REPOSITORY, running_emulator
from processes import blocks, completed

PAGE = (REPOSITORY / "docs/reference/emulator.md").read_text(encoding="utf-8")
SECONDS_MAX = 120

# Besides what it gets, curl tells each status.
PRELUDE = """
set -euo pipefail
apple=http://127.0.0.1:8081
control=http://127.0.0.1:8082
swaks() { command swaks "$@" > /dev/null; }
curl() { command curl -sS -w '%{stderr}%{http_code} %{method} %{url}\\n' "$@"; }
"""


@pytest.fixture
def emulator(tmp_path):
    seed = tmp_path / "seed.yaml"
    seed.write_text(blocks(PAGE, "yaml")[0], encoding="utf-8")
    with running_emulator("--config", str(seed)) as addresses:
        yield addresses


def test_every_example_works(emulator, tmp_path):
    # Blocks that start something are for other tests.
    examples = [block for block in blocks(PAGE, "sh") if not re.search(r"\bsiwa ", block)]
    script = PRELUDE + "\n".join(examples)
    calls = len(re.findall(r"^(?:\w+=\$\()?curl ", script, re.MULTILINE))
    for shown, real in {
        "http://127.0.0.1:8081": emulator["apple"],
        "http://127.0.0.1:8082": emulator["control"],
        "127.0.0.1:8025": emulator["smtp"],
    }.items():
        script = script.replace(shown, real)
    result = completed(
        ["bash", "-c", script],
        timeout=SECONDS_MAX,
        cwd=tmp_path,
        env=os.environ | {"NO_PROXY": "*"},
    )
    assert result.returncode == 0, result.stdout + result.stderr
    lines = [line for line in result.stderr.splitlines() if " http" in line]
    assert len(lines) == calls > 40
    for line in lines:
        status, _, url = line.split(" ", 2)
        # A fault that is asked for answers 503.
        wanted = {200, 201, 204, 302, 303} | ({503} if url.startswith(emulator["apple"]) else set())
        assert int(status) in wanted, line


def test_every_seed_of_the_page_is_read(tmp_path):
    teams = "teams: [{team_id: JUICETEAM1}]\n"
    # Other programs are configured in YAML too.
    seeds = [block for block in blocks(PAGE, "yaml") if "spring" not in block]
    for number, block in enumerate(seeds):
        seed = tmp_path / f"seed{number}.yaml"
        needs_team = "teams:" not in block
        seed.write_text((teams if needs_team else "") + block, encoding="utf-8")
        with running_emulator("--config", str(seed)) as addresses:
            assert addresses["event"] == "ready"
