"""What ordinary Python costs while a graph is traced, in AutoGraph and in Graphwright, as multiples of plain Python.

No tensor decides anything in these programs: whatever they cost more than plain Python is overhead of the conversion.
Times are the shortest of several traces of each, and of the calls alone.
"""

from __future__ import annotations

import argparse
import statistics
import time
import warnings
from collections.abc import Callable
from typing import Any

import graphwright as gw
import tensorflow as tf


def branches() -> int:
    total = 0
    for i in range(3000):
        if i % 3 == 0:
            total += i
        else:
            total -= 1
    return total


def while_loop() -> int:
    left, count = 2000, 0
    while left > 0:
        left -= 1
        if left % 7 == 0:
            continue
        count += 1
    return count


def fibonacci(n: int = 13) -> int:
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def scaled(value: int, by: int = 2) -> int:
    return value * by


def calls() -> int:
    return sum([scaled(i, by=3) for i in range(1500)])


def words() -> str:
    kept: list[str] = []
    for word in ("abc def ghi " * 200).split():
        if word.startswith("a"):
            kept.append(word.upper())
        elif "h" in word:
            kept.append(word[::-1])
    return ",".join(kept)


def counts() -> dict[int, int]:
    found: dict[int, int] = {}
    for i in range(1500):
        key = i % 17
        if key in found:
            found[key] += 1
        else:
            found[key] = 1
    return found


def errors() -> int:
    count = 0
    for i in range(800):
        try:
            if i % 5 == 0:
                raise ValueError(i)
            count += 1
        except ValueError:
            count -= 1
    return count


class Account:
    """Has what classes have: attributes, methods, a property, special methods."""

    def __init__(self) -> None:
        self.items: list[int] = []

    def add(self, value: int) -> None:
        if value > 0:
            self.items.append(value)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, place: int) -> int:
        return self.items[place]

    @property
    def last(self) -> int:
        return self.items[-1]


def objects() -> int:
    account, total = Account(), 0
    for i in range(800):
        account.add(i + 1)
        total += account[i // 2] + account.last + len(account)
    return total


PROGRAMS: tuple[Callable[[], Any], ...] = (branches, while_loop, fibonacci, calls, words, counts, errors, objects)


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    warnings.simplefilter("ignore")
    print(f"{'times plain Python':20} {'plain':>10} {'AutoGraph':>10} {'Graphwright':>12}")
    means: dict[str, list[float]] = {"AutoGraph": [], "Graphwright": []}
    for program in PROGRAMS:
        plain = min(_seconds(program) for _ in range(20))
        times = {"AutoGraph": _traced(tf.function, program, 5), "Graphwright": _traced(gw.function, program, 20)}
        for name, seconds in times.items():
            means[name].append(seconds / plain)
        cells = f"{times['AutoGraph'] / plain:10.0f} {times['Graphwright'] / plain:12.1f}"
        print(f"{program.__name__:20} {plain * 1000:7.2f} ms {cells}")
    autograph, graphwright = map(statistics.geometric_mean, means.values())
    print(f"{'geometric mean':20} {'':10} {autograph:10.0f} {graphwright:12.1f}")


def _seconds(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _traced(make: Callable[..., Any], program: Callable[[], Any], repetitions: int) -> float:
    """The shortest time that the program takes in a trace; what is converted is converted before."""
    seconds: list[float] = []

    def traced(x: Any) -> Any:
        start = time.perf_counter()
        program()
        seconds.append(time.perf_counter() - start)
        return x

    function = make(traced)
    for size in range(1, repetitions + 2):
        function.get_concrete_function(tf.TensorSpec([size], tf.float32))
    return min(seconds)


if __name__ == "__main__":
    main()
