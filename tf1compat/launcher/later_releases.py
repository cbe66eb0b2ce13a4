"""What programs see of a release of TF 2, when they are told that this is one (options.tf_version).

Only its `tensorflow.compat.v1`: TF 1's names, the names that it has besides, as far as they are
another name for something that there is, and its internal modules, where TF 2 put them.
"""

from __future__ import annotations

import os
import types
from collections.abc import Callable
from typing import Any

from tf1compat.core import api_names, export, options

# Name in TF 2's compat.v1 -> the name in TF 1.15.
_SAME = {
    "config.LogicalDeviceConfiguration": "config.experimental.VirtualDeviceConfiguration",
    "config.get_logical_device_configuration": (
        "config.experimental.get_virtual_device_configuration"
    ),
    "config.set_logical_device_configuration": (
        "config.experimental.set_virtual_device_configuration"
    ),
    "executing_eagerly_outside_functions": "executing_eagerly",
    "keras.activations.swish": "nn.swish",
    "keras.losses.kl_divergence": "keras.losses.kullback_leibler_divergence",
    "keras.losses.log_cosh": "keras.losses.logcosh",
    "keras.metrics.kl_divergence": "keras.metrics.kullback_leibler_divergence",
    "keras.saving.load_model": "keras.models.load_model",
    "keras.saving.save_model": "keras.models.save_model",
    "keras.saving.custom_object_scope": "keras.utils.custom_object_scope",
    "keras.saving.get_custom_objects": "keras.utils.get_custom_objects",
    "keras.saving.deserialize_keras_object": "keras.utils.deserialize_keras_object",
    "keras.saving.serialize_keras_object": "keras.utils.serialize_keras_object",
    "keras.utils.array_to_img": "keras.preprocessing.image.array_to_img",
    "keras.utils.img_to_array": "keras.preprocessing.image.img_to_array",
    "keras.utils.load_img": "keras.preprocessing.image.load_img",
    "keras.utils.pad_sequences": "keras.preprocessing.sequence.pad_sequences",
    "keras.utils.save_img": "keras.preprocessing.image.save_img",
    "mixed_precision.DynamicLossScale": "train.experimental.DynamicLossScale",
    "mixed_precision.FixedLossScale": "train.experimental.FixedLossScale",
    "mixed_precision.LossScale": "train.experimental.LossScale",
    "mixed_precision.disable_mixed_precision_graph_rewrite": (
        "train.experimental.disable_mixed_precision_graph_rewrite"
    ),
    "mixed_precision.enable_mixed_precision_graph_rewrite": (
        "train.experimental.enable_mixed_precision_graph_rewrite"
    ),
    "nn.silu": "nn.swish",
    "sysconfig.CXX_VERSION": "version.COMPILER_VERSION",
}
_OTHER_PREFIX = {"keras.optimizers.legacy.": "keras.optimizers."}

# A module of TF 2's internals -> the modules of TF 1.15 that have its contents.
_PYTHON = "tensorflow.python."
MODULES: dict[str, tuple[str, ...]] = {
    _PYTHON + name: tuple(_PYTHON + old for old in places.split())
    for name, places in {
        "checkpoint.checkpoint": "training.tracking.util",
        "checkpoint.checkpoint_management": "training.checkpoint_management",
        "checkpoint.functional_saver": "training.saving.functional_saver",
        "eager.polymorphic_function.def_function": "eager.def_function",
        "eager.polymorphic_function.function": "eager.function",
        "framework.composite_tensor_gradient": "framework.composite_tensor",
        "framework.indexed_slices": "framework.ops ops.gradients_util framework.tensor_spec",
        "framework.tensor": "framework.ops framework.tensor_spec",
        "framework.tensor_conversion": "framework.ops",
        "framework.tensor_conversion_registry": "framework.tensor_conversion_registry"
        " framework.ops",
        "framework.extension_type": "framework.composite_tensor",
        "ops.array_ops_stack": "ops.array_ops",
        "ops.cond": "ops.control_flow_ops",
        "ops.control_flow_assert": "ops.control_flow_ops",
        "ops.control_flow_case": "ops.control_flow_ops",
        "ops.control_flow_switch_case": "ops.control_flow_ops",
        "ops.ref_variable": "ops.variables",
        "ops.stack": "ops.array_ops",
        "ops.unconnected_gradients": "ops.unconnected_gradients ops.gradients_impl",
        "ops.variable_v1": "ops.variables",
        "ops.while_loop": "ops.control_flow_ops",
        "trackable.autotrackable": "training.tracking.tracking",
        "trackable.base": "training.tracking.base",
        "trackable.data_structures": "training.tracking.data_structures",
        "trackable.resource": "training.tracking.tracking",
        "trackable.trackable_utils": "training.tracking.object_identity",
        "types.core": "framework.ops ops.variables",
        "types.internal": "framework.ops",
        "util.numpy_compat": "util.compat",
        "util.object_identity": "training.tracking.object_identity util.object_identity",
    }.items()
}


