"""Writes what a release bundles: two bills of materials and the licenses; `--check` says what is out of date.

The wheel bundles nothing, the extension the packages of `requirements/bundle.txt` and the modules of its own lock file.
Both are read where they are installed: `tools/setup.sh bundle extension-modules` comes first.
"""

from __future__ import annotations

import argparse
import base64
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

import release_facts

ROOT = Path(__file__).resolve().parent.parent
EXTENSION = ROOT / "vscode-extension"
LIBRARIES = EXTENSION / "bundled" / "libs"
OF_WHEEL = ROOT / "requirements" / "graphwright.cdx.json"
OF_EXTENSION = EXTENSION / "sbom.cdx.json"
NOTICES = EXTENSION / "THIRD_PARTY_NOTICES.txt"

IDENTIFIERS = {
    "MIT": "MIT",
    "BSD 3-Clause": "BSD-3-Clause",
    "License :: OSI Approved :: MIT License": "MIT",
}
"""SPDX's names for what older metadata says."""
INSIDE = {"jedi": (("typeshed", "Apache-2.0 AND MIT"), ("django-stubs", "MIT"))}
"""Works of others that a package contains itself; their licenses are among its files."""
LICENSE_FILE = re.compile(r"(licen[cs]e|notice|thirdpartynotices|copying|authors)[^/]*", re.IGNORECASE)
HEAD = """\
Third-party software in the Graphwright extension
=================================================

The extension bundles the packages below. Each is followed by its license.
Written by tools/bundled.py; sbom.cdx.json lists the same packages for programs.
"""


@dataclass(frozen=True, slots=True)
class BundledPackage:
    """A package of others that a release contains."""

    purl: str
    name: str
    version: str
    license: str
    texts: tuple[str, ...]
    sha512: str = ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file is out of date")
    options = parser.parse_args()
    packages = [*python_packages(), *node_modules()]
    wanted = {
        OF_WHEEL: bill("pkg:pypi/graphwright", "library", ()),
        OF_EXTENSION: bill("pkg:generic/graphwright-vscode", "application", packages),
        NOTICES: notices(packages),
    }
    stale = [path for path, text in wanted.items() if not path.is_file() or path.read_text("utf-8") != text]
    for path in stale:
        name = path.relative_to(ROOT)
        print(f"{name} is out of date: run tools/bundled.py" if options.check else f"wrote {name}")
        if not options.check:
            path.write_text(wanted[path], "utf-8")
    return 1 if options.check and stale else 0


def python_packages() -> Iterator[BundledPackage]:
    """The packages that the extension's server needs."""
    found = sorted(distributions(path=[str(LIBRARIES)]), key=lambda each: each.name.lower())
    if not found:
        raise SystemExit("the bundle isn't installed: run tools/setup.sh bundle extension-modules")
    for each in found:
        files = [file for file in each.files or () if LICENSE_FILE.fullmatch(file.name)]
        texts = [Path(str(each.locate_file(file))).read_text("utf-8") for file in sorted(files)]
        purl = f"pkg:pypi/{each.name.lower().replace('_', '-')}@{each.version}"
        yield BundledPackage(purl, each.name, each.version, license_of(each), tuple(texts))


def license_of(package: Distribution) -> str:
    """The SPDX expression of a package's license."""
    metadata = package.metadata
    if "License-Expression" in metadata:
        return metadata["License-Expression"]
    said = [metadata["License"] or "", *(metadata.get_all("Classifier") or ())]
    known = [IDENTIFIERS[each] for each in said if each in IDENTIFIERS]
    if not known:
        raise LookupError(f"{package.name} names a license that IDENTIFIERS doesn't know")
    return known[0]


def node_modules() -> Iterator[BundledPackage]:
    """The modules that are compiled into the extension's script."""
    for path, entry in locked_modules().items():
        folder = EXTENSION / path
        files = [file for file in sorted(folder.iterdir()) if LICENSE_FILE.fullmatch(file.name)]
        name, version = path.rpartition("node_modules/")[2], entry["version"]
        digest = base64.b64decode(entry["integrity"].removeprefix("sha512-")).hex()
        texts = tuple(file.read_text("utf-8") for file in files)
        yield BundledPackage(f"pkg:npm/{name}@{version}", name, version, entry["license"], texts, digest)


def locked_modules() -> dict[str, dict[str, Any]]:
    """The entries of the extension's lock file that aren't for its development alone."""
    entries = json.loads((EXTENSION / "package-lock.json").read_text("utf-8"))["packages"]
    return {path: entry for path, entry in entries.items() if path and not entry.get("dev")}


def notices(packages: Iterable[BundledPackage]) -> str:
    """The licenses of all packages as one text."""
    parts = [HEAD]
    for package in packages:
        if not package.texts:
            raise LookupError(f"{package.name} comes without the text of its license")
        parts.append(f"{'=' * 80}\n{package.name} {package.version} ({package.license})\n{'=' * 80}\n")
        parts += (f"{_plain(text)}\n" for text in package.texts)
    return "\n".join(parts)


def bill(subject: str, kind: str, packages: Sequence[BundledPackage]) -> str:
    """A bill of materials in CycloneDX' JSON, the same for the same packages: without a date or a serial number."""
    known = release_facts.facts()
    purl = f"{subject}@{known['version']}"
    main_component = {
        "type": kind,
        "bom-ref": purl,
        "name": "graphwright",
        "version": known["version"],
        "licenses": [{"expression": "Apache-2.0"}],
        "purl": purl,
        "externalReferences": [{"type": "vcs", "url": known["repository"]}],
    }
    content = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": main_component},
        "components": [component(package) for package in packages],
        "compositions": [{"aggregate": "complete", "assemblies": [purl]}],
    }
    return json.dumps(content, indent=2) + "\n"


def component(package: BundledPackage) -> dict[str, Any]:
    """A package as an entry of a bill of materials."""
    entry: dict[str, Any] = {
        "type": "library",
        "bom-ref": package.purl,
        "name": package.name,
        "version": package.version,
        "hashes": [{"alg": "SHA-512", "content": package.sha512}] if package.sha512 else [],
        "licenses": [{"expression": package.license}],
        "purl": package.purl,
        "components": [
            {
                "type": "library",
                "bom-ref": f"{package.purl}#{name}",
                "name": name,
                "licenses": [{"expression": terms}],
            }
            for name, terms in INSIDE.get(package.name, ())
        ],
    }
    return {name: value for name, value in entry.items() if value}


def _plain(text: str) -> str:
    """A text with the ends of lines of one system."""
    return "\n".join(line.rstrip() for line in text.lstrip("\ufeff").splitlines()).strip() + "\n"


if __name__ == "__main__":
    sys.exit(main())
