"""Small functions with Python control flow on tensors.

`CASES`: name -> (function, a list of argument lists). Those of `SEVERAL` change several variables
in one statement, which TF 1.15 hands over in an order that differs from process to process: of them
only the kinds of the nodes are compared.
"""

from __future__ import annotations

import re

SEVERAL = (
    "while_break", "while_continue", "for_break", "return_in_if", "return_after_if", "fibonacci",
    "dataset_break", "logic_and_break", "early_return", "for_else_if",
    "for_else_break",
)  # fmt: skip
CASES = {}


def _case(*argument_lists):
    def note(make):
        CASES[make.__name__] = make, argument_lists
        return make

    return note


def functions(tf):
    """name -> the function, for a TensorFlow."""
    return {name: make(tf) for name, (make, _) in CASES.items()}


@_case([3.0], [-3.0])
def if_else(tf):
    def f(x):
        if x > 0:
            y = x * 2
        else:
            y = -x
        return y

    return f


@_case([3.0], [-3.0], [1.0])
def nested_if(tf):
    def f(x):
        y = x
        if x > 0:
            y += 1.0
            if x > 2:
                y = y * 10.0
        return y

    return f


@_case([3.0], [-3.0])
def return_in_if(tf):
    def f(x):
        if x > 0:
            return x
        return -x

    return f


@_case([3.0], [1.5])
def return_after_if(tf):
    def f(x):
        if x > 1:
            x = x + 1
            if x > 3:
                return x
            else:
                return x * 2
        else:
            return x * 7

    return f


@_case([3.0], [-3.0])
def early_return(tf):
    def f(x):
        y = x * 2
        if y > 1:
            return y
        elif y < -5:
            return y * 3
        y = y + 1
        return y

    return f


@_case([1.0])
def while_loop(tf):
    def f(x):
        while x < 10.0:
            x = x * 2.0
        return x

    return f


@_case([1.0])
def while_break(tf):
    def f(x):
        n = 0
        while x < 100.0:
            x *= 2.0
            if x > 20.0:
                break
            n += 1
        return x, n

    return f


@_case([7.0])
def while_continue(tf):
    def f(x):
        s = 0.0
        while x > 0.0:
            x -= 1.0
            if x % 2.0 == 0.0:
                continue
            s += x
        return s

    return f


@_case([5])
def for_range(tf):
    def f(n):
        s = 0
        for i in tf.range(n):
            s += i
        return s

    return f


@_case([5], [0])
def for_python_range(tf):
    def f(n):
        s = 0
        for i in range(n):
            s += i
        return s

    return f


@_case([9, -2])
def for_range_backwards(tf):
    def f(n, step):
        s = 0
        for i in tf.range(n, 0, step):
            s = s * 3 + i
        return s

    return f


@_case([[1.0, 2.0, 3.0]])
def for_rows(tf):
    def f(v):
        s = 0.0
        for a in v:
            s += a
        return s

    return f


@_case([[1.0, 2.0, 3.0, 1.0]])
def for_break(tf):
    def f(v):
        s = 0.0
        for a in v:
            if a > 2.0:
                break
            s += a
        return s

    return f


@_case([[1.0, -2.0, 3.0]])
def for_else_if(tf):
    def f(v):
        up, down = 0.0, 0.0
        for a in v:
            if a > 0:
                up += a
            else:
                down -= a
        return up, down

    return f


@_case([3.0], [5.0])
def while_else(tf):
    def f(x):
        n = 0.0
        while n < x:
            n += 2.0
        else:
            n += 100.0
        return n

    return f


@_case([[1.0, 2.0]], [[1.0, 9.0, 3.0]])
def for_else_break(tf):
    def f(v):
        n = 0.0
        for a in v:
            if a > 5.0:
                break
            n += a
        else:
            n = -1.0
        return n

    return f


@_case([2.0])
def for_else_of_python(tf):
    def f(x):
        for i in range(3):
            for j in range(3):
                if j == i:
                    break
                x += 1.0
            else:
                return x + 1000.0
        else:
            x += 100.0
        return x

    return f


@_case([2.0])
def no_key(tf):
    def f(x):
        return {"a": x}["b"]

    return f


@_case([1.5])
def for_python(tf):
    def f(v):
        s = 0.0
        for i in range(3):
            if v > float(i):
                s += 1.0
        return s

    return f


@_case([3.0], [-4.0], [-1.0])
def logic(tf):
    def f(x):
        return x > 0 and x < 5 or not x > -3

    return f


@_case([3.0])
def logic_of_three(tf):
    def f(x):
        return x > 0 and x < 5 and x < 2

    return f


