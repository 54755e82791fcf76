"""From the analysis' plain data to the protocol's: the other place that knows how an editor counts columns.

What a client doesn't understand is left out here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import graphwright_analysis as analysis
from graphwright_analysis import immutable
from lsprotocol import types

from .client import Client
from .columns import Encoding, width_in
from .documents import Document

SOURCE = "graphwright"

TOKEN_TYPES = ("keyword", "function", "variable")
TOKEN_MODIFIERS = ("staged", "tracedOnce")

_TAGS = {
    analysis.Tag.UNNECESSARY: types.DiagnosticTag.Unnecessary,
    analysis.Tag.DEPRECATED: types.DiagnosticTag.Deprecated,
}

_ANNOTATION = "graphwright"


class OtherFile(NamedTuple):
    """A file that isn't the document; the version is None where the editor hasn't opened it."""

    lines: analysis.LineIndex
    uri: str
    version: int | None = None


@immutable
class LspConverter:
    """Converts for one document and one client."""

    document: Document
    client: Client
    # Gives another file by its key; None where it can't be read.
    other_file: Callable[[str], OtherFile | None]

    def diagnostics(self, diagnostics: Sequence[analysis.Diagnostic]) -> list[types.Diagnostic]:
        return [self.diagnostic(diagnostic) for diagnostic in diagnostics if self.shows(diagnostic.range)]

    def diagnostic(self, diagnostic: analysis.Diagnostic) -> types.Diagnostic:
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

    def hover(self, hover: analysis.Hover) -> types.Hover:
        kind = types.MarkupKind.Markdown if self.client.hover_markdown else types.MarkupKind.PlainText
        return types.Hover(types.MarkupContent(kind, hover.markdown), self.range(hover.range))

    def inlay_hint(self, hint: analysis.InlayHint) -> types.InlayHint:
        is_type = hint.kind == "types"
        return types.InlayHint(
            position=position_of(hint.offset, self.document.lines, self.client.encoding),
            label=hint.label,
            kind=types.InlayHintKind.Type if is_type else None,
            tooltip=types.MarkupContent(types.MarkupKind.Markdown, hint.tooltip),
            padding_left=not hint.label.startswith(":"),
        )

    def code_lens(self, lens: analysis.Lens, command: str) -> types.CodeLens:
        """A lens; one without a command is only read."""
        home = self.document.part_at(lens.offset)
        start = position_of(lens.offset, home.lines, self.client.encoding)
        arguments = [home.uri, {"line": start.line, "character": start.character}] if command else None
        return types.CodeLens(self.range(lens.range), types.Command(lens.title, command, arguments=arguments))

    def semantic_tokens(self, tokens: Sequence[analysis.SemanticToken]) -> types.SemanticTokens:
        """Five numbers for each token: how far it is from the one before, its length, its type and its modifier."""
        data: list[int] = []
        line, column = 0, 0
        for token in filter(lambda token: self.shows(token.range), tokens):
            span = self.range(token.range)
            start, end = span.start, span.end
            column = column if start.line == line else 0
            kind, modifier = TOKEN_TYPES.index(token.kind), 1 << TOKEN_MODIFIERS.index(token.modifier)
            data += [start.line - line, start.character - column, end.character - start.character, kind, modifier]
            line, column = start.line, start.character
        return types.SemanticTokens(data=data)

    def code_action(self, action: analysis.Action, data: object = None) -> types.CodeAction:
        """An action; one whose edits are made later has the data by which they will be asked for."""
        told = f" ({action.doubt})" if action.doubt and not self.client.confirms else ""
        other = self.other_file(action.path) if action.path is not None and self.client.commands else None
        return types.CodeAction(
            title=f"{action.title}{told}",
            kind=action.kind,
            diagnostics=self.diagnostics(action.diagnostics) or None,
            is_preferred=True if action.preferred and self.client.preferred_actions else None,
            disabled=types.CodeActionDisabled(action.disabled) if action.disabled else None,
            edit=None if action.disabled or action.later else self.workspace_edit(action),
            command=types.Command("Save", "graphwright.save", arguments=[other.uri]) if other is not None else None,
            data=data if action.later else None,
        )

    def workspace_edit(self, action: analysis.Action) -> types.WorkspaceEdit | None:
        """An action's edits, for the versions that they were made for; None where the file can't be read."""
        parts = self._edited(action)
        if parts is None:
            return None
        if not self.client.document_changes:
            return types.WorkspaceEdit(changes={part.uri: edits for part, edits in parts})
        told = action.doubt is not None or action.path is not None or sum(len(edits) for _, edits in parts) > 1
        named = [(types.OptionalVersionedTextDocumentIdentifier(p.uri, p.version), edits) for p, edits in parts]
        if not told or not self.client.change_annotations:
            return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(*each) for each in named])
        annotation = types.ChangeAnnotation(action.title, action.doubt is not None, action.doubt)
        changes = [
            types.TextDocumentEdit(name, [types.AnnotatedTextEdit(_ANNOTATION, e.range, e.new_text) for e in edits])
            for name, edits in named
        ]
        return types.WorkspaceEdit(document_changes=changes, change_annotations={_ANNOTATION: annotation})

    def _edited(self, action: analysis.Action) -> list[tuple[OtherFile, list[types.TextEdit]]] | None:
        """The files or cells that an action changes, and how."""
        parts: dict[str, tuple[OtherFile, list[types.TextEdit]]] = {}
        other = self.other_file(action.path) if action.path is not None else None
        if action.path is not None and other is None:
            return None
        for edit in action.edits:
            part, there = other, edit
            if part is None:
                document, there = self.document.landing(edit)
                part = OtherFile(document.lines, document.uri, document.version)
            place = range_in(there.range, part.lines, self.client.encoding)
            parts.setdefault(part.uri, (part, []))[1].append(types.TextEdit(place, there.text))
        return [*parts.values()]

    def shows(self, place: analysis.Range) -> bool:
        """Whether a place is one of this document, and not of another cell of its notebook."""
        return self.document.shows(place)

    def range(self, place: analysis.Range) -> types.Range:
        return range_in(place, self.document.lines, self.client.encoding)

    def _related(self, related: analysis.Related) -> types.DiagnosticRelatedInformation | None:
        part = self.document.part_at(related.range.start)
        lines, uri = part.lines, part.uri
        if related.path is not None and related.path != self.document.key:
            other = self.other_file(related.path)
            if other is None:
                return None
            lines, uri, _ = other
        place = range_in(related.range, lines, self.client.encoding)
        return types.DiagnosticRelatedInformation(types.Location(uri, place), related.message)


def position_of(offset: int, lines: analysis.LineIndex, encoding: Encoding) -> types.Position:
    """The position of an offset."""
    line, column = lines.line_column(offset)
    start = lines.starts[line]
    return types.Position(line, width_in(lines.text[start : start + column], encoding))


def range_in(place: analysis.Range, lines: analysis.LineIndex, encoding: Encoding) -> types.Range:
    """The protocol's span of a range."""
    return types.Range(position_of(place.start, lines, encoding), position_of(place.end, lines, encoding))


def rule_url(name: str) -> str | None:
    """The address of a rule's page."""
    rule = analysis.find_rule(name)
    return rule.url if rule is not None else None


def _data(diagnostic: analysis.Diagnostic) -> dict[str, object]:
    return {"rule": diagnostic.rule, "family": diagnostic.family, "fixable": bool(diagnostic.fixes)}


def plain_range(span: types.Range) -> dict[str, Any]:
    """A range in an answer of our own."""
    return {
        "start": {"line": span.start.line, "character": span.start.character},
        "end": {"line": span.end.line, "character": span.end.character},
    }
