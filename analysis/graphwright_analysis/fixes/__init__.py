"""Edits that rules share. They look at the text of the block that a place stands in, and at nothing else."""
