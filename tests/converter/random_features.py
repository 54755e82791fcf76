"""Random programs that use more of Python: objects, lists in lists, stacks, helpers that change lists, `with`, texts.

Not everything here can be converted, so a program may be refused; none may give another value. It runs none.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from random_sources import FEATURES, PREAMBLE, Drawn, Writer


@dataclass(frozen=True)
class Feature:
    """A part of a program: `setup` stands at its beginning, `preamble` above it, `tests` are asked in conditions.

    In the texts, $i is a whole number, $k the name of one, $f a float, $t a test.
    """

    setup: str
    statements: tuple[str, ...]
    shown: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    preamble: str = ""


def draw(seed: int) -> Drawn:
    """The seed's program."""
    return _Writer(random.Random(f"more {seed}")).program()


class _Writer(Writer):
    """Writes one program with one or two of these features, and few of the others."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng, rng.sample(sorted(FEATURES), rng.choice((0, 0, 1, 1, 2))))
        self.more = [MORE[name] for name in sorted(rng.sample(sorted(MORE), rng.choice((1, 1, 2))))]

    def program(self) -> Drawn:
        drawn = super().program()
        *begin, end = drawn.body
        shown = [self.rng.choice(each.shown) for each in self.more if each.shown and not self.early]
        setups = [each.setup for each in self.more if each.setup]
        return Drawn(
            drawn.python,
            (*begin[:2], *setups, *begin[2:], ", ".join([str(end), *shown])),
            f"{_IMPORTS}{PREAMBLE}{''.join(each.preamble for each in self.more)}",
        )

    def simple(self, in_loop: bool) -> str:
        if self.rng.random() > 0.65:
            return super().simple(in_loop)
        text = self.filled(self.rng.choice(self.rng.choice(self.more).statements))
        self.spend(len(re.findall(r"\b(?:if|for|while)\b", text)))
        return text

    def special(self, in_loop: bool) -> str:
        return super().special(in_loop) if self.special_features() else self.integers(in_loop)

    def test(self) -> str:
        tests = [test for each in self.more for test in each.tests]
        return self.filled(self.rng.choice(tests)) if tests and self.rng.random() < 0.4 else super().test()

    def filled(self, text: str) -> str:
        drawn = {"i": self.integer, "k": lambda: self.rng.choice(self.ints), "f": self.float, "t": self.comparison}
        return re.sub(r"\$([ikft])", lambda match: drawn[match[1]](), text)


_IMPORTS = """from collections import Counter, defaultdict, deque
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
"""

MORE: dict[str, Feature] = {
    "record": Feature(
        "r = Record(a, z)",
        ("r = Record($i, $f)", "r.total += $k", "r = replace(r, size=$f)", "a = r.total", "r.grow($k)",
         "a = r.grown($i)", "z = r.doubled", "r = r + Record(1, 0.5)", "r.total, a = a, r.total"),
        ("r.total, r.size", "r.doubled, r.total"),
        ("r.total > $i", "r == Record(1, 0.5)", "r.is_large"),
        """
@dataclass
class Record:
    total: int
    size: float

    def grow(self, k):
        if k > self.total:
            self.total = k
        else:
            self.size += 0.5

    def grown(self, k):
        while self.total < k:
            self.total += 2
            if self.total % 3 == 0:
                break
        return self.total

    @property
    def doubled(self):
        return self.size * 2.0

    @property
    def is_large(self):
        if self.total > 4:
            return True
        return self.size > 1.0

    def __add__(self, other):
        return Record((self.total + other.total) % 23, self.size)
""",
    ),
    "named": Feature(
        "t = Named(a, z)",
        ("t = t._replace(first=$i)", "a = t.first", "a, z = t", "t = Named($i, $f)",
         "t = Named(t.first + 1, t.second)", "z = t[1]"),
        ("t.first, t.second", "tuple(t)"),
        ("t.first > $i", "t.second > $f"),
        """
class Named(NamedTuple):
    first: int
    second: float
