"""Iterators that a loop, `any`, `in` or `next` leaves where a tensor decides: reading them again is refused."""

from __future__ import annotations

import collections
import functools
import io
import itertools

import graphwright as gw
import pytest
import tensorflow as tf
from graphwright.runtime.basis import left_iterators


def numbers():
    yield from (1, 2, 3, 4)


def skip_to(items, limit):
    for item in items:
        if item >= limit:
            return item
    return -1


class Reader:
    def __init__(self):
        self.items = numbers()

    def read(self, limit):
        for item in self.items:
            if item >= limit:
                return item
        return -1

    def rest(self):
        return list(self.items)


def with_next(limit):
    items = iter([1, 2, 3, 4])
    found = skip_to(items, limit)
    return found, next(items)


def with_a_second_loop(limit):
    items = numbers()
    found, total = skip_to(items, limit), 0
    for item in items:
        total += item
    return found, total


def with_pairs(limit):
    items = iter([1, 2, 3, 4])
    for one, other in zip(items, items, strict=True):
        if one * other >= limit:
            break
    return list(items)


def with_a_wrapper_from_before(limit):
    items = iter([1, 2, 3, 4])
    letters = zip("ab", items, strict=False)
    found = skip_to(items, limit)
    return found, [item for _, item in letters]


def with_an_iterator_inside_a_generator(limit):
    items = iter([1, 2, 3, 4])
    found = skip_to((item * item for item in items), limit)
    return found, sum(items)


def with_unpacking(limit):
    items = iter([1, 2, 3, 4])
    found = skip_to(items, limit)
    first, *others = items
    return found, first, others


def with_an_attribute(limit):
    reader = Reader()
    return reader.read(limit), reader.read(limit)


def with_a_method(limit):
    reader = Reader()
    return reader.read(limit), reader.rest()


def with_any(limit):
    items = iter([1, 2, 3, 4])
    return any(item >= limit for item in items), list(items)


def with_all(limit):
    items = iter([1, 2, 3, 4])
    return all(item < limit for item in items), sum(items)


def with_in(limit):
    items = iter([1, 2, 3, 4])
    return limit in items, list(items)


def with_a_first_element(limit):
    items = iter([1, 2, 3, 4])
    return next(item for item in items if item >= limit), list(items)


def with_a_dict(limit):
    items = iter({"a": 1, "b": 2, "c": 3}.items())
    for _, item in items:
        if item >= limit:
            break
    return dict(items)


def with_extend(limit):
    items, rest = iter([1, 2, 3, 4]), []
    skip_to(items, limit)
    rest.extend(items)
    return rest


def with_an_operator(limit):
    items, rest = iter([1, 2, 3, 4]), [0]
    for item in items:
        if item >= limit:
            break
    rest += items
    return rest


def with_a_star(limit):
    items = iter([1, 2, 3, 4])
    skip_to(items, limit)
    return [*items]


def with_starred_arguments(limit):
    items = iter([1, 2, 3, 4])
    skip_to(items, limit)
    return sum_of(*items)


def sum_of(*values):
    return sum(values)


def with_itertools(limit):
    items = iter([1, 2, 3, 4])
    skip_to(items, limit)
    return sum(itertools.islice(items, 1))


def with_a_library(limit):
    items = iter([1, 2, 3, 4])
    skip_to(items, limit)
    return len(collections.deque(items))


def with_its_method(limit):
    items = iter([1, 2, 3, 4])
    skip_to(items, limit)
    return items.__next__()


def with_a_generator(limit):
    items = numbers()
    skip_to(items, limit)
    return list(doubled(items))


def doubled(items):
    for item in items:
        yield item * 2


def with_the_rest_of_a_generator(limit):
    items = numbers()
    skip_to(items, limit)
    return list(all_of(items))


def all_of(items):
    yield from items


def with_a_file(limit):
    lines, total = io.StringIO("1\n2\n3\n"), 0
    for line in lines:
        total += int(line)
        if total >= limit:
            break
    return total, lines.read()


def with_a_loop_around(limit):
    items, total = iter([1, 2, 3, 4, 5, 6]), 0
    for item in items:
        for other in items:
            if other >= limit:
                break
        total += item
    return total


def with_the_other_branch(limit):
    items, total = iter([1, 2, 3]), 0
    if limit > 1:
        for item in items:
            total += item
    return total, list(items)


def counting(items):
    place = 0
    while place < len(items):
        yield items[place]
        place += 1


def with_any_over_a_generator(limit):
    items = counting([1, 2, 3, 4])
    return any(item >= limit for item in items), list(items)


