"""A loss class composed by a mixin and a registry, whose kernels come from a table of functions."""

import tensorflow as tf

REGISTRY = {}


def register(name):
    def decorator(cls):
        REGISTRY[name] = cls
        return cls

    return decorator


def gaussian_kernel(kernel_size, channels):
    mean = (kernel_size - 1) / 2.0
    grid = tf.range(0, kernel_size, dtype=tf.float32)
    filters = tf.exp(-tf.square(grid - mean) / (2 * (kernel_size / 3) ** 2))
    filters = filters[:, None] * filters[None, :]
    return tf.tile(filters[:, :, None, None], [1, 1, channels, 1]), tf.reduce_sum(filters) * channels


def rectangular_kernel(kernel_size, channels):
    return tf.ones([kernel_size, kernel_size, channels, 1]), tf.cast(kernel_size**2 * channels, tf.float32)


class NegativeLossMixin(tf.keras.losses.Loss):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.name = self.name + "_loss"

    def call(self, y_true, y_pred):
        return -super().call(y_true=y_true, y_pred=y_pred)


class CrossCorrelation(tf.keras.losses.Loss):
    kernel_fn_dict = dict(gaussian=gaussian_kernel, rectangular=rectangular_kernel)

    def __init__(self, kernel_size=3, kernel_type="rectangular", reduction="sum", name="lncc"):
        super().__init__(reduction=reduction, name=name)
        if kernel_type not in self.kernel_fn_dict.keys():
            raise ValueError(f"Wrong kernel_type {kernel_type}. Feasible values are {self.kernel_fn_dict.keys()}")
        self.kernel_fn, self.kernel_size = self.kernel_fn_dict[kernel_type], kernel_size

    def call(self, y_true, y_pred):
        if len(y_true.shape) == 3:
            y_true, y_pred = tf.expand_dims(y_true, axis=3), tf.expand_dims(y_pred, axis=3)
        assert len(y_true.shape) == len(y_pred.shape) == 4
        filters, volume = self.kernel_fn(kernel_size=self.kernel_size, channels=y_true.shape[3])
        t_sum, p_sum, t2_sum, p2_sum, tp_sum = (
            tf.nn.conv2d(x, filters, strides=[1, 1, 1, 1], padding="SAME")
            for x in (y_true, y_pred, y_true * y_true, y_pred * y_pred, y_true * y_pred)
        )
        t_avg, p_avg = t_sum / volume, p_sum / volume
        cross = tp_sum - p_avg * t_sum
        ncc = (cross * cross + 1e-5) / ((t2_sum - t_avg * t_sum) * (p2_sum - p_avg * p_sum) + 1e-5)
        return tf.reduce_mean(ncc, axis=[1, 2, 3])


@register("lncc")
class CrossCorrelationLoss(NegativeLossMixin, CrossCorrelation):
    pass


class Warp(tf.keras.Model):
    def __init__(self, config):
        super().__init__()
        self.shift = self.add_weight(shape=(2, 4, 4), initializer="zeros", name="shift")
        self.config, self.loss_fns = config, {n: REGISTRY[n](**c["settings"]) for n, c in config.items()}

    def call(self, image):
        return image + self.shift

    def train_step(self, data):
        moving, fixed = data
        with tf.GradientTape() as tape:
            loss = tf.constant(0.0)
            for name, loss_fn in self.loss_fns.items():
                loss += loss_fn(fixed, self(moving)) * self.config[name]["weight"]
        self.optimizer.apply(tape.gradient(loss, self.trainable_variables), self.trainable_variables)
        return {"loss": loss}


def drive():
    for kind in ("gaussian", "rectangular"):
        model = Warp({"lncc": {"weight": 0.5, "settings": {"kernel_type": kind}}})
        model.compile(tf.keras.optimizers.SGD(0.1))
        model.fit(tf.random.uniform([4, 4, 4]), tf.random.uniform([4, 4, 4]), batch_size=2, verbose=0)
    assert model.loss_fns["lncc"].name == "lncc_loss"
