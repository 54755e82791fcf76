"""The server as a process: how it starts, speaks and leaves, byte for byte."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-I", "-m", "graphwright_server", "server", "--stdio"]
HELLO = {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}}


@pytest.fixture
def process() -> Iterator[subprocess.Popen[bytes]]:
    started = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    yield started
    started.kill()
    started.wait()
    for stream in (started.stdin, started.stdout, started.stderr):
        if stream is not None:
            stream.close()


def test_an_orderly_goodbye_exits_with_0(process: subprocess.Popen[bytes]):
    send(process, HELLO)
    assert answer_to(process, 1)["result"]["capabilities"]["positionEncoding"] == "utf-16"
    send(process, {"id": 2, "method": "shutdown"})
    assert answer_to(process, 2)["result"] is None
    send(process, {"id": 3, "method": "textDocument/hover", "params": {}})
    assert answer_to(process, 3)["error"]["code"] == -32600
    send(process, {"method": "exit"})
    assert process.wait(10) == 0
    assert process.stderr is not None and process.stderr.read() == b""


def test_an_exit_without_goodbye_exits_with_1(process: subprocess.Popen[bytes]):
    send(process, HELLO)
    answer_to(process, 1)
    send(process, {"method": "exit"})
    assert process.wait(10) == 1


def test_a_client_that_closes_the_stream_ends_it(process: subprocess.Popen[bytes]):
    send(process, HELLO)
    answer_to(process, 1)
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(10) == 1
    assert process.stderr is not None and process.stderr.read() == b""


LONG_WORK = "import tensorflow as tf\n\n" + "".join(
    f"def f{number}(x):\n" + "".join(f"    x{line} = x + {line}\n" for line in range(60)) for number in range(700)
)


def test_a_client_that_is_gone_ends_it_while_it_works(process: subprocess.Popen[bytes], tmp_path: Path):
    send(process, HELLO)
    answer_to(process, 1)
    document = {"uri": (tmp_path / "long.py").as_uri(), "languageId": "python", "version": 1, "text": LONG_WORK}
    send(process, {"method": "textDocument/didOpen", "params": {"textDocument": document}})
    time.sleep(2)
    assert process.poll() is None and process.stdin is not None
    process.stdin.close()
    assert process.wait(1) == 1


def test_requests_before_the_hello_are_refused(process: subprocess.Popen[bytes]):
    send(process, {"id": 1, "method": "textDocument/hover", "params": {}})
    assert answer_to(process, 1)["error"]["code"] == -32002
    send(process, HELLO | {"id": 2})
    assert "result" in answer_to(process, 2)
    send(process, HELLO | {"id": 3})
    assert answer_to(process, 3)["error"]["code"] == -32600


def test_rubbish_is_survived(process: subprocess.Popen[bytes]):
    assert process.stdin is not None
    for body in (b"{", b"[]", b"3", b"\xff", b'{"jsonrpc": "2.0"}', b'{"jsonrpc": "1.0", "method": "x"}'):
        process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    process.stdin.write(b"Nonsense: 1\r\n\r\ncontent-length: 2\r\nContent-Type: x\r\n\r\n{}")
    send(process, HELLO)
    assert "result" in answer_to(process, 1)
    send(process, {"id": 9, "method": "no/such/method", "params": {}})
    assert answer_to(process, 9)["error"]["code"] == -32601
    send(process, {"method": "no/such/notification", "params": {}})
    send(
        process,
        {"id": "x", "method": "textDocument/hover", "params": {"textDocument": {"uri": "file:///a.py"}}},
    )
    assert answer_to(process, "x")["error"]["code"] == -32602
    send(process, {"method": "textDocument/didOpen", "params": []})
    send(process, {"id": 10, "method": "shutdown"})
    assert answer_to(process, 10)["result"] is None


def test_a_message_in_pieces(process: subprocess.Popen[bytes]):
    assert process.stdin is not None
    for byte in framed(HELLO):
        process.stdin.write(bytes([byte]))
        process.stdin.flush()
    assert "result" in answer_to(process, 1)


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="watches processes the POSIX way here")
def test_it_leaves_when_its_parent_dies(process: subprocess.Popen[bytes]):
    parent = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    hello = json.loads(json.dumps(HELLO))
    hello["params"]["processId"] = parent.pid
    send(process, hello)
    answer_to(process, 1)
    parent.communicate(b"\n")
    assert process.wait(20) == 1


def test_the_log_file_says_who_connected(tmp_path: Path):
    log = tmp_path / "server.log"
    command = [*COMMAND, "--log-file", str(log), "--log-level", "debug"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    hello = json.loads(json.dumps(HELLO))
    hello["params"]["clientInfo"] = {"name": "Some Editor", "version": "1.2"}
    send(process, hello)
    answer_to(process, 1)
    send(process, {"id": 2, "method": "shutdown"})
    answer_to(process, 2)
    send(process, {"method": "exit"})
    assert process.wait(10) == 0
    process.communicate()
    assert "for Some Editor 1.2" in log.read_text(encoding="utf-8")


SHADOWS = ("__future__", "argparse", "asyncio", "gast", "graphwright_analysis", "json", "logging", "pygls", "re")


@pytest.fixture
def shadowing(tmp_path: Path) -> Path:
    """A folder with modules that have the names of others, and say so when they are loaded."""
    for name in SHADOWS:
        (tmp_path / f"{name}.py").write_text(f"raise SystemExit('{name} was loaded')\n")
    return tmp_path


def test_the_server_is_not_started_where_the_current_folder_is_searched_for_modules(shadowing: Path):
    refuses_to_serve("graphwright_server", shadowing)


def test_the_converters_package_starts_no_server_either(tmp_path: Path):
    refuses_to_serve("graphwright", tmp_path)


def refuses_to_serve(package: str, folder: Path) -> None:
    command = [sys.executable, "-m", package, "server", "--stdio"]
    done = subprocess.run(command, cwd=folder, input="", capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("graphwright: the server isn't started by `python -m`: ")
    assert str(folder) in done.stderr and done.stderr.count("\n") == 1


def test_the_other_commands_leave_the_current_folder_out(shadowing: Path):
    command = [sys.executable, "-m", "graphwright_server", "check", "--no-cache"]
    done = subprocess.run(command, cwd=shadowing, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == (f"No problems in {len(SHADOWS)} files.\n", "")


PAGES = (ROOT / "README.md", *sorted((ROOT / "docs" / "editors").glob("*.md")))


def starts(page: str) -> set[str]:
    """The commands that start the server on a page, in whichever language they are written."""
    words = " ".join(re.sub(r"['\"\[\](){},=]|\b(?:args|argv|cmd|command)\b", " ", page).split())
    return set(re.findall(r"\S+(?: -\S+)*(?: graphwright_server)? server --stdio", words.replace("`", " ")))


def test_the_documented_starts_load_nothing_from_the_current_folder(shadowing: Path):
    found = {start for page in PAGES for start in starts(page.read_text("utf-8"))}
    assert found == {"graphwright server --stdio", "python -I -m graphwright_server server --stdio"}
    assert sum("graphwright server --stdio" in starts(page.read_text("utf-8")) for page in PAGES) >= 8
    (shadowing / "graphwright_server.py").write_text("raise SystemExit('it was loaded')\n")
    for start in found:
        program, *arguments = start.split()
        path = sys.executable if program == "python" else str(Path(sys.executable).with_name(program))
        started = subprocess.Popen(
            [path, *arguments], cwd=shadowing, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        with started:
            send(started, HELLO)
            assert "capabilities" in answer_to(started, 1)["result"]
            send(started, {"id": 2, "method": "shutdown"})
            assert answer_to(started, 2)["result"] is None
            send(started, {"method": "exit"})
            assert started.wait(20) == 0


def test_a_log_that_cannot_be_written_is_said(tmp_path: Path):
    done = subprocess.run([*COMMAND, "--log-file", str(tmp_path)], capture_output=True, input=b"", timeout=30)
    assert done.returncode == 2
    assert done.stderr.startswith(b"graphwright: the log can't be written")


def test_without_pygls_it_says_what_to_install():
    script = (
        "import importlib.util as util, sys\n"
        "find = util.find_spec\n"
        "util.find_spec = lambda name, *rest: None if name == 'pygls' else find(name, *rest)\n"
        "from graphwright_server.cli.main import main\n"
        "sys.exit(main(['server']))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=30)
    assert done.returncode == 2
    assert b"graphwright[server]" in done.stderr


def framed(message: dict[str, Any]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def send(process: subprocess.Popen[bytes], message: dict[str, Any]) -> None:
    assert process.stdin is not None
    process.stdin.write(framed(message))
    process.stdin.flush()


def answer_to(process: subprocess.Popen[bytes], number: int | str) -> Any:
    """The next answer to a request, past all notifications."""
    assert process.stdout is not None
    while True:
        length = 0
        while (line := process.stdout.readline()) != b"\r\n":
            assert line, "the server is gone"
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        message = json.loads(process.stdout.read(length))
        if message.get("id") == number and "method" not in message:
            return message
