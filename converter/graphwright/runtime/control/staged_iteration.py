"""Loops over what only the graph knows: tensors, ragged tensors, Datasets, iterators and ranges of them.

Another kind of iterable takes part by two methods, `length()` (a scalar integer tensor) and `get(index)`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from graphwright.runtime.basis.attributes import has_member
from graphwright.runtime.basis.context import is_for_xla, is_symbolic
from graphwright.runtime.basis.outcomes import Turn, as_turn, mentions_last, pack, unpack
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.control.conditionals import BranchState, staged_if
from graphwright.runtime.control.counted_loops import largest
from graphwright.runtime.control.staged_loops import Loop, finish, stage
from graphwright.runtime.control.unused_ranges import note_counted
from graphwright.runtime.lists.moving_lists import MovingList
from graphwright.runtime.lists.number_limits import highest, is_found_out_later, lowest, note_limits
from graphwright.runtime.lists.staged_sequences import no_iteration

Run = Callable[[tuple[Any, ...], Loop], tuple[Any, ...]]


def staged_items(iterable: Any) -> Run | None:
    """How to loop over something in the graph, or None if Python can."""
    if isinstance(iterable, tf.RaggedTensor):
        return lambda state, loop: _over_index(iterable.nrows(), iterable.__getitem__, state, loop)
    if is_symbolic(iterable) and isinstance(iterable, (tf.Tensor, tf.Variable)):
        return lambda state, loop: _over_tensor(iterable, state, loop)
    kind = cast(Any, type(iterable))
    if has_member(kind, "graphwright_flatten") and has_member(kind, "advance"):
        return lambda state, loop: _over_rest(iterable, state, loop)
    if has_member(kind, "graphwright_items") or has_member(kind, "graphwright_truth"):
        most = iterable.graphwright_most() if has_member(kind, "graphwright_most") else None
        length = iterable.length()
        return lambda state, loop: _over_index(length, iterable.get, state, _as_long(iterable, loop), most)
    if _is_dataset(iterable):
        return lambda state, loop: _over_iterator(_iterator(iterable), state, loop)
    if has_member(kind, "get_next_as_optional"):
        return lambda state, loop: _over_iterator(iterable, state, loop)
    return None


def _as_long(items: Any, loop: Loop) -> Loop:
    """The loop, whose turns may not make the list longer or shorter that it goes over."""
    if not isinstance(items, MovingList):
        return loop

    def turn(*values: Any) -> Any:
        before = items.store.tensors()
        result = loop.turn(*values)
        if not all(map(_holds_as_many, items.store.tensors(), before)):
            raise TypeError(
                "this loop goes over a list that it makes longer or shorter, and the graph only goes over what was in "
                "it before: write `while i < len(xs):`, or collect in another list"
            )
        return result

    turn.__wrapped__ = loop.turn  # type: ignore[attr-defined]
    return replace(loop, turn=turn)


def _holds_as_many(now: Any, before: Any) -> bool:
    """Whether a list is as long as it was: items of it were set, and nothing more."""
    while now is not before and now.op.type == "TensorListSetItem":
        now = now.op.inputs[0]
    return now is before


def _is_dataset(value: Any) -> bool:
    return isinstance(value, (tf.data.Dataset, tf.compat.v1.data.Dataset, tf.distribute.DistributedDataset))


def _iterator(dataset: Any) -> Any:
    graph = tf.compat.v1.get_default_graph()
    if isinstance(graph, tf.__internal__.FuncGraph) or not isinstance(dataset, tf.data.Dataset):
        return iter(dataset)
    return tf.compat.v1.data.make_one_shot_iterator(dataset)


def _over_tensor(tensor: Any, state: tuple[Any, ...], loop: Loop) -> tuple[Any, ...]:
    tensor = tf.convert_to_tensor(tensor)
    if tensor.shape.rank == 0:
        raise TypeError(no_iteration(tensor))
    if tensor.op.type == "Range":
        start, limit, delta = tensor.op.inputs
        return _over_range(start, limit, delta, tensor, state, loop)
    size = tensor.shape[0] if tensor.shape.rank else None
    length = tf.shape(tensor)[0] if size is None else size
    items = tf.TensorArray(tensor.dtype, length, element_shape=tensor.shape[1:] if tensor.shape.rank else None)
    return _over_index(length, items.unstack(tensor).read, state, loop)


def _over_range(start: Any, limit: Any, delta: Any, tensor: Any, state: tuple[Any, ...], loop: Loop) -> Any:
    step = tf.get_static_value(delta)
    note_counted(tensor)

    def test(index: Any, *_: Any) -> Any:
        if step is not None:
            return index < limit if step > 0 else index > limit
        return tf.where(delta > 0, index < limit, index > limit)

    size = tensor.shape[0]
    if size is None and step is not None and delta.dtype.is_integer and not mentions_last(loop.turn):
        size = tf.maximum((limit - start + step - (1 if step > 0 else -1)) // step, 0)
    return _counted(test, _itself, start, delta, size, state, loop, _most_steps(start, limit, step))


def _most_steps(start: Any, limit: Any, step: Any) -> int | None:
    """The most items of a range of which nothing else is known."""
    if not is_for_xla() or step is None or not start.dtype.is_integer:
        return None
    distance = largest([(limit, 1), (start, -1)] if step > 0 else [(start, 1), (limit, -1)], [], 0)
    if distance is None and is_found_out_later():
        return 0
    return None if distance is None else max(0, -(-int(distance) // abs(int(step))))


def _over_index(
    length: Any, get: Callable[[Any], Any], state: tuple[Any, ...], loop: Loop, most: Any = None
) -> tuple[Any, ...]:
    length = tf.convert_to_tensor(length)
    if is_for_xla() and (known := highest(length)) is not None:
        most = known
    elif most is None and is_for_xla():
        is_found_out_later()
    zero, one = tf.constant(0, length.dtype), tf.constant(1, length.dtype)

    def test(index: Any, *_: Any) -> Any:
        return index < length

    return _counted(test, get, zero, one, length, state, loop, most)


def _itself(index: Any) -> Any:
    return index


def _over_rest(iterator: Any, state: tuple[Any, ...], loop: Loop) -> tuple[Any, ...]:
    """What an iterator over a tensor hasn't given yet; it then stands after the last item that was taken."""
    iterator.check_owner()
    length = tf.cast(iterator.source.length(), tf.int32)
    start = tf.convert_to_tensor(iterator.position)

    def remains(index: Any, *_: Any) -> Any:
        return index < length

    hidden = _stepping(remains, iterator.source.get, start, 1, None, state, loop)
    iterator.position = hidden[0]
    return hidden[1:]


