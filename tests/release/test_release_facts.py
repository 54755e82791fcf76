"""The version and the web addresses are stated in one place each: every other file follows them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import release_facts
from graphwright_analysis import DOCUMENTATION, REPOSITORY, __version__
from graphwright_analysis.addresses import EXTENSION, PACKAGE

ROOT = Path(release_facts.ROOT)
ADDRESSES = (REPOSITORY, DOCUMENTATION, PACKAGE, EXTENSION)
OTHER = {
    "version": "7.8.9",
    "repository": "https://example.org/someone/other",
    "documentation": "https://docs.example.org",
    "slug": "someone/other",
    "package": "https://packages.example.org/other",
    "package_name": "other",
    "extension": "https://extensions.example.org/someone/other",
    "extension_name": "someone/other",
}


def test_the_facts_are_those_of_the_package():
    known = release_facts.facts()
    assert (known["version"], known["repository"]) == (__version__, REPOSITORY)
    assert known["documentation"] == DOCUMENTATION
    assert (known["package"], known["extension"]) == (PACKAGE, EXTENSION)
    assert (known["package_name"], known["extension_name"]) == ("graphwright", "graphwright/graphwright")


def test_every_file_states_them():
    stale = [name for name in release_facts.STATED if restated(name) != release_facts.read(name)]
    assert stale == [], "run tools/release_facts.py"


def test_one_change_moves_every_address():
    left = {
        name: text
        for name, text in texts_with_an_address().items()
        if any(address in moved(name, text) for address in ADDRESSES)
    }
    stated = "each file that states an address has its places in STATED of tools/release_facts.py"
    assert left.keys() == {"analysis/graphwright_analysis/addresses.py"}, stated


def test_a_place_is_replaced_in_its_part_alone():
    text = release_facts.restated("pyproject.toml", OTHER)
    assert 'Issues = "https://example.org/someone/other/issues"' in text
    assert text.count("https://docs.example.org") == 2


def test_a_tag_is_that_of_the_version_and_has_its_section():
    changelog = "# Changelog\n\n## Unreleased\n\n## 1.2.3 - 2026-01-31\n"
    assert release_facts.wrong_with_tag("v1.2.3", "1.2.3", changelog) == []
    assert len(release_facts.wrong_with_tag("v1.2.4", "1.2.3", changelog)) == 1
    assert len(release_facts.wrong_with_tag("v1.2.4", "1.2.4", changelog)) == 1


def restated(name: str) -> str:
    return release_facts.restated(name, release_facts.facts())


def moved(name: str, text: str) -> str:
    return release_facts.restated(name, OTHER) if name in release_facts.STATED else text


def texts_with_an_address() -> dict[str, str]:
    """The files of the repository that state an address of the project."""
    patterns = [part for address in ADDRESSES for part in ("-e", address)]
    command = ["git", "grep", "--untracked", "-l", "-F", *patterns]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return {name: release_facts.read(name) for name in found}
