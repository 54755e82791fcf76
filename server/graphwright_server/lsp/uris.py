"""Between a document's URI and the key that the analysis knows it by.

A file's key is its path; a document that is no file keeps its URI as its key.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import graphwright_analysis as analysis

_DRIVE = re.compile(r"^/([A-Za-z]):")


def key_of(uri: str) -> str:
    """The analysis' key for a document."""
    path = path_of(uri)
    return uri if path is None else str(path)


def path_of(uri: str) -> Path | None:
    """The path of a `file:` URI, None for any other."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file":
        return None
    # A file name may hold what a URI would call a query or a fragment.
    tail = (f"?{parts.query}" if parts.query else "") + (f"#{parts.fragment}" if parts.fragment else "")
    path = unquote(parts.path + tail)
    if "\0" in path:
        return None
    if sys.platform == "win32":
        path = _DRIVE.sub(lambda match: f"{match[1].lower()}:", path)
    if parts.netloc and parts.netloc != "localhost":
        path = f"//{unquote(parts.netloc)}{path}"
    return Path(path)


def is_settings_file(uri: str) -> bool:
    """Whether a document is one that settings are read from."""
    path = path_of(uri)
    return path is not None and path.name == "pyproject.toml"


def configures(uri: str) -> bool:
    """Whether a file on the disk has settings or a baseline, or says which Keras the code around it is for."""
    path = path_of(uri)
    return path is not None and (analysis.says_which_keras(path) or path.name.endswith("baseline.json"))


def uri_of(key: str) -> str:
    """The URI of a document by its key."""
    path = Path(key)
    return path.as_uri() if path.is_absolute() else key
