"""What docs/explanation/scale.md says is what scripts/scale calculates."""

import json

import pytest

from conftest import REPOSITORY
from processes import completed

SCRIPT = REPOSITORY / "scripts/scale"


def calculate(*arguments):
    return completed([SCRIPT, *arguments], check=True).stdout


def test_the_page_has_the_table_of_its_figures():
    assert calculate() in (REPOSITORY / "docs/explanation/scale.md").read_text()


@pytest.mark.parametrize(
    "part, name, factor",
    [("measured", "account_bytes_postgresql", 100), ("assumed", "peak_factor", 10)],
)
def test_other_figures_give_another_table(tmp_path, part, name, factor):
    figures = json.loads((REPOSITORY / "docs/scale.json").read_text())
    figures[part][name] *= factor
    own = tmp_path / "own.json"
    own.write_text(json.dumps(figures))
    assert calculate(own) != calculate()
