"""What the elements of a list that grows are: structure, dtypes and shapes, and how those of two lists become one.

Knows no loops and no Python lists of the user's; values in, an `Element` out, tensors packed into values again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from graphwright.runtime.basis.array_tensors import note_kept
from graphwright.runtime.basis.attributes import attributes_of, has_member, is_data
from graphwright.runtime.basis.births import note_new
from graphwright.runtime.basis.context import is_tensor, promote, staged
from graphwright.runtime.basis.plain_containers import DEQUE
from graphwright.runtime.basis.python_values import counted, was_python
from graphwright.runtime.basis.tensorflow import tf

__all__ = [
    "DENSE",
    "Element",
    "InnerList",
    "Leaf",
    "UnknownElement",
    "UnsettledError",
    "element_of_traced",
    "element_of_values",
    "marked",
    "merged",
    "packed",
    "shape_tensor",
    "tensors_of",
]


@dataclass(frozen=True)
class Leaf:
    """One tensor of an element. Python numbers fix no dtype, a dtype alone no shape: what is beside them decides."""

    dtype: Any
    shape: Any
    fixed: bool
    shaped: bool = True

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Leaf)
            and (self.dtype, self.shaped) == (other.dtype, other.shaped)
            and self.shape.rank == other.shape.rank
            and (self.shape.rank is None or self.shape.as_list() == other.shape.as_list())
        )

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Element:
    """What a growable list holds: the structure of one element and its tensors."""

    structure: Any
    leaves: tuple[Leaf, ...]
    guess: UnknownElement | None = field(default=None, compare=False)
    """What it was while the loop that is traced began; then it mustn't change any more."""

    @property
    def simple(self) -> bool:
        """One dense tensor, no structure around it."""
        return self.structure is DENSE


class UnsettledError(BaseException):
    """Something depends on what a list holds while that isn't known yet; not for the user's code to catch."""

    def __init__(self, element: UnknownElement) -> None:
        super().__init__("the elements of the list aren't known yet")
        self.element = element


class UnknownElement(Element):
    """What a list holds that is empty when a loop begins: the first thing that is appended says it.

    It has to be one tensor, whatever it is, so that the loop's variables are known before.
    """

    def __init__(self) -> None: ...

    def _refuse(self) -> Any:
        raise UnsettledError(self)

    structure = property(_refuse)
    leaves = property(_refuse)  # pyright: ignore[reportAssignmentType]

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__


class _Dense:
    """Stands in an element's structure for a dense tensor."""

    def __repr__(self) -> str:
        return "tensor"


DENSE = _Dense()


@dataclass(frozen=True)
class InnerList:
    """Stands in an element's structure for a list that grows itself, or another object made of tensors."""

    kind: type
    element: Any
    count: int
    rebuild: Callable[[Sequence[Any]], Any] = field(compare=False, repr=False)


@dataclass(frozen=True)
class DataElement:
    """Stands in an element's structure for an object of a dataclass."""

    kind: Any
    parts: dict[str, Any] = field(hash=False)

    def __repr__(self) -> str:
        return f"{self.kind.__name__}({', '.join(f'{name}={part}' for name, part in self.parts.items())})"

    def remake(self, values: dict[str, Any]) -> Any:
        """An object with other values for its attributes."""
        made: Any = object.__new__(self.kind)
        for name, value in values.items():
            object.__setattr__(made, name, value)
        note_new(made)
        return made


def element_of_values(values: Sequence[Any], name: str = "the list") -> Element:
    found: Element | None = None
    for value in values:
        structure, tensors = _flattened(value, name)
        element = Element(structure, tuple(_leaf_of(tensor, name) for tensor in tensors))
        found = element if found is None else merged(found, element, name)
    assert found is not None
    return found


def element_of_traced(function: Callable[[], Any], name: str = "the list") -> Element:
    """What a function gives, found by tracing it into a graph that is thrown away."""
    found: list[Element] = []

    def probe() -> None:
        found.append(element_of_values([function()], name))

    with staged():
        tf.function(probe, autograph=False).get_concrete_function()
    return found[0]