REFUSED = [
    with_any_over_a_generator,
    with_next,
    with_a_dict,
    with_extend,
    with_an_operator,
    with_a_star,
    with_starred_arguments,
    with_itertools,
    with_a_library,
    with_its_method,
    with_a_generator,
    with_the_rest_of_a_generator,
    with_a_file,
    with_a_loop_around,
    with_the_other_branch,
    with_a_second_loop,
    with_pairs,
    with_a_wrapper_from_before,
    with_an_iterator_inside_a_generator,
    with_unpacking,
    with_an_attribute,
    with_a_method,
    with_any,
    with_all,
    with_in,
    with_a_first_element,
]


@pytest.mark.parametrize("program", REFUSED, ids=lambda program: program.__name__)
def test_what_is_read_again_is_refused(program):
    program(2)
    with pytest.raises(TypeError, match=r"a tensor decides at .*test_left_iterators.py:\d+ how many items"):
        gw.function(program)(tf.constant(2))


def after_a_break(limit):
    items, found = counting([1, 2, limit]), []
    for item in items:
        if item == 2:
            break
        found.append(item)
    return found, list(items)


def after_python_has_found_one(limit):
    items = counting([1, 2, limit])
    return any(item is not limit for item in items), list(items)


def after_an_error(limit):
    items, found = counting([limit, limit]), []
    try:
        for item in items:
            found.append(item)
            raise ValueError
    except ValueError:
        return found + list(items)


@pytest.mark.parametrize("program", [after_a_break, after_python_has_found_one, after_an_error])
def test_a_generator_that_calls_the_body_cannot_go_on_after_python_has_left_it(program) -> None:
    program(3)
    with pytest.raises(TypeError, match=r"test_left_iterators.py:\d+ leaves this generator before its end"):
        gw.function(program)(tf.constant(3))


class Counter:
    def __init__(self):
        self.count = 0

    def stream(self):
        while self.count < 4:
            self.count += 1
            yield self.count

    def items(self):
        yield from self.stream()

    def __iter__(self):
        return self

    def __next__(self):
        self.count += 1
        if self.count > 4:
            raise StopIteration
        return self.count


def changes_an_attribute(limit):
    counter = Counter()
    return skip_to(counter.stream(), limit), counter.count


def changes_an_attribute_under_a_quiet_name(limit):
    counter, found = Counter(), 0
    for found in counter.items():
        if found >= limit:
            break
    return found, counter.count


def changes_itself(limit):
    counter = Counter()
    return skip_to(counter, limit), counter.count


def changes_an_argument(limit):
    log = []
    return skip_to(logged(log), limit), log


def logged(log):
    for item in numbers():
        log.append(item)
        yield item


def changes_a_variable(limit):
    count = 0

    def counted():
        nonlocal count
        for item in numbers():
            count += 1
            yield item

    return skip_to(counted(), limit), count


def changes_by_a_function(limit):
    numbers = [1, 2, 3, 0]
    return skip_to(iter(lambda: numbers.pop(0), 0), limit), numbers


CHANGING = [
    changes_an_attribute_under_a_quiet_name,
    changes_itself,
    changes_an_argument,
    changes_a_variable,
    changes_by_a_function,
]


@pytest.mark.parametrize("program", CHANGING, ids=lambda program: program.__name__)
def test_what_an_iterator_changes_is_refused(program):
    program(2)
    with pytest.raises(TypeError, match=r"the iterator of this loop changes '.*', and a tensor decides how many items"):
        gw.function(program)(tf.constant(2))


def test_a_generator_that_calls_the_body_changes_what_it_has_changed():
    for limit in (2, 9):
        found, count = gw.function(changes_an_attribute)(tf.constant(limit))
        assert (found, count) == changes_an_attribute(limit)


@gw.function
def reads_in_each_iteration(xs):
    items, total = iter([1, 2, 3]), 0
    for x in xs:
        for item in items:
            total += item * x
    return total


@gw.function
def unpacks_in_each_iteration(xs):
    items, total = iter([1, 2, 3]), 0
    for x in xs:
        total += len([*items]) * x
    return total


@gw.function
def slices_in_each_iteration(xs):
    items, total = (item for item in range(10)), 0
    for x in xs:
        total += sum(itertools.islice(items, 2)) * x
    return total


@gw.function
def takes_from_an_attribute(xs):
    reader, total = Reader(), 0
    for x in xs:
        total += next(reader.items) * x
    return total


@gw.function
def sends_in_each_iteration(xs):
    def sums():
        total = 0
        while True:
            total += yield total

    running = sums()
    next(running)
    result = 0
    for x in xs:
        result = running.send(x)
    return result


