"""Derivatives in a direction (`tensorflow.contrib.nn.python.ops.fwd_gradients`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.gradients.gradients_impl import gradients
from tf1compat.core import ops
from tf1compat.core.indexed_slices import IndexedSlices


def fwd_gradients(
    ys: Sequence[Any], xs: Sequence[Any], grad_xs: Any = None, assert_unused: bool = False
) -> list[Any]:
    """The derivatives of `ys` when `xs` move along `grad_xs`: a gradient of the gradient, which is
    linear in what it starts from.

    Args:
      ys, xs: tensors.
      grad_xs: a tensor for each of `xs`; ones by default.
      assert_unused: whether a run that needs the first gradient itself must fail.

    Returns:
      A tensor for each of `ys`; None where it doesn't depend on `xs`.
    """
    # Nothing may depend on the value that the first gradient starts from.
    starts = [array_ops.zeros_like(y) + float("nan") for y in ys]
    found = gradients(ys, xs, grad_ys=starts)
    found = [ops.convert_to_tensor(g) if isinstance(g, IndexedSlices) else g for g in found]
    if assert_unused:
        with ops.control_dependencies(found):
            unused = control_flow_ops.Assert(False, [1], name="fwd_gradients")
        with ops.control_dependencies([unused]):
            found = array_ops.identity_n(found)
    found = [array_ops.zeros_like(x) if g is None else g for x, g in zip(xs, found, strict=True)]
    for x, g in zip(xs, found, strict=True):
        g.set_shape(x.shape)
    return gradients(found, starts, grad_ys=grad_xs)
