"""Write docs/rules/ and docs/tensorflow-says.md from the rules' own pages; `--check` fails if they are out of date."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from graphwright_analysis import Rule, Severity, all_rules
from graphwright_analysis.rule import FAMILIES

DOCS = Path(__file__).resolve().parent.parent / "docs"
MESSAGES = "tensorflow-says.md"
QUOTED = re.compile(r"^    ((?:\w+\.)*\w*(?:Error|Exception)): (.*(?:\n    (?!\w+Error: ).+)*)$", re.MULTILINE)
"""A message of TensorFlow's, Keras's or Python's, as a page quotes it."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a page is out of date")
    options = parser.parse_args()
    wanted = pages()
    found = [*DOCS.glob("rules/*.md"), *DOCS.glob(MESSAGES)]
    there = {path.relative_to(DOCS).as_posix(): path.read_text("utf-8") for path in found}
    if there == wanted:
        return 0
    if options.check:
        print(f"docs/rules/ or docs/{MESSAGES} is out of date: run tools/generate_rule_pages.py")
        return 1
    for name in there.keys() - wanted.keys():
        (DOCS / name).unlink()
    for name, text in wanted.items():
        (DOCS / name).write_text(text, "utf-8")
    print(f"wrote {len(wanted)} pages")
    return 0


def pages() -> dict[str, str]:
    """Return every generated page by its path below docs/."""
    of_rules = {f"rules/{rule.name}.md": _page(rule) for rule in all_rules()}
    return {"rules/README.md": _index(), **of_rules, MESSAGES: _messages()}


def _page(rule: Rule) -> str:
    fix = "has a fix" if rule.fixable else "has no fix"
    family = f"[{rule.family}](README.md#{rule.family})"
    return f"# {rule.name}\n\n*{rule.severity.label}, family {family}, {fix}*\n\n{rule.page.strip()}\n"


def _messages() -> str:
    """Return the page that lists the messages of other programs, with the rules that explain each."""
    explained: dict[str, dict[str, list[Rule]]] = {}
    silent: list[Rule] = []
    for rule in all_rules():
        quotes = [(kind, " ".join(text.split())) for kind, text in QUOTED.findall(rule.page)]
        for kind, text in quotes:
            explained.setdefault(kind.rpartition(".")[2], {}).setdefault(text, []).append(rule)
        if not quotes and rule.severity <= Severity.WARNING:
            silent.append(rule)
    lines = [_MESSAGES_HEAD]
    for kind in sorted(explained):
        lines += ["", f"## {kind}"]
        for text in sorted(explained[kind], key=str.lower):
            lines += ["", f"### ``{text}``" if "`" in text else f"### `{text}`", ""]
            lines += [_explanation(rule) for rule in explained[kind][text]]
    lines += ["", "## No message at all", "", "The program runs, and its results or its speed are wrong.", ""]
    lines += [_explanation(rule) for rule in silent]
    return "\n".join(lines) + "\n"


def _explanation(rule: Rule) -> str:
    return f"- [{rule.name}](rules/{rule.name}.md): {rule.summary}"


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


_MESSAGES_HEAD = """\
# TensorFlow says ...

This page lists the errors that TensorFlow, Keras and Python raise inside a graph, with the rule that explains each.
Search it for the words of your message; your names, numbers and shapes differ.
Each rule page has a program that raises the message, and its fix; the tests run both with TensorFlow.

Graphwright reports these before you run your code: `graphwright check PATH`."""
_HEAD = """\
# Rules

These pages are generated from the rules; `graphwright explain RULE` shows the same page.

They use these terms:

- A function is *traced* when `tf.function` runs its Python once to build a graph; its *trace* is that graph.
- An `if`, `for` or `while` is *staged* if its condition or iterable is a tensor, so that it becomes part of the graph.
- A name is *live* where its value may still be read.

Editors offer all fixes; `graphwright check --fix` applies the safe ones, which don't change eager results.
[Settings](../settings.md) explains how to change a rule's severity, ignore it, or allow it in one place.
"""


if __name__ == "__main__":
    sys.exit(main())
