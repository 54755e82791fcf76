"""Writes the version and the web addresses into the files that state them; `--check` says which are out of date.

The version comes from `version.py`, the addresses from `addresses.py`, both of the analysis.
`--tag v1.2.3` checks besides that this is the tag of the version, and that the changelog has its section.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "analysis" / "graphwright_analysis"
_OF_A_BILL = (
    r'"pkg:(?:pypi/graphwright|generic/graphwright-vscode)@(?P<version>[^"]+)"',
    r'"name": "graphwright",\n +"version": "(?P<version>[^"]+)"',
    r'"url": "(?P<repository>[^"]+)"$',
)
STATED = {
    "pyproject.toml": (
        r'^(?:Homepage|Documentation) = "(?P<documentation>[^"]+)"$',
        r'^Repository = "(?P<repository>[^"]+)"$',
        r'^Issues = "(?P<repository>[^"]+)/issues"$',
        r'^Changelog = "(?P<repository>[^"]+)/blob/main/CHANGELOG.md"$',
    ),
    "vscode-extension/package.json": (
        r'^  "version": "(?P<version>[^"]+)",$',
        r'^  "homepage": "(?P<documentation>[^"]+)",$',
        r'^    "url": "(?P<repository>[^"]+)\.git"$',
        r'^    "url": "(?P<repository>[^"]+)/issues"$',
    ),
    "vscode-extension/package-lock.json": (r'"name": "graphwright",\n +"version": "(?P<version>[^"]+)",$',),
    "vscode-extension/sbom.cdx.json": _OF_A_BILL,
    "requirements/graphwright.cdx.json": _OF_A_BILL,
    "CITATION.cff": (
        r'^version: "(?P<version>[^"]+)"$',
        r'^url: "(?P<documentation>[^"]+)"$',
        r'^repository-code: "(?P<repository>[^"]+)"$',
    ),
    "README.md": (
        r"\[!\[CI\]\((?P<repository>[^)]+)/actions/workflows/ci.yml/badge.svg\)",
        r"badge.svg\)\]\((?P<repository>[^)]+)/actions/workflows/ci.yml\)$",
        r"img.shields.io/pypi/(?:v|pyversions|l)/(?P<package_name>[^)]+)\)",
        r"/pypi/(?:v|pyversions)/[^)]+\)\]\((?P<package>[^)]+)\)$",
        r"img.shields.io/open-vsx/v/(?P<extension_name>[^)]+)\)\]\((?P<extension>[^)]+)\)$",
    ),
    "docs/ci.md": (
        r"git\+(?P<repository>\S+)`",
        r"- uses: (?P<slug>[\w./-]+)@v(?P<version>\d\S+\.\d\S*)$",
        r"- repo: (?P<repository>\S+)$",
        r"rev: v(?P<version>\S+)$",
        r"verify graphwright-(?P<version>[^-]+)-py3-none-any.whl --repo (?P<slug>\S+)$",
    ),
    ".github/workflows/release.yml": (r"url: (?P<package>https://\S+[^/\s])/?$",),
    "SECURITY.md": (r"\((?P<repository>\S+)/security/advisories/new\)",),
    ".github/ISSUE_TEMPLATE/config.yml": (
        r"url: (?P<repository>\S+)/security/advisories/new$",
        r"url: (?P<documentation>\S+)/index.html$",
    ),
}
"""Each file with the places in it: a named group is the part that one of the facts replaces."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file is out of date")
    parser.add_argument("--tag", help="the tag of the release, to compare with the version")
    options = parser.parse_args()
    known = facts()
    stale = {name: text for name in STATED if (text := restated(name, known)) != read(name)}
    problems = [f"{name} is out of date: run tools/release_facts.py" for name in stale] if options.check else []
    if options.tag is not None:
        problems += wrong_with_tag(options.tag, known["version"], read("CHANGELOG.md"))
    for problem in problems:
        print(problem)
    if not options.check:
        for name, text in stale.items():
            (ROOT / name).write_text(text, "utf-8")
            print(f"wrote {name}")
    return 1 if problems else 0


def facts() -> dict[str, str]:
    """The version and the addresses, read without importing the analysis."""
    version, addresses = ((PACKAGE / name).read_text("utf-8") for name in ("version.py", "addresses.py"))
    repository, package, extension = (_constant(addresses, name) for name in ("REPOSITORY", "PACKAGE", "EXTENSION"))
    return {
        "version": _constant(version, "__version__"),
        "repository": repository,
        "documentation": _constant(addresses, "DOCUMENTATION") or repository,
        "slug": "/".join(repository.split("/")[-2:]),
        "package": package,
        "package_name": package.split("/")[-1],
        "extension": extension,
        "extension_name": "/".join(extension.split("/")[-2:]),
    }


def restated(name: str, known: Mapping[str, str]) -> str:
    """The text of a file with the facts in their places; a place that is gone is an error."""
    text = read(name)
    for pattern in STATED[name]:
        text, count = re.subn(pattern, lambda match: _replaced(match, known), text, flags=re.MULTILINE)
        if not count:
            raise LookupError(f"{name} has no place for {pattern}")
    return text


def wrong_with_tag(tag: str, version: str, changelog: str) -> list[str]:
    """What keeps a tag from being released."""
    problems = [] if tag == f"v{version}" else [f"the tag is {tag}, and the version {version}"]
    if not re.search(rf"^## {re.escape(version)} - \d{{4}}-\d\d-\d\d$", changelog, re.MULTILINE):
        problems.append(f"CHANGELOG.md has no section {version}: run tools/changelog.py cut {version}")
    return problems


def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def _replaced(match: re.Match[str], known: Mapping[str, str]) -> str:
    text = match[0]
    for name in sorted(match.groupdict(), key=match.start, reverse=True):
        start, end = (place - match.start() for place in match.span(name))
        text = text[:start] + known[name] + text[end:]
    return text


def _constant(module: str, name: str) -> str:
    found = re.search(rf'^{name} = "([^"]*)"$', module, re.MULTILINE)
    if found is None:
        raise LookupError(f"no line {name} = ...")
    return found[1]


if __name__ == "__main__":
    sys.exit(main())
