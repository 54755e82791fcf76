"""What plain Python does stays as it is in a trace, where constructs meet: truth, unbound names, `finally`, sorting.

The programs of `python_semantics` have one construct each.
"""

# The programs do on purpose what checkers warn of, in as few lines as can be.
# ruff: noqa

from __future__ import annotations

import array
import collections
import collections.abc
import contextlib
import itertools
import sys
import traceback
import types

import plain_python

program = plain_python.Programs()
events = plain_python.events


# --- Truth, which Python asks for once


class B:
    def __init__(s, n, v):
        s.n = n
        s.v = v

    def __bool__(s):
        events.append(s.n)
        if isinstance(s.v, list):
            return s.v.pop(0)
        if isinstance(s.v, Exception):
            raise s.v
        return s.v

    def __repr__(s):
        return s.n

    def __deepcopy__(s, m):
        return B(s.n, list(s.v) if isinstance(s.v, list) else s.v)


T = lambda n="t": B(n, True)
F = lambda n="f": B(n, False)


# 4
@program((T(), T()), (T(), F()), (F(), T()))
def if_and(a, b):
    if a and b:
        return 1
    return 0


@program((T(), T()), (T(), F()), (F(), T()))
def if_or(a, b):
    if a or b:
        return 1
    return 0


@program((T("a"), T("b"), F("c")), (T("a"), F("b"), T("c")))
def if_mixed(a, b, c):
    if a and (b or c):
        return 1
    elif not (a or b) or c:
        return 2
    return 0


@program((B("a", [True, False]),))
def while_and(l):
    n = 0
    while l and 1:
        n += 1
    return n


@program((B("a", [True, True, False]), T("b")))
def while_and2(a, b):
    n = 0
    while a and b:
        n += 1
    return n


@program((T(), T()), (T(), F()), (F(), T()))
def cond_and(a, b):
    return (1 if a and b else 2), (3 if not (a and b) else 4)


@program((T("a"), T("b")), (T("a"), F("b")), (F("a"), T("b")))
def value_and(a, b):
    x = a and b
    y = a or b
    return x, y, bool(a and b)


@program((T("a"), T("b")), (T("a"), F("b")), (F("a"), T("b")))
def assert_and(a, b):
    assert a and b
    return [1 for _ in range(2) if a and b]


@program((T("a"), T("b")), (T("a"), F("b")), (F("a"), T("b")))
def notand(a, b):
    return not (a and b), not a or not b, (not a) and b, a and not b


class Cmp:
    def __init__(s, r):
        s.r = r

    def __lt__(s, o):
        events.append("lt")
        return s.r

    __gt__ = __lt__

    def __contains__(s, o):
        events.append("in")
        return s.r

    def __eq__(s, o):
        events.append("eq")
        return s.r

    __hash__ = None


@program(0, 1, 2)
def chains(k):
    r = [T(), F(), 5][k]
    c = Cmp(r)
    out = []
    if c < c < c:
        out.append(1)
    if c < c and c > c:
        out.append(2)
    if 1 in c:
        out.append(3)
    out.append(c < c < c)
    out.append(1 in c < c)
    while c == c and len(out) < 8:
        out.append(4)
    return out


class L:
    def __len__(s):
        events.append("len")
        return 2


class Bad:
    def __bool__(s):
        return 3


class BadL:
    def __len__(s):
        return -1


@program(0, 1, 2)
def truth_errors(k):
    o = [L, Bad, BadL][k]()
    if o and 1:
        return 1
    return 2


@program(0, 1, 2)
def truth_errors2(k):
    o = [L, Bad, BadL][k]()
    while 1 and o:
        return 1
    return 2


@program(0, 1)
def walrus_and(k):
    a = T("a")
    if a and (b := F("b")):
        return 1
    if a and (b := T("c")) and k:
        return b
    while a and (c := B("w", False)):
        pass
    return b, c


@program((T("a"), T("b"), F("c")), (T("a"), F("b"), T("c")))
def any_and_all(a, b, c):
    return (
        any([a, b, c]),
        all([a, b, c]),
        any(x for x in (c, b)),
        list(filter(None, [a, b, c])),
        sorted([3, 1], key=lambda q: bool(a)),
    )


@program((T("a"), T("b"), F("c")), (T("a"), F("b"), T("c")))
def filters_of_comprehensions(a, b, c):
    return [x for x in (a, b, c) if x and a], {x.n for x in (a, b, c) if x or a}, list(x for x in (a, b) if not x or c)


