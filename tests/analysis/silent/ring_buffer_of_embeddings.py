"""A queue of fixed capacity in variables, filled and read eagerly and looked up in a graph."""

import tensorflow as tf


class FIFOQueue(tf.Module):
    def __init__(self, capacity, dtype, dims=()):
        super().__init__()
        self.capacity, self.dims = capacity, list(dims)
        self.first = tf.Variable(0, trainable=False)
        self.next = tf.Variable(0, trainable=False)
        self.full = tf.Variable(False, trainable=False)
        self.storage = tf.Variable(tf.zeros([capacity] + self.dims, dtype=dtype) - 1, trainable=False)

    def enqueue_many(self, vals):
        assert list(vals.shape[1:]) == self.dims, "The shape of vals and self.dims should match"
        vals = vals[-self.capacity :]
        num_vals = int(tf.shape(vals)[0])
        end = self.next + num_vals
        if end < self.capacity:
            self.storage[self.next : end].assign(vals)
            if self.full or (self.next < self.first and end >= self.first):
                self.first.assign(end)
                self.full.assign(True)
        else:
            overplus = end - self.capacity
            self.storage[self.next : self.capacity].assign(vals[: num_vals - overplus])
            end = overplus
            self.storage[0:end].assign(vals[num_vals - overplus :])
            if self.full or end >= self.first:
                self.first.assign(end)
                self.full.assign(True)
        self.next.assign(end)

    def list_all(self):
        if self.first < self.next:
            return self.storage[self.first : self.next]
        elif self.first == self.next and not self.full:
            return self.storage[0:0]
        return tf.concat([self.storage[self.first :], self.storage[: self.next]], axis=0)

    @tf.function
    def index_of(self, ids):
        equal = tf.cast(tf.equal(self.storage, tf.expand_dims(ids, -1)), tf.int32)
        extended = tf.concat([tf.zeros(shape=(tf.shape(equal)[0], 1), dtype=tf.int32), equal], axis=1)
        return tf.argmax(extended, axis=1) - 1


def drive():
    queue = FIFOQueue(5, tf.int64)
    for start in range(0, 9, 3):
        queue.enqueue_many(tf.range(start, start + 3, dtype=tf.int64))
    assert list(queue.list_all().numpy()) == [4, 5, 6, 7, 8]
    assert list(queue.index_of(tf.constant([8, 99], tf.int64)).numpy()) == [3, -1]
