"""Python's built-in functions where tensors take part. Values of Python's get Python's own."""
