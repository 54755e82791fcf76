"""Python's `in` where the element or the container holds tensors. Everything else is Python's own `in`."""

from __future__ import annotations

import builtins
import functools
import operator
import re
from typing import Any, cast

from graphwright.runtime.basis.attributes import has_member, is_of
from graphwright.runtime.basis.births import reads_collection, tracing
from graphwright.runtime.basis.context import SIMPLE, is_staging
from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.basis.left_iterators import moved_with, note_left, readable
from graphwright.runtime.basis.missing_keys import has_missing_keys
from graphwright.runtime.basis.python_values import as_python, counted
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.basis.tensors import acts_as_tensor, dense, holds_tensor, is_sequence, truth, vector
from graphwright.runtime.builtins.given_functions import own_method
from graphwright.runtime.state.chosen_lists import ChosenContents, contents_of
from graphwright.runtime.state.chosen_members import ChosenMember, is_
from graphwright.runtime.state.identities import compare_by_identity, is_chosen, may_hold_same
from graphwright.runtime.state.partial_dicts import has_key


def contains(element: Any, container: Any) -> Any:
    """`element in container`."""
    if type(element) in SIMPLE and tracing.get() is None and _is_pythons(container):
        return element in container  # Said at once: it is asked of most containers.
    return counted(_contains(element, container))


def _contains(element: Any, container: Any) -> Any:
    container = readable(current(container))
    reads_collection(container)
    if is_of(container, ChosenContents):
        container = contents_of(container)
    kind = cast("Any", type(container))
    if not is_staging() or is_of(container, str, bytes):
        return element in container
    if has_member(kind, "graphwright_truth"):
        return container.contains(element)
    if has_member(kind, "graphwright_items") and hasattr(container, "contains"):
        return container.contains(element)
    if has_missing_keys(container) and not acts_as_tensor(element):
        return has_key(container, element)
    if acts_as_tensor(container):
        if isinstance(element, str) and container.dtype == tf.string and container.shape.rank == 0:
            # A text that the graph puts together: `"e" in f"{x}"`.
            return tf.strings.regex_full_match(container, f"(?s).*{re.escape(element)}.*")
        return tf.reduce_any(vector(dense(container)) == element)
    if is_of(container, tf.data.Dataset):
        return container.reduce(tf.constant(False), functools.partial(_found_or_equal, element))
    own = own_method(container, "__contains__")
    if own is not None:
        return truth(own(container, element))
    if type(container) is builtins.range and acts_as_tensor(element):
        return _in_range(dense(element), container)
    is_from_graph = isinstance(element, ChosenMember) or holds_tensor(element) or is_chosen(element)
    if is_from_graph or (is_sequence(container) and (holds_tensor(container) or may_hold_same(container))):
        moved = moved_with(container)
        found = _among(element, list(container))
        note_left(moved)
        return found
    return operator.contains(container, element)


def lacks(element: Any, container: Any) -> Any:
    """`element not in container`."""
    found = contains(element, container)
    return as_python(tf.logical_not(found)) if acts_as_tensor(found) else not found


def _found_or_equal(element: Any, found: Any, item: Any) -> Any:
    return tf.logical_or(found, truth(item == element))


def _is_pythons(container: Any) -> bool:
    """Whether a container surely holds nothing of the graph that a number or text may be equal to."""
    kind = cast("Any", type(container))
    if kind is set or kind is frozenset:
        return True
    if kind is dict:
        return not has_missing_keys(container)
    return (kind is tuple or kind is list) and SIMPLE.issuperset(map(type, container))


def _in_range(element: Any, numbers: range) -> Any:
    if not numbers:
        return False
    low, high = sorted((numbers[0], numbers[-1]))
    inside = tf.logical_and(element >= low, element <= high)
    if abs(numbers.step) == 1 and element.dtype.is_integer:
        return truth(inside)
    return truth(tf.logical_and(inside, tf.equal((element - low) % abs(numbers.step), 0)))


def _among(element: Any, members: list[Any]) -> Any:
    """As Python: identity first, then equality; members that can't equal the element by type are passed over."""
    answers: list[Any] = []
    for member in members:
        answer = member is element or truth(_equal(member, element))
        if answer is True:
            return True
        if answer is not False:
            answers.append(answer)
    return functools.reduce(tf.logical_or, answers) if answers else False


def _equal(left: Any, right: Any) -> Any:
    pair = is_sequence(left) and is_sequence(right)
    if pair and type(left) is type(right) and holds_tensor([left, right]):
        if len(left) != len(right):
            return False
        parts = [truth(_equal(first, second)) for first, second in zip(left, right, strict=True)]
        return functools.reduce(tf.logical_and, parts, True)
    if left is None or right is None:
        return left is right
    if compare_by_identity(left, right):
        return is_(left, right)
    if _is_text(left) is not _is_text(right) and acts_as_tensor(left) is not acts_as_tensor(right):
        return False
    return left == right


def _is_text(value: Any) -> bool:
    return value.dtype == tf.string if acts_as_tensor(value) else isinstance(value, (str, bytes))
