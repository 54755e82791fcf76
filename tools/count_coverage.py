"""Counts which of TensorFlow's most called functions and of its classes' methods the analysis knows.

One list beside it says how often public TensorFlow code calls what inside traced functions. A call is covered where
the table gives its dtype, where the tracer handles it by name, or where it is opaque for a reason given here.
Another list can be named on the command line: lines of a count and a name.
The other lists have the public methods and attributes of the classes whose values the tracer follows, and the public
functions of TensorFlow's modules, each counted once; `--list` asks TensorFlow for them and writes them again.
"""

from __future__ import annotations

import argparse
import functools
import inspect
import os
from collections import Counter
from pathlib import Path
from typing import Any

from graphwright_analysis.tracing.library import (
    dataset_sources,
    datasets,
    library_calls,
    ragged_and_sparse,
    tensor_arrays,
    tensor_attributes,
    tensor_methods,
)
from graphwright_analysis.values.tensorflow import special_functions, tables

CALLS = Path(__file__).with_name("tensorflow_calls.txt")
METHODS = Path(__file__).with_name("tensorflow_methods.txt")
FUNCTIONS = Path(__file__).with_name("tensorflow_functions.txt")
MODULES = """math nn image linalg signal sparse strings random io audio bitwise ragged sets quantization
    keras.activations keras.losses keras.metrics keras.ops""".split()  # noqa: SIM905
"""The modules whose functions are about tensors."""
HANDLED = {
    "Tensor": tensor_methods.handled("Tensor") | tensor_attributes.ATTRIBUTES,
    "Variable": tensor_methods.handled("Variable") | tensor_attributes.ATTRIBUTES,
    "RaggedTensor": ragged_and_sparse.handled("RaggedTensor"),
    "SparseTensor": ragged_and_sparse.handled("SparseTensor"),
    "TensorArray": tensor_arrays.handled() | tensor_attributes.OF_ARRAYS,
    "Dataset": datasets.handled() | dataset_sources.MAKERS,
}

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
    "gives a Python value": """keras.backend.ndim keras.backend.is_sparse keras.ops.dtype keras.ops.is_tensor
        keras.ops.ndim keras.ops.convert_to_numpy random.get_global_generator io.write_graph
        keras.activations.deserialize keras.activations.get keras.activations.serialize keras.losses.deserialize
        keras.losses.get keras.losses.serialize keras.metrics.deserialize keras.metrics.get keras.metrics.serialize""",
    "changes the process": "random.set_global_generator random.set_seed io.write_file",
    "makes another function": "keras.ops.custom_gradient keras.ops.vectorize signal.inverse_stft_window_fn",
    "calls a function with tensors, whose result may be anything": """sparse.map_values keras.ops.associative_scan
        keras.ops.cond keras.ops.fori_loop keras.ops.map keras.ops.scan keras.ops.switch keras.ops.vectorized_map
        keras.ops.while_loop nn.with_space_to_batch keras.ops.jvp""",
    "a tuple that is used as it is": "image.sample_distorted_bounding_box",
}


OPAQUE_METHODS = {
    "tells of the graph or the device, which nobody computes with": """Tensor.device Tensor.graph Tensor.name Tensor.op
        Tensor.value_index Variable.device Variable.graph Variable.name Variable.op Variable.handle Variable.create
        SparseTensor.graph SparseTensor.op TensorArray.flow TensorArray.handle""",
    "is of TensorFlow 1, and does nothing or raises in a traced function": """Tensor.eval Tensor.consumers
        Variable.count_up_to Variable.eval Variable.initial_value Variable.initialized_value Variable.initializer
        Variable.load SparseTensor.consumers SparseTensor.eval SparseTensor.from_value RaggedTensor.consumers
        TensorArray.close TensorArray.grad""",
    "is for saving and wrapping": """Variable.from_proto Variable.to_proto Variable.SaveSliceInfo Tensor.ref
        Tensor.experimental_ref Variable.ref Variable.experimental_ref Dataset.options""",
    "is how the variable was made": """Variable.aggregation Variable.constraint Variable.synchronization
        Variable.trainable TensorArray.dynamic_size""",
    "is there for operators, which are followed as such": "Tensor.OVERLOADABLE_OPERATORS",
    "depends on the ragged rank, which isn't followed": """RaggedTensor.values RaggedTensor.merge_dims
        RaggedTensor.nested_row_lengths RaggedTensor.nested_row_splits RaggedTensor.nested_value_rowids
        RaggedTensor.uniform_row_length""",
    "isn't there in a graph": "RaggedTensor.numpy RaggedTensor.to_list",
    "changes nothing that is followed": "SparseTensor.set_shape",
}


