"""The body of a generated function as one expression, where it is no more than a few assignments.

Before:

    def then(best):
        self.best = best
        self.best = x
        return self.best

After, with `self.best` as it is before the branch:

    lambda: x
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence

from graphwright.eject.quotes import outside_of_quotes
from graphwright.passes.brackets import has_comma, parted
from graphwright.passes.unit import line_end

_WIDTH = 80
_HEIGHT = 24


def expression_of(lines: Sequence[tuple[str, int]], tf: str) -> str | None:
    """The expression that stands for these lines; items of dicts under words are looked at as attributes."""
    read = [(_with_marks(text), number) for text, number in lines]
    found = collapsed([text.strip() for text, _ in read], tf) or nested(read, tf)
    return None if found is None else _MARKED.sub(r'["\1"]', found)


def _with_marks(text: str) -> str:
    while (marked := _ITEM.sub(rf"\1.{_MARK}\2", text)) != text:
        text = marked
    return text


def collapsed(lines: Sequence[str], tf: str) -> str | None:
    """The expression that stands for these lines; None where there is none that reads well."""
    if any("\n" in text or "#" in text or ":=" in text for text in lines) or not lines[-1].startswith("return "):
        return None
    lines = _without_other_names(lines)
    places, first = _places(lines)
    values = _values(lines[first:-1], lines[-1])
    if values is None or (places and not _reads_plainly([*values.values(), *lines[-1:]], places, tf)):
        return None
    if values and _may_be_shared(places):
        return None
    result = lines[-1][7:]
    for name in values:
        if len(re.findall(_whole(name), result)) != 1 or not _PARTS.fullmatch(result):
            return None
    names = re.findall(_NAME, result)
    if any("." in name and name.partition(".")[0] in values and name not in values for name in names):
        return None
    if [name for name in names if name in values] != list(values) and _calls(values) > 1:
        return None
    unchanged = {text: parameter for text, parameter in places.items() if text not in values}
    values = {name: with_dotted(value, places) for name, value in values.items()}
    result = re.sub(_NAME, lambda found: values.get(found.group(), found.group()), with_dotted(result, unchanged))
    if len(result) > _WIDTH or _is_open(result) or result.startswith("super()"):
        return None
    return f"({result})" if has_comma(result) else result


def nested(lines: Sequence[tuple[str, int]], tf: str) -> str | None:
    """The same where the lines are no more than a choice over several lines, which stays one; with marked line ends."""
    texts = [text.strip() for text, _ in lines]
    places, first = _places(texts)
    rest = list(lines[first:])
    if texts[-1].startswith("return "):
        if not rest or rest[0][0].strip() != f"{texts[-1][7:]} = {tf}.cond(":
            return None
        rest.pop()
    elif not rest or rest[0][0].strip() != f"return {tf}.cond(":
        return None
    column = len(rest[0][0]) - len(rest[0][0].lstrip())
    indents = [len(text) - len(text.lstrip()) - column for text, _ in rest[1:]]
    is_one = indents[-1:] == [0] and all(indent > 0 for indent in indents[:-1]) and rest[-1][0].strip() == ")"
    if not is_one or len(rest) > _HEIGHT or any("#" in text for text in texts):
        return None
    if _may_be_shared(places) or (places and not _reads_plainly([text for text, _ in rest[1:]], places, tf)):
        return None
    text = f"{tf}.cond("
    for indent, (line, number) in zip(indents, rest[1:], strict=True):
        text += line_end(number, indent + 4) + with_dotted(line.strip(), places)
    return text


def _without_other_names(lines: Sequence[str]) -> list[str]:
    """The lines with the names that others get for a while: `return -a` for `x = a` and `return -x`."""
    kept = list[str]()
    rest = list(lines)
    while rest:
        match = _OTHER_NAME.fullmatch(rest[0])
        assigned = [found for line in rest[1:] if (found := _ASSIGNMENT.fullmatch(line))]
        bound = {name for found in assigned for name in found.group(1).split(", ")}
        is_word = match is not None and any(re.search(rf"{_whole(match.group(1))} ?=(?!=)", line) for line in rest[1:])
        if match is None or is_word or {*match.groups()} & bound or match.group(2) in ("None", "True", "False"):
            kept.append(rest.pop(0))
            continue
        rest = [with_dotted(line, {match.group(1): match.group(2)}) for line in rest[1:]]
    return kept


def with_dotted(text: str, values: Mapping[str, str]) -> str:
    """An expression with other texts for names and attributes; what it quotes stays as it is."""
    for name, value in values.items():
        text = outside_of_quotes(text, functools.partial(re.sub, _whole(name), lambda _, value=value: value))
    return text


def _places(lines: Sequence[str]) -> tuple[dict[str, str], int]:
    """The attributes that a function sets to its parameters at first, and how many lines that takes."""
    found: dict[str, str] = {}
    for number, text in enumerate(lines):
        match = _PLACE.fullmatch(text)
        if match is None or match.group(1) in found:
            return found, number
        found[match.group(1)] = match.group(2)
    return found, len(lines)


def _values(lines: Sequence[str], last: str) -> dict[str, str] | None:
    """What is assigned to each name, in order; None where that isn't all that is done."""
    values: dict[str, str] = {}
    for text in lines:
        match = _ASSIGNMENT.fullmatch(text)
        if match is None or match.group(1) in values:
            return None
        name, sign, value = match.groups()
        if _CHAINED.match(value):
            return None
        parts = parted(value)
        if "," in name and len(parts) == len(name.split(", ")) and len(lines) == 1 and not sign:
            values.update(zip(name.split(", "), parts, strict=True))
            continue
        if "," in name or has_comma(value) or any(re.search(_whole(earlier), value) for earlier in values):
            return None
        values[name] = value if not sign else f"{name} {sign} {_as_operand(value, sign)}"
    return values


