"""Python's own values, as far as they are known: built-ins, lists, dicts, tuples, strings, unpacking, classes."""

import collections
import functools

import tensorflow as tf

small = min(3, 2)
large = max([1, 5, 2])
total = sum([1, 2, 3])
absolute = abs(-2)
rounded = round(2.6)
whole = int(3.9)
halves = float(1)
truth = bool(0)
text = str(12)
both = divmod(7, 2)
quotient = both[0]
rest = both[1]
length = len([1, 2, 3])
of_text = len("abc")
of_dict = len({"a": 1})
last_number = list(range(5))[-1]
stepped = list(range(1, 10, 4))[-1]
down = list(range(3, 0, -1))[0]
reverse = list(reversed([1, 2, 3]))[0]
sorted_length = len(sorted([3, 1, 2]))
ordinal = ord("a")
letter = chr(98)

numbers = [1, 2, 3]
numbers.append(4)
numbers.extend([5, 6])
numbers.insert(0, 0)
taken = [1, 2, 3].pop()
front = [1, 2, 3].pop(0)
pair = [1] + [2]
second = pair[1]
tripled = [7] * 3
of_tripled = len(tripled)
none_left = len([7] * 0)
of_negative = len([7] * -1)
part = [1, 2, 3, 4][1:3]
of_part = part[0]
copied = [1, 2].copy()
of_copied = copied[1]
queue = collections.deque([1, 2])
of_queue = queue[0]

record = {"a": 1, "b": 2.0}
record["c"] = 3
record.update({"d": 4})
a = record["a"]
c = record.get("c")
missing = record.get("z")
given = record.get("z", 9)
popped = record.pop("b")
keys = len({"a": 1, "b": 2}.keys())
values = list({"a": 1, "b": 2}.values())[1]
items = list({"a": 1, "b": 2}.items())[0]
of_items = items[0]
merged = {**{"a": 1}, "b": 2}
of_merged = merged["b"]
absent = merged.get("z")
nothing_there = {**{"a": 1}}.get("z")
built = dict(a=1, b=2)
of_built = built["b"]
by_comprehension = {key: 2 for key in ("x", "y")}
of_comprehension = by_comprehension["y"]
united = {"a": 1} | {"a": 5}
of_united = united["a"]

one, two = 1, 2
head, *middle, tail = 1, 2, 3, 4
of_middle = middle[1]
(inner, outer), other = (1, 2), 3
squares = [n * n for n in (1, 2, 3)]
of_squares = squares[2]
odd = [n for n in (1, 2, 3) if n % 2]
of_odd = len(odd)
enumerated = [i for i, n in enumerate((5, 6))]
of_enumerated = enumerated[1]
zipped = [x + y for x, y in zip((1, 2), (3, 4))]
of_zipped = zipped[1]
swapped, swapping = two, one

lower = "ABC".lower()
starts = "abc".startswith("a")
stripped = " a ".strip()
formatted = f"{one}-{two}"
percent = "%d" % one
joined = "a" + "b"
repeated = "ab" * 2
compared = one < two
chained = 1 < two < 3
equal = one == 1.0
identical = None is None
within = 2 in (1, 2)
outside = 5 not in [1, 2]
negated = not one
negative = -two
either = 0 or 5
both_of = 1 and 7
chosen = 1 if two > 1 else 0
power = 2**3
floor = 7 // 2
modulo = -7 % 3
shifted = 1 << 3
masked = 6 & 3
quarter = 1 / 4

Point = collections.namedtuple("Point", ["x", "y"])
point = Point(1, y=2)
of_point = point.y
moved = point._replace(x=5)
of_moved = moved.x


def scaled(value, by=2, *more, offset=0, **options):
    return value * by + len(more) + offset + len(options)


doubled = scaled(3)
more_of_it = scaled(3, 4, 5, 6)
shifted_by = scaled(3, offset=1)
with_options = scaled(1, by=1, a=1, b=2)
halved = functools.partial(scaled, by=3)
of_partial = halved(5)
anonymous = (lambda x, y=1: x - y)(5)
counter = 0
for step in range(3):
    counter += step
while counter > 1:
    counter -= 1
for step in (1, 2, 3):
    if step == 2:
        break
else:
    step = 10
stopped = step
for step in (1, 2, 3):
    if step == 5:
        break
else:
    stopped_never = 4


class Base:
    size = 3

    def __init__(self, scale):
        self.scale = scale

    def __call__(self, x):
        return x * self.scale

    def area(self):
        return self.size * self.scale

    @property
    def double(self):
        return self.scale * 2

    @classmethod
    def unit(cls):
        return cls(1)

    @staticmethod
    def fixed(x):
        return x + 1


class Heir(Base):
    size = 4

    def area(self):
        return super().area() + 1


without_it = getattr(Base(1), "nothing", 6)
base = Base(5)
heir = Heir(2)
of_base = base.area()
of_heir = heir.area()
called = base(3)
property_of = heir.double
from_class = Heir.unit().area()
static = heir.fixed(1)
setattr(base, "extra", 8)
extra = base.extra
extra_too = getattr(base, "extra")
extra_missing = getattr(base, "nothing", 6)
is_heir = isinstance(heir, Base)
isnt_heir = isinstance(base, Heir)
of_scale = hasattr(base, "scale")

tensors = [tf.zeros([2]), tf.ones([3])]
from_list = tensors[1]
table = {"w": tf.zeros([2, 2]), "b": tf.zeros([2])}
from_table = table["w"]
stacked = tf.stack([tf.zeros([2]) for _ in range(3)])
from_sum = sum([tf.zeros([2]), tf.ones([2])])
from_max = max(tf.constant(1), tf.constant(2))
from_star = tf.add(*[tf.zeros([2]), tf.ones([2])])
from_named = tf.reduce_sum(input_tensor=tf.zeros([2, 3]), axis=0)
nested = ((tf.zeros([1]), tf.zeros([2])), tf.zeros([3]))
(of_nested, _), of_outer = nested


def many(count: int):
    found = [tf.zeros([2]) for _ in range(count)]
    last = found.pop()
    rest = found[0]
    queue = collections.deque(tf.ones([3]) for _ in range(count))
    first = queue.popleft()
    table = {"w": tf.zeros([2])}
    table.setdefault("b", tf.ones([3]))
    bias = table["b"]
    weights = table.pop("w")
    places = found.index(rest) if count > 5 else 0
    return last, rest, first, bias, weights, places


of_many = many(len("abc") if point.x else 2)
head_of_five, *middle_of_five, fourth, fifth = (1, 2.0, "c", tf.zeros([4]), tf.zeros([5]))
of_middle_too = middle_of_five[1]
before_last = fourth
very_last = fifth
*start, end = [tf.zeros([1]), tf.zeros([2])]
of_start = start[0]
finished = tf.zeros([])
