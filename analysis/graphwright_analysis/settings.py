"""The settings of `[tool.graphwright]` in pyproject.toml, of an editor or of the command line.

`project_files` reads the file; this module validates a table and returns it as a value.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from .diagnostics import Severity
from .families import FAMILIES, rule_names
from .immutability import immutable
from .text import LineIndex, Range
from .values.keras_choice import BACKENDS
from .values.tensorflow.tables import NEWEST, OLDEST, Version

if TYPE_CHECKING:
    from .rule import Rule

SEVERITIES = {severity.label: severity for severity in Severity}
_VERSION = "tensorflow-version"
_FIRST: Version = (2, 0)
"""The first supported TensorFlow version."""


class SettingsError(Exception):
    """Invalid settings, with their file, and the words in it that cause the error, most specific first."""

    def __init__(self, message: str, where: str, *words: str) -> None:
        super().__init__(f"{where}: {message}")
        self.message = message
        self.where = where
        self.words = words


@immutable
class Settings:
    """Which rules apply and how severe they are, for which TensorFlow; names are rules, families or `all`."""

    select: tuple[str, ...] = ("all",)
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, str] = field(default_factory=dict[str, str])
    exclude: tuple[str, ...] = ()
    tensorflow_version: Version | None = None
    """None for the newest known version. A version before 2.16 implies Keras 2."""
    keras: int | None = None
    """2 or 3; None to use what the project's files say."""
    keras_backend: str | None = None
    follow_packages: bool | None = None
    """Whether to analyze installed packages that depend on TensorFlow; None means yes."""
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, "tuple[str, ...]"])
    """Rules and families by file pattern. In the settings of one file, `*` has those ignored in it."""
    baseline: str | None = None
    """The file with the findings that aren't reported."""

    @staticmethod
    def from_mapping(table: Mapping[str, Any], where: str) -> Settings:
        """Return settings from a parsed table; raise `SettingsError` with a helpful message."""
        known = setting_names()
        for key in table:
            if key not in known:
                raise SettingsError(f"unknown setting `{key}`{_suggestion(key, known)}", where, key)
        for key in ("select", "ignore"):
            for name in _strings(table, key, where):
                _check_name(name, key, where)
        lists = {key: _strings(table, key, where) for key in ("select", "ignore", "exclude") if key in table}
        keras = _one_of(table, "keras", ("2", "3"), where)
        return Settings(
            **lists,
            severity=_severities(table, where),
            tensorflow_version=_version(table[_VERSION], where) if _VERSION in table else None,
            keras=None if keras is None else int(keras),
            keras_backend=_one_of(table, "keras-backend", BACKENDS, where),
            follow_packages=_flag(table, "follow-packages", where),
            per_file_ignores=_per_file(table, where),
            baseline=_text(table, "baseline", where),
        )

    def beside(self, folder: Path | None) -> Settings:
        """Return the settings with paths relative to a folder."""
        if self.baseline is None or folder is None:
            return self
        return self.updated(baseline=os.path.normpath(folder / self.baseline))

    def within(self, above: Settings) -> Settings:
        """Return the settings of a folder: library versions that it doesn't set are inherited from the folder above.

        A TensorFlow version also determines the Keras version.
        """
        taken = (name for name in LIBRARIES if getattr(self, name) is None)
        if self.tensorflow_version is not None:
            taken = (name for name in taken if name != "keras")
        return self.updated(**{name: getattr(above, name) for name in taken})

    def updated(self, **changes: Any) -> Settings:
        return replace(self, **changes)

    @property
    def table_version(self) -> Version:
        """The TensorFlow version whose functions are looked up: at least the oldest known one."""
        return NEWEST if self.tensorflow_version is None else max(self.tensorflow_version, OLDEST)

    def severity_of(self, rule: Rule, natural: Severity) -> Severity | None:
        """The severity of a finding, or None if it isn't reported."""
        chosen = self.severity.get(rule.name, self.severity.get(rule.family))
        if chosen == "off" or not self.selects(rule):
            return None
        return SEVERITIES[chosen] if chosen is not None else natural

    def selects(self, rule: Rule) -> bool:
        """True if a rule is selected: its own name overrides its family, and its family overrides `all`.

        A rule that is ignored in a file is never reported there.
        """
        if not {rule.name, rule.family, "all"}.isdisjoint(self.per_file_ignores.get("*", ())):
            return False
        for name in (rule.name, rule.family, "all"):
            if name in self.ignore:
                return False
            if name in self.select:
                return True
        return False


LIBRARIES = ("tensorflow_version", "keras", "keras_backend", "follow_packages")
"""The settings about libraries; None if not set."""


@immutable
class Overrides:
    """The settings of the command line or an editor, which override those in files."""

    replaced: Mapping[str, Any] = field(default_factory=dict[str, Any])
    ignored: tuple[str, ...] = ()
    severity: Mapping[str, str] = field(default_factory=dict[str, str])

    def over(self, settings: Settings) -> Settings:
        """Return the settings with these overrides."""
        changed = settings.updated(**self.replaced)
        severity = {**changed.severity, **self.severity}
        return changed.updated(ignore=(*changed.ignore, *self.ignored), severity=severity)


