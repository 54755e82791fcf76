"""However a text came about, its module is the same; and cut and spliced code never raises."""

from __future__ import annotations

import ast
import random
import textwrap
from collections.abc import Sequence
from pathlib import Path

import gast
import pytest
from graphwright_analysis.syntax import Block, Module, parse, parse_module, same_code, suppressions
from graphwright_analysis.syntax.blocks import LogicalLine
from graphwright_analysis.syntax.comments import comments_in
from graphwright_analysis.syntax.recover import parse_text
from graphwright_analysis.syntax.tree import parse_source
from graphwright_analysis.text import LineIndex, Range
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import sampled

ROOT = Path(__file__).parents[3]
OTHER_SOURCES = [
    *sorted((ROOT / "analysis" / "graphwright_analysis" / "syntax").glob("*.py")),
    *sorted((ROOT / "examples").glob("*.py"))[:20],
    *sorted(Path(__file__).parent.glob("*.py")),
    *(Path(ast.__file__).parent / name for name in ("ast.py", "bisect.py", "contextlib.py", "dataclasses.py")),
]
SNIPPETS = [
    *("x", " ", "\n", "    ", "(", ")", "[", "]", "{", "}", ":", ",", ".", "=", "'", '"', '"""', "'''", "\\", "#", "@"),
    *("\r", "\r\n", "\f", "\t", "\0", "é💥", "\ud800", "\ufeff", ";", "\\\n", "f'{", "if ", "else", "elif x:", "def "),
    *("\nclass A:\n", "\n@a\n", "\ndef f():\n", "\nreturn ", "async ", "try:\n", "except", "\n<<<<<<< HEAD\n", "case "),
    *("# graphwright: allow[a]\n", "x = [\n1,\n", "\nimport a\n", 'def f():\n    """', '"""Doc."""\n', "match x:\n"),
]


def described(module: Module) -> tuple[object, ...]:
    """Everything there is to a module but the identity of its blocks."""
    return (
        module.text,
        module.starts,
        [block.text for block in module.blocks],
        [placed(module, block) for block in module.blocks],
        [[part.block.text for part in block.parts] for block in module.blocks],
        [block.broken for block in module.blocks],
        [block.problems for block in module.blocks],
    )


def placed(module: Module, block: Block) -> list[tuple[str, list[Range]]]:
    """A block's statements, and where in the file each node is that says where it is."""
    return [
        (
            gast.dump(statement),
            [module.range_of(block, node) for node in gast.walk(statement) if hasattr(node, "lineno")],
        )
        for statement in block.statements
    ]


def check(module: Module) -> None:
    assert "".join(block.text for block in module.blocks) == module.text
    assert len(set(module.blocks)) == len(module.blocks) == len(module.starts) >= 1
    for block, start in zip(module.blocks, module.starts, strict=True):
        assert module.start_of(block) == start
        assert module.text.startswith(block.text, start)
        for comment in comments_in(block.text):
            assert module.text.startswith(comment.text, start + comment.range.start)
    for problem in module.errors:
        assert 0 <= problem.range.start <= problem.range.end <= len(module.text)
    suppressions(module)


def source(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def edited(text: str, choose: random.Random) -> str:
    start = choose.randint(0, len(text))
    kind = choose.random()
    if kind < 0.6:
        return text[:start] + choose.choice(SNIPPETS) + text[start:]
    end = min(len(text), start + int(choose.paretovariate(0.5)))
    if kind < 0.9:
        return text[:start] + text[end:]
    to = choose.randint(0, len(text))
    return text[:to] + text[start:end] + text[to:]


@pytest.mark.parametrize("path", sampled(OTHER_SOURCES, 4), ids=lambda path: path.name)
def test_edits_one_after_another_give_what_a_fresh_parse_gives(path: Path) -> None:
    choose = random.Random(path.name)
    text = source(path)
    start = choose.randint(0, len(text))
    text = text[start : start + 6_000]
    module = parse_module(text)
    for _ in range(25):
        text = edited(text, choose)
        module = parse_module(text, module)
        check(module)
        assert described(module) == described(parse_module(text))


def test_a_mark_at_the_beginning_is_one_there_alone():
    before, after = "\ufeffx", "\r\ufeffx"
    assert described(parse_module(after, parse_module(before))) == described(parse_module(after))


def test_a_blank_behind_a_backslash_counts():
    before, after = "xelif x:\r\n\\\n ", "xelif x:\r\n\\ \n "
    assert described(parse_module(after, parse_module(before))) == described(parse_module(after))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from([*SNIPPETS, "a = b\n", "    a = b\n", "if a:\n", "b(c)\n"]), max_size=25), st.data())
def test_any_text_is_parsed_and_edited(parts: list[str], data: st.DataObject) -> None:
    before = "".join(parts)
    cut_at = data.draw(st.integers(0, len(before)))
    after = before[:cut_at] + data.draw(st.sampled_from(SNIPPETS)) + before[cut_at:]
    module = parse_module(after, parse_module(before))
    check(module)
    assert described(module) == described(parse_module(after))


