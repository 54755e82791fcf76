"""The passes: one construct per module, each with Before and After; nothing here runs or imports user code."""
