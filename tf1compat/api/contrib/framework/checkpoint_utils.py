"""Reading checkpoints, and variables that start from their values
(`tensorflow.contrib.framework.python.framework.checkpoint_utils`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.training import checkpoint_utils
from tf1compat.core.export import tf_export

__all__ = ["init_from_checkpoint", "list_variables", "load_checkpoint", "load_variable"]


@tf_export("contrib.framework.load_checkpoint")
def load_checkpoint(filepattern: str) -> Any:
    """As `tf.train.load_checkpoint`.

    Args:
      filepattern: a checkpoint's prefix, or a folder with checkpoints.

    Returns:
      A `CheckpointReader`.
    """
    return checkpoint_utils.load_checkpoint(filepattern)


@tf_export("contrib.framework.load_variable")
def load_variable(checkpoint_dir: str, name: str) -> Any:
    """As `tf.train.load_variable`.

    Args:
      checkpoint_dir: a checkpoint's prefix, or a folder with checkpoints.
      name: the variable's name in it.

    Returns:
      An array.
    """
    return checkpoint_utils.load_variable(checkpoint_dir, name)


@tf_export("contrib.framework.list_variables")
def list_variables(checkpoint_dir: str) -> list[tuple[str, list[int]]]:
    """As `tf.train.list_variables`.

    Args:
      checkpoint_dir: a checkpoint's prefix, or a folder with checkpoints.

    Returns:
      The names and shapes, sorted by name.
    """
    return checkpoint_utils.list_variables(checkpoint_dir)


@tf_export("contrib.framework.init_from_checkpoint")
def init_from_checkpoint(checkpoint_dir: str, assignment_map: dict[str, Any]) -> None:
    """As `tf.train.init_from_checkpoint`; the variables keep their `initial_value`.

    Args:
      checkpoint_dir: a checkpoint's prefix, or a folder with checkpoints.
      assignment_map: as in `tf.train.init_from_checkpoint`.
    """
    checkpoint_utils.assign_initializers(
        checkpoint_dir, assignment_map, checkpoint_utils.set_plain_initializer
    )
