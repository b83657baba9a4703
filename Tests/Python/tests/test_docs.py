"""The pages of docs/ as a catalogue for docc; make docs has docc itself read them."""

import re
import runpy
import subprocess

import pytest

from conftest import REPOSITORY

SCRIPTS = REPOSITORY / "scripts"


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory):
    folder = tmp_path_factory.mktemp("guides") / "Guides.docc"
    subprocess.run([SCRIPTS / "guides", folder], check=True, timeout=60)
    return folder


def test_each_page_is_an_article_under_a_topic(catalogue):
    pages = list((REPOSITORY / "docs").rglob("*.md"))
    articles = {path.stem for path in catalogue.glob("*.md")}
    assert len(articles) >= len(pages) > 15
    root = (catalogue / "Guides.md").read_text(encoding="utf-8")
    topics = root[root.index("## Topics") :]
    assert set(re.findall(r"^- <doc:([\w-]+)>$", topics, re.MULTILINE)) == articles - {"Guides"}
    for kind in ["Tutorials", "How-to guides", "Reference", "Explanation"]:
        assert f"### {kind}\n" in topics


def test_links_lead_to_articles_pictures_and_modules(catalogue):
    text = "".join(path.read_text(encoding="utf-8") for path in catalogue.glob("*.md"))
    prose = re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE)
    for target in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", prose):
        assert (catalogue / target).exists()
    for target in re.findall(r"\]\(doc:([\w-]+)", prose):
        assert (catalogue / f"{target}.md").exists()
    assert "(doc:/SignInWithApple/GoingLive)" in prose
    assert not re.search(r"\]\([^)]*\.md", prose)


def test_a_heading_has_doccs_name():
    guides = runpy.run_path(str(SCRIPTS / "guides"))
    (page,) = [path.relative_to(REPOSITORY).as_posix() for path in (REPOSITORY / "docs").rglob("emulator.md")]
    assert guides["heading_anchor"](page, "apples-port") == "Apples-port"
    assert guides["heading_anchor"](page, "clock-keys-and-settings-of-people") == "Clock-keys-and-settings-of-people"
    with pytest.raises(SystemExit, match="no heading for #nowhere"):
        guides["heading_anchor"](page, "nowhere")


def test_the_page_for_coding_agents_is_short_and_names_files_that_exist():
    page = (REPOSITORY / "docs/llms.txt").read_text(encoding="utf-8")
    assert len(page.splitlines()) <= 100
    paths = re.findall(r"(?:\.\./)?[\w./-]+\.md", page)
    assert len(paths) > 12
    for path in paths:
        assert (REPOSITORY / "docs" / path).exists(), path