@program((T("a"), T("b"), F("c")), (T("a"), F("b"), T("c")))
def nested_operators(a, b, c):
    return (a if b else c) and b, (lambda: a and b)(), (a and b) or c, a and (b or c) and a


# --- Names without a value


@program()
def unbound_1():
    d += 1
    return d


@program(0, 1)
def unbound_2(k):
    if k:
        d = 1
    d += 1
    return d


@program(0, 1)
def unbound_3(k):
    for i in range(k):
        d = i
    d.x += 1
    return d


@program(0, 1)
def unbound_4(k):
    while k:
        d = [1]
        k -= 1
    d[0] += 1
    return d


@program(0, 1)
def unbound_5(k):
    try:
        if k:
            q = 1
        return q + 1
    except NameError as e:
        return str(e), type(e)


@program(0, 1)
def unbound_6(k):
    if k:
        q = 1

    def f():
        return q

    return f()


@program(0, 1)
def unbound_7(k):
    if k:
        q = 1

    def f():
        nonlocal q
        q += 1

    f()
    return q


@program(0, 1)
def unbound_8(k):
    if k:
        q = 1
    del q
    return k


@program()
def unbound_9():
    global nowhere
    nowhere += 1


@program()
def unbound_10():
    return nowhere2


@program(0, 1)
def unbound_11(k):
    if k:
        q = 1
    return [q for _ in range(2)], (lambda: q)()


@program(0, 1)
def unbound_12(k):
    for i in range(k):
        pass
    return i


@program(0, 1)
def unbound_13(k):
    if k:
        q = 1
    if q:
        return 5
    return f"{q}"


@program(0, 1)
def unbound_14(k):
    if k:
        q = []
    q += [1]
    return q


@program(0, 1)
def unbound_15(k):
    def g():
        return 1

    if k:
        q = 1
    g(q)
    return 1


@program(0, 1)
def unbound_16(k):
    if k:
        q = 1
    while q < 3:
        q += 1
    return q


@program(0, 1)
def unbound_17(k):
    try:
        1 / k
    except ZeroDivisionError as e:
        pass
    return e


@program(0, 1)
def unbound_18(k):
    with contextlib.suppress(ZeroDivisionError):
        1 / k
        q = 1
    q -= 1
    return q


@program(0, 1)
def unbound_19(k):
    if k:
        q = 1
    return k or q, (q if k else q)


@program(0, 1)
def unbound_20(k):
    if k:
        q = 1
    q = q + 1

    def f():
        q += 1

    return f()


@program(0, 1)
def unbound_21(k):
    class A:
        if k:
            z = 1
        z += 1

    return A.z


# --- Lists that change while they are sorted or walked over


@program()
def sort_append():
    l = [3, 1, 2]

    def f(x):
        l.append(x)
        return x

    try:
        l.sort(key=f)
    except ValueError as e:
        return str(e), l
    return l


@program()
def sort_clear():
    l = [3, 1, 2]

    def f(x):
        events.append(list(l))
        return x

    l.sort(key=f)
    l.sort(key=f, reverse=True)
    return l


@program()
def sort_err():
    l = [3, 1, 2]

    def f(x):
        if x == 1:
            raise KeyError(x)
        return -x

    try:
        l.sort(key=f)
    except KeyError as e:
        return l


@program()
def sort_err2():
    l = [3, "a", 2, 1]
    try:
        l.sort()
    except TypeError as e:
        return str(e), l


@program()
def sort_cmp():
    class K:
        def __init__(s, v):
            s.v = v

        def __lt__(s, o):
            events.append((s.v, o.v, len(l)))
            return s.v < o.v

    l = [3, 1, 2]
    l.sort(key=K)
    r = sorted([3, 2, 1], key=K)
    return l, r


@program()
def sort_misc():
    l = [3, 1, 2]
    try:
        l.sort(lambda x: x)
    except TypeError as e:
        events.append(str(e))
    try:
        l.sort(cmp=1)
    except TypeError as e:
        events.append(str(e))

    class ML(list):
        def sort(s, **k):
            events.append("mine")
            super().sort(**k)

    m = ML([2, 1])
    m.sort(key=lambda x: x)
    list.sort(m, reverse=True)
    l.sort(key=None, reverse=1)
    f = l.sort
    f()
    g = list.sort
    g(l, key=lambda v: -v)
    return l, m


