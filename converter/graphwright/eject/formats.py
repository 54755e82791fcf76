"""f-strings of tensors, as TensorFlow has them.

Before:

    f"step {step}: loss {loss:.3f}"

After:

    tf.strings.join([tf.strings.format("step {}: loss ", [step]), tf.strings.as_string(loss, precision=3)])
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import gast
from graphwright_analysis.values.domain import Constant, Scalar, StaticShape

from graphwright.eject.builtins import rendered
from graphwright.errors import ConversionError
from graphwright.passes.unit import walk


def text_of(read: Any, node: Any) -> str | None:
    """An f-string."""
    style = read.unit.style
    parts = [part for part in node.values if isinstance(part, gast.FormattedValue)]
    if not any(style.is_tensor(inner) for part in parts for inner in walk(part.value)):
        return None
    texts: list[str] = []
    words, values = "", list[str]()
    for part in node.values:
        if isinstance(part, gast.Constant):
            words += str(part.value)
        elif (written := _python_text(read, part)) is not None:
            texts += [*_piece(style, words, values), written]
            words, values = "", []
        elif (own := _text(read, part) or _number(read, part, node)) is not None:
            texts += [*_piece(style, words, values), own]
            words, values = "", []
        else:
            words += "{}"
            values.append(rendered(read, part.value))
    texts = _merged([*texts, *_piece(style, words, values)])
    return texts[0] if len(texts) == 1 else f"{style.tf}.strings.join([{', '.join(texts)}])"


def formatted(style: Any, text: str, values: Sequence[str]) -> str:
    """A text with tensors in it."""
    return f"{style.tf}.strings.format({_quoted(text)}, [{', '.join(values)}])"


def joined(read: Any, node: gast.Call) -> str | None:
    """`", ".join(texts)` where the graph has the texts; None for anything else."""
    function, style = node.func, read.unit.style
    if not isinstance(function, gast.Attribute) or function.attr != "join" or len(node.args) != 1 or node.keywords:
        return None
    separator, parts = function.value, node.args[0]
    if not isinstance(separator, gast.Constant) or getattr(style.value(node), "dtype", None) != "string":
        return None
    text = read(parts)
    text = f"[{text[1:-1]}]" if isinstance(parts, gast.GeneratorExp) else text
    if style.is_tensor(parts):
        return f"{style.tf}.strings.reduce_join({text}, separator={read(separator)})"
    separated = [text] if separator.value == "" else [text, read(separator)]
    return f"{style.tf}.strings.join({', '.join(separated)})"


def no_format(node: Any) -> ConversionError:
    return ConversionError(
        "`tf.strings.format` doesn't support format specifications: use `{}` alone, or round the number first",
        line=node.lineno,
    )


def _piece(style: Any, words: str, values: list[str]) -> list[str]:
    if values:
        return [formatted(style, words, values)]
    return [_quoted(words)] if words else []


def _python_text(read: Any, part: Any) -> str | None:
    """A value of Python's as a text, which `tf.strings.format` would quote if it is one; None for a tensor."""
    value, parts = read.unit.style.value(part.value), walk(part.value)
    is_shape = isinstance(value, StaticShape) and None not in (value.shape or (None,))
    is_python = isinstance(value, (Constant, Scalar)) and not any(map(read.unit.style.is_tensor, parts))
    if not is_shape and not is_python:
        return None
    text = read(part.value)
    spec = [str(each.value) for each in getattr(part.format_spec, "values", []) if isinstance(each, gast.Constant)]
    if part.format_spec is not None and len(spec) != len(part.format_spec.values):
        return None
    conversion = f"!{chr(part.conversion)}" if part.conversion not in (-1, None) else ""
    whole = f"{text}{conversion}{':' if spec else ''}{''.join(spec)}"
    return None if re.search(r"[\"'\\{}\n]", whole) else f'f"{{{whole}}}"'


def _merged(texts: list[str]) -> list[str]:
    """The texts, those of Python's that follow each other as one."""
    found: list[str] = []
    for text in texts:
        if found and _is_python(text) and _is_python(found[-1]):
            first = found.pop()
            is_formatted = text.startswith('f"') or first.startswith('f"')
            found.append(f"{'f' if is_formatted else ''}{first.removeprefix('f')[:-1]}{text.removeprefix('f')[1:]}")
            continue
        found.append(text)
    return found


def _is_python(text: str) -> bool:
    """Whether a text is an f-string, or can be a part of one."""
    return text.startswith('f"') or (text[0] == '"' and "{" not in text and "}" not in text)


def _text(read: Any, part: Any) -> str | None:
    """A text, which `tf.strings.format` would quote, or a truth value, of which it would make a number."""
    value, tf = read.unit.style.value(part.value), read.unit.style.tf
    is_plain = part.format_spec is None and part.conversion in (-1, None)
    dtype = getattr(value, "dtype", None)
    if not is_plain or dtype not in ("string", "bool"):
        return None
    text = rendered(read, part.value)
    if dtype == "bool":
        return f'{tf}.where({text}, "True", "False")' if value.shape == () else None
    if value.shape not in ((), None):
        reason = "an f-string has a tensor of several texts here: join them with `tf.strings.reduce_join`"
        raise ConversionError(reason, line=part.value.lineno)
    return text


def _number(read: Any, part: Any, node: gast.expr) -> str | None:
    """A number with so many digits; None for a value without a specification."""
    if part.format_spec is None and part.conversion in (-1, None):
        return None
    style = read.unit.style
    spec = getattr(part.format_spec, "values", [])
    written = spec[0].value if len(spec) == 1 and isinstance(spec[0], gast.Constant) else ""
    found, whole = _DIGITS.fullmatch(written), _WHOLE.fullmatch(written)
    dtype, text = getattr(style.value(part.value), "dtype", None), rendered(read, part.value)
    found = found if dtype in ("float32", "float64") else whole if dtype in ("int32", "int64") else None
    if found is None or part.conversion not in (-1, None):
        raise no_format(node)
    digits = found.groupdict()
    options = [f"precision={digits['precision']}"] if digits.get("precision") else []
    options += ["scientific=True"] if digits.get("kind") == "e" else []
    options += [f"width={digits['width']}"] if digits["width"] else []
    options += ['fill="0"'] if digits["zero"] else []
    return f"{style.tf}.strings.as_string({', '.join([text, *options])})"


def _quoted(text: str) -> str:
    return '"' + repr(text)[1:-1].replace('"', '\\"') + '"' if repr(text)[0] == "'" else repr(text)


_DIGITS = re.compile(r">?(?P<zero>0?)(?P<width>\d*)\.(?P<precision>\d+)(?P<kind>[fe])")
_WHOLE = re.compile(r">?(?P<zero>0?)(?P<width>\d*)d?")
