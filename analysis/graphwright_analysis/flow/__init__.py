"""The flow of control and data in Python code, on gast trees: scopes, activity, graphs, and analyses on them.

Nothing here knows TensorFlow, and nothing is written on a tree.
"""

from __future__ import annotations

from graphwright_analysis.flow.activity import (
    activities,
    activity_of,
    closure_reads,
    closure_symbols,
    closure_writes,
    total_activity,
)
from graphwright_analysis.flow.cfg import build_cfg
from graphwright_analysis.flow.dataflow import Problem, solve
from graphwright_analysis.flow.effects import Activity
from graphwright_analysis.flow.graph import Graph, Node
from graphwright_analysis.flow.liveness import Liveness, liveness
from graphwright_analysis.flow.reaching import Reaching, reaching
from graphwright_analysis.flow.scopes import Scope, Scopes, build_scopes, class_scopes, resolve

__all__ = [
    "Activity",
    "Graph",
    "Liveness",
    "Node",
    "Problem",
    "Reaching",
    "Scope",
    "Scopes",
    "activities",
    "activity_of",
    "build_cfg",
    "build_scopes",
    "class_scopes",
    "closure_reads",
    "closure_symbols",
    "closure_writes",
    "liveness",
    "reaching",
    "resolve",
    "solve",
    "total_activity",
]
