"""Functional control flow records and computes what TF 1.15 records and computes."""

import os
import subprocess
import sys
from pathlib import Path

import flow_v2_cases as cases
import jax
import numpy as np
import pytest
import record_flow_v2
import recording

from tf1compat.migrate import to_jax

GOLDEN = recording.read_json(str(Path(recording.DATA) / "flow_v2.json.xz"))


@pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices to a dense Tensor of unknown")
@pytest.mark.parametrize("name", cases.PROGRAMS)
def test_program(tf, name):
    expected = GOLDEN["programs"][name]
    found = record_flow_v2.program(tf, cases.PROGRAMS[name])
    difference = recording.first_graph_difference(expected["graph"], found["graph"])
    assert difference is None, difference
    shapes = recording.shape_differences(expected["graph"]["shapes"], found["graph"]["shapes"])
    assert not shapes, "\n".join(shapes)
    for want, have in zip(expected["runs"], found["runs"], strict=True):
        _check_run(want, have)


def _check_run(expected, found):
    assert found.get("error") == expected.get("error")
    if "values" in expected:
        difference = recording.value_difference(expected["values"], found["values"], 2e-5)
        assert difference is None, difference


@pytest.mark.parametrize("name", cases.MISTAKES)
def test_mistake(tf, name):
    assert record_flow_v2.mistake(tf, cases.MISTAKES[name]) == GOLDEN["mistakes"][name]


@pytest.mark.parametrize("name", cases.FAILING)
def test_failure(tf, name):
    _check_run(GOLDEN["failing"][name], record_flow_v2.failure(tf, cases.FAILING[name]))


def test_eager(tf):
    from tensorflow.python.eager import context

    with tf.Graph().as_default(), context.eager_mode():
        found = record_flow_v2.eager(tf)
    expected = GOLDEN["eager"]
    assert found["mistakes"] == expected["mistakes"]
    for name, want in expected["values"].items():
        difference = recording.value_difference(want, found["values"][name], 2e-5)
        assert difference is None, f"{name}: {difference}"


def test_an_exported_loop_is_differentiated_alike(tf):
    x = tf.placeholder(tf.float32, [2])
    with cases.switched_on(tf):
        y = tf.cond(tf.reduce_sum(x) > 0, lambda: tf.sqrt(x), lambda: tf.exp(x))
        _, z = tf.while_loop(lambda i, z: i < 4, lambda i, z: (i + 1, tf.maximum(z * y, z)), [0, x])
        loss = tf.reduce_sum(tf.square(tf.map_fn(tf.abs, z)))
        (grad,) = tf.gradients(loss, x)
    function, params = to_jax(loss, [x])
    of_grad, _ = to_jax(grad, [x])
    for value in ([1.0, 0.5], [-1.0, 0.25]):
        value = np.array(value, np.float32)
        found = jax.grad(lambda value: function(params, value))(value)
        np.testing.assert_allclose(found, of_grad(params, value), rtol=1e-5)


def test_an_imported_graph_runs(tf):
    with cases.switched_on(tf):
        fetches, feeds = cases.function_of_loops(tf)
    graph = tf.get_default_graph()
    init = tf.global_variables_initializer()
    names = [tensor.name for tensor in tf.nest.flatten(fetches)]
    given = {tensor.name: value for tensor, value in feeds[0].items()}
    found = []
    for definition in (None, graph.as_graph_def()):
        other = graph
        if definition is not None:
            other = tf.Graph()
            with other.as_default():
                tf.import_graph_def(definition, name="")
        with tf.Session(graph=other) as session:
            session.run(init.name)
            found.append(session.run(names, given))
    for one, two in zip(*found, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-6)


def test_the_environment_switches_it_on():
    code = "import tf1compat as tf; print(tf.control_flow_v2_enabled())"
    environment = {**os.environ, "TF_ENABLE_CONTROL_FLOW_V2": "1"}
    run = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "True"
