"""Cuts a release's section in CHANGELOG.md: `cut 1.2.3`; prints what the newest release changes: `notes`.

A change is noted in a file of its own, `changelog.d/NAME.KIND.md`, so that two branches never touch the same lines.
`cut` adds these to what stands under *Unreleased*, removes them, and writes the version where it is stated.
"""

from __future__ import annotations

import argparse
import datetime as dt
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHANGELOG = ROOT / "CHANGELOG.md"
OF_EXTENSION = ROOT / "vscode-extension" / "CHANGELOG.md"
FRAGMENTS = ROOT / "changelog.d"
VERSION = ROOT / "analysis" / "graphwright_analysis" / "version.py"
KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
UNRELEASED = "## Unreleased\n"
SECTION = re.compile(r"^## .+\n", re.MULTILINE)
VERSION_FORM = re.compile(r"\d+\.\d+\.\d+((a|b|rc)\d+)?")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("cut", help="make a section of what is unreleased").add_argument("version")
    commands.add_parser("notes", help="print the section of the newest release")
    options = parser.parse_args()
    text = CHANGELOG.read_text("utf-8")
    if options.command == "notes":
        print(notes(text), end="")
        return 0
    if not VERSION_FORM.fullmatch(options.version):
        parser.error(f"{options.version} is no version such as 1.2.3 or 1.2.3rc1")
    today = dt.date.today().isoformat()
    fragments = fragment_files()
    CHANGELOG.write_text(cut(text, map(entry, fragments), options.version, today), "utf-8")
    OF_EXTENSION.write_text(OF_EXTENSION.read_text("utf-8").replace(UNRELEASED, f"## {options.version}\n"), "utf-8")
    VERSION.write_text(re.sub(r'"[\d.abrc]+"', f'"{options.version}"', VERSION.read_text("utf-8")), "utf-8")
    for fragment in fragments:
        fragment.unlink()
    subprocess.run([sys.executable, str(ROOT / "tools" / "release_facts.py")], check=True)
    print(f"Read `git diff`, run `make release-check`, commit, and tag the commit v{options.version}.")
    return 0


def fragment_files() -> list[Path]:
    return sorted(path for path in FRAGMENTS.glob("*.md") if path.name != "README.md")


def entry(fragment: Path) -> tuple[str, str]:
    """The kind of a change and its lines."""
    kind = fragment.name.split(".")[-2].capitalize()
    text = fragment.read_text("utf-8").strip() + "\n"
    if kind not in KINDS or fragment.name.count(".") != 2:
        raise ValueError(f"{fragment.name}: not NAME.KIND.md with a kind of {', '.join(KINDS).lower()}")
    if not all(line.startswith(("- ", "  ")) for line in text.splitlines()):
        raise ValueError(f"{fragment.name}: holds more than list items")
    return kind, text


def cut(changelog: str, entries: Iterable[tuple[str, str]], version: str, date: str) -> str:
    """The changelog with all that is unreleased in a section of its own, below an empty *Unreleased*."""
    head, found, rest = changelog.partition(UNRELEASED)
    if not found:
        raise ValueError("CHANGELOG.md has no section Unreleased")
    following = SECTION.search(rest)
    unreleased, older = (rest[: following.start()], rest[following.start() :]) if following else (rest, "")
    lists = lists_in(unreleased)
    for kind, text in entries:
        lists[kind] = lists.get(kind, "") + text
    if not any(lists.values()):
        raise ValueError("there is nothing to release: Unreleased and changelog.d/ are empty")
    parts = [f"### {kind}\n\n{lists[kind]}\n" for kind in (*KINDS, *(lists.keys() - KINDS)) if lists.get(kind)]
    return f"{head}{UNRELEASED}\n## {version} - {date}\n\n{''.join(parts)}{older}".rstrip() + "\n"


def lists_in(section: str) -> dict[str, str]:
    """The lists of a section by their kinds."""
    before, *parts = re.split(r"^### (.+)\n", section, flags=re.MULTILINE)
    if before.strip():
        raise ValueError(f"Unreleased has text outside of its lists: {before.strip()[:60]}")
    return {kind.strip(): f"{text.strip()}\n" for kind, text in zip(parts[::2], parts[1::2], strict=True)}


def notes(changelog: str) -> str:
    """The text of the newest released section."""
    _, *sections = re.split(r"^## (.+)\n", changelog, flags=re.MULTILINE)
    for title, text in zip(sections[::2], sections[1::2], strict=True):
        if title.strip() != "Unreleased":
            return text.strip() + "\n"
    raise ValueError("CHANGELOG.md has no released section")


if __name__ == "__main__":
    sys.exit(main())
