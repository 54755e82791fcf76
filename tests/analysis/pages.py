"""Reads a rule's page: its parts by heading and the code under each."""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphwright_analysis import Rule


@dataclass(frozen=True, slots=True)
class Page:
    text: str

    @property
    def parts(self) -> list[tuple[str, str]]:
        pieces = re.split(r"^## (.+)$", self.text, flags=re.MULTILINE)
        return list(zip(pieces[1::2], pieces[2::2], strict=True))

    @property
    def bad(self) -> str:
        return self._code("Bad")

    @property
    def good(self) -> str:
        return self._code("Good")

    @property
    def evidence(self) -> str:
        return self._code("Evidence")

    def _code(self, heading: str) -> str:
        found = re.search(r"^```python\n(.*?)^```$", dict(self.parts)[heading], re.MULTILINE | re.DOTALL)
        assert found, f"no code under {heading!r}"
        return found.group(1)


def read_page(rule: Rule) -> Page:
    return Page(rule.page)
