"""What plain Python does stays as it is in a trace: names, frames, order, exceptions, iterators, objects of classes.

Each program was written for its semantics alone; `test_plain_python` holds those that came of defects.
"""

# The programs do on purpose what checkers warn of, in as few lines as can be.
# ruff: noqa
# pyright: reportUnboundVariable=false, reportPossiblyUnboundVariable=false, reportUndefinedVariable=false
# pyright: reportOperatorIssue=false, reportUnusedExpression=false, reportAssignmentType=false
# pyright: reportRedeclaration=false, reportIncompatibleMethodOverride=false, reportReturnType=false

from __future__ import annotations
import collections
import contextlib
import dataclasses
import enum
import functools
import inspect
import io
import itertools
import logging
import math
import operator
import sys
import tempfile
import traceback
import types
import warnings

import plain_python

program = plain_python.Programs()
events = plain_python.events
G = 1


@program(0, 1, 2)
def del_under_if(k):
    x = 5
    if k:
        del x
    try:
        return x
    except NameError as e:
        return type(e).__name__


@program(0, 1)
def locals_names(k):
    a = 1
    if k:
        b = 2
    return sorted(locals())


@program(0, 1)
def locals_in_loop(k):
    out = []
    for i in range(2):
        if i == k:
            z = i
        out.append(sorted(n for n in locals()))
    return out


@program(0, 1)
def vars_dir(k):
    a = k
    if k:
        c = 1
    return sorted(vars()), sorted(dir())


@program(1, 2)
def eval_names(k):
    y = 3
    if k > 1:
        y = 4
    return eval("y + k")


@program(0, 1)
def finally_return(n):
    try:
        1 // n
    finally:
        if n == 0:
            return "swallowed"
    return "ok"


@program(0, 1)
def finally_break(n):
    for i in range(3):
        try:
            1 // n
        finally:
            if n == 0:
                break
    return i


@program(0, 1)
def finally_continue(n):
    c = 0
    for i in range(3):
        try:
            c += 1 // n
        finally:
            if n == 0:
                continue
        c += 10
    return c


@program(0, 1)
def assigned_before_raise(n):
    y = 1
    try:
        if n == 0:
            y = 5
            1 // n
    except ZeroDivisionError:
        return y
    return y


@program(0, 1)
def assigned_before_raise_suppress(n):
    y = 1
    with contextlib.suppress(ZeroDivisionError):
        if n == 0:
            y = 5
            1 // n
    return y


@program(0, 3)
def assigned_before_raise_loop(n):
    y = 1
    try:
        for i in range(5):
            y = i
            1 // (n - i)
    except ZeroDivisionError:
        return y, i
    return y


@program(0, 3)
def assigned_before_raise_while(n):
    i = 0
    try:
        while True:
            i += 1
            1 // (n - i)
            if i > 5:
                break
    except ZeroDivisionError:
        return i
    return i, "x"


@program(3)
def late_binding(n):
    fs = []
    for i in range(n):
        if i % 2 == 0:
            fs.append(lambda: i)
    return [f() for f in fs]


@program(2)
def late_binding_while(n):
    fs = []
    i = 0
    while i < n:
        fs.append(lambda: i)
        i += 1
    return [f() for f in fs]


@program(0, 1)
def class_in_function(k):
    if k:

        class A:
            v = k

            def f(self):
                return self.v + 1
    else:

        class A:
            v = -1

            def f(self):
                return 0

    return A().f(), A.__qualname__


@program([1, 2, 3])
def walrus(xs):
    out = []
    while (x := xs.pop() if xs else None) is not None:
        out.append(x)
    if (n := len(out)) > 2:
        return n, x
    return out


@program([1, 2, 3])
def walrus_in_comprehension(xs):
    r = [y for x in xs if (y := x * 2) > 2]
    return r, y


@program([1, 5, 2])
def any_stops(xs):
    seen = []
    r = any(seen.append(x) or x > 3 for x in xs)
    return r, seen


@program([1, 5, 2])
def all_stops(xs):
    seen = []
    r = all(seen.append(x) or x < 3 for x in xs)
    return r, seen


