"""The documentation site is built without a warning, holds every page, and asks no other host for anything.

What the pages say is run by `test_docs.py`.
"""

from __future__ import annotations

import os
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from graphwright_analysis import DOCUMENTATION, all_rules

# The site is built once, in one process.
pytestmark = [pytest.mark.xdist_group("site"), pytest.mark.thorough]

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
SPHINX = ROOT / ".dev" / "docs" / "bin" / "sphinx-build"
PATIENCE_SECONDS = 240
FETCHED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src"), ("use", "href")}
"""The attributes whose target a browser fetches by itself; an `a` waits for a click."""
LARGEST_PICTURE = 600_000
IN_STYLES = re.compile(r"(?:url\(\s*|@import\s+)['\"]?((?:https?:)?//[^)'\";]*)")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` builds it."""
    if not SPHINX.exists():
        reason = "what builds the documentation isn't installed: `make docs` installs it"
        if os.environ.get("GRAPHWRIGHT_E2E") == "require":
            pytest.fail(reason)
        pytest.skip(reason)
    target = tmp_path_factory.mktemp("site")
    command = [str(SPHINX), "-q", "-W", "--keep-going", "-n", str(DOCS), str(target)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS)
    assert done.returncode == 0, done.stdout + done.stderr
    return target


def test_every_page_is_in_the_site(site: Path):
    wanted = {str(path.relative_to(DOCS).with_suffix(".html")) for path in DOCS.rglob("*.md")}
    assert wanted <= {str(path.relative_to(site)) for path in site.rglob("*.html")}


def test_every_rule_links_to_its_page(site: Path):
    pages = {rule.name: site / rule.url.removeprefix(f"{DOCUMENTATION}/") for rule in all_rules()}
    assert {name for name, page in pages.items() if not page.is_file()} == set()


def test_nothing_is_fetched_from_elsewhere(site: Path):
    fetched: list[str] = []
    for page in site.rglob("*.html"):
        targets = Targets()
        targets.feed(page.read_text("utf-8"))
        fetched += [f"{page.name}: {target}" for target in targets.found]
    for style in site.rglob("*.css"):
        targets_in_style = re.findall(
            r"url\(\s*['\"]?((?:https?:)?//[^)]*)|@import[^;]+//[^;]+", style.read_text("utf-8")
        )
        fetched += [f"{style.name}: {target}" for target in targets_in_style]
    assert not fetched


def test_pictures_are_small_and_come_in_both_themes():
    pictures = [path for path in (DOCS / "pictures").iterdir() if path.suffix in {".png", ".gif"}]
    assert all(path.stat().st_size < LARGEST_PICTURE for path in pictures)
    names = {path.name for path in pictures}
    assert {name.replace("-dark", "-light") for name in names} == {name for name in names if "-light" in name}


def test_the_search_needs_no_server(site: Path):
    """A page opened from the disk may load scripts, but fetch nothing: the index must be a script."""
    index = (site / "searchindex.js").read_text("utf-8")
    assert index.startswith("Search.setIndex(")
    assert "retrac" in index


class Targets(HTMLParser):
    """Gathers what a page would fetch from another host."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if (tag, name) in FETCHED and value and re.match(r"(\w+:)?//", value):
                self.found.append(value)
