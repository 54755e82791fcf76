#!/bin/sh
# Sets up the named environments under .dev/, each only when it is missing or out of date:
#     tools/setup.sh venv node extension code-server vsix
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=$("$here/setup_python.sh") || exit 1
exec "$python" "$here/setup_environments.py" "$@"
