"""Plain Python that published packages rely on stays as it is: errors with code of their own, introspection, data.

The programs of `python_semantics` and `python_corners` have the language's constructs.
"""

# The programs do on purpose what checkers warn of, in as few lines as can be.
# ruff: noqa

from __future__ import annotations

import abc
import asyncio
import collections
import contextlib
import copy
import copyreg
import dataclasses
import enum
import functools
import inspect
import io
import itertools
import operator
import pickle
import queue
import re
import string
import sys
import traceback
import types
import typing
import warnings
import weakref

import plain_python

program = plain_python.Programs()
events = plain_python.events


# --- Errors with code of their own


class Counting(Exception):
    """An error that notes how often its words are read, and can't say them at first."""

    def __str__(self):
        events.append("read")
        raise ValueError("it has no words")

    def __repr__(self):
        return "Counting()"


class CountingType(TypeError):
    def __str__(self):
        events.append("read")
        return "None"


@program()
def errors_whose_words_have_effects():
    raise Counting(1)


@program(1, None)
def errors_whose_words_have_effects_are_caught(v):
    def helper(v):
        if v is None:
            raise CountingType("None", v)
        raise Counting("v")

    found = []
    for each in (v, v):
        try:
            helper(each)
        except (Counting, CountingType) as error:
            found.append(type(error).__name__)
    return found


class Lazy(ValueError):
    """Its arguments are made when it's shown."""

    def __init__(self, parts):
        super().__init__()
        self.parts = parts

    @property
    def args(self):
        events.append("args")
        return tuple(self.parts)


@program()
def errors_whose_arguments_are_made_later():
    raise Lazy(["a", "b"])


class Frozen(Exception):
    """Nothing can be set in it."""

    def __setattr__(self, name, value):
        if name.startswith("__"):
            return super().__setattr__(name, value)
        raise AttributeError(name)


@program()
def errors_that_cant_be_changed():
    def f():
        raise Frozen("x")

    try:
        f()
    except Frozen as error:
        return error.args, [k for k in error.__dict__]


@program(0, 1, 2)
def notes_of_errors(k):
    def f():
        try:
            raise KeyError(k)
        except KeyError as error:
            if k and hasattr(error, "add_note"):
                error.add_note(f"k was {k}")
            raise

    try:
        f()
    except KeyError as error:
        return getattr(error, "__notes__", None), error.args


@program(0, 1)
def try_with_else_and_finally(k):
    def f(k):
        try:
            events.append("try")
            if k:
                raise ValueError(k)
        except ValueError as e:
            events.append("except")
            return e.args
        else:
            events.append("else")
            return "else"
        finally:
            events.append("finally")

    return f(k), f(1 - k)


@program()
def context_of_errors_in_generators():
    def g():
        try:
            yield 1
        except KeyError:
            raise ValueError("inner")
        finally:
            events.append("closed")

    it = g()
    next(it)
    try:
        it.throw(KeyError("outer"))
    except ValueError as e:
        return repr(e.__context__), e.__cause__, e.__suppress_context__


# --- Generators and coroutines


@program(3)
def generators_that_delegate(n):
    def inner(n):
        got = []
        while len(got) < n:
            got.append((yield len(got)))
        return got

    def outer(n):
        first = yield from inner(n)
        second = yield from inner(1)
        return first + second

    it = outer(n)
    sent = [it.send(None)]
    try:
        for i in itertools.count():
            sent.append(it.send(i * 10))
    except StopIteration as stop:
        return sent, stop.value


@program()
def generators_that_are_closed():
    def g():
        try:
            yield 1
            yield 2
        except GeneratorExit:
            events.append("exit")
            raise
        finally:
            events.append("finally")

    it = g()
    next(it)
    it.close()
    return inspect.getgeneratorstate(it), list(it)


@program(4)
def generators_know_their_locals(n):
    def g(n):
        total = 0
        for i in range(n):
            total += i
            yield total

    it = g(n)
    next(it), next(it)
    return (
        {"i", "n", "total"} <= {*inspect.getgeneratorlocals(it)},
        it.gi_code.co_name,
        it.gi_frame.f_lineno - g.__code__.co_firstlineno,
    )


@program(3)
def coroutines(n):
    async def each(n):
        for i in range(n):
            await asyncio.sleep(0)
            yield i

    class Door:
        async def __aenter__(self):
            events.append("in")
            return self

        async def __aexit__(self, *error):
            events.append(error[0] and error[0].__name__)
            return True

    async def main():
        found = [i async for i in each(n) if i % 2 == 0]
        async with Door() as door:
            found.append(type(door).__name__)
            raise KeyError
        found += await asyncio.gather(*(asyncio.sleep(0, i) for i in range(n)))
        return found

    return asyncio.run(main())


# --- Functions as data


def deco(before):
    def around(f):
        @functools.wraps(f)
        def call(*args, **kwargs):
            events.append((before, f.__name__, args, sorted(kwargs.items())))
            return f(*args, **kwargs)

        return call

    return around


@deco("a")
@deco("b")
def added(x, y=2, *, z: int = 3) -> int:
    """Words."""
    return x + y + z


@program(1)
def wrapped_functions(x):
    return (
        added(x),
        added(x, z=5),
        str(inspect.signature(added)),
        added.__doc__,
        added.__wrapped__.__name__,
        added.__annotations__,
        inspect.unwrap(added).__defaults__,
    )


