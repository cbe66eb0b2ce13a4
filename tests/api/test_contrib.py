"""tf.contrib.layers, slim, losses, training and framework against TensorFlow 1.15."""

from __future__ import annotations

import importlib

import contrib_cases
import numpy as np
import pytest
from layer_goldens import Goldens

pytestmark = pytest.mark.usefixtures("compiled_quickly")

GOLDENS = Goldens(contrib_cases, "contrib.json.gz")


def _all(groups):
    return [(group, name) for group, cases in groups.items() for name in cases]


def _graphs():
    return {group: cases for group, cases in contrib_cases.GRAPHS.items() if group != "recomputed"}


@pytest.mark.parametrize("name", contrib_cases.GRAPHS["recomputed"])
def test_values(tf, name):
    GOLDENS.check_values(tf, "recomputed", name, rtol=1e-4)


@pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices to a dense")
@pytest.mark.parametrize(("group", "name"), _all(_graphs()))
def test_case(tf, group, name):
    # Three steps of training add rounding up.
    GOLDENS.check_case(tf, group, name, rtol=1e-4)


@pytest.mark.parametrize(("group", "name"), _all(contrib_cases.MISTAKES))
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


def test_scale_gradient(tf):
    x = tf.constant([1.0, 2.0])
    y = tf.contrib.layers.scale_gradient(x, tf.constant(0.5))
    # The hash in TensorFlow's name.
    assert y.op.type == "scale_gradient_uVZZ43Rva08"
    assert y.shape.as_list() == [2]
    (dx,) = tf.gradients(y * y, x)
    with tf.Session() as session:
        assert session.run(y).tolist() == [1.0, 2.0]
        assert session.run(dx).tolist() == [1.0, 2.0]


def test_hparams(tf):
    hparams = tf.contrib.training.HParams(a=1, b=2.5, c="x", d=[1, 2], e=True, f=None)
    assert hparams.parse("a=3, d=[4,5],c=some words,e=false") is hparams
    assert (hparams.a, hparams.b, hparams.c, hparams.d, hparams.e) == (
        3, 2.5, "some words", [4, 5], False
    )  # fmt: skip
    hparams.set_hparam("b", 3)
    assert isinstance(hparams.b, float)
    hparams.override_from_dict({"a": 7}).parse_json('{"c": "y"}')
    hparams.set_hparam("f", "anything")
    assert hparams.values() == {
        "a": 7, "b": 3.0, "c": "y", "d": [4, 5], "e": False, "f": "anything"
    }  # fmt: skip
    assert "a" in hparams and "z" not in hparams
    assert (hparams.get("a"), hparams.get("z", 4), hparams.get("a", 1)) == (7, 4, 7)
    assert hparams.to_json(sort_keys=True).startswith('{"a": 7, "b": 3.0')
    hparams.del_hparam("f")
    assert str(hparams) == "a=7,b=3.0,c=y,d=[4, 5],e=False"
    assert repr(hparams) == (
        "HParams([('a', 7), ('b', 3.0), ('c', 'y'), ('d', [4, 5]), ('e', False)])"
    )
    parse_values = tf.contrib.training.parse_values
    types = {"a": int, "b": bool}
    assert parse_values("a[1]=2,a[3]=4,b=[1,true],z=1", types, True) == {
        "a": {1: 2, 3: 4},
        "b": [True, True],
    }


def test_arg_scope(tf):
    framework = tf.contrib.framework
    calls = []

    @framework.add_arg_scope
    def layer(x, size=1, name="default"):
        calls.append((x, size, name))

    @framework.add_arg_scope
    def other(x, size=1):
        calls.append((x, size))

    with framework.arg_scope([layer, other], size=2) as outer:
        with framework.arg_scope([layer], name="inner"):
            layer(1)
            layer(1, size=3)
        layer(2)
        other(3)
        with framework.arg_scope([]):
            other(4)
    layer(5)
    with framework.arg_scope(outer):
        layer(6)
    assert calls == [
        (1, 2, "inner"), (1, 3, "inner"), (2, 2, "default"), (3, 2), (4, 2), (5, 1, "default"),
        (6, 2, "default"),
    ]  # fmt: skip
    assert framework.current_arg_scope() == {}
    with pytest.raises(ZeroDivisionError), framework.arg_scope([layer], size=2):
        _ = 1 / 0
    assert framework.current_arg_scope() == {}