@program()
def sort_obj():
    class O:
        def __init__(s, v):
            s.v = v

        def __lt__(s, o):
            events.append((s.v, o.v))
            return s.v < o.v

        def __repr__(s):
            return str(s.v)

    l = [O(3), O(1), O(2), O(1)]
    l.sort()
    m = sorted(l, reverse=True)
    return l, m, min(l), max(l)


@program()
def change_iter():
    l = [1, 2, 3]
    for x in l:
        if x < 6:
            l.append(x + 3)
    return l


@program()
def change_iter2():
    l = [1, 2, 3]
    r = []
    for x in map(lambda v: l.append(v) if len(l) < 6 else v, l):
        r.append(x)
    for x in filter(lambda v: l.remove(v) if len(l) > 3 else v, l):
        r.append(x)
    for i, x in enumerate(l):
        if len(l) < 9:
            l.append(i)
    z = list(zip(l, (l.pop() for _ in l)))
    s = sum(l.pop() for _ in l[:2])
    return l, r, z, s, max(l, key=lambda v: l.append(v) or v if len(l) < 20 else v)


@program()
def dict_change():
    d = {1: 1}
    try:
        for k in d:
            d[k + 1] = 1
    except RuntimeError as e:
        return str(e), d


@program()
def dict_change2():
    d = {1: 1}
    try:
        for k in list(d):
            d[k + 1] = 1
        for k, v in d.items():
            if v:
                d[k] = 2
        for k in d.copy():
            del d[k]
    except RuntimeError as e:
        return str(e), d
    return d


# --- `finally` that is left by a jump


@program(0, 1, 2, 3)
def finally_return(k):
    y = 0
    for i in range(3):
        try:
            y += 1
            if k == 1:
                return ("ret", y)
            if k == 2:
                raise ValueError
        finally:
            y += 10
            if k:
                break
    return y


@program(0, 1, 2, 3)
def finally_break(k):
    y = []
    z = 0
    while True:
        z += 1
        try:
            y.append(z)
            if z == k:
                continue
            z += 1
            if k == 2:
                return z
        except KeyError:
            pass
        else:
            z += 100
            if k == 3:
                break
        finally:
            z += 10
            w = z
            if z > 30:
                break
    return y, z, w


@program(0, 1, 2)
def finally_return2(k):
    try:
        a = 1
        if k:
            return a
    finally:
        a = 2
        if k == 2:
            return a
    return a


@program(0, 1, 2)
def finally_ret_always(k):
    try:
        a = 1
        1 / k
    finally:
        a += 2
        return a, locals()


@program(0, 1, 2, 3)
def finally_nested(k):
    r = []
    for i in range(4):
        try:
            try:
                r.append(i)
                n = i
                if i == k:
                    continue
                if i == 2 and k == 3:
                    return r
            finally:
                n += 5
                r.append(n)
                if k == 2:
                    continue
        finally:
            r.append("o")
            if i == 2:
                break
    return r, n


@program(0, 1)
def finally_cont(k):
    n = 0
    while n < 5:
        try:
            n += 1
            if k:
                raise ValueError(n)
        finally:
            n += 1
            continue
    return n


@program(0, 1, 2)
def finally_del(k):
    x = 1
    try:
        if k:
            del x
        if k == 2:
            return 5
    finally:
        x = 3
        if k == 1:
            return x
    return x


@program(0, 1, 2)
def finally_exc_return(k):
    x = 1
    try:
        x = 2
        if k:
            raise ValueError(k)
    except ValueError as e:
        x = 3
        if k == 2:
            return x, "handler"
    finally:
        x += 1
        if k == 2:
            return x
    return x


@program(0, 1, 2)
def with_ret(k):
    x = 0
    with contextlib.suppress(ValueError):
        x = 1
        if k == 1:
            return x
        x = 2
        if k == 2:
            raise ValueError
        x = 3
    return x


# --- Defaults that are replaced


def defaulted(a, b=2, *, c=3):
    if a:
        return a, b, c
    return b, c


