"""What a program finds violated at run time."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from tf1compat.core import errors
from tf1compat.runtime.decisions import Replan, too_small


def op_error(error_class: type, op: Any, text: str) -> errors.OpError:
    """A run-time error as TF words it: the text, then the node and the user's line that made it."""
    if op is None:
        return error_class(None, None, text)
    return error_class(op.node_def, op, op._graph.error_text(op, text))


class Check:
    """A condition that the program found violated, or not, at run time."""

    __slots__ = ("error_class", "failed", "op", "template", "values")

    def __init__(
        self, op: Any, failed: Any, error_class: type, template: Any, values: dict[str, Any]
    ):
        self.op = op
        self.failed = failed
        self.error_class = error_class
        self.template = template
        self.values = values

    def error(self, values: dict[str, Any]) -> Any:
        """What to raise, given the quoted values."""
        template = self.template
        text = template.format(**values) if isinstance(template, str) else template(**values)
        return op_error(self.error_class, self.op, text)

    def with_flag(self, failed: Any, values: dict[str, Any]) -> Check:
        """This check as a loop or a branch found it."""
        return Check(self.op, failed, self.error_class, self.template, values)


class Foreseen(Check):
    """What the run fails with, as tracing found, unless a check before it fails too.

    Args:
      error: the error.
      failed: whether the run comes to it.
    """

    __slots__ = ("_error",)

    def __init__(self, error: errors.OpError, failed: Any = True):
        super().__init__(error.op, jnp.asarray(failed), type(error), None, {})
        self._error = error

    def error(self, values: dict[str, Any]) -> Any:
        return self._error

    def with_flag(self, failed: Any, values: dict[str, Any]) -> Foreseen:
        return Foreseen(self._error, failed)


class SizeCheck(Check):
    """Whether a buffer was large enough, where only the run tells how much is needed.

    Args:
      owner: whose buffer.
      size: its size.
      failed: whether that was too small.
      peak: what was needed.
    """

    __slots__ = ("owner", "size")

    def __init__(self, owner: Any, size: int, failed: Any, peak: Any):
        super().__init__(None, failed, Replan, None, {"peak": peak})
        self.owner = owner
        self.size = size

    def error(self, values: dict[str, Any]) -> Any:
        return too_small(self.owner, self.size, int(np.max(values["peak"])))

    def with_flag(self, failed: Any, values: dict[str, Any]) -> SizeCheck:
        return SizeCheck(self.owner, self.size, failed, values["peak"])
