"""What the server and the agent say to each other: JSON lines, and the plain data that they carry.

All that both sides share is here; it imports the standard library alone and does nothing itself.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

TRACE: Final = "trace"
TIME: Final = "time"
RUN: Final = "run"
VERIFY: Final = "verify"
AgentAction = Literal["trace", "time", "run", "verify"]
ACTIONS: tuple[AgentAction, ...] = (TRACE, TIME, RUN, VERIFY)

EAGER: Final = "eager"
TF_FUNCTION: Final = "tf.function"
GW_FUNCTION: Final = "gw.function"
XLA: Final = "XLA"
EJECTED: Final = "ejected"
Way = Literal["eager", "tf.function", "gw.function", "XLA", "ejected"]
COMPARED: tuple[Way, ...] = (TF_FUNCTION, GW_FUNCTION, XLA, EJECTED)
"""The ways to run a function that are compared with eager code."""

EQUAL: Final = "equal"
DIFFERS: Final = "differs"
CANT_RUN: Final = "can't run"
NOT_COMPARED: Final = "not compared"
Agreement = Literal["equal", "differs", "can't run", "not compared"]

REQUEST: Final = "request"
PROGRESS: Final = "progress"
BEGUN: Final = "begun"
LATE: Final = "late"
REPORT: Final = "report"
CANCEL: Final = "cancel"
RUNNING: Final = "running"
OUTPUT: Final = "output"
ENDED: Final = "ended"
RecordKind = Literal["request", "progress", "begun", "late", "report", "cancel", "running", "output", "ended"]
"""The server sends a request, or that it is to be ended. The agent sends a step, that the user's code begins to run,
where it is when its time is over, and what came of it; whoever keeps the agent that it runs, what it has printed, and
how it has ended."""

MOST_OUTPUT = 1 << 20
"""Bytes of what the user's code prints; what comes after is counted only."""
MOST_RECORD = 1 << 26
"""Bytes of a record."""

STARTING = 180.0
"""Seconds until the user's code begins: on a slow disk it takes long to import TensorFlow."""


INSTALLED = re.compile(r"__autograph_generated_file|[\\/](site-packages|dist-packages)[\\/]")
"""In the name of a file: an installed package's, or made by AutoGraph."""


@dataclass(frozen=True, slots=True)
class AgentRequest:
    """What the agent is to do, its only record from the server.

    `timeout` counts from where the user's code begins. `texts` holds the files that an editor has changed and not
    saved; `libraries` where the packages are that come with the server; `folder` the one to work in. Records begin with
    the `secret`: what has another beginning was written by the user's code. To verify, a function is called `calls`
    times in each of the `ways`, and its gradients are compared with `gradients`.
    """

    file: str
    function: str
    arguments: str = ""
    action: AgentAction = TRACE
    timeout: float = 60.0
    texts: dict[str, str] = field(default_factory=dict[str, str])
    libraries: dict[str, str] = field(default_factory=dict[str, str])
    folder: str = ""
    secret: str = ""
    ways: tuple[Way, ...] = COMPARED
    calls: int = 3
    gradients: bool = False


@dataclass(frozen=True, slots=True)
class ReportedEnvironment:
    """The Python and the TensorFlow that the code ran under; `tensorflow` is empty where there is none."""

    python: str = ""
    tensorflow: str = ""
    executable: str = ""


@dataclass(frozen=True, slots=True)
class ReportedFrame:
    """A line of the user's that an error came through; `line` counts from 0."""

    file: str
    line: int
    name: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class ReportedFailure:
    """What went wrong, in words, with the user's frames, the innermost last."""

    type: str
    message: str
    frames: tuple[ReportedFrame, ...] = ()
    traceback: str = ""


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where code is that runs: the user's frames, the innermost last, and the whole stack in words."""

    frames: tuple[ReportedFrame, ...] = ()
    stack: str = ""