def _reads_plainly(texts: Sequence[str], places: Mapping[str, str], tf: str) -> bool:
    """Whether texts change no object, and see nothing of the attributes but by their names."""
    owners = {text.partition(".")[0] for text in places}
    attributes = {text.rpartition(".")[2] for text in places}
    called = [name for text in texts for name in re.findall(rf"({_NAME})\(", text)]
    if not all(name.startswith(f"{tf}.") or name in _PLAIN for name in called):
        return False
    for name in (name for text in texts for name in re.findall(_NAME, text)):
        is_other = name.rpartition(".")[2] in attributes and not any(f"{name}.".startswith(f"{p}.") for p in places)
        if name in owners or (is_other and "." in name):
            return False
    return True


def _may_be_shared(places: Mapping[str, str]) -> bool:
    """Whether two of the attributes are one if their objects are."""
    return len({text.rpartition(".")[2] for text in places}) < len(places)


def _whole(name: str) -> str:
    return rf"(?<![\w.]){re.escape(name)}(?!\w)"


def _calls(values: Mapping[str, str]) -> int:
    """How many of the values may have effects, whose order counts."""
    return sum("(" in value for value in values.values())


def _as_operand(value: str, sign: str) -> str:
    simple = re.fullmatch(r"[\w.]+|[\w.]+\([^()]*\)|[\w.]+\[[^\[\]]*\]", value) is not None
    weak = sign == "+" and re.fullmatch(r"[^<>=&|^~]*", value) and " if " not in value and "lambda" not in value
    return value if simple or (weak and " and " not in value and " or " not in value) else f"({value})"


def _is_open(text: str) -> bool:
    pairs = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
    return sum(pairs.get(character, 0) for character in text) != 0


_NAME = r"(?<![\w.\"'])[A-Za-z_][\w.]*"
_MARK = "item_of_a_dict_"
_ITEM = re.compile(rf"({_NAME})\[\"([A-Za-z_]\w*)\"\]")
_MARKED = re.compile(rf"\.{_MARK}(\w+)")
_PLAIN = frozenset({"abs", "bool", "float", "int", "len", "max", "min"})
_PLACE = re.compile(r"([A-Za-z_]\w*\.[\w.]+) = ([A-Za-z_]\w*)")
_ASSIGNMENT = re.compile(r"([A-Za-z_][\w.]*(?:, [A-Za-z_][\w.]*)*) ?([-+*/@]|//|\*\*)?=(?!=) ?(.*)")
_OTHER_NAME = re.compile(r"([A-Za-z_]\w*) = ([A-Za-z_]\w*)")
_CHAINED = re.compile(r"[\w.\[\]]+(?:, [\w.\[\]]+)* ?=(?!=)")
_PARTS = re.compile(r"\[?[\w.+ ]+(, [\w.+ ]+)*\]?")
