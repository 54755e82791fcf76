"""The faces of Graphwright: the command line (`cli`) and the language server (`lsp`).

Nothing is imported here: the command line must not pay for the language server.
"""
