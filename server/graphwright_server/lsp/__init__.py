"""The language server, on pygls; the command line starts it and knows nothing else of it."""