""",
    ),
    "lists": Feature(
        "g = [[1, 2], [a]]",
        ("g[0].append($i)", "g[1] = g[0] + [$i]", "a = sum(g[0]) % 15", "g[1][0] = $i", "a = g[0][-1]",
         "a = len(g[1])", "g[0] = [k + 1 for k in g[0]]", "g = [g[1], g[0]]", "g.append([$i])", "a = max(g[0])"),
        ("g[0], g[1]", "len(g[0]), sum(g[1])"),
        ("len(g[0]) > 3", "g[0][-1] > $i", "$i in g[0]"),
    ),
    "table": Feature(
        'q = {"u": [1], "w": [a, n]}',
        ('q["u"].append($i)', 'a = len(q["u"])', 'q["w"] = [$i, $k]', 'a = q["w"][0]', 'q["w"][1] += 2',
         'a = sum(q["u"]) % 9', 'q["u"] = q["u"][-2:]'),
        ('q["u"], q["w"]', 'len(q["u"]), q["w"][1]'),
        ('len(q["u"]) > 2', 'q["w"][0] > $i'),
    ),
    "stack": Feature(
        "st = [1, a]",
        ("st.append($i)", "a = st.pop() if st else 0", "if st:\n    a = st.pop()", "st.insert(0, $i)",
         "st = st[1:]", "st.extend([$i, 2])", "st = sorted(st)", "st.reverse()", "st = []",
         "if $i in st:\n    st.remove($k)\nelse:\n    st.append(4)", "st[0:1] = [$i]", "st = st[:3]", "del st[:1]",
         "st.clear()", "a = st[0] if len(st) > 0 else 5", "st += [$i]", "st.sort(reverse=True)", "a = st.count(2)",
         "st = [each for each in st if each != $k]", "st = st[::-1]", "a = sum(st) % 12", "a = min(st, default=0)"),
        ("st", "len(st)", "sum(st), len(st)", "list(reversed(st))"),
        ("st", "not st", "len(st) > 2", "$i in st", "all(each < 4 for each in st)",
         "any([each > 4 for each in st])"),
    ),
    "queue": Feature(
        "dq = deque([a])",
        ("dq.append($i)", "dq.appendleft($i)", "if dq:\n    a = dq.popleft()", "if len(dq) > 1:\n    a = dq.pop()",
         "a = len(dq)", "dq.extend([1, $i])", "dq.rotate(1)", "dq.extendleft([$i, 2])", "a = sum(dq) % 11",
         "dq = deque([$i], maxlen=2)", "dq.clear()", "for each in dq:\n    a = (a + each) % 13", "dq = deque(dq, 3)",
         "if $i in dq:\n    dq.remove($k)"),
        ("list(dq)", "len(dq)", "dq.maxlen"),
        ("dq", "len(dq) > 2", "$i in dq"),
    ),
    "counts": Feature(
        'cn = Counter(p=a)\ndd = defaultdict(int, u=2)\nce = cn',
        ('cn["p"] += $i', 'cn["q"] += 1', 'a = cn["q"]', 'a = cn["p"]', 'dd["u"] = $k', 'dd["u"] -= 1', 'a = dd["u"]',
         'a = len(cn)', 'cn = Counter(q=$i)', 'a = sum(dd.values()) % 9', 'if "q" in cn:\n    a = cn["q"]'),
        ('cn["p"], cn["q"]', 'dd["u"]', 'ce["p"], len(ce)'),
        ('cn["q"] > 1', '"q" in cn', 'dd["u"] > $i'),
    ),
    "helper": Feature(
        "hs = [a]",
        ("put(hs, $i)", "a = taken(hs)", "a, z = both($i, z)", "a = first_above(hs, $i)", "z = grown($f, $k)",
         "hs = with_more(hs, $i)", "a = deep($i)"),
        ("hs", "len(hs)"),
        ("is_even($i)", "first_above(hs, $i) > 2"),
        """
def put(items, k):
    if k > 2:
        items.append(k)


def taken(items):
    if len(items) > 1:
        return items.pop()
    return 7


