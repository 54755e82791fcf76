"""Lists and tuples that hold tensors are compared element by element."""

from differential import program


@program((1, 2), (1, 3))
def tuple_with_a_constant(x, y):
    position = (x, y)
    if position == (1, 2):
        return 1
    return 0


@program([1, 2], [2, 1])
def results_of_comparisons(xs):
    return (xs[0], xs[1]) == (1, 2), (xs[0], 0) != (1, 0), (xs[0], xs[1]) == [1, 2], (xs[0],) == (1, 2)


@program([3, 1, 3], [-1])
def greatest_pair(xs):
    best = (0, 0)
    for i, x in enumerate(xs):
        if (x, i) > best:
            best = (x, i)
    return best


@program((1, 2), (2, 1), (2, 2))
def order_of_pairs(x, y):
    return (x, y) < (2, 1), (x, y) <= (2, 1), (x, y) > (2, 1), (x, y) >= (2, 1)


@program([1, 2, 1], [1, 2, 3])
def palindrome(xs):
    letters = [xs[0], xs[1], xs[2]]
    return letters == letters[::-1]


@program([5, 2])
def until_nothing_changes(xs):
    cells = [xs[0], xs[1]]
    before = [0, 0]
    count = 0
    while cells != before:
        before = cells
        cells = [min(cell, 3) for cell in cells]
        count += 1
    return count, cells


@program((2, 3), (0, 0))
def nested_pairs(x, y):
    return ((x, y), 1) == ((2, 3), 1), [[x], [y]] == [[0], [0]], (x, "a") == (2, "a")
