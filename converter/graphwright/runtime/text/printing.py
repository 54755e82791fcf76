"""Python's `print`, `str.format`, f-strings and `%` where tensors take part: written when the graph runs."""

from __future__ import annotations

import builtins
import functools
import re
import string
import sys
from typing import Any

from graphwright.runtime.basis.attributes import attributes_of
from graphwright.runtime.basis.context import features, is_staging, is_writing, staged_depth
from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.basis.plain_containers import LISTS, is_deque
from graphwright.runtime.basis.python_values import as_python, was_python
from graphwright.runtime.basis.tensorflow import EagerTensor, tf
from graphwright.runtime.basis.tensors import acts_as_tensor, dense, holds_tensor, is_mapping, kind_to_user
from graphwright.runtime.text.format_specifications import formatted
from graphwright.runtime.text.numerals import bracketed, own, padded, shape_written, text_quoted, written

_PERCENT = re.compile(
    r"%(?:\((?P<name>[^)]*)\))?(?P<flags>[#0\- +]*)(?P<width>\*|\d+)?"
    r"(?:\.(?P<precision>\*|\d+))?[hlL]?(?P<kind>[a-zA-Z%])"
)


def print_(*values: Any, **options: Any) -> Any:
    """`print`: when the graph runs, if a value is a tensor or we are in a staged branch or loop.

    What XLA compiles can't print: there, as in tf.function, it is done once, while the graph is built. With the feature
    BUILTIN_FUNCTIONS Python prints, as with AutoGraph: to `sys.stdout` as it is then, but in this process alone.
    """
    if not is_writing() or (staged_depth() == 0 and not holds_tensor(values)):
        return builtins.print(*values, **options)
    return _print_later(values, **options)


def _print_later(
    values: tuple[Any, ...], sep: Any = None, end: Any = None, file: Any = None, flush: Any = False
) -> Any:
    separator, ending = " " if sep is None else sep, "\n" if end is None else end
    pieces = [piece for index, value in enumerate(values) for piece in ([separator] if index else []) + [_shown(value)]]
    if "BUILTIN_FUNCTIONS" in features.get():
        return tf.numpy_function(functools.partial(_printed, ending, file), [_joined(pieces)], [])
    return tf.print(_joined(pieces), end=ending, output_stream=_stream(file))


def is_write(method: Any) -> bool:
    """Whether a method is `write` of `sys.stdout` or `sys.stderr`."""
    return method.__name__ == "write" and (method.__self__ is sys.stdout or method.__self__ is sys.stderr)


def write(file: Any, text: Any) -> Any:
    """`file.write(text)` of `sys.stdout` or `sys.stderr`: when the graph runs, as `print` does it."""
    if not isinstance(text, str) and not (acts_as_tensor(text) and dense(text).dtype == tf.string):
        return file.write(text)
    print_(text, end="", file=file)
    return len(text) if isinstance(text, str) else tf.strings.length(text, "UTF8_CHAR")


def _printed(ending: str, file: Any, text: bytes) -> None:
    builtins.print(text.decode(errors="replace"), end=ending, file=file)


def format_(template: Any, /, *values: Any, **named: Any) -> Any:
    """`template.format(*values, **named)`, a string tensor if a tensor is written by it.

    What XLA compiles can't make text of numbers: there a tensor's text is what Python shows of it, as in tf.function.
    """
    if not is_staging() or not (holds_tensor(list(values)) or holds_tensor(named) or _has_parts(values, named)):
        return template.format(*values, **named)
    return _text(_pieces(template, values, named))


def str_(*values: Any, **named: Any) -> Any:
    """`str(value)`, a string tensor if a tensor is written by it."""
    if is_staging() and len(values) == 1 and not named and holds_tensor(list(values)):
        return format_("{!s}", values[0])
    return str(*values, **named)


def percent(template: Any, values: Any) -> Any:
    """`template % values`, a string tensor if a tensor is written by it."""
    if not isinstance(template, str) or not is_staging() or not holds_tensor(values):
        return template % values
    return _text(_percent_pieces(template, values))


def _has_parts(values: tuple[Any, ...], named: dict[str, Any]) -> bool:
    """Objects may hold tensors that a field like `{0.loss}` reaches."""
    return any(attributes_of(value) for value in (*values, *named.values()))


def _joined(pieces: list[Any]) -> Any:
    """One text: plain if all pieces are."""
    if all(isinstance(piece, str) for piece in pieces):
        return "".join(pieces)
    return tf.strings.join(pieces) if len(pieces) > 1 else pieces[0]


def _text(pieces: list[Any]) -> Any:
    """The same, as the str that Python makes of it."""
    text = _joined(pieces)
    return text if isinstance(text, str) else as_python(tf.identity(text))