def both(k, u):
    if k % 2 == 0:
        return k + 1, u
    return 3, u * 0.5


def first_above(items, k):
    for item in items:
        if item > k:
            return item
    return -1


def grown(u, k):
    for step in range(k % 4):
        u = u + 0.25
        if u > 3.0:
            break
    else:
        u = u - 1.0
    return u


def with_more(items, k):
    return [*items, k] if k > 1 else items


def is_even(k):
    return k % 2 == 0


def deep(k):
    def inner(j):
        nonlocal k
        if j > 2:
            k = 1
            return j
        return k + j

    return inner(k) + k
""",
    ),
    "generator": Feature(
        "",
        ("a = sum(upto($i)) % 10", "for each in upto($k):\n    a = (a + each) % 14",
         "a = next((each for each in upto($i) if each > $k), 8)", "a = max(upto(4))", "a = len(list(upto($i)))"),
        (),
        ("any(each > 2 for each in upto($i))",),
        """
def upto(k):
    i = 0
    while i < k and i < 5:
        yield i
        i += 1
""",
    ),
    "context": Feature(
        "c = Counting()",
        ("with c:\n    a = $i", "with c as inside:\n    inside.seen += $k",
         "with c:\n    if $t:\n        c.seen = 2\n    else:\n        a = 4"),
        ("c.seen, c.left", "c.left"),
        ("c.seen > $i",),
        """
class Counting:
    def __init__(self):
        self.seen = 0
        self.left = 0

    def __enter__(self):
        self.seen += 1
        return self

    def __exit__(self, *why):
        if self.seen > 2:
            self.left += 1
        return False
""",
    ),
    "average": Feature(
        "h = 0.5",
        ("h = h + $f", "h = $f", "h = h * 0.5", "h = max(h, $f)", "h = h / 2"),
        ("h",),
        ("h > 1", "h < $f"),
    ),
    "vector": Feature(
        "u = tf.zeros([2])",
        ("u = u + $f", "u = tf.concat([u, [$f]], 0)", "z = tf.reduce_sum(u)", "u = u[1:]", "u = tf.ones([3])",
         "for each in u:\n    z += each", "z = u[-1] if len(u) > 0 else 0.5", "u = tf.stack([$f, $f])",
         "u = [$f, $f]", "u = tf.zeros([$k % 4 + 1])"),
        ("u", "tf.reduce_sum(u)"),
        ("tf.reduce_sum(u) > $f", "len(u) > 2", "tf.reduce_all(u > 0.0)"),
    ),
    "flags": Feature(
        "ok = False",
        ("a += ok", "a = int(ok)", "ok = bool($k)", "ok = $t", "ok = ok and $t", "ok = ok or $t",
         "a = a + 1 if ok else a - 1", "ok = not ok", "ok |= $t", "a = [4, 5][ok]", "ok = 0 < $k < 5", "a = ok * 3"),
        ("ok",),
        ("ok", "not ok", "ok and $t", "0 < $k < 4", "ok == ($t)"),
    ),
    "text": Feature(
        'w = "one"',
        ('w = "two"', 'w = "one"', 'w = f"{$k}"', 'w = w + "!"', "a = len(w)", 'w = "x" if $t else "y"'),
        ("w", 'w == "two"'),
        ('w == "two"', 'w != "one"', "len(w) > 3"),
    ),
    "raised": Feature(
        "",
        ("try:\n    if $t:\n        raise ValueError\n    a = 3\nexcept ValueError:\n    a = 5",
         "try:\n    a = checked($i)\nexcept KeyError:\n    a = 2\nelse:\n    a += 1",
         "try:\n    a = checked($k)\nexcept KeyError:\n    pass\nfinally:\n    z += 0.5"),
        (),
        (),
        """
def checked(k):
    if k > 3:
        raise KeyError(3)
    return k
""",
    ),
    "choices": Feature(
        "fs = [lambda k: k + 1, lambda k: k * 2 % 7]\nf = fs[0]",
        ("f = fs[1]", "a = f($i)", "f = fs[0]", "a = fs[1]($k)", "f = (lambda k: k + a) if $t else fs[0]",
         "a = apply(f, $i)"),
        ("f(3)",),
        ("f($i) > 3",),
        """
