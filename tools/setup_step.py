"""Do a step of the setup once, and again only when what it was made from has changed.

It knows nothing of what the steps build.
A step is done when its stamp holds the hash of everything that it was made from.
The stamp is removed before the work starts and written after it succeeded,
so an interrupted step is done again and never counts as done.
"""

from __future__ import annotations

import fcntl
import hashlib
import inspect
import os
import platform
import shutil
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DEV = ROOT / ".dev"


class SetupFailed(Exception):
    """A step can't be done; the text says what is missing and what to install."""

    exit_code = 1


@dataclass(frozen=True, slots=True)
class Step:
    """One environment: what it is for, what it needs first, what it is made from, and how.

    `seconds` and `megabytes` are what it typically takes on a machine with two cores and a line of 100 Mbit/s.
    """

    purpose: str
    seconds: int
    megabytes: int
    needs: tuple[str, ...]
    sources: Callable[[], Iterable[Path]]
    product: Callable[[], Path]
    build: Callable[[], None]
    of_this_python: bool = False


def set_up(names: list[str], steps: Mapping[str, Step]) -> int:
    """Bring the named steps and what they need up to date; return the exit code."""
    DEV.mkdir(exist_ok=True)
    try:
        with _only_one_setup():
            _bring_up_to_date(_in_order(names, steps), steps)
    except SetupFailed as failure:
        say(str(failure))
        return failure.exit_code
    except OSError as failure:
        say(f"{failure.strerror}: {failure.filename}")
        return 1
    except KeyboardInterrupt:
        say("interrupted; the next run takes up from the last finished step.")
        return 130
    return 0


def say(text: str) -> None:
    """Tell the user something; on standard error, so that a program's own output can be piped."""
    print(f"setup: {text}", file=sys.stderr, flush=True)


def run(command: list[str], folder: Path, environment: Mapping[str, str] | None = None) -> None:
    """Run a program, showing on a terminal where it is, and what it said only if it fails."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    said: deque[str] = deque(maxlen=60)
    assert process.stdout is not None
    try:
        for line in process.stdout:
            said.append(line)
            _show_progress(line.strip())
    except KeyboardInterrupt:
        process.terminate()
        process.wait()
        raise
    finally:
        _show_progress("")
    if process.wait() != 0:
        shown = " ".join(Path(part).name if part.startswith("/") else part for part in command[:4])
        raise SetupFailed(f"`{shown} ...` failed with exit code {process.returncode}:\n{''.join(said)}")


@contextmanager
def replaced_at_the_end(target: Path) -> Generator[Path]:
    """A new folder under `.dev/`, which takes the target's place only if nothing failed."""
    unfinished = DEV / f"{target.name}.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    yield unfinished
    shutil.rmtree(target, ignore_errors=True)
    unfinished.rename(target)


def _in_order(names: Iterable[str], steps: Mapping[str, Step]) -> list[str]:
    ordered: list[str] = []
    for name in names:
        for step in [*_in_order(steps[name].needs, steps), name]:
            if step not in ordered:
                ordered.append(step)
    return ordered


def _bring_up_to_date(names: list[str], steps: Mapping[str, Step]) -> None:
    due = [name for name in names if not _is_current(name, steps[name])]
    if len(due) > 1:
        total = size_and_time(sum(steps[name].megabytes for name in due), sum(steps[name].seconds for name in due))
        say(f"{len(due)} steps, {total}")
    started, built = time.monotonic(), list[str]()
    for name in names:
        # A step that was current may be made out of date by one that it needs.
        if name in due or (set(built) & set(steps[name].needs) and not _is_current(name, steps[name])):
            built.append(name)
            count = f"step {len(built)} of {max(len(built), len(due))}: " if len(due) > 1 else ""
            say(f"{count}{steps[name].purpose} ({size_and_time(steps[name].megabytes, steps[name].seconds)})")
            _build(name, steps[name])
    if len(built) > 1:
        say(f"done in {time.monotonic() - started:.0f} s")


def size_and_time(megabytes: int, seconds: int) -> str:
    """Return what a step typically takes: "about 600 MB, 15 seconds"."""
    size = f"{megabytes / 1000:.1f} GB" if megabytes >= 1000 else f"{megabytes} MB"
    time_needed = f"{seconds / 60:.1f} minutes" if seconds >= 90 else f"{seconds} seconds"
    return f"about {size}, {time_needed}" if megabytes else f"about {time_needed}"


def _is_current(name: str, step: Step) -> bool:
    stamp = DEV / "stamps" / name
    return step.product().exists() and stamp.exists() and stamp.read_text() == _fingerprint(step)


def _build(name: str, step: Step) -> None:
    stamp = DEV / "stamps" / name
    key = _fingerprint(step)
    stamp.unlink(missing_ok=True)
    step.build()
    stamp.parent.mkdir(exist_ok=True)
    half_written = stamp.with_suffix(".new")
    half_written.write_text(key)
    half_written.replace(stamp)


def _fingerprint(step: Step) -> str:
    made_by = f"{inspect.getsource(step.build)}\0{platform.system()}\0{platform.machine()}\0"
    digest = hashlib.sha256(made_by.encode())
    if step.of_this_python:
        digest.update(f"{sys.version}\0{sys.base_prefix}\0{ROOT}\0".encode())
    for source in sorted(set(step.sources())):
        digest.update(f"{source.relative_to(ROOT).as_posix()}\0".encode())
        digest.update(source.read_bytes() if source.is_file() else b"missing")
        digest.update(b"\0")
    return digest.hexdigest()


def _show_progress(line: str) -> None:
    if sys.stderr.isatty():
        width = shutil.get_terminal_size().columns - 8
        print(f"\r\x1b[K{'setup:   ' if line else ''}{line[: width - 4]}", end="", file=sys.stderr, flush=True)


@contextmanager
def _only_one_setup() -> Generator[None]:
    with (DEV / "setup.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another setup of this checkout to finish")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
