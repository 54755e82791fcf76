"""What all rooms rest on: TensorFlow, where we are, what stands for a tensor. No construct of Python is known here."""
