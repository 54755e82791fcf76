"""The stub that tells type checkers what gast's nodes hold is what its generator writes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import gast
import pytest

TOOL = Path(__file__).parents[3] / "tools" / "generate_gast_stub.py"


@pytest.mark.skipif(not hasattr(gast, "TemplateStr"), reason="the stub is of a newer gast")
def test_the_stub_is_up_to_date() -> None:
    result = subprocess.run([sys.executable, str(TOOL), "--check"], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
