"""Words that tell Python's side effects from what a graph may do, by the names that the trace gives to what is called.

TensorFlow's own operations aren't listed: the analysis judges them.
"""

from __future__ import annotations

_FROZEN_RANDOM = "draws a number only during tracing"
_FROZEN_TIME = "returns the time of tracing"
_FILES = "reads or writes a file only during tracing"
_ENVIRONMENT = "inspects the machine only during tracing"

EFFECTS = {
    "print": "prints only during tracing",
    "input": "reads input only during tracing",
    "open": _FILES,
    "exec": "runs only during tracing",
    "eval": "runs only during tracing",
    "breakpoint": "stops only during tracing",
    "next": "takes one element, during tracing",
    "setattr": "changes an object only while it is traced",
    "delattr": "changes an object only while it is traced",
    **dict.fromkeys(("time.time", "time.perf_counter", "time.monotonic", "datetime.datetime.now"), _FROZEN_TIME),
    **dict.fromkeys(("time.sleep",), "waits only during tracing"),
    **dict.fromkeys(("os.getenv", "os.environ.get", "os.listdir"), _ENVIRONMENT),
    **{
        f"random.{name}": _FROZEN_RANDOM
        for name in ("random", "randint", "randrange", "choice", "choices", "sample", "shuffle", "uniform", "gauss")
    },
}
"""What calling does, in words."""

CONVERSIONS = frozenset({"float", "int", "bool", "complex", "str", "repr"})

BUILTINS = frozenset(
    {
        *CONVERSIONS,
        *("abs", "all", "any", "callable", "dict", "divmod", "enumerate", "filter", "frozenset", "getattr", "hasattr"),
        *("id", "isinstance", "issubclass", "iter", "len", "list", "map", "max", "min", "object", "pow", "range"),
        *("reversed", "round", "set", "slice", "sorted", "sum", "super", "tuple", "type", "zip", "Exception"),
        *("ValueError", "TypeError", "RuntimeError", "KeyError", "IndexError", "NotImplementedError"),
        *("AssertionError", "AttributeError", "StopIteration", "ArithmeticError", "ZeroDivisionError"),
    }
)
"""Builtins without an effect."""

PURE_MODULES = frozenset(
    {
        "tf",
        "math",
        "cmath",
        "functools",
        "itertools",
        "operator",
        "collections",
        "typing",
        "dataclasses",
        "copy",
        "enum",
    }
)

EAGER_TENSORFLOW = ("tf.config.", "tf.saved_model.", "tf.io.gfile.", "tf.compat.v1.", "tf.profiler.", "tf.test.")

EAGER_METHODS = frozenset({"numpy", "item", "tolist", "as_numpy_iterator"})

MUTATORS = frozenset(
    {
        *("append", "extend", "insert", "remove", "pop", "popitem", "clear", "add", "discard", "update", "setdefault"),
        *("sort", "reverse", "appendleft", "popleft", "extendleft", "write", "writelines"),
    }
)

TRAINING = frozenset(
    {
        *("fit", "predict", "evaluate", "compile", "summary", "save", "save_weights", "load_weights", "restore"),
        *("train_on_batch", "test_on_batch", "predict_on_batch"),
    }
)
"""Methods of models and checkpoints that work in Python."""

OF_TENSORS = frozenset({"assign", "assign_add", "assign_sub", "get_shape", "set_shape", "apply_gradients", "gradient"})
"""Methods that only objects of TensorFlow have."""

SPECIAL_OF_KERAS = frozenset({"call", "build", "train_step", "test_step", "predict_step", "get_config", "compute_loss"})
"""Methods that Keras calls by itself, in graphs of its own."""
