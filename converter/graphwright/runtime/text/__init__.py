"""Tensors in words, as Python would print them, written when the graph runs. It fails nothing and stages nothing."""
