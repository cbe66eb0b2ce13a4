"""What Python says of TF's classes, functions and modules: their files, sources and modules."""

import importlib
import inspect
import os
import pickle
import sys
import types

import pytest

import tf1compat

tf1compat.install()

import tensorflow as tf  # noqa: E402

# Public name -> the module that TF 1.15 names in it.
MODULES = {
    "Graph": "tensorflow.python.framework.ops",
    "DType": "tensorflow.python.framework.dtypes",
    "RaggedTensor": "tensorflow.python.ops.ragged.ragged_tensor",
    "Variable": "tensorflow.python.ops.variables",
    "contrib.rnn.LayerNormBasicLSTMCell": "tensorflow.contrib.rnn.python.ops.rnn_cell",
    "errors.OpError": "tensorflow.python.framework.errors_impl",
    "estimator.Estimator": "tensorflow_estimator.python.estimator.estimator",
    "keras.layers.Dense": "tensorflow.python.keras.layers.core",
    "keras.layers.LayerNormalization": "tensorflow.python.keras.layers.normalization",
    "contrib.layers.conv2d": "tensorflow.contrib.layers.python.layers.layers",
    "get_variable": "tensorflow.python.ops.variable_scope",
    "layers.dense": "tensorflow.python.layers.core",
    "matmul": "tensorflow.python.ops.math_ops",
    "nn.relu": "tensorflow.python.ops.gen_nn_ops",
    "nn.sparse_softmax_cross_entropy_with_logits": "tensorflow.python.ops.nn_ops",
}


def find(name):
    value = tf
    for part in name.split("."):
        value = getattr(value, part)
    return value


@pytest.mark.parametrize(("name", "module"), MODULES.items())
def test_modules_of_classes_and_functions(name, module):
    symbol = find(name)
    assert symbol.__module__ == module
    assert inspect.getmodule(symbol) is sys.modules[module] is importlib.import_module(module)
    assert pickle.loads(pickle.dumps(symbol)) is symbol


@pytest.mark.parametrize("name", MODULES)
def test_sources(name):
    symbol = find(name)
    word = "class" if isinstance(symbol, type) else "def"
    assert f"\n{word} {symbol.__name__}" in "\n" + inspect.getsource(symbol)
    assert os.path.isfile(inspect.getsourcefile(symbol))


def test_sources_of_other_classes():
    class Mine(tf.keras.layers.Dense):
        pass

    assert inspect.getsource(Mine).strip().startswith("class Mine")
    assert inspect.getfile(types) == types.__file__
    with pytest.raises(TypeError, match="is a built-in class"):
        inspect.getfile(int)


def test_files_of_modules():
    from tensorflow.contrib import slim
    from tensorflow.core.framework import graph_pb2
    from tensorflow.python.ops import math_ops

    for module in (tf, tf.nn, tf.compat.v1, slim, math_ops, graph_pb2, tf.python):
        assert os.path.isfile(module.__file__)
        assert inspect.getsource(module)
    assert os.path.basename(math_ops.__file__) == "math_ops.py"
    assert os.path.basename(tf.nn.__file__) == "__init__.py"