@program([1, 5, 2])
def next_of_generator(xs):
    seen = []
    r = next((x for x in xs if seen.append(x) or x > 3), None)
    return r, seen


@program([1, 5, 2])
def generator_type(xs):
    g = (x for x in xs)
    return type(g).__name__, inspect.isgenerator(g), next(g), list(g)


@program(3)
def generator_of_count(n):
    g = (i * i for i in itertools.count())
    return [next(g) for _ in range(n)]


@program(3)
def islice_of_generator(n):
    return list(itertools.islice((i for i in itertools.count() if i % 2), n))


@program(3)
def takewhile_generator(n):
    return sum(itertools.takewhile(lambda v: v < n, (i for i in itertools.count())))


@program([3, 1, 2])
def generator_in_chain(xs):
    return (
        list(itertools.chain.from_iterable((x,) * x for x in xs)),
        sorted(-x for x in xs),
        max((x, i) for i, x in enumerate(xs)),
    )


@program([3, 1, 2])
def generator_send(xs):
    def gen():
        got = yield 1
        while got:
            got = yield got * 2
        return 7

    g = gen()
    a = next(g)
    out = [a]
    try:
        for x in xs:
            out.append(g.send(x))
        g.send(0)
    except StopIteration as stop:
        out.append(stop.value)
    return out


@program(3)
def yield_from(n):
    def inner():
        if n > 2:
            yield 1
        else:
            yield 2
        return 3

    def outer():
        r = yield from inner()
        yield r

    return list(outer())


@program(0, 2)
def for_else(k):
    for i in range(3):
        if i == k + 1:
            break
    else:
        return "none"
    return i


@program(0, 9)
def while_else(k):
    i = 0
    while i < 5:
        if i == k:
            break
        i += 1
    else:
        i = -1
    return i


class Falsy:
    def __init__(self):
        self.n = 0

    def __bool__(self):
        self.n += 1
        return False


@program(1)
def bool_once(k):
    f = Falsy()
    if f:
        pass
    elif f and k:
        pass
    x = f or k
    y = not f
    return f.n, x, y


class Len0:
    def __len__(self):
        events.append("len")
        return 0


@program(1)
def len_as_truth(k):
    if Len0():
        return 1
    while Len0():
        return 2
    return [1 for _ in [1] if Len0()]


class Weird:
    def __eq__(self, other):
        events.append("eq")
        return "no"

    def __lt__(self, other):
        events.append("lt")
        return []

    def __contains__(self, x):
        events.append("in")
        return 5

    def __iter__(self):
        events.append("iter")
        return iter([1, 2])

    def __neg__(self):
        return "neg"

    def __getitem__(self, k):
        events.append(k)
        return k

    def __abs__(self):
        return "abs"

    def __round__(self, n=None):
        return ("round", n)

    def __divmod__(self, o):
        return ("dm", o)

    def __rmatmul__(self, o):
        return ("rm", o)

    def __bool__(self):
        events.append("bool")
        return True

    def __index__(self):
        return 1

    def __len__(self):
        return 4

    def __reversed__(self):
        return iter("rev")

    def __format__(self, spec):
        return f"<{spec}>"

    def __missing__(self, k):
        return k

    __hash__ = None


@program(1)
def weird_objects(k):
    w = Weird()
    return (
        w == 1,
        w < 2,
        3 in w,
        3 not in w,
        -w,
        w[k:2],
        w[...],
        abs(w),
        round(w),
        round(w, 2),
        divmod(w, 3),
        4 @ w,
        not w,
        w != 1 if k else 0,
        w and 3,
        w or 4,
        len(w),
        list(reversed(w)),
        f"{w:>3}",
        [1, 2, 3][w],
        range(5)[w],
        1 < w < 2,
        k if w else 0,
        [*w],
        sum(w),
        max(w),
        min(w),
        sorted(w),
        list(enumerate(w, 3)),
        list(zip(w, w)),
        list(map(str, w)),
        list(filter(None, w)),
        any(w),
        all(w),
    )


