"""What a file changes of TensorFlow and Keras for all code: what it stores on TensorFlow's classes, and the switches
that it sets.

By its trees alone, wherever it stands in the file: a function that does it may be called by anybody. What is stored
through other names is seen where it is run (`ClassExtended`); `may_extend` says whether that could be anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import gast

from graphwright_analysis.flow.tree import walk
from graphwright_analysis.imports import Import
from graphwright_analysis.syntax import Module
from graphwright_analysis.tracing.facts import ClassExtended, OutsideCall, TracingSwitchedOff
from graphwright_analysis.tracing.machine.flow_cache import FlowCache
from graphwright_analysis.tracing.machine.imports import imports_in
from graphwright_analysis.tracing.machine.starts import StartRecording
from graphwright_analysis.tracing.noting import outside_calls
from graphwright_analysis.tracing.noting.extended_classes import TENSOR_CLASSES
from graphwright_analysis.values.domain import Constant
from graphwright_analysis.values.keras_choice import KERAS_2, KERAS_3, environment_change

NUMPY_BEHAVIOR = "NumPy's behavior"
"""Tensors promote dtypes as NumPy's arrays do, and have their methods."""
OTHER_DTYPE = "another dtype"
"""Keras's layers compute in a dtype that isn't the usual one."""
TRACING_ON = "tracing switched on"
"""`tf.config.run_functions_eagerly(False)` is called."""

_HINT = re.compile(
    r"Tensor\.\w+\s*[=,:]|setattr\s*\(|Variable\.\w+\s*="
    r"|tf_keras|TF_USE_LEGACY_KERAS|KERAS_BACKEND|numpy_behavior|functions_eagerly|policy\s*\(|set_floatx"
)
# `in(?<!\win)` is `\bin`, and found faster.
_HANDED_ON = re.compile(r"(?:[=(,\[{]|in(?<!\win)\b)\s*[\w.]*(?:Tensor|Variable)\s*(?=[,)\]}:#\n]|$)")

_CALLS = {
    "enable_numpy_behavior": NUMPY_BEHAVIOR,
    "experimental_enable_numpy_behavior": NUMPY_BEHAVIOR,
    "set_dtype_policy": OTHER_DTYPE,
    "set_floatx": OTHER_DTYPE,
    "set_global_policy": OTHER_DTYPE,
    "set_policy": OTHER_DTYPE,
    "run_functions_eagerly": TRACING_ON,
    "experimental_run_functions_eagerly": TRACING_ON,
}
_OUTSIDE = frozenset(
    {"tensorflow", "tf", "keras", "tf_keras", "K", "backend", "mixed_precision", "np_config", "tnp", "numpy_ops"}
)
"""Parts of the names under which those functions are had, from TensorFlow or through a file of the project."""


def changes_in(module: Module, flow: FlowCache) -> frozenset[str]:
    """The names of the attributes that a file stores on a class of TensorFlow's, and the switches that it sets."""
    blocks = [block for block in module.pieces if block.first(_HINT) is not None]
    if not blocks:
        return frozenset()
    imports = [*imports_in(module, flow)]
    keras = {KERAS_2} if any("tf_keras" in _modules(imported) for _, imported in imports) else set[str]()
    bound = dict(imports)
    nodes = (node for block in blocks for statement in block.statements for node in _code_in(statement))
    return frozenset(change for node in nodes for change in _changes(node, bound)) | keras


def extended_in(starts: Iterable[StartRecording]) -> frozenset[str]:
    """The names of the attributes that were seen to be stored on classes of TensorFlow's."""
    return frozenset(fact.name for seen in starts for fact in seen.facts if isinstance(fact, ClassExtended))


def switched_off(seen: Sequence[StartRecording]) -> Iterator[TracingSwitchedOff]:
    """The calls that switch all tracing off, in a file that doesn't switch it on again."""
    facts = (fact for each in seen for fact in each.facts if isinstance(fact, OutsideCall))
    switches = [fact for fact in facts if fact.name in outside_calls.WATCHED_EAGERLY and fact.arguments]
    if any(call.arguments[0].value == Constant(False) for call in switches):
        return
    for call in switches:
        if call.arguments[0].value == Constant(True) and not call.uncertain:
            yield TracingSwitchedOff(call.place, call.statement, call.dropped)


def may_change(text: str) -> bool:
    """Whether a file with this text may change anything of TensorFlow or Keras; False is sure."""
    return _HINT.search(text) is not None or _HANDED_ON.search(text) is not None


def may_extend(module: Module) -> bool:
    """Whether running a file may store something on a class of TensorFlow's under another name than the class's own."""
    blocks = [block for block in module.pieces if block.first(_HANDED_ON) is not None]
    handed_on = [node for block in blocks for statement in block.statements for node in walk(statement)]
    if any(isinstance(node, gast.Call) and _hands_on(node) for node in handed_on):
        return True
    nodes = (node for block in module.pieces for statement in block.statements for node in walk(statement))
    return any(map(_renames, handed_on)) and any(map(_stores_elsewhere, nodes))


