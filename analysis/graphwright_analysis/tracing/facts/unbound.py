"""Names that are unbound or None where the graph needs a value."""

from __future__ import annotations

from graphwright_analysis.diagnostics import Confidence
from graphwright_analysis.immutability import immutable
from graphwright_analysis.values.domain import Value

from .constructs import ConstructKind
from .fact import Fact
from .loops import LoopControl
from .place import Place


@immutable
class UnseededName(Fact):
    """A name that a staged loop carries is unbound or None before it (`before` is `UNDEFINED` or `NONE`).

    TensorFlow makes a placeholder of what one turn leaves; of a sum or product of the name itself, `after` is what is
    added or multiplied. `left` is a branch that may leave the name as it was,
    `early` a read before it is bound, `tested` a test for None that can't see the placeholder. `can_stand_in` is
    False where what a turn leaves is surely nothing that a placeholder can be made of.
    """

    symbol: str
    place: Place
    statement: Place
    over: LoopControl
    before: Value
    after: Value
    bound: Place | None
    left: Place | None
    early: Place | None
    tested: Place | None
    can_stand_in: bool
    runs: bool
    """Whether the loop surely makes a turn."""
    confidence: Confidence = Confidence.CERTAIN

    @property
    def iterated(self) -> str:
        """What the loop is over, with its article."""
        return f"{'an' if self.over == 'iterator' else 'a'} {self.over}"


@immutable
class UnsetInTurn(Fact):
    """A staged branch leaves a name on one side as unbound or None as it was before the loop around it."""

    symbol: str
    place: Place
    loop: Place


@immutable
class UnboundRead(Fact):
    """A name is read inside a staged construct where it surely isn't bound.

    `loop` is the staged loop that carries the name; without one, the name is bound nowhere that can be seen here.
    """

    symbol: str
    place: Place
    construct: Place
    kind: ConstructKind
    loop: Place | None
    confidence: Confidence = Confidence.CERTAIN


@immutable
class LambdaOutdated(Fact):
    """A lambda is called that reads a name which was bound again inside an `if` or loop after it, and doesn't see it.

    AutoGraph makes a function of the statement's body, and the name is a local one there.
    """

    symbol: str
    statement: Place
    written: Place
    function: Place
    confidence: Confidence = Confidence.CERTAIN
