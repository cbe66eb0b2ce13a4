"""Control flow recorded node by node, conditions that are no bools, and what is refused.

Runs under the real TensorFlow 1.15 (Python 3.7) as well as under this project's Python.
"""

from __future__ import annotations

import contextlib

import numpy as np
from case_runs import Case, collect


def _modules():
    from tensorflow.python.ops import control_flow_ops, gen_control_flow_ops

    return control_flow_ops, gen_control_flow_ops


@contextlib.contextmanager
def _functional():
    """Records control flow of version 2."""
    from tensorflow.python.ops import control_flow_util

    before = control_flow_util.ENABLE_CONTROL_FLOW_V2
    control_flow_util.ENABLE_CONTROL_FLOW_V2 = True
    try:
        yield
    finally:
        control_flow_util.ENABLE_CONTROL_FLOW_V2 = before


def _counting(tf, with_loop_cond):
    """A loop from 0 to 10."""
    flow, nodes = _modules()
    start, one, end = tf.constant(0), tf.constant(1), tf.constant(10)
    start = nodes.enter(start, "counting")
    one = nodes.enter(one, "counting", is_constant=True)
    end = nodes.enter(end, "counting", is_constant=True)
    merged = nodes.merge([start, start])[0]
    condition = tf.less(merged, end)
    if with_loop_cond:
        condition = nodes.loop_cond(condition)
    switched = flow.switch(merged, condition)
    merged.op._update_input(1, nodes.next_iteration(tf.add(switched[1], one)))
    return flow.exit(switched[0])


def loop(tf):
    return Case([_counting(tf, True)])


def loop_without_loop_cond(tf):
    return Case([_counting(tf, False)])


def passage(tf):
    flow, nodes = _modules()
    constant = nodes.enter(tf.constant(3), "frame", is_constant=True)
    value = nodes.enter(tf.constant(4), "frame")
    return Case([flow.exit(constant + value)])


def nested_passages(tf):
    flow, nodes = _modules()
    inner = nodes.enter(nodes.enter(tf.constant([1, 2, 3]), "outer"), "inner")
    return Case([flow.exit(flow.exit(tf.square(inner)))])


def passage_after_loop(tf):
    flow, nodes = _modules()
    counted = _counting(tf, True)
    return Case([counted, flow.exit(tf.square(nodes.enter(counted, "after")))])


def branches_in_passage(tf):
    flow, nodes = _modules()
    predicate = nodes.enter(tf.constant(False), "frame")
    switched = flow.switch(nodes.enter(tf.constant(10), "frame"), predicate)
    return Case([flow.exit(flow.merge([switched[0], switched[0]])[0])])


def variable_in_passage(tf):
    flow, _ = _modules()
    variable = tf.Variable(7)
    entered = flow._Enter(variable, "frame", is_constant=True)
    update = tf.assign(entered, flow._Enter(tf.constant(9), "frame"))
    after = flow.exit(flow.with_dependencies([update], entered))
    return Case(updates=[after], said=[entered, after])


def _chosen(tf, conditions):
    """What `If` gives for each condition."""
    from tensorflow.python.framework import function
    from tensorflow.python.ops import functional_ops

    @function.Defun(tf.float32)
    def Doubled(x):
        return x * 2.0

    @function.Defun(tf.float32)
    def Tripled(x):
        return x * 3.0

    x = tf.constant(1.5)
    return [functional_ops.If(c, [x], Doubled, Tripled)[0] for c in conditions]


def texts_as_conditions(tf):
    unknown = tf.placeholder(tf.string)
    found = _chosen(tf, ["a", "", tf.constant([""]), tf.constant([], tf.string), unknown])
    texts = ["", "b", [""]]
    return Case(found, feeds=lambda step: {unknown: texts[step]})


def numbers_as_conditions(tf):
    unknown = tf.placeholder(tf.float32)
    found = _chosen(tf, [tf.constant(0), tf.constant(0.5), tf.constant([0.0]), unknown])
    numbers = [0.0, [0.0], np.zeros([2, 0])]
    return Case(found, feeds=lambda step: {unknown: numbers[step]})


def assigned_slice(tf):
    masks = (0, 0, 0, 0, 0)
    plain = tf.Variable([1.0, 2.0, 3.0])
    resource = tf.Variable([1.0, 2.0, 3.0], use_resource=True)
    found = [v._strided_slice_assign([0], [1], [1], [5.0], None, *masks) for v in (plain, resource)]
    return Case(updates=found)


def python_texts(tf):
    def mixed():
        return np.array(["a", b"b", "\xe9"], object)

    return Case([tf.py_func(mixed, [], tf.string)])


def _quoted_in_assertion(tf, value):
    tf.Session().run(tf.Assert(tf.placeholder_with_default(False, []), [value], summarize=3))


def _different_frames(tf):
    _, nodes = _modules()
    x = tf.constant([1, 2, 3])
    tf.Session().run(tf.add(nodes.enter(x, "one"), nodes.enter(x, "two")))


def _no_results(tf):
    tf.cond(tf.placeholder_with_default(True, []), lambda: (), lambda: ())


def _functional_lengths(tf):
    with _functional():
        tf.TensorArray(tf.float32, 3).split([1.0, 2.0, 3.0], [[1]])


def _gradients_of_custom(tf, result):
    from tensorflow.python.eager import context

    @tf.custom_gradient
    def product(x, y):
        return x * y, result

    with context.eager_mode(), tf.GradientTape() as tape:
        x = tf.constant(2.0)
        tape.watch(x)
        y = product(x, x)
        tape.gradient(y, x)


CASES = {
    "nodes": collect(
        loop,
        loop_without_loop_cond,
        passage,
        nested_passages,
        passage_after_loop,
        branches_in_passage,
        variable_in_passage,
    ),
    "conditions": collect(texts_as_conditions, numbers_as_conditions),
    "values": collect(assigned_slice, python_texts),
}

MISTAKES = {
    "nodes": {"different frames": _different_frames, "no results": _no_results},
    "lengths": {
        "matrix": lambda tf: tf.TensorArray(tf.float32, 3).split([1.0, 2.0, 3.0], [[1]]),
        "matrix, functional": _functional_lengths,
    },
    "assertions": {
        "complex vector": lambda tf: _quoted_in_assertion(tf, tf.ones([4], tf.complex64)),
        "complex matrix": lambda tf: _quoted_in_assertion(tf, tf.ones([2, 2], tf.complex128)),
        "complex scalar": lambda tf: _quoted_in_assertion(tf, tf.constant(1j)),
        "all of a complex array": lambda tf: _quoted_in_assertion(
            tf, tf.ones([1, 2, 1], tf.complex64)
        ),
    },
    "gradients": {
        "too few": lambda tf: _gradients_of_custom(tf, lambda grad: grad),
        "too many": lambda tf: _gradients_of_custom(tf, lambda grad: [grad] * 3),
    },
}
