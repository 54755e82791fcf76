"""Writes the snapshots of the tests again; what has changed is to be reviewed in the diff before it's committed.

`--check` writes nothing and says whether they are up to date. What they hold is `tests/analysis/examples_told.py`'s
and `tests/converter/generated_text.py`'s.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests/analysis"), str(ROOT / "tests/converter")]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a snapshot is out of date")
    parser.add_argument("--only", default="", metavar="NAME", help="only the files whose names contain this")
    options = parser.parse_args()
    import examples_told
    import generated_text

    makers = (examples_told, generated_text)
    changed: dict[Path, str | None] = {}
    for each in makers:
        changed |= outdated(each.FOLDER, each.all_snapshots(options.only), options.only)
    for path, text in changed.items():
        print(f"{'out of date' if options.check else 'removed' if text is None else 'written'}: {path}")
        if not options.check:
            write(path, text)
    return int(options.check and bool(changed))


def outdated(folder: Path, wanted: dict[str, str], only: str = "") -> dict[Path, str | None]:
    """The files that aren't as they should be, with what they should hold: None where they shouldn't be there."""
    files = [path for path in sorted(folder.rglob("*.txt")) if only in path.relative_to(folder).as_posix()]
    there = {path: path.read_text("utf-8") for path in files}
    texts = {folder / name: text for name, text in wanted.items()}
    gone: dict[Path, str | None] = dict.fromkeys(there.keys() - texts.keys())
    return {**gone, **{path: text for path, text in texts.items() if there.get(path) != text}}


def write(path: Path, text: str | None) -> None:
    """Give a file its text, or remove it."""
    if text is None:
        path.unlink()
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main())
