#!/usr/bin/env bash
# Runs the demo: a real VS Code on a copy of examples/, or the terminal report where there is no usable Node.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
python=$("$root/tools/setup_python.sh") || exit 1

# The tests' environment has TensorFlow as well: where it is there, it does.
if "$root/.dev/venv/bin/python" -c 'import importlib.util as u, sys; sys.exit(u.find_spec("tensorflow") is None)' 2>/dev/null; then
    "$root/tools/setup.sh" vsix code-server
    code=$?
    interpreter=$root/.dev/venv/bin/python
else
    "$root/tools/setup.sh" vsix code-server tensorflow
    code=$?
    interpreter=$root/.dev/tensorflow/bin/python
fi
if [ $code -eq 0 ]; then
    # On a terminal the demo becomes a job of its own, so that Ctrl-C stops it and doesn't interrupt make.
    if [ -t 0 ]; then set -m; fi
    "$root/.dev/node/bin/node" "$root/vscode-extension/e2e/demo.mjs" "$root"/dist/graphwright-*.vsix "$interpreter"
    exit $?
fi
if [ $code -ne 3 ]; then exit $code; fi

"$root/tools/setup.sh" bundle || exit $?
echo
echo 'VS Code needs Node, see above. What Graphwright says about examples/, in the terminal:'
echo
cd "$root" || exit 1
"$python" -I -X utf8 vscode-extension/bundled/run.py check --exit-zero examples
