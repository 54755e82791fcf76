"""Counts which of the most called TensorFlow functions the analysis knows, by how often they are called.

The list beside it says how often public TensorFlow code calls what inside traced functions. A call is covered where
the table gives its dtype, where the tracer handles it by name, or where it is opaque for a reason given here.
Another list can be named on the command line: lines of a count and a name.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from graphwright_analysis.tracing import library_calls
from graphwright_analysis.values.tensorflow import exact, tables

CALLS = Path(__file__).with_name("tensorflow_calls.txt")

OPAQUE = {
    "gives an operation or nothing, which nobody computes with": """debugging.assert_equal debugging.assert_shapes
        debugging.assert_greater debugging.assert_greater_equal debugging.assert_less debugging.assert_less_equal
        debugging.assert_type debugging.assert_rank debugging.assert_none_equal assert_equal Assert
        summary.scalar nest.assert_same_structure""",
    "a context that changes no value": """GradientTape name_scope device control_dependencies
        distribute.get_strategy distribute.get_replica_context""",
    "runs Python code that isn't traced; its result has the dtype that is asked for and no shape": """numpy_function
        py_function""",
    "describes features; what parsing gives is a dict made of it at run time": """io.FixedLenFeature io.VarLenFeature
        io.parse_single_example io.parse_example""",
    "follows structures that are only known while tracing": """nest.map_structure nest.flatten nest.pack_sequence_as
        nest.is_nested ragged.map_flat_values sparse.map_values sparse.add IndexedSlices RaggedTensorSpec""",
    "an object or layer, followed by the instance that it makes": """keras.losses.MeanSquaredError
        keras.losses.SparseCategoricalCrossentropy keras.layers.Dense keras.layers.Dropout keras.layers.Concatenate
        keras.layers.Add keras.layers.Flatten keras.layers.add data.Dataset.from_tensor_slices data.TextLineDataset
        data.TFRecordDataset""",
    "depends on the process or on what a graph holds": """keras.backend.floatx
        get_static_value compat.dimension_value as_dtype""",
    "isn't in TensorFlow any more": "keras.backend.learning_phase",
    "gives a Python value": "keras.backend.ndim keras.backend.is_sparse",
    "a tuple that is used as it is": "image.sample_distorted_bounding_box",
}


def reason(name: str) -> str | None:
    """How the analysis covers `tf.<name>`, or None."""
    if f"tf.{name}" in library_calls.handled():
        return "by name"
    if tables.canonical(name) in exact.FUNCTIONS:
        return "exactly"
    found = tables.entry(name)
    if found is not None:
        return "by family" if found.shape is not None else "dtype alone"
    return "opaque" if any(name in names.split() for names in OPAQUE.values()) else None


def main() -> int:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else CALLS
    counts: Counter[str] = Counter()
    missing: list[str] = []
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        count, name = line.split()
        how = reason(name.removeprefix("tf."))
        counts[how or "missing"] += int(count)
        if how is None:
            missing.append(f"{count} {name}")
    total = sum(counts.values())
    print(*(f"{how}: {100 * count / total:.1f}%" for how, count in counts.most_common()), sep="\n")
    print(*missing, sep="\n")
    print(f"covered: {100 * (total - counts['missing']) / total:.1f}% of {total} calls")
    return 0


if __name__ == "__main__":
    sys.exit(main())