def reason(name: str) -> str | None:
    """How the analysis covers `tf.<name>`, or None."""
    if f"tf.{name}" in library_calls.handled():
        return "by name"
    if tables.canonical(name) in special_functions.FUNCTIONS:
        return "exactly"
    found = tables.entry(name)
    if found is not None:
        return "by family" if found.shape is not None else "dtype alone"
    return "opaque" if any(name in names.split() for names in OPAQUE.values()) else None


def reason_of_method(name: str) -> str | None:
    """How the analysis covers `Variable.assign` and the like, or None."""
    owner, _, attribute = name.partition(".")
    if attribute in HANDLED[owner]:
        return "handled"
    return "opaque" if any(name in names.split() for names in OPAQUE_METHODS.values()) else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("calls", nargs="?", type=Path, default=CALLS, help="lines of a count and a name")
    parser.add_argument("--list", action="store_true", help="ask TensorFlow for the methods and write their list")
    options = parser.parse_args()
    if options.list:
        METHODS.write_text("\n".join(["# What TensorFlow's classes have.", *listed()]) + "\n", "utf-8")
        functions = ["# The public functions of TensorFlow's modules.", *listed_functions()]
        FUNCTIONS.write_text("\n".join(functions) + "\n", "utf-8")
    total, missing = counted_methods()
    print(*missing, f"methods covered: {100 * (total - len(missing)) / total:.1f}% of {total}", sep="\n")
    for module, total, missing in counted_functions():
        print(f"tf.{module}: {total - len(missing)} of {total} functions;", *missing)
    total, missing = counted_calls(options.calls)
    uncovered = sum(int(line.split()[0]) for line in missing)
    print(*missing, f"covered: {100 * (total - uncovered) / total:.1f}% of {total} calls", sep="\n")
    return 0


def counted_methods() -> tuple[int, list[str]]:
    """How many methods and attributes there are, and those that aren't covered."""
    names = [line for line in METHODS.read_text("utf-8").splitlines() if not line.startswith("#")]
    counts = Counter((name.partition(".")[0], reason_of_method(name) or "missing") for name in names)
    for owner in HANDLED:
        print(f"{owner}:", ", ".join(f"{counts[owner, how]} {how}" for how in ("handled", "opaque", "missing")))
    return len(names), [name for name in names if reason_of_method(name) is None]


def counted_functions() -> list[tuple[str, int, list[str]]]:
    """How many functions each module has, and those of which nothing is known."""
    names = [line for line in FUNCTIONS.read_text("utf-8").splitlines() if not line.startswith("#")]
    by_module = {module: [name for name in names if name.rpartition(".")[0] == module] for module in MODULES}
    return [
        (module, len(own), [name.rpartition(".")[2] for name in own if reason(name) is None])
        for module, own in by_module.items()
    ]


def listed_functions() -> list[str]:
    """The public functions of the modules, asked of TensorFlow."""
    import tensorflow as tf

    owners = {module: functools.reduce(getattr, module.split("."), tf) for module in MODULES}
    return [
        f"{module}.{name}"
        for module, owner in owners.items()
        for name in dir(owner)
        if not name.startswith("_") and callable(getattr(owner, name)) and not inspect.isclass(getattr(owner, name))
    ]


def listed() -> list[str]:
    """The public methods and attributes of the classes, asked of TensorFlow."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf

    # What a variable is in practice has more than its public base.
    variable = tf.Variable([1.0])
    owners: dict[str, Any] = {
        "Tensor": tf.Tensor,
        "Variable": variable,
        "RaggedTensor": tf.RaggedTensor,
        "SparseTensor": tf.SparseTensor,
        "TensorArray": tf.TensorArray,
        "Dataset": tf.data.Dataset,
    }
    return [f"{owner}.{name}" for owner, value in owners.items() for name in dir(value) if not name.startswith("_")]


def counted_calls(path: Path) -> tuple[int, list[str]]:
    """How often functions are called, and those that aren't covered."""
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
    return total, missing


if __name__ == "__main__":
    raise SystemExit(main())
