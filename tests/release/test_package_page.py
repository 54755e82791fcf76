"""README.md as PyPI shows it: every link and picture leads to a file that the repository has."""

from __future__ import annotations

import re
from pathlib import Path

import package_page
from graphwright_analysis import REPOSITORY, __version__

ROOT = Path(__file__).resolve().parents[2]


def test_every_link_is_absolute_and_leads_to_a_file():
    metadata: dict[str, object] = {}
    package_page.PackagePage(str(ROOT), {}).update(metadata)
    readme = metadata["readme"]
    assert isinstance(readme, dict) and readme["content-type"] == "text/markdown"
    page = str(readme["text"])
    targets = re.findall(r"\]\(([^)\s]+)\)", page)
    assert all(target.startswith("https://") for target in targets)
    own = re.compile(rf"{re.escape(REPOSITORY)}/(raw|blob)/v{re.escape(__version__)}/([^#]+)")
    found = [match.groups() for target in targets if (match := own.match(target))]
    assert [path for _, path in found if not (ROOT / path).is_file()] == []
    assert {path for kind, path in found if kind == "raw"} == {"docs/pictures/tour-dark.gif"}
    assert ("blob", "docs/settings.md") in found


def test_addresses_and_places_in_the_page_stay():
    page = "[![a](https://x.y/b.svg)](LICENSE) [c](#d) ![e](f/g.png) [h](i.md#j)"
    assert package_page.absolute(page, "https://h/r", "1.2") == (
        "[![a](https://x.y/b.svg)](https://h/r/blob/v1.2/LICENSE) [c](#d) "
        "![e](https://h/r/raw/v1.2/f/g.png) [h](https://h/r/blob/v1.2/i.md#j)"
    )
