#!/bin/sh
# Runs the converter's tests with another TensorFlow and Keras: tools/try_tensorflow.sh 2.16 3.3 [PYTEST OPTION...]
# Their newest patch releases are installed, in an environment of their own under .dev/.
# test_text.py is left out: it compares with how NumPy 2 writes numbers, and TensorFlow before 2.18 has NumPy 1.
set -eu
cd "$(dirname "$0")/.."
tensorflow=${1:?which TensorFlow?} keras=${2:?which Keras?}
shift 2
python=$(tools/setup_python.sh)
place=.dev/tensorflow-$tensorflow-keras-$keras
if [ ! -x "$place/bin/pytest" ]; then
    "$python" -m venv "$place"
    "$place/bin/python" -m pip install --quiet --disable-pip-version-check \
        --editable '.[dev]' "tensorflow-cpu==$tensorflow.*" "keras==$keras.*"
fi
"$place/bin/python" -c '
import sys, keras, numpy, tensorflow
print("Python", sys.version.split()[0], "TensorFlow", tensorflow.__version__, "Keras", keras.__version__,
      "NumPy", numpy.__version__, flush=True)'
exec "$place/bin/python" -m pytest --tier truth tests/converter tests/agent --ignore tests/converter/test_text.py "$@"
