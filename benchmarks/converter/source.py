"""What the conversion of source alone costs in CPU time, for functions of 20 to 400 lines; TensorFlow isn't imported.

The goal is 50 ms for 200 lines, because an editor shows the result while somebody points at a function.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time

import gast
from graphwright.pipeline import FunctionSource, Generated, generate

STAGE = """
    # stage {n}: what is too large is cut, the rest is summed
    scale{n} = tf.reduce_max(tf.abs(xs)) * {n}.0
    if scale{n} > limit and not training:
        xs = xs / scale{n}
        count += 1
    elif training:
        xs = tf.nn.dropout(xs, rate)
    kept{n} = []
    for x in xs:
        if x < 0:
            continue
        while x > limit:
            x = x / 2.0
            total += x if x > 1.0 else 1.0
            if total > {n}000.0:
                break
        kept{n}.append(clipped(x, limit))
    self.seen = self.seen + len(kept{n})
    print("stage", {n}, total)
    best = total if best is None or total > best else best
"""
HEAD = "def search(self, xs, limit, rate, training=False):\n    total, count, best = 0.0, 0, None"
TAIL = "    return total, count, best\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few repetitions")
    parser.add_argument("--json", action="store_true", help="print the measurements as JSON instead of a table")
    options = parser.parse_args()
    results = [measure(function_of(stages), 5 if options.quick else 21) for stages in (1, 5, 10, 20)]
    assert "tensorflow" not in sys.modules
    if options.json:
        print(json.dumps(results, indent=2))
        return
    print(f"{'lines':>6} {'generated':>10} {'gast.parse':>11} {'first':>9} {'median':>9} {'a line':>9}")
    for result in results:
        print(
            f"{result['lines']:6.0f} {result['generated']:10.0f} {ms(result['parse']):>11} {ms(result['first']):>9}"
            f" {ms(result['median']):>9} {result['median'] / result['lines'] * 1e6:6.0f} us"
        )


def function_of(stages: int) -> str:
    return HEAD + "".join(STAGE.format(n=n) for n in range(1, stages + 1)) + TAIL


def measure(text: str, repetitions: int) -> dict[str, float]:
    times: list[float] = []
    parses: list[float] = []
    lines = 0
    for _ in range(repetitions):
        start = time.process_time()
        tree = gast.parse(text)
        parses.append(time.process_time() - start)
        generated: Generated = generate(FunctionSource(text, tree.body[0], 1, "benchmark.py"))
        times.append(time.process_time() - start)
        lines = generated.text.count("\n")
    return {
        "lines": text.count("\n"),
        "generated": lines,
        "parse": statistics.median(parses),
        "first": times[0],
        "median": statistics.median(times),
    }


def ms(value: float) -> str:
    return f"{value * 1000:.1f}ms"


if __name__ == "__main__":
    main()
