"""From the analysis' plain data to the protocol's: the other place that knows how an editor counts columns.

What a client doesn't understand is left out here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graphwright_analysis import (
    Action,
    Diagnostic,
    Hover,
    InlayHint,
    LineIndex,
    Range,
    Related,
    Tag,
    find_rule,
)
from lsprotocol import types

from .client import Client
from .columns import Encoding, width_in
from .documents import Document

SOURCE = "graphwright"

_TAGS = {
    Tag.UNNECESSARY: types.DiagnosticTag.Unnecessary,
    Tag.DEPRECATED: types.DiagnosticTag.Deprecated,
}

_ANNOTATION = "graphwright"


class OtherFile(NamedTuple):
    """A file that isn't the document; the version is None where the editor hasn't opened it."""

    lines: LineIndex
    uri: str
    version: int | None = None


@dataclass(frozen=True, slots=True)
class Converter:
    """Converts for one document and one client."""

    document: Document
    client: Client
    # Gives another file by its key; None where it can't be read.
    other_file: Callable[[str], OtherFile | None]

    def diagnostics(self, diagnostics: Sequence[Diagnostic]) -> list[types.Diagnostic]:
        return [self.diagnostic(diagnostic) for diagnostic in diagnostics]

    def diagnostic(self, diagnostic: Diagnostic) -> types.Diagnostic:
        url = rule_url(diagnostic.rule) if self.client.code_description else None
        tags = [_TAGS[tag] for tag in diagnostic.tags if _TAGS[tag] in self.client.diagnostic_tags]
        related = [self._related(item) for item in diagnostic.related] if self.client.related_information else []
        return types.Diagnostic(
            range=self.range(diagnostic.range),
            message=diagnostic.message,
            severity=types.DiagnosticSeverity(int(diagnostic.severity)),
            code=diagnostic.rule,
            code_description=types.CodeDescription(url) if url else None,
            source=SOURCE,
            tags=tags or None,
            related_information=[item for item in related if item] or None,
            data=_data(diagnostic) if self.client.diagnostic_data else None,
        )

    def hover(self, hover: Hover) -> types.Hover:
        kind = types.MarkupKind.Markdown if self.client.hover_markdown else types.MarkupKind.PlainText
        return types.Hover(types.MarkupContent(kind, hover.markdown), self.range(hover.range))

    def inlay_hint(self, hint: InlayHint) -> types.InlayHint:
        is_type = hint.kind == "types"
        return types.InlayHint(
            position=position_of(hint.offset, self.document.lines, self.client.encoding),
            label=hint.label,
            kind=types.InlayHintKind.Type if is_type else None,
            tooltip=types.MarkupContent(types.MarkupKind.Markdown, hint.tooltip),
            padding_left=not hint.label.startswith(":"),
        )

    def code_action(self, action: Action, data: object = None) -> types.CodeAction:
        """An action; one whose edits are made later has the data by which they will be asked for."""
        told = f" ({action.doubt})" if action.doubt and not self.client.confirms else ""
        return types.CodeAction(
            title=f"{action.title}{told}",
            kind=action.kind,
            diagnostics=self.diagnostics(action.diagnostics) or None,
            is_preferred=True if action.preferred and self.client.preferred_actions else None,
            disabled=types.CodeActionDisabled(action.disabled) if action.disabled else None,
            edit=None if action.disabled or action.later else self.workspace_edit(action),
            data=data if action.later else None,
        )

    def workspace_edit(self, action: Action) -> types.WorkspaceEdit | None:
        """An action's edits for the version that they were made for; None where the file can't be read."""
        file: OtherFile | None = OtherFile(self.document.lines, self.document.uri, self.document.version)
        if action.path is not None:
            file = self.other_file(action.path)
        if file is None:
            return None
        edits = [
            types.TextEdit(range_in(edit.range, file.lines, self.client.encoding), edit.text) for edit in action.edits
        ]
        if not self.client.document_changes:
            return types.WorkspaceEdit(changes={file.uri: edits})
        identifier = types.OptionalVersionedTextDocumentIdentifier(uri=file.uri, version=file.version)
        told = action.doubt is not None or action.path is not None or len(edits) > 1
        if not told or not self.client.change_annotations:
            return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, edits)])
        annotation = types.ChangeAnnotation(action.title, action.doubt is not None, action.doubt)
        noted = [types.AnnotatedTextEdit(_ANNOTATION, edit.range, edit.new_text) for edit in edits]
        changes = [types.TextDocumentEdit(identifier, noted)]
        return types.WorkspaceEdit(document_changes=changes, change_annotations={_ANNOTATION: annotation})

    def range(self, place: Range) -> types.Range:
        return range_in(place, self.document.lines, self.client.encoding)

    def _related(self, related: Related) -> types.DiagnosticRelatedInformation | None:
        lines, uri = self.document.lines, self.document.uri
        if related.path is not None and related.path != self.document.key:
            other = self.other_file(related.path)
            if other is None:
                return None
            lines, uri, _ = other
        place = range_in(related.range, lines, self.client.encoding)
        return types.DiagnosticRelatedInformation(types.Location(uri, place), related.message)


def position_of(offset: int, lines: LineIndex, encoding: Encoding) -> types.Position:
    """The position of an offset."""
    line, column = lines.line_column(offset)
    start = lines.starts[line]
    return types.Position(line, width_in(lines.text[start : start + column], encoding))


def range_in(place: Range, lines: LineIndex, encoding: Encoding) -> types.Range:
    """The protocol's span of a range."""
    return types.Range(position_of(place.start, lines, encoding), position_of(place.end, lines, encoding))


def rule_url(name: str) -> str | None:
    """Where the page of a rule can be opened."""
    rule = find_rule(name)
    return rule.url if rule is not None else None


def _data(diagnostic: Diagnostic) -> dict[str, object]:
    return {"rule": diagnostic.rule, "family": diagnostic.family, "fixable": bool(diagnostic.fixes)}
