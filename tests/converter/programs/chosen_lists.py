"""Lists and dicts of which the graph chooses one: what is changed in them is changed in the one that is chosen."""

import tensorflow as tf
from differential import program


@program([1, 4, 2], [0])
def sorted_into_buckets(xs):
    buckets = [[], [], []]
    for x in xs:
        buckets[x % 3].append(x)
    return buckets[0], [len(bucket) for bucket in buckets]


@program([[0, 1], [2, 0]])
def cells_of_a_grid(moves):
    grid = [[0] * 3 for _ in range(3)]
    for move in moves:
        grid[move[0]][move[1]] += 1
    return grid


@program(4)
def paths_through_a_grid(n):
    ways = [[0] * 4 for _ in range(4)]
    for i in range(n):
        for j in range(n):
            if i == 0 or j == 0:
                ways[i][j] = 1
            else:
                ways[i][j] = ways[i - 1][j] + ways[i][j - 1]
    return ways[n - 1][n - 1]


@program([1, 0, 1])
def rows_under_a_name(xs):
    rows = [[0, 0], [0, 0]]
    best = None
    for x in xs:
        row = rows[x]
        row[0] += 1
        if row[0] > 1:
            best = row
    if best is not None:
        best[1] = 7
    return rows


@program([0, 1, 1])
def dicts_of_a_list(xs):
    accounts = [{"sum": 0, "count": 0}, {"sum": 10, "count": 0}]
    for x in xs:
        accounts[x]["sum"] += x
        accounts[x]["count"] += 1
    return [account["sum"] for account in accounts], [account["count"] for account in accounts]


@program(2, 9)
def found_in_a_loop(x):
    items = [{"key": 1, "amount": 0}, {"key": 2, "amount": 0}]
    found = None
    for item in items:
        if item["key"] == x:
            found = item
            break
    if found is not None:
        found["amount"] += 5
    return [item["amount"] for item in items]


@program([1, 2, -5], [-1])
def one_of_two_names(xs):
    positive, negative = [], []
    for x in xs:
        target = positive if x > 0 else negative
        target.append(x)
    return positive, negative


@program([1, 2, 5])
def given_by_a_function(xs):
    small, large = [], []

    def fitting(x):
        return large if x > 2 else small

    for x in xs:
        fitting(x).append(x)
    return small, large


@program(2, 0)
def dict_of_two_branches(x):
    first, second = {"n": 0}, {"n": 1}
    if x > 1:
        chosen = first
    else:
        chosen = second
    chosen["n"] += 10
    return first, second, chosen is first


@program(1, -1)
def list_inside_of_a_chosen_dict(x):
    first, second = {"log": [1]}, {"log": [2]}
    chosen = first if x > 0 else second
    chosen["log"].append(5)
    chosen["log"][0] += 1
    return first["log"], second["log"]


@program(1, -1)
def both_ways(x):
    first, second = [1, 2], [3, 4]
    one = first if x > 0 else second
    other = second if x > 0 else first
    one[0] = 10
    other[1] = 20
    return first, second, one, other


@program([5, 1, 2])
def shortest_queue(xs):
    queues = [[], []]
    for x in xs:
        shortest = min(queues, key=len)
        shortest.append(x)
    return queues


@program([4, 1, 2])
def sorted_and_changed(xs):
    rows = [{"n": xs[0]}, {"n": xs[1]}, {"n": xs[2]}]
    lowest = sorted(rows, key=lambda row: row["n"])[0]
    lowest["n"] = 100
    rows.sort(key=lambda row: -row["n"])
    rows[1]["n"] += 1
    return [row["n"] for row in rows], lowest["n"]


@program([1, 1, 1, 2])
def stacks_that_are_chosen(xs):
    stacks = [[] for _ in range(3)]
    for x in xs:
        stack = stacks[x]
        stack.append(x)
        stack.append(1)
        if len(stack) > 2:
            stack.pop()
    return [len(stack) for stack in stacks], stacks[1]


@program([1, 0, 3])
def lists_methods_of_a_chosen_list(xs):
    paths = [[0, 5], [1, 4]]
    for x in xs:
        paths[x % 2].extend([x, x + 1])
        paths[x % 2].insert(0, 7)
        paths[x % 2].reverse()
    return paths


@program([1, 2, 3])
def swapped_in_a_loop(xs):
    first, second = [1, 2], [3, 4]
    for x in xs:
        if x > 1:
            first, second = second, first
        first[0] += x
    return first, second


@program([1, 2, 3])
def rows_of_two_generations(xs):
    previous, current = [0], [0]
    for x in xs:
        previous, current = current, [x]
    return previous[0], current[0]


@program([1, 2, 3])
def two_buffers(xs):
    current, following = [0], []
    for x in xs:
        following = [each + x for each in current]
        if x > 1:
            following.append(x)
        current, following = following, []
    return current