def _pieces(template: str, values: tuple[Any, ...], named: dict[str, Any]) -> list[Any]:
    formatter, pieces, automatic = string.Formatter(), list[Any](), 0
    for literal, field, specification, conversion in formatter.parse(template):
        if literal:
            pieces.append(literal)
        if field is None:
            continue
        if field == "" or field[0] in ".[":
            field, automatic = f"{automatic}{field}", automatic + 1
        value = formatter.get_field(field, values, named)[0]
        if specification and "{" in specification:
            inner, automatic = _numbered(specification, automatic)
            specification = _static_specification(format_(inner, *values, **named))
        pieces.append(_field(value, specification or "", conversion))
    return pieces


def _numbered(specification: str, automatic: int) -> tuple[str, int]:
    """The fields inside a specification count on from those before."""
    while "{}" in specification:
        specification = specification.replace("{}", "{" + str(automatic) + "}", 1)
        automatic += 1
    return specification, automatic


def _static_specification(text: Any) -> str:
    if isinstance(text, str):
        return text
    raise ValueError("a format specification can't use a tensor as width or precision; use a Python int")


def _field(value: Any, specification: str, conversion: str | None) -> Any:
    if not acts_as_tensor(value):
        text = {None: value, "r": repr, "s": str, "a": ascii}[conversion]
        if conversion is None and holds_tensor(value) and not specification:
            return _nested(value)
        return format(text(value) if conversion else value, specification)
    if not is_writing():
        return str(value)
    if isinstance(value, tf.Variable):
        return _variable(value) if not specification else formatted(tf.convert_to_tensor(value), specification)
    tensor = dense(value)
    if conversion is None and not (specification and _is_text(tensor)):
        return formatted(tensor, specification)
    text = _representation(tensor) if conversion in ("r", "a") else _described(tensor)
    return text if not specification else _padded_text(text, specification)


def _padded_text(text: Any, specification: str) -> Any:
    match = re.fullmatch(r"(?:(.)?([<>^]))?(\d+)?s?", specification, re.DOTALL)
    if match is None:
        raise ValueError(f"Invalid format specifier {specification!r} for the text of a tensor")
    return padded(text, int(match[3] or 0), match[2] or "<", match[1] or " ")


def _representation(tensor: Any) -> Any:
    """`repr` of what Python has in its place, an eager tensor mostly."""
    if was_python(tensor):
        return text_quoted(tensor) if _is_text(tensor) else own(tensor)
    value = written(tensor)
    if tensor.shape.rank != 0:
        kind = "" if tensor.dtype in (tf.int64, tf.float64, tf.bool) else f", dtype={_numpy_name(tensor.dtype)}"
        value = _on_lines_of_its_own(tf.strings.join(["array(", bracketed(tensor, ",", 6), f"{kind})"]))
    return tf.strings.join(
        ["<tf.Tensor: shape=", shape_written(tensor), f", dtype={tensor.dtype.name}, numpy=", value, ">"]
    )


def _is_text(tensor: Any) -> bool:
    return was_python(tensor) and tensor.dtype == tf.string


def _on_lines_of_its_own(text: Any) -> Any:
    """TensorFlow starts a new line before an array of several lines."""
    several = tf.strings.regex_full_match(text, r"(?s).*\n.*")
    return tf.strings.join([tf.where(several, "\n", ""), text])


def _numpy_name(dtype: Any) -> str:
    return "object" if dtype == tf.string else dtype.name


def _described(tensor: Any) -> Any:
    """`str` of what Python has in its place, an eager tensor mostly."""
    if was_python(tensor):
        return written(tensor)
    return tf.strings.join(
        [
            "tf.Tensor(",
            _on_lines_of_its_own(own(tensor)),
            ", shape=",
            shape_written(tensor),
            f", dtype={tensor.dtype.name})",
        ]
    )


def _variable(variable: Any) -> Any:
    value = own(tf.convert_to_tensor(variable))
    head = f"<tf.Variable '{variable.name}' shape={variable.shape} dtype={variable.dtype.name}, numpy="
    return tf.strings.join([head, value, ">"])


def _nested(value: Any) -> Any:
    """`str` of a list, tuple or dict, which writes its members by `repr`."""
    value = current(value)
    if acts_as_tensor(value):
        return _representation(dense(value)) if is_writing() else str(value)
    if is_mapping(value):
        parts = [_joined([repr(key), ": ", _nested(member)]) for key, member in value.items()]
        return _joined(["{", *_separated(parts), "}"])
    if _is_plain_sequence(value):
        opening, closing = _brackets(value)
        return _joined([opening, *_separated([_nested(member) for member in value]), closing])
    return repr(value)


def _is_plain_sequence(value: Any) -> bool:
    return kind_to_user(value) in (*LISTS, tuple)


def _is_tuple(value: Any) -> bool:
    return isinstance(value, tuple)