@program(1)
def inner_functions_have_names_and_code(k):
    """Doc."""

    def first(a, b=1, *c, d, e=2, **f) -> "int":
        "first's"
        g = a
        return lambda: (g, k)

    code = first.__code__
    return (
        first.__name__,
        first.__qualname__,
        first.__doc__,
        first.__module__,
        str(inspect.signature(first)),
        code.co_varnames,
        code.co_cellvars,
        code.co_freevars,
        code.co_argcount,
        code.co_kwonlyargcount,
        first(1, d=2).__qualname__,
        first(1, d=2)(),
        inspect.getclosurevars(first).nonlocals,
        first.__kwdefaults__,
        first.__annotations__,
    )


@program(2)
def code_objects_are_shared(k):
    def f():
        return k

    def g():
        return k * 2

    f.__code__ = g.__code__
    return f(), f.__name__


@program(2)
def functions_made_of_code(k):
    def f(a, b=3):
        return a + b

    made = types.FunctionType(f.__code__, globals(), "made", (k,))
    return made(1), made.__name__, made.__defaults__


@functools.singledispatch
def described(v):
    return "object"


@described.register
def _(v: int):
    return "int"


@described.register(list)
def _(v):
    return [described(each) for each in v]


class Describes:
    @functools.singledispatchmethod
    def of(self, v):
        return "other"

    @of.register
    def _(self, v: str):
        return "text"

    @functools.cached_property
    def once(self):
        events.append("computed")
        return 5

    @functools.lru_cache(maxsize=None)
    def cached(self, n):
        events.append(n)
        return n * 2

    later = functools.partialmethod(cached, 4)


@program()
def functools_of_methods():
    d = Describes()
    return (
        described([1, "a", [2]]),
        d.of("a"),
        d.of(1),
        d.once + d.once,
        d.__dict__,
        d.cached(1) + d.cached(1),
        d.later(),
        Describes.cached.cache_info().maxsize,
    )


@functools.total_ordering
class Version:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n if isinstance(other, Version) else NotImplemented

    def __lt__(self, other):
        return self.n < other.n if isinstance(other, Version) else NotImplemented

    def __hash__(self):
        return hash(self.n)

    def __repr__(self):
        return f"v{self.n}"


@program()
def orderings():
    a, b = Version(1), Version(2)
    found = [a < b, a >= b, max(a, b), sorted([b, a]), a == 1, a != b, a <= a]
    try:
        a < 1
    except TypeError as e:
        found.append(str(e))
    return (
        found,
        functools.reduce(lambda x, y: x if x > y else y, [a, b, a]),
        sorted([b, a], key=functools.cmp_to_key(lambda x, y: x.n - y.n)),
    )


def pickled(x):
    return x


@program(3)
def functions_and_data_are_pickled(k):
    def local():
        return k

    found = [pickle.loads(pickle.dumps(pickled)) is pickled]
    for thing in (local, lambda: k):
        try:
            pickle.dumps(thing)
        except Exception as e:
            found.append((type(e).__name__, re.sub("0x[0-9a-f]+", "", str(e))))
    part = pickle.loads(pickle.dumps(functools.partial(pickled, k)))
    return found, part(), pickle.loads(pickle.dumps({k: [Version(k)]})), copy.deepcopy(pickled) is pickled


# --- Classes


class Positive:
    def __set_name__(self, owner, name):
        events.append((owner.__name__, name))
        self.name = name

    def __get__(self, instance, owner=None):
        return self if instance is None else instance.__dict__.get(self.name, 0)

    def __set__(self, instance, value):
        if value < 0:
            raise ValueError(self.name)
        instance.__dict__[self.name] = value

    def __delete__(self, instance):
        events.append("deleted")
        del instance.__dict__[self.name]


@program(1, -1)
def descriptors(v):
    class Point:
        x = Positive()
        y = Positive()

        def __init__(self, x, y):
            self.x, self.y = x, y

    p = Point(2, v)
    p.x += v
    del p.y
    return p.x, p.y, type(Point.x).__name__, vars(p)


@program()
def metaclasses():
    class Meta(type):
        @classmethod
        def __prepare__(mcs, name, bases, **kwargs):
            events.append(("prepare", name, sorted(kwargs)))
            return collections.OrderedDict()

        def __new__(mcs, name, bases, namespace, **kwargs):
            kind = super().__new__(mcs, name, bases, dict(namespace))
            kind.order = [key for key in namespace if not key.startswith("__")]
            return kind

        def __init__(cls, name, bases, namespace, **kwargs):
            super().__init__(name, bases, namespace)
            events.append("init")

        def __call__(cls, *args):
            made = super().__call__(*args)
            events.append(("called", args))
            return made

        def __instancecheck__(cls, instance):
            return instance == 7 or type.__instancecheck__(cls, instance)

        def __len__(cls):
            return len(cls.order)

        def __iter__(cls):
            return iter(cls.order)

        def __contains__(cls, name):
            return name in cls.order

        def __getattr__(cls, name):
            return f"{cls.__name__}.{name}"

    class Base(metaclass=Meta, tag=1):
        b = 1
        a = 2

        def method(self):
            return __class__.__name__, super().__repr__()[:1]

    class Derived(Base):
        def __init__(self, v):
            self.v = v

        c = b if (b := 5) else 0

    d = Derived(3)
    return (
        Base.order,
        Derived.order,
        len(Derived),
        list(Base),
        "a" in Base,
        Base.missing,
        isinstance(7, Base),
        isinstance(d, Base),
        d.method(),
        type(d).__mro__[1].__name__,
    )


