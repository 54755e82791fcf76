"""Ejecting: a function as plain TensorFlow source, for those who want no converter at run time.

Text in, text out; neither TensorFlow nor the function is run. What is staged is known from the analysis.
"""

from __future__ import annotations

from .entities import to_tensorflow

__all__ = ["to_tensorflow"]
