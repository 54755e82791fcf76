"""A release's section is cut from what stands under *Unreleased* and from the fragments."""

from __future__ import annotations

from pathlib import Path

import changelog
import pytest

BEFORE = """\
# Changelog

All notable changes.

## Unreleased

### Added

- One thing.

### Fixed

- A mistake.

## 0.1.0 - 2026-01-01

### Added

- The first thing.
"""
AFTER = """\
# Changelog

All notable changes.

## Unreleased

## 0.2.0 - 2026-02-03

### Added

- One thing.
- Another thing.

### Changed

- A way of doing things.

### Fixed

- A mistake.

## 0.1.0 - 2026-01-01

### Added

- The first thing.
"""
ENTRIES = [("Added", "- Another thing.\n"), ("Changed", "- A way of doing things.\n")]


def test_fragments_join_what_is_unreleased():
    assert changelog.cut(BEFORE, ENTRIES, "0.2.0", "2026-02-03") == AFTER


def test_the_next_release_begins_empty():
    with pytest.raises(ValueError, match="nothing to release"):
        changelog.cut(AFTER, [], "0.3.0", "2026-03-04")
    third = changelog.cut(AFTER, ENTRIES, "0.3.0", "2026-03-04")
    assert third.index("0.3.0") < third.index("0.2.0") < third.index("0.1.0")
    assert third.count("Another thing") == 2


def test_notes_are_those_of_the_newest_release():
    assert changelog.notes(AFTER).startswith("### Added\n\n- One thing.")
    assert changelog.notes(AFTER).endswith("- A mistake.\n")


def test_a_fragment_has_a_kind_and_list_items(tmp_path: Path):
    fragment = tmp_path / "faster.fixed.md"
    fragment.write_text("- It is fast.\n  Twice.\n")
    assert changelog.entry(fragment) == ("Fixed", "- It is fast.\n  Twice.\n")
    fragment.write_text("It is fast.\n")
    with pytest.raises(ValueError, match="more than list items"):
        changelog.entry(fragment)
    for name in ("faster.md", "faster.better.md", "a.b.fixed.md"):
        with pytest.raises(ValueError, match=r"not NAME\.KIND\.md"):
            changelog.entry(renamed(fragment, name))


def renamed(fragment: Path, name: str) -> Path:
    other = fragment.with_name(name)
    other.write_text("- It is fast.\n")
    return other


def test_today_a_release_could_be_cut():
    entries = [changelog.entry(fragment) for fragment in changelog.fragment_files()]
    text = changelog.cut(changelog.CHANGELOG.read_text("utf-8"), entries, "99.0.0", "2099-01-01")
    assert all(lines in text for _, lines in entries)
    assert changelog.notes(text).startswith("### Added\n\n- ")
