"""Programs that grow in one direction each: the CPU and peak memory of `graphwright check` for a size and its double.

The exponent says how the CPU grows with the size: 1 where it is linear, 2 where it is quadratic. The time that an
empty file takes is taken off first.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

Files = dict[str, str]

HEAD = "import tensorflow as tf\n\n"
TRACED = "\n\n@tf.function\ndef step{n}(x):\n    return tf.reduce_sum(x) + {n}\n"


def star_package(size: int) -> Files:
    """A package that has everything from each of its modules, which all have everything from a common one."""
    modules = {
        f"package/m{n}.py": f"{HEAD}from .base import *\n{TRACED.format(n=n)}\n"
        f"\ndef use{n}(x):\n    return step{n}(scale(x))\n"
        for n in range(size)
    }
    init = "".join(f"from .m{n} import *\n" for n in range(size))
    base = f"{HEAD}\ndef scale(x):\n    return 2.0 * x\n"
    main = f"{HEAD}from package import *\n\nprint(use0(tf.ones([3])), use{size - 1}(tf.ones([3])))\n"
    return {**modules, "package/__init__.py": init, "package/base.py": base, "main.py": main}


def star_users(size: int) -> Files:
    """Modules that have everything from their package, which has everything from a few."""
    modules = {
        f"package/u{n}.py": f"{HEAD}from package import *\n{TRACED.format(n=n)}\n"
        f"\nprint(step{n}(scale{n % 10}(tf.ones([3]))))\n"
        for n in range(size)
    }
    parts = {f"package/p{n}.py": f"{HEAD}\ndef scale{n}(x):\n    return {n} * x\n" for n in range(10)}
    init = "".join(f"from .p{n} import *\n" for n in range(10))
    return {**modules, **parts, "package/__init__.py": init}


def star_chain(size: int) -> Files:
    """Modules that have everything from the next one."""
    return {
        f"package/m{n}.py": f"{HEAD}from .m{n + 1} import *\n{TRACED.format(n=n)}\n\nprint(step{n + 1}(tf.ones([3])))\n"
        for n in range(size)
    } | {f"package/m{size}.py": HEAD + TRACED.format(n=size), "package/__init__.py": ""}


def star_circle(size: int) -> Files:
    """The same where the last one has everything from the first."""
    return star_chain(size) | {f"package/m{size}.py": f"{HEAD}from .m0 import *\n{TRACED.format(n=size)}"}


def attributes_of_self(size: int) -> Files:
    """Sums over the attributes of an instance: some in one expression, and all in one function."""
    made = "".join(f"        self.a{n} = tf.constant({n}.0)\n" for n in range(size))
    sums = (" + ".join(f"self.a{n + i}" for i in range(min(50, size - n))) for n in range(0, size, 50))
    total = "".join(f"        x = x + {each}\n" for each in sums)
    start = f"    def __init__(self):\n{made}\n    @tf.function\n    def total(self, x):\n{total}        return x\n"
    return {"main.py": f"{HEAD}\nclass Model(tf.Module):\n{start}\n\nprint(Model().total(tf.ones([])))\n"}


def functions_calling_three(size: int) -> Files:
    """Traced functions that call three of those after them."""
    draw = random.Random(1)
    functions = list[str]()
    for n in range(size):
        called = draw.sample(range(n + 1, size), min(3, size - n - 1))
        calls = "".join(f"    x = f{other}(x)\n" for other in called)
        functions.append(f"@tf.function\ndef f{n}(x):\n{calls}    return x + {n}.0\n")
    return {"main.py": HEAD + "\n\n".join(functions) + "\n\nprint(f0(tf.ones([3])))\n"}


def methods_calling_each_other(size: int) -> Files:
    """Methods of one class that each call two others."""
    draw = random.Random(2)
    methods = list[str]()
    for n in range(size):
        first, second = draw.randrange(size), draw.randrange(size)
        methods.append(
            f"    def m{n}(self, x):\n        y = self.m{first}(x) + {n}\n        return self.m{second}(y)\n"
        )
    return {"main.py": f"{HEAD}\nclass Model(tf.Module):\n" + "\n".join(methods)}


def calls_of_one_function(size: int) -> Files:
    """Calls of one traced function with ever other numbers."""
    calls = "".join(f"step0(tf.ones([3]) * {n})\n" for n in range(size))
    return {"main.py": HEAD + TRACED.format(n=0) + "\n\n" + calls}


def layers_in_a_row(size: int) -> Files:
    """A constructor that makes layers, one after the other."""
    made = "".join(f"        self.d{n} = tf.keras.layers.Dense({n + 1})\n" for n in range(size))
    used = "".join(f"        x = self.d{n}(x)\n" for n in range(size))
    text = (
        f"class Net(tf.keras.Model):\n    def __init__(self):\n        super().__init__()\n{made}\n"
        f"    def call(self, x):\n{used}        return x\n"
    )
    return {"main.py": f"{HEAD}\n{text}\n\nnet = Net()\nprint(net(tf.ones([2, 3])))\n"}


PROGRAMS: Mapping[Callable[[int], Files], int] = {
    star_package: 500,
    star_users: 500,
    star_chain: 200,
    star_circle: 200,
    attributes_of_self: 500,
    functions_calling_three: 250,
    methods_calling_each_other: 1000,
    calls_of_one_function: 5000,
    layers_in_a_row: 300,
}
"""The programs, each with the size that is measured; its double is, too."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(make.__name__ for make in PROGRAMS))
    parser.add_argument("--size", type=int, help="the smaller size instead of each program's own")
    options = parser.parse_args()
    nothing, _ = measured({"main.py": HEAD})
    for make, own in PROGRAMS.items():
        if options.names and make.__name__ not in options.names:
            continue
        size = options.size or own
        (once, _), (twice, memory) = (measured(make(each)) for each in (size, 2 * size))
        exponent = math.log2(max(twice - nothing, 0.01) / max(once - nothing, 0.01))
        sizes = f"{size:6,} {once:6.1f} s CPU   {2 * size:6,} {twice:6.1f} s CPU {memory:6,.0f} MB"
        print(f"{make.__name__:28} {sizes}   exponent {exponent:4.1f}", flush=True)
    return 0


def measured(files: Files) -> tuple[float, float]:
    """The CPU seconds and the megabytes that a check of these files takes, in one process."""
    with tempfile.TemporaryDirectory() as place:
        for name, text in files.items():
            path = Path(place, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        command = [
            sys.executable,
            "-m",
            "graphwright_server",
            "check",
            "--no-cache",
            "--exit-zero",
            "--jobs",
            "1",
            place,
        ]
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            raise SystemExit(f"{' '.join(command)} ended with {child.returncode}")
        return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


if __name__ == "__main__":
    sys.exit(main())
