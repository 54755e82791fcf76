"""Statements without control flow of their own, and compound ones that stay as they are.

Before:

    x[i] = v
    assert x > 0, "too small"

After:

    x = gw.set_item(x, i, v)
    gw.assert_(x > 0, lambda: "too small")

`del y` is `y = gw.undefined("y")` where `y` is part of a state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from graphwright_analysis.flow.tree import kind_of

from graphwright.passes import calls, operators
from graphwright.passes.exits import Frame, Jump
from graphwright.passes.jumps import jumps_out
from graphwright.passes.slots import coming_out, going_in, written_slots
from graphwright.passes.unit import as_alone, as_operand


def statement(lowering: Any, node: Any) -> bool:
    """Write a simple statement; True if control doesn't go on behind it."""
    handler = _HANDLERS.get(kind_of(node))
    if handler is not None:
        return handler(lowering, node)
    rendered(lowering, node)
    return False


def rendered(lowering: Any, node: Any, text: str | None = None) -> None:
    """A statement with its expressions rendered, and the comment behind it."""
    line = lowering.read(node)(node) if text is None else text
    lowering.line(line + _comment_behind(lowering.unit, node), node)


def verbatim(lowering: Any, node: Any) -> None:
    """A statement exactly as it was written."""
    unit = lowering.unit
    first = min([node, *node.decorator_list], key=lambda part: part.lineno)
    start = unit.lines.starts[first.lineno - 1] + unit.indent_of(node)
    lowering.writer.add(unit.original(start, unit.span(node)[1]), first.lineno, unit.indent_of(node))


def _comment_behind(unit: Any, node: Any) -> str:
    if node in unit.templates:
        return ""
    end = unit.span(node)[1]
    line_end = unit.text.find("\n", end)
    tail = unit.text[end : line_end if line_end >= 0 else len(unit.text)].rstrip()
    return tail if tail.lstrip().startswith("#") else ""


def _return(lowering: Any, node: Any) -> bool:
    frame: Frame = lowering.frame
    if node.value is None:
        if frame.kind == "function" and not frame.extra:
            rendered(lowering, node, "return")
        else:
            lowering.line(f"return {_left(lowering, node, 'return', frame.given('None'))}", node)
        return True
    if frame.kind == "function" and not frame.extra:
        rendered(lowering, node)
        return True
    value = as_alone(lowering.read(node)(node.value), node.value)
    if "(" in value and any(map(lowering.facts.is_shared, (*frame.extra, *frame.results))):
        # What is called may set what is given back beside its value.
        outcome = lowering.unit.fresh("outcome")
        lowering.line(f"{outcome} = {value}", node)
        value = outcome
    lowering.line(
        f"return {_left(lowering, node, 'return', frame.given(value))}" + _comment_behind(lowering.unit, node), node
    )
    return True


def _left(lowering: Any, node: Any, jump: Jump, value: str = "") -> str:
    """What is given back when a jump is taken; what has no value then is nobody's concern."""
    frame: Frame = lowering.frame
    if frame.kind == "branch":
        read_finally = lowering.facts.live_out(node)
        unset = {
            name
            for name in frame.results
            if name in lowering.facts.own
            and name not in lowering.facts.undefinable
            and (
                lowering.facts.is_perhaps_undefined(node, name)
                or (jump == "return" and name not in {*frame.parameters, *lowering.facts.declared, *read_finally})
            )
        }
        results = tuple(f"{lowering.gw}.never" if name in unset else name for name in frame.results)
        frame = replace(frame, results=results)
    return frame.leaving(jump, value)


def _jump(lowering: Any, node: Any) -> bool:
    word: Any = kind_of(node).lower()
    if lowering.frame.in_native_loop:
        rendered(lowering, node, word)
    else:
        lowering.line(f"return {_left(lowering, node, word)}", node)
    return True


def _raise(lowering: Any, node: Any) -> bool:
    if node.exc is None or not lowering.nested:
        rendered(lowering, node)
    else:
        rendered(lowering, node, f"return {lowering.gw}.raise_({lowering.read(node)(node.exc)})")
    return True


def _assert(lowering: Any, node: Any) -> bool:
    read = lowering.read(node)
    message = f", lambda: {read(node.msg)}" if node.msg is not None else ""
    rendered(lowering, node, f"{lowering.gw}.assert_({read(node.test)}{message})")
    return False


def _declaration(lowering: Any, node: Any) -> bool:
    """`global` and `nonlocal` count for a whole function: those inside other statements stand at its beginning."""
    if node not in lowering.facts.inner_declarations:
        rendered(lowering, node)
    return False


