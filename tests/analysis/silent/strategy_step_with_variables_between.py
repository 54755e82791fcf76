"""Gradients put into variables under one strategy and applied under another, from an iterator that a step gets."""

import collections

import tensorflow as tf

Unroll = collections.namedtuple("Unroll", "state observations rewards")


class Agent(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(2)

    def initial_state(self, batch_size):
        return tf.zeros([batch_size, 2])

    def call(self, observations, state):
        return self.dense(observations) + state, state + 1.0


def learner_loop(strategy, training_strategy, steps=3, initial_cost=0.01):
    agent = Agent()
    specs = [None]
    with strategy.scope():

        @tf.function
        def create_variables(*args):
            return agent(*args)

        create_variables(tf.zeros([1, 3]), agent.initial_state(1))
        if not hasattr(agent, "entropy_cost"):
            agent.entropy_cost_param = tf.Variable(tf.math.log(initial_cost), trainable=True)
            agent.entropy_cost = lambda: tf.exp(agent.entropy_cost_param)
        temp_grads = [tf.Variable(tf.zeros_like(v), trainable=False) for v in agent.trainable_variables]
        iterations = tf.Variable(0, dtype=tf.int64, trainable=False)

    @tf.function
    def minimize(iterator):
        data = next(iterator)

        def compute_gradients(args):
            unroll = tf.nest.pack_sequence_as(specs[0], args)
            with tf.GradientTape() as tape:
                outputs, _ = agent(unroll.observations, unroll.state)
                loss = tf.reduce_mean(tf.square(outputs - unroll.rewards)) + agent.entropy_cost()
            for t, g in zip(temp_grads, tape.gradient(loss, agent.trainable_variables)):
                t.assign(g if g is not None else tf.zeros_like(t))
            return loss, {"entropy_cost": agent.entropy_cost()}

        loss, logs = training_strategy.run(compute_gradients, (data,))
        loss = training_strategy.experimental_local_results(loss)[0]

        def apply_gradients(_):
            for v, g in zip(agent.trainable_variables, temp_grads):
                v.assign_sub(0.1 * g)

        strategy.run(apply_gradients, (loss,))
        getattr(agent, "end_of_training_step_callback", lambda: None)()
        iterations.assign_add(1)
        return loss, logs

    unroll = Unroll(tf.zeros([2, 2]), tf.ones([2, 3]), tf.ones([2, 1]))
    specs[0] = tf.nest.map_structure(tf.type_spec_from_value, unroll)
    dataset = tf.data.Dataset.from_tensors(0).repeat(None).map(lambda _: tf.nest.flatten(unroll))
    it = iter(training_strategy.experimental_distribute_dataset(dataset))
    losses = []
    while iterations < steps:
        loss, logs = minimize(it)
        losses.append(float(loss))
        if int(iterations) % 2 == 0:
            print(int(iterations), {k: float(v) for k, v in logs.items()})
    return losses


def drive():
    one = tf.distribute.OneDeviceStrategy("cpu:0")
    losses = learner_loop(one, one)
    assert losses[-1] < losses[0]