@program()
def subclass_hooks():
    class Plugin:
        known = {}

        def __init_subclass__(cls, /, name=None, **kwargs):
            super().__init_subclass__(**kwargs)
            cls.known[name or cls.__name__.lower()] = cls

        def __class_getitem__(cls, item):
            return f"{cls.__name__}[{item}]"

    class First(Plugin):
        pass

    class Second(Plugin, name="2"):
        pass

    class Shape(abc.ABC):
        @property
        @abc.abstractmethod
        def area(self): ...

        @classmethod
        def __subclasshook__(cls, other):
            return True if "area" in vars(other) else NotImplemented

    class Duck:
        area = 3

    found = sorted(Plugin.known), First[int], isinstance(Duck(), Shape)
    try:
        Shape()
    except TypeError as e:
        return found, str(e)


@program(5)
def class_bodies(n):
    class A:
        m = n
        n = n + 1 if n > 2 else 0
        xs = [i for i in range(m)]
        for i in xs:
            if i == 3:
                break
        else:
            i = None
        try:
            unknown
        except NameError:
            unknown = "set"
        if n:

            def f(self):
                return self.n

        else:

            def f(self):
                return 0

        with contextlib.suppress(KeyError):
            {}[1]
        __slots__ = ("q",)
        __private = 4

        @property
        def p(self):
            return self.__private

        @p.setter
        def p(self, v):
            events.append(v)

    a = A()
    a.p = 3
    return a.f(), A.i, A.unknown, a.p, sorted(k for k in vars(A) if not k.startswith("__")), A.__qualname__


@program(3)
def attribute_protocols(n):
    class Proxy:
        def __init__(self, inner):
            object.__setattr__(self, "inner", inner)

        def __getattribute__(self, name):
            events.append(name)
            return object.__getattribute__(self, name)

        def __getattr__(self, name):
            return getattr(self.inner, name)

        def __setattr__(self, name, value):
            setattr(self.inner, name, value)

        def __delattr__(self, name):
            delattr(self.inner, name)

        def __dir__(self):
            return ["x"]

    p = Proxy(types.SimpleNamespace(x=n))
    p.x += 1
    p.y = p.x * 2
    if p.y:
        del p.x
    return p.inner, hasattr(p, "x"), getattr(p, "z", None), dir(p)


@program(2)
def operators_that_reflect(n):
    class Left:
        def __add__(self, other):
            return NotImplemented

        def __matmul__(self, other):
            return ("matmul", other)

        def __iadd__(self, other):
            events.append("iadd")
            return self

        def __bool__(self):
            raise AssertionError("nobody asks")

        def __index__(self):
            return n

        def __format__(self, spec):
            return f"<{spec}>"

        def __contains__(self, item):
            return item

        def __call__(self, *a, **k):
            return a, k

    class Right:
        def __radd__(self, other):
            return "radd", type(other).__name__

    a = Left()
    b = a
    a += 1
    return a + Right(), a @ 3, a is b, [1, 2, 3, 4][a], f"{a:>{n}}", 0 in a, [] not in a, a(1, k=2), range(a), hex(a)


# --- Contexts


@program(0, 1, 2)
def contexts_that_swallow(k):
    class Door:
        def __init__(self, name, swallows):
            self.name, self.swallows = name, swallows

        def __enter__(self):
            events.append(("in", self.name))
            return self

        def __exit__(self, kind, error, trace):
            events.append(("out", self.name, kind and kind.__name__, trace is not None))
            return self.swallows

    def f(k):
        with Door("a", True) as a, Door("b", k == 2):
            if k:
                raise KeyError(k)
            return "returned"
        return "after", a.name

    return f(k)


@program()
def stacks_of_contexts():
    with contextlib.ExitStack() as stack:
        stack.callback(events.append, "last")
        f = stack.enter_context(io.StringIO())
        stack.push(lambda *error: events.append(error[0]) or True)
        f.write("x")
        value = f.getvalue()
        raise ValueError
    return value, f.closed


@program(True, False)
def redirected_output(k):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        print("a", end="" if k else "!\n")
        print(*range(3), sep="-", file=sys.stdout)
    return out.getvalue()


# --- Patterns, walrus, stars, comprehensions


@dataclasses.dataclass
class Pair:
    a: int
    b: object = None


@program(
    Pair(1, 2),
    Pair(1, [3, 4, 5]),
    {"kind": "x", "n": 1, "more": 2},
    [1],
    [1, 2, 3, 4],
    "text",
    3.5,
    None,
    (1, (2, 3)),
    -1,
)
def patterns(v):
    match v:
        case Pair(1, b=[first, *_, last]):
            return "list", first, last
        case Pair(a, b) if (s := a + (b or 0)) > 2:
            return "sum", s
        case {"kind": "x" | "y" as kind, "n": int(n), **rest}:
            return kind, n, rest
        case [1]:
            return "one"
        case [x, (y, z)]:
            return x, y, z
        case [x, *middle, y]:
            return x, middle, y
        case str() | float():
            return "scalar", v
        case None:
            return "none"
        case -1:
            return "minus"
    return "nothing"


@program([3, 1, 4, 1, 5], [])
def walrus_everywhere(xs):
    found = [y for x in xs if (y := x * 2) > 2]
    while (n := len(xs)) and xs.pop() and (m := n) > 2:
        found.append(m)
    return found, n, [last := x for x in range(3)], last, (lambda: (q := 3) + q)(), f"{(w := 5)}{w}"


