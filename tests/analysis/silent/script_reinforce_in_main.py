"""Policy gradients over episodes that Python plays."""

import tensorflow as tf


def returns_of(rewards, gamma):
    total, found = 0.0, []
    for reward in reversed(rewards):
        total = reward + gamma * total
        found.append(total)
    return found[::-1]


def main(episodes=3):
    policy = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(4), tf.keras.layers.Dense(2)])
    optimizer = tf.keras.optimizers.Adam(1e-2)

    @tf.function(reduce_retracing=True)
    def update(states, actions, returns):
        with tf.GradientTape() as tape:
            logs = tf.nn.log_softmax(policy(states, training=True))
            chosen = tf.gather(logs, actions, batch_dims=1)
            loss = -tf.reduce_mean(chosen * returns)
        grads = tape.gradient(loss, policy.trainable_variables)
        optimizer.apply_gradients(zip(grads, policy.trainable_variables))
        return loss

    for _ in range(episodes):
        states, actions, rewards = [], [], []
        for t in range(4):
            states.append([0.1 * t, 1.0])
            actions.append(t % 2)
            rewards.append(1.0)
        update(tf.constant(states), tf.constant(actions), tf.constant(returns_of(rewards, 0.9)))


def drive():
    main()
