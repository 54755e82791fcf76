"""A process that has imported TensorFlow and waits to be forked, so that a request doesn't wait for the import.

It runs no operation and nothing of the user's; where a fork wouldn't be safe it says so and ends.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.util
import os
import socket
import struct
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import loading, serving, system

FIT, UNFIT = b"+", b"-"
_USED = ("graphwright.conversion", "graphwright.runtime.functions.graph_function")
"""With what they import, all that tracing takes."""
_NUMBER = struct.Struct("=i")
_PATIENCE = 10.0
"""Seconds after which a template that says nothing is taken for gone."""
_HELD = ("/dev/nvidia", "/dev/kfd", "/dev/dri")
"""Devices that a fork can't share with the process that has opened them."""


@dataclass
class Template:
    """The process from the keeper's side; `is_fit` is None until it has said whether it can be forked."""

    process: int
    channel: socket.socket
    is_fit: bool | None = None

    def listen(self) -> None:
        """Read whether it is fit; to be called when there is something to read."""
        self.is_fit = self.channel.recv(1) == FIT

    def fork(self, descriptors: tuple[int, ...]) -> int:
        """Have it fork a process that serves by these descriptors; raises OSError if it's gone."""
        socket.send_fds(self.channel, [b"f"], descriptors)
        return self._number()

    def status(self) -> int | None:
        """How the process that was forked last has ended, once it has; None where the template has ended as well."""
        with contextlib.suppress(OSError):
            return self._number()
        return None

    def _number(self) -> int:
        content = self.channel.recv(_NUMBER.size, socket.MSG_WAITALL)
        if len(content) < _NUMBER.size:
            raise ConnectionError("the process that has imported TensorFlow is gone")
        return int(_NUMBER.unpack(content)[0])


def start(libraries: Mapping[str, str]) -> Template:
    """Fork the process that imports TensorFlow, and what the agent needs of the libraries."""
    ours, theirs = socket.socketpair()
    ours.settimeout(_PATIENCE)
    keeper = os.getpid()
    process = os.fork()
    if process == 0:
        try:
            ours.close()
            system.end_with_parent(keeper)
            _wait_to_be_forked(theirs, libraries)
        finally:
            os._exit(1)
    theirs.close()
    return Template(process, ours)


def _wait_to_be_forked(channel: socket.socket, libraries: Mapping[str, str]) -> None:
    serving.go_first(500)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    if importlib.util.find_spec("tensorflow") is None:
        return
    importlib.import_module("tensorflow")
    loading.find_libraries(libraries)
    for name in _USED:
        with contextlib.suppress(Exception):  # the user's own may be another version
            importlib.import_module(name)
    gc.collect()
    gc.freeze()  # so that looking for garbage doesn't copy the pages that a fork shares
    if not _can_be_forked():
        channel.send(UNFIT)
        return
    channel.send(FIT)
    while True:
        message, descriptors, _, _ = socket.recv_fds(channel, 1, 3)
        if not message:
            return
        process = serving.fork(descriptors, [channel.fileno()], _draw_other_numbers)
        for descriptor in descriptors:
            os.close(descriptor)
        channel.send(_NUMBER.pack(process))
        channel.send(_NUMBER.pack(os.waitpid(process, 0)[1]))


def _draw_other_numbers() -> None:
    """Else NumPy gives every fork the same random numbers; Python's own generator sees to that itself."""
    numbers: Any = sys.modules.get("numpy.random")
    if numbers is not None:
        numbers.seed()


def _can_be_forked() -> bool:
    """Whether a fork has all of this process: other threads would be missing, with the locks that they hold.

    OpenBLAS ends its own before a fork, so the threads count after one.
    """
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    has_one_thread = len(os.listdir("/proc/self/task")) == 1
    return has_one_thread and not any(_opens_device(each) for each in os.listdir("/proc/self/fd"))


def _opens_device(descriptor: str) -> bool:
    with contextlib.suppress(OSError):
        return os.readlink(f"/proc/self/fd/{descriptor}").startswith(_HELD)
    return False
