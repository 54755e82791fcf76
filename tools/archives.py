"""Published packages to look at, fetched into `.dev/corpus/` by name and SHA-256 and unpacked there.

Nothing of them is installed or run; what is done with their files is decided elsewhere.
"""

from __future__ import annotations

import hashlib
import html.parser
import io
import os
import re
import shutil
import sys
import tarfile
import urllib.parse
import urllib.request
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PINS = ROOT / "tests/corpus/packages.txt"
FOLDER = ROOT / ".dev/corpus"
REPOSITORY = "github:"
KEPT = (".py", ".ipynb")
"""What is kept of a repository."""


def folder_of(package: str) -> Path:
    """The folder that a pinned package is unpacked in, once it has been fetched."""
    (pin,) = pins([package])
    return fetched(*pin)


def pins(packages: list[str], listed: Path = PINS) -> list[tuple[str, str]]:
    """The archives to fetch, by file name and digest."""
    rows = [line.split() for line in listed.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    wanted = {name.lower().replace("_", "-") for name in packages}
    return [(name, digest) for name, digest in rows if not wanted or project_of(name) in wanted]


def project_of(archive: str) -> str:
    if archive.startswith(REPOSITORY):
        return archive[len(REPOSITORY) :].partition("@")[0].lower().replace("/", "-")
    return re.split(r"-\d", archive)[0].lower().replace("_", "-")


def fetched(archive: str, digest: str) -> Path:
    """The folder that the archive is unpacked in."""
    folder = FOLDER / project_of(archive)
    if (folder / ".whole").is_file() and (folder / ".whole").read_text() == digest:
        return folder
    print(f"fetching {archive}", file=sys.stderr, flush=True)
    if archive.startswith(REPOSITORY):
        files = of_repository(archive)
        if digest_of(files) != digest:
            raise SystemExit(f"{archive} isn't what is pinned")
        write(folder, files)
        (folder / ".whole").write_text(digest)
        return folder
    raw = download(archive)
    if hashlib.sha256(raw).hexdigest() != digest:
        raise SystemExit(f"{archive} isn't what is pinned")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    packed = folder / archive
    packed.write_bytes(raw)
    if archive.endswith(".whl"):
        with zipfile.ZipFile(packed) as wheel:
            wheel.extractall(folder)
    else:
        with tarfile.open(packed) as source:
            source.extractall(folder, filter="data")
    packed.unlink()
    (folder / ".whole").write_text(digest)
    return folder


def of_repository(pin: str) -> dict[str, bytes]:
    """The code and notebooks of a repository on GitHub at a commit, `github:owner/name@commit`, by their paths."""
    name, _, commit = pin[len(REPOSITORY) :].partition("@")
    with urllib.request.urlopen(f"https://codeload.github.com/{name}/zip/{commit}", timeout=300) as answer:
        packed = zipfile.ZipFile(io.BytesIO(answer.read()))
    paths = [path for path in packed.namelist() if path.endswith(KEPT)]
    return {path.partition("/")[2]: packed.read(path) for path in paths}


def digest_of(files: dict[str, bytes]) -> str:
    """A digest of files and their paths, however they were packed."""
    whole = hashlib.sha256()
    for path in sorted(files):
        whole.update(f"{path}\0{len(files[path])}\0".encode() + files[path])
    return whole.hexdigest()


def write(folder: Path, files: dict[str, bytes]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)


def download(archive: str) -> bytes:
    index = os.environ.get("PIP_INDEX_URL", "https://pypi.org/simple").rstrip("/")
    page = f"{index}/{project_of(archive)}/"
    with urllib.request.urlopen(page, timeout=60) as answer:
        links = Links()
        links.feed(answer.read().decode("utf-8"))
    for link in links.found:
        if urllib.parse.unquote(urllib.parse.urlsplit(link).path.rpartition("/")[2]) == archive:
            with urllib.request.urlopen(urllib.parse.urljoin(page, link), timeout=300) as answer:
                return answer.read()
    raise SystemExit(f"{page} has no {archive}")


class Links(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if tag == "a" and name == "href" and value]