def packed(element: Element, tensors: Sequence[Any], inner: bool = True) -> Any:
    if element.simple:
        return tensors[0]
    remaining = iter(tensors)

    def leaf(part: Any) -> Any:
        if isinstance(part, DataElement):
            return part.remake(tf.nest.map_structure(leaf, part.parts))
        if isinstance(part, InnerList):
            return part.rebuild([next(remaining) for _ in range(part.count)])
        if part is DENSE or not inner:
            return next(remaining)
        count = len(tf.nest.flatten(part, expand_composites=True))
        return tf.nest.pack_sequence_as(part, [next(remaining) for _ in range(count)], expand_composites=True)

    structure = element.structure
    return tf.nest.map_structure(leaf, structure) if tf.nest.is_nested(structure) else leaf(structure)


def marked(tensors: Sequence[Any], element: Element) -> list[Any]:
    """The tensors of an element; those are marked that Python has numbers for."""
    pairs = zip(tensors, element.leaves, strict=True)
    return [tensor if leaf.fixed or leaf.shape.rank != 0 else counted(tensor) for tensor, leaf in pairs]


def shape_tensor(shape: Any) -> Any:
    if shape.rank is None:
        return -1
    return tf.constant([-1 if size is None else size for size in shape.as_list()], tf.int32)


def _flattened(value: Any, name: str) -> tuple[Any, list[Any]]:
    """An element's structure, and the tensors or Python numbers in it."""
    tensors: list[Any] = []

    def leaf(part: Any) -> Any:
        kind = cast(Any, type(part))
        if part is None:
            raise TypeError(
                f"None can't be an element of {name}, which grows while the graph runs. Leave it out, or use a "
                "number that marks a missing value."
            )
        if has_member(kind, "graphwright_flatten"):
            if isinstance(getattr(part, "element", None), UnknownElement):
                raise UnsettledError(part.element)
            part = part.graphwright_unbounded() if has_member(kind, "graphwright_unbounded") else part
            values, rebuild = part.graphwright_flatten()
            tensors.extend(values)
            return InnerList(kind, getattr(part, "element", None), len(values), rebuild)
        if is_data(part):
            return DataElement(kind, tf.nest.map_structure(leaf, attributes_of(part)))
        if isinstance(part, (tf.Tensor, tf.Variable)) or (not is_tensor(part) and not isinstance(part, tf.TensorArray)):
            tensors.append(part)
            return DENSE
        tensors.extend(tf.nest.flatten(part, expand_composites=True))
        return tf.type_spec_from_value(part)

    _refuse_full(value, name)
    return (leaf(value) if not tf.nest.is_nested(value) else tf.nest.map_structure(leaf, value)), tensors


def _refuse_full(value: Any, name: str) -> None:
    """Raise the error for a deque that drops elements: TensorFlow makes others of it, which don't."""
    if getattr(value, "maxlen", None) is not None and isinstance(value, DEQUE):
        raise TypeError(
            f"a deque with `maxlen` can't be an element of {_quoted(name)}, which grows while the graph runs: put its "
            "items there as a list or a tuple"
        )
    if tf.nest.is_nested(value):
        held: Any = value
        for part in cast("Iterable[Any]", held.values() if isinstance(held, Mapping) else held):
            _refuse_full(part, name)


def _leaf_of(value: Any, name: str) -> Leaf:
    if isinstance(value, (bool, int, float)):
        return Leaf(tf.convert_to_tensor(value).dtype, tf.TensorShape([]), isinstance(value, bool))
    if isinstance(value, (tf.Tensor, tf.Variable)):
        return Leaf(value.dtype, value.shape, not _is_weak(value))
    try:
        tensor = tf.convert_to_tensor(value)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"a {type(value).__name__} can't be an element of {_quoted(name)}, which grows while the graph runs: "
            "its elements must be tensors, numbers, or tuples, dicts and dataclasses of them."
        ) from error
    return Leaf(tensor.dtype, tensor.shape, True)