def _delete(lowering: Any, node: Any) -> bool:
    names = [target.id for target in node.targets if kind_of(target) == "Name"]
    if len(names) == len(node.targets) and any(name in lowering.facts.undefinable for name in names):
        for name in names:
            lowering.line(f'{name} = {lowering.gw}.undefined("{name}")', node)
    else:
        rendered(lowering, node)
    return False


def _assign(lowering: Any, node: Any) -> bool:
    target = node.targets[0]
    if len(node.targets) == 1 and _is_unpacking(lowering, node):
        read = lowering.read(node)
        (start, end), (value_start, value_end) = lowering.unit.span(node), lowering.unit.span(node.value)
        targets, closing = lowering.unit.original(start, value_start), lowering.unit.original(value_end, end)
        parts = operators.unrolled(lowering.gw, read(node.value), node.targets[0])
        rendered(lowering, node, f"{targets}{parts}{closing}")
    elif len(node.targets) == 1 and _is_item_of_local(lowering, target):
        _set_item(lowering, node, target, lowering.read(node)(node.value))
    else:
        rendered(lowering, node)
    return False


def _is_unpacking(lowering: Any, node: Any) -> bool:
    """Whether what is unpacked may be a tensor, which in a graph can't be walked over."""
    if node in lowering.unit.templates or kind_of(node.targets[0]) not in ("Tuple", "List"):
        return False
    value = node.value
    return kind_of(value) in ("Name", "Attribute", "Subscript") and getattr(value, "attr", "") != "shape"


def _augmented(lowering: Any, node: Any) -> bool:
    if not _is_item_of_local(lowering, node.target) or node.target.value.id in lowering.facts.containers:
        rendered(lowering, node)
        return False
    read = lowering.read(node)
    sign = _SIGNS[kind_of(node.op)]
    key = _key(read, node.target.slice)
    item = f"{lowering.gw}.get_item({node.target.value.id}, {key})"
    value = read(node.value)
    _set_item(lowering, node, node.target, f"{item} {sign} {as_operand(value, node.value, tight=True)}")
    return False


def _expression(lowering: Any, node: Any) -> bool:
    """`gw.set_element_type(xs, ...)` gives the list that knows; all else stands as it is."""
    value = node.value
    called = calls.dotted(value.func) if kind_of(value) == "Call" else None
    if called and called.split(".")[-1] == "set_element_type" and value.args and kind_of(value.args[0]) == "Name":
        rendered(lowering, node, f"{value.args[0].id} = {lowering.read(node)(value)}")
    else:
        rendered(lowering, node)
    return False


def _is_item_of_local(lowering: Any, target: Any) -> bool:
    if kind_of(target) != "Subscript" or kind_of(target.value) != "Name":
        return False
    name, key, facts = target.value.id, target.slice, lowering.facts
    if name not in facts.own or name in facts.declared:
        return False
    if kind_of(key) == "Constant":
        return not isinstance(key.value, str) and name not in facts.containers
    return name not in facts.containers or name in facts.lists


def _set_item(lowering: Any, node: Any, target: Any, value: str) -> None:
    name = target.value.id
    key = _key(lowering.read(node), target.slice)
    value = as_alone(value, node.value)
    rendered(lowering, node, f"{name} = {lowering.gw}.set_item({name}, {key}, {value})")


def _key(read: Any, node: Any) -> str:
    """What stands in square brackets, as an expression."""
    if kind_of(node) == "Slice":
        parts = [node.lower, node.upper, node.step]
        texts = [read(part) if part is not None else "None" for part in parts]
        return f"slice({', '.join(texts if node.step is not None else texts[:2])})"
    if kind_of(node) == "Tuple":
        return f"({', '.join(_key(read, part) for part in node.elts)}{',' if len(node.elts) == 1 else ''})"
    return read(node)


