"""`import tensorflow…`: one object a name, by whatever way it is imported."""

import abc
import importlib
import os
import subprocess
import sys
import types
from pathlib import Path
from unittest import mock

import pytest

import tf1compat
from tf1compat.core import api_names, raw_ops

tf1compat.install()

import tensorflow as tf  # noqa: E402


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("tensorflow.compat.v1", "tensorflow_core.compat.v1"),
        ("tensorflow.keras", "tensorflow.compat.v1.keras"),
        ("tensorflow.errors", "tensorflow._api.v1.errors"),
        ("tensorflow.python.framework.ops", "tensorflow_core.python.framework.ops"),
        ("tensorflow.core.framework.graph_pb2", "tensorflow_core.core.framework.graph_pb2"),
        ("tensorflow.keras.layers", "tensorflow.python.keras.api._v1.keras.layers"),
        ("tensorflow.compat.v2.keras", "tensorflow_core.python.keras.api._v2.keras"),
        ("tensorflow.estimator", "tensorflow_estimator._api.v1.estimator"),
        ("tensorflow.estimator.inputs",)
        + ("tensorflow_estimator.python.estimator.api._v1.estimator.inputs",),
        ("tensorflow.compat.v2.estimator",)
        + ("tensorflow_estimator.python.estimator.api._v2.estimator",),
    ],
)
def test_one_module_under_several_names(name, other):
    assert importlib.import_module(name) is importlib.import_module(other)
    assert importlib.import_module(name) is importlib.import_module(name)


def test_generated_packages():
    from tensorflow.python.keras.api._v1 import keras
    from tensorflow.python.keras.api._v2 import keras as keras_v2

    assert keras is tf.keras and keras_v2 is tf.compat.v2.keras


def test_what_a_contrib_module_has_besides_public_names():
    from tensorflow.contrib.compiler import xla

    assert xla.compile is tf.contrib.compiler.xla.compile is tf.xla.experimental.compile
    with pytest.raises(AttributeError, match="contrib.compiler.xla' has no attribute 'nonsense'$"):
        xla.nonsense  # noqa: B018


@pytest.mark.parametrize(
    ("statement", "public"),
    [
        ("from tensorflow import Graph as found", "Graph"),
        ("from tensorflow.compat.v1 import Graph as found", "Graph"),
        ("from tensorflow.python.framework.ops import Graph as found", "Graph"),
        ("from tensorflow.python.framework.ops import Tensor as found", "Tensor"),
        ("from tensorflow.python import Graph as found", "Graph"),
        ("from tensorflow.python.framework.dtypes import float32 as found", "float32"),
        ("from tensorflow.python.framework.errors_impl import OpError as found", "errors.OpError"),
        (
            "from tensorflow.python.framework.tensor_shape import TensorShape as found",
            "TensorShape",
        ),
        ("from tensorflow.python.platform.app import run as found", "app.run"),
        ("from tensorflow.python.platform.flags import FLAGS as found", "flags.FLAGS"),
        ("from tensorflow.python.platform.tf_logging import info as found", "logging.info"),
        ("from tensorflow.python.util.compat import as_bytes as found", "compat.as_bytes"),
        ("from tensorflow.python.compat.compat import forward_compatible as found",)
        + ("compat.forward_compatible",),
        ("import tensorflow.compat.v1.errors as found", "compat.v1.errors"),
        ("from tensorflow.python.keras import __version__ as found", "keras.__version__"),
    ],
)
def test_internal_and_public_names_are_the_same_object(statement, public):
    namespace = {}
    exec(statement, namespace)
    value = tf
    for part in public.split("."):
        value = getattr(value, part)
    assert namespace["found"] is value


def test_package_attributes_are_tf_s():
    # TF's own package binds `ops` to the module in framework, not to the package of that name.
    import tensorflow.contrib.framework.python.ops.arg_scope  # noqa: F401
    from tensorflow.contrib.framework.python.ops import arg_scope
    from tensorflow.python import ops
    from tensorflow.python.framework import ops as framework_ops
    from tensorflow.python.ops import gen_math_ops

    assert ops is framework_ops is tf.python.ops
    assert arg_scope is tf.contrib.framework.arg_scope  # and not the module
    assert gen_math_ops.__name__ == "tensorflow.python.ops.gen_math_ops"


def test_generated_modules_are_raw_ops():
    from tensorflow.python.ops import gen_array_ops, gen_math_ops, gen_nn_ops

    assert gen_math_ops.mat_mul is raw_ops.function("MatMul")
    assert gen_math_ops._sum is raw_ops.function("Sum")
    assert gen_nn_ops.conv2d_backprop_input is raw_ops.function("Conv2DBackpropInput")
    assert gen_nn_ops.max_pool3d_grad_grad is raw_ops.function("MaxPool3DGradGrad")
    assert gen_array_ops.lower_bound is raw_ops.function("LowerBound")
    with pytest.raises(AttributeError, match="gen_math_ops' has no attribute 'mat_mull'"):
        gen_math_ops.mat_mull  # noqa: B018


