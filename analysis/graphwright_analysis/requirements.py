"""Which Keras a project's requirements ask for, from the texts of the files that list them.

Nothing is run, and no file is read here.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

from .immutability import immutable

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Bound = tuple[int, ...]


@immutable
class Requirement:
    """A requirement of TensorFlow or Keras."""

    words: str
    """As it is written."""
    generation: int | None
    """The Keras that all versions it allows have; None where they differ."""
    conditional: bool = False
    """True if it applies only under a condition, so that others may apply instead."""
    extra: bool = False
    """True if it belongs to a group that not everybody installs."""
    file: str = ""


def decided(requirements: Iterable[Requirement]) -> Requirement | None:
    """Return the requirement that decides for one Keras, or one without a generation where they leave it open.

    None where nothing is required. Groups count only where the main requirements name neither TensorFlow nor Keras.
    """
    found = [*requirements]
    level = [each for each in found if not each.extra] or found
    always = {each.generation for each in level if not each.conditional} - {None}
    alternatives = [each.generation for each in level if each.conditional]
    generations = always | {each for each in alternatives if each is not None or not always}
    # A lone requirement under a condition says nothing of where the condition doesn't hold.
    certain = len(generations) == 1 and (always or len(alternatives) > 1)
    deciding = (each for each in level if certain and each.generation in generations)
    return next(deciding, None) or next((replace(each, generation=None) for each in level), None)


def requirements_in(name: str, text: str) -> Iterator[Requirement]:
    """Yield the requirements of TensorFlow and Keras in a file with this name; what can't be read has none."""
    if _OURS.search(text) is None:
        return
    try:
        yield from _READERS.get(name, _in_list)(text)
    except (ValueError, RecursionError, SyntaxError, AttributeError, TypeError):
        return


def included_in(text: str) -> Iterator[str]:
    """Yield the files that a requirements file includes, as they are written."""
    yield from (match[1] for match in _INCLUDED.finditer(text))


_INCLUDED = re.compile(r"^[ \t]*(?:-[rc][ \t]*|--(?:requirement|constraint)[ \t=]+)([^\s#]+)", re.MULTILINE)


# Files


_OURS = re.compile("tensorflow|keras|tf[-_.]+nightly", re.IGNORECASE)
"""In whatever requires one of them; lists of what is installed, with their hashes, are long."""


def _in_list(text: str) -> Iterator[Requirement]:
    """In a requirements file of pip's."""
    for line in text.replace("\\\n", " ").split("\n"):
        if _OURS.search(line) is not None:
            yield from _named(re.split(r"(?:^|\s)#|\s--", line)[0])


def _in_pyproject(text: str) -> Iterator[Requirement]:
    table: Mapping[str, Any] = tomllib.loads(text)
    project: Mapping[str, Any] = table.get("project", {})
    yield from _all_named(project.get("dependencies", ()))
    for group in (*project.get("optional-dependencies", {}).values(), *table.get("dependency-groups", {}).values()):
        yield from _all_named(group, extra=True)
    poetry: Mapping[str, Any] = table.get("tool", {}).get("poetry", {})
    yield from _of_poetry(poetry.get("dependencies", {}))
    groups = [group.get("dependencies", {}) for group in poetry.get("group", {}).values()]
    for group in (poetry.get("dev-dependencies", {}), *groups):
        yield from _of_poetry(group, extra=True)


def _of_poetry(table: Mapping[str, Any], extra: bool = False) -> Iterator[Requirement]:
    for name, given in table.items():
        variants: list[Any] = cast("list[Any]", given) if isinstance(given, list) else [given]
        for variant in variants:
            entry = cast("Mapping[str, Any]", variant if isinstance(variant, dict) else {"version": variant})
            said = str(entry.get("version", "*"))
            narrow = len(variants) > 1 or any(key in entry for key in ("python", "markers", "platform"))
            versions = ",".join(map(_pep_440, said.split(",")))
            group = extra or entry.get("optional") is True
            yield from _required(name, "*" if "|" in said else versions, f"{name} {said}", narrow, group)


def _pep_440(said: str) -> str:
    """Return what Poetry means by a version: a bare one is exact, `^2.8` is up to 3, `~2.8` up to 2.9."""
    said = said.strip()
    caret = re.fullmatch(r"\^\s*(\d+)([\w.]*)", said)
    if caret is not None:
        return f">={caret[1]}{caret[2]},<{int(caret[1]) + 1}"
    tilde = re.fullmatch(r"~\s*(\d+)(?:\.(\d+))?[\w.]*", said)
    if tilde is not None:
        upper = f"{int(tilde[1]) + 1}" if tilde[2] is None else f"{tilde[1]}.{int(tilde[2]) + 1}"
        return f">={tilde[0][1:].strip()},<{upper}"
    return f"=={said}" if said[:1].isdigit() else said