def _counted(
    test: Any, get: Any, start: Any, delta: Any, size: Any, state: tuple[Any, ...], loop: Loop, most: Any = None
) -> Any:
    """A loop over what a counter says."""
    return _stepping(test, get, start, delta, size, state, loop, most)[1:]


def _stepping(
    test: Any, get: Any, start: Any, delta: Any, size: Any, state: tuple[Any, ...], loop: Loop, most: Any = None
) -> Any:
    """A loop with a counter in front of its state.

    `size` is how many iterations there are, if that is known; otherwise, XLA has to know how many there are at `most`.
    """
    turn, options = loop.turn, loop.options
    known = size if size is None or isinstance(size, int) else tf.get_static_value(size)

    def step(index: Any, *values: Any) -> Turn:
        _note_start(index, start, delta)
        result = as_turn(turn(get(index), *values), values)
        return Turn(result.stop, (index + delta, *result.state))

    if options.maximum_iterations is None and known is None and most is not None:
        options = replace(options, maximum_iterations=most)
    elif options.maximum_iterations is None and size is not None:
        loop = replace(loop, trips=size)
        if known is not None or is_for_xla():
            options = replace(options, maximum_iterations=int(known) if known is not None else tf.cast(size, tf.int32))
    return stage(test, step, (start, *state), _with_hidden(replace(loop, options=options)))


def _note_start(index: Any, start: Any, delta: Any) -> None:
    """A counter that only grows, or only gets smaller, stays where it began or goes on from there."""
    step = tf.get_static_value(delta)
    if step is not None and is_symbolic(index):
        note_limits(index, lowest(start) if step > 0 else None, highest(start) if step < 0 else None)


def _with_hidden(loop: Loop) -> Loop:
    """The loop with a variable of ours in front of its state."""
    otherwise = loop.otherwise

    def orelse(hidden: Any, *values: Any) -> Any:
        assert otherwise is not None
        return pack((hidden, *unpack(otherwise(*values), loop.count)))

    names = ("the loop's position", *loop.names)
    return replace(loop, names=names, count=loop.count + 1, otherwise=otherwise and orelse)


def _over_iterator(iterator: Any, state: tuple[Any, ...], loop: Loop) -> tuple[Any, ...]:
    """Items until there are none; `left` says that a turn was the last one by the user's will."""
    inner = replace(_with_hidden(loop), relaxes=True, otherwise=None)

    def step(left: Any, *values: Any) -> Turn:
        item, given = iterator.get_next_as_optional(), BranchState(values)

        def go() -> Turn:
            result = as_turn(loop.turn(item.get_value(), *given.entered()), values)
            return Turn(result.stop, (result.stop, *result.state))

        return staged_if(item.has_value(), go, lambda: Turn(True, (left, *values)), inner.names, given=given)

    final = stage(lambda *_: True, step, (tf.constant(False), *state), inner, tf.constant(False))
    return finish(final[1:], final[0], loop)