@program(1)
def order_of_evaluation(k):
    def e(x):
        events.append(x)
        return x

    d = {e(1): e(2), e(3): e(4)}
    a = [0] * 5
    a[e(0)], a[e(1)] = e(5), e(6)
    a[e(2)] += e(7)
    f = lambda *args, **kw: (args, kw)
    r = f(e(1), *e([2]), x=e(3), **e({"y": 4}))
    c = e(1) < e(2) > e(3) < e(4)
    t = e(1) if e(0) else e(2)
    return d, a, r, c, t


@program(1)
def swap_targets(k):
    i = 0
    a = [1, 2, 3]
    i, a[i] = 2, 9
    x = y = z = []
    x.append(1)
    (p, *q), r = a, k
    return i, a, z, p, q, r


@program(5)
def slices(n):
    a = list(range(n))
    b = a
    a[1:3] = [7, 8, 9]
    a[:1] += [5]
    del a[0]
    del a[-1:]
    a[::2] = [0] * len(a[::2])
    a *= 2
    return a, b is a, a[-1], a[5:1:-2]


@dataclasses.dataclass(frozen=True)
class Frozen:
    x: int
    items: list


@program(1, 0)
def frozen_class(k):
    f = Frozen(1, [])
    if k:
        f.items.append(k)
    for i in range(2):
        f.items.append(i)
    try:
        if k:
            f.x = 3
    except dataclasses.FrozenInstanceError:
        return "frozen", f
    return f


class Slots:
    __slots__ = ("a", "b")


@program(1, 0)
def slots_unset(k):
    s = Slots()
    if k:
        s.a = 1
    for i in range(2):
        if hasattr(s, "a"):
            s.b = i
    return hasattr(s, "a"), hasattr(s, "b")


class Counter:
    total = 0

    def __init__(self):
        self._p = 0
        self.reads = 0

    @property
    def p(self):
        self.reads += 1
        return self._p

    @p.setter
    def p(self, v):
        events.append(("set", v))
        self._p = v

    @property
    def ro(self):
        events.append("ro")
        return [1]


@program(1, 0)
def properties(k):
    c = Counter()
    if k:
        c.p = 3
    if k and c.p:
        c.p += 1
    for i in range(2):
        c.p += i
    while c.p < 8:
        c.p += 5
    if k:
        c.ro.append(2)
    if k:
        c.total += 1
    return c.reads, c._p, vars(c), Counter.total


class GetAttr:
    def __getattr__(self, n):
        if n.startswith("__"):
            raise AttributeError(n)
        events.append(n)
        return 1

    def __setattr__(self, n, v):
        events.append((n, v))
        object.__setattr__(self, n, v)


@program(0, 1)
def dynamic_attributes(k):
    g = GetAttr()
    if k:
        g.x = g.y
    for i in range(k):
        g.z = g.z + i
    while g.w > 1:
        g.w = 0
    if g.a and g.b:
        g.c += 1
    return sorted(vars(g).items())


def factory_name():
    return sys._getframe(1).f_globals["__name__"], sys._getframe(1).f_code.co_name, sys._getframe(1).f_lineno


@program(0, 1)
def looks_up(k):
    if k:
        return factory_name()
    for i in range(1):
        r = factory_name()
    return r


@program(0)
def namedtuple_module(k):
    T = collections.namedtuple("T", "a b")
    E = enum.Enum("E", "X Y")
    return T.__module__, E.__module__, T(1, 2)


@program(0, 1)
def warn_stack(k):
    with warnings.catch_warnings(record=True) as w:
        warnings.simplefilter("always")
        if k:
            warnings.warn("hello", stacklevel=1)
        else:
            warnings.warn("there", stacklevel=1)
    return [(str(x.message), x.filename == __file__, x.lineno) for x in w]


@program(0, 1)
def log_caller(k):
    stream = io.StringIO()
    log = logging.getLogger("plain_x")
    log.propagate = False
    h = logging.StreamHandler(stream)
    h.setFormatter(logging.Formatter("%(filename)s:%(lineno)d:%(funcName)s %(message)s"))
    log.handlers[:] = [h]
    if k:
        log.warning("a")
    for i in range(2):
        if i == k:
            log.error("b%s", i)
    return stream.getvalue()


