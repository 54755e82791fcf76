"""Text made from tensors: a graph writes, letter for letter, what plain Python writes eagerly."""

from __future__ import annotations

import sys

import pytest

tf = pytest.importorskip("tensorflow")

import graphwright  # noqa: E402
import graphwright.runtime as gw  # noqa: E402

INF = float("inf")
FLOATS = [3.0, 0.1, 1e6, 123456789.0, 1e20, 1e16, 1e-5, float("nan"), INF, -2.5, 1 / 3]
NUMBERS = [*map(tf.constant, FLOATS), tf.constant(1 / 3, tf.float64), tf.constant(3), tf.constant(-1234567)]
STRINGS = [tf.constant(text) for text in ("a", "it's", 'q"x', "q\"'\\\n\té")]
ARRAYS = [
    tf.constant(value)
    for value in (
        [1, 20, 300],
        [[1, 2], [3, -4]],
        [1.0, 2.5],
        [0.1, 100.25],
        [1e-5, 1.0],
        [0.001, 5.0],
        [1 / 3, 2 / 3],
        [1.5, INF],
        ["a", "bc"],
        [True, False],
        [[[1, 2], [3, 4]], [[5, 6], [7, 8]]],
    )
]
SPECIFICATIONS = [
    *("{:.3f}", "{:>8}", "{:08.2f}", "{:+.1e}", "{:,}", "{:,.2f}", "{:g}", "{:.0%}", "{:<6}|", "{:*^9}|"),
    *("{: }", "{:10.4g}", "{:.2E}", "{:_}", "{:.3e}", "{!r:>40}", "{:=+9}"),
]


def in_graph(write, *args):
    result = tf.function(write, autograph=False)(*args)
    return result.numpy().decode() if tf.is_tensor(result) else result


@pytest.mark.parametrize("template", ["{}", "{!r}", "{!s}"])
@pytest.mark.parametrize("value", [*NUMBERS, *STRINGS, *ARRAYS, tf.constant(True)])
def test_whole_values(template, value):
    assert gw.format(template, value) == template.format(value)
    assert in_graph(lambda x: gw.format(template, x), value) == template.format(value)


@pytest.mark.parametrize("template", SPECIFICATIONS)
@pytest.mark.parametrize("value", NUMBERS)
def test_specifications(template, value):
    assert in_graph(lambda x: gw.format(template, x), value) == template.format(value)


@pytest.mark.parametrize("template", ["%d", "%5d|", "%-5d|", "%05d", "%+d", "%.2f", "%8.3f", "%s", "%r", "%e", "%g%%"])
@pytest.mark.parametrize("value", [tf.constant(3.7), tf.constant(-2), tf.constant(-0.4), tf.constant(1e12)])
def test_percent(template, value):
    assert in_graph(lambda x: gw.percent(template, x), value) == template % value


@pytest.mark.parametrize("number", [3.0, 0.1, 1e6, 123.0, 1234.5, 12.5, 120.0])
def test_precision_without_a_kind(number):
    value = tf.constant(number)
    for template in ("{:.3}", "{:8.2}"):
        assert in_graph(lambda x, template=template: gw.format(template, x), value) == template.format(value)


def test_templates():
    x = tf.constant(3.5)
    for write in (
        lambda f, p, x: f("a {} b {:.1f} {n}", x, 2.25, n=x),
        lambda f, p, x: f("{0} {1} {0}", x, "k"),
        lambda f, p, x: f("{:{}}|{}", x, 10, 4),
        lambda f, p, x: f("{:{w}.{p}f}|", x, w=10, p=2),
        lambda f, p, x: f("{{}} {[0]}", [x, 2]),
        lambda f, p, x: f("{}", {"k": [x, "a"], "l": (x,)}),
        lambda f, p, x: p("%s and %d", (x, x)),
        lambda f, p, x: p("%(a)s %(a).2f", {"a": x}),
        lambda f, p, x: p("%*d|", (6, x)),
        lambda f, p, x: f("{}", 7),
    ):
        expected = write(lambda t, *a, **k: t.format(*a, **k), lambda t, a: t % a, x)
        assert in_graph(lambda x, write=write: write(gw.format, gw.percent, x), x) == expected


@pytest.mark.parametrize("value", [0, 10, 203])
def test_a_part_of_a_text_is_found(value):
    def parts(n):
        text = f"({n})\nrows.*"
        found = 0
        for place, part in enumerate(("0", "(2", "0)\nr", "rows.*", "", "x*")):
            if part in text:
                found += 2**place
            if part not in f"{n}":
                found += 100
        return found

    expected = parts(value)
    assert parts(tf.constant(value)) == expected
    assert graphwright.function(parts)(tf.constant(value)) == expected


def test_refusals_name_the_specification():
    for template, value, kind in (
        ("{:x}", tf.constant(3), ValueError),
        ("{:5}", tf.constant("a"), TypeError),
        ("{:.2f}", tf.constant([1.0]), TypeError),
        ("{:d}", tf.constant(1.5), ValueError),
    ):
        with pytest.raises(kind):
            in_graph(lambda x, template=template: gw.format(template, x), value)


def test_print_when_the_graph_runs(capfd):
    @tf.function(autograph=False)
    def show(x, v, s):
        gw.print("x is", x)
        gw.print(x, v, s, sep=", ", end="!\n")
        gw.print([x, 1], {"a": v})
        gw.print("to stderr", x, file=sys.stderr)

    for number in (0.1, 3.0):
        show(tf.constant(number), tf.constant([1, 20]), tf.constant("str"))
        out, err = capfd.readouterr()
        assert out == f"x is {number}\n{number}, [ 1 20], str!\n[{number}, 1] {{'a': [ 1 20]}}\n"
        assert err == f"to stderr {number}\n"


def test_print_without_tensors_is_pythons(capsys):
    gw.print("a", 1, sep="-")
    tf.function(lambda: gw.print("traced"), autograph=False)()
    assert capsys.readouterr().out == "a-1\ntraced\n"
