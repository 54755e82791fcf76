"""The pytest plug-in in a project of its own: limits, the summary, xdist, and that it costs nothing unless used."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest_plugins = ["pytester"]

MODEL = """
import tensorflow as tf
import graphwright as gw

@tf.function
def scaled(x, factor):
    return x * tf.cast(factor, tf.float32)

@gw.function
def shifted(x, by):
    return x + by
"""
TESTS = """
import pytest
import tensorflow as tf
from model import scaled, shifted

@pytest.mark.max_traces(1)
def test_planted():
    for epoch in range(3):
        scaled(tf.ones([2]), epoch)

@pytest.mark.max_traces(1)
def test_caught():
    for by in (1.0, 2.0):
        try:
            shifted(tf.ones([2]), by)
        except Exception:
            pass

@pytest.mark.max_traces(1)
def test_fine():
    for epoch in range(3):
        scaled(tf.ones([2]), tf.constant(epoch))

def test_without_a_marker():
    for epoch in range(10, 14):
        scaled(tf.ones([2]), epoch)
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_PLUGINS", "graphwright.pytest_plugin,xdist.plugin")
    return pytester


@pytest.mark.truth
def test_a_planted_retrace_fails_its_test_and_is_named(project: pytest.Pytester):
    project.makepyfile(model=MODEL, test_model=TESTS)
    result = project.runpytest_subprocess("--graphwright-traces", "--strict-markers")
    result.assert_outcomes(failed=2, passed=2)
    result.stdout.fnmatch_lines(
        [
            ">*scaled(tf.ones([[]2[]]), epoch)",
            "E*RetraceError: `scaled` was traced twice; the limit is `@pytest.mark.max_traces(1)`.",
            "E*`factor` was int 0 in trace 1 and is int 1 now.",
            "E*Pass a tensor: `factor=tf.constant(1)`*",
            "*= traces =*",
            "model.py:4 scaled: 7 traces, 6 retraces, *",
            "    test_model.py:8: `factor` was int 0 in trace 1 and is int 1 now.",
            "model.py:8 shifted: 2 traces, 1 retrace, *",
        ]
    )
    assert "traceback_utils.py" not in result.stdout.str()


@pytest.mark.truth
def test_workers_of_xdist_send_their_traces(project: pytest.Pytester):
    project.makepyfile(model=MODEL, test_model=TESTS)
    project.makeini("[pytest]\nmax_traces = 3\n")
    result = project.runpytest_subprocess("-n", "1", "--graphwright-traces")
    result.assert_outcomes(failed=3, passed=1)
    result.stdout.fnmatch_lines(["*traced 4 times; the limit is `max_traces = 3` in the pytest settings*"])
    result.stdout.fnmatch_lines(["model.py:4 scaled: * traces, * retraces, *"])


def test_it_is_inert_unless_used(project: pytest.Pytester):
    project.makepyfile(
        """
        import sys
        def test_nothing_is_loaded():
            assert not {"graphwright.retraces", "graphwright.watching", "tensorflow"} & {*sys.modules}
        """
    )
    project.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)


def test_it_loads_only_itself():
    code = (
        "import pytest, sys; before = {*sys.modules}; import graphwright.pytest_plugin; print({*sys.modules} - before)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert set(eval(done.stdout)) == {
        "graphwright",
        "graphwright.pytest_plugin",
        "graphwright_analysis",
        "graphwright_analysis.version",
    }


@pytest.mark.parametrize("arguments", ["", "'one'", "n=1", "1, 2", "True"])
def test_a_marker_without_a_number_is_refused(project: pytest.Pytester, arguments: str):
    project.makepyfile(f"import pytest\n@pytest.mark.max_traces({arguments})\ndef test(): pass\n")
    result = project.runpytest_subprocess()
    result.stdout.fnmatch_lines(["*@pytest.mark.max_traces(n) requires a number of traces*"])
    assert result.ret != 0
