"""tf.autograph.experimental's names for Graphwright's functions. It adds nothing."""

from graphwright.conversion import do_not_convert
from graphwright.directives import set_loop_options
from graphwright.features import Feature

__all__ = ["Feature", "do_not_convert", "set_loop_options"]