def _modules(imported: Import) -> tuple[str, ...]:
    """The parts of what an import asks for."""
    return (*imported.module.split("."), imported.name or "")


def _code_in(statement: gast.AST) -> Iterator[gast.AST]:
    """The nodes of a statement without texts that stand alone."""
    pending: list[gast.AST] = [statement]
    while pending:
        node = pending.pop()
        if not (isinstance(node, gast.Expr) and isinstance(node.value, gast.Constant)):
            yield node
            pending += [] if _set_in_environment(node) else gast.iter_child_nodes(node)


def _changes(node: gast.AST, bound: dict[str, Import]) -> Iterator[str]:
    match node:
        case gast.Attribute(value=owner, ctx=gast.Store()) if _is_class(owner, bound):
            yield node.attr
        case gast.Call(func=gast.Name(id="setattr"), args=[owner, gast.Constant(value=str(name)), _]):
            if _is_class(owner, bound):
                yield name
        case gast.Call() if (change := _CALLS.get(_parts(node.func)[-1])) is not None:
            if _is_outside(_parts(node.func), bound) and _switches(change, node):
                yield change
        case gast.Assign() | gast.Call() if (found := _set_in_environment(node)) is not None:
            yield found
        case gast.Constant(value=str(text)) if text == "TF_USE_LEGACY_KERAS" or text.partition(".")[0] == "tf_keras":
            yield KERAS_2
        case _:
            pass


def _set_in_environment(node: gast.AST) -> str | None:
    """The change that setting a variable of the environment makes, which Keras reads."""
    match node:
        case gast.Assign(targets=[gast.Subscript(slice=gast.Constant() as variable)], value=gast.Constant() as value):
            pass
        case gast.Call(args=[gast.Constant() as variable, gast.Constant() as value]):
            if _parts(node.func)[-1] not in ("setdefault", "putenv"):
                return None
        case _:
            return None
    if variable.value == "TF_USE_LEGACY_KERAS":
        return KERAS_2 if value.value in ("1", "true", "True") else KERAS_3
    return environment_change("KERAS_BACKEND", str(value.value)) if variable.value == "KERAS_BACKEND" else None


def _switches(change: str, call: gast.Call) -> bool:
    """Whether a call with these arguments sets the switch, as far as they are written out."""
    given = next((each for each in (*call.args, *(keyword.value for keyword in call.keywords))), None)
    value = given.value if isinstance(given, gast.Constant) else None
    return value is False if change is TRACING_ON else change is not OTHER_DTYPE or value != "float32"


def _parts(node: gast.AST) -> tuple[str, ...]:
    """The parts of a dotted name; of what isn't one those behind it."""
    if isinstance(node, gast.Attribute):
        return (*_parts(node.value), node.attr)
    return (node.id,) if isinstance(node, gast.Name) else ("",)


def _is_outside(parts: tuple[str, ...], bound: dict[str, Import]) -> bool:
    """Whether a dotted name stands for something of TensorFlow's or Keras', by the imports and by how it's written."""
    imported = bound.get(parts[0])
    if imported is None:
        return not _OUTSIDE.isdisjoint(parts[:-1])
    return imported.level > 0 or not _OUTSIDE.isdisjoint((*imported.module.split("."), imported.name, *parts[:-1]))


def _is_class(node: gast.AST, bound: dict[str, Import]) -> bool:
    *owners, name = _parts(node)
    return name in TENSOR_CLASSES and (bool(owners) or name in bound)


# Other names for the classes


def _stores_elsewhere(node: gast.AST) -> bool:
    match node:
        case gast.Attribute(value=gast.Name(id="self" | "cls"), ctx=gast.Store()):
            return False
        case gast.Attribute(ctx=gast.Store()) | gast.Name(id="setattr"):
            return True
        case _:
            return False


def _hands_on(call: gast.Call) -> bool:
    """Whether a class is an argument, other than to tell apart what is of it."""
    return _parts(call.func)[-1] not in _TELLING and any(map(_is_class_value, call.args))


def _renames(node: gast.AST) -> bool:
    match node:
        case gast.Assign():
            return _is_class_value(node.value)
        case gast.For() | gast.comprehension():
            return _is_class_value(node.iter)
        case _:
            return False


_TELLING = frozenset({"isinstance", "issubclass", "hasattr", "getattr", "cast", "TypeVar", "Union"})


def _is_class_value(node: gast.AST) -> bool:
    if isinstance(node, (gast.Tuple, gast.List, gast.Set)):
        return any(map(_is_class_value, node.elts))
    if isinstance(node, gast.Dict):
        return any(_is_class_value(each) for each in (*node.keys, *node.values) if each is not None)
    return _parts(node)[-1] in TENSOR_CLASSES