def test_what_a_loop_of_the_graph_reads_from_around_is_refused():
    for program in (reads_in_each_iteration, unpacks_in_each_iteration, slices_in_each_iteration):
        with pytest.raises(TypeError, match="Put the items in a list before the loop"):
            program(tf.constant([1, 2]))
    with pytest.raises(TypeError, match="`next` moves an iterator of Python's once"):
        takes_from_an_attribute(tf.constant([1, 2]))
    with pytest.raises(TypeError, match="`send` moves an iterator of Python's once"):
        sends_in_each_iteration(tf.constant([1, 2]))


def read_once(limit):
    items = iter([1, 2, 3, 4])
    return skip_to(items, limit), skip_to(numbers(), limit)


def read_again_where_nothing_runs(limit, again=False):
    items = iter([1, 2, 3, 4])
    found = skip_to(items, limit)
    return next(items) if again else found


def left_by_python(limit):
    items = iter([1, 2, 3, 4])
    for item in items:
        if item == 2:
            break
    return next(items) + limit, list(items)


def left_at_its_last_item(limit):
    items = iter([2])
    return skip_to(items, limit), next(items, -1)


def another_iterator(limit):
    found = skip_to(itertools.count(), limit) if limit is None else skip_to(iter([1, 2, 3]), limit)
    others = iter([found, 1])
    return next(others), list(others)


def changes_what_nobody_else_has(limit):
    counter, log, found = Counter(), [], 0
    for found in logged(log):
        if found >= limit:
            break
    return skip_to(Counter().stream(), limit), skip_to(counter, limit), skip_to(logged([]), limit), found


def pairs_of(items):
    pair = []
    seen = set()
    for item in items:
        pair.append(item)
        seen.add(item)
        if len(pair) == 2:
            yield sum(pair)
            pair.clear()


def keeps_what_it_needs(limit):
    result = 0
    if limit > 0:
        for pair in pairs_of([1, 2, 3, 4]):
            result += pair
            if result > limit:
                break
    return result


def read_in_one_branch(limit):
    items, total = iter([1, 2, 3, 4]), 0
    if limit > 1:
        for item in items:
            total += item
            if item == 2:
                break
        total *= 10 * sum(items)
    return total


def made_in_each_iteration(limit):
    total = 0
    for _ in range(limit):
        items, others = iter([1, 2, 3]), numbers()
        for item in items:
            total += item
        for item in others:
            total += item
    return total


class Countdown:
    def __iter__(self):
        self.number = 3
        return self

    def __next__(self):
        if not self.number:
            raise StopIteration
        self.number -= 1
        return self.number


def begins_again(limit):
    numbers, total = Countdown(), 0
    for _ in tf.range(limit):
        for number in numbers:
            total += number
        total += sum(numbers)
    return total


def options_with_values(limit):
    options, total = iter(["-n", "3", "-v", "-k", "2", "-q", "1", "-n", "5"]), 0
    for option in options:
        if option != "-v":
            total += int(next(options))
        if total >= limit + 4:
            break
    return total


def rows_in_a_line_of_numbers(limit):
    numbers, total = iter([1, 2, 9, 3, 9, 4, 9, 5, 9, 6]), 0
    for number in numbers:
        for other in numbers:
            if other == 9:
                break
            total += other
        total += number * sum(itertools.islice(numbers, 1))
        if total >= limit * 10:
            break
    return total


def zipped_with_a_tensor(limit):
    items, total = iter([1, 2, 3, 4, 5, 6]), 0
    numbers = tf.constant([1, 2])
    for number, item in zip(numbers, items, strict=False):
        total += item * number
    for item, number in zip(items, numbers, strict=False):
        total += item * number
    return total * limit, list(items)


def reversed_in_each_iteration(n):
    total = 0
    while total < n:
        for item in reversed(range(3)):
            total += item
            if total > n:
                return total
    return total


def of_different_lengths(limit):
    items, total = iter([1, 2, 3]), 0
    for item in items:
        total += item
        if total > limit:
            break
    pairs = itertools.zip_longest(iter([1, 2, 3]), iter([1]), fillvalue=0)
    for one, other in pairs:
        total += one * 10 + other
    return total


def to_the_end_of_a_generator(limit):
    items, total = counting([limit, 1]), 0
    for item in items:
        if item is None:
            break
        total += item
    return total, next(items, 5), sum(items)