def test_protos():
    from tensorflow.core.framework import graph_pb2, node_def_pb2
    from tensorflow.core.protobuf.config_pb2 import ConfigProto
    from tensorflow.core.util import event_pb2

    assert graph_pb2.GraphDef(node=[node_def_pb2.NodeDef(name="a")]).node[0].name == "a"
    assert ConfigProto(allow_soft_placement=True).allow_soft_placement
    assert event_pb2.Event(step=3).step == 3


def test_private_names_of_what_contrib_takes_from_estimator():
    from tensorflow.contrib.estimator.python.estimator import early_stopping

    hook = tf.estimator.experimental.make_early_stopping_hook
    assert early_stopping.make_early_stopping_hook is hook
    assert issubclass(early_stopping._StopOnPredicateHook, tf.train.SessionRunHook)


def test_reload_keeps_the_module():
    assert importlib.reload(tf) is tf


@pytest.mark.parametrize(
    ("statement", "error", "message"),
    [
        ("import tensorflow.foo", ModuleNotFoundError, "No module named 'tensorflow.foo'"),
        ("import tensorflow.errors.OpError", ModuleNotFoundError, "tensorflow.errors.OpError"),
        ("from tensorflow import foo", ImportError, "cannot import name 'foo' from 'tensorflow'"),
        ("import tensorflow.python.foo", ModuleNotFoundError, "No module named"),
        (
            "from tensorflow.python.framework.ops import foo",
            ImportError,
            "cannot import name 'foo' from 'tensorflow.python.framework.ops'",
        ),
        (
            "import tensorflow.contrib.cloud.BigtableClient",
            ModuleNotFoundError,
            "tf.contrib.cloud.BigtableClient is not supported by tf1compat",
        ),
        (
            "from tensorflow.contrib.cloud import BigtableClient",
            ImportError,
            "tf.contrib.cloud.BigtableClient is not supported by tf1compat",
        ),
    ],
)
def test_what_is_missing_is_named(statement, error, message):
    with pytest.raises(error) as caught:
        exec(statement, {})
    assert message in str(caught.value)


def test_unsupported_attribute_of_an_internal_module():
    from tensorflow.python.framework import c_api_util

    with pytest.raises(AttributeError) as caught:
        c_api_util.ScopedTFGraph  # noqa: B018
    assert str(caught.value) == (
        "tensorflow.python.framework.c_api_util.ScopedTFGraph is not supported by tf1compat yet"
    )


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("tensorflow.contrib.stat_summarizer", "StatSummarizer"),
        ("tensorflow.contrib.remote_fused_graph", "remote_fused_graph_execute"),
    ],
)
def test_from_import_says_that_tf_has_the_name(module, name):
    with pytest.raises(ImportError, match=rf"\.{name} is not supported by tf1compat: "):
        exec(f"from {module} import {name}", {})


def test_every_internal_module_can_be_imported():
    for name in sorted(api_names.modules()):
        if name.startswith("tensorflow.python."):
            assert importlib.import_module(name).__name__ == name


@pytest.mark.parametrize(
    "use",
    [
        lambda value: value(),
        lambda value: value.attribute,
        lambda value: type("Mine", (), {})() in value,
        lambda value: value[0],
        lambda value: list(value),
        lambda value: value + 1,
        lambda value: types.new_class("Mine", (value,))(),
    ],
)
def test_what_is_only_imported_says_so_when_it_is_used(use):
    from tensorflow.python.framework.c_api_util import ScopedTFGraph
    from tensorflow.python.framework.c_api_util import ScopedTFGraph as other

    assert not isinstance(1, ScopedTFGraph)
    assert "not supported" in repr(other)
    with pytest.raises(AttributeError, match=r"^tensorflow\.python\.framework\.c_api_util\.Scoped"):
        use(ScopedTFGraph)


def test_a_missing_base_is_named_when_its_class_is_used():
    from tensorflow.python.framework import c_api_util

    class Mine(abc.ABC, c_api_util.ScopedTFGraph, metaclass=abc.ABCMeta):
        def __init__(self, value):
            self.value = value

    with pytest.raises(AttributeError, match="ScopedTFGraph is not supp"):
        Mine(1)
    with pytest.raises(AttributeError, match="ScopedTFGraph is not supp"):

        class Other(len(c_api_util.ScopedTFGraph)):
            pass


def test_a_module_in_a_file_has_no_submodules():
    # tf1compat.core.device is no part of it.
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("tensorflow.python.framework.test_util.device")


