"""The converter: the package that users import. For now it only says which version it is.

Its source side will be pure Python on the analysis' syntax and flow; TensorFlow will be loaded on first use.
"""

from graphwright_analysis.version import __version__

__all__ = ["__version__"]
