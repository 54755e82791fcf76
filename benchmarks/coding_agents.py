"""How long `check_changes` of `graphwright mcp` takes after an edit, with a real client: in a copy of a folder.

    .dev/venv/bin/python benchmarks/coding_agents.py FOLDER [--files 10] [--edits 5]

It edits the folder's longest files that use TensorFlow, each several times, and prints the median and the worst.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=10)
    parser.add_argument("--edits", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / options.folder.resolve().name
        shutil.copytree(options.folder, root, ignore=shutil.ignore_patterns(".git"))
        asyncio.run(measure(root, options.files, options.edits))


async def measure(root: Path, most: int, edits: int) -> None:
    command = ["-m", "graphwright_server", "mcp", str(root)]
    parameters = StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))
    first, later, unchanged = [], [], []
    async with Client(stdio_client(parameters)) as client:
        whole = await seconds(client, "check", {"limit": 1})
        for path in longest(root, most):
            text = path.read_text("utf-8")
            for number in range(edits):
                path.write_text(edited(text, number), "utf-8")
                (later if number else first).append(await seconds(client, "check_changes", {}))
            unchanged.append(await seconds(client, "check_changes", {}))
    print(f"check of all files: {whole:.1f} s")
    for name, times in (("first edit of a file", first), ("later edits", later), ("no edit", unchanged)):
        print(f"{name}: median {1000 * statistics.median(times):.0f} ms, worst {1000 * max(times):.0f} ms")


async def seconds(client: Client, tool: str, arguments: dict[str, Any]) -> float:
    began = time.perf_counter()
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return time.perf_counter() - began


def longest(root: Path, most: int) -> list[Path]:
    found = [path for path in root.rglob("*.py") if "tensorflow" in path.read_text("utf-8", "replace")]
    return sorted(found, key=lambda path: -path.stat().st_size)[:most]


def edited(text: str, number: int) -> str:
    """The text with another statement in the body of its last function."""
    lines = text.splitlines(keepends=True)
    last = max((at for at, line in enumerate(lines) if line.lstrip().startswith("return ")), default=None)
    if last is None:
        return f"{text}\nedited = {number}\n"
    indent = lines[last][: len(lines[last]) - len(lines[last].lstrip())]
    return "".join([*lines[:last], f"{indent}edited = {number}\n", *lines[last:]])


if __name__ == "__main__":
    main()