def compound(lowering: Any, node: Any, rest: Sequence[Any], tail: bool) -> bool:
    """A `with`, `try` or `match`, which stays; bodies that can be left under a tensor condition become calls."""
    facts = lowering.facts
    flags: list[str] = []
    if facts.has_staged_jump([node]):
        flags = [jump for jump in ("break", "continue", "return") if jump in jumps_out([node])]
    names = operators.flag_names(lowering, flags)
    final: list[Any] = getattr(node, "finalbody", [])
    overrides = facts.has_staged_jump(final)
    if flags and not _lets_errors_pass(lowering, node):
        for flag, name in zip(flags, names, strict=True):
            lowering.line(f"{name} = {_not_taken(lowering, flag)}", node)
    called = bool(flags) and (facts.has_staged_jump(getattr(node, "body", [])) or overrides)
    for header, part, body in _clauses(lowering, node):
        if header:
            lowering.line(header, part)
        inner = lowering.in_block()
        if kind_of(node) == "Match":
            inner.writer.column += 4
        if overrides and body is final:
            _overriding_body(inner, body, flags, names, node)
        elif called and kind_of(node) in ("Try", "TryStar") and body is node.orelse:
            _unless_left(inner, body, flags, names, node)
        elif flags and (facts.has_staged_jump(body) or (overrides and jumps_out(body))):
            _called_body(inner, body, flags, names, node)
        else:
            inner.block(body, tail=False)
        lowering.writer.extend(inner.writer)
        if not inner.writer.lines:
            inner.line("pass", part)
            lowering.writer.extend(inner.writer)
    if flags:
        operators.after_flags(lowering, flags, names, rest, node)
        return True
    return False


def _lets_errors_pass(lowering: Any, node: Any) -> bool:
    """Whether a `with` surely swallows no error: only contextlib's, and those that the user has written, may."""
    names = [calls.dotted(getattr(item.context_expr, "func", None)) for item in getattr(node, "items", ())]
    roots = [name.split(".")[0] if name else "" for name in names]
    return bool(names) and all(root in lowering.unit.library and root not in _SWALLOWING for root in roots)


_SWALLOWING = frozenset({"contextlib", "suppress", "ExitStack"})


def _unless_left(lowering: Any, body: list[Any], flags: list[str], names: list[str], node: Any) -> None:
    """The `else` of a `try`, whose body may have been left by a jump: then it isn't run."""
    facts, unit, line = lowering.facts, lowering.unit, body[0].lineno
    slots = written_slots(facts, body)
    ins = going_in(facts, slots, body[0], facts.live_in(body[0]))
    outs = coming_out(slots, _live_behind(facts, body, node), ins)
    frame = unit.style.frame(lowering, "branch", tuple(slot.text for slot in outs), flags=tuple(flags))
    piece = operators.body_function(lowering, unit.fresh("otherwise"), ins, body, frame, line, collapse=False)
    kept = [*names, *(slot.parameter if slot in ins else f"{lowering.gw}.never" for slot in outs)]
    parameters = ", ".join(slot.parameter for slot in ins)
    values = f"({', '.join(kept)})" if len(kept) > 1 else kept[0]
    keep = f"lambda {parameters}: {values}" if parameters else f"lambda: {values}"
    pieces = [operators.Piece(_any_taken(lowering, flags, names), line), operators.Piece(keep, line), piece]
    arguments = [slot.text for slot in ins]
    operators.assigned(
        lowering, names, outs, lambda targets: operators.call(lowering, targets, "if_", pieces, arguments, line), line
    )


def _any_taken(lowering: Any, flags: list[str], names: list[str]) -> str:
    """The condition that one of the jumps was taken."""
    taken = [lowering.unit.style.flag_test(flag, name) for flag, name in zip(flags, names, strict=True)]
    text = taken[-1]
    for test in reversed(taken[:-1]):
        text = f"{lowering.gw}.or_({test}, lambda: {text})"
    return text


def _not_taken(lowering: Any, flag: str) -> str:
    return f"{lowering.gw}.pending" if flag == "return" else "False"


def _overriding_body(lowering: Any, body: list[Any], flags: list[str], names: list[str], node: Any) -> None:
    """The body of a `finally` that may be left: then it is of no importance how the others were left."""
    line = body[0].lineno
    unit = lowering.unit
    own = [unit.fresh(f"last_{name}") for name in names]
    _called_body(lowering, body, flags, own, node)
    pieces = [
        operators.Piece(_any_taken(lowering, flags, own), line),
        operators.Piece(f"lambda: ({', '.join(own)})" if len(own) > 1 else f"lambda: {own[0]}", line),
        operators.Piece(f"lambda: ({', '.join(names)})" if len(own) > 1 else f"lambda: {names[0]}", line),
    ]
    operators.call(lowering, f"{', '.join(names)} = ", "if_", pieces, [], line)


def place_to_split(facts: Any, statements: Sequence[Any]) -> int:
    """Behind how many statements the rest becomes a function of its own: each early end nests what follows it."""
    count = 0
    for number, part in enumerate(statements):
        if count == DEEPEST and number < len(statements) - 1:
            return number
        count += kind_of(part) in ("If", "For", "While") and facts.has_staged_jump([part])
    return 0


