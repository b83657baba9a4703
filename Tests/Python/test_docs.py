"""The pages of docs/ as a catalogue for docc, and the search over the site; make docs has docc itself read them."""

import functools
import http.server
import json
import re
import runpy
import subprocess

import pytest
from selenium.webdriver.common.by import By

from conftest import REPOSITORY
from listener import Handler, Listener

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


def paragraph(*words):
    return {"type": "paragraph", "inlineContent": [{"type": "text", "text": word} for word in words]}


@pytest.fixture
def site(tmp_path):
    """What docc makes of one page, as far as the search looks at it."""
    data = tmp_path / "data/documentation/guides"
    data.mkdir(parents=True)
    heading = {"type": "heading", "text": "Worlds", "anchor": "Worlds", "level": 2}
    row = [[paragraph("the cookie")], [{"type": "codeListing", "code": ["siwa-world=<b>"]}]]
    table = {"type": "table", "rows": [row]}
    page = {
        "metadata": {"title": "Apple’s emulator"},
        "abstract": [{"type": "text", "text": "Whoever names a world"}],
        "primaryContentSections": [{"content": [paragraph("first words"), heading, paragraph("siwa_world"), table]}],
    }
    (data / "emulator.json").write_text(json.dumps(page), encoding="utf-8")
    (tmp_path / "documentation/guides").mkdir(parents=True)
    (tmp_path / "documentation/guides/index.html").write_text("<body>page</body>", encoding="utf-8")
    subprocess.run([SCRIPTS / "docs-search", tmp_path], check=True, timeout=60, stdout=subprocess.DEVNULL)
    return tmp_path


class SiteHandler(Handler, http.server.SimpleHTTPRequestHandler):
    """The site's files."""


@pytest.fixture
def address(site):
    with Listener(functools.partial(SiteHandler, directory=site)) as server:
        yield f"http://127.0.0.1:{server.server_port}"


def test_every_page_links_to_the_search(site):
    assert 'href="../../search/"' in (site / "documentation/guides/index.html").read_text(encoding="utf-8")


def found(browser, address, words):
    browser.open(f"{address}/search/")
    browser.driver.find_element(By.ID, "words").send_keys(words)
    count = browser.driver.find_element(By.ID, "count")
    browser.wait_until(lambda _: count.text.endswith("sections"), "nothing is counted")
    return browser.driver.find_elements(By.CSS_SELECTOR, "#found li")


def test_the_search_finds_sections_by_all_words(chromium, address):
    (section,) = found(chromium, address, "COOKIE siwa_world")
    link = section.find_element(By.TAG_NAME, "a")
    assert link.text == "Worlds"
    assert link.get_attribute("href") == f"{address}/documentation/guides/emulator#Worlds"
    # What a page says is text there, never markup.
    assert "siwa-world=<b>" in section.text
    assert len(found(chromium, address, "apple's")) == 2
    assert found(chromium, address, "cookie nowhere") == []
    assert len(found(chromium, address, "first")) == 1
