"""TensorFlow as an untyped module, for the runtime. It adds nothing to TensorFlow, and starts nothing of it.

No tensor is made when this is loaded: the first one starts TensorFlow's runtime, and what devices there are and how
they use memory can't be said any more.
"""

from __future__ import annotations

import importlib
from typing import Any

tf: Any = importlib.import_module("tensorflow")
EagerTensor: Any = importlib.import_module("tensorflow.python.framework.ops").EagerTensor
NumpyArray: Any = importlib.import_module("numpy").ndarray
can_cast: Any = importlib.import_module("numpy").can_cast
may_share_memory: Any = importlib.import_module("numpy").may_share_memory
