"""Lets `python -m graphwright` be the same as the `graphwright` command, which is in another package.

The converter doesn't need that package: it is named here and imported nowhere.
"""

# Loaded by `python -m` already, so nobody's modules in the current folder can take their place.
import importlib.util
import runpy
import sys

if __name__ == "__main__":
    if importlib.util.find_spec("graphwright_server") is None:
        sys.stderr.write("graphwright: the command isn't installed here, only the converter\n")
        sys.exit(2)
    runpy.run_module("graphwright_server", run_name="__main__", alter_sys=True)
