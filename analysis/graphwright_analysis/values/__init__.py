"""The abstract values that a trace computes with, and what TensorFlow makes of them.

Nothing here runs statements; that is `tracing`.
"""
