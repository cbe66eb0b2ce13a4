"""The base of variables that leave methods to their subclasses (`tensorflow.python.ops.variables`
has it, as `tf.distribute`'s variables derive from it)."""

from __future__ import annotations

import abc

from tf1compat.api.variables.variable_base import Variable, VariableMetaclass


class AbstractVariableMetaclass(VariableMetaclass, abc.ABCMeta):
    """`VariableMetaclass` that knows of abstract methods."""


class AbstractVariable(Variable, metaclass=AbstractVariableMetaclass):
    """A `Variable` that may have abstract methods."""
