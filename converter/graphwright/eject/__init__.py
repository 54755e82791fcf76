"""Ejecting: a function as plain TensorFlow source, for those who want no converter at run time.

Text in, text out. What is staged is known from the analysis, and from a trace if the caller has made one.
"""

from __future__ import annotations

from .entities import to_tensorflow

__all__ = ["to_tensorflow"]