def _in_setup_cfg(text: str) -> Iterator[Requirement]:
    import configparser  # few projects have such a file

    parser = configparser.RawConfigParser()
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    if parser.has_section("options"):
        yield from _all_named(parser.get("options", "install_requires", fallback="").split("\n"))
    extras = "options.extras_require"
    for _, value in parser.items(extras) if parser.has_section(extras) else ():
        yield from _all_named(value.split("\n"), extra=True)


def _in_setup(text: str) -> Iterator[Requirement]:
    """In a setup.py, which is not run: the strings in `install_requires`, and in the lists that it names."""
    tree = ast.parse(text)
    bound = {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        for keyword in node.keywords if isinstance(node, ast.Call) else ():
            if keyword.arg in ("install_requires", "extras_require"):
                strings = _strings_in(keyword.value, bound, _MOST_NAMES)
                yield from _all_named(strings, extra=keyword.arg == "extras_require")


_MOST_NAMES = 4
"""How many names are looked up, one leading to the next."""


def _strings_in(node: ast.AST, bound: Mapping[str, ast.expr], names: int) -> Iterator[str]:
    if isinstance(node, ast.Name) and node.id in bound and names:
        yield from _strings_in(bound[node.id], bound, names - 1)
    elif isinstance(node, (ast.JoinedStr, ast.Call)) or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod)):
        # Of a string that is computed, only the beginning is known: no version.
        first = next((each.value for each in ast.walk(node) if isinstance(each, ast.Constant)), None)
        if isinstance(first, str):
            yield re.split(r"[<>=~!]", first)[0]
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            yield node.value
    else:
        children = node.values if isinstance(node, ast.Dict) else ast.iter_child_nodes(node)
        for child in children:
            yield from _strings_in(child, bound, names)


def _in_metadata(text: str) -> Iterator[Requirement]:
    """In the metadata of a package that is built, up to its description."""
    for line in text.partition("\n\n")[0].split("\n"):
        field, _, required = line.partition(":")
        if field.lower() == "requires-dist":
            yield from _named(required)


_READERS: Mapping[str, Callable[[str], Iterator[Requirement]]] = {
    "pyproject.toml": _in_pyproject,
    "setup.cfg": _in_setup_cfg,
    "setup.py": _in_setup,
    "METADATA": _in_metadata,
    "PKG-INFO": _in_metadata,
}


# One requirement


def _all_named(lines: Iterable[Any], extra: bool = False) -> Iterator[Requirement]:
    for line in lines:
        if isinstance(line, str):
            yield from _named(line, extra)


def _named(line: str, extra: bool = False) -> Iterator[Requirement]:
    """Yield what a line of PEP 508 requires, if that is TensorFlow or Keras."""
    match = _LINE.match(line)
    if match is not None:
        name, versions, condition = match.groups()
        marker = condition or ""
        yield from _required(name, versions, line.strip(), bool(marker.strip()), extra or "extra" in marker)


_LINE = re.compile(r"\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*\(?([^;@()]*)\)?[^;]*(?:;(.*))?")


def _required(name: str, versions: str, words: str, conditional: bool, extra: bool) -> Iterator[Requirement]:
    newer = _KERAS_3_SINCE.get(re.sub(r"[-_.]+", "-", name).lower())
    if newer is not None:
        yield Requirement(words, _generation(versions, newer), conditional, extra)


_TENSORFLOW = ("tensorflow", "tensorflow-cpu", "tensorflow-gpu", "tensorflow-macos", "tf-nightly", "intel-tensorflow")
_KERAS_3_SINCE: Mapping[str, Bound] = {**dict.fromkeys(_TENSORFLOW, (2, 16)), "keras": (3,)}


def _generation(versions: str, newer: Bound) -> int | None:
    """Return the Keras that all of these versions have, where the first one with Keras 3 is `newer`."""
    ends = [found for each in versions.split(",") if (found := _ends(each)) is not None]
    lowest = max((low for low, _ in ends), default=())
    if any(high is not None and high <= newer for _, high in ends):
        return None if lowest >= newer else 2
    return 3 if lowest >= newer else None


def _ends(clause: str) -> tuple[Bound, Bound | None] | None:
    """Return the lowest version that a clause allows, and one that is above all of them."""
    match = re.fullmatch(r"\s*(===?|~=|<=?|>=?)\s*v?(\d+(?:\.\d+)*)(\.\*)?[\w.+-]*\s*", clause)
    if match is None:
        return None
    operator, numbers, star = match[1], match[2], match[3]
    version = tuple(map(int, numbers.split(".")))
    if operator == "~=":
        return version, _after(version[:-1])
    if operator in ("==", "==="):
        return version, _after(version) if star else (*version, 1)
    if operator == "<":
        return (), _without_zeros(version)
    return ((), (*_without_zeros(version), 0)) if operator == "<=" else (version, None)


def _after(version: Bound) -> Bound:
    return (*version[:-1], version[-1] + 1) if version else (sys.maxsize,)


def _without_zeros(version: Bound) -> Bound:
    while version and not version[-1]:
        version = version[:-1]
    return version
