#!/bin/sh
# Sets up what the end-to-end tests need, or says why they will be skipped.
# With GRAPHWRIGHT_E2E=require they may not be skipped, and what is missing is a failure.
here=$(cd "$(dirname "$0")" && pwd)

skip() {
    echo "setup: the end-to-end tests will be skipped: $1" >&2
    if [ "${GRAPHWRIGHT_E2E:-}" = require ]; then exit 1; fi
    exit 0
}

reason=$("$here/setup_chromium.sh" 2>&1 >/dev/null) || skip "$reason"
"$here/setup.sh" vsix code-server
code=$?
if [ $code -eq 3 ]; then skip 'no usable Node, see above'; fi
exit $code