NO_OVERRIDES = Overrides()
EVERY_RULE = Overrides({"select": ("all",), "ignore": (), "severity": {}, "per_file_ignores": {}})


def setting_names() -> tuple[str, ...]:
    """The names of all settings, as written."""
    return tuple(each.name.replace("_", "-") for each in fields(Settings))


def place_of(error: SettingsError, text: str) -> Range:
    """The place in a pyproject.toml that an error is about, or else the head of its table."""
    at = _TOML_PLACE.search(error.message)
    if at is not None:
        lines = LineIndex(text)
        start = lines.offset(int(at.group(1)) - 1, int(at.group(2)) - 1)
        return Range(start, lines.line_range(lines.line_of(start)).end)
    if _TOML_END in error.message:
        return Range(len(text.rstrip()), len(text))
    table = _TABLE.search(text)
    if table is None:
        return Range(0, 0)
    for word in error.words:
        found = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])").search(text, table.start(1))
        if found is not None:
            return Range(*found.span())
    return Range(*table.span(1))


_TABLE = re.compile(r"^[ \t]*(\[tool\.graphwright\b[^\]\n]*\]|tool\.graphwright\b|graphwright\b)", re.MULTILINE)
_TOML_PLACE = re.compile(r"\(at line (\d+), column (\d+)\)")
_TOML_END = "(at end of document)"


def _severities(table: Mapping[str, Any], where: str) -> Mapping[str, str]:
    severity = table.get("severity", {})
    if not isinstance(severity, Mapping):
        raise SettingsError("`severity` must be a table of rule = severity", where, "severity")
    labels = {str(name): str(label) for name, label in cast("Mapping[Any, Any]", severity).items()}
    for name, label in labels.items():
        _check_name(name, "severity", where)
        if label not in (*SEVERITIES, "off"):
            wanted = ", ".join((*SEVERITIES, "off"))
            raise SettingsError(f"`severity.{name}` is {label!r}; it can be one of {wanted}", where, label, name)
    return labels


def _per_file(table: Mapping[str, Any], where: str) -> Mapping[str, tuple[str, ...]]:
    key = "per-file-ignores"
    value = table.get(key, {})
    if not isinstance(value, Mapping):
        raise SettingsError(f"`{key}` must be a table of pattern = rules", where, key)
    patterns = cast("Mapping[Any, Any]", value).items()
    found = {str(each): _strings({key: names}, key, where, f"`{each}` in `{key}`") for each, names in patterns}
    for name in (each for names in found.values() for each in names):
        _check_name(name, key, where)
    return found


def _flag(table: Mapping[str, Any], key: str, where: str) -> bool | None:
    value = table.get(key)
    if key in table and not isinstance(value, bool):
        raise SettingsError(f"`{key}` must be true or false", where, key)
    return value


def _text(table: Mapping[str, Any], key: str, where: str) -> str | None:
    value = table.get(key)
    if key in table and (not isinstance(value, str) or not value):
        raise SettingsError(f"`{key}` must be a path", where, key)
    return value


def _version(value: object, where: str) -> Version:
    """Parse a TensorFlow version such as `2.19`, with or without a patch number."""
    parts = value.split(".") if isinstance(value, str) else []
    if len(parts) < 2 or not all(part.isascii() and part.isdigit() for part in parts[:2]):
        raise SettingsError(
            f'`tensorflow-version` is {value!r}; it must be a version such as "2.19"', where, str(value), _VERSION
        )
    version = int(parts[0]), int(parts[1])
    if not _FIRST <= version <= NEWEST:
        span = f"{_FIRST[0]}.{_FIRST[1]} to {NEWEST[0]}.{NEWEST[1]}"
        raise SettingsError(f"`tensorflow-version` is {value!r}; supported: {span}", where, str(value), _VERSION)
    return version


def _one_of(table: Mapping[str, Any], key: str, allowed: Sequence[str], where: str) -> str | None:
    value = table.get(key)
    if key in table and value not in allowed:
        wanted = ", ".join(f'"{each}"' for each in allowed)
        raise SettingsError(f"`{key}` is {value!r}; it can be one of {wanted}", where, str(value), key)
    return value


def _strings(table: Mapping[str, Any], key: str, where: str, shown: str | None = None) -> tuple[str, ...]:
    value: Any = table.get(key, ())
    items = () if isinstance(value, str) or not isinstance(value, Sequence) else cast("Sequence[Any]", value)
    if items is not value or not all(isinstance(item, str) for item in items):
        raise SettingsError(f"{shown or f'`{key}`'} must be a list of strings", where, key)
    return tuple(str(item) for item in items)


def _check_name(name: str, key: str, where: str) -> None:
    known = ("all", *FAMILIES, *rule_names())
    if name not in known:
        place = "" if where == f"--{key}" else f" in `{key}`"
        raise SettingsError(f"unknown rule or family `{name}`{place}{_suggestion(name, known)}", where, name, key)


def _suggestion(name: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, known, 1)
    return f"; did you mean `{close[0]}`?" if close else ""
