"""Beam search over a table of transitions, which stops as soon as every beam has ended."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

VOCABULARY, BEAMS, STEPS, END = 64, 8, 30, 0


def arguments() -> tuple[Any, ...]:
    random = tf.random.Generator.from_seed(2)
    return tf.nn.log_softmax(random.normal([VOCABULARY, VOCABULARY]) * 3), tf.constant(5)


def plain(transitions, start):
    closed = tf.one_hot([END], VOCABULARY, 0.0, -1e9)
    scores = tf.constant([0.0] + [-1e9] * (BEAMS - 1))
    last = tf.fill([BEAMS], start)
    paths = tf.fill([BEAMS, STEPS], END)
    used = 0
    for step in tf.range(STEPS):
        ended = tf.logical_and(step > 0, last == END)
        if tf.reduce_all(ended):
            break
        following = tf.where(ended[:, None], closed, tf.gather(transitions, last))
        scores, chosen = tf.math.top_k(tf.reshape(scores[:, None] + following, [-1]), BEAMS)
        last = chosen % VOCABULARY
        paths = tf.gather(paths, chosen // VOCABULARY)
        paths = tf.where(tf.range(STEPS) == step, last[:, None], paths)
        used += 1
    return paths, scores, used


def handwritten(transitions, start):
    closed = tf.one_hot([END], VOCABULARY, 0.0, -1e9)

    def ended(step, last):
        return tf.logical_and(step > 0, last == END)

    def unfinished(step, scores, last, paths):
        return tf.logical_and(step < STEPS, tf.logical_not(tf.reduce_all(ended(step, last))))

    def turn(step, scores, last, paths):
        following = tf.where(ended(step, last)[:, None], closed, tf.gather(transitions, last))
        scores, chosen = tf.math.top_k(tf.reshape(scores[:, None] + following, [-1]), BEAMS)
        last = chosen % VOCABULARY
        paths = tf.gather(paths, chosen // VOCABULARY)
        paths = tf.where(tf.range(STEPS) == step, last[:, None], paths)
        return step + 1, scores, last, paths

    scores = tf.constant([0.0] + [-1e9] * (BEAMS - 1))
    state = (0, scores, tf.fill([BEAMS], start), tf.fill([BEAMS, STEPS], END))
    used, scores, _, paths = tf.while_loop(unfinished, turn, state)
    return paths, scores, used
