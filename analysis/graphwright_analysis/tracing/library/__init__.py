"""What TensorFlow, Keras, NumPy and Python's own functions and operators give, and what they call back."""
