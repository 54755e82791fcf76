"""Run the bundled server with any Python 3.10 or newer; nothing needs to be installed in that Python.

The arguments are those of the `graphwright` command.
Start it in isolated mode (`python -I run.py ...`), so that neither the current folder nor PYTHONPATH adds modules.
The bundled packages come first on the path, so that another version of them in that Python changes nothing.
"""

import os
import sys

if sys.version_info < (3, 10):  # noqa: UP036 (it runs on whatever Python was found)
    sys.exit("Graphwright needs Python 3.10 or newer; this is " + sys.version.split()[0] + ": " + sys.executable)

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [os.path.join(HERE, "libs")] + [entry for entry in sys.path if entry not in ("", HERE)]

if __name__ == "__main__":
    try:
        from graphwright_server.cli.main import main
    except ModuleNotFoundError as missing:
        sys.exit(
            "Graphwright is not complete: " + str(missing.name) + " is missing beside " + HERE + ". Install it again."
        )

    sys.exit(main())
