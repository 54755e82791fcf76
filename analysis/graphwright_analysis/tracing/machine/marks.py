"""The names of cells that keep what the trace knows of an object beside its attributes and its content.

No attribute has such a name. Those that end with a space are followed by the name or number that they are about.
What marks an object is decided elsewhere.
"""

from __future__ import annotations

SIGN = "*"

OPEN = "*open to any attribute"
"""Other code has got hold of the instance, and may have set whatever it likes."""
CREATED = "*created"
"""The place is where a list, a deque or a class was made."""
INITIALLY = "*initially "
"""What `__init__` left in an attribute of an instance of which nothing is sure."""
DECLARED = "*declared "
"""What a class promises of a field."""
DEFAULT_FACTORY = "*default factory"
"""What a dict makes of a key that it doesn't have."""

RUNS_EAGERLY = "*runs functions eagerly"
TRACED = "*traced"
"""Followed by the receiver, if there is one: the function was traced before."""

ARRAY_MADE = "*array made"
"""The place is where a `TensorArray` was made."""
ARRAY_INFERS = "*array infers"
"""Whether it takes the shape of its elements from the first one."""
ARRAY_WRITTEN = "*array written "
"""Followed by the number of a version of it; the place is where something was written to that."""

TAPE_MADE = "*tape made"
"""The frame that made a gradient tape; the place is where."""
TAPE_PERSISTENT = "*tape is persistent"
TAPE_RECORDS = "*tape records"
TAPE_USED = "*tape used"
"""The place is where a gradient was asked of it."""
TAPE_BODY = "*tape's body"
"""The place is the first statement that it recorded."""
TAPE_WATCHES = "*tape watches "
TAPE_WATCHES_MORE = "*tape watches more than names"
TAPE_EMPTY = "*tape recorded nothing"
"""Whether nothing that it recorded used a Variable, or anything that may hold one."""
TAPE_FOUND = "*tape found "
"""The place is where a name was bound that was there before the tape began to record."""

COMPILED = "*compiled with "
"""An argument of a Keras model's `compile`."""
BUILT = "*built"
"""None if the model or layer has its variables, unknown if it may have them."""
VARIABLES_READ = "*variables read"
"""The place is where the variables of a model were read that had none yet."""
LOSS_ADDED = "*loss added in "
"""The number of a graph in which `add_loss` was called; without a number it stands for any, and marks the file."""
LEFT_BY_KERAS = "*tensors left by Keras"
"""None in the file's frame where a trace of Keras left tensors, and unknown once they may have been replaced."""
