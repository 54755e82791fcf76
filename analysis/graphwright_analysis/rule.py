"""What a rule is: a page, a severity, and a judge of one kind of fact.

A rule walks no tree and reads no file; adding a rule is adding one module to `rules`.
"""

from __future__ import annotations

import ast
import functools
import importlib
import pkgutil
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

from .addresses import DOCUMENTATION
from .diagnostics import Severity
from .families import FAMILIES
from .findings import Finding, Repair, View
from .immutability import immutable
from .tracing import Fact
from .values.converters import Converter

EVERY_CONVERTER = frozenset(Converter)
AUTOGRAPH = frozenset({Converter.AUTOGRAPH})
"""For rules about code that AutoGraph leaves as it is, or refuses, and that Graphwright converts."""
GRAPHWRIGHT = EVERY_CONVERTER - AUTOGRAPH
"""For rules about what fails under Graphwright alone."""
WITHOUT_PROMOTION = EVERY_CONVERTER - {Converter.PROMOTING}
"""For rules about dtypes and shapes that differ, which are cast where `promote=True` says so."""


Judge = Callable[[Any, View], Iterator[Finding]]


@immutable
class Rule:
    """One rule; its name is its module's with hyphens, its page is its module's docstring.

    `true_for` has the converters of whose graphs it is true.
    """

    name: str
    family: str
    severity: Severity
    judges: tuple[type[Fact], ...]
    judge: Judge
    fixable: bool
    true_for: frozenset[Converter]

    @property
    def page(self) -> str:
        """The rule's page in Markdown, without its heading."""
        return _page(self.name)

    @property
    def url(self) -> str:
        """The page's web address; without a documentation site, its file on this machine."""
        return f"{DOCUMENTATION}/rules/{self.name}.html" if DOCUMENTATION else _file_url(self.name)

    @property
    def summary(self) -> str:
        """The page's first paragraph on one line."""
        return " ".join(self.page.split("\n\n", 1)[0].split())


AnyJudge = TypeVar("AnyJudge", bound=Callable[[Any, View], Iterator[Finding]])


def rule(
    *,
    family: str,
    severity: Severity,
    judges: type[Fact] | tuple[type[Fact], ...],
    fixable: bool = False,
    true_for: frozenset[Converter] = EVERY_CONVERTER,
) -> Callable[[AnyJudge], AnyJudge]:
    """Declare the decorated function to be the judge of the rule that its module is named after."""
    assert family in FAMILIES, family
    kinds = judges if isinstance(judges, tuple) else (judges,)

    def declare(judge: AnyJudge) -> AnyJudge:
        name = judge.__module__.rpartition(".")[2].replace("_", "-")
        _DECLARED[name] = Rule(name, family, severity, kinds, judge, fixable, true_for)
        return judge

    return declare


_DECLARED: dict[str, Rule] = {}


@functools.cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, by name."""
    from . import rules

    for module in pkgutil.iter_modules(rules.__path__):
        importlib.import_module(f"{rules.__name__}.{module.name}")
    return tuple(_DECLARED[name] for name in sorted(_DECLARED))


def find_rule(name: str) -> Rule | None:
    return next((found for found in all_rules() if found.name == name), None)


@functools.cache
def _file_url(name: str) -> str:
    """The page as shipped or in a checkout's docs, or the module whose docstring it is."""
    rules = Path(__file__).parent / "rules"
    pages = (rules / "pages" / f"{name}.md", Path(__file__).parents[2] / "docs/rules" / f"{name}.md")
    module = rules / f"{name.replace('-', '_')}.py"
    return next((page for page in pages if page.is_file()), module).as_uri()


@functools.cache
def _page(name: str) -> str:
    # From the source: `python -OO` drops docstrings.
    module = name.replace("-", "_")
    source = resources.files(f"{__package__}.rules").joinpath(f"{module}.py").read_text("utf-8")
    return ast.get_docstring(ast.parse(source)) or ""


__all__ = [
    "AUTOGRAPH",
    "GRAPHWRIGHT",
    "WITHOUT_PROMOTION",
    "Converter",
    "Fact",
    "Finding",
    "Repair",
    "Rule",
    "View",
    "all_rules",
    "find_rule",
    "rule",
]
