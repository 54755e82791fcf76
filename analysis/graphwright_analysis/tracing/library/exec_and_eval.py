"""Functions that `exec` and `eval` make of a string that is written out: they have no source that AutoGraph could find.

What happens in them is told where they are called; their own text isn't part of the file.
"""

from __future__ import annotations

import gast

from graphwright_analysis.syntax import Block, parse_module
from graphwright_analysis.tracing.facts import PythonIteration, PythonTruth
from graphwright_analysis.tracing.facts.python_use import Cause
from graphwright_analysis.tracing.functions import conversion
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.noting import escapes
from graphwright_analysis.values.domain import UNKNOWN, Api, Constant, Entries, Function, Object, Partial, Value

CALLED = "exec()"
"""What calls such a function."""


def execute(run: Run, call: Call) -> None:
    """`exec(source, names)`: the functions that it defines become entries of the last dict."""
    names = call.positional[-1] if len(call.positional) > 1 else None
    if not isinstance(names, Object):
        return
    entries = run.state.entries(names.id) or Entries(closed=False)
    for block in _blocks(call.positional[0]):
        for statement in block.statements:
            if isinstance(statement, gast.FunctionDef) and not statement.decorator_list:
                entries = entries.with_entry(statement.name, _made(run, call.frame, statement, block))
    run.state.set_content(names.id, Entries(entries.known, closed=False))


def evaluate(run: Run, call: Call) -> Value:
    """`eval("lambda x: ...")`."""
    for block in _blocks(call.argument(0)):
        for statement in block.statements:
            if isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Lambda):
                return _made(run, call.frame, statement.value, block)
    return UNKNOWN


def _blocks(source: Value) -> tuple[Block, ...]:
    if isinstance(source, Constant) and isinstance(source.value, str) and len(source.value) < 4096:
        return tuple(parse_module(source.value).blocks)
    return ()


def _made(run: Run, frame: Frame, node: gast.FunctionDef | gast.Lambda, block: Block) -> Value:
    arguments = node.args
    if arguments.defaults or arguments.kw_defaults:
        return UNKNOWN
    run.seen.captured.add(frame.id)
    function = Function(node, block, frame.id)
    return Partial(Api(CALLED), (conversion.without(function, Cause.NO_SOURCE),), ())


def call_made(run: Run, call: Call) -> Value:
    """Run such a function for what it refuses; what it gives and changes stays unknown."""
    target, *arguments = call.positional
    if isinstance(target, Function) and call.node is not None:
        before, seen = run.state, len(run.seen.facts)
        run.state = before.fork()
        run.interpreter.call_value(run, target, call.with_arguments(arguments, call.named))
        run.state = before
        found = list(run.seen.facts)[seen:]
        for fact in found:
            del run.seen.facts[fact]
        place = call.place
        first = next((f for f in found if isinstance(f, (PythonTruth, PythonIteration)) and f.why is not None), None)
        if isinstance(first, PythonTruth):
            run.note(PythonTruth(place, place, first.how, first.value, first.why))
        elif isinstance(first, PythonIteration):
            run.note(PythonIteration(place, place, first.how, first.value, place, first.why))
    escapes.forget(run, *call.values)
    return UNKNOWN
