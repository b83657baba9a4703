"""The seeds of docs/reference/emulator.md; test_pages.py runs its examples."""

from conftest import REPOSITORY, running_emulator
from processes import blocks

PAGE = (REPOSITORY / "docs/reference/emulator.md").read_text(encoding="utf-8")


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
