"""Rewrites that an editor offers at a function or a loop, each proved by analysing the text that it would leave.

Findings and their fixes are elsewhere: these are offered where nothing is wrong.
"""

from __future__ import annotations

from .graph import TF_FUNCTION
from .hoisting import HOIST
from .loop_state import LOOP_STATE
from .rewrite import KIND, Offer, Rewrite, RewriteSite

__all__ = ["KIND", "REWRITES", "Offer", "Rewrite", "RewriteSite"]

REWRITES = (TF_FUNCTION, LOOP_STATE, HOIST)
"""Those that need the analysis alone."""
