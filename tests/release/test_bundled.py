"""The bills of materials and the licenses name what the lock files have, to the version.

That they are written from what is installed, to the byte, is checked where the extension is packaged.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import bundled
import pytest

ROOT = Path(bundled.ROOT)
NOTICES = bundled.NOTICES.read_text("utf-8")
HEADING = re.compile(r"^={80}\n(\S+) (\S+) \((.+)\)\n={80}\n", re.MULTILINE)


def locked() -> dict[str, str]:
    """The packages that the lock files have for the extension, with their versions."""
    lines = (ROOT / "requirements" / "bundle.txt").read_text("utf-8").splitlines()
    pinned = dict(line.rstrip(" \\").split("==") for line in lines if "==" in line)
    return pinned | {
        path.rpartition("node_modules/")[2]: entry["version"] for path, entry in bundled.locked_modules().items()
    }


def bill(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text("utf-8"))


def test_the_bill_of_the_extension_is_that_of_the_lock_files():
    components = bill(bundled.OF_EXTENSION)["components"]
    assert {each["name"].replace("_", "-"): each["version"] for each in components} == locked()
    assert all(each["licenses"] and each["purl"] == each["bom-ref"] for each in components)


def test_the_notices_have_the_license_of_each():
    headings = [(name.replace("_", "-"), version) for name, version, _ in HEADING.findall(NOTICES)]
    assert dict(headings) == locked() and len(headings) == len(locked())
    texts = HEADING.split(NOTICES)[4::4]
    assert all(re.search(r"(?i)permi[ts]|licens", text) and len(text) > 600 for text in texts)


def test_the_wheel_bundles_nothing():
    whole = bill(bundled.OF_WHEEL)
    assert whole["components"] == [] and whole["compositions"][0]["aggregate"] == "complete"


def test_a_package_without_a_license_is_refused():
    nothing = bundled.BundledPackage("pkg:pypi/a@1", "a", "1", "MIT", ())
    with pytest.raises(LookupError, match="without the text of its license"):
        bundled.notices([nothing])


def test_both_are_packed():
    from setup_environments import IN_THE_VSIX

    assert {bundled.NOTICES.name, bundled.OF_EXTENSION.name} <= set(IN_THE_VSIX)
