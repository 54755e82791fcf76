"""Functions: the converted twin of what is called, `gw.function` and the account of its traces. It stages nothing."""
