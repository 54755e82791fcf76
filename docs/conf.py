"""Makes the site of these pages: `make docs`.

The pages are plain Markdown that reads as well without it; what only a site needs is added while they are read.
"""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

DOCS = Path(__file__).resolve().parent
VERSION = (DOCS.parent / "analysis/graphwright_analysis/version.py").read_text("utf-8").split('"')[-2]

project = "Graphwright"
html_title = "Graphwright"
version = release = VERSION
copyright = "the Graphwright authors, Apache License 2.0"
extensions = ["myst_parser"]
myst_enable_extensions = ["attrs_inline"]
exclude_patterns = ["**/.*"]
nitpicky = True  # a link that leads nowhere is a warning, and warnings end the build
myst_heading_anchors = 4
suppress_warnings = ["myst.header", "misc.highlighting_failure"]

html_theme = "furo"
html_static_path = ["site"]
html_css_files = ["graphwright.css"]
html_favicon = html_logo = "site/icon.png"
html_copy_source = html_show_sourcelink = html_show_sphinx = False
html_show_search_summary = False  # it fetches pages, which a page opened from the disk may not
html_theme_options = {"sidebar_hide_name": False, "navigation_with_keys": True}
pygments_style, pygments_dark_style = "friendly", "github-dark"

NAVIGATION = {
    "Start": ["tutorial", "concepts", "editor", "code-actions", "whats-new"],
    "The converter": ["converter", "function", "retraces", "notebooks", "trace"],
    "Reference": ["rules/README", "tensorflow-says", "settings", "ci", "editors/README", "agents"],
    "Internals": ["architecture", "converter-benchmarks", "server-benchmarks"],
}
"""The pages in the order of the sidebar; a page that is missing here fails the build."""
PICTURE = re.compile(r"!\[([^\]]*)\]\(((?:\.\./)*pictures/[\w-]+)-dark\.(\w+)\)")
IN_BOTH_THEMES = r"![\1](\2-dark.\3){.only-dark}\n![\1](\2-light.\3){.only-light}"
LINK = re.compile(r"\[([^\]]*)\]\(((?:\.\./)+[^)#]+)(#[^)]*)?\)")


def setup(app: Sphinx) -> None:
    """Sphinx's door: pages are completed while they are read."""
    app.connect("source-read", complete)


def complete(app: Sphinx, page: str, source: list[str]) -> None:
    """What a page of the site has beside its own text: its place in the navigation."""
    source[0] = PICTURE.sub(IN_BOTH_THEMES, source[0])
    source[0] = LINK.sub(lambda link: without_target_outside(page, link), source[0])
    if page == "index":
        source[0] += "".join(toctree(caption, pages) for caption, pages in NAVIGATION.items())
    elif page.endswith("/README"):
        folder = page.removesuffix("/README")
        below = sorted(path.stem for path in (DOCS / folder).glob("*.md") if path.stem != "README")
        source[0] += toctree("", below)


def toctree(caption: str, pages: list[str]) -> str:
    """The directive that puts pages below this one in the sidebar."""
    title = f":caption: {caption}\n" if caption else ""
    return "\n\n```{toctree}\n:hidden:\n" + title + "\n" + "\n".join(pages) + "\n```\n"


def without_target_outside(page: str, link: re.Match[str]) -> str:
    """A link to a file of the repository that isn't a page is its text alone: the site stands on its own."""
    text, target = link.group(1), link.group(2)
    place = (DOCS / page).parent / target
    return link.group(0) if place.resolve().is_relative_to(DOCS) else text
