"""TensorFlow's own spelling of what the passes rewrite: `tf.cond`, `tf.while_loop`, and flags for jumps.

What is staged is decided by the values that the analysis knows; where it knows none, ejecting is refused.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import gast
from graphwright_analysis.syntax.names import Symbol
from graphwright_analysis.values.domain import Composite, Constant, Dataset, Tensor, Unknown, Value, Variable

from graphwright.eject import (
    cases,
    collapsing,
    containers,
    copied_items,
    first_values,
    mixed_values,
    none_at_first,
    records,
    returned_records,
    seeds,
    shared_values,
    stacks,
)
from graphwright.eject.changes import ArgumentChange, changed_symbols
from graphwright.eject.frames import TensorFrame
from graphwright.eject.knowledge import WITH_SIGNATURE, FunctionKnowledge
from graphwright.eject.layout import as_argument, thunk, write_call
from graphwright.eject.observations import CalledFunction, GrownList, Observations, StateObject
from graphwright.eject.tested import tested_in
from graphwright.errors import ConversionError
from graphwright.passes.exits import ExitFrame
from graphwright.passes.operators import Piece
from graphwright.passes.style import Style
from graphwright.passes.surely_python import is_sure_by_words
from graphwright.passes.unit import walk

if TYPE_CHECKING:
    from graphwright.passes.blocks import Lowering
    from graphwright.passes.facts import Facts
    from graphwright.passes.state import Slot
    from graphwright.passes.unit import Unit


class TensorFlow(Style):
    """The style of one ejected function, and what was found out about it while it is written."""

    has_results = False
    keeps_match = True
    keeps_swaps = True

    def __init__(
        self,
        known: FunctionKnowledge,
        tf: str,
        operators: frozenset[str],
        written: Callable[[CalledFunction, Mapping[str, Value]], str | None] | None = None,
        observations: Observations | None = None,
    ) -> None:
        from graphwright.eject import expressions, statements

        self.known = known
        self.says_undefined = known.seen is None
        self.written = written
        self.observations = observations
        self.tf = tf
        self.operators = operators
        self.negation = f"{tf}.logical_not({{{{test}}}})"
        self.expressions: Mapping[str, Any] = expressions.HANDLERS
        self.statements: Mapping[str, Any] = statements.HANDLERS
        self.wrapped: dict[Any, str] = {}
        self.arrays: dict[str, str] = {}
        self.stacks: dict[str, tuple[str, Any]] = {}
        self.lengths: dict[str, int] = {}
        """How many elements those of `stacks` have that never change their length."""
        self.listed: dict[Any, str] = {}
        """Where such a list is returned, and is Python's: how it is made of the tensor again."""
        self.packed_values: dict[Any, StateObject] = {}
        """Objects that a side of a choice returns, which are written as their fields."""
        self.filled: dict[Any, list[str]] = {}
        """The calls that make an object, with the lists in it that become tensors."""
        self.unset: dict[str, str] = {}
        """Names that a loop gives their first value, with what they hold before it."""
        self.records: dict[str, StateObject] = {}
        self.popped: dict[Any, str] = {}
        self.called: list[str] = []
        self.python_flags, self.set_around = set[str](), set[str]()
        self.in_tests: dict[Any, Value] = {}
        self.tested: set[Any] = set()
        self.given_places: dict[str, str] = {}
        """The attributes that go into the next branch, by the names of its parameters."""

    def attribute(self, unit: Unit, holder: str, name: str) -> str:
        return ""

    def carried_length(self, facts: Facts, symbol: Symbol) -> int:
        # An attribute of what a dict or list holds under a constant key is one, too, as is an item of a dict.
        path = symbol.path
        if (path and path[-1].startswith(".")) or shared_values.carries_item(self, facts, symbol):
            return len(path)
        return super().carried_length(facts, symbol)

    def spelled(self, symbol: Symbol) -> str:
        return re.sub(r"\['([^'\"\\]*)'\]", r'["\1"]', str(symbol))

    def parameter_name(self, path: Sequence[str]) -> str:
        keys = [part.strip("[]'\"") for part in path if part.startswith("[")]
        if path[-1].startswith("["):
            return keys[-1] if keys[-1].isidentifier() else "item"
        name = super().parameter_name(path)
        return f"{keys[-1]}_{name}" if keys and keys[-1].isidentifier() else name

    def variable(self, alias: str, name: str) -> str:
        return ""

    @contextmanager
    def around(self, setup: Sequence[str]) -> Generator[None, None, None]:
        """While a loop's body is written: what the lines in front of the loop set."""
        before = self.set_around
        self.set_around = before | {line.partition(" =")[0] for line in setup}
        yield
        self.set_around = before

    # What is known

    def value(self, node: Any) -> Value:
        if isinstance(node, gast.Constant):
            return Constant(node.value)
        if self.arrays and node in self.tested and getattr(node, "id", "") in self.arrays:
            return Tensor("bool", ())
        if self.stacks and stacks.is_stack(self, node):
            return stacks.value(self, stacks.name_of(node))
        if self.stacks and stacks.is_part(self, node):
            return stacks.value(self, stacks.name_of(stacks.part_of(node)))
        if self.stacks and stacks.is_item(self, node):
            return stacks.element(self, stacks.name_of(node.value))
        value = self.in_tests.get(node) or self.known.value(node)
        if isinstance(value, GrownList) and isinstance(node, gast.Call):
            # What a function has filled comes back as a tensor.
            return Tensor(value.dtype, None if value.shape is None else (None, *value.shape))
        return value

    def holds_list(self, name: str) -> bool:
        """True if a name is a list of the user's that the graph has as an array or a tensor."""
        return name in self.arrays or name in self.stacks

    def is_tensor(self, node: gast.AST) -> bool:
        """Whether an expression surely gives a tensor."""
        return isinstance(self.value(node), (Tensor, Variable))

    def is_python(self, node: Any, facts: Any) -> bool:
        if node in facts.unit.templates:
            return self._is_made_of_python(node, facts)
        if isinstance(node, (gast.List, gast.Tuple, gast.Set, gast.Dict)):
            return True
        iterates = isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id in _ITERATING
        if iterates and node.args and not (self.known.seen and isinstance(self.known.seen.values.get(node), Tensor)):
            return all(self.is_python(part, facts) for part in node.args)
        compared = [part for part in walk(node)[1:] if isinstance(part, gast.Compare)]
        if isinstance(node, gast.BoolOp) and any(map(self.is_tensor, compared)):
            return False
        value = self.value(node)
        if isinstance(value, (Tensor, Variable, Dataset)):
            return False
        if isinstance(value, Composite) and value.kind == "RaggedTensor" and self.known.seen is not None:
            return False
        if isinstance(value, Composite):
            raise ConversionError(f"plain TensorFlow has no simple equivalent for a {value.kind}", line=node.lineno)
        if not isinstance(value, Unknown) or is_sure_by_words(node, facts):
            return True
        if isinstance(node, gast.BoolOp) and any(not self.is_python(part, facts) for part in node.values):
            return False
        if self.known.is_unreached(node):
            return True
        raise self.unknown(node, facts)

    def unknown(self, node: gast.expr, facts: Facts) -> ConversionError:
        """The refusal for an expression of which it isn't known whether it gives a tensor."""
        text = " ".join(facts.unit.original(*facts.unit.span(node)).split())
        read = [part for part in walk(node) if isinstance(part, gast.Name)]
        names = [part.id for part in read if isinstance(self.known.values.get(part), Unknown)]
        around = facts
        parameters: set[str] = set()
        while around is not None:
            parameters |= around.parameters
            around = around.outer
        receiver = facts.first_parameter if facts.unit.class_name else None
        given = [name for name in dict.fromkeys(names) if name in parameters and name != receiver]
        if given:
            shown = ", ".join(f"`{name}: tf.Tensor`" for name in given)
            instead = f"annotate the parameter ({shown}, or a Python type), or {WITH_SIGNATURE}"
        elif names:
            instead = f"the type of `{names[0]}` is unknown here: make it a parameter, or use `tf.convert_to_tensor`"
        else:
            instead = "this code is unreachable with the assumed arguments: pass a `signature` that reaches it"
        return ConversionError(f"`{text}` may or may not be a tensor: {instead}", line=node.lineno)

    def _is_made_of_python(self, node: Any, facts: Any) -> bool:
        _, parts = facts.unit.templates[node]
        if isinstance(node, gast.Name):
            return node.id not in facts.staged_names
        return all(self.is_python(part, facts) for part in parts.values())

    def changed_in_call(self, node: gast.AST) -> list[Any] | None:
        changes = self.changes_in(node)
        return None if changes is None else [symbol for symbol, _ in changes if symbol is not None]

    def changes_in(self, node: Any) -> list[tuple[Any, ArgumentChange]] | None:
        """What a call of a function that was seen changes; None for other calls."""
        seen = self.known.seen
        found = seen.callees.get(node.func, ()) if seen is not None and self.observations is not None else ()
        known = [changed_symbols(cast(Observations, self.observations), node, callee) for callee in found]
        if not known or None in known:
            return None
        return [change for changes in known for change in changes or ()]

    def takes_off(self, call: gast.AST) -> bool:
        """Whether a call takes an element off a list that has become a tensor."""
        return bool(self.stacks) and call in stacks.pops_in(self, call)

    # How functions end

    def begin(self, lowering: Lowering) -> None:
        self.tested |= tested_in(lowering.facts.node)
        cases.find(self, lowering.facts)
        none_at_first.find(self, lowering.facts)
        seeds.prepare(self, lowering)
        copied_items.refuse_choices(self, lowering.facts)
        first_values.prepare(self, lowering.facts)

    def frame(self, lowering: Lowering, kind: Any, results: tuple[str, ...] = (), **rest: Any) -> ExitFrame:
        needs_zero = "returned" in rest or "return" in rest.get("flags", ())
        return TensorFrame(
            kind,
            "",
            results,
            zero=seeds.zero(self, lowering) if needs_zero and self.returns_in(lowering) else "",
            packed=functools.partial(records.packed, self),
            returns=any(part.value is not None for part in self.returns_in(lowering)),
            line=getattr(lowering.facts.node, "lineno", 1),
            **rest,
        )

    def returns_in(self, lowering: Lowering) -> list[Any]:
        return [part for part in lowering.facts.statements if isinstance(part, gast.Return)]

    def at_end(self, lowering: Lowering, line: int | None) -> None:
        if lowering.nested:
            lowering.frame.leaving("end")

    def flag(self, unit: Unit, jump: str) -> str:
        if jump == "return":
            return f"{unit.fresh('returned')}, {unit.fresh('result')}"
        return super().flag(unit, jump)

    def flag_test(self, jump: str, flag: str) -> str:
        return flag.split(", ")[0]

    def flag_value(self, flag: str, frame: ExitFrame) -> str:
        return flag.split(", ")[-1]

    def collapsed(self, lines: Sequence[tuple[str, int]]) -> str | None:
        return collapsing.expression_of(lines, self.tf)

    # How a choice is written

    def argument(self, lowering: Lowering, slot: Slot, line: int) -> str:
        # Both sides are traced, and what the first one leaves in the place isn't the other's.
        if not slot.prologue:
            return containers.copied(self, lowering.facts, slot) if slot.always else slot.text
        self.given_places[slot.parameter] = slot.text
        return str(slot.parameter)

    def call(
        self,
        lowering: Lowering,
        targets: str,
        operator: str,
        pieces: Sequence[Any],
        arguments: Sequence[str],
        line: int,
    ) -> bool:
        if operator != "if_":
            raise ConversionError("plain TensorFlow has no simple equivalent", line=line)
        targets, following = returned_records.targets_of(self, lowering, targets)
        written = self._choice(lowering, targets, pieces, arguments, line)
        if following:
            lowering.line(following, line)
        return written

    def _choice(
        self, lowering: Lowering, targets: str, pieces: Sequence[Any], arguments: Sequence[str], line: int
    ) -> bool:
        test, first, second = pieces
        first, second = self._with_places(lowering, (first, second), line)
        sides = [thunk(containers.with_copies(piece, arguments), arguments) for piece in (first, second)]
        if test.node is not None and self.is_python(test.node, lowering.facts):
            chosen = [side[8:] if side.startswith("lambda: ") else f"{side}()" for side in sides]
            lowering.line(f"{targets}{chosen[0]} if {test.text} else {chosen[1]}", line)
            self.python_flags.update(re.findall(r"\w+", targets))
            return True
        text = test.text if test.node is None else self.as_bool(test.node, test.text)
        # The branch or iteration that Python runs may say `False`, which `tf.cond` doesn't accept.
        first_python = test.node is not None and mixed_values.is_python_at_first(lowering.facts, test.node)
        if first_python or (test.node is None and text in self.python_flags):
            text = f"{self.tf}.convert_to_tensor({text})"
        test = replace(test, text=as_argument(text))
        whole = [test, Piece(sides[0], first.line), Piece(sides[1], second.line)]
        write_call(lowering, f"{targets}{self.tf}.cond(", whole, line)
        records.after(lowering, targets.removesuffix(" = ").split(", "), line)
        return True

    def _with_places(self, lowering: Lowering, sides: Sequence[Piece], line: int) -> list[Piece]:
        """The sides of a branch; what the second one reads of attributes that the first one sets is read in front."""
        places, self.given_places = self.given_places, {}
        first, second = sides
        needed = set[str]()
        for side in sides:
            if side.expression is None:
                needed |= set(places) - side.left_out
            elif first.expression is None:
                needed |= {name for name in places if re.search(rf"\b{name}\b", side.expression)}
        for parameter, text in places.items():
            if parameter in needed:
                lowering.line(f"{parameter} = {text}", line)
        if first.expression is not None:
            first = replace(first, expression=collapsing.with_dotted(first.expression, places), text="")
            if second.expression is not None:
                second = replace(second, expression=collapsing.with_dotted(second.expression, places), text="")
        return [first, second]

    def as_bool(self, node: gast.AST, text: str) -> str:
        """A tensor as a condition."""
        if stacks.is_stack(self, node):
            return f"{self.tf}.shape({text})[0] > 0"
        # `and` and `or` are conditions where only their truth matters.
        dtype = None if isinstance(node, gast.BoolOp) else getattr(self.value(node), "dtype", None)
        return text if dtype in (None, "bool") else f"{self.tf}.cast({text}, {self.tf}.bool)"


_ITERATING = frozenset({"range", "enumerate", "zip", "reversed"})
