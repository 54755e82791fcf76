"""Check that the lock files hold versions and hashes only: no host, no path, nothing of one machine.

It doesn't check that they are up to date.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PINNED = re.compile(r"^[A-Za-z0-9._-]+(\[[a-z,-]+\])?==\S+( ; .+)? \\$")
HARMLESS = re.compile(r"^\s*#|^\s+--hash=sha256:[0-9a-f]{64}( \\)?$|^$")


def main() -> int:
    """Print what is wrong with any lock file; the exit code is 1 if something is."""
    problems: list[str] = []
    for lock in sorted(ROOT.glob("requirements/*.txt")):
        problems += in_requirements(lock)
    for folder in ("requirements/node", "requirements/code-server", "requirements/open-vsx", "vscode-extension"):
        problems += in_package_lock(ROOT / folder / "package-lock.json")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def in_requirements(lock: Path) -> list[str]:
    """Every line that is neither a pinned package nor its hashes."""
    lines = enumerate(lock.read_text(encoding="utf-8").splitlines(), start=1)
    return [
        f"{lock.relative_to(ROOT)}:{number}: neither a pinned package nor a hash: {line.strip()}"
        for number, line in lines
        if not PINNED.match(line) and not HARMLESS.match(line)
    ]


def in_package_lock(lock: Path) -> list[str]:
    """Every package without a hash, or with the place that it was once downloaded from."""
    name = lock.relative_to(ROOT)
    problems: list[str] = []
    for package, entry in json.loads(lock.read_text(encoding="utf-8"))["packages"].items():
        if "resolved" in entry:
            problems.append(f"{name}: {package} says where it was downloaded from")
        if package and not entry.get("inBundle") and "integrity" not in entry:
            problems.append(f"{name}: {package} has no hash")
    return problems


if __name__ == "__main__":
    sys.exit(main())
