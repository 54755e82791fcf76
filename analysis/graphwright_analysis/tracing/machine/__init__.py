"""The run: state, frames, starts, journal, and the protocol by which the evaluator is reached."""
