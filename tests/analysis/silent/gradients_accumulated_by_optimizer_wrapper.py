"""Mixed precision by hand: a scaled loss, gradients accumulated in variables made when they are first known."""

import tensorflow as tf


class GradientAccumulator:
    def __init__(self, trainable_variables):
        self.gradients = [
            tf.Variable(
                tf.zeros_like(v, dtype=tf.float32), trainable=False, synchronization=tf.VariableSynchronization.ON_READ
            )
            for v in trainable_variables
        ]
        self.total = tf.Variable(0, dtype=tf.int32, trainable=False)

    def accumulate(self, per_step):
        self.total.assign_add(1)
        for accumulated, gradient in zip(self.gradients, per_step):
            if gradient is not None:
                accumulated.assign_add(tf.cast(gradient, tf.float32), read_value=False)

    def reset(self):
        self.total.assign(0)
        for gradient in self.gradients:
            gradient.assign(tf.zeros_like(gradient), read_value=False)


class Model(tf.keras.Model):
    def __init__(self):
        super().__init__(dtype="mixed_float16")
        self.dense = tf.keras.layers.Dense(3, dtype="mixed_float16")
        self.out = tf.keras.layers.Dense(1, dtype="float32")
        self.use_ga, self.loss_scale = False, tf.constant(8.0)

    def add_accumulator(self, ga_steps=None):
        self.ga_steps = ga_steps
        self.use_ga = isinstance(ga_steps, int) and ga_steps > 1
        if self.use_ga:
            self.ga = GradientAccumulator(self.trainable_variables)

    def call(self, inputs, training=False):
        hidden = self.dense(inputs)
        assert hidden.dtype == tf.float16
        return self.out(hidden)

    def _gradients(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.compute_loss(x=x, y=y, y_pred=self(x, training=True))
            scaled = loss * self.loss_scale
        gradients = tape.gradient(scaled, self.trainable_variables)
        return loss, [None if g is None else g / tf.cast(self.loss_scale, g.dtype) for g in gradients]

    def _apply_accumulated(self):
        self.optimizer.apply(self.ga.gradients, self.trainable_variables)
        self.ga.reset()

    def train_step(self, data):
        x, y = data
        loss, gradients = self._gradients(x, y)
        if self.use_ga:
            self.ga.accumulate(gradients)
            tf.cond(self.ga.total >= self.ga_steps, self._apply_accumulated, lambda: None)
        else:
            self.optimizer.apply(gradients, self.trainable_variables)
        return {"loss": loss}


def drive():
    for steps in (None, 2):
        model = Model()
        model(tf.ones([1, 3]))
        model.add_accumulator(steps)
        optimizer = tf.keras.optimizers.SGD(0.01)
        optimizer.build(model.trainable_variables)
        model.compile(optimizer, "mse")
        model.fit(tf.ones([4, 3]), tf.zeros([4, 1]), batch_size=1, verbose=0)