def apply(function, k):
    return function(k) + 1 if k > 1 else function(0)
""",
    ),
    "unpacked": Feature(
        "",
        ("a, *rest = ($i, n, m)\na = a + len(rest)", "*_, a = [$i, $k]", "(a, z), l = (($i, $f), 2)",
         "a = [$i, $k, 3][$k % 3]", "a = ($i, $k)[$t]", "a = {0: $i, 1: $k}.get(n % 2, 3)",
         'a = dict(k=$i, j=2)["k"]'),
        (),
        ("(a, n) > (2, 3)", "a in (1, $i, 5)", "n not in [1, 2]"),
    ),
    "items": Feature(
        'e = {"k": a, "j": 2}',
        ("for key, value in e.items():\n    a = (a + value) % 8", 'e["j"] += $k',
         "e = {key: value + 1 for key, value in e.items()}", "e.update(k=$i)", 'a = e.get("k", 0)',
         "a = sum(e.values()) % 9", 'e = {**e, "k": $i}', 'a = e.setdefault("j", 4)'),
        ("e", 'e["k"], e["j"]', "sum(e.values())"),
        ('e["k"] > $i', '"k" in e'),
    ),
    "new keys": Feature(
        "e2 = {}",
        ('e2["k"] = $i', 'if "k" in e2:\n    a = e2["k"]', 'a = e2.get("k", 4)', 'e2["j"] = $i',
         'e2.pop("k", None)', "e2.clear()", 'e2.setdefault("k", $i)'),
        ("e2", "len(e2)", 'e2.get("k", -1)'),
        ('"k" in e2', "e2", "len(e2) > 1"),
    ),
    "set": Feature(
        "known = {1, 2}",
        ("known.add($i)", "known.discard($k)", "known = known | {3}", "a = len(known)",
         "if $k not in known:\n    known.add($k)\n    a += 1"),
        ("sorted(known)", "len(known)", "3 in known"),
        ("$i in known", "len(known) > 2"),
    ),
    "pairs": Feature(
        "ps = [(a, z)]",
        ("ps.append(($i, $f))", "a, z = ps[-1]", "ps = [($k, z)]", "for k, u in ps:\n    a = (a + k) % 16",
         "ps[0] = ($i, 0.5)", "a = max(ps)[0]", "a, z = min(ps, key=lambda pair: pair[0])",
         "ps.sort(key=lambda pair: -pair[0])", "if len(ps) > 1:\n    ps.pop()"),
        ("ps", "len(ps)", "ps[-1]", "[k for k, _ in ps]"),
        ("ps[-1][0] > $i", "len(ps) > 2"),
    ),
    "attributes": Feature(
        "node = Node(a)",
        ("node = Node($i, node)", "a = node.value", "if node.below is not None:\n    node = node.below",
         "node.value += 1", "while node.below is not None:\n    node = node.below"),
        ("node.value", "node.value, node.below is None"),
        ("node.below is None", "node.value > $i"),
        """
class Node:
    def __init__(self, value, below=None):
        self.value = value
        self.below = below
""",
    ),
    "numpy": Feature(
        "ar = np.zeros(3, np.int32)",
        ("ar[1] = 4", "a = int(ar[1]) + $i", "ar = ar + 1", "ar = ar + $k", "a = ar[n % 3] + $k", "ar[n % 3] += 1"),
        ("ar",),
        ("ar[0] > $i",),
    ),
    "many": Feature(
        "first, last = None, None",
        ("first = $i if first is None else first", "last = $i",
         "if last is None:\n    last = a\nelse:\n    last += 1", "first, last = last, first", "last = None",
         "a = first or 3", "if first:\n    a = first"),
        ("first, last", "first is None", "-1 if last is None else last"),
        ("first is None", "last is not None and last > $i", "first == last"),
    ),
}  # fmt: skip