@program(0, 1)
def frames_in_exception(k):
    try:
        for i in range(2):
            if i == k:
                raise ValueError(i)
    except ValueError as e:
        return [(f.name, f.lineno) for f in traceback.extract_tb(e.__traceback__)]


@program(0, 1)
def format_exc(k):
    def inner():
        if k:
            return [][3]
        return {}[3]

    try:
        inner()
    except Exception:
        return [l.strip() for l in traceback.format_exc().splitlines() if "File" in l]


@program(0, 1)
def exc_info(k):
    try:
        if k:
            raise KeyError(1)
        raise IndexError(2)
    except LookupError:
        return repr(sys.exc_info()[1])


@program(0, 1)
def reraise(k):
    try:
        try:
            raise ValueError(1)
        except ValueError:
            if k:
                raise
            raise KeyError(2)
    except Exception as e:
        return repr(e), repr(e.__context__), e.__traceback__.tb_lineno


class Base:
    def __init__(self, x=0):
        self.x = x

    def f(self, k):
        return "base", k


class Derived(Base):
    def __init__(self, k):
        super().__init__(k)
        if k:
            self.y = 1

    def f(self, k):
        if k:
            return super().f(k)
        return __class__.__name__


@program(0, 1)
def zero_argument_super(k):
    d = Derived(k)
    return d.f(k), vars(d)


@program(0, 1)
def default_arguments(k):
    acc = []

    def f(x, a=acc, *, b=len(acc)):
        if x:
            a.append(x)
        return b

    f(k)
    f(k + 1)
    return acc, f.__defaults__, f.__kwdefaults__, f.__name__, f.__qualname__, f(3, b=8)


@program(0, 1)
def lambda_in_branch(k):
    f = (lambda a: a + 1) if k else (lambda a, b=3: a * b)
    return f(2), f.__name__, f.__code__.co_varnames


@program("abc")
def strings(s):
    r = ""
    for c in s:
        if c in "ac":
            r += c.upper()
        else:
            r = r + "%s-%d" % (c, ord(c))
    return (
        r,
        s * 2,
        s[::-1],
        "{:>5}{x!r}".format(s, x=r),
        f"{s=} {len(s)!r:>4} {r:*^12} {{}}",
        "ab",
        s.startswith("a"),
        s > "abb",
    )


@program(2)
def numbers(n):
    return (
        n**3,
        n // 3,
        -n // 3,
        n % -3,
        divmod(-7, n),
        round(2.5),
        round(-0.567, n),
        abs(-n),
        pow(n, 5, 7),
        int("12"),
        float("1e3"),
        complex(1, 2),
        ~n,
        n << 3,
        n & 3 | 4 ^ 1,
        1_000,
        0x1F,
        n / 4,
        math.floor(-n / 4),
        int(-2.7),
        bool(n),
        3 < n,
        n is n if n else 1,
        max(n, 3),
        min([n, 1]),
        sum([1, 2], n),
        hex(n),
        chr(97 + n),
    )


@program([3, 1, 2])
def builtins(xs):
    return (
        sorted(xs, key=lambda v: -v),
        sorted(xs, reverse=True),
        max(xs, key=lambda v: -v),
        min([], default=4),
        list(enumerate(xs, 1)),
        list(zip(xs, "ab")),
        list(map(lambda a, b: a + b, xs, xs)),
        list(filter(lambda v: v > 1, xs)),
        list(reversed(xs)),
        sum(xs),
        any(xs),
        all(xs),
        len(xs),
        list(range(1, 9, 3)),
        range(3),
        functools.reduce(operator.add, xs),
        dict(zip("abc", xs)),
        set(xs),
        tuple(xs),
        type(map(str, xs)).__name__,
        type(zip(xs)).__name__,
        type(enumerate(xs)).__name__,
        type(filter(None, xs)).__name__,
        isinstance(range(3), range),
        type(range(3)).__name__,
    )


@program([3, 1, 2])
def lazy_builtins(xs):
    seen = []
    m = map(lambda v: seen.append(v) or v, xs)
    a = list(seen)
    first = next(m)
    z = zip(m, itertools.count())
    b = next(z)
    f = filter(lambda v: seen.append(-v) or True, xs)
    e = enumerate(iter(xs))
    next(e)
    return a, first, b, seen, list(e), next(iter(f)), seen


