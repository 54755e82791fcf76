"""The function around a place of a document, with what other files of the project lend it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import graphwright
import graphwright_analysis as analysis

if TYPE_CHECKING:
    from graphwright.previews import Located


def function_in(project: analysis.Project, path: str, offset: int) -> Located | None:
    """The function that is converted as a whole; None outside of any."""

    def lends(module: str, level: int, name: str) -> bool:
        file, name_there = project.sources.destination(path, analysis.Import(module, level, name))
        if file is None or name_there is None:
            return False
        try:
            return name in graphwright.previews.library_names(project.module(file))
        except analysis.Unreadable:
            return False

    return graphwright.previews.function_at(project.module(path), offset, lends)
