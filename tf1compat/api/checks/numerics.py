"""Checks that numbers are finite (`tensorflow.python.ops.numerics`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.util.deprecation import renamed
from tf1compat.api.util.dispatch import add_dispatch_support
from tf1compat.core import context, dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike


@tf_export("debugging.check_numerics", "check_numerics")
@add_dispatch_support
def check_numerics(tensor: TensorLike, message: str, name: Name = None) -> Tensor:
    """A tensor's value; a run fails where it has an infinity or a NaN.

    Args:
      tensor: a float tensor.
      message: what the error's text begins with.
      name: the operation's name.

    Returns:
      A tensor like the given one.
    """
    return raw_ops.CheckNumerics(tensor, message, name=name)


@tf_export("debugging.assert_all_finite", "verify_tensor_all_finite")
def verify_tensor_all_finite(
    t: TensorLike | None = None,
    msg: str | None = None,
    name: Name = None,
    x: Any = None,
    message: Any = None,
) -> Tensor:
    """A tensor's value, after a check that it is finite.

    Args:
      t: a float tensor; its new name is `x`.
      msg: what the error's text begins with; its new name is `message`.
      name: the name scope.
      x, message: see `t` and `msg`.

    Returns:
      A tensor like the given one.
    """
    x = renamed("x", x, "t", t)
    message = renamed("message", message, "msg", msg)
    return verify_tensor_all_finite_v2(x, message, name)


@tf_export("compat.v2.debugging.assert_all_finite")
def verify_tensor_all_finite_v2(x: TensorLike, message: str, name: Name = None) -> Tensor:
    """As `verify_tensor_all_finite`.

    Args:
      x: a tensor of floating point.
      message: what the error says.
      name: as in `verify_tensor_all_finite`.

    Returns:
      As `verify_tensor_all_finite`.
    """
    with ops.name_scope(name, "VerifyFinite", [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        with ops.colocate_with(x):
            checked = check_numerics(x, message=message)
            return control_flow_ops.with_dependencies([checked], x)


@tf_export("add_check_numerics_ops")
def add_check_numerics_ops() -> ops.Operation:
    """Checks all float tensors of the graph, one after the other.

    Returns:
      The operation that does it.

    Raises:
      RuntimeError: no graph is recorded.
      ValueError: a tensor is in a branch or a loop.
    """
    if context.executing_eagerly():
        raise RuntimeError(
            "add_check_numerics_ops() is not compatible with eager execution. To check for Inf's "
            "and NaN's under eager execution, call tfe.seterr(inf_or_nan='raise') once before "
            "executing the checked operations."
        )
    checks: list[Any] = []
    for op in ops.get_default_graph().get_operations():
        for output in op.outputs:
            if output.dtype not in (dtypes.float16, dtypes.float32, dtypes.float64):
                continue
            if op._get_control_flow_context() is not None:
                raise ValueError(
                    "`tf.add_check_numerics_ops() is not compatible with TensorFlow control flow "
                    "operations such as `tf.cond()` or `tf.while_loop()`."
                )
            with ops.control_dependencies(checks):
                checks = [check_numerics(output, message=f"{op.name}:{output.value_index}")]
    return control_flow_ops.group(*checks)
