"""Shared by the whole suite: TensorFlow kept quiet, and helper modules beside the tests importable."""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
for folder in ("analysis", "converter"):
    sys.path.insert(0, str(Path(__file__).parent / folder))
