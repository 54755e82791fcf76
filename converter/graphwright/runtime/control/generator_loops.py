"""Loops over generators that a tensor has a say in: the generator calls the body of the loop where it yields.

What the loop carries is held by an object meanwhile, so that the branches and loops of the generator carry it. Other
generators run as Python has them.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from graphwright.runtime.basis import generator_calls
from graphwright.runtime.basis.context import is_staging, is_symbolic
from graphwright.runtime.basis.left_iterators import note_left
from graphwright.runtime.basis.older_iterators import refuse_older_generator
from graphwright.runtime.basis.outcomes import Turn, as_turn
from graphwright.runtime.basis.plain_containers import DEQUE
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.basis.tensors import acts_as_tensor, truth
from graphwright.runtime.control.conditionals import if_, not_
from graphwright.runtime.control.loop_options import LoopOptions
from graphwright.runtime.control.staged_iteration import staged_items
from graphwright.runtime.control.staged_loops import Loop, finish
from graphwright.runtime.lists import comprehensions, list_methods
from graphwright.runtime.lists.generators import Elements
from graphwright.runtime.state.held_values import held_by
from graphwright.runtime.state.noting import changes, is_noting
from graphwright.runtime.state.places import Attribute
from graphwright.runtime.state.reachability import is_read_again

Maker = Callable[..., Any]
Run = Callable[[tuple[Any, ...], Loop], tuple[Any, ...]]


def generator_run(iterable: Any) -> Run | None:
    """How to run a loop over a generator whose functions call the body, or None if Python takes its items."""
    call = generator_calls.call_of(iterable) if is_staging() else None
    if call is None or generator_calls.calling is None:
        return None
    calling: Any = generator_calls.calling
    found = calling(call.function)
    if found is None or not _is_decided(iterable, found[1], call):
        return None

    def run(state: tuple[Any, ...], loop: Loop) -> tuple[Any, ...]:
        return _run(iterable, lambda body: found[0](*call.args, **call.kwargs, graphwright_body=body), state, loop)

    return run


def _is_decided(generator: Any, by: str, call: generator_calls.GeneratorCall) -> bool:
    """Whether a tensor may decide how often a generator yields; `by` says where that may come from.

    A generator that the program reads elsewhere as well is Python's, unless it was given a tensor.
    """
    given = (*call.args, *call.kwargs.values())
    if by == "itself" and not is_read_again(generator):
        return True
    if any(generator_run(value) is not None for value in given):
        return True
    if by == "counts":
        return any(map(_is_count, given))
    return any(_leads_to_tensor(value, 3) for value in (*given, call.function))


def _is_count(value: Any) -> bool:
    """Whether a value may say how often a loop runs, or is as long as only the graph knows."""
    if not isinstance(value, tf.Tensor):
        return staged_items(value) is not None
    rank = value.shape.rank
    return is_symbolic(value) and (value.dtype.is_integer if rank == 0 else not rank or value.shape[0] is None)


def _leads_to_tensor(value: Any, depth: int) -> bool:
    """Whether a value is one of the graph, or holds one."""
    if acts_as_tensor(value) or generator_run(value) is not None:
        return True
    return depth > 0 and any(_leads_to_tensor(each, depth - 1) for _, each in held_by(value))


def _collected(generator: Any, element: Maker, condition: Maker | None, flat: bool) -> Any:
    """A comprehension over such a generator; None if Python takes the items."""
    run = generator_run(generator)
    if run is None:
        return None

    def put(item: Any, found: Any) -> Any:
        return list_methods.extend(found, element(item)) if flat else list_methods.append(found, element(item))

    def turn(item: Any, found: Any) -> Any:
        if condition is None:
            return put(item, found)
        return if_(condition(item), functools.partial(put, item), _itself, found, names=("items",))

    return run(([],), Loop(turn, None, LoopOptions(), ("items",), 1))[0]


comprehensions.of_generator = _collected


def first_truth(values: Any, wanted: bool) -> Any:
    """`any` (or `all`, if False is `wanted`) of such a generator or a generator expression over one; None for others.

    It takes no items after the first that decides.
    """
    element, generator, condition = values.parts() if isinstance(values, Elements) else (_itself, values, None)
    run = generator_run(generator)
    if run is None:
        return None

    def turn(item: Any, found: Any) -> Any:
        def last() -> Any:
            held = truth(element(item))
            return Turn(held if wanted else not_(held), (held,))

        if condition is None:
            return last()
        return if_(condition(item), last, lambda: Turn(False, (found,)), names=("found",))

    return run((not wanted,), Loop(turn, None, LoopOptions(), ("found",), 1))[0]


def _itself(item: Any) -> Any:
    return item


class _LoopState:
    """What a loop over a generator carries."""


def _run(generator: Any, start: Callable[[Any], Any], state: tuple[Any, ...], loop: Loop) -> tuple[Any, ...]:
    refuse_older_generator(generator)
    carried = _LoopState()
    places = [Attribute(carried, f"state{place}", loop.name(place)) for place in range(len(state))]
    stop = Attribute(carried, "stop", "break")
    for place, value in zip((*places, stop), (*state, False), strict=True):
        place.put(value)

    @tf.autograph.experimental.do_not_convert
    def body(item: Any) -> Any:
        before = tuple(place.get() for place in places)
        for place, value in zip(places, before, strict=True):
            if isinstance(value, (list, dict, DEQUE)) and is_noting():
                changes(carried, place.name, place.text, inside=True)
        turn = as_turn(loop.turn(item, *before), before)
        if inspect.getgeneratorstate(generator) != inspect.GEN_CREATED:
            raise TypeError(_READ_IN_BODY)
        for place, value in zip((*places, stop), (*turn.state, turn.stop), strict=True):
            _leave(place, value)
        return turn.stop

    try:
        start(body)
    except BaseException:
        note_left([generator], by_tensor=False)
        raise
    finally:
        generator.close()
    after, left = tuple(place.get() for place in places), stop.get()
    if left is not False:
        note_left([generator], by_tensor=left is not True)
    return finish(after, left, loop)


_READ_IN_BODY = (
    "the body of this loop reads the generator that the loop goes over, which tensors may decide in: only the graph "
    "knows which item is next. Put the items in a list and count with an index"
)


def _leave(place: Attribute, value: Any) -> None:
    """Set what is carried, where it isn't the same."""
    if place.get() is not value:
        if is_noting():
            changes(place.owner, place.name, place.text)
        place.put(value)
