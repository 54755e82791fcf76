"""Random layers of Keras on random placeholders, as Keras and the analysis see them, to be compared."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gast
from graphwright_analysis import Project, Settings
from graphwright_analysis.values.domain import KerasTensor, Tuple, Value

IMPORTS = "import keras\nfrom keras import layers\n"

CELLS = ("layers.LSTMCell({u})", "layers.GRUCell({u})", "layers.SimpleRNNCell({u})")
EXPRESSIONS: dict[int, tuple[str, ...]] = {
    0: (
        "layers.Dense({u})", "layers.Dense({u}, activation='relu')", "layers.Dropout(0.5)", "layers.ReLU()",
        "layers.BatchNormalization()", "layers.LayerNormalization()", "layers.Activation('tanh')", "layers.Flatten()",
        "layers.LeakyReLU()", "layers.Rescaling(1.0 / 255)", "layers.Masking()", "layers.Softmax()",
        "layers.GaussianNoise(0.1)", "layers.Reshape(({u}, -1))", "layers.Identity()", "layers.UnitNormalization()",
    ),
    1: (
        "layers.Conv1D({u}, {k}, padding={p})", "layers.Conv1D({u}, {k}, {s}, dilation_rate=1)",
        "layers.Conv1D({u}, {k}, padding='causal')", "layers.Conv1D({u}, {k}, dilation_rate=2, padding={p})",
        "layers.MaxPooling1D({k}, padding={p})", "layers.AveragePooling1D()", "layers.GlobalAveragePooling1D()",
        "layers.GlobalMaxPooling1D(keepdims=True)", "layers.ZeroPadding1D({s})", "layers.ZeroPadding1D((1, 2))",
        "layers.Cropping1D({s})", "layers.UpSampling1D({s})", "layers.Conv1DTranspose({u}, {k}, {s}, padding={p})",
        "layers.SeparableConv1D({u}, {k})", "layers.DepthwiseConv1D({k})", "layers.Permute((2, 1))",
        "layers.LSTM({u})", "layers.LSTM({u}, return_sequences=True)", "layers.GRU({u}, return_state=True)",
        "layers.LSTM({u}, return_state=True, return_sequences=True)", "layers.Bidirectional(layers.LSTM({u}))",
        "layers.Bidirectional(layers.GRU({u}, return_sequences=True), merge_mode='sum')",
        "layers.Bidirectional(layers.LSTM({u}, return_state=True))", "layers.TimeDistributed(layers.Dense({u}))",
        *(f"layers.RNN({cell}, return_sequences={{b}})" for cell in CELLS),
        "layers.RNN(layers.LSTMCell({u}), return_state=True)", "layers.SpatialDropout1D(0.2)",
    ),
    2: (
        "layers.Conv2D({u}, {k}, padding={p})", "layers.Conv2D({u}, ({k}, 1), strides=({s}, {s}))",
        "layers.Conv2D({u}, {k}, strides={s}, padding={p}, activation='relu')",
        "layers.Conv2D({u}, {k}, dilation_rate=2, padding={p})", "layers.MaxPooling2D()", "layers.MaxPool2D({k}, {s})",
        "layers.MaxPooling2D(({k}, 1), padding={p})", "layers.AveragePooling2D({k}, strides={s}, padding={p})",
        "layers.GlobalAveragePooling2D()", "layers.GlobalMaxPooling2D(keepdims=True)", "layers.ZeroPadding2D()",
        "layers.ZeroPadding2D((1, {s}))", "layers.ZeroPadding2D(((1, 2), (0, {s})))", "layers.Cropping2D({s})",
        "layers.Cropping2D(((1, 0), (0, {s})))", "layers.UpSampling2D()", "layers.UpSampling2D(({s}, 1))",
        "layers.UpSampling2D(size={s}, interpolation='bilinear')",
        "layers.Conv2DTranspose({u}, {k}, strides={s}, padding={p})", "layers.Conv2DTranspose({u}, ({k}, {k}))",
        "layers.SeparableConv2D({u}, {k}, padding={p})", "layers.DepthwiseConv2D({k}, strides={s}, padding={p})",
        "layers.DepthwiseConv2D({k}, depth_multiplier=2)", "layers.Permute((3, 1, 2))", "layers.Resizing({u}, 8)",
        "layers.CenterCrop(4, 4)", "layers.RandomFlip()", "layers.RandomRotation(0.2)", "layers.GroupNormalization(1)",
        "layers.SpatialDropout2D(0.2)", "layers.TimeDistributed(layers.Conv1D({u}, {k}))",
        "layers.TimeDistributed(layers.Flatten())", "layers.BatchNormalization(axis=-1)", "layers.PReLU()",
    ),
    3: (
        "layers.Conv3D({u}, {k}, padding={p})", "layers.MaxPooling3D({s})", "layers.GlobalAveragePooling3D()",
        "layers.ZeroPadding3D(1)", "layers.Cropping3D(1)", "layers.UpSampling3D(2)",
        "layers.Conv3DTranspose({u}, {k}, {s}, padding={p})", "layers.TimeDistributed(layers.MaxPooling2D())",
    ),
}  # fmt: skip
"""Layers by how many axes there are between the rows and the channels; those of none take any."""
SEVERAL = (
    "layers.Add()([{x}, {x}])", "layers.Multiply()([{x}, {x}])", "layers.Average()([{x}, {x}])",
    "layers.Concatenate()([{x}, {x}])", "layers.Concatenate(axis=1)([{x}, {x}])", "layers.Maximum()([{x}, {x}])",
    "layers.Subtract()([{x}, {x}])", "{x} + {x}", "2.0 * {x}", "{x}[:, 0]", "{x}[..., 0]", "keras.ops.mean({x}, 1)",
    "keras.ops.relu({x})", "keras.Model({x}, layers.Dense(3)({x}))(layers.ReLU()({x}))",
    "keras.Sequential([layers.Dense({u}), layers.ReLU()])({x})",
)  # fmt: skip
OF_SEQUENCES = (
    "layers.MultiHeadAttention(2, {u})({x}, {x})", "layers.Attention()([{x}, {x}])",
    "layers.MultiHeadAttention(num_heads=2, key_dim=3)({x}, {x}, return_attention_scores=True)",
    "layers.AdditiveAttention()([{x}, {x}])", "layers.Attention()([{x}, layers.Dense({u})({x}), {x}])",
)  # fmt: skip


EVERY = (
    *((axes, written) for axes, several in EXPRESSIONS.items() for written in several),
    *((0, written) for written in SEVERAL),
    *((1, written) for written in OF_SEQUENCES),
)
"""Every expression, with the axes that it wants."""


def program(seed: int, count: int) -> list[tuple[str, str]]:
    """So many pairs of lines, of which the first makes a placeholder and the second gives it to a layer."""
    draw = random.Random(seed)
    return [_pair(draw, at, *EVERY[at % len(EVERY)]) for at in range(count)]


def _pair(draw: random.Random, at: int, wanted: int, written: str) -> tuple[str, str]:
    axes = wanted or draw.choice((0, 1, 2, 2, 3))
    sizes = [draw.choice((9, 8, 12, None) if axes < 3 else (8, 9)) for _ in range(axes)]
    rows = draw.choice(("", "", ", batch_size=5"))
    placeholder = f"x{at} = keras.Input({(*sizes, draw.choice((3, 4)))}{rows})"
    call = written if "{x}" in written else f"{written}({{x}})"
    choices = {"u": (2, 6, 16), "k": (1, 2, 3), "s": (1, 2), "p": ("'same'", "'valid'"), "b": (True, False)}
    return placeholder, f"y{at} = " + call.format(x=f"x{at}", **{name: draw.choice(of) for name, of in choices.items()})


def inferred(lines: list[tuple[str, str]], folder: Path) -> dict[str, Value]:
    """What the analysis says of each name, by file for file of twenty."""
    found: dict[str, Value] = {}
    for start in range(0, len(lines), 20):
        project = Project(folder, Settings())
        key = str(folder / f"layers{start}.py")
        project.set_text(key, IMPORTS + "".join(f"{a}\n{b}\n" for a, b in lines[start : start + 20]))
        for stretch in project.trace(key).stretches:
            for node, value in stretch.values.items():
                if isinstance(node, gast.Name) and node.id.startswith("y"):
                    found[node.id] = value
    return found


def given(lines: list[tuple[str, str]]) -> Iterator[tuple[str, str, Any]]:
    """What Keras gives for each name that it can make."""
    import keras

    scope: dict[str, Any] = {"keras": keras, "layers": keras.layers}
    for placeholder, call in lines:
        name = call.partition(" ")[0]
        try:
            exec(f"{placeholder}\n{call}", scope)
        except Exception:
            continue
        yield name, f"{placeholder}; {call}", scope[name]


def specs(result: Any) -> list[tuple[str, tuple[int | None, ...]]]:
    """The placeholders that came out."""
    several = result if isinstance(result, (list, tuple)) else [result]
    return [(each.dtype, tuple(each.shape)) for each in several]


def told(value: Value) -> list[KerasTensor] | None:
    """The same of what is inferred, or None where it isn't known how many."""
    parts = value.items if isinstance(value, Tuple) else (value,)
    known = [part for part in parts if isinstance(part, KerasTensor)]
    return known if len(known) == len(parts) else None
