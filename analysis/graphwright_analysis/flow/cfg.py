"""Control-flow graphs: in which orders the statements of a function, class, module or block may run.

What statements do to variables isn't looked at; `flow.activity` tells that.

- A compound statement has no node of its own but nodes for its header: `test`, `iterate` and `target`,
  `with`, `handler`, `subject`, `case`.
- A test has one node, unless there is a walrus in the later operands of its `and` or `or`: then each operand
  has one, so that what the walrus binds is known to be bound where it is.
- Nested functions and classes are opaque statements.
- A `finally` block is copied for each way into it (normal, exception, return, break, continue), so its
  statements may have several nodes: `nodes_of` gives all. From the third such block inside another on,
  one copy serves all ways.
- Inside `try`, every statement that may raise has an exceptional edge to what catches or finalises. Outside,
  only `raise` and `assert` lead to `graph.raised`. `except Exception` counts as catching everything, and a
  `with` as catching nothing, unless it is called `suppress`, `raises`, `assertRaises` or the like.
- An exceptional edge is taken before, during or after the effects of its node. So is the edge by which a
  match case doesn't match.
- `while True` leaves only by `break` and the like, `assert False` only by raising.
- A `return`, `break` or `continue` with nothing to leave leaves the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from graphwright_analysis.flow.graph import Graph, Node, NodeKind
from graphwright_analysis.flow.tree import FUNCTIONS, children, kind_of, nodes_in

_BODIES = (*FUNCTIONS, gast.Lambda, gast.ClassDef, gast.Module)
_SUPPRESSING = frozenset({"suppress", "raises", "assertRaises", "assertRaisesRegex"})
# How deep finally blocks inside finally blocks are copied.
_COPY_DEPTH = 2


def build_cfg(code: gast.AST | Sequence[gast.AST], may_swallow: Callable[[Any], bool] | None = None) -> Graph:
    """The graph of a function, lambda, class or module, or of statements on their own.

    `may_swallow` tells whether a `with` may swallow errors; without it, only those do that are named for it.
    """
    if isinstance(code, gast.AST):
        # A single statement of another kind is a block of one.
        opens = isinstance(code, _BODIES)
        body: Any = getattr(code, "body", None) if opens else [code]
        tree = code if opens else None
    else:
        body, tree = list(code), None
    graph = Graph(tree, nodes_in(body if isinstance(body, list) else [body]))
    _GraphBuilder(graph, may_swallow or _suppresses).build()
    return graph


# A loose end: a node, and whether what leaves it there is an exception.
_End = tuple[Node, bool]


@dataclass(slots=True)
class _Jumps:
    """Loose ends that wait for the place to which they jump."""

    raises: list[_End] = field(default_factory=lambda: list[_End]())
    returns: list[_End] = field(default_factory=lambda: list[_End]())
    breaks: list[_End] = field(default_factory=lambda: list[_End]())
    continues: list[_End] = field(default_factory=lambda: list[_End]())

    def ways(self) -> list[list[_End]]:
        return [self.raises, self.returns, self.breaks, self.continues]

    def extend(self, other: _Jumps) -> None:
        for mine, others in zip(self.ways(), other.ways(), strict=True):
            mine.extend(others)


class _GraphBuilder:
    """Builds a graph bottom-up: each method takes the loose ends that lead to a construct and returns those
    that lead on from it, and leaves its jumps in `self.jumps`."""

    def __init__(self, graph: Graph, may_swallow: Callable[[Any], bool]) -> None:
        self.graph = graph
        self.may_swallow = may_swallow
        self.jumps = _Jumps()
        # How many constructs around would notice an exception.
        self.guards = 0
        self.copy_depth = 0

    def build(self) -> None:
        graph, jumps = self.graph, self.jumps
        ends = self.block(graph.body, [(graph.entry, False)])
        for loose in (ends, jumps.returns, jumps.breaks, jumps.continues):
            _connect(loose, graph.exit)
        _connect(jumps.raises, graph.raised)
        for node in graph.nodes:
            for successor in node.successors:
                successor.predecessors.append(node)
        graph.before = {statement: graph.nodes[spans[0][0]] for statement, spans in graph.spans.items()}

    def block(self, statements: Any, ends: list[_End]) -> list[_End]:
        for statement in nodes_in(statements):
            ends = self.statement(statement, ends)
        return ends

    def statement(self, statement: gast.AST, ends: list[_End]) -> list[_End]:
        construct = _CONSTRUCTS.get(kind_of(statement))
        if construct is None:
            return [(self.step("statement", statement, ends), False)]
        start = len(self.graph.nodes)
        ends = construct(self, statement, ends)
        self.span(statement, start)
        return ends

    def step(self, kind: NodeKind, statement: gast.AST, ends: list[_End]) -> Node:
        """Add a node after loose ends; what it may raise goes to whoever notices."""
        node = self.graph.add(kind, statement)
        _connect(ends, node)
        if self.guards and _may_raise(kind, statement):
            self.jumps.raises.append((node, True))
        if kind not in ("handler", "unbind", "case"):
            self.span(statement, node.index)
        return node

    def span(self, statement: gast.AST, start: int) -> None:
        """Note that the nodes from `start` on belong to a statement."""
        end = len(self.graph.nodes)
        if end == start:
            return
        spans = self.graph.spans.setdefault(statement, [])
        if (start, end) not in spans:
            spans.append((start, end))

    def finish(self, ends: list[_End], inner: _Jumps, clean_up: Callable[[list[_End]], list[_End]]) -> list[_End]:
        """Put a clean-up on every way out: after `ends` and before the jumps in `inner` go on."""
        ways = list(zip(inner.ways(), self.jumps.ways(), strict=True))
        used = [way for way, _ in ways if way]
        if not used or self.copy_depth >= _COPY_DEPTH:
            shared = clean_up(ends + [end for way in used for end in way])
            for way, outer in ways:
                outer.extend(shared if way else [])
            return shared if ends else []
        self.copy_depth += 1
        after = clean_up(ends) if ends else []
        for way, outer in ways:
            if way:
                outer.extend(clean_up(way))
        self.copy_depth -= 1
        return after


def _connect(ends: list[_End], target: Node) -> None:
    for node, exceptional in ends:
        if target not in node.successors:
            node.successors.append(target)
        way = node.exceptional if exceptional else node.ordinary
        if target not in way:
            way.append(target)


def _return(builder: _GraphBuilder, node: Any, ends: list[_End]) -> list[_End]:
    builder.jumps.returns.append((builder.step("statement", node, ends), False))
    return []


def _break(builder: _GraphBuilder, node: Any, ends: list[_End]) -> list[_End]:
    builder.jumps.breaks.append((builder.step("statement", node, ends), False))
    return []


def _continue(builder: _GraphBuilder, node: Any, ends: list[_End]) -> list[_End]:
    builder.jumps.continues.append((builder.step("statement", node, ends), False))
    return []


def _raise(builder: _GraphBuilder, node: Any, ends: list[_End]) -> list[_End]:
    builder.jumps.raises.append((builder.step("statement", node, ends), True))
    return []


def _assert(builder: _GraphBuilder, node: Any, ends: list[_End]) -> list[_End]:
    step = builder.step("statement", node, ends)
    builder.jumps.raises.append((step, True))
    return [] if kind_of(node.test) == "Constant" and not node.test.value else [(step, False)]


def _if(builder: _GraphBuilder, node: Any, ends: list[_End]) -> list[_End]:
    behind: list[_End] = []
    arms: list[tuple[gast.AST, int]] = []
    # A chain of elif is nested as deep as it is long, so it isn't descended into but followed.
    while True:
        true, ends = _condition(builder, node.test, ends)
        behind.extend(builder.block(node.body, true))
        otherwise = nodes_in(node.orelse)
        if len(otherwise) != 1 or kind_of(otherwise[0]) != "If":
            break
        node = otherwise[0]
        arms.append((node, len(builder.graph.nodes)))
    behind.extend(builder.block(otherwise, ends))
    for arm, start in arms:
        builder.span(arm, start)
    return behind


def _condition(builder: _GraphBuilder, test: Any, ends: list[_End]) -> tuple[list[_End], list[_End]]:
    """Build a test; the loose ends where it is true, and those where it is false."""
    start = len(builder.graph.nodes)
    if not _binds_perhaps(test):
        end = (builder.step("test", test, ends), False)
        return [end], [end]
    if kind_of(test) == "UnaryOp":
        false, true = _condition(builder, test.operand, ends)
    else:
        is_and = kind_of(test.op) == "And"
        decided: list[_End] = []
        for operand in test.values:
            true, false = _condition(builder, operand, ends)
            decided.extend(false if is_and else true)
            ends = true if is_and else false
        true, false = (ends, decided) if is_and else (decided, ends)
    builder.span(test, start)
    return true, false


def _binds_perhaps(test: Any) -> bool:
    """Whether a test is an `and`, an `or` or the `not` of one, with a walrus inside."""
    inner = test
    while kind_of(inner) == "UnaryOp" and kind_of(inner.op) == "Not":
        inner = inner.operand
    if kind_of(inner) != "BoolOp":
        return False
    stack: list[gast.AST] = [inner]
    while stack:
        current = stack.pop()
        if kind_of(current) == "NamedExpr":
            return True
        stack.extend(children(current))
    return False


def _while(builder: _GraphBuilder, node: Any, ends: list[_End]) -> list[_End]:
    start = len(builder.graph.nodes)
    true, false = _condition(builder, node.test, ends)
    round_ends, breaks = _loop_body(builder, node, true)
    _connect(round_ends, builder.graph.nodes[start])
    endless = kind_of(node.test) == "Constant" and bool(node.test.value)
    return builder.block(node.orelse, [] if endless else false) + breaks


def _for(builder: _GraphBuilder, node: Any, ends: list[_End]) -> list[_End]:
    iterate = builder.step("iterate", node.iter, ends)
    target = builder.step("target", node.target, [(iterate, False)])
    round_ends, breaks = _loop_body(builder, node, [(target, False)])
    _connect(round_ends, target)
    return builder.block(node.orelse, [(iterate, False), *round_ends]) + breaks


def _loop_body(builder: _GraphBuilder, node: Any, ends: list[_End]) -> tuple[list[_End], list[_End]]:
    """The loose ends that go for another turn, and those that break."""
    jumps = builder.jumps
    outer = jumps.breaks, jumps.continues
    jumps.breaks, jumps.continues = [], []
    ends = builder.block(node.body, ends)
    inner = ends + jumps.continues, jumps.breaks
    jumps.breaks, jumps.continues = outer
    return inner


def _with(builder: _GraphBuilder, node: Any, ends: list[_End]) -> list[_End]:
    for item in nodes_in(node.items):
        ends = [(builder.step("with", item, ends), False)]
    if not builder.may_swallow(node):
        return builder.block(node.body, ends)
    ends, raised = _guarded(builder, node.body, ends)
    builder.jumps.raises.extend(raised)
    return ends + raised


def _guarded(builder: _GraphBuilder, body: Any, ends: list[_End]) -> tuple[list[_End], list[_End]]:
    """Build a block, and keep what it raises apart."""
    jumps = builder.jumps
    outer, jumps.raises = jumps.raises, []
    builder.guards += 1
    ends = builder.block(body, ends)
    builder.guards -= 1
    raised, jumps.raises = jumps.raises, outer
    return ends, raised


def _try(builder: _GraphBuilder, node: Any, ends: list[_End]) -> list[_End]:
    if not nodes_in(node.finalbody):
        return _try_except(builder, node, ends)
    outer, builder.jumps = builder.jumps, _Jumps()
    builder.guards += 1
    ends = _try_except(builder, node, ends)
    builder.guards -= 1
    inner, builder.jumps = builder.jumps, outer
    return builder.finish(ends, inner, lambda way: builder.block(node.finalbody, way))


def _try_except(builder: _GraphBuilder, node: Any, ends: list[_End]) -> list[_End]:
    handlers = nodes_in(node.handlers)
    if not handlers:
        return builder.block(node.orelse, builder.block(node.body, ends))
    ends, raised = _guarded(builder, node.body, ends)
    entering, handled = list(raised), list[_End]()
    for handler in handlers:
        ends_of_handler = _handler(builder, handler, entering)
        handled.extend(ends_of_handler)
        # Several handlers of an exception group may run, one after the other.
        entering = entering + ends_of_handler if kind_of(node) == "TryStar" else entering
    if not any(_catches_all(handler) for handler in handlers):
        builder.jumps.raises.extend(raised)
    return builder.block(node.orelse, ends) + handled


def _handler(builder: _GraphBuilder, handler: Any, ends: list[_End]) -> list[_End]:
    start = len(builder.graph.nodes)
    entry = builder.step("handler", handler, ends)
    if handler.name is None:
        ends = builder.block(handler.body, [(entry, False)])
    else:
        outer, builder.jumps = builder.jumps, _Jumps()
        ends = builder.block(handler.body, [(entry, False)])
        inner, builder.jumps = builder.jumps, outer
        ends = builder.finish(ends, inner, lambda way: [(builder.step("unbind", handler, way), False)])
    builder.span(handler, start)
    return ends


def _match(builder: _GraphBuilder, node: Any, ends: list[_End]) -> list[_End]:
    ends = [(builder.step("subject", node.subject, ends), False)]
    behind: list[_End] = []
    for case in nodes_in(node.cases):
        known: Any = case
        start = len(builder.graph.nodes)
        head = builder.step("case", case, ends)
        behind.extend(builder.block(known.body, [(head, False)]))
        builder.span(case, start)
        irrefutable = known.guard is None and _always_matches(known.pattern)
        ends = [] if irrefutable else [(head, True)]
    return behind + ends


def _may_raise(kind: NodeKind, statement: Any) -> bool:
    if kind in ("target", "with", "case"):
        return True
    if kind == "unbind":
        return False
    if kind == "handler":
        return statement.type is not None
    name = kind_of(statement)
    if name in ("Pass", "Break", "Continue", "Global", "Nonlocal", "Constant"):
        return False
    # Raising and asserting are jumps of their own.
    if name in ("Raise", "Assert"):
        return False
    if name in ("Expr", "Return"):
        return statement.value is not None and kind_of(statement.value) != "Constant"
    if name == "Assign" and kind_of(statement.value) == "Constant":
        return any(kind_of(target) != "Name" for target in statement.targets)
    return True


def _catches_all(handler: Any) -> bool:
    caught = [handler.type]
    if kind_of(handler.type) == "Tuple":
        caught = nodes_in(handler.type.elts)
    return any(kind is None or getattr(kind, "id", "") in ("Exception", "BaseException") for kind in caught)


def _suppresses(node: Any) -> bool:
    called = [getattr(item.context_expr, "func", None) for item in node.items]
    return any(getattr(each, "attr", getattr(each, "id", "")) in _SUPPRESSING for each in called)


def _always_matches(pattern: Any) -> bool:
    if kind_of(pattern) == "MatchAs":
        return pattern.pattern is None or _always_matches(pattern.pattern)
    return kind_of(pattern) == "MatchOr" and any(_always_matches(part) for part in nodes_in(pattern.patterns))


_CONSTRUCTS: dict[str, Callable[[_GraphBuilder, Any, list[_End]], list[_End]]] = {
    "Return": _return,
    "Break": _break,
    "Continue": _continue,
    "Raise": _raise,
    "Assert": _assert,
    "If": _if,
    "While": _while,
    "For": _for,
    "AsyncFor": _for,
    "With": _with,
    "AsyncWith": _with,
    "Try": _try,
    "TryStar": _try,
    "Match": _match,
}
