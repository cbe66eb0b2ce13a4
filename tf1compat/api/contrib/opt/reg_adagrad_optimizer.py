"""`tf.contrib.opt.RegAdagradOptimizer`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from tf1compat.api.training.adagrad import AdagradOptimizer
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


@tf_export("contrib.opt.RegAdagradOptimizer")
class RegAdagradOptimizer(AdagradOptimizer):
    """`tf.train.AdagradOptimizer` that can take steps without adding to its sums of squares, for
    the gradients of regularizers.

    Args:
      learning_rate, initial_accumulator_value, use_locking, name: as there.
    """

    def __init__(
        self,
        learning_rate: TensorLike,
        initial_accumulator_value: float = 0.1,
        use_locking: bool = False,
        name: str = "RegAdagrad",
    ):
        super().__init__(
            learning_rate,
            initial_accumulator_value=initial_accumulator_value,
            use_locking=use_locking,
            name=name,
        )
        self._should_update_slots = True

    @contextlib.contextmanager
    def avoid_updating_slots(self) -> Iterator[None]:
        """Steps recorded within leave the sums of squares alone."""
        before = self._should_update_slots
        self._should_update_slots = False
        try:
            yield
        finally:
            self._should_update_slots = before

    def _op_attrs(self) -> dict[str, Any]:
        return {**super()._op_attrs(), "update_slots": self._should_update_slots}
