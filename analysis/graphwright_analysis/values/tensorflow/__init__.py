"""What TensorFlow's functions return, from tables that were asked of TensorFlow itself.

One small module per area where a table can't say it; nothing here needs the state of a trace.
"""