def in_parts(lowering: Any, first: Sequence[Any], rest: Sequence[Any]) -> None:
    """The first statements as a function that is called at once, and then the rest unless they have left."""
    jumps = jumps_out(first)
    flags = [jump for jump in ("break", "continue", "return") if jump in jumps]
    names = operators.flag_names(lowering, flags)
    _called_body(lowering, list(first), flags, names, first[-1])
    operators.after_flags(lowering, flags, names, rest, first[-1])


def _called_body(lowering: Any, body: list[Any], flags: list[str], names: list[str], node: Any) -> None:
    """A body as a function that is called at once, so that all that leaves it comes out in one place."""
    facts = lowering.facts
    slots = written_slots(facts, body)
    live = _live_behind(facts, body, node)
    ins = going_in(facts, slots, body[0], facts.live_in(body[0]))
    outs = coming_out(slots, live, ins)
    frame = lowering.unit.style.frame(lowering, "branch", tuple(slot.text for slot in outs), flags=tuple(flags))
    name = lowering.unit.fresh("body")
    piece = operators.body_function(lowering, name, ins, body, frame, body[0].lineno, collapse=False)
    text = f"{piece.text}({', '.join(slot.text for slot in ins)})"
    operators.assigned(lowering, names, outs, lambda targets: lowering.line(targets + text, body[0]), body[0].lineno)


def _live_behind(facts: Any, body: list[Any], node: Any) -> frozenset[str]:
    """What may be read behind a body of a compound statement, in its `else` and `finally` as well."""
    later = [node.orelse, node.finalbody] if kind_of(node) in ("Try", "TryStar") else []
    return facts.live_out(node).union(*[facts.live_in(block[0]) for block in later if block and block is not body])


def _clauses(lowering: Any, node: Any) -> list[tuple[str, Any, list[Any]]]:
    """The headers and bodies of a compound statement; headers that are only a word have no place of their own."""
    kind = kind_of(node)
    read = lowering.read(node)
    if kind in ("With", "AsyncWith"):
        items = ", ".join(_with_item(lowering, item) for item in node.items)
        return [(f"{'async ' if kind == 'AsyncWith' else ''}with {items}:", node, node.body)]
    if kind == "Match":
        clauses: list[tuple[str, Any, list[Any]]] = []
        lowering.line(f"match {as_alone(read(node.subject))}:", node)
        for case in node.cases:
            guard = f" if {lowering.read(case)(case.guard)}" if case.guard is not None else ""
            start, end = lowering.unit.span(case.pattern)
            pattern = lowering.unit.original(start, end)
            clauses.append((f"    case {pattern}{guard}:", case.pattern, case.body))
        return clauses
    clauses = [("try:", node, node.body)]
    star = "*" if kind == "TryStar" else ""
    for handler in node.handlers:
        caught = f" {lowering.read(handler)(handler.type)}" if handler.type is not None else ""
        bound = f" as {handler.name.id}" if handler.name is not None else ""
        clauses.append((f"except{star}{caught}{bound}:", handler, handler.body))
    if node.orelse:
        clauses.append(("else:", node.orelse[0].lineno - 1, node.orelse))
    if node.finalbody:
        clauses.append(("finally:", node.finalbody[0].lineno - 1, node.finalbody))
    return clauses


def _with_item(lowering: Any, item: Any) -> str:
    read = lowering.read(item)
    bound = f" as {read(item.optional_vars)}" if item.optional_vars is not None else ""
    return as_alone(read(item.context_expr)) + bound


DEEPEST = 16
"""How many early ends are nested in one another; Python itself allows indentation a hundred levels deep."""

_HANDLERS = {
    "Return": _return,
    "Break": _jump,
    "Continue": _jump,
    "Raise": _raise,
    "Assert": _assert,
    "Delete": _delete,
    "Assign": _assign,
    "AugAssign": _augmented,
    "Expr": _expression,
    "Global": _declaration,
    "Nonlocal": _declaration,
}
_SIGNS = {
    "Add": "+",
    "Sub": "-",
    "Mult": "*",
    "Div": "/",
    "FloorDiv": "//",
    "Mod": "%",
    "Pow": "**",
    "MatMult": "@",
    "BitAnd": "&",
    "BitOr": "|",
    "BitXor": "^",
    "LShift": "<<",
    "RShift": ">>",
}
