"""`tensorflow.python.ops.parallel_for.test_util`: tests that compare `pfor` with a loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.parallel_for import control_flow_ops
from tf1compat.api.platform import test
from tf1compat.core import dtypes, export, nest


class PForTestCase(test.TestCase):
    """A test case with what such tests have in common."""

    def _run_targets(self, targets1: Any, targets2: Any = None, run_init: bool = True) -> list[Any]:
        """The values of two structures of tensors, flat."""
        wanted = nest.flatten(targets1)
        others = [] if targets2 is None else nest.flatten(targets2)
        assert len(wanted) == len(others) or not others
        if run_init:
            self.evaluate(export.find("global_variables_initializer")())
        return self.evaluate(wanted + others)

    def run_and_assert_equal(self, targets1: Any, targets2: Any) -> None:
        """Checks that two structures of tensors have the same values."""
        values = nest.flatten(self._run_targets(targets1, targets2))  # With SparseTensorValues.
        half = len(values) // 2
        for first, second in zip(values[:half], values[half:], strict=True):
            if second.dtype == object:
                self.assertAllEqual(second, first)
            else:
                self.assertAllClose(second, first, rtol=1e-4, atol=1e-5)

    def _test_loop_fn(
        self,
        loop_fn: Callable[..., Any],
        iters: Any,
        loop_fn_dtypes: Any = dtypes.float32,
        parallel_iterations: int | None = None,
    ) -> None:
        """Checks that `pfor` gives what a loop gives."""
        self.run_and_assert_equal(
            control_flow_ops.pfor(loop_fn, iters=iters, parallel_iterations=parallel_iterations),
            control_flow_ops.for_loop(
                loop_fn, loop_fn_dtypes, iters=iters, parallel_iterations=parallel_iterations
            ),
        )