def is_later() -> bool:
    """Whether programs are told that this is TF 2."""
    return int(options.tf_version.partition(".")[0]) >= 2


def add_members() -> None:
    """Gives classes the members that they have in TF 2."""
    for cls in (export.find("Tensor"), export.find("Variable")):
        if not hasattr(cls, "ref"):
            cls.ref = cls.experimental_ref


def has_module(name: str) -> bool:
    """Whether it is one of TF 2's internal modules, or a package of them."""
    return is_later() and any(known == name or known.startswith(name + ".") for known in MODULES)


def find(dotted_name: str) -> Any:
    """The value of a name that TF 2's compat.v1 has and TF 1.15 hasn't.

    Args:
      dotted_name: without "tf." and "compat.v1.".

    Raises:
      KeyError: there is none.
    """
    if not is_later():
        raise KeyError(dotted_name)
    if dotted_name in _FUNCTIONS:
        return _FUNCTIONS[dotted_name]
    module, _, name = dotted_name.rpartition(".")
    candidates = [_SAME.get(dotted_name, "")]
    candidates += [
        new + dotted_name.removeprefix(old)
        for old, new in _OTHER_PREFIX.items()
        if dotted_name.startswith(old)
    ]
    # What was `experimental` in TF 1.15, and TF 2's own functions.
    candidates += [f"{module}.experimental.{name}", f"compat.v2.{dotted_name}"]
    candidates += [f"compat.v2.{module}.experimental.{name}"]
    for candidate in filter(None, candidates):
        # Below compat.v2 a name may stand for one of TF 1.15's.
        place = api_names.public().get(candidate, "")
        for known in (candidate, place.removeprefix("=")):
            try:
                return export.find(known)
            except KeyError:
                continue
    raise KeyError(dotted_name)


def is_module(dotted_name: str) -> bool:
    """Whether names of `find` lie below a dotted name."""
    start = dotted_name + "."
    known = (*_SAME, *_OTHER_PREFIX, *_FUNCTIONS)
    return is_later() and any(name.startswith(start) for name in known)


class MovedModule(types.ModuleType):
    """A module of TF 2's internals: its names are looked up where TF 1.15 has them."""

    def __init__(self, name: str, find_module: Callable[[str], types.ModuleType | None]):
        super().__init__(name)
        self.__path__: list[str] = []
        self.__package__ = name
        self._find_module = find_module

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__"):
            for place in MODULES.get(self.__name__, ()):
                try:
                    module = self._find_module(place)
                except ModuleNotFoundError:
                    continue
                if hasattr(module, name):
                    return getattr(module, name)
        raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")


def _xlog1py(x: Any, y: Any, name: str | None = None) -> Any:
    """`tf.math.xlog1py`: `x * log1p(y)`, and 0 where x is 0, also in the gradients."""
    ops, xlogy = export.find("convert_to_tensor"), export.find("math.xlogy")
    with export.find("name_scope")(name, "xlog1py", [x, y]):
        return xlogy(x, 1 + ops(y))


def _is_symbolic_tensor(tensor: Any) -> bool:
    """`tf.is_symbolic_tensor`."""
    return isinstance(tensor, export.find("Tensor")) and not hasattr(tensor, "numpy")


def _nothing(*args: Any, **kwargs: Any) -> None:
    """A setting that changes nothing here."""


def _no(*args: Any) -> bool:
    """What is never so in a graph."""
    return False


_FUNCTIONS: dict[str, Any] = {
    "config.experimental.enable_tensor_float_32_execution": _nothing,
    "config.functions_run_eagerly": _no,
    "debugging.disable_traceback_filtering": _nothing,
    "debugging.enable_traceback_filtering": _nothing,
    "io.gfile.join": os.path.join,
    "is_symbolic_tensor": _is_symbolic_tensor,
    "keras.layers.disable_v2_dtype_behavior": _nothing,
    "math.xlog1py": _xlog1py,
    "test.is_built_with_xla": lambda: True,
}
