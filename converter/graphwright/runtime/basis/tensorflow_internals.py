"""The parts of TensorFlow that have no public name but that a tf.function is made of, all in one place.

They are typed Any, because TensorFlow has no types for them; nothing else is done here.
"""

from __future__ import annotations

import importlib
from typing import Any


def module(name: str) -> Any:
    return importlib.import_module(name)


tf: Any = module("tensorflow")
attributes: Any = module("tensorflow.core.framework.attr_value_pb2")
_graphs: Any = module("tensorflow.python.ops.control_flow_v2_func_graphs")
construct_graphs: Any = (_graphs.CondBranchFuncGraph, _graphs.WhileCondFuncGraph, _graphs.WhileBodyFuncGraph)
control_dependencies: Any = module("tensorflow.python.framework.auto_control_deps")
control_flow: Any = module("tensorflow.python.ops.control_flow_util")
default_types: Any = module("tensorflow.core.function.trace_type.default_types")
func_graph_from_py_func: Any = module("tensorflow.python.framework.func_graph").func_graph_from_py_func
function_cache: Any = module("tensorflow.core.function.polymorphism.function_cache")
polymorphic_function: Any = module("tensorflow.python.eager.polymorphic_function.polymorphic_function")
override_operators: Any = module("tensorflow.python.framework.override_binary_operator")
tensor_classes: Any = module("tensorflow.python.framework.tensor_util").tf_type_classes
tensors: Any = module("tensorflow.python.framework.tensor")
type_specs: Any = module("tensorflow.python.framework.type_spec")
variables: Any = module("tensorflow.python.ops.resource_variable_ops")
decorators: Any = module("tensorflow.python.util.tf_decorator")
smart_constant_value: Any = module("tensorflow.python.framework.smart_cond").smart_constant_value
stacks: Any = module("tensorflow.python.util.tf_stack")
symbolic_tensor: Any = module("tensorflow.python.framework.ops").SymbolicTensor