@_case([3.0], [8.0])
def logic_and_break(tf):
    def f(x):
        while x > 0 and x < 9:
            x = x + 1
            if x > 8 or x < 4:
                break
        return x

    return f


@_case([3.0], [-3.0])
def conditional_expression(tf):
    def f(x):
        return x if x > 0 else -x

    return f


@_case([2.0])
def attribute(tf):
    class Box(object):
        pass

    box = Box()

    def f(x):
        box.z = x
        if x > 0:
            box.z = box.z + x
        return box.z

    return f


@_case([2.0])
def called_functions(tf):
    def helper(x):
        if x > 0:
            return x
        else:
            return x * 2

    def f(x):
        return helper(x) + helper(-x)

    return f


@_case([2.0], [-2.0])
def inner_lambda(tf):
    def f(x):
        g = lambda t: t + 1 if t > 0 else t  # noqa: E731
        return g(x)

    return f


@_case([2.0])
def inner_function(tf):
    def f(x):
        y = 0.0

        def g(t):
            return t + y if t > 1 else t

        y = 5.0
        return g(x)

    return f


@_case([2.0])
def with_statement(tf):
    def f(x):
        with tf.name_scope("u"):
            if x > 0:
                x = x * 3
        return x

    return f


@_case([2.0])
def no_results(tf):
    def f(x):
        if x > 0:
            tf.debugging.assert_greater(x, 1.0)
        return x

    return f


@_case([[1, 2, 3]])
def lengths(tf):
    def f(x):
        return len(x) + tf.shape(x)[0]

    return f


@_case([10])
def fibonacci(tf):
    def f(n):
        a, b = 0, 1
        i = 0
        while i < n:
            a, b = b, a + b
            i += 1
        return a

    return f


@_case([5])
def dataset(tf):
    def f(n):
        s = tf.constant(0, tf.int64)
        for e in tf.data.Dataset.range(tf.cast(n, tf.int64)):
            s += e
        return s

    return f


@_case([9])
def dataset_break(tf):
    def f(n):
        s = tf.constant(0, tf.int64)
        for e in tf.data.Dataset.range(tf.cast(n, tf.int64)):
            if e > 3:
                break
            s += e
        return s

    return f


# What fails.


@_case([2.0])
def undefined_in_a_branch(tf):
    def f(x):
        if x > 0:
            q = 1
        return q

    return f


@_case([2.0])
def return_in_a_loop(tf):
    def f(x):
        while x > 0:
            if x > 5:
                return x
            x -= 1
        return x

    return f


@_case([2.0])
def no_return_in_a_branch(tf):
    def f(x):
        with tf.name_scope("u"):
            if x > 0:
                return x * 3
        return x

    return f


@_case([2.0])
def another_dtype(tf):
    def f(x):
        while x > 0:
            x = tf.cast(x, tf.int32)
        return x

    return f


@_case([[2.0]])
def another_shape(tf):
    def f(x):
        while x[0] > 0:
            x = tf.concat([x, x], 0)
        return x

    return f


@_case([2.0])
def dtypes_of_branches(tf):
    def f(x):
        if x > 0:
            y = 1
        else:
            y = 1.0
        return y

    return f


@_case([2.0])
def undefined_before_a_loop(tf):
    def f(x):
        while x > 0:
            y = x
            x = x - 1
        return y

    return f


@_case([2.0])
def own_error(tf):
    def f(x):
        if x > 0:
            raise ValueError("bad thing")
        return x

    return f


def describe(tf, name, exact):
    """What a case records, and what it gives or raises."""
    make, argument_lists = CASES[name]
    function = tf.function(make(tf))
    try:
        values = []
        for arguments in argument_lists:
            given = [tf.constant(value) for value in arguments]
            found = tf.nest.map_structure(lambda x: x.numpy().tolist(), function(*given))
            values.append(list(found) if isinstance(found, tuple) else found)
        graph = function.get_concrete_function(*given).graph.as_graph_def()
    except Exception as error:
        lines = [line for line in str(error).split("\n") if line.strip()]
        here = [i for i, line in enumerate(lines) if re.search(r"_cases\.py:\d+ f  \*", line)]
        place = re.sub(r".*_cases", "_cases", lines[here[0]].strip())
        return {
            "error": [type(error).__name__, place, lines[here[0] + 1].strip(), lines[-1].strip()]
        }
    bodies = [_nodes(f.node_def, exact) for f in graph.library.function]
    return {"values": values, "nodes": _nodes(graph.node, exact), "bodies": sorted(bodies)}


def _nodes(nodes, exact):
    if not exact:
        return sorted(node.op for node in nodes)
    return [re.sub(r"_\d+$", "_N", _text(node)) for node in nodes]


def _text(node):
    return "{} {} {}".format(node.name, node.op, ", ".join(node.input))