@program([1, 2, 3, 4], [1, 2])
def stars(xs):
    first, *rest = xs
    (a, *b), c = xs, 5
    *d, e = rest
    merged = [*xs, *rest, *"ab"], {*xs, *d}, {**{"a": 1}, "b": 2, **dict(a=3)}, (*xs, 0)

    def f(*args, **kwargs):
        return args, kwargs

    for i, *j in [xs, rest + [0]]:
        events.append((i, j))
    return first, rest, a, b, c, d, e, merged, f(*xs, 1, *rest, **{"k": 1}, j=2), [*zip(*[xs, rest])]


@program(4)
def nested_comprehensions(n):
    m = [[i * j for j in range(n) if j != i] for i in range(n) if i % 2]
    d = {k: {v for v in range(k) if v % 2} for k in range(n) if k}
    g = ((a, b) for a in range(n) for b in range(a) if a + b > 2 if b)
    fs = [lambda: i for i in range(3)]
    gs = [lambda i=i: i for i in range(3)]
    return (
        m,
        d,
        list(g),
        [f() for f in fs],
        [f() for f in gs],
        sum(x for r in m for x in r),
        any(i == 2 for i in range(n)),
    )


# --- Scopes


@program(3)
def counters_of_closures(n):
    def counter():
        count = 0

        def up(by=1):
            nonlocal count
            count += by
            if count > 2:
                del by
            return count

        def reset():
            nonlocal count
            count = 0

        return up, reset

    up, reset = counter()
    first = [up() for _ in range(n)]
    reset()
    return first, up(5), [c.cell_contents for c in up.__closure__ or ()][:1]


total_of_module = 0


@program(3)
def globals_that_are_set(n):
    global total_of_module, made_here
    for i in range(n):
        total_of_module += i
    made_here = total_of_module
    found = "made_here" in globals(), globals()["made_here"]
    del made_here
    return found, total_of_module, "made_here" in globals()


@program(0, 1)
def names_that_are_missing(k):
    if k:
        x = 1

    def f():
        return x

    try:
        return f()
    except NameError as e:
        return type(e).__name__, str(e), getattr(e, "name", None)


@program(1)
def locals_and_exec(k):
    before = sorted(locals())
    a = k + 1
    scope = {}
    exec("b = a + 1\ndef f(): return 5", {"a": a}, scope)
    return before, sorted(locals()), scope["b"], scope["f"](), eval("a + k"), eval("[k for _ in range(2)]", {"k": k})


# --- Frames and warnings


def warns(level):
    warnings.warn("old", DeprecationWarning, stacklevel=level)


def warns_for(level):
    if level:
        warns(level)
    return level


@program(1, 2, 3)
def warnings_at_lines(level):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        for _ in range(2):
            warns_for(level)
    start = warns.__code__.co_firstlineno
    return [(w.category.__name__, w.lineno - start, w.filename == __file__) for w in found]


@program()
def frames_of_callers():
    def who(depth=1):
        frame = sys._getframe(depth)
        return frame.f_code.co_name, frame.f_lineno - frame.f_code.co_firstlineno, frame.f_locals.get("b")

    def outer(a):
        for b in [1]:
            if a:
                return who(), who(2)[0], inspect.currentframe().f_code.co_name, inspect.stack()[0].function

    return outer(1)


@program()
def tracebacks_as_text():
    def inner(v):
        if v:
            raise ValueError("bad")

    def outer():
        try:
            inner(1)
        except ValueError as e:
            raise KeyError("k") from e

    try:
        outer()
    except KeyError as e:
        text = "".join(traceback.format_exception(type(e), e, e.__traceback__))
        return re.findall(r"in (\w+)$|^(\w+Error.*)$", text, re.M), text.count("direct cause")


@program()
def sources_of_functions():
    def inner(v):
        # A comment.
        return v

    return (
        inspect.getsource(inner).strip(),
        inspect.getsourcelines(inner)[1] - sys._getframe().f_code.co_firstlineno,
        inspect.getfile(inner) == __file__,
    )


# --- Data of the standard library


