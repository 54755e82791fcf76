"""Greedy decoding whose loop carries a namedtuple, TensorArrays and the states of a cell."""

import collections

import tensorflow as tf

Hypothesis = collections.namedtuple("Hypothesis", ("index", "prediction", "states"))


class Transducer(tf.keras.Model):
    def __init__(self, vocab=5, units=4, blank=0):
        super().__init__()
        self.blank = blank
        self.embedding = tf.keras.layers.Embedding(vocab, units)
        self.cell = tf.keras.layers.LSTMCell(units)
        self.joint = tf.keras.layers.Dense(vocab)

    def get_initial_state(self, batch_size=1):
        return [tf.zeros([batch_size, self.cell.units]) for _ in range(2)]

    def decoder_inference(self, encoded, predicted, states):
        y = self.embedding(tf.reshape(predicted, [1]))
        y, states = self.cell(y, states)
        return tf.reshape(tf.nn.log_softmax(self.joint(tf.concat([encoded[tf.newaxis], y], -1))), [-1]), states

    def _greedy(self, encoded, encoded_length, predicted, states, swap_memory=False):
        with tf.name_scope("greedy"):
            time, total = tf.constant(0, tf.int32), encoded_length
            hypothesis = Hypothesis(
                index=predicted,
                prediction=tf.TensorArray(tf.int32, size=total, dynamic_size=False, element_shape=tf.TensorShape([])),
                states=states,
            )

            def condition(_time, _hypothesis):
                return tf.less(_time, total)

            def body(_time, _hypothesis):
                output, states = self.decoder_inference(
                    tf.gather(encoded, _time), _hypothesis.index, _hypothesis.states
                )
                predict = tf.argmax(output, axis=-1, output_type=tf.int32)
                equal = tf.equal(predict, self.blank)
                index = tf.where(equal, _hypothesis.index, predict)
                states = tf.nest.map_structure(lambda new, old: tf.where(equal, old, new), states, _hypothesis.states)
                prediction = _hypothesis.prediction.write(_time, predict)
                return _time + 1, Hypothesis(index=index, prediction=prediction, states=states)

            _, hypothesis = tf.while_loop(
                condition, body, loop_vars=[time, hypothesis], parallel_iterations=10, swap_memory=swap_memory
            )
            return Hypothesis(hypothesis.index, hypothesis.prediction.stack(), hypothesis.states)

    @tf.function(input_signature=[tf.TensorSpec([None, None, 3]), tf.TensorSpec([None], tf.int32)])
    def recognize(self, encoded, lengths):
        batch = tf.shape(encoded)[0]
        decoded = tf.TensorArray(tf.int32, size=batch, infer_shape=False, element_shape=[None])
        for b in tf.range(batch):
            hypothesis = self._greedy(encoded[b], tf.shape(encoded)[1], tf.constant(0), self.get_initial_state())
            decoded = decoded.write(b, tf.where(tf.range(tf.shape(encoded)[1]) < lengths[b], hypothesis.prediction, 0))
        return decoded.stack()


def drive():
    model = Transducer()
    assert model.recognize(tf.ones([2, 4, 3]), tf.constant([4, 2])).shape == [2, 4]
    assert model.recognize(tf.ones([1, 2, 3]), tf.constant([2])).shape == [1, 2]
