"""Traces a function for sets of arguments and accounts for each trace: signature, cause, time.

What the graph holds is read in `graphs`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from .arguments import EvaluatedArguments
from .graphs import operation_count, value_text
from .subjects import Subject
from .wire import ReportedTrace


@dataclass
class TraceResult:
    """The traces that were made, and the first concrete function."""

    traces: list[ReportedTrace]
    first: Any = None


def trace(subject: Subject, graph: Any, arguments: list[EvaluatedArguments]) -> TraceResult:
    """Trace for each set; one for which there is a trace already adds none."""
    result, known = TraceResult([]), list[Any]()
    account = _Causes(subject, graph)
    for given in arguments:
        before, began = _count(graph), time.perf_counter()
        concrete = graph.get_concrete_function(*given.positional, **given.named)
        seconds = time.perf_counter() - began
        result.first = result.first if result.first is not None else concrete
        fresh = all(concrete is not each for each in known)
        known.append(concrete)
        signature = signature_text(subject.name, concrete)
        operations = operation_count(concrete.graph)
        words = account.cause(concrete) if fresh else _again(known)
        if fresh and before is not None and _count(graph) == before:
            words = f"Already traced when the module was imported. {words}"
        result.traces.append(ReportedTrace(signature, words, seconds, operations, subject.line))
    return result


def _again(known: list[Any]) -> str:
    earlier = next(number for number, each in enumerate(known, 1) if each is known[-1])
    return f"No new trace: the graph of argument set {earlier} is reused."


def _count(graph: Any) -> int | None:
    """How often a function has been traced, where that is told."""
    return int(graph.experimental_get_tracing_count()) if hasattr(graph, "experimental_get_tracing_count") else None


class _Causes:
    """Tells why each trace was made; for a tf.function by comparing what TensorFlow keeps of each."""

    def __init__(self, subject: Subject, graph: Any) -> None:
        self._subject = subject
        self._graph = graph
        self._earlier: list[Any] = []

    def cause(self, concrete: Any) -> str:
        try:
            return self._words(concrete)
        except Exception as error:  # an account is worth no failure; TensorFlow's internals change
            return f"Unknown cause: {type(error).__name__}: {error}"

    def _words(self, concrete: Any) -> str:
        from graphwright import explaining, traces

        if self._subject.has_account:
            last = self._graph.traces[-1]
            return " ".join(explaining.sentence(change, last) for change in last.cause.changes)
        from graphwright.runtime.functions import signatures

        arguments = signatures.signature(concrete.function_type, ("", ""))
        why = traces.cause(arguments, (), self._earlier)
        number = len(self._earlier) + 1
        made = traces.FunctionTrace(number, self._subject.name, arguments, why, False, 0.0, 0, "", 0)
        self._earlier.append(made)
        return " ".join(explaining.sentence(change, made) for change in why.changes)


def signature_text(name: str, concrete: Any) -> str:
    """`step(x: float32[?, 3], n=3)`."""
    positional, named = concrete.structured_input_signature
    parameters = [*concrete.function_type.parameters] if hasattr(concrete, "function_type") else []
    shown = [
        _argument(parameters[index] if index < len(parameters) else "", value) for index, value in enumerate(positional)
    ]
    types = getattr(getattr(concrete, "function_type", None), "parameters", {})
    if not shown and not named:
        shown = [_argument(key, getattr(each, "type_constraint", each)) for key, each in types.items()]
    return f"{name}({', '.join([*shown, *(_argument(key, value) for key, value in named.items())])})"


def _argument(name: str, value: Any) -> str:
    text = value_text(value)
    if not name:
        return text
    return f"{name}={text}" if isinstance(value, (int, float, str, bytes, bool, type(None))) else f"{name}: {text}"
