"""Wrong programs and what their author is shown: reads and writes `messages/*.md`. It judges nothing.

A section holds a program and the traceback that it ends with. `python messages.py` runs all and writes down what they
show now, to be read before it is committed.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import logging
import re
import sys
import tempfile
import traceback
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

PAGES = Path(__file__).parent / "messages"

_SECTION = re.compile(
    r"^## (?P<title>[^\n]+)\n\n```python\n(?P<program>.*?)```\n(?:\n```text\n(?P<shown>.*?)```\n)?", re.M | re.S
)


@dataclass(frozen=True)
class Wrong:
    """A wrong program and what it is to show."""

    page: str
    title: str
    program: str
    shown: str


def wrong_programs() -> list[Wrong]:
    """All programs of all pages."""
    return [
        Wrong(path.stem, match["title"], match["program"], match["shown"] or "")
        for path in sorted(PAGES.glob("*.md"))
        for match in _SECTION.finditer(path.read_text(encoding="utf-8"))
    ]


def shown_by(program: str) -> str:
    """What a program logs, warns and raises, as `python program.py` shows it but for the folder."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "program.py"
        file.write_text(program, encoding="utf-8")
        handler = logging.StreamHandler(stream := io.StringIO())
        logging.getLogger("graphwright").addHandler(handler)
        with contextlib.redirect_stdout(stream), warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            # TensorFlow's state is a thread's own, and is left in disorder where Python's stack has ended.
            with ThreadPoolExecutor(1) as threads:
                lines = threads.submit(_traceback_of, program, str(file)).result()
        logging.getLogger("graphwright").removeHandler(handler)
        linecache.checkcache(str(file))
        told = [
            f"{item.category.__name__}: {item.message}\n"
            for item in warned
            if "graphwright" in item.category.__module__
        ]
        text = stream.getvalue() + "".join(told) + "".join(lines)
        return plain(text.replace(str(file), "program.py"))


def _traceback_of(program: str, file: str) -> list[str]:
    try:
        exec(compile(program, file, "exec"), {"__name__": "__main__", "__file__": file})
    except Exception as error:
        error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next
        return traceback.format_exception(error)
    return []


def plain(text: str) -> str:
    """Without what depends on the machine or the run."""
    text = re.sub(r"0x[0-9a-f]{6,}", "0x...", text)
    text = re.sub(r'\n  File "(?!program.py)[^"]*", line \d+, in [^\n]*\n(?=\n)', "", text)
    text = re.sub(r"\n +[~^]+(?=\n)", "", text)
    # From Python 3.13 on, a statement of several lines is shown by its first and its last one, and frames of `exec`
    # with the text of the `python -c` that a test's process began with.
    text = re.sub(r'(\n  File "<string>", line \d+, in [^\n]*)\n    [^\n]+', r"\1", text)
    text = re.sub(r"\n +\.\.\.<\d+ lines>\.\.\.\n[^\n]+", "", text)
    text = re.sub(r'File "[^"]*/site-packages/(\S+)", line \d+', r'File "\1", line N', text)
    text = re.sub(r"\b[0-9.e-]+ s\b", "N s", text)
    # Whether TensorFlow puts the operations of a called function into its caller depends on the processor.
    text = re.sub(r"(\w+/body/_\d+|PartitionedCall)/(?=\w)", "", text)
    return re.sub(r"(__inference|__forward|__backward|__wrapped__)_(\w+?)_\d+", r"\1_\2_N", text)


def write_down(only: str) -> None:
    """Run the programs and write what they show into their pages."""
    for path in sorted(PAGES.glob(f"{only or chr(42)}.md")):
        text = path.read_text(encoding="utf-8")

        def shown(match: re.Match[str]) -> str:
            text = shown_by(match["program"]).rstrip()
            return f"## {match['title']}\n\n```python\n{match['program']}```\n\n```text\n{text}\n```\n"

        path.write_text(_SECTION.sub(shown, text), encoding="utf-8")


if __name__ == "__main__":
    write_down(sys.argv[1] if len(sys.argv) > 1 else "")
