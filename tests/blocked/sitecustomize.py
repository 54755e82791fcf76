"""Imported by every Python that starts with this folder on its path: there, TensorFlow can't be imported."""

import no_tensorflow  # noqa: F401