@program([3, 1, 2])
def iter_sentinel(xs):
    it = iter(xs.pop, 3)
    return list(it), xs


@program(3)
def iterator_shared(n):
    it = iter(range(n * 2))
    out = []
    for x in it:
        if x % 2 == 0:
            out.append((x, next(it, None)))
    return out


@program(3)
def mutated_while_iterating(n):
    xs = [n]
    out = []
    for x in xs:
        out.append(x)
        if x:
            xs.append(x - 1)
    d = {i: i for i in range(n)}
    try:
        for key in d:
            if key == 1:
                d[9] = 1
    except RuntimeError as e:
        out.append(str(e))
    return out


@program({"a": 1}, {})
def dicts(d):
    for k, v in d.items():
        if v:
            d[k] = v + 1
    d.setdefault("z", []).append(1)
    e = {**d, "q": 2}
    d |= {"m": 1}
    x = d.pop("nope", None)
    try:
        d["none"]
    except KeyError as err:
        x = err.args
    if "a" in d:
        del d["a"]
    return (
        d,
        e,
        x,
        d.get("k", 4),
        list(d),
        {k: v for k, v in e.items() if k != "q"},
        d == e,
        d.keys() & e.keys() == set(d),
    )


@program(1, 2, "x", (1, 2), {"k": 3}, [1, 2, 3], None, 2.5)
def matches(v):
    match v:
        case 1 | 2 if v > 1:
            return "two"
        case int(n):
            return n
        case (a, b):
            return a + b
        case {"k": val, **rest}:
            return val, rest
        case [first, *others]:
            return first, others
        case str() as s:
            return s
        case None:
            return "none"
    return "default"


@program(0, 1, 2)
def nested_tries(k):
    out = []
    for i in range(3):
        try:
            try:
                if i == k:
                    raise ValueError(i)
                out.append(i)
            except ValueError:
                out.append("v")
                if k == 1:
                    raise KeyError(i)
            else:
                out.append("else")
            finally:
                out.append("f")
        except KeyError:
            break
    return out


@program(0, 1)
def except_name_is_gone(k):
    e = 3
    try:
        if k:
            raise ValueError
    except ValueError as e:
        pass
    try:
        return e
    except UnboundLocalError:
        return "gone"


@program(0, 1)
def unbound_after_if(k):
    if k:
        q = 1
    try:
        return q
    except UnboundLocalError as e:
        return str(e)


@program(0, 2)
def unbound_after_loop(k):
    for i in range(k):
        w = i
    try:
        return i, w
    except UnboundLocalError as e:
        return str(e)


@program(0, 1)
def name_error(k):
    try:
        if k:
            undefined_name
        return nonexisting + 1
    except NameError as e:
        return str(e)


@program(0, 1)
def asserts(k):
    def msg():
        events.append("m")
        return "message"

    try:
        assert k, msg()
        assert k == 1
    except AssertionError as e:
        return repr(e)
    return "fine"


@program(0, 1)
def prints(k):
    out = io.StringIO()
    print(1, "a", sep="-", end="!", file=out)
    if k:
        print(file=out)
    with contextlib.redirect_stdout(out):
        print("x", k)
        print()
        for i in range(2):
            print(i, end=" ", flush=True)
    return out.getvalue()


class CM:
    def __init__(self, swallow):
        self.s = swallow

    def __enter__(self):
        events.append("in")
        return self

    def __exit__(self, t, v, tb):
        events.append(("out", t and t.__name__))
        return self.s


@program(0, 1)
def context_managers(k):
    with CM(k) as a, CM(False) as b:
        if k:
            raise ValueError
        return 1
    return 2


@program(0, 1)
def with_break(k):
    for i in range(3):
        with CM(False):
            if i == k:
                break
            if i == 0:
                continue
        events.append(i)
    return i


@contextlib.contextmanager
def managed(k):
    events.append("enter")
    try:
        if k:
            yield 1
        else:
            yield 2
    finally:
        events.append("exit")


@program(0, 1)
def own_context_manager(k):
    with managed(k) as v:
        if v == 1:
            return v
    return "end"


