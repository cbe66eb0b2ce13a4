"""The names that specs are written with (`tensorflow.contrib.specs.python.specs_ops`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.layers import (
    batch_normalization,
    convolution,
    dense,
    pooling,
    shaping,
)
from tf1compat.api.contrib.specs import specs_lib
from tf1compat.api.io import logging_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_impl, nn_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core.typing import Name


class Idx(specs_lib.Composable):
    """Gives what it is given."""

    def funcall(self, x: Any) -> Any:
        """The same tensor."""
        return x


class Conc(specs_lib.Composable):
    """Joins what several functions give for the same tensor.

    Args:
      dim: the dimension along which.
      *args: the functions.
    """

    def __init__(self, dim: Any, *args: Any):
        self.dim = dim
        self.funs = args

    def funcall(self, x: Any) -> Any:
        """The joined tensor."""
        return array_ops.concat([f.funcall(x) for f in self.funs], self.dim)


External = specs_lib.External
Import = specs_lib.Import
Fun = specs_lib.Function
debug = specs_lib.debug

# Layers of convolution and of full connection, by the letter of what follows them; "x": as the
# layer has it.
_AFTER: dict[str, dict[str, Any]] = {
    "x": {},
    "s": {"activation_fn": math_ops.sigmoid},
    "t": {"activation_fn": math_ops.tanh},
    "r": {"activation_fn": nn_ops.relu},
    "m": {"activation_fn": nn_ops.softmax},
    "l": {"activation_fn": None},
}
Cx, Cs, Ct, Cr, Cm, Cl = (Fun(convolution.conv2d, **after) for after in _AFTER.values())
Fx, Fs, Ft, Fr, Fm, Fl = (Fun(dense.fully_connected, **after) for after in _AFTER.values())

Mp, Ap = Fun(pooling.max_pool2d), Fun(pooling.avg_pool2d)
Bn, Do = Fun(batch_normalization.batch_norm), Fun(dense.dropout)
Unit, Lrn = Fun(shaping.unit_norm), Fun(nn_impl.local_response_normalization)

Flat, Reshape, Transpose = Fun(dense.flatten), Fun(array_ops.reshape), Fun(array_ops.transpose)
Squeeze, Expand = Fun(array_ops.squeeze), Fun(array_ops.expand_dims)

Sig, Tanh = Fun(math_ops.sigmoid), Fun(math_ops.tanh)
Relu, Smax = Fun(nn_ops.relu), Fun(nn_ops.softmax)
Id, Print = Fun(array_ops.identity), Fun(logging_ops.Print)


def Dws(n: int) -> specs_lib.Function:
    """A sigmoid layer of `n` units at each place."""
    return Cs(n, [1, 1])


def Dwm(n: int) -> specs_lib.Function:
    """A softmax layer of `n` units at each place."""
    return Cm(n, [1, 1])


def Var(name: str, *args: Any, **kw: Any) -> specs_lib.Callable:
    """A variable, whatever it is given; the other arguments are those of `tf.get_variable`."""
    return specs_lib.Callable(lambda _: variable_scope.get_variable(name, *args, **kw))


class Shared(specs_lib.Composable):
    """A part whose variables are made where it is used first, and used again elsewhere.

    Args:
      subnet: the part.
      name: None (as in TF 1.15, which refuses any other; `Shared_1`, … are made).
      scope: where the variables are already.

    Raises:
      ValueError: one of them is something else.
    """

    shared_number = 1

    def __init__(self, subnet: Any, name: Name = None, scope: Any = None):
        if scope is not None and not isinstance(scope, variable_scope.VariableScope):
            raise ValueError("scope must be None or a VariableScope")
        if name is not None:
            # TF means to ask whether the name is a text, and asks it of the scope.
            raise ValueError("name must be None or a string")
        self.name = f"Shared_{Shared.shared_number}"
        Shared.shared_number += 1
        self.subnet = subnet
        self.scope = scope

    def funcall(self, x: Any) -> Any:
        """The part's value."""
        if self.scope is not None:
            with variable_scope.variable_scope(self.scope, values=[x], reuse=True):
                return self.subnet.funcall(x)
        with variable_scope.variable_scope(self.name, values=[x]) as self.scope:
            return self.subnet.funcall(x)
