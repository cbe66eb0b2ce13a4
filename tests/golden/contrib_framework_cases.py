"""Helpers of tf.contrib.framework, as cases of `layer_cases`."""

from __future__ import annotations

import numpy as np
from layer_cases import _collect, _input, _nothing


def framework_variables(tf):
    tf.set_random_seed(25)
    framework = tf.contrib.framework

    @framework.add_arg_scope
    def _scoped_function(x, y, a=1, b=2):
        return a + b

    with tf.variable_scope("a"):
        v = framework.model_variable("v", [2], initializer=tf.zeros_initializer())
        w = framework.variable("w", [1], initializer=tf.ones_initializer(), collections=["mine"])
        framework.variable(
            "u", [1], device="/device:CPU:0", regularizer=tf.nn.l2_loss, trainable=False
        )
    with tf.variable_scope("b") as scope:
        framework.model_variable("v", [2], collections=["mine"], use_resource=True)
        framework.local_variable(3.0, name="local")
        framework.global_variable([1, 2], name="global")
    with framework.arg_scope([framework.model_variable], device="/cpu:0", trainable=False):
        framework.model_variable("c", [])
    chooser = framework.VariableDeviceChooser(2)
    tf.Variable(1.0, name="x")
    framework.add_model_variable(w)
    framework.add_model_variable(v)
    step = framework.get_or_create_global_step()
    framework.assert_global_step(step)
    return [], _nothing, [
        str(s)
        for s in [
            framework.get_variables(),
            framework.get_variables("a"),
            framework.get_variables(scope),
            framework.get_variables("a/", "v"),
            framework.get_model_variables(),
            framework.get_model_variables("b"),
            framework.get_local_variables(),
            framework.get_trainable_variables(suffix="v"),
            framework.get_variables_by_name("v"),
            framework.get_variables_by_name("c"),
            framework.get_variables_by_suffix("v:0", "b"),
            framework.get_unique_variable("a/v"),
            framework.get_variables_to_restore(),
            framework.get_variables_to_restore(["a", "b"], ["b/v"]),
            framework.get_variable_full_name(v),
            framework.filter_variables(tf.global_variables(), ["v", "^x"], ["b"]),
            framework.filter_variables(tf.global_variables(), ["v"], reg_search=False),
            framework.assert_or_get_global_step(),
            framework.assert_or_get_global_step(None, step),
            tf.get_collection("mine"),
            [chooser(None) for _ in range(3)],
            framework.VariableDeviceChooser(device_type="GPU", replica=3)(None),
            framework.get_placeholders(tf.get_default_graph()),
            sorted(framework.arg_scoped_arguments(_scoped_function)),
            framework.has_arg_scope(tf.identity),
        ]
    ]  # fmt: skip


def values_assigned(tf):
    framework = tf.contrib.framework
    v = tf.get_variable("a/v", [2, 2], initializer=tf.zeros_initializer())
    tf.get_variable("a/v2", [2], initializer=tf.zeros_initializer())
    values = {"a/v": np.arange(4.0, dtype="f"), "a/v2": np.ones(2, "f")}
    operation, feed = framework.assign_from_values(values)
    return [], _nothing, [operation.name, sorted(p.name for p in feed), v.name]


def checks(tf):
    framework = tf.contrib.framework
    x, feeds = _input(tf, 3)
    unknown = tf.placeholder_with_default(np.ones([4, 3], "f"), None, name="unknown")
    column = tf.placeholder_with_default(np.ones([4, 1], "f"), None, name="column")
    four = tf.ones([4], name="four")
    shape = tf.placeholder_with_default(np.array([4, 3], np.int32), [2], name="shape")
    one = tf.placeholder_with_default(np.ones([1], "f"), None, name="one")
    outputs = [
        framework.with_shape([4, 3], x),
        framework.with_shape((4, 3), unknown),
        framework.with_shape(shape, x),
        framework.with_shape([], one),
        framework.with_shape([], tf.ones([1], name="fixed")),
        framework.with_same_shape(x, unknown),
        framework.with_same_shape(tf.ones([4, 3]), unknown),
        framework.reduce_sum_n([x, unknown, four]),
        framework.reduce_sum_n([x], name="one_sum"),
    ]
    outputs += framework.remove_squeezable_dimensions(tf.ones([4, 1]), four)
    outputs += framework.remove_squeezable_dimensions(four, tf.ones([4, 1]), name="named")
    outputs += framework.remove_squeezable_dimensions(column, four)
    outputs.append(framework.assert_scalar_int(tf.constant(3)))
    with tf.name_scope("outer"), tf.name_scope("inner"):
        said = [framework.get_name_scope()]
    said += [framework.is_tensor(x), framework.get_graph_from_inputs([x]) is x.graph]
    return outputs, feeds, [str(y) for y in outputs] + said


def python_function(tf):
    x, feeds = _input(tf, 3)

    def split(a, b):
        return {"sum": a + b["b"], "parts": (a * 2, b["b"])}

    types = {"sum": tf.float32, "parts": (tf.float32, tf.float32)}
    y = tf.contrib.framework.py_func(
        split, [x], {"b": {"b": x + 1.0}}, types, lambda a, b: {"sum": a.shape, "parts": ([], None)}
    )
    return [], _nothing, [str(y["sum"]), str(y["parts"])]


GRAPHS = _collect(framework_variables, values_assigned, checks, python_function)
