"""Which Keras code is for, 2 or 3, and the backend that Keras 3 runs on. How that is found out is decided elsewhere."""

from __future__ import annotations

from graphwright_analysis.immutability import immutable

BACKENDS = ("tensorflow", "jax", "torch")


@immutable
class KerasChoice:
    """What is assumed of a file's Keras where the code itself doesn't say it."""

    generation: int = 3
    backend: str = BACKENDS[0]
    generation_is_set: bool = False
    """True if the user has set the generation, so that what the code says doesn't count."""
    backend_is_set: bool = False


NO_CHOICE = KerasChoice()
"""What is assumed where nothing is said."""


def environment_change(variable: str, value: str) -> str:
    """Return the name among a file's changes for setting an environment variable that Keras reads."""
    return f"{variable}={value}"


def converts(choice: KerasChoice, changes: frozenset[str]) -> bool:
    """True if it is Keras 2, which has AutoGraph convert `call`, by the choice and by what the code changes."""
    if not choice.generation_is_set and not changes.isdisjoint((KERAS_2, KERAS_3)):
        return KERAS_2 in changes
    return choice.generation == 2


def is_foreign(choice: KerasChoice, changes: frozenset[str]) -> bool:
    """True if Keras surely runs on something other than TensorFlow."""
    if converts(choice, changes):
        return False
    written = {change[len(_BACKEND) :] for change in changes if change.startswith(_BACKEND)}
    backends = {choice.backend} if choice.backend_is_set or not written else written
    return BACKENDS[0] not in backends


KERAS_2 = "Keras 2"
"""Stands among the changes for the Keras that has AutoGraph convert what it calls."""
KERAS_3 = "Keras 3"
"""Stands among the changes for a `TF_USE_LEGACY_KERAS` that is switched off."""
_BACKEND = environment_change("KERAS_BACKEND", "")


def decides_keras(change: str) -> bool:
    """True if a change says which Keras, or which backend, all code of the program has."""
    return change in (KERAS_2, KERAS_3) or change.startswith(_BACKEND)
