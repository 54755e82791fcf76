"""Between URIs and keys, for names that editors encode in different ways."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from graphwright_server.lsp.uris import key_of, path_of, uri_of


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX paths")
@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a/b.py", "/a/b.py"),
        ("file:///a%20b/%F0%9F%8E%89.py", "/a b/🎉.py"),
        ("file:///a/b;c.py", "/a/b;c.py"),
        ("file:///a/b%23c%3Fd.py", "/a/b#c?d.py"),
        ("file://localhost/a.py", "/a.py"),
        ("file:///a/b+c%2Bd.py", "/a/b+c+d.py"),
    ],
)
def test_the_path_of_a_file(uri: str, path: str):
    assert path_of(uri) == Path(path)
    assert path_of(uri_of(key_of(uri))) == Path(path)


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "vscode-notebook-cell:/a.ipynb#X", "git:/a.py?x", "", "//["])
def test_what_is_no_file_keeps_its_name(uri: str):
    assert path_of(uri) is None
    assert key_of(uri) == uri
    assert uri_of(uri) == uri or uri == "//["


def test_a_path_and_back(tmp_path: Path):
    path = tmp_path / "a b#🎉.py"
    assert path_of(uri_of(str(path))) == path
