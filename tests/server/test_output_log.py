"""What is printed too fast is counted, in the log of an editor."""

from __future__ import annotations

import logging

import pytest
from graphwright_server.lsp.output_log import OutputLog


def test_lines_that_come_too_fast_are_counted(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    now = [0.0]
    log = OutputLog("step", lambda: now[0])
    for number in range(1000):
        log.add(f"line {number}")
    now[0] = 1.5
    log.add("later")
    log.end()
    assert caplog.messages[:2] == ["step: line 0", "step: line 1"]
    assert caplog.messages[199:] == ["step: line 199", "step: ... cut: 800 lines that came too fast", "step: later"]