def _brackets(value: Any) -> tuple[str, str]:
    if kind_to_user(value) is list:
        return "[", "]"
    if is_deque(value):
        return "deque([", "])" if value.maxlen is None else f"], maxlen={value.maxlen})"
    return "(", ",)" if len(value) == 1 else ")"


def _separated(parts: list[Any]) -> list[Any]:
    return [piece for index, part in enumerate(parts) for piece in ([", "] if index else []) + [part]]


def _shown(value: Any) -> Any:
    """What print writes for a value: tensors as their numbers, strings bare."""
    value = current(value)
    if not acts_as_tensor(value):
        if isinstance(value, EagerTensor):
            return str(
                value.numpy().decode(errors="replace")
                if value.dtype == tf.string and not value.shape
                else value.numpy()
            )
        return _shown_nested(value) if holds_tensor(value) else str(value)
    tensor = dense(value) if not isinstance(value, (tf.RaggedTensor, tf.SparseTensor)) else value
    if isinstance(tensor, (tf.RaggedTensor, tf.SparseTensor)):
        return tf.strings.format("{}", tensor.to_tensor()) if isinstance(tensor, tf.RaggedTensor) else str(tensor)
    return tensor if tensor.dtype == tf.string and tensor.shape.rank == 0 else own(tensor)


def _shown_nested(value: Any) -> Any:
    if acts_as_tensor(value):
        return _representation(value) if was_python(value) else _shown(value)
    if is_mapping(value):
        parts = [_joined([repr(key), ": ", _shown_nested(member)]) for key, member in value.items()]
        return _joined(["{", *_separated(parts), "}"])
    if _is_plain_sequence(value):
        opening, closing = _brackets(value)
        return _joined([opening, *_separated([_shown_nested(member) for member in value]), closing])
    return repr(value)


def _stream(file: Any) -> Any:
    if file is None or file is sys.stdout:
        return sys.stdout
    if file is sys.stderr:
        return sys.stderr
    name = getattr(file, "name", None)
    if isinstance(name, str) and hasattr(file, "write"):
        return f"file://{name}"
    raise ValueError("print() of a tensor writes to sys.stdout, sys.stderr or a file with a name, not to this object")


def _percent_pieces(template: str, values: Any) -> list[Any]:
    given: tuple[Any, ...] = values if _is_tuple(values) else (values,)
    pieces, position, taken = list[Any](), 0, 0

    def following() -> Any:
        nonlocal taken
        if taken >= len(given):
            raise TypeError("not enough arguments for format string")
        taken += 1
        return given[taken - 1]

    for match in _PERCENT.finditer(template):
        pieces.append(template[position : match.start()])
        position = match.end()
        if match["kind"] == "%":
            pieces.append("%")
            continue
        width = following() if match["width"] == "*" else match["width"]
        precision = following() if match["precision"] == "*" else match["precision"]
        value = values[match["name"]] if match["name"] is not None else following()
        pieces.append(_percent_field(value, match["flags"], width, precision, match["kind"]))
    if taken < len(given) and not is_mapping(values):
        raise TypeError("not all arguments converted during string formatting")
    pieces.append(template[position:])
    return [piece for piece in pieces if not isinstance(piece, str) or piece]


def _percent_field(value: Any, flags: str, width: Any, precision: Any, kind: str) -> Any:
    dot = "" if precision is None else f".{precision}"
    if not acts_as_tensor(value) and not (kind in "sra" and holds_tensor(value)):
        return f"%{flags}{'' if width is None else width}{dot}{kind}" % (value,)
    align = "<" if "-" in flags else ">"
    if kind in "sra":
        if dot:
            raise ValueError(f"'%{dot}{kind}' can't cut the text of a tensor; format the value first")
        return (
            _field(value, f"{align}{width}" if width else "", "s" if kind == "s" else "r")
            if acts_as_tensor(value)
            else _nested(value)
        )
    if kind not in "diufFeEgG":
        raise ValueError(f"'%{kind}' can't be applied to a tensor when the graph runs; use d, f, e, g, s or r")
    if not is_writing():
        return str(value)
    tensor = dense(value)
    whole = kind in "diu"
    sign = "+" if "+" in flags else " " if " " in flags else ""
    zero = "0" if "0" in flags and align == ">" else ""
    layout = f"{'' if zero else align}{sign}{zero}{width or ''}" if width else sign
    if whole and tensor.dtype.is_floating:
        number = tf.cast(tensor, tf.float64)
        whole_part = tf.where(number < 0, -tf.floor(-number), tf.floor(number))
        return formatted(tf.where(tf.equal(whole_part, 0), tf.zeros_like(number), whole_part), f"{layout}.0f")
    return formatted(tensor, f"{layout}{'' if whole else dot}{'d' if whole else kind}")
