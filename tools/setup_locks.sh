#!/bin/sh
# Makes the lock files anew: requirements/*.txt and every package-lock.json.
# They hold versions and hashes, but no host, no path and nothing of this machine's configuration.
set -eu
cd "$(dirname "$0")/.."
python=$(tools/setup_python.sh)
tools/setup.sh node
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$python" -m venv "$scratch/uv"
"$scratch/uv/bin/python" -m pip install --quiet uv

compile() {
    env -u PIP_FIND_LINKS -u PIP_INDEX_URL -u PIP_EXTRA_INDEX_URL "$scratch/uv/bin/uv" pip compile --quiet \
        --no-config --no-header --generate-hashes --python-version 3.10 --upgrade "$@"
}

echo 'requirements/bundle.txt' >&2
compile --python-platform linux --only-binary :all: --output-file requirements/bundle.txt requirements/bundle.in

# pyright is a Node program, pinned in requirements/node.
echo 'requirements/dev.txt' >&2
compile --universal --extra dev --no-emit-package graphwright --no-emit-package pyright --no-emit-package nodeenv \
    --output-file requirements/dev.txt pyproject.toml requirements/build.in

# The same versions as those of all tests.
echo 'requirements/check.txt' >&2
compile --universal --extra check --constraints requirements/dev.txt --no-emit-package graphwright \
    --output-file requirements/check.txt pyproject.toml requirements/build.in

echo 'requirements/tensorflow.txt' >&2
compile --universal --constraints requirements/dev.txt --output-file requirements/tensorflow.txt requirements/tensorflow.in

# TensorFlow itself comes as tensorflow-cpu.
echo 'requirements/others.txt' >&2
compile --universal --no-emit-package tensorflow --output-file requirements/others.txt requirements/others.in

# One set of versions for every Python: the site that is looked at is the one that everybody builds.
echo 'requirements/docs.txt' >&2
compile --universal --fork-strategy fewest --output-file requirements/docs.txt requirements/docs.in

echo 'requirements/release.txt' >&2
compile --universal --only-binary :all: --output-file requirements/release.txt requirements/release.in

npm=$PWD/.dev/node/node_modules/npm/bin/npm-cli.js
node=$PWD/.dev/node/bin/node
for folder in requirements/node requirements/code-server requirements/open-vsx vscode-extension; do
    echo "$folder/package-lock.json" >&2
    (cd "$folder" && PATH="$(dirname "$node"):$PATH" "$node" "$npm" update --package-lock-only --ignore-scripts --loglevel=error)
done

# What the extension bundles may have changed with them.
tools/setup.sh bundle extension-modules
"$python" tools/bundled.py