@program([1, 0, 1])
def cube(xs):
    cells = [[[0, 0], [0, 0]], [[0, 0], [0, 0]]]
    for x in xs:
        cells[x][1 - x][x] += x + 1
    return cells


@program((1, [1.0, 2.0]))
def read_only(i, x):
    weights = [[0.5, 1.0], [2.0, 3.0]]
    row = weights[i]
    return tf.stack(row) * x, row[0] + sum(row), len(row), 3.0 in row, [value + 1.0 for value in row]


@program(1, 0)
def rows_of_different_lengths(i):
    rows = [[1], [2, 3]]
    row = rows[i]
    return len(row), sum(row), row[-1]


@program(1, refused="TypeError: it can't get or lose keys")
def new_key_of_a_chosen_dict(i):
    table = [{"a": 1}, {"a": 2}]
    table[i]["b"] = 3
    return table[0]["a"]


@program([1, 0, 1])
def cells_of_a_row_that_is_known(xs):
    grid = [[0] * 3 for _ in range(2)]
    for x in xs:
        grid[0][x] = x + 1
        grid[1][x] += 2
    return grid, grid[0][xs[0]]


@program([1, 3])
def product_of_matrices(xs):
    left, right = [[1, 2], [3, 4]], [[5, 6], [7, 8]]
    product = [[0, 0] for _ in range(2)]
    for i in range(len(left)):
        for j in range(xs[0] + 1):
            for k in range(2):
                product[i][j] += left[i][k] * right[k][j] * xs[1]
    return product


@program([1, 0])
def cells_swapped(xs):
    grid = [[1, 2], [3, 4]]
    grid[xs[0]][0], grid[0][xs[0]] = grid[0][xs[0]], grid[xs[0]][0]
    return grid


@program([1, 0])
def rows_that_are_tensors(xs):
    weights = [tf.zeros([2]), tf.ones([2])]
    i = 1
    return weights[i][xs[0]], weights[xs[0]][i]


@program([1, 0, 1])
def everything_that_is_read_of_a_chosen_list(xs):
    rows = [[1, 2], [3, 4]]
    row = rows[xs[0]]
    rows[0][0] = 50
    rows[1][0] = 60
    first, second = row
    print(row, f"{row}", f"{first} {second}")
    parts = row + [1], row * 2, row[::-1], list(row), tuple(row), sorted(row), [*row, *row]
    return tf.stack(row), parts, max(row), 3 in row, row == [60, 4], len(row), list(enumerate(row))


@program([1, 0])
def everything_that_is_read_of_a_chosen_dict(xs):
    rows = [{"a": 1, "b": 2}, {"a": 3, "b": 4}]
    row = rows[xs[0]]
    rows[1]["b"] = 9
    print(row)
    return dict(row), list(row), [value + 1 for value in row.values()], row.get("c", 7), "a" in row, len(row)


@program(1, -1)
def chosen_list_that_gets_longer_twice(x):
    first, second = [1], [2]
    target = first if x > 0 else second
    target.append(5)
    target.extend([6, 7])
    del target[0]
    return first, second, target


@program(1)
def sorted_again_in_each_iteration(x):
    rows = [[x, 1], [x + 3, 2], [x - 2, 3]]
    for _ in tf.range(3):
        rows = sorted(rows, key=lambda row: row[0])
        rows[0][0] += 5
    return rows


@program(-5, 2, 4)
def chosen_again_by_a_loop_in_a_loop(m):
    first = {"k": 1}
    second = {"k": 2}
    found = second
    for i in tf.range(2):
        for j in tf.range(2):
            if m < j:
                found = first
            elif m > 3:
                found = {"k": m}
        if m > i:
            first["k"] = m + i
            break
    found["k"] += 10
    return first, second, found


@program(-5, 2)
def longer_after_a_loop_in_a_loop(m):
    first = [1]
    second = [2]
    found = second
    for _ in tf.range(2):
        for _ in tf.range(2):
            if m < 0:
                found = first
    found.append(10)
    return first, second, found


@program((3, 5), (3, 1), (5, 5))
def returned_by_a_loop_or_longer_after_it(n, m):
    whole, other = [0, 5], [7]
    for i in tf.range(n):
        other.append(i)
    for i in tf.range(3):
        if m < 2:
            return whole, other
    if n > 4:
        whole.append(1)
        other.append(1)
    return whole, other


@program((1, 9), (0, 1), (4, 0))
def one_of_two_returned_or_longer_after_it(n, m):
    first, second = [0], [7]
    for i in tf.range(n):
        first.append(i)
    for i in tf.range(3):
        if i > m:
            return first
        if i + n > 4:
            return second
    first.append(5)
    return first
