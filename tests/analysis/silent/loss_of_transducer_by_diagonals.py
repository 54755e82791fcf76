"""A loss over a lattice of alignments: TensorArrays in `tf.while_loop`, sizes taken statically where they are known."""

import tensorflow as tf

LOG_0 = -1e30


def shape_list(x):
    static, dynamic = x.shape.as_list(), tf.shape(x)
    return [dynamic[i] if s is None else s for i, s in enumerate(static)]


def reduce_logsumexp_pair(a, b):
    biggest = tf.maximum(a, b)
    return biggest + tf.math.log(tf.exp(a - biggest) + tf.exp(b - biggest))


def forward(blank, truth):
    """Return log probabilities of all paths, from those of blanks [B, T, U] and labels [B, T, U - 1]."""
    batch, t_max, u_max = shape_list(blank)
    columns = tf.TensorArray(blank.dtype, size=t_max, clear_after_read=False)
    first = tf.pad(tf.cumsum(truth[:, 0], axis=-1), [[0, 0], [1, 0]])
    columns = columns.write(0, first)

    def over_time(t, columns):
        stay = columns.read(t - 1) + blank[:, t - 1]
        row = tf.TensorArray(blank.dtype, size=u_max, element_shape=[None])
        row = row.write(0, stay[:, 0])

        def over_labels(u, last, row):
            last = reduce_logsumexp_pair(stay[:, u], last + truth[:, t, u - 1])
            return u + 1, last, row.write(u, last)

        _, _, row = tf.while_loop(lambda u, *_: u < u_max, over_labels, (1, stay[:, 0], row))
        return t + 1, columns.write(t, tf.transpose(row.stack()))

    _, columns = tf.while_loop(lambda t, *_: t < t_max, over_time, (1, columns))
    return tf.transpose(columns.stack(), [1, 0, 2])


def transducer_loss(logits, labels, label_lengths, logit_lengths):
    log_probs = tf.nn.log_softmax(logits)
    batch, t_max, u_max, _ = shape_list(log_probs)
    indices = tf.repeat(labels[:, tf.newaxis, :, tf.newaxis], t_max, axis=1)
    truth = tf.squeeze(tf.gather(log_probs[:, :, :-1], indices, batch_dims=3), axis=-1)
    mask = tf.sequence_mask(label_lengths, u_max - 1)[:, tf.newaxis]
    truth = tf.where(mask, truth, LOG_0)
    alpha = forward(log_probs[..., 0], truth)
    last = tf.stack([tf.range(batch), logit_lengths - 1, label_lengths], axis=-1)
    return -(tf.gather_nd(alpha, last) + tf.gather_nd(log_probs[..., 0], last))


@tf.function
def value_and_gradient(logits, labels, label_lengths, logit_lengths):
    with tf.GradientTape() as tape:
        tape.watch(logits)
        loss = tf.reduce_mean(transducer_loss(logits, labels, label_lengths, logit_lengths))
    return loss, tape.gradient(loss, logits)


def drive():
    lengths = tf.constant([2, 1]), tf.constant([4, 3])
    loss, gradient = value_and_gradient(tf.zeros([2, 4, 3, 5]), tf.constant([[1, 2], [3, 0]]), *lengths)
    assert gradient.shape == [2, 4, 3, 5] and float(loss) > 0.0
