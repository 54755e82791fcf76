"""What is observed while tracing: changes, captures, escapes, uses of tensors as Python values, refusals."""
