"""Edits as people make them: typed, deleted, duplicated and moved code, renamed functions, other literals."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

PIECES = [
    "(", ")", "[", "{", '"""', "'", ":", "=", "\n", "    ", "\t", "if x > 0:\n", "else:", "for i in tf.range(3):\n",
    "return", "def f(", "@tf.function\n", "lambda", "\\", "#", "\r\n", "\ufeff", "\U0001f600", "\0", "x.", "await ",
    "tf.constant(1.0)", "y = ", "match x:\n    case ", "async ", "*", "f'{", "print 'x'\n", "<<<<<<< HEAD\n",
]  # fmt: skip
STATEMENTS = [
    "import numpy as np", "from functools import partial", "import tensorflow as tf", "from tensorflow import keras",
    "x = 3", "count = 0", "flag = True", "items = []", "tf.config.run_functions_eagerly(True)", "del tf",
    "scale = tf.constant(2.0)", "from tensorflow import *", "global x",
]  # fmt: skip
DECORATORS = [
    "@tf.function", "@tf.function(reduce_retracing=True)", "@staticmethod", "@property", "@unknown", "@tf.Module",
    "@tf.autograph.experimental.do_not_convert", "@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])",
]  # fmt: skip
LITERALS = ["0", "1", "2", "3", "4", "5", "1.0", "2.5", "None", "True", "'a'", "-1", "100", "[]", "tf.constant(1)"]
BASES = ["(tf.keras.Model)", "(tf.keras.layers.Layer)", "(tf.Module)", "(object)"]
DTYPES = ["float32", "int32", "float64", "int64", "bool", "string"]

_PARAGRAPH = re.compile(r"(?m)^(?=(?:@|def |class |[a-zA-Z_]\w* ?=|for |if |with ))")
_MEMBER = re.compile(r"(?m)^(?=    (?:@|def |async def |[a-z_]+ ?=))")
_CLASS = re.compile(r"(?m)^class (\w+)((?:\([^()]*\))?)(?=:)")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d*)?(?!\w)")
_WORD = re.compile(r"\b[a-zA-Z_]\w*\b")
_DEFINED = re.compile(r"(?m)^\s*(?:def|class) (\w+)")
_DTYPE = re.compile("|".join(DTYPES))


def edited(text: str, dice: random.Random) -> str:
    """The text after one edit, whichever the dice say."""
    return dice.choice(_EDITS)(text, dice) if text else "import tensorflow as tf\n"


