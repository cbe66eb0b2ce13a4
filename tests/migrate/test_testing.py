"""`tf1compat.testing`: fixtures, `assert_same`, and which weight is which."""

from __future__ import annotations

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tf1compat import testing

pytest_plugins = ["pytester"]

pytestmark = pytest.mark.usefixtures("optimized_little")


@pytest.fixture
def net(tf):
    """A small net in a session: (input, output)."""
    tf.logging.set_verbosity(tf.logging.ERROR)
    tf.set_random_seed(1)
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    with tf.variable_scope("net"):
        y = tf.layers.dense(x, 4, tf.nn.relu, name="hidden")
        y = tf.layers.dense(y, 2, name="out")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        yield x, y


FORM = {
    "hidden": {"kernel": np.zeros((3, 4)), "bias": np.zeros(4)},
    "out": {"kernel": np.zeros((4, 2)), "bias": np.zeros(2)},
}


def rewritten(params, x):
    x = jax.nn.relu(x @ params["hidden"]["kernel"] + params["hidden"]["bias"])
    return x @ params["out"]["kernel"] + params["out"]["bias"]


def test_the_same(net) -> None:
    x, y = net
    testing.assert_same(rewritten, y, [x], FORM)
    testing.assert_same(rewritten, y, {x: (0.0, 1.0)}, FORM, gradients=False)


FAULTS = {
    "value": (lambda p, x: rewritten(p, x) * 1.01, r"the (fetch|gradient of \S+) at \[\d"),
    "shape": (lambda p, x: rewritten(p, x)[:, :1], r"has shape \[1, 1\], in the graph \[1, 2\]"),
    "input": (
        lambda p, x: rewritten(p, jax.lax.stop_gradient(x)),
        r"the gradient of x:0 at \[\d, \d\] is np.float32\(0.0\)",
    ),
    "param": (
        lambda p, x: rewritten(p | {"out": jax.lax.stop_gradient(p["out"])}, x),
        r"the gradient of params\['out'\]\['\w+'\] at",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_where_they_part(net, name) -> None:
    x, y = net
    wrong, text = FAULTS[name]
    with pytest.raises(testing.Mismatch, match=text) as raised:
        testing.assert_same(wrong, y, [x], FORM)
    assert "\n  x:0 = [[" in str(raised.value)


def test_corners_are_tried(tf) -> None:
    """JAX's slopes at a corner are others than TF's, which random inputs would not find."""
    x = tf.placeholder(tf.float32, [None])
    y = tf.maximum(x, 0.0)
    with pytest.raises(testing.Mismatch, match="the gradient of"):
        testing.assert_same(lambda x: jnp.maximum(x, 0.0), y, [x])
    testing.assert_same(lambda x: jnp.where(x >= 0.0, x, 0.0), y, [x])


@pytest.mark.optimized_fully
def test_kinds_of_inputs(tf) -> None:
    i = tf.placeholder(tf.int32, [None])
    b = tf.placeholder(tf.bool, [])
    x = tf.placeholder(tf.float32, [4, 2])
    y = {"rows": tf.gather(x, i), "either": tf.cond(b, lambda: x, lambda: -x)}

    def fn(i, b, x):
        return {"rows": x[i], "either": jnp.where(b, x, -x)}

    testing.assert_same(fn, y, {i: (0, 3), b: None, x: (-1.0, 1.0)})
    with pytest.raises(testing.Mismatch, match=r"the (fetch\['rows'\]|gradient of \S+) at"):
        testing.assert_same(lambda i, b, x: fn(3 - i, b, x), y, {i: (0, 3), b: None, x: None})


def test_weights_are_matched() -> None:
    kernel, square = np.ones((3, 4)), np.ones((4, 4))
    weights = {
        "a/lower/kernel": square,
        "a/upper/kernel": 2 * square,
        "a/first/kernel": kernel,
    }
    forms = {"upper": {"w": square}, "lower": {"w": square}, "first": [kernel]}
    found = testing.match_weights(forms, weights)
    assert found["upper"]["w"] is weights["a/upper/kernel"]
    assert found["lower"]["w"] is weights["a/lower/kernel"]
    assert found["first"][0] is kernel
    with pytest.raises(
        ValueError, match=r"\['b'\] of shape \[5\] has no weight in the graph; left"
    ):
        testing.match_weights({"b": np.ones(5)}, weights)
    with pytest.raises(ValueError, match="may be 1/x or 2/x: name it alike"):
        testing.match_weights({"q": square}, {"1/x": square, "2/x": square})


def test_checkpoints(tf, tmp_path) -> None:
    tf.logging.set_verbosity(tf.logging.ERROR)
    a = tf.Variable([1.0, 2.0], name="a")
    b = tf.Variable(3.0, name="b")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver([a, b]).save(session, str(tmp_path / "model"))
        testing.assert_checkpoint_same(path, session)
        session.run([a.assign([1.0, 2.5]), tf.Variable(1.0, name="c").initializer])
        with pytest.raises(testing.Mismatch) as raised:
            testing.assert_checkpoint_same(tmp_path, session)
        assert "c is in the session only" in str(raised.value)
        assert "a at [1] is np.float32(2.5), in the checkpoint np.float32(2.0)" in str(raised.value)


def test_fixtures(pytester, monkeypatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(testing.__file__).parents[2]))
    pytester.makeconftest("pytest_plugins = ['tf1compat.testing.plugin']")
    pytester.makepyfile(
        """
        import pytest

        def test_a(tf1_session, tf1_graph):
            import tensorflow as tf

            assert tf.get_default_graph() is tf1_graph is tf1_session.graph
            assert tf.constant(2.0, name="a").eval() == 2.0

        def test_b(tf1_graph, recording):
            assert not tf1_graph.get_operations()
            with pytest.raises(FileNotFoundError):
                recording("nothing.tfrec")
        """
    )
    pytester.runpytest_subprocess("-q", "-p", "no:cacheprovider").assert_outcomes(passed=2)