class Color(enum.Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1

    @property
    def lower(self):
        return self.name.lower()

    @classmethod
    def _missing_(cls, value):
        events.append(value)
        return cls.RED if value == "r" else None


class Permission(enum.Flag):
    R = enum.auto()
    W = enum.auto()


@program()
def enumerations():
    class Local(enum.IntEnum):
        A = 1
        B = A + 1

    found = [Color("r"), Color.CRIMSON is Color.RED, [c.lower for c in Color], Color["GREEN"], Local.B + 1, Local.A < 2]
    try:
        Color(5)
    except ValueError as e:
        found.append(str(e))
    both = Permission.R | Permission.W
    return found, Permission.R in both, both & ~Permission.R, list(Local), {Color.RED: 1}, Color.RED in Color


@program(2)
def data_classes(n):
    @dataclasses.dataclass(order=True, frozen=True)
    class Item:
        rank: int
        name: str = dataclasses.field(default="x", compare=False)
        tags: list = dataclasses.field(default_factory=list, repr=False, hash=False)
        twice: int = dataclasses.field(init=False, default=0)
        shared: typing.ClassVar[int] = 7

        def __post_init__(self):
            object.__setattr__(self, "twice", self.rank * 2)

    a, b = Item(n), Item(n + 1, "y")
    found = [a < b, a, dataclasses.replace(b, rank=0), dataclasses.asdict(a), [f.name for f in dataclasses.fields(a)]]
    try:
        a.rank = 3
    except dataclasses.FrozenInstanceError as e:
        found.append(str(e))
    return found, max(a, b), a == Item(n, "z"), hash(a) == hash(Item(n, "q"))


class Row(typing.NamedTuple):
    a: int
    b: str = "b"

    def joined(self, sep="-"):
        return f"{self.a}{sep}{self.b}"


T = typing.TypeVar("T")


class Box(typing.Generic[T]):
    def __init__(self, item: T) -> None:
        self.item = item

    def get(self) -> T:
        return self.item


@program(1)
def typing_at_run_time(n):
    def f(a: int, b: "str | None" = None) -> typing.List[int]: ...

    class Sized(typing.Protocol):
        def size(self) -> int: ...

    checkable = typing.runtime_checkable(Sized)

    class Real:
        def size(self):
            return n

    def g(a: typing.Annotated[int, pickled(3)], *b: n[0] == 1, c: not n and n in [1] = 1) -> n + 1 if n else f"{n}":
        d: pickled(n) = 1
        return lambda: [a, d]

    async def h(a: pickled(1)) -> pickled(2): ...

    local: int
    other: int = 3
    return (
        Row(n).joined(),
        Row(n)._replace(b="c"),
        Row._fields,
        Box[int](n).get(),
        typing.get_type_hints(f),
        isinstance(Real(), checkable),
        isinstance(3, checkable),
        typing.get_origin(typing.Dict[str, int]),
        typing.cast(int, "x"),
        other,
        g.__annotations__,
        h.__annotations__,
    )


@program()
def weak_references():
    class Node:
        pass

    a = Node()
    ref = weakref.ref(a, lambda _: events.append("gone"))
    table = weakref.WeakValueDictionary(a=a)
    alive = ref() is a, "a" in table
    del a
    return alive, ref() is None, "a" in table


@program("a-b_c", "")
def text_work(s):
    parts = re.split(r"[-_]", s)
    swapped = re.sub(r"[a-z]", lambda m: m[0].upper() if m[0] != "b" else f"<{m.start()}>", s)

    class Template(string.Template):
        delimiter = "%"

    return (
        parts,
        swapped,
        Template("%x %%").substitute(x=s),
        "{0!r:>6}{k[a]}{o.a}".format(s, k={"a": 1}, o=Pair(2)),
        "%-5s|%05.1f" % (s, 2),
    )


@program(3)
def collections_work(n):
    class Default(dict):
        def __missing__(self, key):
            events.append(key)
            self[key] = key * 2
            return self[key]

    class Chain(collections.UserList):
        def append(self, item):
            super().append((item, len(self)))

    d = Default(a=1)
    d["b"] += "c"
    c = Chain([0])
    for i in range(n):
        c.append(i)
        d[i]
    counter = collections.Counter("abracadabra")
    q = collections.deque(range(n), maxlen=2)
    q.append(9)
    return (
        d,
        c,
        counter.most_common(2),
        q,
        collections.ChainMap({"a": 1}, d)["b"],
        list(itertools.groupby(sorted("aab")))[0][0],
        c[1:],
        c * 2,
    )


@program(3)
def iterators_in_both_ways(n):
    class Steps:
        def __init__(self, n):
            self.n = n

        def __len__(self):
            return self.n

        def __getitem__(self, i):
            if isinstance(i, slice):
                return [self[j] for j in range(*i.indices(self.n))]
            if i >= self.n:
                raise IndexError(i)
            return i * i

        def __reversed__(self):
            return iter("reversed")

    s = Steps(n)
    it = iter(s)
    return (
        list(s),
        list(reversed(s)),
        s[::2],
        4 in s,
        next(it),
        operator.length_hint(it, -1),
        max(s),
        [*enumerate(s, 1)],
        dict(zip("abc", s)),
        iter(lambda: n, n).__next__ and list(iter([1, 2].pop, 1)),
    )


# --- Objects that answer to names or note what is asked of them


class AnyName(type):
    def __getattr__(cls, name):
        events.append(name)
        return 5


class Values:
    """Whatever Python's constructs ask for, by special methods."""

    def __iter__(self):
        return iter([1, 2])

    def __len__(self):
        return 2

    def __getitem__(self, i):
        return [1, 2][i]

    def __contains__(self, x):
        return x == 1

    def __eq__(self, other):
        return other is self

    def __bool__(self):
        return True

    def __add__(self, other):
        return "add"

    def __enter__(self):
        return 1

    def __exit__(self, *error):
        return None

    def __call__(self, *args):
        return args

    def __repr__(self):
        return "values"

    def __index__(self):
        return 1

    __hash__ = object.__hash__


class OfAnyName(Values, metaclass=AnyName):
    """Its class answers to every name."""


class Noting(Values):
    """It notes the names that it's asked for and hasn't got."""

    __slots__ = ("unset",)

    def __getattr__(self, name):
        events.append(name)
        raise AttributeError(name)


class NotingList(list):
    def __getattr__(self, name):
        events.append(name)
        raise AttributeError(name)


class NotingSet(set):
    __getattr__ = NotingList.__getattr__


@program(OfAnyName, Noting)
def constructs_ask_for_special_methods_only(kind):
    m = kind()
    found = []
    for i in m:
        found.append(i)
    while m:
        break
    with m as q:
        found.append(q)
    h, *t = m
    match m:
        case [x, y]:
            found.append("pair")
        case {"a": 1}:
            found.append("dict")
        case int():
            found.append("number")
    found += [(1 if m else 2), m and 3, m or 4, not m, [*m], m + 1, m == m, m == 3, m is m, m is None, m in [m], 1 in m]
    found += [m[0], m(1), [1, 2][m], sorted([m, m], key=lambda z: 1), max(m), sum(m), any(m), list(m), len(m), bool(m)]
    found += [
        [i for i in m if i],
        {i: m for i in m},
        list(map(str, m)),
        list(zip(m, m)),
        list(enumerate(m)),
        [*range(m)],
    ]
    found += [f"{m}", "%s" % m, "{} {x}".format(m, x=m), isinstance(m, int), callable(m), next(iter(m)), {1: m}, h, t]
    held = [m]
    held.append(m)
    held.extend(m)
    held[0] = m
    assert m, "true"
    return found, held, held.index(m)


@program(NotingList, NotingSet)
def collections_ask_for_nothing(kind):
    m = kind([3])
    found = [n for n in m]
    for n in m:
        found.append(n)
    a, *b = m
    found += [sorted(m), sum(m), max(m), list(zip(m)), 3 in m, len(m), any(m), f"{m}", list(m), tuple(m), bool(m)]
    return found, a, b


class Called:
    __call__ = staticmethod(lambda x, y=2: (x, y))


class CalledOfClass:
    @classmethod
    def __call__(cls, x):
        return cls.__name__ if x else None


@program(1)
def objects_whose_call_is_no_method(x):
    f, g = Called(), CalledOfClass()
    return f(x), f(x, y=5), g(x), list(map(f, [1, 2])), functools.partial(f, 7)(8)


@program()
def proxies_of_nothing():
    class Node:
        pass

    dead = weakref.proxy(Node())
    found = [dead is None, dead is not None, dead is dead]
    if dead is None:
        found.append("none")
    try:
        found.append(isinstance(dead, list))
    except ReferenceError:
        found.append("gone")
    return found, type(dead).__name__


# --- `super` where an operand is evaluated later


class Reader:
    def read(self, n):
        return n

    def many(self, n):
        return [n, n + 1]


class Checking(Reader):
    def read(self, n):
        is_low = n < 2
        value = super().read(n) if not is_low else super().many(n)
        both = is_low and super().read(5) or super().read(6)
        assert n < 3 or super().read(n) == n, super().read("message")
        while n < super().read(3) and super().read(n) < 9:
            n += 1
        if n == 7:
            raise ValueError(super().read("seven"))
        match n:
            case int(m) if super(Checking, self).read(m) == 3:
                n = "three"
        return value, both, n, 0 < len(super().many(1)) < 3


@program(1, 2, 7)
def super_in_operands(n):
    return Checking().read(n)


# --- What is passed on is the same object


def remembers(wrapper, wrapped):
    wrapper.original = wrapped
    return wrapper


def remembering(wrapped):
    return functools.partial(remembers, wrapped=wrapped)


@program(1)
def partials_pass_on_the_functions_themselves(x):
    def f(x):
        return x

    @remembering(f)
    def g(x):
        return f(x)

    mapped = functools.partial(map, f)
    return g.original is f, g(x), list(mapped([x])), functools.partial(sorted, key=f)([2, 1])


@program()
def calls_of_replaced_builtins():
    import builtins
    from unittest import mock

    with mock.patch.object(builtins, "print") as output:
        print("a", 1)
        print()
        print("b", end="")
    return [str(call) for call in output.call_args_list]


@program([], [1], [0, 2])
def annotated_names_that_functions_share(items):
    if items:
        if len(items) > 5:
            return 1
        parts: list[str] = []
        unset: int

        def add(part):
            nonlocal parts
            parts = [*parts, part]

        for item in items:
            if item > 1:
                return parts
            add(item)
        return parts, len(parts)
    return 3


# --- Objects are made and end as in Python


class Ending:
    def __init__(self, name, truth=True):
        self.name, self.truth = name, truth

    def __bool__(self):
        return self.truth

    def __iter__(self):
        yield 1

    def __del__(self):
        events.append(f"end of {self.name}")


@program(True, False)
def tested_values_end_before_the_branch(k):
    if Ending("first", k):
        events.append("then")
    else:
        events.append("otherwise")
    if Ending("second", not k):
        events.append("alone")
    events.append("between")
    if not k:
        return k
    elif Ending("third", k):
        events.append("third")
    for n in range(2):
        if Ending(n) and n:
            break
        events.append("after")
    return n


class Named:
    def __init__(self, kind=1, function=2, owner=3, callee=4, **others):
        self.given = kind, function, owner, callee, others


class Returning:
    def __init__(self, value):
        return value


@program()
def parameters_have_any_name():
    given = Named(kind=5, function=6, owner=7, callee=8, method=9, args=10, kwargs=11, self_=12).given
    try:
        Named(1, kind=2)
    except TypeError as error:
        return given, str(error), dict(kind=1, owner=2), "{template}{text}".format(template=1, text=2)


@program(None, 5)
def initial_methods_return_nothing(value):
    try:
        return type(Returning(value)).__name__
    except TypeError as error:
        return str(error)


@program()
def classes_that_get_another_new():
    fresh = type("Fresh", (Named,), {})
    before = type(fresh(kind=2)).__name__
    fresh.__new__ = lambda kind, **others: types.SimpleNamespace(others=others)
    return before, fresh(kind=1)


# --- Objects are asked what Python asks


class Recording:
    """It notes each read of an attribute; Python's own operators read special methods off the class."""

    def __init__(self, size):
        self.size = size

    def __getattribute__(self, name):
        events.append(name)
        return object.__getattribute__(self, name)

    def __contains__(self, item):
        return item == 1

    def __len__(self):
        return 2

    def __iter__(self):
        return iter((1, 2))

    def __getitem__(self, index):
        return index

    def __setitem__(self, index, value):
        events.append(index)

    def __delitem__(self, index):
        events.append(index)

    def __call__(self, value):
        return value


@program()
def constructs_read_no_class(n=1):
    each = Recording(n)
    found = [1 in each, len(each), each[3], each(4), [*each], not each, each and 5, 6 if each else 7]
    each[1] = 2
    del each[3]
    if each or n:
        found.append(each.size)
    while each:
        break
    a, b = each
    return found, a, b


class Counted(list):
    def __iter__(self):
        events.append("iter")
        return super().__iter__()

    def __len__(self):
        events.append("len")
        return super().__len__()


class Giving:
    def __init__(self, iterator):
        self.iterator = iterator

    def __iter__(self):
        return self.iterator


@program([1, 2], (), 5, None)
def iterables_give_iterators(given):
    found = [list(Counted([1, 2])), [*Counted([3])], tuple(Counted())]
    for attempt in (next, list, iter, sum, tuple, lambda each: [x for x in each], lambda each: next(each, 3)):
        try:
            found.append(attempt(Giving(given)))
        except TypeError as error:
            found.append(str(error))
    try:
        next(Giving(iter([1])))
    except TypeError as error:
        found.append(str(error))
    try:
        for item in Giving(given):
            found.append(item)
    except TypeError as error:
        found.append(str(error))
    return found


# --- Items change in place


class Growing:
    __slots__ = ("parts",)

    def __init__(self, *parts):
        self.parts = parts

    def __repr__(self):
        return f"Growing{self.parts}"

    def __add__(self, other):
        return "a new one"

    __or__ = __sub__ = __add__

    def __iadd__(self, other):
        events.append("in place")
        self.parts += (other,)
        return self

    __ior__ = __isub__ = __iadd__


@program(([Growing(1), [2], {3}, collections.Counter("a")], 0))
def items_change_in_place(items, n):
    before = list(items)
    more, five = [6], 5
    items[n] += five
    items[-4] -= 7
    items[n] |= before[-1] and len(before)
    items[n + 1] += more
    items[-3] *= 2
    items[n + 1] += "xy"
    items[-3][-1] += "z"
    items[n - 2] |= {4}
    items[-1] += collections.Counter("b")
    tuples = ([],)
    try:
        tuples[n] += more
    except TypeError as error:
        more = str(error)
    try:
        items[n - 2] += n
    except TypeError as error:
        return items, [old is new for old, new in zip(before, items)], tuples, more, str(error)


# --- Parameters of lambdas are nobody else's


@program(([[1], [2, 3]], {"a": 1}))
def lambdas_change_their_parameters(lists, table):
    each = "around"
    taken = [part.pop() for part in lists]
    first = lambda items: next(items, None)
    for method in (lambda each: each.pop("a", None), lambda box: box.update(b=len(box)), lambda box: box["b"]):
        taken.append(method(table))
    sized = {len(part): part.append(5) for part in lists}
    return each, taken, first(iter(lists)), sized, table, sorted(lists, key=lambda part: part.pop())


class Shelf:
    def __init__(self, *books):
        self._books = list(books)

    @property
    def books(self):
        events.append("read")
        return self._books

    def __getitem__(self, place):
        events.append(place)
        return self._books


@program(0)
def items_of_properties_are_read_once(n):
    shelf = Shelf(1, 2, [3])
    shelf.books[n] += 4
    shelf.books[n + 1] -= n
    shelf.books[-1] += [n]
    shelf["top"][n] *= 2
    shelf["top"][n + 2] += shelf._books[:1]
    return shelf._books


class Truth:
    """It notes each time that it is asked for its truth."""

    def __init__(self, value):
        self.value = value

    def __bool__(self):
        events.append(self.value)
        return self.value

    def __deepcopy__(self, memo):
        return Truth(self.value)


@program((Truth(True), Truth(True)), (Truth(False), Truth(False)), (Truth(True), Truth(False)))
def any_and_all_ask_each_value_once(a, b):
    return all([a, b]), any((a, b)), all({1: a}.values()), any([]), all(())


@program()
def classes_are_of_the_module_that_makes_them():
    from collections import namedtuple
    from enum import Enum, IntFlag
    from typing import NamedTuple, NewType, TypedDict

    made = [namedtuple("A", "a b", defaults=[3]), NamedTuple("B", [("a", int)]), Enum("C", "X Y"), IntFlag("D", "Z")]
    made += [NewType("E", int), TypedDict("F", {"a": int}), dataclasses.make_dataclass("G", ["a"])]
    return [each.__module__ == __name__ for each in made[:6]], pickle.loads(pickle.dumps(made[0].__name__))


@types.coroutine
def answered(value):
    answer = yield value
    return answer


@program(0, 3)
def generators_that_are_awaited(k):
    @types.coroutine
    def asked(value):
        answer = yield value
        if answer:
            return answer
        return k

    async def both():
        return await asked(3), await answered(1)

    waiting = both()
    out = [waiting.send(None), waiting.send(k)]
    try:
        waiting.send(2)
    except StopIteration as stop:
        out.append(stop.value)
    return out, inspect.isawaitable(asked(1)), inspect.iscoroutinefunction(both)


@program(2)
def functions_inside_have_only_their_own_variables(n):
    count = 0

    def inner(x):
        nonlocal count
        count += len([y for y in range(x) if y])
        return count

    def counting(x):
        while x:
            yield x
            x -= 1

    counter = counting(n)
    copied = types.FunctionType(inner.__code__, globals(), "copied", None, inner.__closure__)
    renamed = types.FunctionType(counting.__code__.replace(co_name="renamed"), {"__builtins__": __builtins__})
    return copied(4), inner(1), inner.__code__.co_freevars, counter.gi_frame.f_locals, list(renamed(3)), list(counter)


def lines_of(error):
    frames = traceback.walk_tb(error.__traceback__)
    return [(frame.f_code.co_name, line) for frame, line in frames if frame.f_code.co_filename == __file__]


@program(*range(9))
def tracebacks_have_one_entry_for_each_call(k):
    try:
        if k == 0:
            return {}[1] if k == 0 else 2
        for i in range(3):
            if k == 1:
                x = {}[i] if i == 2 else None
            if k == 2:
                i and {}[i]
            if k == 3:
                while i:
                    (k or 0) and {}[k]
        if k == 4:
            y = [{}[i] if i else 0 for i in range(3)]
        if k == 5:
            any({}[i] if i else 0 for i in range(3))
        if k == 6:
            return (lambda: {}[0] if k else 0)()
        if k == 7:
            k and recursive(3)
        {}[0] if k else 0
    except KeyError as error:
        return lines_of(error)


def recursive(n):
    return (recursive(n - 1) or 1) if n else {}[n]


def caller_at(depth):
    frame = sys._getframe(depth)
    return frame.f_code.co_name, frame.f_lineno - frame.f_code.co_firstlineno


def warned_at(level):
    warnings.warn("warned", stacklevel=level)


@program(0, 1, 2)
def frames_of_callers_of_operands(k):
    def inner(j):
        out = []
        for i in range(2):
            out.append(caller_at(j) if i else 0)
            i and out.append(caller_at(j + 1) or 3)
            out.append((i or j) and sys._getframe(0).f_code.co_name)
            out += [caller_at(j) if q else (q or caller_at(1)) for q in range(2)]
            out.append((lambda: caller_at(1) if i else caller_at(2))())
        return out

    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        for i in range(2):
            i and warned_at(k)
            warned_at(k + 1) if i else None
            [warned_at(k) if q else q or warned_at(k) for q in range(2)]
            k > 1 and warnings.warn("again", stacklevel=k)
    return inner(min(k, 1)), [warning.lineno for warning in found if warning.filename == __file__]


class Schema:
    """It refuses to be asked for any attribute, as the values without a value of pyasn1 do."""

    def __getattr__(self, name):
        raise LookupError(f"attempted {name}")

    def __deepcopy__(self, memo):
        return self


@program(Schema(), True, None)
def objects_that_refuse_to_be_asked(value):
    missing = Schema()
    found = [value is missing, value is True, True is value, missing is not False, value == missing]
    for each in (missing, value):
        found.append(1 if each else 2)
        found.append(each is None or each and True)
    kept = [missing] * 2
    kept[True] = value
    return found[:6], len(kept), kept[0] is missing, [each is True for each in kept], {1: missing}[True] is missing


class Checked:
    """It can be called, and has data of its own."""

    limit = 3

    def __call__(self, value):
        return value


def checked_too(value):
    return value


@program(checked_too, Checked().__call__)
def functions_in_containers_of_the_library(check):
    known, waiting = collections.UserDict(), queue.Queue()
    known[check] = 1
    waiting.put(check)
    found = [check in known, known.get(check), known[check], known.setdefault(check, 2), known.pop(check), len(known)]
    pair = collections.namedtuple("Pair", "first second")(1, 2)._replace(first=check)
    chain, calls = collections.ChainMap({}), collections.UserList([check])
    found += [waiting.get() is check, chain.get(1, check) is check, pair.first is check]
    calls.append(check)
    return found, calls.count(check), calls.index(check), [call is check for call in calls]


@program([Checked(), checked_too, print])
def callables_that_itertools_goes_over(checks):
    def are_same(found):
        return [any(one is check for check in (*checks, checked_too)) for one in found]

    first = checks[0]
    rows = (
        itertools.chain(checks, [checked_too]),
        itertools.cycle(checks),
        itertools.compress(checks, checks),
        itertools.accumulate(checks, lambda _, check: check, initial=checked_too),
        itertools.takewhile(lambda check: check is not print, checks),
        itertools.filterfalse(lambda check: check is print, checks),
        *itertools.product(checks, checks),
        *itertools.permutations(checks),
        *itertools.combinations(checks, 2),
        *itertools.pairwise(checks),
        *itertools.zip_longest(checks, [first], fillvalue=checked_too),
        *[found for _, found in itertools.groupby(checks, key=Checked())],
        [functools.reduce(lambda _, check: check, [], first), functools.reduce(Checked.__call__, [first], first)],
        itertools.starmap(lambda check, _: check, [checks[:2]]),
    )
    return [are_same(itertools.islice(row, 4)) for row in rows], next(itertools.chain(checks)).limit
