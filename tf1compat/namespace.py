"""The module tree `tensorflow`, `tensorflow.nn`, `tensorflow.compat.v1`, … of all that is exported.

A namespace module looks a name up when it is first asked for, and keeps it: a dotted name
registered in `core/export.py`, a deeper namespace, or one of TF's internal packages (`tf.python`).
A name that TF 1.15 has and tf1compat doesn't raises `UnsupportedNameError`, any other one
AttributeError, as in TF.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import threading
import types
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from typing import Any

from tf1compat.core import api_names, export, options
from tf1compat.launcher import folders

# Everything that may export names, imported for `import tensorflow`, and what in it exports none:
# who wants that imports it.
_STAGES = ("core", "api", "kernels", "runtime", "formats")
_APART = (
    "tf1compat.api.autograph.converters",
    "tf1compat.api.autograph.core.converter_testing",
    "tf1compat.api.autograph.core.entities",
    "tf1compat.api.autograph.core.function_wrappers",
    "tf1compat.api.autograph.core.unsupported_features_checker",
    "tf1compat.api.autograph.impl.ast_conversion",
    "tf1compat.api.autograph.operators.value_statements",
    "tf1compat.api.autograph.pyct",
    "tf1compat.api.autograph.utils.testing",
    "tf1compat.api.client.c_api",
    "tf1compat.api.data.benchmarks",
    "tf1compat.api.debug",
    "tf1compat.api.distribute.model_collection",
    "tf1compat.api.distribute.model_combinations",
    "tf1compat.api.distribute.multi_worker_test_base",
    "tf1compat.api.distribute.saved_model_test_base",
    "tf1compat.api.distribute.single_loss_example",
    "tf1compat.api.distribute.strategy_test_lib",
    "tf1compat.api.distribute.task_devices",
    "tf1compat.api.eager.forwardprop",
    "tf1compat.api.framework.c_api_util",
    "tf1compat.api.grappler",
    "tf1compat.api.horovod",
    "tf1compat.api.keras.backend_devices",
    "tf1compat.api.keras.distribute.keras_correctness_test_base",
    "tf1compat.api.keras.distribute.multi_worker_testing_utils",
    "tf1compat.api.keras.distribute.replica_values",
    "tf1compat.api.keras.engine.training_v2",
    "tf1compat.api.keras.layers.preprocessing.preprocessing_test_utils",
    "tf1compat.api.keras.mixed_precision.experimental.test_util",
    "tf1compat.api.kernel_tests",
    "tf1compat.api.linalg.linear_operator_test_util",
    "tf1compat.api.parallel_for.test_util",
    "tf1compat.api.tools",
    "tf1compat.api.tpu.feature_column",
    "tf1compat.api.util.example_parser_configuration",
    "tf1compat.api.xla.xla_sharding",
    "tf1compat.formats.example_parser_configuration_pb2",
    "tf1compat.formats.xla_data_pb2",
    "tf1compat.kernels.libraries",
)
# What loads on first use only: a dotted prefix and the module that registers the names below it.
_LAZY = {
    "compat.v2": "tf1compat.api.compat_v2",
    "compat.v2.data": "tf1compat.api.data",
    "compat.v2.estimator": "tf1compat.api.estimator",
    "compat.v2.feature_column": "tf1compat.api.feature_column",
    "compat.v2.keras": "tf1compat.api.keras",
    "compat.v2.keras.estimator": "tf1compat.api.keras.estimator",
    "compat.v2.keras.layers.DenseFeatures": "tf1compat.api.feature_column.dense_features_v2",
    "compat.v2.keras.losses.Reduction": "tf1compat.api.keras.utils.losses_utils",
    **{
        f"compat.v2.nn.RNNCell{kind}Wrapper": "tf1compat.api.keras.layers.rnn_cell_wrapper_v2"
        for kind in ("Device", "Dropout", "Residual")
    },
    "compat.v2.distribute": "tf1compat.api.distribute",
    "compat.v2.losses.Reduction": "tf1compat.api.keras.utils.losses_utils",
    "compat.v2.saved_model": "tf1compat.api.saved_model",
    "compat.v2.strings.split": "tf1compat.api.ragged",
    "contrib": "tf1compat.api.contrib",
    "data": "tf1compat.api.data",
    "distribute": "tf1compat.api.distribute",
    "distributions": "tf1compat.api.distributions",
    "estimator": "tf1compat.api.estimator",
    "feature_column": "tf1compat.api.feature_column",
    "keras": "tf1compat.api.keras",
    "layers": "tf1compat.api.layers",
    "lite": "tf1compat.api.lite",
    "saved_model": "tf1compat.api.saved_model",
    "test.TestCase": "tf1compat.api.framework.test_util",
    "test.create_local_cluster": "tf1compat.api.framework.test_decorators",
    **{
        f"test.{name}": "tf1compat.api.platform.test"
        for name in ("StubOutForTesting", "get_temp_dir", "main", "mock", "test_src_dir_path")
    },
    "tpu": "tf1compat.api.tpu",
    **dict.fromkeys(
        (
            "RaggedTensor",
            "RaggedTensorSpec",
            "ragged",
            "string_split",
            "strings.bytes_split",
            "strings.ngrams",
            "strings.split",
            "strings.unicode_decode",
            "strings.unicode_decode_with_offsets",
            "strings.unicode_encode",
            "strings.unicode_split",
            "strings.unicode_split_with_offsets",
        ),
        "tf1compat.api.ragged",
    ),
    "OptionalSpec": "tf1compat.api.data.ops.optional_ops",
    "keras.estimator": "tf1compat.api.keras.estimator",
    "keras.experimental.SequenceFeatures": "tf1compat.api.feature_column.feature_layers",
    "keras.preprocessing.image": "tf1compat.api.keras.preprocessing.image",
    "keras.layers.DenseFeatures": "tf1compat.api.feature_column.feature_layers",
}
# TF's internal packages that `tf` itself gives access to; launcher/import_hook.py makes them.
_INTERNAL = ("python", "core", "compiler", "tools")
_NOT_IN_V1 = ("contrib", *_INTERNAL)

_modules: dict[str, NamespaceModule] = {}
_lock = threading.RLock()


# What to use in place of what will not be here, by how its name begins.
_INSTEAD = {
    "lite": (
        "write a SavedModel (tf.saved_model.simple_save) and convert it with today's "
        "tf.lite.TFLiteConverter.from_saved_model; the package ai-edge-litert interprets models"
    ),
    "contrib.tensorrt": "XLA compiles graphs for NVIDIA's GPUs as they are: run the graph itself",
    **dict.fromkeys(
        [
            *(
                f"contrib.tpu.{name}"
                for name in (
                    "InfeedQueue",
                    "TPUDistributionStrategy",
                    "export_estimator_savedmodel",
                    "keras_to_tpu_model",
                )
            ),
            *(
                f"{place}.{name}"
                for place in ("contrib.distribute", "distribute.experimental", "tpu.experimental")
                for name in ("TPUStrategy", "initialize_tpu_system")
            ),
        ],
        "JAX drives TPUs by itself: run, train and export the model as it is",
    ),
    "contrib.stat_summarizer": "tf.profiler.profile sums up a RunMetadata",
    "contrib.remote_fused_graph": "it is of graphs that Hexagon processors run",
    **dict.fromkeys(
        [
            f"contrib.{name}"
            for name in ("bigtable", "cloud", "hadoop", "ignite", "kafka", "kinesis")
        ],
        "read with the service's own package in tf.data.Dataset.from_generator",
    ),
}
_INSTEAD["python.compiler.tensorrt"] = _INSTEAD["contrib.tensorrt"]


class UnsupportedNameError(AttributeError):
    """TF 1.15 has this name, tf1compat hasn't (yet); says what to use where it won't."""

    def __init__(self, name: str):
        instead = in_place_of(name)
        super().__init__(
            f"{name} is not supported by tf1compat" + (f": {instead}" if instead else " yet")
        )


def in_place_of(name: str) -> str | None:
    """What to use for a name that will not be here ("tf.lite.Interpreter"); None if it may be."""
    below = f"{name.partition('.')[2].removeprefix('compat.v1.')}."
    return next((text for prefix, text in _INSTEAD.items() if below.startswith(f"{prefix}.")), None)


class NamespaceModule(types.ModuleType):
    """A public module of TF, e.g. `tensorflow.nn`, or `tensorflow` itself for the prefix ""."""

    __slots__ = ("_prefix",)

    def __init__(self, prefix: str):
        name = f"tensorflow.{prefix}" if prefix else "tensorflow"
        super().__init__(name)
        self._prefix = prefix
        self.__package__ = name
        self.__spec__ = ModuleSpec(name, None, is_package=True)
        self.__file__ = os.path.join(os.path.dirname(__file__), "__init__.py")

    @property
    def __path__(self) -> list[str]:
        # What TF has below is found by the import hook.
        return folders.own_folders(self.__name__)

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            return _public_names(self._prefix)
        value = _lookup(self._prefix, name)
        if _is_renamed(self._prefix, name):
            frame = sys._getframe(1)
            asker = frame.f_globals.get("__name__", "")
            if asker.startswith("tf1compat."):
                return value  # Not kept, so that a program which asks for it is told.
            if asker != "tf1compat":
                _tell(f"{self._prefix}.{name}".lstrip("."), value, frame)
        elif not self._prefix and name == "contrib":
            value = _Contrib(value)
        self.__dict__[name] = value
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        # The import system binds what it has imported; who asks `tensorflow` for it is told all
        # the same.
        if not (name == "contrib" and value is _modules.get(name)):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*self.__dict__, *_public_names(self._prefix)})


class _Contrib(types.ModuleType):
    """`tf.contrib`: the module `tensorflow.contrib` for programs; tells them that TF 2 has none.

    As in TF these are two objects: `from tensorflow.contrib import slim` asks the module itself.
    """

    def __init__(self, module: types.ModuleType):
        super().__init__(module.__name__)
        self._module = module

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._module, name)
        if not sys._getframe(1).f_globals.get("__name__", "").startswith("tf1compat."):
            _warn_of_contrib()
            self.__dict__[name] = value
        return value

    def __dir__(self) -> list[str]:
        _warn_of_contrib()
        return dir(self._module)


def _warn_of_contrib() -> None:
    from tf1compat.api.util import module_wrapper

    module_wrapper.warn_of_contrib()


def _is_renamed(prefix: str, name: str) -> bool:
    """Whether a program is told that TF 2 calls a name otherwise: TF tells nothing in `compat`."""
    if prefix.partition(".")[0] in ("compat", "contrib"):
        return False
    return (f"{prefix}.{name}" if prefix else name) in api_names.renamed()


def _tell(dotted_name: str, value: Any, frame: types.FrameType) -> None:
    """Logs what TF does when a program asks for a name that TF 2 has not."""
    from tf1compat.api.util import module_wrapper

    module_wrapper.warn_of_rename(f"tf.{dotted_name}", value, frame)


def tensorflow() -> NamespaceModule:
    """The module `tensorflow`: TF 1.15's public names, as far as tf1compat has them."""
    root = _modules.get("")
    if root is None:
        with _lock:
            if "" not in _modules:
                for prefix, module_name in _LAZY.items():
                    export.export_lazy(prefix, module_name)
                export.leave_apart(*_APART)
                with _uncollected():
                    for stage in _STAGES:
                        export.import_all(f"tf1compat.{stage}")
                _module("")
                if options.tf_version[0] != "1":
                    from tf1compat.launcher import later_releases

                    later_releases.add_members()
            root = _modules[""]
    return root


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """For what makes many objects that stay.

    Looking for garbage among them takes a fifth of the time that importing takes; and each full
    collection later would look through them again, 0.1 s in the middle of somebody's training.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()


def resolve(dotted_name: str) -> Any:
    """What a public name stands for, e.g. "nn.relu", "nn" or "compat.v1.Session".

    Raises:
      AttributeError: there is no such name.
    """
    value: Any = tensorflow()
    for part in dotted_name.split("."):
        value = getattr(value, part)
    return value


def find_module(dotted_name: str) -> types.ModuleType | None:
    """The public module of that name, e.g. "nn" or "compat.v1.nn"; None if there is none (yet)."""
    root = tensorflow()
    in_v1 = dotted_name.startswith("compat.v1.")
    while dotted_name.startswith("compat.v1."):
        dotted_name = dotted_name.removeprefix("compat.v1.")
        if dotted_name.partition(".")[0] in _NOT_IN_V1:
            return None
    try:
        value = export.find(dotted_name)
    except KeyError:
        is_module = export.is_module(dotted_name) or dotted_name == "compat.v1"
        if not is_module and dotted_name.startswith("compat.v2"):
            is_module = api_names.public().get(dotted_name) == "module"
        if not is_module:
            return None
        return _in_v1(_module(dotted_name)) if in_v1 else _module(dotted_name)
    return value if isinstance(value, types.ModuleType) and value is not root else None


def _in_v1(value: Any) -> Any:
    """What `tf.compat.v1` has in the place of something of `tf`: most modules are its own."""
    shared = ("compat", "estimator", "flags", "keras")
    if isinstance(value, NamespaceModule) and value._prefix.partition(".")[0] not in shared:
        return _module(f"compat.v1.{value._prefix}")
    return value


def _module(prefix: str) -> NamespaceModule:
    with _lock:
        if prefix not in _modules:
            _modules[prefix] = NamespaceModule(prefix)
        return _modules[prefix]


def _lookup(prefix: str, name: str) -> Any:
    dotted_name = f"{prefix}.{name}" if prefix else name
    try:
        return export.find(dotted_name)
    except KeyError:
        pass
    module = find_module(dotted_name)
    if module is not None:
        return module
    if prefix.startswith("compat.v1") and dotted_name.split(".")[2] not in _NOT_IN_V1:
        with contextlib.suppress(AttributeError):
            return _in_v1(_lookup(prefix.removeprefix("compat.v1").lstrip("."), name))
    if dotted_name == "compat.v2.compat":
        return _module("compat")
    if prefix.startswith("compat.v2"):
        place = api_names.public().get(dotted_name, "")
        if place.startswith("="):  # The same object in both.
            return resolve(place[1:])
    if not prefix and name in _INTERNAL:
        from tf1compat.launcher import import_hook

        return import_hook.find_module(f"tensorflow.{name}")
    place = api_names.modules().get(f"tensorflow.{prefix}", {}).get(name, "")
    internal = place[1:] if place.startswith("@") else f"tensorflow.{dotted_name}"
    if (
        place.startswith("@")
        or dotted_name.startswith("contrib.")
        and internal in api_names.modules()
    ):
        # A module of TF's internals: `tf.contrib.slim.learning`, `tf.contrib.graph_editor.select`.
        from tf1compat.launcher import import_hook

        try:
            module = import_hook.module_named(internal)
        except ModuleNotFoundError:
            raise UnsupportedNameError(f"tf.{dotted_name}") from None
        if module is not None:
            return module
    if prefix.startswith("contrib.") and f"tensorflow.{prefix}" in api_names.modules():
        # What such a module has besides public names: `tf.contrib.compiler.xla.compile`.
        from tf1compat.launcher import import_hook

        try:
            return getattr(import_hook.internal_module(f"tensorflow.{prefix}"), name)
        except UnsupportedNameError:
            raise UnsupportedNameError(f"tf.{dotted_name}") from None
        except AttributeError:
            pass
    is_area = prefix == "contrib" and internal in (*api_names.modules(), *api_names.packages())
    is_in_v1 = prefix != "compat.v1" or name not in _NOT_IN_V1
    if is_area or is_in_v1 and api_names.is_public(dotted_name):
        raise UnsupportedNameError(f"tf.{dotted_name}")
    if options.tf_version[0] != "1":
        from tf1compat.launcher import later_releases

        try:
            return later_releases.find(dotted_name)
        except KeyError:
            if later_releases.is_module(dotted_name):
                return _module(dotted_name)
    raise AttributeError(f"module '{_tf_module_name(prefix)}' has no attribute '{name}'")


def _tf_module_name(prefix: str) -> str:
    """The name that TF's own module has, where ours is called as users import it."""
    version = "v2" if prefix.startswith("compat.v2") else "v1"
    in_version = prefix.removeprefix(f"compat.{version}.")
    if not prefix or prefix.split(".")[0] == "contrib":
        return f"tensorflow.{prefix}".rstrip(".")
    if in_version.split(".")[0] == "keras":
        return f"tensorflow.python.keras.api._{version}.{in_version}"
    if in_version.split(".")[0] == "estimator":
        return f"tensorflow_estimator.python.estimator.api._{version}.{in_version}"
    return f"tensorflow._api.v1.{prefix}"


