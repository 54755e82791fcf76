"""Operators between values of all kinds, questions about values, classes, annotations, and what is known of both."""

import collections
from dataclasses import dataclass, field
from typing import List, NamedTuple, Optional

import numpy as np
import tensorflow as tf

x = tf.constant([1.0, 2.0])
whole = tf.constant([1, 2])
flag = tf.constant(True)
state = tf.Variable([1.0, 2.0])
floats = np.ones((3, 2), np.float32)
doubles = np.ones((3, 2))
integers = np.arange(2)

array_sum = tf.constant(floats + floats)
array_mixed = tf.constant(floats + doubles)
array_scaled = tf.constant(floats * 2)
array_divided = tf.constant(floats / 2.0)
array_shifted = tf.constant(2.0 - doubles)
array_broadcast = tf.constant(floats * floats[0])
array_power = tf.constant(floats**2)
array_compared = tf.constant(floats > 0.5)
array_equal = tf.constant(floats == floats)
array_negated = tf.constant(-floats)
array_turned = tf.constant(floats.T)
array_rank = floats.ndim
array_shape = floats.shape
first_size = floats.shape[0]
number_of_rows = len(floats)
array_and_tensor = floats + x
tensor_and_array = x * floats
array_kind = tf.zeros([2], floats.dtype)
stacked_arrays = tf.stack([floats, floats])
rounded = tf.constant(np.float32(2.5))
counted = tf.constant(np.int64(3))

total = x + 1.0
reflected = 1.0 - x
product = 2 * x
quotient = whole / 2
floor = whole // 2
remainder = whole % 2
power = x**2
matrix_product = floats @ tf.zeros([2, 4])
less = x < 2.0
equal = whole == 2
unequal = whole != whole
negative = -x
inverted = ~flag
conjunction = flag & True
disjunction = flag | flag
exclusive = flag ^ flag
absolute = abs(-x)
by_state = state * 2.0
state_and_tensor = state + x
shifted_state = state[0] + 1.0
compared_state = state > 1.0

is_none = x is None
is_not_none = x is not None
same_bools = True is True
other_bools = True is not False
member = 2 in [1, 2]
no_member = 3 not in (1, 2)
in_text = "a" in "abc"
not_in_text = "z" not in "abc"
key_there = "a" in {"a": 1}
chained = 1 < 2 < 3
both = 1 and 2
either = 0 or 5
neither = not 0
text = "ab" + "c"
repeated = "ab" * 2
tuple_sum = (1, 2) + (3,)
of_tuple_sum = tuple_sum[2]
bits = 6 & 3
shifted = 1 << 4
flipped = ~5
positive = +3

is_tensor = isinstance(x, tf.Tensor)
is_variable = isinstance(state, tf.Variable)
is_number = isinstance(3, int)
is_one_of = isinstance(2.0, (int, float))
is_no_list = isinstance((1,), list)
is_dict = isinstance({}, dict)
has_shape = hasattr(x, "shape")
is_callable = callable(len)
of_kind = type(3) is int
its_dtype = x.dtype
is_floating = x.dtype.is_floating
is_integer = whole.dtype.is_integer
name_of_dtype = x.dtype.name
size_of_dtype = x.dtype.size
base_of_dtype = tf.zeros([1], x.dtype.base_dtype)
limits = x.dtype.max
same_dtype = x.dtype == tf.float32
rank = x.shape.rank
number = x.numpy()
of_scalar = float(tf.constant(2.0))
whole_of_scalar = int(tf.constant(2))
as_list = whole.numpy().tolist()
state_value = state.value()
state_read = state.read_value()
assigned = state.assign([3.0, 4.0])
assigned_more = state.assign_add([1.0, 1.0])
state_shape = state.shape
state_kind = tf.zeros([2], state.dtype)
state_trainable = state.trainable
of_numpy_state = tf.constant(state.numpy())