def merged(one: Element, other: Element, name: str) -> Element:
    if one is other:
        return one
    for unknown, known in ((one, other), (other, one)):
        if isinstance(unknown, UnknownElement):
            if len(known.leaves) != 1 or known.guess not in (None, unknown):
                raise UnsettledError(unknown)
            return replace(known, guess=unknown)
    if not _same_structure(one.structure, other.structure):
        raise TypeError(
            f"{_quoted(name)} holds elements like {_written(one)}, but this one is {_written(other)}. In a graph, all "
            "elements of a list must have the same structure"
        )
    leaves = tuple(_merged_leaf(a, b, name) for a, b in zip(one.leaves, other.leaves, strict=True))
    if other.guess is not None and any(a.dtype != b.dtype for a, b in zip(leaves, other.leaves, strict=True)):
        raise UnsettledError(other.guess)
    if leaves == one.leaves and all(a.fixed == b.fixed for a, b in zip(leaves, one.leaves, strict=True)):
        return one
    guess = one.guess or other.guess
    if guess is not None:
        raise UnsettledError(guess)
    return Element(one.structure, leaves)


def _same_structure(one: Any, other: Any) -> bool:
    try:
        tf.nest.assert_same_structure(one, other)
    except (TypeError, ValueError):
        return False
    return all(map(_is_same_part, tf.nest.flatten(one), tf.nest.flatten(other)))


def _is_same_part(one: Any, other: Any) -> bool:
    if isinstance(one, DataElement) and isinstance(other, DataElement):
        return one.kind is other.kind and _same_structure(one.parts, other.parts)
    return type(one) is type(other)


def _quoted(name: str) -> str:
    return name if name.startswith("the ") else f"'{name}'"


def _written(element: Element) -> str:
    """The structure of an element with the dtypes in it."""
    remaining = (leaf.dtype.name for leaf in element.leaves)

    def written(part: Any) -> Any:
        if isinstance(part, DataElement):
            return DataElement(part.kind, tf.nest.map_structure(written, part.parts))
        if part is DENSE:
            return next(remaining)
        is_list = isinstance(part, InnerList)
        count = part.count if is_list else len(tf.nest.flatten(part, expand_composites=True))
        for _ in range(count):
            next(remaining)
        return "a list" if is_list else f"a {part.value_type.__name__}"

    return str(tf.nest.map_structure(written, element.structure)).replace("'", "")


def _merged_leaf(one: Leaf, other: Leaf, name: str) -> Leaf:
    dtype = one.dtype
    if one.dtype != other.dtype:
        dtype = _weak_choice(one, other)
    if dtype is None and promote.get():
        dtype = _promoted(one.dtype, other.dtype)
    if dtype is None:
        text = (
            f"{_quoted(name)} holds {one.dtype.name} elements, but this one is {other.dtype.name}. In a graph, all "
            "elements of a list must have the same dtype: "
        )
        if tf.string in (one.dtype, other.dtype):
            raise TypeError(f"{text}use two lists, or convert the numbers with tf.strings.as_string(...)")
        raise TypeError(
            f"{text}cast it with tf.cast(..., tf.{one.dtype.name}), or set the dtype before the loop with "
            "gw.set_element_type(the list, dtype)"
        )
    shape = one.shape.most_specific_compatible_shape(other.shape)
    if not (one.shaped and other.shaped):
        shape = one.shape if one.shaped else other.shape
    return Leaf(dtype, shape, one.fixed or other.fixed, one.shaped or other.shaped)


def _promoted(one: Any, other: Any) -> Any:
    """The dtype that holds both where eager code would go on; None if none does."""
    kinds = [dtype.is_integer + 2 * dtype.is_floating + 3 * dtype.is_complex for dtype in (one, other)]
    if 0 in kinds:
        return None
    return max((one, other), key=lambda dtype: (kinds[(one, other).index(dtype)], dtype.size))


def _weak_choice(one: Leaf, other: Leaf) -> Any:
    """The dtype where Python numbers meet another: as TensorFlow converts a number beside a tensor."""
    for weak, strong in ((other, one), (one, other)):
        if not weak.fixed and (
            strong.dtype.is_floating or strong.dtype.is_complex or (weak.dtype.is_integer and strong.dtype.is_integer)
        ):
            return strong.dtype
    return None


def tensors_of(value: Any, element: Element, name: str) -> list[Any]:
    _, parts = _flattened(value, name)
    note_kept(parts)
    return [
        tf.cast(part, leaf.dtype) if _is_weak(part) else tf.convert_to_tensor(part, dtype=leaf.dtype)
        for part, leaf in zip(parts, element.leaves, strict=True)
    ]


def _is_weak(value: Any) -> bool:
    """Whether a tensor was a Python number, so that it adopts the dtype of what is beside it."""
    return was_python(value) and value.dtype != tf.string
