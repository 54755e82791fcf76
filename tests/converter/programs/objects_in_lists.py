"""Objects of dataclasses as elements of lists that the graph makes longer, which hold copies of them."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any

import tensorflow as tf
from differential import program

CHANGED = "TypeError: a list, dict or object changes in place that is an element of a list which the graph makes longer"
AGAIN = "TypeError: a list, dict or object changes in each iteration and is an element of a list"


@dataclasses.dataclass
class Step:
    state: Any
    reward: Any
    discount: float = 0.9

    def discounted(self):
        return self.reward * self.discount

    def add(self, x):
        self.reward = self.reward + x


@dataclasses.dataclass(frozen=True, slots=True)
class Pair:
    step: Step
    both: tuple


@program([1.0, 4.0, 2.0, 5.0], [9.0])
def rollout(xs):
    steps = []
    total = 0.0
    for x in xs:
        total += x
        steps.append(Step(tf.stack([total, x]), x))
        if total > 6:
            break
    back = 0.0
    for step in reversed(steps):
        back = step.discounted() + 0.5 * back
    best = max(steps, key=lambda step: step.reward)
    return back, len(steps), tf.stack([step.state for step in steps]), best.state, steps[-1].reward


@program([1.0, 4.0], [5.0, 2.0])
def objects_in_objects(xs):
    pairs = [Pair(Step(xs[0], 1.0), (1.0, xs[1]))]
    for x in xs:
        if x > 1:
            pairs.append(Pair(Step(x, x * 2), (x, x + 1)))
    first = pairs.pop(0)
    return first.step.reward, first.both[1], sum(pair.step.reward + pair.both[0] for pair in pairs)


@program([1.0, 4.0])
def copies_of_one(xs):
    step, steps = Step(xs[0], 0.0), []
    for x in xs:
        step.add(x)
        steps.append(copy.copy(step))
    return [step.reward for step in steps], step.reward


@program([1.0, 4.0], refused=CHANGED)
def changed_after_it_is_appended(xs):
    steps = []
    for x in xs:
        step = Step(x, x)
        steps.append(step)
        step.add(1.0)
    return steps[0].reward


@program([1.0, 4.0], refused=CHANGED)
def changed_where_it_is_read(xs):
    steps = []
    for x in xs:
        steps.append(Step(x, x))
    steps[0].add(1.0)
    return steps[0].reward


@program([1.0, 4.0], refused=CHANGED)
def changed_by_the_name_that_it_had_before(xs):
    step = Step(xs[0], xs[0])
    steps = [step]
    for x in xs:
        step.add(x)
        steps.append(Step(x, x))
    return steps[0].reward


@program([1.0, 4.0], refused=AGAIN)
def one_that_is_appended_again(xs):
    step, steps = Step(xs[0], xs[0]), []
    for x in xs:
        step.add(x)
        steps.append(step)
    return steps[0].reward
