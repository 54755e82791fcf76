"""`graphwright mcp` with the official client over standard input and output, as a coding agent uses it."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp.client.stdio")

from graphwright_server.cli.main import main
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

BROKEN = """\
import tensorflow as tf


@tf.function
def step(x):
    if x > 0:
        y = x
    return y


step(tf.constant(1.0))
"""
TRAP = "open({path!r}, 'a').write('ran')"
TOOLS = {"check", "check_changes", "explain", "coverage", "facts", "convert", "eject"}

Conversation = Callable[[Client], Awaitable[None]]


def talk(root: Path, conversation: Conversation, *options: str) -> None:
    """Start the server on a folder and have the conversation with it."""
    command = ["-m", "graphwright_server", "mcp", str(root), *options]
    parameters = StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))

    async def connected() -> None:
        async with Client(stdio_client(parameters)) as client:
            await conversation(client)

    asyncio.run(asyncio.wait_for(connected(), 120))


async def ask(client: Client, tool: str, **arguments: Any) -> tuple[dict[str, Any], str]:
    """What a tool returns, as data and as text."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return result.structured_content, text_of(result)


async def refusal(client: Client, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return text_of(result)


def text_of(result: Any) -> str:
    return "\n".join(part.text for part in result.content)


def test_an_agent_fixes_a_file(tmp_path: Path):
    file = tmp_path / "model.py"
    file.write_text(BROKEN, "utf-8")

    async def conversation(client: Client) -> None:
        found, text = await ask(client, "check")
        (finding,) = found["findings"]
        assert (finding["path"], finding["line"], finding["rule"]) == ("model.py", 6, "undefined-in-branch")
        assert text.startswith("model.py:6:8: error [undefined-in-branch] `y` is bound only if")
        page, _ = await ask(client, "explain", rule=finding["rule"])
        assert "## Why it is bad" in page["page"]
        fix = next(fix for fix in finding["fixes"] if "before" in fix["title"])
        for part in fix["replace"]:
            changed = file.read_text("utf-8").replace(part["old"], part["new"].replace("...", "-x"), 1)
            file.write_text(changed, "utf-8")
        after, text = await ask(client, "check_changes")
        assert (after["findings"], after["changed"], len(after["fixed"])) == ([], ["model.py"], 1)
        assert text.endswith("No findings in model.py.")
        assert (await ask(client, "check"))[0]["total"] == 0
        again, _ = await ask(client, "check_changes")
        assert again["changed"] == []

    talk(tmp_path, conversation)


def test_a_change_is_told_of_in_the_file_that_depends_on_it(tmp_path: Path):
    (tmp_path / "helper.py").write_text("import tensorflow as tf\n\n\ndef scale(x):\n    return x\n", "utf-8")
    model = (
        "import tensorflow as tf\nfrom helper import scale\n\n\n@tf.function\ndef step(x):\n    return scale(x) + 1\n"
    )
    (tmp_path / "model.py").write_text(f"{model}\n\nstep(tf.constant(1))\n", "utf-8")

    async def conversation(client: Client) -> None:
        assert (await ask(client, "check"))[0]["total"] == 0
        helper = "import tensorflow as tf\n\n\ndef scale(x):\n    return tf.cast(x, tf.float32) + tf.constant([1, 2])\n"
        (tmp_path / "helper.py").write_text(helper, "utf-8")
        found, text = await ask(client, "check_changes", wait=True)
        assert [(each["path"], each["line"], each["new"]) for each in found["findings"]] == [("helper.py", 5, True)]
        assert ": new error [" in text
        (tmp_path / "helper.py").unlink()
        gone, _ = await ask(client, "check_changes", wait=True)
        assert "helper.py" in gone["changed"] and len(gone["fixed"]) == 1

    talk(tmp_path, conversation)


def test_tools_say_what_they_are_for(tmp_path: Path):
    async def conversation(client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert {tool.name for tool in tools} == TOOLS
        for tool in tools:
            assert tool.description and len(tool.description) > 80
            assert tool.output_schema
            assert tool.annotations and tool.annotations.read_only_hint
        assert str(tmp_path) in (client.instructions or "")

    talk(tmp_path, conversation)


def test_places_and_code(tmp_path: Path):
    (tmp_path / "model.py").write_text(
        BROKEN.replace("        y = x", "        x = -x").replace("return y", "return x")
    )

    async def conversation(client: Client) -> None:
        found, text = await ask(client, "facts", path="model.py", line=6)
        assert [fact["text"] for fact in found["facts"]] == ["if", "x"]
        assert "Part of the graph" in text and "file:" not in text
        assert "gw.if_(" in (await ask(client, "convert", path="model.py", function="step"))[0]["code"]
        assert "tf.cond(" in (await ask(client, "eject", path="model.py", function="step"))[0]["code"]
        covered, text = await ask(client, "coverage", paths=["model.py"])
        assert (covered["traced"], covered["followed"]) == (1, 1)
        assert text == "1 of 1 traced function analyzed in full."

    talk(tmp_path, conversation)


UNREACHED = "".join(f"@tf.function\ndef f{number}(x):\n    return unknown\n    x = x\n" for number in range(4))


def test_long_results_come_in_parts(tmp_path: Path):
    for number in range(7):
        (tmp_path / f"model{number}.py").write_text(BROKEN, "utf-8")

    async def conversation(client: Client) -> None:
        first, text = await ask(client, "check", limit=5, fixes=False)
        assert (len(first["findings"]), first["total"], first["next_offset"]) == (5, 7, 5)
        assert "… 2 more: call check again with offset=5." in text
        rest, _ = await ask(client, "check", limit=5, offset=5)
        assert [each["path"] for each in rest["findings"]] == ["model5.py", "model6.py"]
        assert rest["next_offset"] is None

    talk(tmp_path, conversation)


def test_long_coverage_and_facts_come_in_parts(tmp_path: Path):
    called = "f0(tf.ones([2])), f1(tf.ones([2])), f2(tf.ones([2])), f3(tf.ones([2]))\n"
    (tmp_path / "model.py").write_text(f"import tensorflow as tf\n\n{UNREACHED}{called}", "utf-8")

    async def conversation(client: Client) -> None:
        everything, text = await ask(client, "coverage")
        assert everything["total"] == 4 and everything["next_offset"] is None and "more" not in text
        first, text = await ask(client, "coverage", limit=3)
        assert (len(first["functions"]), first["total"], first["next_offset"]) == (3, 4, 3)
        assert "… 1 more: call coverage again with offset=3." in text
        rest, _ = await ask(client, "coverage", limit=3, offset=3)
        assert [*first["functions"], *rest["functions"]] == everything["functions"] and rest["next_offset"] is None

        line = 3 + UNREACHED.count("\n")
        everything, _ = await ask(client, "facts", path="model.py", line=line)
        first, text = await ask(client, "facts", path="model.py", line=line, limit=2)
        assert (len(first["facts"]), first["next_offset"]) == (2, 2)
        assert f"… {everything['total'] - 2} more: call facts again with offset=2." in text
        rest, _ = await ask(client, "facts", path="model.py", line=line, offset=2)
        assert [*first["facts"], *rest["facts"]] == everything["facts"] and rest["next_offset"] is None

    talk(tmp_path, conversation)


def test_errors_say_what_to_do(tmp_path: Path):
    root = tmp_path / "project"
    root.mkdir()
    (root / "model.py").write_text(BROKEN, "utf-8")
    (root / "half.py").write_text("def (:\n", "utf-8")
    (root / "odd.py").write_bytes(b"\xff\n")
    (tmp_path / "secret.py").write_text(BROKEN, "utf-8")
    (root / "link.py").symlink_to(tmp_path / "secret.py")
    (root / "folder").symlink_to(tmp_path)

    async def conversation(client: Client) -> None:
        for path in ("../secret.py", str(tmp_path / "secret.py"), "link.py", "folder/secret.py"):
            assert "is outside" in await refusal(client, "check", paths=[path])
            assert "is outside" in await refusal(client, "facts", path=path, line=1)
        assert "no such file" in await refusal(client, "check", paths=["missing.py"])
        assert "Functions: step." in await refusal(client, "convert", path="model.py", function="stop")
        assert "Did you mean undefined-in-branch" in await refusal(client, "explain", rule="undefined-in-brunch")
        assert "there is no line 99" in await refusal(client, "facts", path="model.py", line=99)
        said = await refusal(client, "facts", path="model.py", line=1, name="self.w")
        assert "model.py:1 has no name self.w. Names: import, tensorflow, as, tf." in said
        assert "line" in await refusal(client, "facts", path="model.py", line="six")
        assert "null byte" in await refusal(client, "facts", path="a\0b", line=1)
        found, text = await ask(client, "check")
        assert {each["path"] for each in found["findings"]} == {"model.py"}
        assert "half.py:1: can't be parsed" in text
        assert "odd.py: not checked: can't be decoded" in text
        assert "in 2 files." in text
        (root / "odd.py").write_bytes(b"\xff\xff\n")
        _, text = await ask(client, "check_changes")
        assert "odd.py: not checked: can't be decoded" in text
        assert "No findings" not in text
        (root / "pyproject.toml").write_text("[tool.graphwright]\nselect = 3\n", "utf-8")
        assert "Correct the settings first" in await refusal(client, "check")

    talk(root, conversation)


def test_nothing_of_the_project_runs(tmp_path: Path):
    ran = tmp_path / "ran"
    root = tmp_path / "project"
    root.mkdir()
    trap = TRAP.format(path=str(ran))
    for name in ("model", "sitecustomize", "tensorflow", "conftest"):
        (root / f"{name}.py").write_text(f"{trap}\n{BROKEN}", "utf-8")

    async def conversation(client: Client) -> None:
        for _ in range(2):
            await ask(client, "check")
            await ask(client, "check_changes")
            await ask(client, "coverage")
            await ask(client, "facts", path="model.py", line=7)
            await ask(client, "convert", path="model.py", function="step")
            await ask(client, "eject", path="model.py", function="step")
            (root / "model.py").write_text(f"{trap}\n{trap}\n{BROKEN}", "utf-8")
        assert "Unknown tool" in await refusal(client, "trace", path="model.py", function="step")

    talk(root, conversation)
    assert not ran.exists()


def test_a_request_that_nobody_waits_for_is_given_up(tmp_path: Path):
    lines = "".join(f"    for i in tf.range(n):\n        x = tf.concat([x, [{i}.0]], 0)\n" for i in range(60))
    for number in range(40):
        text = f"import tensorflow as tf\n\n\n@tf.function\ndef step(x, n):\n{lines}    return x\n"
        (tmp_path / f"model{number}.py").write_text(f"{text}\n\nstep(tf.constant([{number}.0]), tf.constant(3))\n")

    async def conversation(client: Client) -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(client.call_tool("check", {}), 0.3)
        assert "## What it does" in (await asyncio.wait_for(ask(client, "explain", rule="undefined-in-branch"), 5))[1]

    talk(tmp_path, conversation)


@pytest.mark.truth
def test_tracing_is_allowed_by_the_user(tmp_path: Path):
    (tmp_path / "model.py").write_text(
        BROKEN.replace("        y = x", "        x = -x").replace("return y", "return x")
    )

    async def conversation(client: Client) -> None:
        traced, text = await ask(client, "trace", path="model.py", function="step")
        assert traced["ok"] and "If" in " ".join(traced["operations"])
        assert "float32" in traced["traces"][0]
        assert "operations: " in text
        asked = await refusal(client, "trace", path="model.py", function="stop")
        assert "Functions: step." in asked

    talk(tmp_path, conversation, "--allow-run")


@pytest.mark.truth
def test_an_agent_proves_its_edit(tmp_path: Path):
    model = BROKEN.replace("        y = x", "        x = -x").replace("return y", "return x")
    (tmp_path / "model.py").write_text(model)

    async def conversation(client: Client) -> None:
        ways = ["tf.function", "ejected"]
        found, text = await ask(client, "verify", path="model.py", function="step", ways=ways, gradients=True)
        assert found["ok"]
        assert [(each["way"], each["agreement"]) for each in found["ways"][1:]] == [(way, "equal") for way in ways]
        assert "tf.function: equal" in text
        wrong = model.replace("x = -x", "x = tf.cond(tf.constant(tf.inside_function()), lambda: x, lambda: -x)")
        (tmp_path / "model.py").write_text(wrong)
        specs = "x=tf.constant(1.0)"
        found, text = await ask(client, "verify", path="model.py", function="step", specs=specs, ways=["tf.function"])
        assert not found["ok"]
        assert "  result: -1.0 eager, 1.0 tf.function\n  first on line 7: " in text

    talk(tmp_path, conversation, "--allow-run")


def test_the_skill_page(capsys: pytest.CaptureFixture[str]):
    assert main(["mcp", "--skill"]) == 0
    page = capsys.readouterr().out
    assert page.startswith("---\nname: graphwright\ndescription: ")
    assert all(f"- `{tool}`: " in page for tool in TOOLS | {"trace", "verify"})


def test_the_comment_of_the_skill_page_allows_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    assert main(["mcp", "--skill"]) == 0
    (comment,) = re.findall(r"`(# graphwright: [^`]*)`", capsys.readouterr().out)
    lines = "import tensorflow as tf", "@tf.function", "def f(x):", "    print(x)", "    return x", "f(tf.ones([2]))"
    text = "\n".join(lines)
    allowed = text.replace("print(x)", f"print(x)  {comment.replace('rule-name', 'print-at-trace')}")
    monkeypatch.chdir(tmp_path)
    for name, content, code in (("found.py", text, 1), ("allowed.py", allowed, 0)):
        (tmp_path / name).write_text(content)
        assert main(["check", "--no-cache", name]) == code


def test_a_root_that_is_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["mcp", str(tmp_path / "missing")]) == 2
    assert "isn't a folder" in capsys.readouterr().err
