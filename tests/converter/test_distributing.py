"""gw.function under tf.distribute: two devices, two processes and parameter servers give what tf.function gives."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import graphwright as gw
import numpy as np
import pytest
import tensorflow as tf

TWO_DEVICES = """
devices = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(devices[0], [tf.config.LogicalDeviceConfiguration()] * 2)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
"""

TWO_PROCESSES = """
strategy = tf.distribute.MultiWorkerMirroredStrategy()
"""

PARAMETER_SERVER = """
ports = [free_port() for _ in range(3)]
cluster = tf.train.ClusterSpec({
    "chief": [f"localhost:{free_port()}"], "ps": [f"localhost:{ports[0]}"],
    "worker": [f"localhost:{port}" for port in ports[1:]],
})
servers = [
    tf.distribute.Server(cluster, job_name=job, task_index=index, protocol="grpc")
    for job, index in (("ps", 0), ("worker", 0), ("worker", 1))
]
resolver = tf.distribute.cluster_resolver.SimpleClusterResolver(cluster, rpc_layer="grpc")
strategy = tf.distribute.ParameterServerStrategy(resolver)
"""

TRAINING = """
def free_port():
    with socket.socket() as listener:
        listener.bind(("localhost", 0))
        return listener.getsockname()[1]


def trained(function):
    with strategy.scope():
        weight, steps = tf.Variable(1.0), tf.Variable(0, aggregation=tf.VariableAggregation.ONLY_FIRST_REPLICA)

    def loss_of(xs):
        total = tf.constant(0.0)
        for x in xs:
            if x < 0.0:
                continue
            total += (weight * x - 2.0) ** 2
            if total > 50.0:
                break
        n = tf.constant(0)
        while n < 3:
            total = total / 2.0
            n += 1
        return total

    def replica_step(xs):
        with tf.GradientTape() as tape:
            loss = loss_of(xs)
        gradient = tape.gradient(loss, weight)
        if loss > 0.1:
            gradient = gradient * 0.5
        context = tf.distribute.get_replica_context()
        return loss, context.all_reduce(tf.distribute.ReduceOp.SUM, gradient)

    @function
    def step(xs):
        losses, gradients = strategy.run(replica_step, (xs,))
        return strategy.reduce("SUM", losses, axis=None), strategy.reduce("MEAN", gradients, axis=None)

    found = []
    for batch in ([1.0, -2.0, 3.0], [0.5, 9.0, 8.0], [-1.0, 2.0, 0.25]):
        loss, gradient = step(tf.constant(batch))
        weight.assign_sub(0.01 * gradient)
        found += [float(loss), float(weight.numpy())]
    return found
"""

ON_WORKERS = """
def trained(function):
    coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
    with strategy.scope():
        weight = tf.Variable(1.0)

    def replica_step(xs):
        total = tf.constant(0.0)
        for x in xs:
            if x < 0.0:
                continue
            total += weight * x
            if total > 10.0:
                break
        return total

    @function
    def step(xs):
        value = strategy.run(replica_step, (xs,))
        weight.assign_add(0.25)
        return value

    found = []
    for batch in ([1.0, -2.0, 3.0], [0.5, 9.0, 8.0]):
        result = coordinator.schedule(step, args=(tf.constant(batch),))
        coordinator.join()
        found += [float(result.fetch()), float(weight.numpy())]
    return found
"""

START = """
import json, os, pathlib, socket, sys, time
import graphwright as gw
import tensorflow as tf
"""

END = """
print("RESULT", json.dumps([trained(tf.function), trained(gw.function)]), flush=True)
# A process that ends takes away what another may still receive from it.
here = pathlib.Path(__file__)
here.with_suffix(".done").touch()
end = time.monotonic() + 60
while time.monotonic() < end and not all(path.with_suffix(".done").exists() for path in here.parent.glob("*.py")):
    time.sleep(0.1)
os._exit(0)
"""


def started(code: str, path: Path, **environment: str) -> Any:
    path.write_text(code, "utf-8")
    return subprocess.Popen(
        [sys.executable, str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3"} | environment,
    )


def results(process: Any) -> tuple[list[float], list[float]]:
    try:
        output, errors = process.communicate(timeout=240)
    finally:
        process.kill()
    lines = [line for line in output.splitlines() if line.startswith("RESULT ")]
    assert lines, errors[-3000:]
    plain, ours = json.loads(lines[0].removeprefix("RESULT "))
    return plain, ours


def agree(plain: list[float], ours: list[float]) -> None:
    np.testing.assert_allclose(ours, plain, rtol=1e-6)
    assert len(set(plain)) > 2, "it should have learnt something"


@pytest.mark.thorough
def test_two_devices_of_a_mirrored_strategy(tmp_path: Path):
    agree(*results(started(START + TWO_DEVICES + TRAINING + END, tmp_path / "program.py")))


@pytest.mark.thorough
def test_two_processes_of_a_multi_worker_strategy(tmp_path: Path):
    ports = [free_port(), free_port()]
    workers = {"worker": [f"localhost:{port}" for port in ports]}
    processes = [
        started(
            START + TWO_PROCESSES + TRAINING + END,
            tmp_path / f"worker{index}.py",
            TF_CONFIG=json.dumps({"cluster": workers, "task": {"type": "worker", "index": index}}),
        )
        for index in range(2)
    ]
    found = [results(process) for process in processes]
    for plain, ours in found:
        agree(plain, ours)
    assert found[0] == found[1]


@pytest.mark.thorough
def test_parameter_servers_in_process(tmp_path: Path):
    servers = TRAINING.split("def trained")[0] + PARAMETER_SERVER
    agree(*results(started(START + servers + ON_WORKERS + END, tmp_path / "program.py")))


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("localhost", 0))
        return listener.getsockname()[1]


def test_a_loop_takes_the_items_of_a_distributed_iterator():
    strategy = tf.distribute.OneDeviceStrategy("CPU:0")
    batches = strategy.experimental_distribute_dataset(tf.data.Dataset.range(6).batch(2))

    def total(batches, turns):
        items, total = iter(batches), tf.constant(0, tf.int64)
        for _ in turns:
            total = total * 10 + tf.reduce_sum(next(items))
        return total

    assert int(gw.function(total)(batches, tf.range(3))) == int(total(batches, range(3))) == 159
