"""The command line: one module per subcommand, one per report format; it never loads the language server."""
