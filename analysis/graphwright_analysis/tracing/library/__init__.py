"""What calling TensorFlow, Keras, NumPy and Python's builtins gives, and what they call back."""