@pytest.mark.parametrize("path", OTHER_SOURCES, ids=lambda path: path.name)
def test_blocks_make_up_the_whole_tree(path: Path) -> None:
    text = source(path)
    module = parse_module(text)
    assert module.errors == ()
    whole = gast.parse(text)
    block = Block(text, tuple(whole.body), (), module.lines)
    found = [each for block in module.blocks for each in placed(module, block)]
    assert found == placed(Module(text, (block,), (0,), module.lines, {block: 0}, (0,)), block)


@pytest.mark.parametrize("path", OTHER_SOURCES, ids=lambda path: path.name)
@pytest.mark.parametrize("longest", [2_500, 600])
def test_taking_valid_code_apart_changes_nothing(path: Path, longest: int) -> None:
    text = source(path)
    parsed = parse_text(text, LineIndex(text), longest)
    stood_in_for = [text[part.start : part.end] for part in parsed.broken]
    assert all(len(part) > longest for part in stood_in_for)
    if not stood_in_for:
        assert _dumped(list(parsed.statements)) == _dumped(parse_source(text))


def _dumped(statements: list[gast.stmt]) -> list[str]:
    return [gast.dump(statement, include_attributes=True) for statement in statements]


def test_a_block_that_only_moved_is_the_same_object() -> None:
    text = "def f():\n    a\n\ndef g():\n    b\n\ndef h():\n    c\n"
    before = parse_module(text)
    after = parse_module(text.replace("    b\n", "    b\n    d\n"), before)
    assert after.blocks[0] is before.blocks[0]
    assert after.blocks[1] is not before.blocks[1]
    assert after.blocks[2] is before.blocks[2]
    assert after.start_of(after.blocks[2]) == before.start_of(before.blocks[2]) + len("    d\n")
    swapped = parse_module("def h():\n    c\ndef g():\n    b\n\ndef f():\n    a\n\n", before)
    assert swapped.blocks[1] is before.blocks[1]


def test_equal_blocks_stay_two_blocks() -> None:
    before = parse_module("f(x)\n" * 3)
    after = parse_module("f(x)\n" * 4, before)
    assert len(set(after.blocks)) == 4
    assert set(before.blocks) < set(after.blocks)
    fewer = parse_module("f(x)\n" * 2, after)
    assert list(fewer.blocks) == sorted(fewer.blocks, key=after.start_of)


def test_the_same_text_is_the_same_module() -> None:
    module = parse_module("x = 1\n")
    assert parse_module("x = 1\n", module) is module


@pytest.mark.parametrize("indented", [False, True])
def test_another_text_is_compared_with_each_old_block_once(indented: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []

    def code_in(text: str, lines: Sequence[LogicalLine]) -> tuple[str, ...] | None:
        looked.append(text)
        return same_code.code_in(text, lines)

    def text(name: str, count: int) -> str:
        functions = "".join(f"def {name}{n}(x):\n    return x + {n}\n\n" for n in range(count))
        return f"class C:\n{textwrap.indent(functions, '    ')}" if indented else functions

    before = parse_module(text("before", 50))
    monkeypatch.setattr(parse, "code_in", code_in)
    after = parse_module(text("after", 40), before)
    assert 40 <= len(looked) <= 50 + 40 + 4
    assert described(after) == described(parse_module(text("after", 40)))


def test_ranges_of_nodes_without_a_position() -> None:
    text = (
        "try:\n    a\nexcept (E, F) as é:\n    b = lambda: 1\ndef f(x, *, y=2):\n    pass\nfor i in [j for j in k]: w\n"
    )
    module = parse_module(text)
    seen: dict[str, str] = {}
    for block in module.blocks:
        for statement in block.statements:
            for node in gast.walk(statement):
                span = module.range_of(block, node)
                if isinstance(node, gast.ExceptHandler):
                    assert isinstance(node.name, gast.Name)
                    name = module.range_of(block, node.name)
                    seen["handler"] = text[name.start : name.end]
                elif isinstance(node, gast.arguments):
                    seen["arguments" if node.args else "none"] = text[span.start : span.end]
                elif isinstance(node, gast.comprehension):
                    seen["comprehension"] = text[span.start : span.end]
    assert seen == {"handler": "é", "arguments": "x, *, y=2", "none": "lambda: 1", "comprehension": "j in k"}
    assert module.blocks[0].range_of(gast.Name("x", gast.Load(), None, None)).end == 0


def test_block_at() -> None:
    module = parse_module("a\nb\n")
    assert [module.blocks.index(module.block_at(offset)) for offset in (-1, 0, 1, 2, 3, 4, 99)] == [0, 0, 0, 1, 1, 1, 1]
    assert parse_module("").block_at(0).text == ""


def test_a_tree_that_another_thread_has_spoiled_is_made_again(monkeypatch: pytest.MonkeyPatch):
    made = ast.parse
    spoiled = iter([True, False])

    def parse(*arguments: object, **named: object) -> object:
        if next(spoiled):
            raise SystemError("AST constructor recursion depth mismatch (before=48, after=86)")
        return made(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(ast, "parse", parse)
    assert len(parse_source("x = 1\n")) == 1
