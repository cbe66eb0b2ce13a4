"""The public modules: `tf`, `tf.nn`, `tf.compat.v1`, …"""

import operator
import os
import subprocess
import sys
import types

import pytest

import tf1compat
from tf1compat import namespace
from tf1compat.core import api_names, export
from tf1compat.core.graph import Graph

tf = tf1compat.tensorflow()


def test_versions_are_those_of_tf():
    assert tf.__version__ == tf.VERSION == tf.version.VERSION == "1.15.5"
    assert tf.__git_version__ == tf.GIT_VERSION == "v1.15.4-39-g3db52be"
    assert tf.__compiler_version__ == tf.COMPILER_VERSION == "7.3.1 20180303"
    assert tf.version.GRAPH_DEF_VERSION == 134
    assert (tf.CXX11_ABI_FLAG, tf.MONOLITHIC_BUILD) == (0, 0)


def test_package_gives_tf_names():
    assert tf1compat.Graph is tf.Graph is Graph
    with pytest.raises(AttributeError, match="module 'tensorflow' has no attribute 'nonsense'"):
        tf1compat.nonsense  # noqa: B018


def test_unknown_name_raises_as_in_tf():
    with pytest.raises(AttributeError, match="^module 'tensorflow' has no attribute 'foo'$"):
        tf.foo  # noqa: B018
    keras, estimator = "tensorflow.python.keras.api", "tensorflow_estimator.python.estimator.api"
    for module, name in [
        (tf.errors, "tensorflow._api.v1.errors"),
        (tf.keras.layers, f"{keras}._v1.keras.layers"),
        (tf.compat.v2.keras.losses, f"{keras}._v2.keras.losses"),
        (tf.estimator.export, f"{estimator}._v1.estimator.export"),
        (tf.compat.v2.estimator, f"{estimator}._v2.estimator"),
    ]:
        with pytest.raises(AttributeError, match=f"^module '{name}' has no attribute 'foo'$"):
            module.foo  # noqa: B018


def test_name_that_tf_has_and_we_lack_says_so():
    export.load_all_lazy()
    missing = next(
        name
        for name, kind in api_names.public().items()
        if kind != "module" and name.startswith("contrib.") and not export.has(name)
        if namespace.in_place_of(f"tf.{name}") is None
    )
    area, _, name = missing.rpartition(".")
    module = operator.attrgetter(area)(tf)
    with pytest.raises(namespace.UnsupportedNameError) as caught:
        getattr(module, name)
    assert str(caught.value) == f"tf.{missing} is not supported by tf1compat yet"
    assert not hasattr(module, name)


def test_names_that_will_not_be_here_say_what_to_use(tf):
    tf1compat.install()
    with pytest.raises(AttributeError, match=r"^tf.lite.TFLiteConverter is not .*ai-edge-litert"):
        _ = tf.lite.TFLiteConverter
    with pytest.raises(ImportError, match=r"^tf.lite.TFLiteConverter is not .*ai-edge-litert"):
        from tensorflow.lite import TFLiteConverter
    from tensorflow.contrib.tensorrt import create_inference_graph

    with pytest.raises(AttributeError, match="run the graph itself"):
        create_inference_graph(None, [])
    assert tf.lite.constants.QUANTIZED_UINT8 is tf.uint8
    assert tf.lite.OpsSet.get_options()[0] == "TFLITE_BUILTINS"
    assert tf.lite.TargetSpec().supported_ops == {tf.lite.OpsSet.TFLITE_BUILTINS}
    from tensorflow.lite.python import lite
    from tensorflow.lite.python.lite import TFLiteConverter

    assert lite.OpsSet is tf.lite.OpsSet
    with pytest.raises(AttributeError, match=r"lite\.TFLiteConverter is not .*ai-edge-litert"):
        TFLiteConverter.from_session(None, [], [])


def test_module_of_a_missing_function_refuses_it(tf):
    with pytest.raises(
        AttributeError, match="execute is not supported by tf1compat: it is of graphs that"
    ):
        _ = tf.contrib.remote_fused_graph.remote_fused_graph_execute


def test_compat_v1_is_the_same_surface():
    assert tf.compat.v1.Graph is tf.Graph
    assert tf.compat.v1.errors.OpError is tf.errors.OpError
    assert tf.compat.v1.errors is not tf.errors
    assert tf.compat.v1.keras is tf.keras
    assert tf.compat.v1.flags is tf.flags
    assert dir(tf.compat.v1.losses) == dir(tf.losses)
    assert tf.compat.v1.compat.as_str is tf.compat.as_str
    assert tf.compat.v1.__version__ == tf.__version__
    with pytest.raises(AttributeError, match="contrib"):
        tf.compat.v1.contrib  # noqa: B018


def test_compat_v2_has_what_is_the_same_in_both():
    assert tf.compat.v2.Graph is tf.Graph
    assert tf.compat.v2.errors.OpError is tf.errors.OpError
    assert tf.compat.v2.DeviceSpec is not tf.DeviceSpec
    with pytest.raises(namespace.UnsupportedNameError, match=r"lite\.Interpreter is not"):
        tf.compat.v2.lite.Interpreter  # noqa: B018
    with pytest.raises(AttributeError, match="_api.v1.compat.v2' has no attribute"):
        tf.compat.v2.Session  # noqa: B018


def test_dir_and_star():
    assert {"Graph", "errors", "compat"} <= set(dir(tf))
    assert "Graph" in dir(tf.compat.v1)
    assert "v1" in dir(tf.compat)
    assert "Graph" in tf.__all__
    assert not any(name.startswith("_") for name in tf.__all__)


def test_user_may_replace_a_name():
    original = tf.compat.as_text
    try:
        tf.compat.as_text = len
        assert tf.compat.as_text is len
    finally:
        tf.compat.as_text = original


def test_modules_are_packages():
    assert isinstance(tf.errors, types.ModuleType)
    assert tf.errors.__name__ == "tensorflow.errors"
    assert tf.errors.__path__ == []
    assert tf.__file__.endswith("tf1compat/__init__.py")


# What ordinary use does not ask for.
NOT_YET = ["contrib.layers", "debug", "framework.test_util", "horovod", "keras.models", "tools"]


def test_import_leaves_out_what_is_not_asked_for():
    script = "import sys, tf1compat; tf1compat.tensorflow(); print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    modules = run.stdout.split()
    assert "tf1compat.api.nn.nn_ops" in modules
    assert not {"absl.testing", "asyncio", "grpc", "unittest.mock", "optax"}.intersection(modules)
    assert not [name for name in NOT_YET if f"tf1compat.api.{name}" in modules]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process each without forking takes minutes")
def test_each_part_may_be_imported_first():
    """No module works only after another one was imported: here each is the first one."""
    script = f"""
import importlib, os, sys
import tf1compat
tf1compat.tensorflow()
for name in {sorted({*namespace._LAZY.values(), *namespace._APART})}:
    child = os.fork()
    if not child:
        try:
            importlib.import_module(name)
        except BaseException as error:
            print(name, repr(error), flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""
    run = [sys.executable, "-W", "ignore", "-c", script]
    assert not subprocess.run(run, check=True, capture_output=True, text=True).stdout
