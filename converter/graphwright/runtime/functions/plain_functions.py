"""The account of a plain `tf.function`: its traces and why they were made, as of gw.function's.

It is asked when such a function has been traced, and changes nothing about it.
"""

from __future__ import annotations

import inspect
import os
import weakref
from typing import Any

from graphwright import libraries
from graphwright.agent.graphs import operation_count
from graphwright.runtime.basis.tensorflow_internals import polymorphic_function
from graphwright.runtime.functions.accounts import Account, trace_added
from graphwright.runtime.functions.signatures import variadic_names

ACCOUNTS: weakref.WeakKeyDictionary[Any, Account] = weakref.WeakKeyDictionary()


def note(cache: Any, fn: Any, context: Any) -> None:
    """Report a trace that TensorFlow is about to store; raises RetraceError if it isn't allowed."""
    __tracebackhide__ = True
    function = function_of(cache)
    if function is None or is_tensorflows(function._key_for_call_stats):
        return
    account = account_of(function, cache)
    trace = trace_added(account, fn, context)
    account.admit(trace)
    account.record(trace)


def function_of(cache: Any) -> Any:
    """The tf.function whose cache this is, which is being called."""
    frame = inspect.currentframe()
    while frame is not None:
        found: Any = frame.f_locals.get("self")
        if isinstance(found, polymorphic_function.Function) and getattr(found, "_function_cache", None) is cache:
            return found
        frame = frame.f_back
    return None


def is_tensorflows(code: Any) -> bool:
    """Whether TensorFlow made a function for itself. Keras's steps are followed: how they are called is up to users."""
    file = getattr(code, "co_filename", "")
    return libraries.is_tensorflow_file(file) and f"{os.sep}keras{os.sep}" not in file


def account_of(function: Any, cache: Any) -> Account:
    """The account of a function, with the traces from before anybody watched."""
    account = ACCOUNTS.get(function)
    if account is None:
        python_function = function._python_function
        shown = getattr(python_function, "__qualname__", function._name).rpartition("<locals>.")[2]
        account = Account(shown, bool(function._reduce_retracing), variadic_names(function._function_type))
        account.code, account.decorator = function._key_for_call_stats, "tf.function"
        for (context, _), made in [*cache._primary.items()]:
            operations = operation_count(made.graph)
            account.record(account.trace_of(made.function_type, context, operations, 0.0))
        ACCOUNTS[function] = account
    return account
