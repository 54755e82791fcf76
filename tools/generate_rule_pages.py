"""Writes docs/rules/ from the rules' own pages; `--check` says whether what is there is up to date."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from graphwright_analysis import Rule, Severity, all_rules
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
    family = f"[{rule.family}](README.md#{rule.family})"
    return f"# {rule.name}\n\n*{rule.severity.label}, family {family}, {fix}*\n\n{rule.page.strip()}\n"


def _index() -> str:
    families = {family: [rule for rule in all_rules() if rule.family == family] for family in FAMILIES}
    lines = [_HEAD, *_table("family", "rules", "errors", "with a fix", "what it is about")]
    for family, members in families.items():
        errors = sum(rule.severity is Severity.ERROR for rule in members)
        fixable = sum(rule.fixable for rule in members)
        lines += _row(f"[{family}](#{family})", str(len(members)), str(errors), str(fixable), FAMILIES[family])
    for family, members in families.items():
        lines += ["", f"## {family}", "", FAMILIES[family], "", *_table("rule", "severity", "fix", "what it finds")]
        for rule in sorted(members, key=lambda rule: (rule.severity, rule.name)):
            fix = "yes" if rule.fixable else ""
            lines += _row(f"[{rule.name}]({rule.name}.md)", rule.severity.label, fix, rule.summary)
    return "\n".join(lines) + "\n"


def _table(*columns: str) -> list[str]:
    return [*_row(*columns), "|" + "---|" * len(columns)]


def _row(*cells: str) -> list[str]:
    return [" ".join(f"| {cell}" if cell else "|" for cell in cells) + " |"]


_HEAD = """\
# Rules

Generated from the rules themselves; `graphwright explain RULE` shows the same page.

Some words that all pages use:

- A function is *traced* when `tf.function` runs its Python once to make a graph of it; its *trace* is that graph.
- An `if`, `for` or `while` is *staged* when a tensor decides it, so that it becomes part of the graph.
- A *turn* of a loop is one run of its body.
- A name is *live* where its value may still be read.

A *fix* is offered in an editor; `graphwright check --fix` applies those that can't change what the code computes.
[Settings](../settings.md) says how a rule is given another severity, ignored, or allowed in one place.
"""


if __name__ == "__main__":
    sys.exit(main())
