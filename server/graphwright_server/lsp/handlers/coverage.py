"""What of a document's traced functions the analysis follows, for an editor to show and to lead to."""

from __future__ import annotations

from typing import Any

import graphwright_analysis as analysis

from graphwright_server.lsp.documents import Document
from graphwright_server.lsp.from_lsp import document_in
from graphwright_server.lsp.session import Session
from graphwright_server.lsp.to_lsp import LspConverter, plain_range

METHOD = "graphwright/coverage"


async def answer(session: Session, params: Any) -> dict[str, Any] | None:
    uri = document_in(params)
    if uri is None:
        return None

    def question(project: analysis.Project, document: Document, converter: LspConverter) -> dict[str, Any]:
        functions = analysis.file_coverage(project, document.key)
        told = [_told(function, converter) for function in functions if document.shows(function.range)]
        cut = [each for each in analysis.file_cuts(project, document.key) if document.shows(each.range)]
        words = [analysis.coverage_words(functions), *(each.message for each in cut)]
        words.append(analysis.shortened_words(analysis.file_shortened(project, document.key)))
        if more := project.callers_left_out(document.key):
            files = f"{more} more files use it and aren't" if more > 1 else "one more file uses it and isn't"
            words.append(f"{files} analyzed for it")
        return {
            "functions": told,
            "words": "; ".join(filter(None, words)),
            "cut": [_cut(each, converter) for each in cut],
        }

    return await session.ask(uri, question)


def after_crash(session: Session, params: Any) -> None:
    """What a client is told when the analysis failed: nothing."""


def _cut(each: analysis.CutRun, converter: LspConverter) -> dict[str, Any]:
    return {"name": each.name, "range": plain_range(converter.range(each.range)), "why": each.message}


def _told(function: analysis.FunctionCoverage, converter: LspConverter) -> dict[str, Any]:
    return {
        "name": function.name,
        "kind": function.kind,
        "status": function.status.value,
        "range": plain_range(converter.range(function.range)),
        "reasons": [
            {"range": plain_range(converter.range(reason.range)), "why": reason.why, "decided": reason.decided}
            for reason in function.reasons
        ],
        "names": {knowledge.value: count for knowledge, count in function.names.items()},
    }
