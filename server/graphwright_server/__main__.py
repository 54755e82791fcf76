"""Lets `python -m graphwright_server` be the same as the `graphwright` command; nothing else is here.

Started so, Python looks for modules in the current folder first, which may be somebody else's. The language server
isn't started then: an editor would run what is in the folder that it opens. The other commands do without that folder.
"""

# No import from __future__: that is a module, too, and not loaded yet.
import os  # loaded when Python starts
import sys


def _leave_the_current_folder() -> None:
    """Take the folder off the path that Python has put there for `-m`; refuse to be the language server."""
    is_safe = sys.flags.isolated or getattr(sys.flags, "safe_path", False)
    if is_safe or __spec__ is None or not sys.path or sys.path[0] not in ("", os.getcwd()):
        return
    if sys.argv[1:2] == ["server"]:
        sys.stderr.write(
            "graphwright: the server isn't started by `python -m`: Python would import modules from "
            f"the current folder, {os.getcwd()}. Use `graphwright server --stdio`, "
            "or `python -I -m graphwright_server server --stdio`.\n"
        )
        sys.exit(2)
    if os.path.dirname(os.path.dirname(os.path.abspath(__file__))) != os.getcwd():
        del sys.path[0]


if __name__ == "__main__":
    _leave_the_current_folder()
    from graphwright_server.cli.main import main

    sys.exit(main())
