"""`tensorflow.python.util.tf_inspect`: the standard `inspect`, with what Python removed from it."""

from __future__ import annotations

import collections
import inspect
from collections.abc import Callable
from inspect import *  # noqa: F403
from typing import Any

ArgSpec = collections.namedtuple(  # noqa: PYI024
    "ArgSpec", ["args", "varargs", "keywords", "defaults"]
)


def getargspec(obj: Callable[..., Any]) -> ArgSpec:
    """The parameters of a function as (args, varargs, keywords, defaults)."""
    full = inspect.getfullargspec(obj)
    return ArgSpec(full.args, full.varargs, full.varkw, full.defaults)
