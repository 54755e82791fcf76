"""Starts the agent, run by its path under the user's own Python; see `keeping` and `serving` for what it does then.

It adds nothing to the user's import path: of what comes with the server, only the packages named in the request can be
imported, and only where the user has none of that name. The agent's own modules bear a name of their own.
"""

import importlib.util
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NAME = "_graphwright_agent"


def start() -> int:
    # Python puts the folder of what it runs first.
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or os.curdir) != HERE]
    spec = importlib.util.spec_from_file_location(
        NAME, os.path.join(HERE, "__init__.py"), submodule_search_locations=[HERE]
    )
    assert spec is not None and spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = package
    spec.loader.exec_module(package)
    if not importlib.import_module(f"{NAME}.system").CAN_KEEP:
        importlib.import_module(f"{NAME}.serving").serve()
    return int(importlib.import_module(f"{NAME}.keeping").keep(float(sys.argv[1]), json.loads(sys.argv[2])))


if __name__ == "__main__":
    if sys.version_info < (3, 10):  # noqa: UP036 (it runs on whatever Python was chosen)
        sys.exit("Graphwright needs Python 3.10 or newer; this is " + sys.version.split()[0] + ": " + sys.executable)
    sys.exit(start())
