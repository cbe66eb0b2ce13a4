"""In which dtypes layers compute and keep their variables
(`tensorflow.python.keras.mixed_precision.experimental.policy`)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from tf1compat.api.keras import backend_config
from tf1compat.api.keras.engine import base_layer_utils
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training.experimental import loss_scale as loss_scale_module
from tf1compat.core import dtypes
from tf1compat.core import mixed_precision_global_state as state
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, Name

USE_DEFAULT = "USE_DEFAULT"
_FLOAT32_VARS = "_with_float32_vars"


@tf_export("keras.mixed_precision.experimental.Policy")
class Policy:
    """A layer's dtypes.

    Layers take it as `dtype`. Variables of another dtype than the layer computes in are cast where
    it reads them.

    Args:
      name: a dtype's name, "<dtype>_with_float32_vars", "mixed_float16", "mixed_bfloat16", "infer"
        or "infer_with_float32_vars".
      loss_scale: a `tf.train.experimental.LossScale` or what stands for one; by default "dynamic"
        for "mixed_float16", else None.

    Raises:
      TypeError: `name` is no str.
      ValueError: there is no such policy.
    """

    def __init__(self, name: Name, loss_scale: Any = USE_DEFAULT):
        if isinstance(name, dtypes.DType):
            raise TypeError(
                f"'name' must be a string, not a DType. Instead, pass DType.name. Got: {name.name}"
            )
        if not isinstance(name, str):
            raise TypeError(f"'name' must be a string, but got: {name}")
        same = {"infer_float32_vars": "infer_with_float32_vars"}
        same["float32_with_float32_vars"] = "float32"
        self._name = same.get(name, name)
        self._compute_dtype, self._variable_dtype = _dtypes_of(self._name)
        if loss_scale == USE_DEFAULT:
            loss_scale = "dynamic" if name == "mixed_float16" else None
        if loss_scale and self._compute_dtype not in (None, "float16"):
            logging.warning(
                "Creating a Policy with a loss scale is only useful for float16 policies. You "
                f"passed loss_scale={loss_scale!r} for policy {name}. Consider not passing any "
                "loss_scale instead."
            )
        self._loss_scale = loss_scale_module.get(loss_scale)

    variable_dtype: str | None = attribute(
        "_variable_dtype", "The name of the variables' dtype; None if the first input tells it."
    )
    compute_dtype: str | None = attribute(
        "_compute_dtype",
        "The name of the dtype of inputs and outputs; None if the first input tells it.",
    )

    @property
    def should_cast_variables(self) -> bool:
        """Whether these are two."""
        return self.variable_dtype != self.compute_dtype

    loss_scale = attribute("_loss_scale", "The `LossScale`, or None.")
    name: str = attribute("_name", "The name.")

    def __repr__(self) -> str:
        return f'<Policy "{self._name}", loss_scale={self.loss_scale}>'


def _dtypes_of(name: str) -> tuple[str | None, str | None]:
    """The names of the dtypes of computations and of variables."""
    if name in ("mixed_float16", "mixed_bfloat16"):
        return name.removeprefix("mixed_"), "float32"
    base = name.removesuffix(_FLOAT32_VARS)
    try:
        compute = None if base == "infer" else dtypes.as_dtype(base).name
    except TypeError:
        text = (
            f"Cannot convert value {name} to a mixed precision Policy. Valid policies include "
            'include those in the form "<dtype>" and "<dtype>_with_float32_vars", where <dtype> '
            "is the name of a dtype."
        )
        if base != name:
            text += (
                f" The value {name} ends with _with_float32_vars, but {base} cannot be converted "
                "to a DType"
            )
        raise ValueError(text) from None
    return compute, compute if base == name else "float32"


def with_input_dtype(policy: Policy, dtype: DTypeLike) -> Policy:
    """A policy that had no dtype to compute in, with that of an input."""
    assert not policy.compute_dtype
    name = dtypes.as_dtype(dtype).name
    return Policy(name if policy.variable_dtype is None else name + _FLOAT32_VARS)


_global_policy: Policy | None = None


@tf_export("keras.mixed_precision.experimental.global_policy")
def global_policy() -> Policy:
    """The policy of layers that are given none: the one that was set, else "infer", or with TF 2's
    behaviour that of `floatx()`."""
    if _global_policy is not None:
        return _global_policy
    floatx = base_layer_utils.v2_dtype_behavior_enabled()
    return Policy(backend_config.floatx() if floatx else "infer")


def policy_defaults_to_floatx() -> bool:
    """Whether `global_policy` follows `floatx()`."""
    return _global_policy is None and base_layer_utils.v2_dtype_behavior_enabled()


@tf_export("keras.mixed_precision.experimental.set_policy")
def set_policy(policy: Any) -> None:
    """Sets the policy of layers that are given none.

    Args:
      policy: a `Policy`, the name of one, or None for the default.

    Raises:
      ValueError: graphs are rewritten for mixed precision, or the policy says a dtype to compute
        in, which TF 1.15 only takes with TF 2's behaviour.
    """
    global _global_policy
    if state.mixed_precision_graph_rewrite_is_enabled:
        raise ValueError(
            "The mixed precision policy cannot be set, because the mixed precision graph rewrite "
            "has already been enabled.\nAt most, one of the following functions can be called:\n\n"
            "  1. tf.train.experimental.enable_mixed_precision_graph_rewrite() (You called this "
            "first)\n  2. tf.keras.mixed_precision.experimental.set_policy() (You called this "
            "second)\n\nYou called both functions, which is an error, because both functions "
            "enable you to use mixed precision. The first function enables mixed precision in the "
            "graph with a graph rewrite. However it is currently not very customizable, and does "
            "not support eager. The second function is for Keras layers, but is not yet fully "
            "complete."
        )
    if policy is not None and not isinstance(policy, Policy):
        policy = Policy(policy)
    floatx = base_layer_utils.v2_dtype_behavior_enabled()
    if policy is not None and policy.compute_dtype and not floatx:
        raise ValueError("The global policy can only be set to a non-infer policy in TensorFlow 2")
    _global_policy = policy
    state.using_default_mixed_precision_policy = policy is None


@contextlib.contextmanager
def policy_scope(policy: Any) -> Iterator[None]:
    """A context with another global policy."""
    old = _global_policy
    try:
        set_policy(policy)
        yield
    finally:
        set_policy(old)


def of_layer(dtype: DTypeLike) -> Policy:
    """The policy of a layer, from its argument `dtype`: a dtype, a policy, or None for the global
    one."""
    if isinstance(dtype, Policy):
        return dtype
    return Policy(dtypes.as_dtype(dtype).name) if dtype else global_policy()
