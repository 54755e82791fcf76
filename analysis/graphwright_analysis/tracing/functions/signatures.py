"""Notes what an `input_signature` asks for and what calls give.

Whether they fit is for the rules to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import gast

from graphwright_analysis.tracing.facts import SignatureArgument, SignatureCall, SignatureDeclared
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.values.domain import Array, Traced, Value

from .cache_keys import function_of, has_receiver, keyed, parameters_of


def note_declared(run: Run, traced: Traced, place: Place) -> None:
    """Note which parameters a signature leaves out."""
    function = function_of(traced)
    if traced.signature is None or function is None:
        return
    names, arguments, defaults = parameters_of(traced), function.node.args, dict(function.defaults)
    missing = [name for name in names[len(traced.signature) :] if name not in defaults]
    missing += [a.id for a in arguments.kwonlyargs if a.id not in defaults]
    extra = 0 if arguments.vararg else max(0, len(traced.signature) - len(names))
    if missing or extra:
        run.note(SignatureDeclared(place, getattr(function.node, "name", ""), tuple(missing), extra))


def note_call(run: Run, callee: Traced, call: Call) -> None:
    """Note what a call gives to a function with a signature."""
    function = function_of(callee)
    if callee.signature is None or function is None or not isinstance(call.node, gast.Call):
        return
    values = call.positional[1:] if has_receiver(callee) else call.positional
    if len(values) == len(call.node.args) and not any(isinstance(each, gast.Starred) for each in call.node.args):
        arguments = tuple(_arguments(run, callee, values, call, call.node))
        name = getattr(function.node, "name", "")
        run.note(SignatureCall(call.place, name, arguments, callee.made))


def _arguments(
    run: Run, callee: Traced, values: Sequence[Value], call: Call, node: gast.Call
) -> Iterator[SignatureArgument]:
    function, names, signature = function_of(callee), parameters_of(callee), callee.signature or ()
    defaults = dict(function.defaults) if function is not None else {}
    keywords = {keyword.arg: keyword.value for keyword in node.keywords}
    given = [*zip(names, values, node.args, strict=False)]
    given += [(name, value, keywords[name]) for name, value in call.named.items() if name in keywords]
    for name, value, at in given:
        index = names.index(name) if name in names else len(signature)
        spec = signature[index] if index < len(signature) else None
        seen = value if isinstance(value, Array) else keyed(run, value)
        default = defaults.get(name) if spec is None else None
        yield SignatureArgument(name, seen, place_of(call.frame, at), spec, default)
