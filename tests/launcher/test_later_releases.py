"""`--tf-version 2.15`: what a library sees that refuses TF 1.15."""

import os
import subprocess
import sys
import textwrap

import pytest

import tf1compat

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(tf1compat.__file__)))


def _run(code, *options):
    return subprocess.run(
        [sys.executable, "-m", "tf1compat", *options, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": ROOT},
    )


# A name that TF 2.15 has in compat.v1, and TF 1.15's for it.
NAMES = [
    ("config.list_physical_devices", "config.experimental.list_physical_devices"),
    ("data.AUTOTUNE", "data.experimental.AUTOTUNE"),
    ("executing_eagerly_outside_functions", "executing_eagerly"),
    ("keras.optimizers.legacy.Adam", "keras.optimizers.Adam"),
    ("keras.utils.pad_sequences", "keras.preprocessing.sequence.pad_sequences"),
    ("nn.silu", "nn.swish"),
    ("random.Generator", "random.experimental.Generator"),
    ("version.VERSION", "__version__"),
]
# Where TF 2.15's internal modules have objects that are public.
INTERNAL = [
    ("checkpoint.checkpoint", "Checkpoint", "compat.v2.train.Checkpoint"),
    ("framework.indexed_slices", "IndexedSlices", "IndexedSlices"),
    ("framework.tensor", "Tensor", "Tensor"),
    ("framework.tensor", "TensorSpec", "TensorSpec"),
    ("framework.tensor_conversion", "convert_to_tensor", "convert_to_tensor"),
    ("ops.array_ops_stack", "unstack", "unstack"),
    ("ops.cond", "cond", "cond"),
    ("ops.control_flow_assert", "Assert", "Assert"),
    ("ops.control_flow_case", "case", "case"),
    ("ops.while_loop", "while_loop", "while_loop"),
    ("types.core", "Tensor", "Tensor"),
]


def test_names_and_modules_of_tf_2():
    result = _run(
        f"""
        import functools, importlib
        import tensorflow.compat.v1 as tf

        def find(name):
            return functools.reduce(getattr, name.split("."), tf)

        for new, old in {NAMES}:
            if find(new) is not find(old):
                print(new, find(new), find(old))
        for module, name, public in {INTERNAL}:
            found = getattr(importlib.import_module("tensorflow.python." + module), name)
            if found is not find(public):
                print(module, name, found, find(public))
        from tensorflow.python.ops import control_flow_switch_case, cond
        from tensorflow.python.trackable import base
        print(tf.__version__, base.Trackable.__name__, tf.constant(1).ref().deref() is not None)
        print(tf.Session().run(tf.math.xlog1py([0.0, 2.0], [-1.0, 0.0])))
        try:
            tf.math.nonsense
        except AttributeError as error:
            print(error)
        """,
        "--tf-version",
        "2.15",
    )
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        "2.15.0 Trackable True",
        "[0. 0.]",
        "module 'tensorflow._api.v1.compat.v1.math' has no attribute 'nonsense'",
    ]


def test_tf_1_has_none_of_them():
    result = _run("""
        import importlib
        import tensorflow as tf
        print(hasattr(tf.nn, "silu"), hasattr(tf.data, "AUTOTUNE"), hasattr(tf.Tensor, "ref"))
        for name in ("ops.cond", "trackable.base", "types.core"):
            try:
                importlib.import_module("tensorflow.python." + name)
            except ModuleNotFoundError:
                print("no", name)
    """)
    assert result.stdout.splitlines() == [
        "False False False",
        "no ops.cond",
        "no trackable.base",
        "no types.core",
    ]


@pytest.mark.parametrize(("version", "shown"), [("1.4", "1.4.0"), ("1.12.3", "1.12.3")])
def test_releases_of_tf_1(version, shown):
    result = _run("import tensorflow as tf; print(tf.__version__)", "--tf-version", version)
    assert result.stdout == f"{shown}\n"


def test_nonsense_is_refused():
    result = _run("import tensorflow", "--tf-version", "new")
    assert "TF1COMPAT_TF_VERSION must be like 2.15 or 1.4.0. Received: 'new'" in result.stderr


def test_keras_layers_under_v2_tensorshape():
    """Libraries on TF 2 switch it on: dimensions are plain integers."""
    result = _run("""
        import tensorflow as tf
        tf.enable_v2_tensorshape()
        x = tf.placeholder(tf.float32, [None, 8, 8, 3])
        x = tf.keras.layers.Conv2D(4, 3)(x)
        x = tf.keras.layers.BatchNormalization()(x)
        x = tf.layers.dense(tf.layers.flatten(x), 5)
        x = tf.keras.layers.LayerNormalization()(x)
        loss = tf.losses.sparse_softmax_cross_entropy(tf.zeros([2], tf.int32), x[:2])
        print(x.shape.as_list(), tf.nn.moments(x, [0])[0].shape[0], loss.dtype.name)
    """)
    assert result.stdout == "[None, 5] 5 float32\n"