@program()
def replaced_defaults():
    r = [defaulted(1), defaulted(1)]
    d, k = defaulted.__defaults__, defaulted.__kwdefaults__
    try:
        defaulted.__defaults__ = (5,)
        r.append(defaulted(1))
        defaulted.__kwdefaults__ = {"c": 8}
        r.append(defaulted(1))
        defaulted.__kwdefaults__["c"] = 9
        r.append(defaulted(1))
        defaulted.__defaults__ = (4, 5)
        r.append(defaulted())
        defaulted.__defaults__ = None
        try:
            defaulted(1)
        except TypeError as e:
            r.append(str(e))
        defaulted.__kwdefaults__ = None
        try:
            defaulted(1, 2)
        except TypeError as e:
            r.append(str(e))
    finally:
        defaulted.__defaults__, defaulted.__kwdefaults__ = d, k
    r.append(defaulted(1))
    return r


@program()
def replaced_defaults_of_others():
    def inner(a, b=1, *, c=2):
        if a:
            return b, c

    r = [inner(1), inner(1), inner(1)]
    inner.__defaults__ = (7,)
    inner.__kwdefaults__["c"] = 8
    r.append(inner(1))
    lam = lambda x=1: x
    r += [lam(), lam()]
    lam.__defaults__ = (3,)
    r.append(lam())

    class A:
        def m(self, x=1):
            return x

    a = A()
    r += [a.m(), a.m()]
    A.m.__defaults__ = (2,)
    r += [a.m()]
    f = a.m
    A.m.__defaults__ = (4,)
    r.append(f())
    return r


@program()
def replaced_code():
    def a(x):
        return 1

    def b(x):
        return 2

    r = [a(1), a(1)]
    a.__code__ = b.__code__
    r.append(a(1))
    a.attr = 3
    r.append(a.attr)
    a.__name__ = "q"
    r.append(a.__name__)
    a.__doc__ = "d"
    r.append((a.__doc__, sorted(k for k in vars(a))))
    return r


# --- `match`


class Point:
    __match_args__ = ("x", "y")

    def __init__(s, x, y):
        s._x = x
        s._y = y

    @property
    def x(s):
        events.append("x")
        return s._x

    @property
    def y(s):
        events.append("y")
        return s._y


class Odd:
    __match_args__ = "x"
    x = 1


class Odd2:
    __match_args__ = ["x"]
    x = 1


class Odd3:
    __match_args__ = (1,)


class Few:
    __match_args__ = ("x",)
    x = 1
    y = 2


class Gone:
    __match_args__ = ("x", "x")
    x = 1


def mk(k):
    return [
        Point(0, 1),
        Point(1, 0),
        Odd(),
        Odd2(),
        Odd3(),
        Few(),
        Gone(),
        3,
        True,
        [1, 2],
        {"a": 1, "b": 2},
        (1, 2),
        "ab",
        None,
        2.0,
        {"a": None},
    ][k]


@program(*range(16))
def class_pattern_kw(k):
    match mk(k):
        case Point(x=0):
            return "a"
        case Point(x=0, y=0):
            return "c"
        case Point(x=1, y=b):
            return b
    return "n"


@program(*range(16))
def class_pattern_pos(k):
    match mk(k):
        case Point(0, 2):
            return "z"
        case Point(1, b):
            return b
        case Odd(1):
            return "odd"
    return "n"


@program(*range(16))
def class_pattern_pos2(k):
    match mk(k):
        case Odd2(1):
            return "odd"
    return "n"


@program(*range(16))
def class_pattern_pos3(k):
    match mk(k):
        case Odd3(1):
            return "odd"
    return "n"


@program(*range(16))
def class_pattern_few(k):
    match mk(k):
        case Few(1, 2):
            return "odd"
    return "n"


@program(*range(16))
def class_pattern_gone(k):
    match mk(k):
        case Gone(1, 1):
            return "odd"
    return "n"


@program(*range(16))
def class_pattern_dup(k):
    match mk(k):
        case Few(1, x=1):
            return "odd"
    return "n"


@program(*range(16))
def class_pattern_notype(k):
    f = 3
    match mk(k):
        case f(1, x=1):
            return "odd"
    return "n"


@program(*range(16))
def patterns_of_builtins(k):
    match mk(k):
        case bool(1):
            return "b"
        case int(3):
            return "i"
        case int(x) if x > 4:
            return "big"
        case float(2.0) as f:
            return f
        case str("ab"):
            return "s"
        case list([1, *r]):
            return r
        case tuple((1, b)):
            return b
        case {"a": 1, **rest}:
            return rest
        case {"a": None}:
            return "none"
        case None:
            return "N"
    return "n"


