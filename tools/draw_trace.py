"""Draws the picture of docs/trace.md by the command that the page shows: `make pictures`."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "trace.md"


def main() -> None:
    page = PAGE.read_text("utf-8")
    program = re.search(r"```python\n(.+?)```", page, re.DOTALL)
    command = re.search(r"^    \$ graphwright (trace .+ --svg) \S+$", page, re.MULTILINE)
    assert program is not None and command is not None, "the page has a program and a command that draws it"
    target = PAGE.with_name("pictures") / "trace.svg"
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "scale.py").write_text(program[1], "utf-8")
        arguments = [*shlex.split(command[1]), str(target)]
        subprocess.run([sys.executable, "-m", "graphwright_server", *arguments], cwd=folder, check=True)
        target.write_text(target.read_text("utf-8").replace(f"{Path(folder).resolve()}/", ""), "utf-8")


if __name__ == "__main__":
    main()
