"""Once this is imported, TensorFlow can't be: what needs it says so with the mark `truth`."""

from __future__ import annotations

import importlib.abc
import sys
from collections.abc import Sequence


class Refuser(importlib.abc.MetaPathFinder):
    def find_spec(self, fullname: str, path: Sequence[str] | None, target: object = None) -> None:
        if fullname in ("tensorflow", "keras"):
            raise ImportError(f"{fullname} isn't imported in `make check`: what runs it has pytest.mark.truth")
        return


sys.meta_path.insert(0, Refuser())