@program(*range(16))
def too_many_positions(k):
    match mk(k):
        case int(3, 4):
            return "b"
    return "n"


@program(*range(16))
def sequence_patterns(k):
    match mk(k):
        case [1, x] if x == 3:
            return "no"
        case [a, b]:
            r = a, b
        case {"b": 2}:
            r = "b"
        case Point(x=(0 | 1) as q):
            r = q
        case None | True:
            r = "nt"
        case object():
            r = "obj"
    return r


class Seq:
    def __init__(s):
        pass

    def __len__(s):
        events.append("len")
        return 2

    def __getitem__(s, i):
        events.append(i)
        return i


class RSeq(Seq, collections.abc.Sequence):
    pass


class EqN:
    def __eq__(s, o):
        events.append(("eq", o))
        return o == 1


class Mp(collections.abc.Mapping):
    def __getitem__(s, k):
        events.append(("get", k))
        return k

    def __len__(s):
        return 2

    def __iter__(s):
        return iter("ab")

    def get(s, k, d=None):
        events.append(("get()", k))
        return k if k in "ab" else d

    def __contains__(s, k):
        events.append(("in", k))
        return True

    def keys(s):
        events.append("keys")
        return ["a", "b"]


class FlagSeq:
    pass


def mk2(k):
    return [
        Seq(),
        RSeq(),
        EqN(),
        Mp(),
        collections.deque([0, 1]),
        range(2),
        b"ab",
        bytearray(b"ab"),
        memoryview(b"ab"),
        array.array("i", [0, 1]),
        types.MappingProxyType({"a": "a", "b": 1}),
        collections.defaultdict(int, {"b": 3}),
    ][k]


@program(*range(12))
def patterns_of_other_sequences(k):
    match mk2(k):
        case [0, 2]:
            return 1
        case [0, 1, *_]:
            return 2
        case [x, *_] if x:
            return 3
        case 2:
            return "two"
        case 1:
            return "one"
        case {"a": "b"}:
            return "ab"
        case {"z": 1}:
            return "z"
        case {"a": "a", "b": y}:
            return y
        case {"b": 3, **k}:
            return k
    return 0


@program(*range(12))
def alternatives_of_other_sequences(k):
    match mk2(k):
        case [0, x] | [x, 1]:
            return x
        case {"a": x} | {"b": x} if x:
            return x
        case 1 | 2 as y:
            return "y"
    return 0


@program(0, 1)
def captures_before_guards(k):
    a = "before"
    match (k, 1):
        case (a, 0):
            pass
        case (a, 1) if a:
            pass
        case b:
            pass
    return locals()


# --- `locals()`


class Priv:
    def m(self, a):
        self.__x = 1
        if a:
            self.__x += a
        return {k: v for k, v in locals().items() if k != "self"}, self.__x

    def n(self, __a=2):
        __b = 3
        if __a:
            __b += 1
        return sorted(k for k in locals() if k != "self"), __b

    def c(self):
        class In:
            __q = 1

            def f(s):
                __z = 3
                return sorted(locals()), s.__q

        return In().f()

    def lam(self):
        f = lambda __v: (locals(), __v)
        return f(3), (lambda z: locals())(2)

    def cl(self):
        __k = 1

        def g():
            if __k:
                return locals()

        return g()


@program(0, 1)
def private_names_of_attributes(k):
    return Priv().m(k)


@program(0, 1)
def private_names_of_parameters(k):
    return Priv().n(k), Priv().n()


@program()
def private_names_in_a_class_inside():
    return Priv().c()


@program()
def private_names_in_lambdas():
    return Priv().lam()


@program()
def private_names_around():
    return Priv().cl()


@program(0, 1)
def locals_of_1(k):
    f = lambda x: locals()
    g = lambda *a, **q: sorted(locals().items())
    h = lambda x: [locals() for _ in range(1)]
    return f(k), g(1, b=2), (lambda: vars())(), len(h(1))


@program(0, 1)
def locals_of_2(k):
    if k:
        a = 1
    for i in range(2):
        if i == k:
            break
    while k:
        k -= 1
    with contextlib.nullcontext() as c:
        if k:
            b = 2
    return locals(), dir()


