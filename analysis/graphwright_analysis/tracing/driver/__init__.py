"""Tracing a file: its top level, what nobody calls, and what was handed over and never called."""
