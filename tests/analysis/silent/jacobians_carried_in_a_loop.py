"""A loop with a custom gradient, whose body takes a tape's Jacobians and multiplies nested lists of blocks."""

import tensorflow as tf


def unit_jacobian(state):
    dims = [s.shape.as_list()[-1] for s in state]
    if None in dims:
        raise ValueError("Last dimensions of the state must be known.")

    def block(i, j):
        shape = state[i].shape.concatenate((dims[j],))
        if i != j:
            return tf.zeros(shape, dtype=state[0].dtype)
        return tf.broadcast_to(tf.eye(dims[i], dtype=state[0].dtype), shape)

    return [[block(i, j) for j in range(len(state))] for i in range(len(state))]


def batch_jacobian(y, x, tape):
    grads = []
    for i in range(y.shape.as_list()[-1]):
        w = tf.broadcast_to(tf.one_hot(i, y.shape[-1], dtype=y.dtype), y.shape)
        grads.append(tape.gradient(y, x, output_gradients=w, unconnected_gradients=tf.UnconnectedGradients.ZERO))
    return tf.stack(grads, axis=-2)


def block_matmul(m1, m2):
    if isinstance(m1, tf.Tensor):
        assert isinstance(m2, tf.Tensor)
        return tf.matmul(m1, m2)
    columns = 0 if len(m2) == 0 else len(m2[0])
    return [
        [tf.math.add_n([block_matmul(row[k], m2[k][j]) for k in range(len(m2))]) for j in range(columns)] for row in m1
    ]


def for_loop(body_fn, initial_state, num_iterations):
    @tf.custom_gradient
    def inner(*state):
        def while_cond(i, state, jac):
            del state, jac
            return i < num_iterations

        def while_body(i, state, jac):
            with tf.GradientTape(persistent=True) as tape:
                tape.watch(state)
                next_state = tuple(body_fn(i, state))
            step = [[batch_jacobian(y, x, tape) for x in state] for y in next_state]
            return i + 1, next_state, block_matmul(step, jac)

        _, state, jac = tf.while_loop(
            while_cond, while_body, (0, state, unit_jacobian(state)), maximum_iterations=num_iterations
        )

        def gradient(*ws):
            product = block_matmul([[tf.expand_dims(w, axis=-2) for w in ws]], jac)[0]
            return [tf.squeeze(t, axis=-2) for t in product]

        return state, gradient

    return inner(*initial_state)


@tf.function
def growth(x, v):
    with tf.GradientTape() as tape:
        tape.watch([x, v])
        x1, v1 = for_loop(lambda i, s: (s[0] + 0.1 * s[1], s[1] * 0.9), (x, v), 3)
        total = tf.reduce_sum(x1) + tf.reduce_sum(v1)
    return tape.gradient(total, [x, v])


def drive():
    dx, dv = growth(tf.ones([2, 3]), tf.ones([2, 3]))
    assert abs(float(dx[0, 0]) - 1.0) < 1e-5 and abs(float(dv[0, 0]) - (0.271 + 0.729)) < 1e-5
