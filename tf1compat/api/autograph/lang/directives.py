"""What can be said in code that is converted."""

from __future__ import annotations

from typing import Any

from tf1compat.core.export import tf_export

UNSPECIFIED = object()


def set_element_type(entity: Any, dtype: Any, shape: Any = UNSPECIFIED) -> None:
    """Says what a list holds: without effect where the list is not converted."""


@tf_export("autograph.experimental.set_loop_options")
def set_loop_options(
    parallel_iterations: Any = UNSPECIFIED,
    back_prop: Any = UNSPECIFIED,
    swap_memory: Any = UNSPECIFIED,
    maximum_iterations: Any = UNSPECIFIED,
) -> None:
    """Options of the loop that it is called in, as those of `tf.while_loop`: without effect in one
    that is not converted.

    Args:
      parallel_iterations, back_prop, swap_memory, maximum_iterations: as in `tf.while_loop`.
    """