ACCEPTED = [
    of_different_lengths,
    to_the_end_of_a_generator,
    reversed_in_each_iteration,
    changes_what_nobody_else_has,
    keeps_what_it_needs,
    read_in_one_branch,
    made_in_each_iteration,
    begins_again,
    options_with_values,
    rows_in_a_line_of_numbers,
    zipped_with_a_tensor,
    read_once,
    read_again_where_nothing_runs,
    left_by_python,
    left_at_its_last_item,
    another_iterator,
]


@pytest.mark.parametrize("program", ACCEPTED, ids=lambda program: program.__name__)
def test_what_is_not_read_again_is_as_before(program):
    result = gw.function(program)(tf.constant(2))
    assert tf.nest.map_structure(int, result) == tf.nest.map_structure(int, program(tf.constant(2)))


@gw.do_not_convert
def unconverted_numbers(x):
    yield from (x, x + 1.0, x, x)


def sum_of_two(items):
    def look():
        return next(items)

    return look() + look()


@gw.function
def reads_what_the_iteration_made(x):
    for _ in tf.range(2):
        items = unconverted_numbers(x)
        look = functools.partial(next, items)
        x = look() + first_by_a_closure(items)
    return x


@gw.function
def reads_what_an_expression_made(x):
    for _ in tf.range(2):
        x = sum_of_two(unconverted_numbers(x))
    return x


@gw.function
def reads_a_parameter_from_around(x):
    items = unconverted_numbers(x)
    for _ in tf.range(2):
        x = x + first_of(items)
    return x


def first_by_a_closure(items):
    return (lambda: next(items))()


def first_of(items):
    return next(items)


@gw.function
def reads_a_parameter_by_a_closure(x):
    items = unconverted_numbers(x)
    for _ in tf.range(2):
        x = sum_of_two(items)
    return x


@gw.function
def reads_what_a_closure_kept(x):
    look = reader_of(x)
    for _ in tf.range(2):
        x = x + look()
    return x


def reader_of(x):
    items = unconverted_numbers(x)
    return lambda: next(items)


def test_iterators_that_unconverted_code_made_are_those_of_an_iteration_or_from_around():
    for program in (reads_what_the_iteration_made, reads_what_an_expression_made):
        assert program(tf.constant(1.0)) == program.python_function(tf.constant(1.0)) == 7.0
    for program in (reads_a_parameter_from_around, reads_a_parameter_by_a_closure, reads_what_a_closure_kept):
        with pytest.raises(TypeError, match="moves an iterator of Python's once"):
            program(tf.constant(1.0))


def test_looking_for_iterators_asks_a_users_object_for_nothing() -> None:
    class Asked:
        def __getattribute__(self, name: str) -> object:
            raise AssertionError(name)

    assert list(left_iterators.iterators_in([Asked(), iter("ab")]))
    assert list(left_iterators.iterators_in(Asked())) == []


def counted(n):
    i = 0
    while i < n:
        yield i
        i += 1


class Tokens:
    __slots__ = ("items",)

    def __init__(self, n):
        self.items = counted(n)

    def skipped(self):
        return next(self.items, None)

    def pairs(self):
        found = []
        for item in self.items:
            found.append((item, self.skipped()))
        return found


def read_in_the_body(n):
    items, found = counted(n), []
    for item in items:
        found.append((item, next(items) if item % 3 == 0 else None))
    return found


def read_by_another_loop_in_the_body(n):
    items, found = counted(n), []
    for item in items:
        for other in items:
            found.append((item, other))
            if other % 2:
                break
    return found


def read_beside_its_numbers(n):
    items, found = counted(n), []
    for place, item in enumerate(items):
        found.append((place, item, next(items, None)))
    return found


def read_after_a_break(n):
    items = counted(n)
    for item in items:
        if item == 3:
            break
    return list(items)


def read_by_its_object(n):
    return Tokens(n).pairs()


def read_by_a_default(n):
    items, found = counted(n), []

    def skipped(items=items):
        return next(items, None)

    for item in items:
        found.append((item, skipped()))
    return found


@pytest.mark.parametrize(
    "program",
    [
        read_in_the_body,
        read_by_another_loop_in_the_body,
        read_beside_its_numbers,
        read_after_a_break,
        read_by_its_object,
        read_by_a_default,
    ],
)
def test_a_generator_of_python_values_that_is_read_elsewhere_is_python_s(program):
    with tf.Graph().as_default():
        assert gw.convert(program)(9) == program(9)


def read_through_a_list(n):
    holder = [counted(n)]
    return [(item, next(holder[0])) for item in holder[0]]


def test_a_loop_over_a_generator_sees_that_its_body_has_read_it():
    with tf.Graph().as_default(), pytest.raises(TypeError, match="reads the generator that the loop goes over"):
        gw.convert(read_through_a_list)(4)