@pytest.mark.parametrize("is_package", [False, True])
def test_what_is_beside_tf_s_modules_on_the_path(tmp_path, is_package):
    """TF's unit tests import helpers that no release of TF has."""
    helpers = tmp_path / "tensorflow" / "python" / "ops" / "ragged"
    tests = tmp_path / "tensorflow" / "python" / "kernel_tests"
    helpers.mkdir(parents=True)
    tests.mkdir()
    (helpers / "helper.py").write_text("import numpy as np\nKIND = np.int\n")
    public = tmp_path / "tensorflow" / "contrib" / "layers"
    public.mkdir(parents=True)
    (public / "beside.py").write_text("NUMBER = 3\n")
    # The one that tf1compat has is not replaced.
    (helpers / "ragged_math_ops.py").write_text("1 / 0\n")
    if is_package:
        for folder in (tests, tests.parent, tests.parent.parent):
            (folder / "__init__.py").write_text("")
    (tests / "some_test.py").write_text(
        "from tensorflow.python.ops.ragged import helper, ragged_math_ops\n"
        "from tensorflow.contrib.layers.beside import NUMBER\n"
        "from tensorflow.python.platform import test\n"
        "class SomeTest(test.TestCase):\n"
        "  def test(self):\n"
        "    self.assertIs(helper.KIND, int)\n"
        "    self.assertEqual(NUMBER, 3)\n"
        "    self.assertTrue(callable(ragged_math_ops.range))\n"
        "if __name__ == '__main__':\n"
        "  test.main()\n"
    )
    root = str(Path(tf1compat.__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([root, str(tmp_path)])}
    for how in (
        ["tensorflow/python/kernel_tests/some_test.py"],
        ["-m", "pytest", "-q", str(tests)],
    ):
        command = [sys.executable, "-W", "ignore", "-m", "tf1compat", *how]
        result = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert result.returncode == 0, result.stdout + result.stderr


def test_gradient_registry():
    from tensorflow.python.framework import ops

    registry = ops._gradient_registry
    assert "MatMul" in registry._registry
    assert "Tf1compatGuided" not in registry._registry
    with pytest.raises(LookupError, match="no entry for: Tf1compatGuided"):
        registry.lookup("Tf1compatGuided")

    @tf.RegisterGradient("Tf1compatGuided")
    def guided(op, grad):
        return grad

    try:
        assert registry.lookup("Tf1compatGuided") is guided
        assert registry._registry["Tf1compatGuided"]["type"] is guided
        assert "Tf1compatGuided" in registry.list()
        with pytest.raises(KeyError, match="Registering two gradient with name"):
            registry.register(guided, "Tf1compatGuided")
    finally:
        del registry._registry["Tf1compatGuided"]
    assert "Tf1compatGuided" not in registry._registry


def test_setting_an_attribute_reaches_our_module():
    from tensorflow.python.util import deprecation

    from tf1compat.api.util import deprecation as ours

    try:
        deprecation._PRINT_DEPRECATION_WARNINGS = False
        assert ours._PRINT_DEPRECATION_WARNINGS is False
    finally:
        deprecation._PRINT_DEPRECATION_WARNINGS = True
    assert ours._PRINT_DEPRECATION_WARNINGS is True


def test_client_copies_of_tf_files_may_export():
    from tensorflow.python.util.tf_export import tf_export

    @tf_export("Graph", v1=["Graph"])
    class Mine:
        pass

    assert tf.Graph is not Mine
    assert Mine._tf_api_names == ("Graph",)


def test_modules_have_the_modules_that_tf_imports_there():
    import tensorflow.python.keras.layers.core as core_layers
    from tensorflow.python.keras import backend
    from tensorflow.python.ops import math_ops, rnn_cell_impl
    from tensorflow.python.ops.rnn import rnn_cell_impl as of_rnn
    from tensorflow.python.training import optimizer

    assert of_rnn is rnn_cell_impl
    assert optimizer.math_ops is math_ops
    assert core_layers.K is backend
    with pytest.raises(ImportError, match="rnn_cell_impl"):
        from tensorflow.python.ops.math_ops import rnn_cell_impl


def test_references_are_what_object_identity_has():
    from tensorflow.python.util import object_identity

    x = tf.constant(1.0)
    reference = x.experimental_ref()
    assert isinstance(reference, object_identity.Reference)
    assert reference == object_identity.Reference(x)
    assert reference != tf.constant(1.0).experimental_ref()
    with pytest.raises(TypeError, match="Cannot compare wrapped object with unwrapped object"):
        _ = reference == x


def test_install_is_too_late_after_the_real_thing():
    code = (
        "import sys, types, tf1compat\n"
        "sys.modules['tensorflow'] = types.ModuleType('tensorflow')\n"
        "try:\n    tf1compat.install()\n"
        "except ImportError as error:\n    print(error)\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "must come before the first import of tensorflow" in result.stdout


@pytest.mark.parametrize("looked_up", [False, True])
@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("tensorflow.tools.graph_transforms", "TransformGraph"),
        ("tensorflow.python.ops.nn_ops", "crelu"),
        ("tensorflow.python.ops.math_ops", "cumprod"),
        ("tensorflow.python.ops.gradients_util", "_IsBackpropagatable"),
    ],
)
def test_patches_are_taken_back(module, name, looked_up):
    module = importlib.import_module(module)
    original = getattr(module, name)
    if not looked_up:
        del vars(module)[name]
    for _ in range(2):
        with mock.patch.object(module, name) as replacement:
            assert getattr(module, name) is replacement
            with mock.patch.object(module, name) as inner:
                assert getattr(module, name) is inner
            assert getattr(module, name) is replacement
        assert getattr(module, name) is original
        vars(module).pop(name, None)
        assert getattr(module, name) is original  # Also where it comes from.
        if not looked_up:
            del vars(module)[name]
