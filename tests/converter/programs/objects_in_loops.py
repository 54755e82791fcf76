"""Programs in which methods and a loop set the same object, or an attribute is None until a graph sets it."""

from __future__ import annotations

import enum

import tensorflow as tf
from differential import program


class Cursor:
    def __init__(self, tokens):
        self.tokens = tokens
        self.position = 0
        self.taken = 0

    def more(self):
        return self.position < len(self.tokens)

    def peek(self):
        return self.tokens[self.position]

    def take(self):
        self.taken += self.peek()
        self.position += 1


class Elevator:
    def __init__(self, floor):
        self.floor = floor
        self.moved = 0
        self.direction = 0

    def go(self, target):
        while self.floor != target:
            if self.floor < target:
                self.direction = 1
            else:
                self.direction = -1
            self.floor += self.direction
            self.moved += 1


class Best:
    def __init__(self):
        self.value = None
        self.seen = 0

    def offer(self, x):
        self.seen += 1
        if self.value is None or x > self.value:
            self.value = x


class Mean:
    def __init__(self):
        self.mean = None
        self.count = 0

    def update(self, x):
        if self.mean is None:
            self.mean = x
        else:
            self.mean = self.mean + (x - self.mean) / (self.count + 1)
        self.count += 1
        return x - self.mean


class Light(enum.Enum):
    RED = 1
    GREEN = 2


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Mode(str, enum.Enum):
    SLOW = "slow"
    FAST = "fast"


def keep(best, x):
    best.value = x


@program([5, 6, 7], [1])
def read_by_a_method_and_set_here(tokens):
    cursor = Cursor(tokens)
    total = 0
    for _ in tokens:
        total = total + cursor.peek()
        cursor.position += 1
    return total, cursor.position


@program([5, 6, 7], [1])
def set_by_a_method_and_here(tokens):
    cursor = Cursor(tokens)
    for token in tokens:
        cursor.take()
        cursor.taken += token * 10
    return cursor.taken, cursor.position


@program([5], [2, 2], [2, -1, 3, 9])
def asked_by_a_method_and_left(tokens):
    cursor = Cursor(tokens)
    total = 0
    while cursor.more():
        total = total + tokens[cursor.position]
        cursor.position += 1
        if total > 4:
            break
    return total


@program([3, 1, 4], [2])
def loop_in_a_method_and_text_here(calls):
    elevator = Elevator(0)
    stops = []
    for call in calls:
        elevator.go(call)
        stops.append(elevator.moved)
        elevator.direction = 0
    return elevator.floor, stops, elevator.direction


@program([1.0, 5.0, 3.0], [1.0])
def none_until_a_function_sets_it(xs):
    best = Best()
    for x in xs:
        if x > 2:
            keep(best, x)
    if best.value is None:
        return tf.constant(-1.0)
    return best.value


@program([1.0, 5.0, 3.0], [1.0])
def none_until_a_method_sets_it(xs):
    best = Best()
    for x in xs:
        if x > 2:
            best.offer(x)
    if best.value is None:
        return tf.constant(-1.0), best.seen
    return best.value, best.seen


@program([1.0, 50.0, 3.0], [1.0])
def none_until_it_is_not_skipped(xs):
    norm = Mean()
    outs = []
    for x in xs:
        if x > 10:
            continue
        outs.append(norm.update(x))
    return outs, norm.count, norm.mean


@program(3, -3)
def number_of_an_enumeration(x):
    level = Level.HIGH if x > 0 else Level.LOW
    for _ in tf.range(2):
        if level == Level.HIGH:
            x += 10
            level = Level.LOW
    return x, level


@program(3, -3)
def text_of_an_enumeration(x):
    mode = Mode.SLOW
    if x > 0:
        mode = Mode.FAST
    return mode == Mode.FAST, mode == "slow"


def light_for(x):
    if x > 0:
        return Light.GREEN
    return Light.RED


class Crossing:
    def __init__(self):
        self.light = Light.RED

    def step(self, x):
        if self.light is Light.RED and x > 0:
            self.light = Light.GREEN
        elif x < 0:
            self.light = Light.RED


@program(3, -3)
def member_of_an_enumeration(x):
    light = Light.RED
    if x > 0:
        light = Light.GREEN
    return light == Light.GREEN, light is Light.RED, light is not Light.RED, light.value, light in (Light.RED, None)


@program(3, -3)
def member_that_a_function_gives(x):
    light = light_for(x)
    if light is Light.GREEN:
        y = x
    else:
        y = x * 2
    match light:
        case Light.GREEN:
            y += 100
        case _:
            y += 200
    return y, light.name, light != Light.RED


@program([1.0, -1.0, -1.0, 1.0, 2.0])
def member_on_an_object(xs):
    crossing = Crossing()
    green = 0
    values = []
    for x in xs:
        crossing.step(x)
        if crossing.light is Light.GREEN:
            green += 1
        values.append(crossing.light.value)
    return green, crossing.light is Light.RED, values


@program(3, refused="TypeError: has no text: write its `.name`")
def text_of_a_member(x):
    return f"{light_for(x)}"


@program(3, refused="TypeError: has no text: write its `.name`")
def printed_member(x):
    print(light_for(x))
    return x


@program(3, refused="TypeError: can't be a key or in a set: compare it with each member")
def member_as_a_key(x):
    return {Light.RED: 1, Light.GREEN: 2}[light_for(x)]


class Corridor:
    def __init__(self, size):
        self.size = size
        self.place = tf.constant(0)

    def step(self, forward):
        self.place = tf.clip_by_value(self.place + (1 if forward else -1), 0, self.size)
        return self.place, self.place == self.size


@program(20, 3)
def steps_of_an_object_until_it_is_done(n):
    corridor, taken = Corridor(4), []
    for i in range(n):
        place, done = corridor.step(i % 3 != 2)
        taken.append((place, i))
        if done:
            break
    return corridor.place, len(taken), [place + i for place, i in taken]
