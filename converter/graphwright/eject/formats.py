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

from graphwright_analysis.flow.tree import kind_of

from graphwright.eject.builtins import rendered
from graphwright.errors import ConversionError
from graphwright.passes.unit import walk


def text_of(read: Any, node: Any) -> str | None:
    """An f-string."""
    style = read.unit.style
    parts = [part for part in node.values if kind_of(part) == "FormattedValue"]
    if not any(style.is_tensor(inner) for part in parts for inner in walk(part.value)):
        return None
    texts: list[str] = []
    words, values = "", list[str]()
    for part in node.values:
        if kind_of(part) == "Constant":
            words += str(part.value)
        elif (own := _text(read, part) or _number(read, part, node)) is not None:
            texts += [*_piece(style, words, values), own]
            words, values = "", []
        else:
            words += "{}"
            values.append(rendered(read, part.value))
    texts += _piece(style, words, values)
    return texts[0] if len(texts) == 1 else f"{style.tf}.strings.join([{', '.join(texts)}])"


def formatted(style: Any, text: str, values: Sequence[str]) -> str:
    """A text with tensors in it."""
    return f"{style.tf}.strings.format({_quoted(text)}, [{', '.join(values)}])"


def no_format(node: Any) -> ConversionError:
    return ConversionError(
        "`tf.strings.format` doesn't support format specifications: use `{}` alone, or round the number first",
        line=node.lineno,
    )


def _piece(style: Any, words: str, values: list[str]) -> list[str]:
    if values:
        return [formatted(style, words, values)]
    return [_quoted(words)] if words else []


def _text(read: Any, part: Any) -> str | None:
    """A text, which `tf.strings.format` would quote."""
    is_plain = part.format_spec is None and part.conversion in (-1, None)
    is_text = getattr(read.unit.style.value(part.value), "dtype", None) == "string"
    return rendered(read, part.value) if is_plain and is_text else None


def _number(read: Any, part: Any, node: Any) -> str | None:
    """A number with so many digits; None for a value without a specification."""
    if part.format_spec is None and part.conversion in (-1, None):
        return None
    style = read.unit.style
    spec = getattr(part.format_spec, "values", [])
    written = spec[0].value if len(spec) == 1 and kind_of(spec[0]) == "Constant" else ""
    found = _DIGITS.fullmatch(written)
    dtype = getattr(style.value(part.value), "dtype", None)
    if found is None or part.conversion not in (-1, None) or dtype not in ("float32", "float64"):
        raise no_format(node)
    options = [f"precision={found['precision']}"]
    options += ["scientific=True"] if found["kind"] == "e" else []
    options += [f"width={found['width']}"] if found["width"] else []
    options += ['fill="0"'] if found["zero"] else []
    return f"{style.tf}.strings.as_string({rendered(read, part.value)}, {', '.join(options)})"


def _quoted(text: str) -> str:
    return '"' + repr(text)[1:-1].replace('"', '\\"') + '"' if repr(text)[0] == "'" else repr(text)


_DIGITS = re.compile(r"(?P<zero>0?)(?P<width>\d*)\.(?P<precision>\d+)(?P<kind>[fe])")