ordered = collections.OrderedDict(a=1, b=x)
of_ordered = ordered["b"]
counts = collections.defaultdict(int)
fresh_count = counts["z"]
groups = collections.defaultdict(list)
groups["k"].append(x)
of_groups = groups["k"][0]
tables = collections.defaultdict(dict)
tables["t"]["x"] = 3
of_tables = tables["t"]["x"]
made_by = collections.defaultdict(lambda: 7)
of_made_by = made_by["q"]
limited = collections.deque([1, 2, 3], maxlen=2)
limited.append(4)
of_limited = limited[1]
limited.appendleft(0)
leftmost = limited[0]
number_kept = len(limited)
unique = len({1, 2})
removed = [3, 1, 2]
removed.remove(1)
of_removed = removed[1]
del removed[0]
of_shorter = removed[0]
removed.clear()
of_cleared = len(removed)
ordered_numbers = [3, 1, 2]
ordered_numbers.sort()
of_sorted = len(ordered_numbers)
ordered_numbers.reverse()
by_step = [0, 1, 2, 3, 4][::2]
of_by_step = by_step[1]
backwards = [0, 1, 2][::-1]
of_backwards = backwards[0]
replaced = [1, 2, 3]
replaced[0:2] = [x]
of_replaced = len(replaced)
set_default = {"a": 1}.setdefault("b", 2)
from_keys = dict.fromkeys(["a", "b"], 0)
of_from_keys = from_keys["b"]
of_pairs = dict([("a", 1), ("b", 2)])["b"]
zipped = dict(zip(["a", "b"], [x, whole]))
of_zipped = zipped["a"]
numbered = list(enumerate([x, whole]))[1]
of_numbered = numbered[0]
mapped = list(map(lambda n: n * 2, [1, 2]))[1]
kept = list(filter(None, [0, 1]))
anything = any([False, True])
everything = all([True, False])
smallest = min([2, 1], default=0)


class Point(NamedTuple):
    left: tf.Tensor
    right: int = 2


@dataclass
class Box:
    held: tf.Tensor
    label: str = "box"
    more: List[int] = field(default_factory=list)


class Scaled:
    factor = 3

    def __init__(self, inner: Optional[tf.Tensor] = None):
        self.inner = inner
        self._kept = 1

    @property
    def twice(self):
        return self.inner * 2.0

    @classmethod
    def of(cls, inner):
        return cls(inner)

    @staticmethod
    def plain(n):
        return n + 1

    def __call__(self, by):
        return self.inner * by

    def __len__(self):
        return 4

    def __getitem__(self, key):
        return self.inner[key]

    def __add__(self, other):
        return self.inner + other


class Grown(Scaled):
    factor = 4

    def __init__(self, inner):
        super().__init__(inner)
        self.extra = inner + 1.0


point = Point(x)
of_point = point.left
second_of_point = point[1]
replaced_point = point._replace(right=5)
of_replaced_point = replaced_point.right
box = Box(x)
of_box = box.held
label = box.label
box.more.append(1)
of_more = len(box.more)
scaled = Scaled(x)
its_factor = scaled.factor
twice = scaled.twice
called = scaled(3.0)
its_length = len(scaled)
its_item = scaled[0]
its_sum = scaled + 1.0
by_class = Scaled.of(x).inner
by_static = Scaled.plain(2)
grown = Grown(x)
of_grown = grown.extra
grown_factor = grown.factor
inherited = grown.twice
is_scaled = isinstance(grown, Scaled)
is_grown = isinstance(scaled, Grown)
is_subclass = issubclass(Grown, Scaled)
by_name = getattr(scaled, "factor")
by_missing_name = getattr(scaled, "nothing", 9)
setattr(scaled, "added", 5)
of_added = scaled.added


def annotated(values: List[tf.Tensor], size: int, maybe: Optional[tf.Tensor] = None) -> tf.Tensor:
    own = values[0] + 1.0
    return own


def spread(first, *rest, key=1, **more):
    return first + len(rest) + key + len(more)


def recursive(n):
    return 1 if n <= 0 else n * recursive(n - 1)


of_annotated = annotated([x], 2)
of_spread = spread(1, 2, 3, key=4, other=5)
of_recursive = recursive(3)
of_lambda = (lambda n, by=2: n * by)(4)
finished = True
