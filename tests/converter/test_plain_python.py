"""Plain Python does the same converted as it does as written, called eagerly and in a trace."""

# The programs do on purpose what a checker warns of.
# pyright: reportUnboundVariable=false, reportPossiblyUnboundVariable=false, reportUndefinedVariable=false
# pyright: reportOperatorIssue=false, reportUnusedExpression=false

from __future__ import annotations

import contextlib
import copy
import dataclasses
import gc
import inspect
import itertools
import sys
import weakref

import graphwright as gw
import plain_python
import pytest
import python_corners
import python_in_packages
import python_semantics
import tensorflow as tf
from graphwright.runtime.basis import missing_keys

program = plain_python.Programs()


# --- Objects that look like ours


class Answering:
    """It has every attribute that it's asked for, as sqlparse's token types do."""

    def __getattr__(self, name):
        return Answering()

    def __contains__(self, item):
        return item == 1

    def __len__(self):
        return 3

    def __getitem__(self, index):
        return index * 2

    def __iter__(self):
        return iter((1, 2))


class Ring:
    """It has methods whose names the converter's own iterables have, too."""

    def advance(self, default):
        raise AssertionError

    length = get = contains = advance

    def __iter__(self):
        return iter((3, 4))


@program(1, 2)
def objects_that_answer_to_every_name(n):
    thing = Answering()
    found = [n in thing, n not in thing, len(thing), isinstance(thing, list), thing[n]]
    for item in thing:
        found.append(item)
    found.extend(thing)
    return found


@program(0)
def objects_with_methods_of_our_iterables(n):
    for item in Ring():
        n += item
    return n, 3 in Ring(), [item for item in Ring() if item]


# --- Definitions


@program(1, 2)
def a_decorated_class_in_a_function(n):
    @dataclasses.dataclass
    class Point:
        x: int = 0

    return Point(n).x


# --- Comprehensions that unpack into one name twice


@program([(1, 2, 3), (4, 5, 6)], [])
def a_name_twice_in_the_target_of_a_comprehension(rows):
    return [x for x, _, _ in rows], any(_ > 5 for _, _, _ in rows)


# --- Empty tuples


@program(0, 1)
def an_empty_tuple_at_an_early_return(n):
    if n == 0:
        return ()
    return (n,)


@program(0, 1)
def an_empty_tuple_from_a_lambda(n):
    make = lambda: ()  # noqa: E731
    return (lambda: ())() if n else make()


@program([1, 2], [1], [])
def an_empty_tuple_out_of_a_loop(xs):
    for x in xs:
        if x == 2:
            return ()
    return None


@program(5, 2)
def an_empty_tuple_out_of_a_loop_with_else(n):
    while n:
        n -= 1
        if n == 3:
            return ()
    else:
        return []


@program(1, ((2, 3),), "x")
def an_empty_tuple_out_of_a_match(value):
    match value:
        case 1:
            return ()
        case (a, _):
            return (a,)
        case _:
            return None


@program(1, 0, None)
def an_empty_tuple_out_of_a_try(value):
    try:
        if value:
            return ()
        1 / 0  # noqa: B018
    except ZeroDivisionError:
        if value is None:
            return ()
        return {}


@program(0, 1, 2)
def an_empty_tuple_out_of_a_function_inside(n):
    def inner(m):
        if m > 1:
            return ()
        if m > 0:
            return None
        return ([],)

    return inner(n)


@program(0, 1)
def an_empty_tuple_as_a_value(n):
    if n:
        value = ()
    else:
        value = None
    return value


def test_an_empty_tuple_out_of_a_graph():
    @tf.function(autograph=False)
    def traced():
        return plain_python.gw.to_graph(an_empty_tuple_at_an_early_return)(0)

    assert traced() == ()


# --- Causes of exceptions


@program(0, 1)
def a_cause_under_an_if(x):
    cause = KeyError("k")
    if x:
        raise ValueError("v") from cause
    return 1


@program(0, 1)
def no_cause_in_a_handler(x):
    try:
        return {}[x]
    except KeyError as error:
        if x:
            raise ValueError("v") from None
        raise ValueError("w") from error


@program([0, 2], [3], [4], [1])
def causes_in_a_loop(xs):
    for x in xs:
        try:
            if x > 1:
                1 / 0  # noqa: B018
        except ZeroDivisionError as error:
            if x == 2:
                raise RuntimeError(x) from error
            if x == 3:
                raise RuntimeError(x) from None
            raise