@program(0, 1)
def locals_of_3(k):
    x = 1
    f = lambda: (x, locals())

    def g():
        return x, locals()

    return f(), g(), eval("x+k"), "{x} {k}".format(**locals())


@program(0, 1)
def locals_of_4(k):
    def g(y):
        if y:
            z = 1
        return (lambda: (y, locals()))()

    return g(k)


@program(0, 1, 2)
def locals_of_5(k):
    try:
        for i in [1, 2]:
            if k == i:
                return locals()
        else:
            q = 1
    finally:
        w = 2
    return locals()


# --- Generators, which are closed when nobody holds them


def gen(n, name="g"):
    try:
        for i in range(n):
            yield i
    finally:
        events.append(name + " closed")


def rec(x):
    events.append(x)


@program()
def closing_generators_1():
    for i in gen(3):
        if i == 1:
            break
    rec("after")


@program()
def closing_generators_2():
    for i in gen(3):
        if i == 1:
            return rec("ret")


@program()
def closing_generators_3():
    for i in gen(3, "a"):
        for j in gen(3, "b"):
            if j == 1:
                break
            rec((i, j))
        rec("in")
    rec("after")


@program()
def closing_generators_4():
    g = gen(3)
    for i in g:
        break
    rec("after")
    del g
    rec("end")


@program()
def closing_generators_5():
    try:
        for i in gen(3):
            raise ValueError
    except ValueError:
        rec("caught")
    rec("after")


@program()
def closing_generators_6():
    x = next(gen(3))
    rec("n")
    a, b = gen(2)
    rec("u")
    try:
        a, b = gen(3)
    except ValueError:
        rec("v")
    any(i for i in gen(3))
    rec("any")
    1 in gen(3)
    rec("in")
    all(gen(4))
    rec("all")
    next(i for i in gen(3))
    rec("n2")
    for i, j in zip(gen(2, "x"), gen(3, "y")):
        pass
    rec("zip")
    for i, j in enumerate(gen(2, "e")):
        break
    rec("enum")
    for i in map(str, gen(2, "m")):
        break
    rec("map")
    for i in filter(None, gen(3, "f")):
        break
    rec("filter")
    for i in reversed(list(gen(3, "r"))):
        break
    rec("rev")
    m = max(gen(3))
    s = sum(gen(3))
    t = sorted(gen(3))
    u = list(gen(3))
    v = tuple(gen(2))
    w = set(gen(2))
    d = dict(zip(gen(2), gen(3)))
    rec("end")


@program()
def closing_generators_7():
    l = list(itertools.islice(gen(5), 2))
    rec("i")
    x = [i for i in gen(3)]
    rec("c")
    for i in (j for j in gen(4)):
        if i:
            break
    rec("ge")
    for i in gen(3):
        pass
    else:
        rec("else")
    print(*gen(2), file=open("/dev/null", "w"))
    rec("p")
    return l


@program(0, 1)
def closing_generators_8(k):
    for i in gen(3):
        if k:
            continue
        if i == 1:
            break
    rec("x")
    while True:
        for i in gen(3):
            if i == 1:
                break
        rec("brk")
        break
    with contextlib.nullcontext():
        for i in gen(3):
            if i:
                return rec("r")


@program(0, 1)
def closing_generators_9(k):
    for i in gen(3):
        try:
            if i == 1:
                break
        finally:
            rec("f")
    rec("after")
    f = lambda: next(gen(2))
    f()
    rec("l")

    def g():
        for i in gen(3):
            return i

    g()
    rec("g")


class It:
    def __init__(s):
        s.n = 0

    def __iter__(s):
        events.append("iter")
        return s

    def __next__(s):
        s.n += 1
        if s.n > 3:
            raise StopIteration
        return s.n

    def __del__(s):
        events.append("del")


@program(0, 1)
def closing_generators_10(k):
    for i in It():
        if k:
            break
    rec("after")
    x = [i for i in It()]
    rec("c")
    return x


# --- Items that are changed in place


class TT(tuple):
    pass


class LL(list):
    def __iadd__(s, o):
        events.append("iadd")
        return super().__iadd__(o)

    def __setitem__(s, i, v):
        events.append(("set", i))
        super().__setitem__(i, v)

    def __getitem__(s, i):
        events.append(("get", i))
        return super().__getitem__(i)


@program()
def changing_items_in_place_1():
    t = ([1], 2)
    try:
        t[0] += [2]
    except TypeError as e:
        events.append(str(e))
    return t


