"""What the user wants an editor to show, read from the client's configuration: nothing that changes a finding.

The analysis' settings go to the projects; these stay with the session.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from graphwright_analysis import immutable


@immutable
class Preferences:
    """Each kind of thing that can be switched off."""

    inlay_hint_types: bool = True
    inlay_hint_traces: bool = True
    inlay_hint_control_flow: bool = True
    code_lens: bool = True
    semantic_tokens: bool = True
    live_traces: bool = True


def preferences_of(*tables: Mapping[str, Any]) -> Preferences:
    """The preferences in configuration tables, of which a later one counts for more; what isn't a bool is ignored."""
    found = {field: value for table in tables for field, name in _NAMES.items() if (value := _flag(table, name))[0]}
    return Preferences(**{field: value for field, (_, value) in found.items()})


_NAMES = {
    "inlay_hint_types": "inlayHints.types",
    "inlay_hint_traces": "inlayHints.traces",
    "inlay_hint_control_flow": "inlayHints.controlFlow",
    "code_lens": "codeLens.enable",
    "semantic_tokens": "semanticTokens.enable",
    "live_traces": "liveTraces.enable",
}


def _flag(table: Mapping[str, Any], name: str) -> tuple[bool, bool]:
    """Whether a table has the setting, nested or by its dotted name, and what it says."""
    value: Any = table.get(name)
    if value is None:
        value = table
        for step in name.split("."):
            value = cast("Mapping[str, Any]", value).get(step) if isinstance(value, Mapping) else None
    return isinstance(value, bool), value is True