@program(1, 2, 3, 4)
def causes_in_a_match_and_a_with(value):
    with contextlib.suppress(KeyError):
        match value:
            case 1:
                raise ValueError from KeyError
            case 2:
                raise ValueError(1) from TypeError("x")
            case 3:
                raise KeyError from None
    return "end"


@program(0, 2)
def a_cause_that_is_computed(value):
    while True:
        if value:
            raise (ValueError if value > 1 else TypeError)("a") from (None if value > 1 else KeyError("b"))
        value += 1


@program(0, 2)
def a_cause_over_several_lines(value):
    if value:
        raise ValueError(
            "x",
        ) from (
            KeyError("y")
        )  # fmt: skip
    raise TypeError from None


@program(1, 0)
def a_global_that_is_an_import_after_an_early_return(x):
    if x:
        return 0
    global imported
    import os as imported

    return imported.__name__


# --- A `with` that swallows an error: what follows it runs, though its body always leaves


class Swallowing:
    def __enter__(self):
        self.error = None
        return self

    def __exit__(self, kind, error, trace):
        self.error = error
        return True


def failing(fails):
    if fails:
        raise ValueError("failed")
    return "done"


@program(0, 1, 2)
def a_with_in_one_branch_of_an_if(k):
    if k:
        with contextlib.suppress(ValueError):
            return failing(k > 1)
    else:
        return "else"
    return "after"


@program(0, 1)
def a_with_in_a_case(k):
    match k:
        case 0:
            with Swallowing() as swallowing:
                return failing(True)
        case _:
            return 1
    return repr(swallowing.error)


@program(0, 1)
def a_with_in_a_loop_without_end(k):
    while True:
        with contextlib.suppress(ValueError):
            return failing(k), k
        k -= 1


@program(0, 1, 2)
def a_name_that_is_read_only_after_an_error(k):
    x = 1
    if k:
        x = 2
    with Swallowing():
        return failing(k > 1)
    return x


@program(0, 1)
def a_name_that_is_bound_again_after_what_fails(k):
    with Swallowing():
        y = 1
        if k:
            y = 2
        failing(k)
        y = 3
    return y  # noqa: RET504


@program(0, 1)
def a_with_inside_of_a_with(k):
    with Swallowing(), contextlib.nullcontext():  # noqa: SIM117
        with contextlib.nullcontext():
            if k:
                return failing(k)
            return "else"
    return "after"


@program(0, 1, 5)
def a_with_that_leaves_each_iteration(k):
    done = []
    for i in range(3):
        with contextlib.suppress(ValueError):
            done.append(failing(i == k))
            continue
        done.append("after")
    return done


@program(2)
def names_that_a_comprehension_has(x):
    texts = ["{n} of {end}".format(end=x, **vars()) for n in range(x)]
    named = {n: {"n", "m"} <= {*locals()} and "{n}{m}".format(**locals()) for n, m in enumerate("ab")}
    return texts, named, [n for n in range(3) if locals()["n"]]


@program((1, "a"), (0, "b"))
def names_that_an_operand_has(x, name):
    text = x and "{name}".format(**locals())
    other = "{name}".format(**vars()) if x else eval("name + '!'")
    if x and eval("name"):
        other += "?"
    return text, other, x or "name" in dir()


# --- `global` and `nonlocal` after an early return


@program(1, 0, 0)
def global_after_an_early_return(x):
    if x:
        return 1
    global counted
    counted += 3
    return counted


@program(0, 5, 2)
def global_after_a_loop(x):
    for i in range(x):
        if i == 2:
            return i
    global counted
    counted += x
    if x > 1:
        counted += 10
    return counted


@program(1, 0)
def nonlocal_after_an_early_return(x):
    n = 0

    def inner(y):
        if y:
            return 1
        nonlocal n
        n += 5
        return n

    return inner(x), n, inner(0), n


@program(0, 5)
def a_class_that_sets_variables_around_it(x):
    n, around = 0, "function"

    class Counted:
        nonlocal n
        n = x + 1
        if x:
            global counted
            counted = n

        def again(self):
            nonlocal around
            around = "method"
            return n

    Counted().again()
    return n, around, counted, sorted(name for name in vars(Counted) if not name.startswith("_"))


@program(0, 1)
def global_after_a_try_as_a_loop_variable(x):
    try:
        if x:
            return 1
    finally:
        pass
    global counted
    for counted in range(4):
        if counted == x + 2:
            break
    return counted


