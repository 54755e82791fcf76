"""Programs in which the graph chooses one of a few objects: what is set in the chosen one is set in that object."""

from __future__ import annotations

import dataclasses

import tensorflow as tf
from differential import program


class Account:
    def __init__(self, name, balance):
        self.name = name
        self.balance = balance
        self.log = []
        self.friend = None

    def deposit(self, x):
        if x > 100:
            self.balance = self.balance + x * 2
        else:
            self.balance += x
        return self.balance

    @property
    def is_rich(self):
        return self.balance > 50

    def __add__(self, other):
        return self.balance + other.balance


@dataclasses.dataclass
class Point:
    x: float
    y: float

    def move(self, by):
        self.x += by
        return self


def two():
    return Account("first", tf.constant(1)), Account("second", tf.constant(2))


@program(3, -3)
def set_in_one_of_two(x):
    one, other = two()
    chosen = one if x > 0 else other
    chosen.balance = chosen.balance + x
    return one.balance, other.balance, chosen.balance


@program(3, -3)
def bound_on_both_sides(x):
    one, other = two()
    if x > 0:
        chosen = one
    else:
        chosen = other
    chosen.deposit(x)
    return one.balance, other.balance


@program([1, 2, 30, 60, 101])
def one_of_a_list(xs):
    accounts = [Account("a", tf.constant(0)), Account("b", tf.constant(10)), Account("c", tf.constant(20))]
    rich = 0
    for x in xs:
        account = accounts[x % 3]
        account.deposit(x)
        if account.is_rich:
            rich += 1
    return [account.balance for account in accounts], rich


@program([1, 2, 3, 4])
def players_take_turns(xs):
    players = [Account("a", tf.constant(0)), Account("b", tf.constant(0))]
    turn = 0
    for x in xs:
        players[turn].balance += x
        turn = 1 - turn
    return players[0].balance, players[1].balance


@program([1, 2, 3, 4, 5])
def carried_by_a_loop(xs):
    players = [Account("a", tf.constant(0)), Account("b", tf.constant(0))]
    current = players[0]
    for x in xs:
        current.balance += x
        if x % 2 == 0:
            current = players[1] if current is players[0] else players[0]
    return players[0].balance, players[1].balance, current.balance


@program(3, -3)
def which_it_is(x):
    one, other = two()
    chosen = one if x > 0 else other
    return chosen.name == "first", chosen is one, chosen is not other, chosen == one, chosen + other


@program(3, -3)
def set_in_the_friend_of_one(x):
    one, other = two()
    one.friend, other.friend = other, one
    chosen = one if x > 0 else other
    chosen.friend.balance = chosen.friend.balance * 10
    return one.balance, other.balance


@program(0, 1, 2)
def none_or_one_of_two(x):
    one, other = two()
    chosen = None
    if x > 1:
        chosen = one
    elif x > 0:
        chosen = other
    if chosen is not None:
        chosen.balance = x * 7
    return one.balance, other.balance


@program(0, 1)
def dataclasses_in_a_loop(x):
    one, other = Point(1.0, 2.0), Point(3.0, 4.0)
    for i in tf.range(3):
        chosen = one if (x + i) % 2 == 0 else other
        chosen.move(1.0)
    return one.x, other.x


@program(0, 1, 2)
def chosen_twice(x):
    one, other = Point(1.0, 2.0), Point(3.0, 4.0)
    chosen = one if x > 0 else other
    chosen = chosen if x > 1 else Point(9.0, 9.0)
    chosen.x = 7.0
    return one.x, other.x, chosen.x


@program(1.0, -1.0)
def best_of_a_few(x):
    one, other = Point(1.0, 2.0), Point(3.0, 4.0)
    best = one
    for each in (one, other, Point(0.0, 1.0)):
        if each.x * x > best.x * x:
            best = each
    best.y = 100.0
    return one.y, other.y, best.x


@program([1, 0, 1, 1, 1, 1])
def walk_of_a_linked_list(xs):
    head = Account("head", tf.constant(1))
    current = head
    for i in range(3):
        current.friend = Account("next", tf.constant(i + 5))
        current = current.friend
    current, total = head, 0
    for x in xs:
        if x > 0:
            total += current.balance
            if current.friend is not None:
                current = current.friend
    return total


@program(1, 2)
def chosen_by_a_function(x):
    def pick(first, one, other):
        if first:
            return one
        return other

    one, other = two()
    pick(x > 1, one, other).deposit(x)
    return one.balance, other.balance


@program(3, -3)
def attribute_that_none_has(x):
    one, other = two()
    chosen = one if x > 0 else other
    chosen.tag = x
    return chosen.tag


@program(3, -3)
def list_of_one_of_two(x):
    one, other = two()
    chosen = one if x > 0 else other
    chosen.log.append(x)
    return one.log, other.log


@program(3, refused="TypeError: so it can't be a key or in a set")
def chosen_as_a_key(x):
    one, other = two()
    return {one: 1, other: 2}[one if x > 0 else other]


@program(2, 3, 9)
def which_the_walk_ends_at(k):
    third = Account("third", tf.constant(3))
    second = Account("second", tf.constant(2))
    first = Account("first", tf.constant(1))
    first.friend, second.friend = second, third
    current = first
    while current is not None and current.balance < k:
        current = current.friend
    return current is second, current is third


@program(3, -3)
def what_is_in_a_list_of_one_of_two(x):
    one, other = two()
    one.log, other.log = [1, 2], [3, 4]
    chosen = one if x > 0 else other
    total = 0
    for each in chosen.log:
        total += each
    return total, len(chosen.log), chosen.log[0], 3 in chosen.log, sum(chosen.log), chosen.log


class Node:
    def __init__(self, v, next=None):
        self.v = v
        self.next = next


def numbers():
    return Node(tf.constant(1), Node(tf.constant(3), Node(tf.constant(5))))


@program(4, 2, 9)
def inserted_into_a_linked_list(x):
    head = numbers()
    node = head
    while node.next is not None and node.next.v < x:
        node = node.next
    node.next = Node(x, node.next)
    total, node, power = 0, head, 1
    for _ in range(4):
        total += node.v * power
        power *= 10
        node = node.next
    return total


@program(4, 2, 9)
def removed_from_a_linked_list(x):
    head = numbers()
    node = head
    while node.next is not None and node.next.v < x:
        node = node.next
    if node.next is not None:
        node.next = node.next.next
    total, node = 0, head
    while node is not None:
        total = total * 10 + node.v
        node = node.next
    return total


@program(7, 3)
def identity_of_a_name_without_a_value(x):
    one, other = two()
    if x > 5:
        chosen = one
    return chosen is other


class Player:
    def __init__(self):
        self.score = 0


@program([3, 5, 4])
def scores_that_begin_as_python_numbers(points):
    players = [Player(), Player()]
    turn = 0
    for x in points:
        players[turn].score += x
        turn = 1 - turn
    return players[0].score, players[1].score


@program(True, False)
def old_one_under_another_name(moves):
    point = Point(tf.constant(1.0), 0.0)
    first = point
    if moves:
        point = Point(first.x + 1, 5.0)
    point.x += 10
    return first.x, point.x, point.y


@program(0, 1, 3)
def old_one_before_a_loop(n):
    point = Point(tf.constant(1.0), tf.constant(0.0))
    first = point
    for _ in range(n):
        point = Point(point.x * 2, point.y + 1)
    point.move(10)
    return first.x, point.x, point.y