def typed_again(text: str, dice: random.Random) -> Iterator[str]:
    """What is seen while one line is typed again, character by character."""
    lines = text.splitlines(keepends=True) or [""]
    at = dice.randrange(len(lines))
    line = lines[at].rstrip("\n")
    for length in range(0, len(line) + 1, max(1, len(line) // 8)):
        yield "".join([*lines[:at], line[:length], "\n", *lines[at + 1 :]])


def _inserted(text: str, dice: random.Random) -> str:
    at = dice.randrange(len(text) + 1)
    return text[:at] + dice.choice(PIECES) + text[at:]


def _cut_out(text: str, dice: random.Random) -> str:
    at = dice.randrange(len(text) + 1)
    return text[:at] + text[at + dice.choice((1, 1, 3, 40, 200)) :]


def _lines_deleted(text: str, dice: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    at = dice.randrange(len(lines))
    return "".join([*lines[:at], *lines[at + dice.choice((1, 1, 2, 5)) :]])


def _line_repeated(text: str, dice: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    lines.insert(dice.randrange(len(lines)), dice.choice(lines))
    return "".join(lines)


def _line_indented(text: str, dice: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    at = dice.randrange(len(lines))
    lines[at] = lines[at][4:] if lines[at].startswith("    ") and dice.random() < 0.5 else "    " + lines[at]
    return "".join(lines)


def _block_duplicated(text: str, dice: random.Random) -> str:
    blocks = _PARAGRAPH.split(text)
    blocks.insert(dice.randrange(len(blocks) + 1), dice.choice(blocks))
    return "".join(blocks)


def _block_moved(text: str, dice: random.Random) -> str:
    blocks = _PARAGRAPH.split(text)
    block = blocks.pop(dice.randrange(len(blocks)))
    blocks.insert(dice.randrange(len(blocks) + 1), block)
    return "".join(blocks)


def _member_moved(text: str, dice: random.Random) -> str:
    parts = _MEMBER.split(text)
    part = parts.pop(dice.randrange(len(parts)))
    parts.insert(dice.randrange(len(parts) + 1), part)
    return "".join(parts)


def _class_split(text: str, dice: random.Random) -> str:
    """The members from one on become those of a class of their own."""
    parts = _MEMBER.split(text)
    parts.insert(dice.randrange(len(parts) + 1), f"class Part{dice.randrange(9)}(tf.Module):\n")
    return "".join(parts)


def _other_bases(text: str, dice: random.Random) -> str:
    """A class inherits from something else: from Keras, from TensorFlow, or from another class of the file."""
    headers = [*_CLASS.finditer(text)]
    if not headers:
        return text
    header, other = dice.choice(headers), dice.choice(headers)
    bases = dice.choice(["", *BASES, f"({other.group(1)})"])
    return text[: header.end(1)] + bases + text[header.end(2) :]


def _nothing_said(text: str, dice: random.Random) -> str:
    """A blank line or a comment, put in or taken out."""
    lines = text.splitlines(keepends=True) or [""]
    at = dice.randrange(len(lines))
    said = [at for at, line in enumerate(lines) if not line.strip() or line.lstrip().startswith("#")]
    if said and dice.random() < 0.4:
        del lines[dice.choice(said)]
    elif dice.random() < 0.3:
        lines[at] = lines[at].rstrip("\n") + "  # as it is\n"
    else:
        blank = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        lines.insert(at, dice.choice(("\n", "\n\n", "    \n", f"{blank}# a comment\n", "# a comment\n")))
    return "".join(lines)


def _renamed(text: str, dice: random.Random) -> str:
    names: list[str] = _DEFINED.findall(text)
    if not names:
        return text
    old = dice.choice(names)
    new = f"{old}_x" if dice.random() < 0.7 else dice.choice(names)
    return re.sub(rf"\b{old}\b", new, text, count=dice.choice((0, 1)))


def _decorated(text: str, dice: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    headers = [at for at, line in enumerate(lines) if line.lstrip().startswith(("def ", "class "))]
    if not headers:
        return text
    at = dice.choice(headers)
    if at and lines[at - 1].lstrip().startswith("@") and dice.random() < 0.6:
        del lines[at - 1]
    else:
        lines.insert(at, lines[at][: len(lines[at]) - len(lines[at].lstrip())] + dice.choice(DECORATORS) + "\n")
    return "".join(lines)


def _statement_at_top(text: str, dice: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    imports = [at for at, line in enumerate(lines) if "import" in line]
    if imports and dice.random() < 0.3:
        del lines[dice.choice(imports)]
    else:
        tops = [at for at, line in enumerate(lines) if not line.startswith((" ", "\t", ")", "]", "}"))]
        lines.insert(dice.choice(tops or [0]), dice.choice(STATEMENTS) + "\n")
    return "".join(lines)


def _replaced(pattern: re.Pattern[str], choices: list[str]) -> Callable[[str, random.Random], str]:
    """Puts another text for one match of a pattern; without choices, that of another match."""

    def edit(text: str, dice: random.Random) -> str:
        found = list(pattern.finditer(text))
        if not found:
            return text
        match = dice.choice(found)
        return text[: match.start()] + dice.choice(choices or [m.group() for m in found]) + text[match.end() :]

    return edit


_EDITS: list[Callable[[str, random.Random], str]] = [
    _inserted, _cut_out, _lines_deleted, _line_repeated, _line_indented, _block_duplicated, _block_moved, _renamed,
    _member_moved, _class_split, _other_bases, _nothing_said,
    _decorated, _statement_at_top, _replaced(_NUMBER, LITERALS), _replaced(_WORD, []), _replaced(_DTYPE, DTYPES),
]  # fmt: skip
