"""Writes docs/rules/ from the rules' own pages; `--check` says whether what is there is up to date."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from graphwright_analysis import Rule, all_rules
from graphwright_analysis.rule import FAMILIES

FOLDER = Path(__file__).resolve().parent.parent / "docs/rules"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a page is out of date")
    options = parser.parse_args()
    wanted = pages()
    there = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.md")}
    if there == wanted:
        return 0
    if options.check:
        print("docs/rules/ is out of date: run tools/generate_rule_pages.py")
        return 1
    for name in there.keys() - wanted.keys():
        (FOLDER / name).unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, "utf-8")
    print(f"wrote {len(wanted)} pages")
    return 0


def pages() -> dict[str, str]:
    """Every page by file name, the index included."""
    return {"README.md": _index(), **{f"{rule.name}.md": _page(rule) for rule in all_rules()}}


def _page(rule: Rule) -> str:
    fix = "has a fix" if rule.fixable else "has no fix"
    return (
        f"# {rule.name}\n\n*{rule.severity.label}, family [{rule.family}](README.md), {fix}*\n\n{rule.page.strip()}\n"
    )


def _index() -> str:
    lines = ["# Rules", "", "Generated from the rules themselves; `graphwright explain RULE` shows the same page.", ""]
    for family, meaning in FAMILIES.items():
        members = [rule for rule in all_rules() if rule.family == family]
        if members:
            lines += [f"## {family}", "", meaning, "", "| rule | severity | fix | what it finds |", "|---|---|---|---|"]
            lines += [
                f"| [{r.name}]({r.name}.md) | {r.severity.label} | {'yes' if r.fixable else ''} | {r.summary} |"
                for r in members
            ]
            lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