def deco(f):
    @functools.wraps(f)
    def g(*a, **k):
        events.append(f.__name__)
        return f(*a, **k)

    return g


@program(0, 1)
def decorators(k):
    @deco
    def f(x):
        if x:
            return x
        return -1

    return f(k), f.__name__, f.__wrapped__ is not f


@functools.lru_cache(None)
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


@program(10)
def cached(n):
    return fib(n)


@program(0, 1)
def globals_set(k):
    global G
    if k:
        G = 5
    G += 1
    return G, globals()["G"]


@program(0, 1)
def nonlocal_set(k):
    n = 0

    def inc(by=1):
        nonlocal n
        if by:
            n += by
        return n

    inc()
    inc(k)
    for i in range(3):
        inc(i)
    return n


@program(0, 1)
def identity(k):
    a = [1]
    b = a if k else [1]
    c = None
    if k:
        c = a
    return a is b, c is a, c is None, a is not b, (k > 0) is True, type(k > 0), (not k) is False


@program(0, 1, None, "", [], [0])
def truthiness(v):
    return (1 if v else 0), bool(v), not v, v and 1, v or 2, v is not None and 3


@program(3)
def recursion(n):
    def f(n, acc=()):
        if n == 0:
            return acc
        return f(n - 1, (*acc, n))

    return f(n)


@program(0, 1)
def imports_in_function(k):
    if k:
        import math as m
    else:
        from math import sqrt as m
    import os.path

    return getattr(m, "__name__"), os.path.sep


@program(0, 1)
def exec_code(k):
    ns = {"k": k}
    exec("r = k + 1", ns)
    return ns["r"]


@program(0, 1)
def star_calls(k):
    def f(a, /, b, *c, d=1, **e):
        return a, b, c, d, e

    args = (1, 2) if k else (1, 2, 3)
    kw = {"d": 5} if k else {"z": 6}
    return f(*args, **kw), f(0, *args), f(*args, 4, q=1)


@program(0, 1)
def annotated(k):
    x: int = k
    y: list[int]

    def f(a: int = 3) -> str:
        return a

    return f.__annotations__, x


@program(0, 5)
def nested_breaks(k):
    out = []
    for i in range(4):
        for j in range(4):
            if i * j == k:
                break
            if j > i:
                continue
            out.append((i, j))
        else:
            out.append("e")
            continue
        if k:
            break
    return out


@program(0, 1)
def type_checks(k):
    v = [1] if k else (1,)
    if isinstance(v, list):
        v.append(2)
    elif type(v) is tuple:
        v += (3,)
    return v


@program(1)
def bound_methods(k):
    a = []
    add = a.append
    for i in range(3):
        add(i)
    up = str.upper
    return a, up("x"), [*map(str.strip, [" a "])], "".join(map(str, a))


@program(2)
def comprehension_scopes(n):
    i = "outer"
    a = [i for i in range(n)]
    b = {i: j for i, j in zip("ab", range(n))}
    c = {i for i in "aab"}
    d = [[i * j for j in range(i)] for i in range(n)]
    e = [(x, y) for x in range(3) if x for y in range(x) if y != x]
    f = [lambda: i for i in range(n)]
    return i, a, b, c, d, e, [g() for g in f]


@program(1, 0)
def chained_conditions(k):
    x = 5
    return 0 < k < x, 0 < k == 1 != x, not k == 1, k in (1, 2) and x, (k or x) and (x or k)


@program([1, 2])
def stop_iteration(xs):
    it = iter(xs)
    out = []
    while True:
        try:
            out.append(next(it))
        except StopIteration:
            break
    return out


@program([1, 2, 3, 4])
def removing(xs):
    while xs:
        x = xs.pop(0)
        if x % 2:
            continue
        xs.extend([1] if x == 2 else [])
        if len(xs) > 5:
            break
    return x


@program("k")
def dict_dispatch(name):
    table = {"k": lambda: 1, "j": lambda: 2}
    return table.get(name, lambda: 3)(), table[name]()


@program(3)
def objects_in_lists(n):
    objs = [types.SimpleNamespace(v=i) for i in range(n)]
    for o in objs:
        if o.v:
            o.v *= 2
        o.w = o.v
    return [(o.v, o.w) for o in objs]