def _public_names(prefix: str) -> list[str]:
    names = export.children(prefix.removeprefix("compat.v1."))
    if prefix == "compat.v1":
        names += [name for name in export.children("") if name not in _NOT_IN_V1]
    elif prefix == "compat":
        names += ["v1", "v2"]
    elif prefix == "compat.v2" or prefix.startswith("compat.v2."):
        names += _shared_names(prefix)
        if prefix == "compat.v2":
            names.append("compat")
    return sorted({name for name in names if not name.startswith("_")})


def _shared_names(prefix: str) -> Iterator[str]:
    """The names in a module of `compat.v2` that are those of TF 1, as far as they are here."""
    start = f"{prefix}."
    known: dict[str, set[str]] = {}
    for dotted_name, place in api_names.public().items():
        name = dotted_name.removeprefix(start)
        if name == dotted_name or "." in name:
            continue
        if place.startswith("="):
            of, _, last = place[1:].rpartition(".")
            if of not in known:
                known[of] = set(_public_names(of))
            if last in known[of]:
                yield name
        elif place == "module" and find_module(dotted_name) is not None:
            yield name


def is_ours(module: types.ModuleType | None) -> bool:
    """Whether a module is the `tensorflow` of tf1compat."""
    return module is not None and module is _modules.get("")
