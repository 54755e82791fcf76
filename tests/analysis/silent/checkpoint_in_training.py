"""Training that goes on where its checkpoint stopped: saved in Python, between calls of the traced step."""

import tempfile

import tensorflow as tf


class Checkpointer:
    def __init__(self, folder, max_to_keep=2, **kwargs):
        self._checkpoint = tf.train.Checkpoint(**kwargs)
        if not tf.io.gfile.exists(folder):
            tf.io.gfile.makedirs(folder)
        self._manager = tf.train.CheckpointManager(self._checkpoint, directory=folder, max_to_keep=max_to_keep)
        self._exists = self._manager.latest_checkpoint is not None
        self._load_status = self._checkpoint.restore(self._manager.latest_checkpoint)

    @property
    def exists(self):
        return self._exists

    def save(self, global_step):
        self._manager.save(checkpoint_number=global_step)
        self._exists = True


def run(folder, steps):
    weight, optimizer = tf.Variable(1.0), tf.keras.optimizers.SGD(0.1)
    optimizer.build([weight])
    global_step = tf.Variable(0, dtype=tf.int64, trainable=False)
    checkpointer = Checkpointer(folder, weight=weight, step=global_step)

    @tf.function
    def train_step(x):
        with tf.GradientTape() as tape:
            loss = (weight * x - 1.0) ** 2
        optimizer.apply_gradients([(tape.gradient(loss, weight), weight)])
        global_step.assign_add(1)
        return loss

    while global_step < steps:
        loss = train_step(tf.constant(2.0))
        if int(global_step) % 2 == 0:
            checkpointer.save(global_step)
            print(f"step {int(global_step)}: loss {float(loss):.3f}")
    return checkpointer.exists, int(global_step)


def drive():
    with tempfile.TemporaryDirectory() as folder:
        assert run(folder, 3) == (True, 3)
        assert run(folder, 6) == (True, 6)