@program(3)
def attribute_chain(n):
    a = types.SimpleNamespace(b=types.SimpleNamespace(c=0, l=[]))
    for i in range(n):
        a.b.c += i
        a.b.l.append(i)
        if i == 1:
            a.b = types.SimpleNamespace(c=10, l=[])
    while a.b.c < 20:
        a.b.c += 4
    return a.b.c, a.b.l


@program(3)
def replaced_in_branch(n):
    a = None
    if n > 2:
        a = types.SimpleNamespace(v=0)
        a.v = 1
    if a is not None:
        a.v += 1
    return a and a.v


@program(0, 1)
def new_object_each_iteration(k):
    out = []
    for i in range(3):
        node = types.SimpleNamespace(next=None)
        if out:
            out[-1].next = node
        out.append(node)
    return sum(1 for o in out if o.next is None)


class Node:
    def __init__(self, v, nxt=None):
        self.v = v
        self.nxt = nxt


@program(3)
def linked_list(n):
    head = None
    for i in range(n):
        head = Node(i, head)
    out = []
    cur = head
    prev = None
    while cur is not None:
        out.append(cur.v)
        cur.nxt, prev, cur = prev, cur, cur.nxt
    while prev:
        out.append(prev.v)
        prev = prev.nxt
    return out


@program("1+2*3")
def parser(text):
    pos = 0

    def peek():
        return text[pos] if pos < len(text) else None

    def take():
        nonlocal pos
        c = text[pos]
        pos += 1
        return c

    def atom():
        return int(take())

    def term():
        v = atom()
        while peek() == "*":
            take()
            v *= atom()
        return v

    v = term()
    while peek() == "+":
        take()
        v += term()
    return v


@program("<!--x", "<![CDATA[x", "<!Ax", "<!x", "<ax", "x")
def many_early_ends(text):
    if text.startswith("<!--"):
        end = 4
    else:
        marker = None
        if text.startswith("<?"):
            marker, offset = "?>", 2
        elif text.startswith("<![CDATA["):
            marker, offset = "]]>", 9
        elif text.startswith("<!"):
            if not text[2].isupper():
                return None, sorted(locals())
            marker, offset = ">", 3
        if marker is not None:
            end = offset + len(marker)
        else:
            if text[0] != "<":
                return "none", sorted(locals())
            end = 1
    if text[end - 1] == "x":
        return sys._getframe().f_code.co_name
    return end, sorted(locals())


@program(1, 3, 9)
def a_bare_tuple_left_early(n):
    for low, high in (0, 2), (3, 4):
        if low <= n < high:
            return low, high
    return None


@program()
def a_function_of_the_standard_library_without_a_module():
    with tempfile.NamedTemporaryFile("w+") as file:
        file.write("text")
        file.seek(0)
        return file.read()


class Delegating:
    def __init__(self, inner):
        self.inner = inner

    def __call__(self):
        return self.inner()

    def __getattr__(self, name):
        events.append(name)
        return getattr(self.inner, name)


@program()
def an_object_that_is_called_and_answers_for_another():
    thing = Delegating(int)
    return thing(), thing.real


@program([1, 2], [])
def a_generator_expression_for_a_class_in_c(keys):
    squares = {key: key * key for key in keys}
    return collections.OrderedDict((key, squares[key]) for key in keys)


class LookingAround:
    def __init__(self, level):
        self.callers = [sys._getframe(depth).f_code.co_name for depth in range(2)]
        warnings.warn("made", UserWarning, stacklevel=level)
        warnings.warn("made again", stacklevel=level)


@program(1, 2)
def an_object_that_looks_for_its_maker(level):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        made = LookingAround(level)
    return made.callers, [(warning.filename, warning.lineno) for warning in caught]


@program()
def a_frame_that_is_too_far():
    return sys._getframe(10**6)


@program()
def sorted_values_that_contain_themselves():
    loop = {}
    loop["x"] = loop
    items = []
    items.append(items)
    return sorted(loop.items()), sorted([items]), max([items]), min([(1, loop)])
