"""Runs pytest again and again in children of one process that has loaded what is slow to load, and nothing of ours.

Each line on its input asks for a run, each line on its output says how that ended. What is run is `mutate.py`'s.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import sys
import time
from typing import Any

HEAVY = ("pytest", "hypothesis", "gast", "jedi", "numpy")
WITH_TENSORFLOW = ("tensorflow", "keras")


def main() -> None:
    """Answer each request: `arguments` of pytest, folders for the front of the path, `seconds` at most, a log file."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    for name in HEAVY:
        importlib.import_module(name)
    for line in sys.stdin:
        request = json.loads(line)
        if request["tensorflow"]:
            for name in WITH_TENSORFLOW:
                importlib.import_module(name)
        began = time.monotonic()
        code = ended(request)
        print(json.dumps({"code": code, "seconds": time.monotonic() - began}), flush=True)


def ended(request: dict[str, Any]) -> int | None:
    """The exit code of a run in a child; None if it took too long, and was killed with all that it started."""
    child = os.fork()
    if child == 0:
        run(request)
    os.setpgid(child, child) if os.getpgid(child) != child else None
    until = time.monotonic() + request["seconds"]
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def run(request: dict[str, Any]) -> None:
    """Be the child: never comes back."""
    code = 1
    try:
        with contextlib.suppress(OSError):
            os.setpgid(0, 0)
        log = os.open(request["log"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(log, 1)
        os.dup2(log, 2)
        sys.stdout, sys.stderr = (open(stream, "w", closefd=False) for stream in (1, 2))  # noqa: SIM115
        sys.path[:0] = request["path"]
        os.environ["PYTHONPATH"] = os.pathsep.join(request["path"])
        sys.dont_write_bytecode = True
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        import pytest

        code = int(pytest.main(request["arguments"]))
        sys.stdout.flush()
    finally:
        os._exit(code)


if __name__ == "__main__":
    main()