@dataclass(frozen=True, slots=True)
class ReportedTrace:
    """One run of the Python code that made a graph; `line` is that of the function, from 0."""

    signature: str
    cause: str = ""
    seconds: float = 0.0
    operations: int = 0
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation. `parent` is the control flow that it is in, and `branch` which part of that ("then", "body"...).

    `outputs` are the dtypes and shapes of all that it gives, of which `shape` is the first; `ports` says for each input
    which output of the other operation it is. `detail` is "argument", "captured" or "result" where it is one.
    """

    id: str
    op: str
    name: str
    line: int | None = None
    file: str = ""
    scope: str = ""
    inputs: tuple[str, ...] = ()
    control: tuple[str, ...] = ()
    shape: str = ""
    parent: str | None = None
    branch: str = ""
    outputs: tuple[str, ...] = ()
    detail: str = ""
    ports: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Count:
    type: str
    count: int


@dataclass(frozen=True, slots=True)
class ReportedGraph:
    """A graph: its operations, those in branches and loop bodies included, and its size in bytes."""

    nodes: tuple[Operation, ...]
    operations: tuple[Count, ...] = ()
    size: int = 0


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of each call: eager ones, those of the graph, and the first, which traced it."""

    eager: tuple[float, ...]
    graph: tuple[float, ...]
    first: float


@dataclass(frozen=True, slots=True)
class ReportedResult:
    text: str
    spec: str


@dataclass(frozen=True, slots=True)
class ReportedDifference:
    """A value that isn't eager code's: where it is, such as `result[1]["x"][0, 3]`, and what it is in words.

    `call` counts from 1.
    """

    path: str
    eager: str
    other: str
    call: int


@dataclass(frozen=True, slots=True)
class DifferentLine:
    """The first line, from 0, after which a name has a different value; `visit` counts from 1 how often it ran."""

    line: int
    text: str
    name: str
    eager: str
    other: str
    visit: int


@dataclass(frozen=True, slots=True)
class VerifiedWay:
    """What a way to run a function gave, compared with eager code; `line` is where it can't run, from 0."""

    way: Way
    agreement: Agreement
    reason: str = ""
    file: str = ""
    line: int | None = None
    difference: ReportedDifference | None = None
    first_line: DifferentLine | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class AgentReport:
    """What came of a request; `notes` say in words what was decided on the way, `svg` is the graph's picture."""

    ok: bool
    function: str
    file: str
    action: AgentAction
    environment: ReportedEnvironment = ReportedEnvironment()
    seconds: float = 0.0
    error: ReportedFailure | None = None
    traces: tuple[ReportedTrace, ...] = ()
    graph: ReportedGraph | None = None
    times: Times | None = None
    result: ReportedResult | None = None
    ways: tuple[VerifiedWay, ...] = ()
    notes: tuple[str, ...] = ()
    output: str = ""
    svg: str = ""


class LineBuffer:
    """Puts lines together from pieces of a stream; one that is longer than a record may be is left out."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0

    def feed(self, piece: bytes) -> list[bytes]:
        """The lines that are complete now, with their ends."""
        *ends, rest = piece.split(b"\n")
        lines = list[bytes]()
        for end in ends:
            if self._size + len(end) <= MOST_RECORD:
                lines.append(b"".join([*self._pieces, end, b"\n"]))
            self._pieces, self._size = [], 0
        self._size += len(rest)
        self._pieces = [*self._pieces, rest] if self._size <= MOST_RECORD else []
        return lines


def encoded(kind: RecordKind, value: Any, secret: str = "") -> bytes:
    """A record as a line."""
    content = dataclasses.asdict(value) if dataclasses.is_dataclass(value) and not isinstance(value, type) else value
    return secret.encode("ascii") + json.dumps({"kind": kind, "value": content}).encode("ascii") + b"\n"


def is_kind(line: bytes, kind: RecordKind, secret: str) -> bool:
    """Whether a line is a record of that kind, by its beginning alone."""
    return line.startswith(encoded(kind, None, secret).removesuffix(b"null}\n"))


def decoded(line: bytes, secret: str = "") -> tuple[str, Any]:
    """The kind and the value of a line; an empty kind where it isn't a record."""
    beginning = secret.encode("ascii")
    if not line.startswith(beginning):
        return "", None
    try:
        record: Any = json.loads(line.removeprefix(beginning))
        return str(record["kind"]), record["value"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return "", None


def as_json(report: AgentReport) -> dict[str, Any]:
    return dataclasses.asdict(report)


def request_of(value: Mapping[str, Any]) -> AgentRequest:
    return AgentRequest(**value)
