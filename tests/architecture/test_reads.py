"""The user's files are read in one place, within bounds: whatever else opens a file is listed here, with the reason."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("analysis/graphwright_analysis", "converter/graphwright", "server/graphwright_server")
DOOR = "graphwright_analysis/user_files.py"

READING = {"open", "open_code", "fdopen", "read_bytes", "read_text", "FileIO", "fromfile"}
MODULES = {"linecache", "fileinput", "mmap", "shutil"}
"""Reading a file by a method or function of any of these names, or by anything of these modules, is noticed."""

OURS = "it's a file of our own"
SYSTEM = "it's a file of the system's"
RUNNING = "it runs in the user's own program, which has loaded that file as code"

ALLOWED = {
    "graphwright_analysis/flow/scopes.py: builder.open": "a scope is opened, not a file",
    "graphwright_analysis/rule.py: resources.files(f'{__package__}.rules').joinpath(f'{module}.py').read_text": OURS,
    "graphwright_analysis/values/tensorflow/tables.py: Path(__file__).with_name('table.json').read_text": OURS,
    "graphwright_analysis/installed.py: importlib.import_module('parso.file_io').FileIO": "jedi reads by the door",
    "graphwright/cache.py: path.read_bytes": OURS,
    "graphwright_server/cli/streams.py: io.FileIO": "standard output, which is open",
    "graphwright/cache.py: file.read_bytes": OURS,
    "graphwright/cache.py: os.fdopen": OURS,
    "graphwright/agent/serving.py: open": SYSTEM,
    "graphwright/agent/serving.py: os.fdopen": "a pipe from the server",
    "graphwright/agent/system.py: open": SYSTEM,
    "graphwright/agent/warming.py: os.open": SYSTEM,
    "graphwright/agent/enclosed.py: linecache.getlines": RUNNING,
    "graphwright/agent/loading.py: linecache.cache": RUNNING,
    "graphwright/agent/loading.py: linecache.updatecache": RUNNING,
    "graphwright/agent/outcomes.py: open": "it writes",
    "graphwright/agent/ways.py: linecache.cache": RUNNING,
    "graphwright/agent/ways.py: linecache.getlines": RUNNING,
    "graphwright/agent/places.py: linecache.getline": RUNNING,
    "graphwright/eject/entities.py: linecache.getlines": RUNNING,
    "graphwright/eject/flagged_functions.py: linecache.getlines": RUNNING,
    "graphwright/eject/flagged_functions.py: linecache.cache": RUNNING,
    "graphwright/runtime/errors/handlers.py: linecache.getlines": RUNNING,
    "graphwright/runtime/errors/sites.py: linecache.getlines": RUNNING,
    "graphwright/runtime/functions/recording.py: linecache.getline": RUNNING,
    "graphwright/sources.py: linecache.checkcache": RUNNING,
    "graphwright/sources.py: linecache.getlines": RUNNING,
    "graphwright/trace_files.py: tokenize.open": RUNNING,
    "graphwright_server/cli/fixing.py: os.fdopen": "it writes",
    "graphwright_server/cli/streams.py: os.open": SYSTEM,
    "graphwright_server/cli/streams.py: os.fdopen": "it writes",
    "graphwright_server/mcp/skill.py: resources.files('graphwright_server.mcp').joinpath('SKILL.md').read_text": OURS,
    "graphwright_server/lsp/checking_process.py: os.fdopen": "a pipe to the server",
    "graphwright_server/lsp/stdio.py: open": SYSTEM,
    "graphwright_server/processes.py: Path(f'/proc/{process}/statm').read_text": SYSTEM,
    "graphwright_server/processes.py: Path(f'/proc/{process}/smaps_rollup').read_text": SYSTEM,
    "graphwright_server/processes.py: Path(f'/proc/{process}/task/{process}/children').read_text": SYSTEM,
}


def reads(tree: ast.Module) -> Iterator[str]:
    """What opens or reads a file by itself, as it is written; a name that is bound from `user_files` does not."""
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in {"open", "open_code"} and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in {"io", "os", "tokenize"}:
            yield from (f"from {node.module} import {alias.name}" for alias in node.names if alias.name in READING)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in MODULES:
            yield f"from {node.module} import {', '.join(alias.name for alias in node.names)}"
        elif isinstance(node, ast.Attribute):
            receiver = ast.unparse(node.value)
            is_field = node.attr == "open" and id(node) not in called and receiver not in {"io", "os", "tokenize"}
            if receiver in MODULES or (node.attr in READING and receiver != "analysis" and not is_field):
                yield ast.unparse(node)


@functools.cache
def found() -> set[str]:
    return {
        f"{path.relative_to((ROOT / package).parent).as_posix()}: {read}"
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if path.relative_to((ROOT / package).parent).as_posix() != DOOR
        for read in reads(ast.parse(path.read_text("utf-8")))
    }


def test_nothing_else_reads_a_file():
    assert found() - ALLOWED.keys() == set(), "read it by user_files.read_bytes or read_text"


def test_what_is_listed_is_there():
    assert ALLOWED.keys() - found() == set()


def test_each_way_to_read_is_noticed():
    text = """
open("x"); io.open("x"); os.open("x", 0); Path("x").read_text(); path.open(); map(Path.read_bytes, paths)
tokenize.open("x"); linecache.getline("x", 1); from tokenize import open; from linecache import getline
"""
    assert len([*reads(ast.parse(text))]) == 10
    assert [*reads(ast.parse("from .user_files import read_text\nread_text('x'); analysis.read_bytes('x')"))] == []
