"""The pytest plug-in: the marker `max_traces`, the ini option of that name, and `--graphwright-traces`.

It does nothing unless one of them is used, and never imports TensorFlow: it waits until the tests do.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Generator, Iterable
from typing import Any

import pytest

OPTION = "--graphwright-traces"
SENT = "graphwright_traces"
MOST_CAUSES = 10


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("graphwright")
    group.addoption(OPTION, action="store_true", help="list every trace of gw.function and tf.function, with its cause")
    parser.addini("max_traces", "how many times one test may trace each function; the max_traces marker overrides it")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "max_traces(n): fail the test if it traces a gw.function or tf.function more than n times"
    )
    if config.getoption(OPTION):
        config.pluginmanager.register(TraceSummary(config), "graphwright-traces")


def traces_allowed(item: pytest.Item) -> tuple[int, str] | None:
    """How many traces of one function a test may cause, and the rule that says so; None without a limit."""
    marker = item.get_closest_marker("max_traces")
    if marker is not None:
        if marker.kwargs or len(marker.args) != 1 or type(marker.args[0]) is not int:
            raise pytest.UsageError(f"{item.nodeid}: @pytest.mark.max_traces(n) requires a number of traces")
        return marker.args[0], f"`@pytest.mark.max_traces({marker.args[0]})`"
    written = str(item.config.getini("max_traces") or "").strip()
    if not written:
        return None
    if not written.isdigit():
        raise pytest.UsageError(f"max_traces = {written}: a number of traces is required")
    return int(written), f"`max_traces = {written}` in the pytest settings"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, None]:
    allowed = traces_allowed(item)
    if allowed is None:
        yield
        return
    from graphwright.retraces import hide_frames, limit, noting_refusals
    from graphwright.watching import watching

    refuse, refusals = noting_refusals(limit(*allowed))
    with watching(refuse):
        outcome = yield
    if outcome.excinfo is None and refusals:  # The test has caught the error.
        hide_frames(refusals[0], refusals[0].__traceback__)
        outcome.force_exception(refusals[0])
    elif outcome.excinfo is not None:
        hide_frames(outcome.excinfo[1], outcome.excinfo[2])


class TraceSummary:
    """Gathers the traces of a run, those of xdist's workers included, and lists them at its end."""

    def __init__(self, config: pytest.Config) -> None:
        from graphwright import watching

        self.config = config
        self.found: list[dict[str, Any]] = []
        watching.start()
        watching.WATCHERS.insert(0, self.note)

    def note(self, account: Any, trace: Any) -> None:
        from graphwright.explaining import remedies_of, sentence, short

        changes = trace.cause.changes
        code = account.code
        remedy = " ".join(remedies_of(changes)).replace("@gw.function", f"@{trace.decorator}")
        self.found.append(
            {
                "function": trace.function,
                "place": f"{short(code.co_filename)}:{code.co_firstlineno}" if hasattr(code, "co_filename") else "",
                "caller": f"{short(trace.file)}:{trace.line}",
                "cause": " ".join(sentence(change, trace) for change in changes),
                "remedy": remedy,
                "again": trace.cause.kind not in ("first", "instance") or trace.cause.now == "made again",
                "seconds": trace.seconds,
            }
        )

    def pytest_sessionfinish(self) -> None:
        output = getattr(self.config, "workeroutput", None)
        if output is not None:
            output[SENT] = self.found

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.found += getattr(node, "workeroutput", {}).get(SENT, ())

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("traces")
        for line in summary_lines(self.found):
            terminalreporter.write_line(line)

    def pytest_unconfigure(self) -> None:
        from graphwright import watching

        with contextlib.suppress(ValueError):
            watching.WATCHERS.remove(self.note)


def summary_lines(found: Iterable[dict[str, Any]]) -> Iterable[str]:
    """Each function with its traces, the most often traced first, and why it was retraced."""
    from graphwright.explaining import counted

    by_function: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for trace in found:
        by_function.setdefault((trace["function"], trace["place"]), []).append(trace)
    if not by_function:
        yield "No tf.function was traced."
    for (name, place), traces in sorted(by_function.items(), key=lambda item: -len(item[1])):
        seconds = sum(trace["seconds"] for trace in traces)
        again = sum(trace["again"] for trace in traces)
        retraces = f", {counted(again, 'retrace')}" if again else ""
        yield f"{place} {name}: {counted(len(traces), 'trace')}{retraces}, {seconds:.2f} s"
        causes: dict[tuple[str, str], list[str]] = {}
        for trace in traces:
            if trace["again"]:
                causes.setdefault((trace["cause"], trace["remedy"]), []).append(trace["caller"])
        remedies: set[str] = set()
        for (cause, remedy), callers in itertools.islice(causes.items(), MOST_CAUSES):
            yield f"    {callers[0]}: {cause}{f' ({len(callers)} times)' if len(callers) > 1 else ''}"
            if remedy and remedy.partition(".")[0] not in remedies:
                yield f"        {remedy}"
            remedies.add(remedy.partition(".")[0])
        if len(causes) > MOST_CAUSES:
            yield f"    and {len(causes) - MOST_CAUSES} more causes"
