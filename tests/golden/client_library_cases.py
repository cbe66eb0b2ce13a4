"""What client libraries (GPflow, TensorFlow Probability, TF-Slim, TF-Agents, model optimization) do
with TF's objects, and take from its internal modules.

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


def layers_in_private_lists(tf):
    # TF-Agents' networks have their layers in `_layers`, which the class itself has, too.
    tf.set_random_seed(1)
    layers = tf.keras.layers

    class Network(tf.keras.Model):
        def __init__(self):
            super().__init__(name="network")
            self._layers = [layers.Dense(2)]
            self._blocks = [layers.Dense(3)]
            self._by_name = {"last": layers.Dense(1)}

        def call(self, inputs):
            for layer in [*self._layers[:1], *self._blocks, self._by_name["last"]]:
                inputs = layer(inputs)
            return inputs

    network = Network()
    output = network(tf.ones([2, 3]))
    kept = sorted(reference.name for reference in network._checkpoint_dependencies)
    return Case([tf.shape(output)], said=[kept, [v.name for v in network.variables]], steps=0)


def _deepest(x):
    if isinstance(x, (list, tuple)):
        return [_deepest(item) for item in x]
    if x > 1:
        y = x * 2
    else:
        y = x
    return y


def recursion_of_a_function_of_its_module(tf):
    converted = tf.autograph.to_graph(_deepest)
    return Case(converted([tf.constant(1), [tf.constant(2)]]), steps=0)


def variables_that_a_function_creates(tf):
    # So TF-Agents' networks are built by `train`, which is a function also in a graph.
    tf.set_random_seed(1)
    made = []

    @tf.function(autograph=False)
    def scaled(x):
        if not made:
            with tf.variable_scope("scope"):
                made.append(tf.get_variable("w", [3], use_resource=True))
            made.append(tf.Variable(lambda: tf.random_uniform([3]), name="b"))
            made.append(tf.Variable(tf.ones([3]) * 2, name="c"))
        return x * made[0] + made[1] + made[2]

    values = [scaled(tf.ones([3])), scaled(tf.zeros([3]))]
    said = [[v.name, v.initializer.name, v.initial_value.name] for v in tf.global_variables()]
    return Case(values, said=[*said, tf.trainable_variables()], steps=1)


CASES = {
    "internals": collect(
        bases_of_optimizers, known_before_a_run, case_by_another_cond, variables_of_metrics
    ),
    "objects": collect(
        layers_in_private_lists,
        recursion_of_a_function_of_its_module,
        variables_that_a_function_creates,
    ),
}
MISTAKES = {}
