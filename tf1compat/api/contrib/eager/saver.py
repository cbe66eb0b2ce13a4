"""Checkpoints of variables by name (`tensorflow.contrib.eager.python.saver`)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.api.training import checkpoint_utils
from tf1compat.api.training import saver as saver_lib
from tf1compat.api.variables import resource_variable_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


@tf_export("contrib.eager.restore_variables_on_create")
@contextlib.contextmanager
def restore_variables_on_create(
    save_path: str, map_func: Callable[[str], str] | None = None
) -> Iterator[None]:
    """Variables that are made in the `with` block begin with the values of a checkpoint.

    Args:
      save_path: the checkpoint; None for none.
      map_func: the name of a variable -> its name in the checkpoint.

    Raises:
      RuntimeError: operations are recorded.
      ValueError: `map_func` is no function.
      NotFoundError: (on creation) the checkpoint has no such variable.
    """
    if not ops.executing_eagerly():
        raise RuntimeError("Currently, restore_variables_on_create can only be used with eager.")
    if map_func is not None and not callable(map_func):
        raise ValueError("map_func must be callable.")
    if not save_path:
        yield
        return
    reader = checkpoint_utils.load_checkpoint(save_path)

    def restored(name: str) -> Any:
        return reader.get_tensor(map_func(name) if map_func else name)

    resource_variable_ops.restoring.append(restored)
    try:
        yield
    finally:
        resource_variable_ops.restoring.remove(restored)


@tf_export("contrib.eager.Saver")
class Saver:
    """Saves and restores variables.

    Args:
      var_list: variables, or a dict of them by their names in the checkpoint.

    Raises:
      RuntimeError: operations are recorded.
    """

    def __init__(self, var_list: Any):
        if not ops.executing_eagerly():
            raise RuntimeError(
                "tfe.Saver can only be used when eager execution is enabled. Use "
                "tf.train.Saver when building graphs."
            )
        self._saver = saver_lib.Saver(var_list=var_list)

    def save(self, file_prefix: Any, global_step: TensorLike | None = None) -> Any:
        """Writes a checkpoint; gives its path."""
        return self._saver.save(None, file_prefix, write_meta_graph=False, global_step=global_step)

    def restore(self, file_prefix: Any) -> None:
        """Restores the variables from a checkpoint."""
        self._saver.restore(None, file_prefix)


@tf_export("contrib.eager.get_optimizer_variables")
def get_optimizer_variables(optimizer: Any) -> list[Any]:
    """The variables of an optimizer.

    Args:
      optimizer: a `tf.train.Optimizer`.

    Returns:
      Its slots and other variables.
    """
    return optimizer.variables()
