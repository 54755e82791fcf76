#!/bin/sh
# Prints the path of a Python 3.10 or newer, or says on standard error what to install.
# GRAPHWRIGHT_PYTHON names one; otherwise the PATH is searched.

check='import sys; sys.exit(0 if (3, 10) <= sys.version_info[:2] and sys.version_info[0] == 3 else 1)'

if [ -n "${GRAPHWRIGHT_PYTHON:-}" ]; then
    candidates=$GRAPHWRIGHT_PYTHON
else
    candidates='python3 python python3.13 python3.12 python3.11 python3.10'
fi

seen=''
for candidate in $candidates; do
    found=$(command -v "$candidate" 2>/dev/null) || continue
    if "$found" -c "$check" >/dev/null 2>&1; then
        # Inside a virtual environment the Python behind it, which outlives it.
        exec "$found" -c 'import sys; print(getattr(sys, "_base_executable", sys.executable))'
    fi
    seen="$seen $found ($("$found" --version 2>&1 | head -n 1))"
done

{
    echo 'Graphwright needs Python 3.10 or newer, and found none.'
    if [ -n "$seen" ]; then echo "  Looked at:$seen"; fi
    echo '  Debian, Ubuntu:  sudo apt-get install python3 python3-venv'
    echo '  Fedora:          sudo dnf install python3'
    echo '  macOS:           brew install python@3.13'
    echo '  Or name one:     make GRAPHWRIGHT_PYTHON=/path/to/python3.12 ...'
} >&2
exit 1
