"""What `gw.function` makes is saved and loaded as a tf.function is, by TensorFlow and by Keras."""

from __future__ import annotations

import functools
import warnings
from pathlib import Path

import keras
import numpy as np
import pytest
import tensorflow as tf
from graphwright import RetracingWarning, function

plain = functools.partial(function, autograph=False)


class Scaler(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(2.0)
        self.free = plain(lambda x: x + 1)

    @plain(input_signature=[tf.TensorSpec([None], tf.float32)])
    def __call__(self, x):
        return x * self.w

    @plain
    def shifted(self, x, by=1.0):
        return self(x) + by


def test_a_module_is_saved_with_its_functions(tmp_path: Path):
    module = Scaler()
    module.shifted(tf.constant([1.0]), by=3.0)
    module.shifted(tf.constant([1.0]))
    module.free(tf.constant(1))
    tf.saved_model.save(module, str(tmp_path), signatures={"serve": module.__call__})
    loaded = tf.saved_model.load(str(tmp_path))
    assert loaded(tf.constant([1.0, 2.0])).numpy().tolist() == [2.0, 4.0]
    assert loaded.shifted(tf.constant([1.0]), by=3.0).numpy().tolist() == [5.0]
    assert loaded.shifted(tf.constant([1.0])).numpy().tolist() == [3.0]
    assert loaded.free(tf.constant(1)).numpy() == 2
    assert next(iter(loaded.signatures["serve"](tf.constant([4.0])).values())).numpy().tolist() == [8.0]
    assert function(loaded.free, autograph=False)(tf.constant(1)).numpy() == 2
    assert [trace.requested for trace in module.shifted.traces] == [False, False, True, True]
    assert {trace.cause.kind for trace in module.shifted.traces[2:]} == {"context"}


def test_concrete_functions_are_signatures(tmp_path: Path):
    module = Scaler()
    concrete = module.shifted.get_concrete_function(tf.TensorSpec([None], tf.float32))
    tf.saved_model.save(module, str(tmp_path), signatures=concrete)
    served = tf.saved_model.load(str(tmp_path)).signatures["serving_default"]
    assert next(iter(served(tf.constant([1.0])).values())).numpy().tolist() == [3.0]


def test_variables_made_in_a_call_are_saved(tmp_path: Path):
    class Lazy(tf.Module):
        w = None

        @plain
        def __call__(self, x):
            if self.w is None:
                self.w = tf.Variable(tf.ones_like(x) * 3)
            return x * self.w

    module = Lazy()
    module(tf.constant([1.0]))
    tf.saved_model.save(module, str(tmp_path / "model"))
    assert tf.saved_model.load(str(tmp_path / "model"))(tf.constant([2.0])).numpy().tolist() == [6.0]
    tf.train.Checkpoint(module=module).write(str(tmp_path / "checkpoint"))
    module.w.assign([0.0])
    tf.train.Checkpoint(module=module).read(str(tmp_path / "checkpoint")).assert_consumed()
    assert module.w.numpy().tolist() == [3.0]


class Net(keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.dense = keras.layers.Dense(1, kernel_initializer="ones")

    @plain
    def call(self, x):
        return self.dense(x)

    @plain
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(x, y, self(x, training=True))
        self.optimizer.apply_gradients(
            zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables, strict=True)
        )
        return {"loss": loss}


@pytest.fixture
def net() -> Net:
    """Trained from scratch: with tf.function, Keras finds no gradients, or none of the trained weights count."""
    made = Net()
    made.compile("sgd", "mse")
    x = np.ones([8, 3], np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.simplefilter("ignore", RetracingWarning)  # Each test makes a model of its own.
        made.fit(x, x[:, :1], epochs=2, batch_size=4, verbose=0)
    assert not np.allclose(made.dense.kernel, 1.0)
    return made


def test_keras_trains_and_predicts(net: Net):
    x = np.ones([2, 3], np.float32)
    assert np.allclose(net(x), net.dense(x))
    assert np.allclose(net.predict(x, verbose=0), net.dense(x))
    assert {trace.signature[0].kind for trace in net.call.traces} == {"tensor"}


def test_keras_saves_and_loads(net: Net, tmp_path: Path):
    x = np.ones([2, 3], np.float32)
    net.save(str(tmp_path / "net.keras"))
    loaded = keras.saving.load_model(str(tmp_path / "net.keras"), custom_objects={"Net": Net})
    assert np.allclose(loaded(x), net.dense(x))
    net.export(str(tmp_path / "exported"))
    served = tf.saved_model.load(str(tmp_path / "exported"))
    assert np.allclose(served.serve(tf.constant(x)), net.dense(x))


def test_keras_calls_with_other_weights(net: Net):
    x = np.ones([2, 3], np.float32)
    net(x)
    zeros = [tf.zeros(v.shape) for v in net.trainable_variables]
    assert np.allclose(net.stateless_call(zeros, [v.value for v in net.non_trainable_variables], x)[0], 0.0)


def test_keras_takes_one_as_loss_metric_and_activation():
    @plain
    def loss(y, p):
        return tf.reduce_mean(tf.abs(y - p))

    @plain
    def mean(y, p):
        return tf.reduce_mean(y - p)

    @plain
    def activation(x):
        return tf.nn.relu(x)

    model = keras.Sequential([keras.layers.Dense(1, activation=activation)])
    model.compile("sgd", loss=loss, metrics=[mean])
    x = np.ones([4, 2], np.float32)
    assert set(model.fit(x, x[:, :1], verbose=0).history) == {"loss", "mean"}


def test_an_export_archive_takes_one(tmp_path: Path):
    archive = keras.export.ExportArchive()
    layer = keras.layers.Dense(1, kernel_initializer="ones")
    layer.build((None, 3))
    archive.track(layer)
    archive.add_endpoint("serve", plain(lambda x: layer(x), input_signature=[tf.TensorSpec([None, 3])]))
    archive.write_out(str(tmp_path))
    assert tf.saved_model.load(str(tmp_path)).serve(tf.ones([1, 3])).numpy().tolist() == [[3.0]]


def test_keys_that_a_saved_model_has_no_room_for_are_refused_in_words(tmp_path: Path):
    @function
    def counted(xs):
        counts = {0: 0, 1: 0}
        for x in xs:
            if x > 0:
                counts[1] += 1
        return xs, [counts]

    module = tf.Module()
    module.run = counted
    module.run(tf.constant([1, -1]))
    with pytest.raises(TypeError, match=r"`.*counted` \(.*test_saving.py:\d+\) returns a dict with the key 0, but"):
        tf.saved_model.save(module, str(tmp_path))
