"""Branches and loops: in Python, or in the graph. What their state is made of is known below."""