@program()
def changing_items_in_place_2():
    t = TT(([1], 2))
    try:
        t[0] += [2]
    except TypeError as e:
        events.append(str(e))
    t += (3,)
    return t, type(t)


@program()
def changing_items_in_place_3():
    l = LL([[1], 2])
    m = l
    l[0] += [1]
    l[1] += 1
    l += [3]
    l[1:] += [4]
    l *= 2
    return l, l is m, type(l)


@program()
def changing_items_in_place_4():
    d = {}
    try:
        d["x"] += 1
    except KeyError as e:
        events.append(str(e))
    s = "abc"
    try:
        s[0] += "x"
    except TypeError as e:
        events.append(str(e))
    x = None
    try:
        x += 1
    except TypeError as e:
        events.append(str(e))
    try:
        x.y += 1
    except AttributeError as e:
        events.append(str(e))
    try:
        x[0] += 1
    except TypeError as e:
        events.append(str(e))
    try:
        [1][5] += 1
    except IndexError as e:
        events.append(str(e))
    try:
        (1).real += 1
    except AttributeError as e:
        events.append(str(e))
    a = [1]
    b = a
    a += (2,)
    a += "xy"
    try:
        a += 1
    except TypeError as e:
        events.append(str(e))
    try:
        a = a + (1,)
    except TypeError as e:
        events.append(str(e))
    return a, b


@program()
def changing_items_in_place_5():
    i = iter([0, 1, 2])
    l = [[1], [2], [3]]
    l[next(i)] += [next(i)]

    def f():
        events.append("f")
        return l

    f()[1] *= 3
    f()[0][0] -= 1
    return l


# --- Tracebacks of exceptions that are handled


@program()
def tracebacks_of_operators():
    class V:
        def __init__(s, v):
            s.v = v

        def __add__(s, o):
            raise ValueError("no")

        def __lt__(s, o):
            raise ValueError("no")

        def __getitem__(s, o):
            raise ValueError("no")

        def __bool__(s):
            raise ValueError("no")

        def __iter__(s):
            raise ValueError("no")

        def __len__(s):
            raise ValueError("no")

        def __call__(s):
            raise ValueError("no")

        def __eq__(s, o):
            raise ValueError("no")

        def __contains__(s, o):
            raise ValueError("no")

        def __enter__(s):
            raise ValueError("no")

        def __exit__(s, *a):
            pass

        def __neg__(s):
            raise ValueError("no")

        def __hash__(s):
            raise ValueError("no")

        def __str__(s):
            raise ValueError("no")

        def __format__(s, f):
            raise ValueError("no")

        @property
        def p(s):
            raise ValueError("no")

    v = V(1)

    def w():
        with v:
            pass

    def it():
        for x in v:
            pass

    def fs():
        return f"{v}"

    for f in (
        lambda: v + 1,
        lambda: v < 1,
        lambda: v[1],
        lambda: v and 1,
        lambda: 1 if v else 2,
        it,
        lambda: len(v),
        lambda: v(),
        lambda: v == 1,
        lambda: 1 in v,
        w,
        lambda: -v,
        lambda: {v: 1},
        lambda: str(v),
        fs,
        lambda: v.p,
        lambda: not v,
        lambda: sorted([v, v]),
        lambda: max(v, v),
        lambda: [x for x in v],
        lambda: list(map(lambda q: q + 1, [v])),
        lambda: sum([v, v]),
        lambda: bool(v),
        lambda: any([v]),
    ):
        try:
            f()
            events.append("nothing")
        except ValueError as e:
            events.append([(x.f_code.co_name) for x, _ in traceback.walk_tb(e.__traceback__)])
    return 1


@program()
def tracebacks_of_constructs():
    def g():
        try:
            raise KeyError(1)
        except KeyError as e:
            if e.args:
                return [
                    x.f_code.co_name for x, _ in traceback.walk_tb(sys.exc_info()[2])
                ], traceback.format_exc().count("File")

    def h():
        for i in [1]:
            if i:
                while i:
                    with contextlib.nullcontext():
                        raise KeyError(1)

    r = g()
    try:
        h()
    except KeyError as e:
        return r, [(x.f_code.co_name, l - h.__code__.co_firstlineno) for x, l in traceback.walk_tb(e.__traceback__)]