def test_values_are_assigned(tf):
    v = tf.get_variable("v", [2, 2])
    assign = tf.contrib.framework.assign_from_values_fn({"v": np.arange(4.0)})
    with tf.Session() as session:
        assign(session)
        assert session.run(v).tolist() == [[0.0, 1.0], [2.0, 3.0]]


def test_end_points(tf):
    from tensorflow.contrib.layers.python.layers import utils

    layers = tf.contrib.layers
    x = tf.ones([2, 3])
    y = layers.fully_connected(x, 2, scope="a", outputs_collections="ends")
    z = layers.flatten(x, outputs_collections="ends", scope="b")
    assert list(utils.convert_collection_to_dict("ends").items()) == [("a", y), ("b", z)]
    assert utils.gather_tensors_aliases([y, x]) == ["a", "ones"]
    utils.convert_collection_to_dict("ends", clear_collection=True)
    assert tf.get_collection("ends") == []


def test_placement(tf):
    training = tf.contrib.training
    v, w = tf.Variable(tf.zeros([3, 2])), tf.Variable(1.0)
    assert training.byte_size_load_fn(v.op) == 24
    strategy = training.GreedyLoadBalancingStrategy(2, training.byte_size_load_fn)
    assert [strategy(op) for op in (v.op, w.op, w.op)] == [0, 1, 1]
    # The first numbers that TensorFlow gives.
    assert [training.RandomStrategy(5, seed)(v.op) for seed in range(4)] == [0, 3, 4, 2]


def test_sizes_of_a_model(tf, capsys):
    from tensorflow.contrib.slim.python.slim import model_analyzer

    tf.contrib.slim.fully_connected(tf.ones([2, 3]), 4)
    variables = tf.contrib.slim.get_model_variables()
    assert model_analyzer.analyze_vars(variables, print_info=True) == (16, 64)
    assert "fully_connected/biases:0 (float32_ref 4) [4, bytes: 16]" in capsys.readouterr().out
    assert model_analyzer.analyze_ops(tf.get_default_graph()) > 16


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("tensorflow.contrib.framework.python.ops", "add_arg_scope"),
        ("tensorflow.contrib.framework.python.ops.variables", "model_variable"),
        ("tensorflow.contrib.framework.python.ops.arg_scope", "arg_scope_func_key"),
        ("tensorflow.contrib.framework.python.framework.tensor_util", "with_shape"),
        ("tensorflow.contrib.layers", "fully_connected"),
        ("tensorflow.contrib.layers.python.layers", "l2_regularizer"),
        ("tensorflow.contrib.layers.python.layers", "utils"),
        ("tensorflow.contrib.layers.python.layers.layers", "_model_variable_getter"),
        ("tensorflow.contrib.layers.python.layers.layers", "poincare_normalize"),
        ("tensorflow.contrib.layers.python.layers.initializers", "xavier_initializer"),
        ("tensorflow.contrib.layers.python.layers.optimizers", "adaptive_clipping_fn"),
        ("tensorflow.contrib.losses.python.losses.loss_ops", "log_loss"),
        ("tensorflow.contrib.slim", "arg_scope"),
        ("tensorflow.contrib.slim", "learning"),
        ("tensorflow.contrib.slim", "losses"),
        ("tensorflow.contrib.slim.python.slim.learning", "create_train_op"),
        ("tensorflow.contrib.training", "HParams"),
        ("tensorflow.contrib.training.python.training.hparam", "HParams"),
    ],
)
def test_paths_of_tensorflow(module, name):
    assert hasattr(importlib.import_module(module), name)


def test_what_is_not_there_says_so(tf):
    with pytest.raises(AttributeError, match=r"autograph.StackTraceMapper is not supported"):
        _ = tf.contrib.autograph.StackTraceMapper
