"""What client libraries (GPflow, TensorFlow Probability, TF-Slim) take from TF's internal modules.

Read by `record_cases.py` under TensorFlow 1.15, replayed by `tests/api/test_client_libraries.py`.
"""

from __future__ import annotations

import importlib

import numpy as np
from case_runs import Case, collect


def _internal(name):
    return importlib.import_module("tensorflow.python." + name)


def bases_of_optimizers(tf):
    # GPflow makes a class of its own of each one whose base is `Optimizer`.
    opt = tf.contrib.opt
    found = [getattr(tf.train, name) for name in dir(tf.train) if name.endswith("Optimizer")]
    found += [opt.VariableClippingOptimizer, opt.DropStaleGradientOptimizer]
    return Case(said=[f"{x.__name__}: {x.__base__.__name__}" for x in found], steps=0)


def known_before_a_run(tf):
    c_api = _internal("pywrap_tensorflow")
    x = tf.placeholder(tf.float32, [2, None])
    tensors = [
        tf.reduce_all(tf.equal(tf.constant([1, 2]) + 1, [2, 3])),
        tf.rank(x),
        tf.shape(x)[0] * 3,
        tf.shape(x)[1],
        tf.constant([1.5, 2.0]) * 2,
        tf.random_uniform([2]),
    ]
    said = []
    for t in tensors:
        value = c_api.TF_TryEvaluateConstant_wrapper(t.graph._c_graph, t._as_tf_output())
        said.append(None if value is None else [str(value.dtype), np.asarray(value).tolist()])
    return Case(said=said, steps=0)


def case_by_another_cond(tf):
    case_helper = _internal("ops.control_flow_ops")._case_helper
    smart_cond = _internal("framework.smart_cond").smart_cond
    x = tf.placeholder_with_default(3.0, [])
    pairs = [(x < 1, lambda: x + 1), (True, lambda: x * 2), (x > 2, lambda: x * 3)]
    found = case_helper(smart_cond, pairs, lambda: x, False, "which", allow_python_preds=True)
    return Case([found, case_helper(tf.cond, pairs[:1], lambda: x - 1, False, "plain")], steps=1)


def variables_of_metrics(tf):
    aggregate = _internal("ops.metrics_impl")._aggregate_variable
    count = _internal("ops.metrics_impl").metric_variable([], tf.float32, name="count")
    value = aggregate(count, ["values"])
    return Case([value], [tf.assign_add(count, 2.0)], said=[tf.get_collection("values")[0].name])


CASES = {
    "internals": collect(
        bases_of_optimizers, known_before_a_run, case_by_another_cond, variables_of_metrics
    )
}
MISTAKES = {}
