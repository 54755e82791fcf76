"""The operators that generated code calls; they need TensorFlow and know nothing of the conversion.

Each decides while it runs whether a construct becomes part of a graph.
"""

from .calls import converted

__all__ = [
    "converted",
]
