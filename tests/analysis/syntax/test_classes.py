"""A class is parsed by its parts: each method alone, and what stands between two of them."""

from __future__ import annotations

import gast
from graphwright_analysis.syntax import Block, Module, parse_module

CLASS = '''@decorated
class Model(Base):
    """A model."""

    size = 3  # of it
    # A comment of its own.

    @tf.function
    def first(self, x):
        return x

    def second(self):
        if self:
            return 1
        else:
            return 2


    if size:
        kind = "large"
    else:
        kind = "small"

    class Inner:
        def third(self): pass
# After the class.
'''


def parts(text: str) -> list[str]:
    (block,) = parse_module(text).blocks
    return [part.block.text for part in block.parts]


def test_a_class_is_cut_into_header_definitions_and_what_is_between() -> None:
    found = parts(CLASS)
    assert [part.strip().splitlines()[0] for part in found] == [
        "@decorated", '"""A model."""', "@tf.function", "def second(self):", "if size:", "class Inner:"
    ]  # fmt: skip
    assert found[0] == "@decorated\nclass Model(Base):\n    pass\n"
    assert found[1].endswith("size = 3  # of it\n")
    assert not any("# A comment" in part or "# After" in part for part in found)


def test_places_in_a_part_are_places_in_the_file() -> None:
    module = parse_module("import a\n" + CLASS)
    block = module.blocks[1]
    for part in block.pieces[1:]:
        for statement in part.statements:
            in_class, in_part = module.range_of(block, statement), module.range_of(part, statement)
            assert in_class == in_part
            assert module.text[in_part.start : in_part.end] == part.text[slice(*part.range_of(statement))]
            assert module.report_blocks[part][0] is block
    (model,) = block.statements
    assert isinstance(model, gast.ClassDef)
    assert module.text[slice(*module.range_of(block, model))].startswith("class Model")
    assert module.text[slice(*module.range_of(block, model))].endswith("third(self): pass")
    assert block.lines_of(model) == (2, 25)
    assert block.lines_of(model.body[-1]) == (24, 25)


def unchanged(before: str, after: str) -> tuple[set[str], Module]:
    """The first lines of the parts that are the same objects after an edit."""
    old = parse_module(before)
    new = parse_module(after, old)
    kept = {part for block in old.blocks for part in block.pieces} & {
        part for block in new.blocks for part in block.pieces
    }
    return {part.text.strip().splitlines()[0] for part in kept}, new


def test_an_edit_parses_the_method_that_it_is_in() -> None:
    kept, module = unchanged(CLASS, CLASS.replace("return 1", "return 1 + 2\n            # more"))
    assert kept == {"@decorated", '"""A model."""', "@tf.function", "if size:", "class Inner:"}
    assert module.errors == ()


def test_a_blank_line_or_a_comment_between_methods_parses_nothing() -> None:
    kept, _ = unchanged(CLASS, CLASS.replace("    # A comment of its own.\n", "\n\n    # Another.\n\n"))
    assert len(kept) == 6


def test_a_method_that_moves_is_the_same() -> None:
    first = CLASS[CLASS.index("    @tf.function") : CLASS.index("    def second")]
    kept, _ = unchanged(CLASS, CLASS.replace(first, "").replace("    class Inner", f"{first}    class Inner"))
    assert len(kept) == 6


def test_what_is_half_typed_costs_its_part() -> None:
    kept, module = unchanged(CLASS, CLASS.replace("return 1", "return ("))
    assert kept == {"@decorated", '"""A model."""', "@tf.function", "if size:", "class Inner:"}
    (problem,) = module.errors
    assert module.lines.line_of(problem.range.start) == 13
    block: Block = module.blocks[0]
    assert all(module.text[slice(*broken)].startswith("return (") for broken in block.broken)


def test_what_has_no_methods_of_one_depth_stays_whole() -> None:
    assert parts("class A:\n    x = 1\n") == []
    assert parts("class A: pass\n") == []
    assert parts("class A:\n        def f(self): pass\n    x = 1\n") == []
    assert parts("def f():\n    def g(): pass\n") == []
    assert parts("class A(\n    def f(self): pass\n") == ["class A(\n    pass\n", "    def f(self): pass\n"]
