"""The data that `tf.keras.datasets` and TensorFlow Datasets hand out, as it is in every copy of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field

from graphwright_analysis.immutability import immutable
from graphwright_analysis.tracing.machine import allocation
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.values import shapes
from graphwright_analysis.values.domain import (
    NONE,
    UNKNOWN,
    Array,
    Constant,
    Dataset,
    Entries,
    Tensor,
    Tuple,
    Value,
)

from . import datasets, structures

_Part = tuple[str, tuple[int | None, ...]]
_Makers = dict[str, Callable[[Run, Call], Value]]

_LABEL: _Part = ("int64", ())
_TEXT: _Part = ("string", ())
_NUMBER: _Part = ("float32", ())
_ANY_IMAGE: _Part = ("uint8", (None, None, 3))


@immutable
class Published:
    """What one example is made of, which two parts of it are the input and the label, and how many there are."""

    parts: dict[str, _Part]
    supervised: tuple[str, str]
    splits: dict[str, int] = field(default_factory=dict[str, int])


def _images(sizes: tuple[int, ...] | None, *names: str, **splits: int) -> Published:
    """Labelled pictures, and the names of what else there is of each."""
    image = _ANY_IMAGE if sizes is None else ("uint8", sizes)
    return Published({"image": image, "label": _LABEL, **dict.fromkeys(names, _TEXT)}, ("image", "label"), splits)


def _described(names: tuple[str, ...], label: str, **splits: int) -> Published:
    return Published({label: _LABEL, **dict.fromkeys(names, _TEXT)}, (names[-1], label), splits)


_PENGUIN: dict[str, _Part] = dict.fromkeys(
    ("culmen_length_mm", "culmen_depth_mm", "flipper_length_mm", "body_mass_g"), _NUMBER
)
_DIGITS = {"train": 60000, "test": 10000}
_PETS: dict[str, _Part] = {
    "species": _LABEL,
    "segmentation_mask": ("uint8", (None, None, 1)),
    "head_bbox": ("float32", (4,)),
}

CATALOGUE: dict[str, Published] = {
    "mnist": _images((28, 28, 1), **_DIGITS),
    "fashion_mnist": _images((28, 28, 1), **_DIGITS),
    "kmnist": _images((28, 28, 1), **_DIGITS),
    "emnist": _images((28, 28, 1)),
    "mnist_corrupted": _images((28, 28, 1), **_DIGITS),
    "cifar10": _images((32, 32, 3), "id", train=50000, test=10000),
    "cifar100": Published(
        {"image": ("uint8", (32, 32, 3)), "label": _LABEL, "coarse_label": _LABEL, "id": _TEXT},
        ("image", "label"),
        {"train": 50000, "test": 10000},
    ),
    "svhn_cropped": _images((32, 32, 3), "id", train=73257, test=26032),
    "stl10": _images((96, 96, 3), train=5000, test=8000),
    "horses_or_humans": _images((300, 300, 3), train=1027, test=256),
    "rock_paper_scissors": _images((300, 300, 3), train=2520, test=372),
    "beans": _images((500, 500, 3), train=1034, test=128, validation=133),
    "eurosat/rgb": _images((64, 64, 3), "filename", train=27000),
    "resisc45": _images((256, 256, 3), "filename"),
    "deep_weeds": _images((256, 256, 3)),
    "patch_camelyon": _images((96, 96, 3), "id"),
    "colorectal_histology": _images((150, 150, 3), "filename"),
    "tf_flowers": _images(None, train=3670),
    "cats_vs_dogs": _images(None, "image/filename"),
    "oxford_flowers102": _images(None, "file_name"),
    "food101": _images(None),
    "malaria": _images(None),
    "caltech101": _images(None, "image/file_name"),
    "cassava": _images(None, "image/filename"),
    "imagenet2012": _images(None, "file_name"),
    "imagenette": _images(None),
    "plant_village": _images(None, "image/filename"),
    "cycle_gan/horse2zebra": _images(None),
    "oxford_iiit_pet": Published(_images(None, "file_name").parts | _PETS, ("image", "label")),
    "imdb_reviews": _described(("text",), "label", train=25000, test=25000, unsupervised=50000),
    "ag_news_subset": _described(("title", "description"), "label", train=120000, test=7600),
    "iris": Published({"features": ("float32", (4,)), "label": _LABEL}, ("features", "label"), {"train": 150}),
    "penguins/processed": Published(
        {"features": ("float32", (4,)), "species": _LABEL}, ("features", "species"), {"train": 334}
    ),
    "penguins/simple": Published({**_PENGUIN, "island": _LABEL, "sex": _LABEL, "species": _LABEL}, ("", "")),
}
"""What TensorFlow Datasets says of its most used ones; how many examples there are where that never changed."""

_KERAS: dict[str, tuple[_Part, _Part]] = {
    "mnist": (("uint8", (28, 28)), ("uint8", ())),
    "fashion_mnist": (("uint8", (28, 28)), ("uint8", ())),
    "cifar10": (("uint8", (32, 32, 3)), ("uint8", (1,))),
    "cifar100": (("uint8", (32, 32, 3)), ("int64", (1,))),
}
"""Of what dtype and shape an example is in Keras, and its label."""


def _keras(name: str, train: int, test: int) -> Callable[..., Value]:
    """`tf.keras.datasets.<name>.load_data`"""
    parts = [Tuple(tuple(Array(dtype, (rows, *shape)) for dtype, shape in _KERAS[name])) for rows in (train, test)]
    return lambda *_: Tuple(tuple(parts))


def load(run: Run, call: Call) -> Value:
    """`tfds.load(name, split=..., as_supervised=..., batch_size=..., with_info=...)`"""
    given = call.by_name("name", "split")
    wanted = given.get("name", UNKNOWN)
    name, _, version = (_text(wanted) or "").partition(":")
    published: Published | None = CATALOGUE.get(name)
    splits = published.splits if published is not None and not version else {}
    supervised, batch = given.get("as_supervised", Constant(False)), given.get("batch_size", NONE)
    known = "decoders" not in given and isinstance(supervised, Constant)

    def part(split: str | None) -> Value:
        element = _example(run, published, supervised != Constant(False)) if published and known else UNKNOWN
        whole = Dataset(element, count=None if split is None else _count(split, splits))
        return whole if batch == NONE else _batched(run, call, whole, batch)

    made = _divided(run, given.get("split", NONE), published, part)
    information = given.get("with_info", Constant(False))
    if not isinstance(information, Constant):
        return UNKNOWN
    return Tuple((made, UNKNOWN)) if information.value else made


def _text(value: Value) -> str | None:
    return value.value if isinstance(value, Constant) and isinstance(value.value, str) else None


def _divided(run: Run, split: Value, published: Published | None, part: Callable[[str | None], Value]) -> Value:
    """The Datasets of what is asked for: one, several in a list, or one by the name of each split."""
    if split == NONE:
        names = ("train", "test", "validation") if published is None else tuple(published.splits)
        return allocation.new_dict(run, Entries(tuple((name, part(name)) for name in names), closed=False))
    if isinstance(split, Constant):
        return part(_text(split))
    several = held_values.elements_of(run, split)
    if several is not None:
        return Tuple(tuple(part(_text(each)) for each in several))
    return UNKNOWN


def _example(run: Run, published: Published, supervised: bool) -> Value:
    parts = {name: Tensor(dtype, shape) for name, (dtype, shape) in published.parts.items()}
    if supervised:
        return Tuple(tuple(parts.get(name, UNKNOWN) for name in published.supervised))
    return allocation.new_dict(run, Entries(tuple(parts.items())))


def _batched(run: Run, call: Call, whole: Dataset, size: Value) -> Value:
    """Batches of a size, or with -1 all examples in one."""
    if size != Constant(-1):
        return datasets.method(run, whole, "batch", call.with_arguments([size]))
    rows = shapes.ANY if whole.count is None else whole.count
    return structures.eager(run, structures.mapped(run, whole.element, lambda part: datasets.batched(part, rows)))


_SLICE = re.compile(r"(\w+)(?:\[(-?\d+%?)?:(-?\d+%?)?\])?")


def _count(split: str, splits: dict[str, int]) -> int | None:
    """How many examples `train`, `train[:80%]` or `train[100:]+test` are."""
    counts = [_count_of(_SLICE.fullmatch(each.strip()), splits) for each in split.split("+")]
    return None if None in counts else sum(count for count in counts if count is not None)


def _count_of(asked: re.Match[str] | None, splits: dict[str, int]) -> int | None:
    if asked is None or asked[1] not in splits:
        return None
    whole = splits[asked[1]]
    start, end = (_bound(given, default, whole) for given, default in ((asked[2], 0), (asked[3], whole)))
    return max(0, end - start)


def _bound(given: str | None, default: int, whole: int) -> int:
    """One end of a slice, from the beginning."""
    if given is None:
        return default
    number = round(int(given[:-1]) * whole / 100) if given.endswith("%") else int(given)
    return min(whole, number + whole if number < 0 else number)


HANDLERS: _Makers = {
    **{f"tf.keras.datasets.{name}.load_data": _keras(name, **_DIGITS) for name in ("mnist", "fashion_mnist")},
    **{f"tf.keras.datasets.{name}.load_data": _keras(name, 50000, 10000) for name in ("cifar10", "cifar100")},
    "tensorflow_datasets.load": load,
}
