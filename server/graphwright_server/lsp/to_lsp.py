"""From the analysis' plain data to the protocol's: the other place that knows how an editor counts columns.

What a client doesn't understand is left out here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from graphwright_analysis import (
    Action,
    Diagnostic,
    Edit,
    Hover,
    InlayHint,
    Lens,
    LineIndex,
    Range,
    Related,
    SemanticToken,
    Tag,
    find_rule,
)
from lsprotocol import types

from .client import Client
from .columns import Encoding, width_in
from .documents import Document

SOURCE = "graphwright"

TOKEN_TYPES = ("keyword", "function", "variable")
TOKEN_MODIFIERS = ("staged", "tracedOnce")

_TAGS = {
    Tag.UNNECESSARY: types.DiagnosticTag.Unnecessary,
    Tag.DEPRECATED: types.DiagnosticTag.Deprecated,
}

_ANNOTATION = "graphwright"

# Gives another file's lines and URI by its key; None where it can't be read.
OtherFile = Callable[[str], "tuple[LineIndex, str] | None"]


@dataclass(frozen=True, slots=True)
class Converter:
    """Converts for one document and one client."""

    document: Document
    client: Client
    other_file: OtherFile

    def diagnostics(self, diagnostics: Sequence[Diagnostic]) -> list[types.Diagnostic]:
        return [self.diagnostic(diagnostic) for diagnostic in diagnostics if self.shows(diagnostic.range)]

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

    def code_lens(self, lens: Lens, command: str) -> types.CodeLens:
        """A lens; one without a command is only read."""
        home = self.document.part_at(lens.offset)
        start = position_of(lens.offset, home.lines, self.client.encoding)
        arguments = [home.uri, {"line": start.line, "character": start.character}] if command else None
        return types.CodeLens(self.range(lens.range), types.Command(lens.title, command, arguments=arguments))

    def semantic_tokens(self, tokens: Sequence[SemanticToken]) -> types.SemanticTokens:
        """Five numbers for each token: how far it is from the one before, its length, its type and its modifier."""
        data: list[int] = []
        line, column = 0, 0
        for token in tokens:
            span = self.range(token.range)
            start, end = span.start, span.end
            column = column if start.line == line else 0
            kind, modifier = TOKEN_TYPES.index(token.kind), 1 << TOKEN_MODIFIERS.index(token.modifier)
            data += [start.line - line, start.character - column, end.character - start.character, kind, modifier]
            line, column = start.line, start.character
        return types.SemanticTokens(data=data)

    def code_action(self, action: Action) -> types.CodeAction:
        told = f" ({action.doubt})" if action.doubt and not self.client.confirms else ""
        return types.CodeAction(
            title=f"{action.title}{told}",
            kind=action.kind,
            diagnostics=[self.diagnostic(action.diagnostic)] if action.diagnostic else None,
            is_preferred=True if action.preferred and self.client.preferred_actions else None,
            disabled=types.CodeActionDisabled(action.disabled) if action.disabled else None,
            edit=self._edit_of(action),
        )

    def _edit_of(self, action: Action) -> types.WorkspaceEdit | None:
        if action.disabled:
            return None
        if action.path is not None:
            return self._other_edit(action)
        edit = self.workspace_edit(action.edits)
        return annotated(edit, action.title, action.doubt) if action.doubt and self.client.confirms else edit

    def workspace_edit(self, edits: Sequence[Edit]) -> types.WorkspaceEdit:
        parts: dict[str, tuple[Document, list[types.TextEdit]]] = {}
        for edit in edits:
            document, there = self.document.landing(edit)
            place = range_in(there.range, document.lines, self.client.encoding)
            parts.setdefault(document.uri, (document, []))[1].append(types.TextEdit(place, there.text))
        if not self.client.document_changes:
            return types.WorkspaceEdit(changes={uri: converted for uri, (_, converted) in parts.items()})
        return types.WorkspaceEdit(
            document_changes=[
                types.TextDocumentEdit(
                    types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=document.version), converted
                )
                for uri, (document, converted) in parts.items()
            ]
        )

    def _other_edit(self, action: Action) -> types.WorkspaceEdit | None:
        """An edit of a file that isn't the document."""
        other = self.other_file(action.path or "")
        if other is None:
            return None
        lines, uri = other
        converted = [
            types.TextEdit(range_in(edit.range, lines, self.client.encoding), edit.text) for edit in action.edits
        ]
        if not self.client.document_changes:
            return types.WorkspaceEdit(changes={uri: converted})
        identifier = types.OptionalVersionedTextDocumentIdentifier(uri=uri)
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, converted)])

    def shows(self, place: Range) -> bool:
        """Whether a place is one of this document, and not of another cell of its notebook."""
        return self.document.shows(place)

    def range(self, place: Range) -> types.Range:
        return range_in(place, self.document.lines, self.client.encoding)

    def _related(self, related: Related) -> types.DiagnosticRelatedInformation | None:
        part = self.document.part_at(related.range.start)
        lines, uri = part.lines, part.uri
        if related.path is not None and related.path != self.document.key:
            other = self.other_file(related.path)
            if other is None:
                return None
            lines, uri = other
        place = range_in(related.range, lines, self.client.encoding)
        return types.DiagnosticRelatedInformation(types.Location(uri, place), related.message)


def annotated(edit: types.WorkspaceEdit, label: str, doubt: str | None) -> types.WorkspaceEdit:
    """The edit with a word on each of its changes; with a doubt the client asks before it makes them."""
    changes: list[types.TextDocumentEdit] = []
    for change in edit.document_changes or ():
        assert isinstance(change, types.TextDocumentEdit)
        edits = [
            types.AnnotatedTextEdit(_ANNOTATION, part.range, part.new_text)
            for part in change.edits
            if isinstance(part, types.TextEdit)
        ]
        changes.append(types.TextDocumentEdit(change.text_document, edits))
    annotation = types.ChangeAnnotation(label, needs_confirmation=doubt is not None, description=doubt)
    return types.WorkspaceEdit(document_changes=changes, change_annotations={_ANNOTATION: annotation})


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
