"""Runs the Python blocks of a page, one after the other in one module, and compares what they print.

It is a program of its own, because TensorFlow's output can only be caught below Python:
`page_runner.py FOLDER PAGE...`.
A `text` block right after a Python block is what that block prints; a block without one prints nothing.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
import traceback
import types
from collections.abc import Callable
from pathlib import Path

BLOCK = re.compile(r"^```python\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)


def main() -> None:
    folder, *pages = map(Path, sys.argv[1:])
    print(json.dumps([failure for page in pages for failure in failures_of(page, folder)]))


def failures_of(page: Path, folder: Path) -> list[str]:
    """What a page says otherwise than it happens."""
    module = types.ModuleType("page")
    sys.modules["page"] = module
    text = page.read_text("utf-8")
    failures: list[str] = []
    for found in BLOCK.finditer(text):
        line = text.count("\n", 0, found.start(1)) + 1
        path = folder / f"{page.stem}_line_{line}.py"
        path.write_text(found.group(1), "utf-8")
        module.__file__ = str(path)
        code = compile(found.group(1), str(path), "exec")
        printed, error = caught(lambda code=code: exec(code, vars(module)))
        wanted = found.group(2) or ""
        if error or printed.rstrip() != wanted.rstrip():
            failures.append(f"{page}:{line}\n{error or ''}wanted:\n{wanted}\nprinted:\n{printed}")
    return failures


def caught(run: Callable[[], object]) -> tuple[str, str]:
    """What is written to the standard output, by whomever, and the traceback if it fails."""
    sys.stdout.flush()
    kept = os.dup(1)
    error = ""
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        try:
            run()
        except Exception:
            error = traceback.format_exc()
        finally:
            sys.stdout.flush()
            os.dup2(kept, 1)
            os.close(kept)
        file.seek(0)
        return file.read().decode("utf-8"), error


if __name__ == "__main__":
    main()