@program(0, 1, 3)
def global_in_a_loop(x):
    while x:
        x -= 1
        if x == 1:
            return 1
        global counted
        counted = x
    return counted


# --- Attributes: what the source reads and sets, and nothing else


class Noticing:
    """An object that notes what is read and set of it."""

    def __init__(self, **values):
        object.__setattr__(self, "values", values)

    def __getattr__(self, name):
        plain_python.events.append(f"get {name}")
        try:
            return self.values[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        plain_python.events.append(f"set {name}")
        self.values[name] = value

    def __delattr__(self, name):
        plain_python.events.append(f"del {name}")
        del self.values[name]

    def __deepcopy__(self, memo):
        return Noticing(**copy.deepcopy(self.values))

    def __repr__(self):
        return f"Noticing({self.values})"


class ReadOnly:
    """Its list can't be set, and is made for each who asks."""

    @property
    def items(self):
        plain_python.events.append("items")
        return []


@dataclasses.dataclass(frozen=True)
class Frozen:
    items: list = dataclasses.field(default_factory=list)
    n: int = 0


class Slotted:
    __slots__ = ("n", "z")

    def __repr__(self):
        return repr({name: getattr(self, name, "unset") for name in self.__slots__})


class Shared:
    n = 0

    def __repr__(self):
        return repr(vars(self))


@program(Noticing(p=0), Noticing(p=1, q=3), Noticing(p=1))
def an_attribute_that_only_a_second_operand_reads(thing):
    if thing.p and thing.q:
        thing.q = []
    return thing


@program((ReadOnly(), 0), (ReadOnly(), 1), (Frozen(), 0), (Frozen(), 1), (Noticing(items=[]), 0))
def a_list_in_an_attribute(thing, k):
    if k:
        thing.items.append(k)
    return getattr(thing, "values", None)


@program((Frozen(), 0), (Frozen(), 1), (Shared(), 0), (Shared(), 1), (Noticing(n=1), 0), (Noticing(n=1), 1))
def an_attribute_that_is_counted_up(thing, k):
    if k:
        thing.n += 1
    return thing


@program((Slotted(), [1, 2, 3]), (Slotted(), [0]), (Noticing(), [1, 2, 3]), (Noticing(), [3, 0]))
def attributes_in_loops(thing, ks):
    for k in ks:
        if hasattr(thing, "z"):
            thing.z += 1
        elif k > 1:
            thing.z = 0
    while ks:
        k = ks.pop()
        if k > 2:
            thing.n = k
        elif k == 1:
            continue
        elif hasattr(thing, "n"):
            del thing.n
    return thing


@program(*[(Noticing(), k) for k in range(7)])
def attributes_beside_early_ends(thing, k):
    if k == 0:
        return None
    if k == 1:
        thing.x = 1
        return thing.x
    try:
        if k == 2:
            thing.x = 3
            raise KeyError(k)
    except KeyError:
        thing.y = thing.x
    finally:
        if k > 3:
            thing.z = 1
    with contextlib.nullcontext():
        if k == 4:
            return thing.z
        thing.w = 1
    if k == 5:
        thing.w = 2
    else:
        thing.w += 10
    return thing.w


@program(*[(Noticing(), k) for k in range(5)])
def an_attribute_as_a_loop_variable(thing, k):
    for thing.i in range(k):
        if thing.i == 2:
            break
    else:
        thing.done = True
    return k


@program((Noticing(), 1), (Noticing(), {"x": 3}), (Noticing(), [4]), (Noticing(c=Noticing()), [4]))
def attributes_in_a_match(thing, k):
    match k:
        case 1:
            thing.a = 1
        case {"x": value}:
            thing.b = value
        case [first, *_]:
            thing.c.d = first
    return 3


@program((Noticing(), 0), (Noticing(m=Noticing(n=Noticing(o=3))), 1))
def an_attribute_of_what_an_attribute_holds(thing, k):
    if k:
        thing.m.n.o = 1
    else:
        thing.m = None
    if thing.m and thing.m.n.o:
        thing.m.n.o += 1
    return thing


@program(0, 1, 2)
def a_global_that_is_perhaps_not_there(k):
    global perhaps
    if k and perhaps:
        perhaps = []
    if k > 1:
        perhaps += 1
    return "perhaps" in globals()


@program(0, 1, 2, 3)
def a_variable_of_a_function_around_that_is_perhaps_unset(k):
    def inner(j):
        nonlocal n
        if j:
            n += 1
        for i in range(j):
            n = n + 10 if i > 1 else n * 2
        return j

    try:
        if k:
            n = 1
        inner(k)
        return n
    except NameError as error:
        return type(error).__name__


@program(1, 0)
def a_global_that_is_a_function_after_an_early_return(x):
    if x:
        return 0
    global made

    def made():
        return 4

    return made()


def test_properties_are_left_alone_where_python_decides_in_a_graph():
    """What a tensor doesn't decide is Python's in a graph, too."""

    @tf.function(autograph=False)
    def traced():
        thing = ReadOnly()
        converted = plain_python.gw.to_graph(a_list_in_an_attribute)
        return [converted(thing, 0), converted(thing, 1), converted(Frozen(), 0), converted(Frozen(), 1)]

    plain_python.events.clear()
    traced()
    assert plain_python.events == ["items"]


def test_an_attribute_that_is_perhaps_missing_is_state_of_a_graph():
    class Thing:
        pass

    @plain_python.gw.function
    def set_perhaps(thing, x):
        if x > 0:
            thing.seen = x
        return thing.seen

    assert set_perhaps(Thing(), tf.constant(2)).numpy() == 2
    with pytest.raises(AttributeError, match="`thing` has no attribute 'seen' here"):
        set_perhaps(Thing(), tf.constant(-2))


# --- Functions whose code is replaced


def test_a_function_whose_code_is_replaced_is_converted_again():
    def first(x):
        if x:
            return "first"
        return None

    def second(x):
        if x:
            return "second"
        return None

    def calling(x):
        return first(x)

    converted, caller = plain_python.gw.to_graph(first), plain_python.gw.to_graph(calling)
    assert (converted(1), caller(1)) == ("first", "first")
    first.__code__ = second.__code__
    assert (converted(1), caller(1)) == ("second", "second")


def made_later(x):
    if x:
        return x * 2
    return 0


def test_a_function_that_replaces_its_own_code():
    namespace = {"__name__": "theirs", "made_later": made_later}
    exec("def lazily(x):\n    pass", namespace)  # Only a function without variables of others can have other code.
    lazily = namespace["lazily"]
    lazily.__code__ = replacing.__code__
    namespace["lazily"] = lazily
    assert plain_python.gw.to_graph(lazily)(4) == 8
    assert lazily(4) == 8


def replacing(x):
    lazily.__code__ = made_later.__code__  # noqa: F821
    if x:
        return lazily(x)  # noqa: F821
    return None


# --- Comprehensions


def opened(n, name="s"):
    plain_python.events.append(f"open {name}")
    for i in range(n):
        plain_python.events.append(f"{name}{i}")
        yield i


@program(0, 4)
def an_endless_inner_loop(k):
    return next((i, j) for i in range(3) for j in itertools.count() if j > k)


@program([1, 1, 2, 3], [])
def loops_over_groups(xs):
    groups = list(g for _, g in itertools.groupby(xs) for _ in g)  # noqa: C400
    return len(groups), list((k, v) for k, g in itertools.groupby(xs) for v in g)  # noqa: C400


@program(0, 1, 3)
def inner_loops_wait(n):
    pairs = iter((i, j) for i in opened(n, "a") for j in opened(2, "b") if j or i)
    plain_python.events.append("made")
    first = [next(pairs, None), next(pairs, None)]
    plain_python.events.append("taken")
    return first, next(pairs, None)


@program([1, 4, 5], [])
def what_stops_early_opens_no_more(xs):
    found = any(y > 2 for x in xs for y in opened(x, "y"))
    total = sum(z for x in opened(3) if x for y in opened(x, "y") if y for z in range(y + 1))
    return found, total


@program([(1, 2)], [(1, 2, 3)], [(1,)], ["ab"], [5], [[1, 2]])
def parts_of_items(xs):
    return [b for a, b in xs], tuple((b, a) for a, b in xs)


@program(0, 1)
def an_iterable_that_fails(n):
    kept = take(x for x in opened(2) for _ in opened(1 // n))
    plain_python.events.append("made")
    return list(kept)


def take(items):
    return items


counted = 0


@pytest.mark.parametrize("program", [*program.all, *python_in_packages.program.all], ids=str)
def test_converted_code_does_the_same_eagerly(program: plain_python.Program) -> None:
    found = plain_python.differences(program, plain_python.eagerly)
    assert not found, "\n".join(found)


OTHERWISE_IN_A_TRACE = {
    "builtins": "`filter` gives an iterator of Graphwright's",
}
if sys.version_info < (3, 11):
    OTHERWISE_IN_A_TRACE |= dict.fromkeys(("locals_of_2", "locals_of_5"), "names that functions share come last")
if sys.version_info >= (3, 12):
    OTHERWISE_IN_A_TRACE["nested_operators"] = "Python asks twice for the truth of `b or c` in `a and (b or c) and a`"
"""What does something else while a graph is built, and why."""

PROGRAMS = [*program.all, *python_semantics.program.all, *python_corners.program.all, *python_in_packages.program.all]


@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_converted_code_does_the_same_in_a_trace(program: plain_python.Program) -> None:
    found = plain_python.differences(program, plain_python.in_a_trace)
    assert bool(found) == (str(program) in OTHERWISE_IN_A_TRACE), "\n".join(found)


def test_outside_of_graphs_the_users_own_code_runs():
    ran = []

    def function(n):
        ran.append(sys._getframe().f_code)
        return n

    for made in (gw.convert(function), gw.to_graph(function), gw.convert()(function)):
        made(1)
    tf.config.run_functions_eagerly(True)
    try:
        gw.function(function)(1)
    finally:
        tf.config.run_functions_eagerly(False)
    assert ran == [function.__code__] * 4


def test_recursion_goes_as_deep_as_unconverted():
    def depth(n):
        return n and depth(n - 1) + 1

    deep = sys.getrecursionlimit() - len(inspect.stack()) - 20
    assert gw.to_graph(depth)(deep) == depth(deep)


def test_the_defaults_of_a_decorated_function_are_seen():
    def function(a, b=2, *, c=3):
        return a, b, c

    for made in (gw.convert(function), gw.do_not_convert(function)):
        assert (made.__defaults__, made.__kwdefaults__) == ((2,), {"c": 3})
        assert inspect.signature(made, follow_wrapped=False) == inspect.signature(function)
        assert inspect.signature(made) == inspect.signature(function)
        assert (made(1), made(1, 5, c=6)) == ((1, 2, 3), (1, 5, 6))
        with pytest.raises(TypeError, match="missing 1 required positional argument: 'a'"):
            made()


def test_decorated_functions_that_call_each_other_go_as_deep_as_unconverted():
    @gw.convert
    def depth(n):
        if n:
            return depth(n - 1) + 1
        return 0

    def traced():
        deep = sys.getrecursionlimit() - len(inspect.stack()) - 40
        found.append(depth(deep) == deep)

    found = []
    tf.function(traced, autograph=False)()
    assert found == [True]


def test_a_decorated_function_whose_code_is_replaced_is_converted_again_for_converted_code():
    def first():
        return "first"

    def second():
        return "second"

    decorated = gw.convert(first)

    def calling():
        return decorated()

    results = []
    for code in (first.__code__, second.__code__):
        first.__code__ = code
        results.append(plain_python.in_a_trace(calling)())
    assert results == ["first", "second"]


def test_a_recursion_that_python_decides_isnt_told_to_be_one_of_the_graph() -> None:
    def depth(items):
        for each in items:
            if each is not None and items:
                return depth([items]) or items
        return items

    with pytest.raises(RecursionError) as error:
        gw.function(lambda x: x + len(depth([1])))(tf.constant(1))
    assert "tensor decides" not in str(error.value)


def test_errors_of_decorated_functions_keep_nothing_alive_once_they_are_caught() -> None:
    class Argument:
        pass

    @gw.convert
    def failing(argument: Argument) -> None:
        raise ValueError(argument)

    def calling(argument: Argument) -> None:
        with contextlib.suppress(ValueError):
            failing(argument)

    def traced() -> None:
        argument = Argument()
        found.append(weakref.ref(argument))
        calling(argument)

    found: list[weakref.ref[Argument]] = []
    gc.collect()
    gc.disable()
    try:
        traced()
        tf.function(traced, autograph=False)()
    finally:
        gc.enable()
    assert [each() for each in found] == [None, None]


def test_dicts_arent_gone_through_while_no_key_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def counted(names: list[str]) -> dict[str, int]:
        counts: dict[str, int] = {}
        for name in names:
            if counts and name in counts:
                counts[name] += 1
            else:
                counts[name] = counts.get(name, 0) + len(counts)
        return counts

    def refuse(value: object) -> bool:
        raise AssertionError(value)

    monkeypatch.setattr(missing_keys, "_any_missing", set[object]())
    monkeypatch.setattr(missing_keys, "is_missing", refuse)
    assert plain_python.in_a_trace(counted)(["a", "b", "a"]) == {"a": 1, "b": 1}
