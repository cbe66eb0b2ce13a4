"""Reading checkpoints, waiting for them, and variables that start from their values."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.api.client import pywrap_tensorflow
from tf1compat.api.lib.io import file_io
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import checkpoint_management
from tf1compat.api.training.saving import saveable_object_util
from tf1compat.api.variables import resource_variable_ops, state_ops, variable_base
from tf1compat.api.variables import variable_scope as vs
from tf1compat.core import ops, raw_ops
from tf1compat.core.export import tf_export

__all__ = [
    "checkpoints_iterator", "init_from_checkpoint", "list_variables", "load_checkpoint",
    "load_variable",
]  # fmt: skip


@tf_export("train.load_checkpoint")
def load_checkpoint(ckpt_dir_or_file: str) -> Any:
    """A reader of a checkpoint, as `tf.train.load_checkpoint` in TF 1.15.

    Args:
      ckpt_dir_or_file: the checkpoint, or a folder, whose newest is taken.

    Returns:
      A `CheckpointReader`.

    Raises:
      ValueError: the folder has none.
      NotFoundError: there is no such checkpoint.
    """
    path = _get_checkpoint_filename(ckpt_dir_or_file)
    if path is None:
        raise ValueError(
            f"Couldn't find 'checkpoint' file or checkpoints in given directory {ckpt_dir_or_file}"
        )
    return pywrap_tensorflow.NewCheckpointReader(path)


@tf_export("train.load_variable")
def load_variable(ckpt_dir_or_file: str, name: str) -> Any:
    """The value of a variable in a checkpoint, a NumPy array.

    Args:
      ckpt_dir_or_file: as in `load_checkpoint`.
      name: the variable's name in it.

    Returns:
      An array.

    Raises:
      NotFoundError: there is no such variable.
    """
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))


@tf_export("train.list_variables")
def list_variables(ckpt_dir_or_file: str) -> list[tuple[str, list[int]]]:
    """(name, shape) of all variables in a checkpoint, by name.

    Args:
      ckpt_dir_or_file: as in `load_checkpoint`.

    Returns:
      Names and shapes, sorted by name.
    """
    return sorted(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


def wait_for_new_checkpoint(
    checkpoint_dir: str,
    last_checkpoint: str | None = None,
    seconds_to_sleep: float = 1,
    timeout: float | None = None,
) -> str | None:
    """Waits till the newest checkpoint of a folder is another one than `last_checkpoint`.

    Args:
      checkpoint_dir: the folder.
      last_checkpoint: the newest before.
      seconds_to_sleep: between two looks.
      timeout: how many seconds to wait; None for ever.

    Returns:
      The checkpoint; None if the time is over.
    """
    logging.info("Waiting for new checkpoint at %s", checkpoint_dir)
    stop = None if timeout is None else time.time() + timeout
    while True:
        path = checkpoint_management.latest_checkpoint(checkpoint_dir)
        if path is not None and path != last_checkpoint:
            logging.info("Found new checkpoint at %s", path)
            return path
        if stop is not None and time.time() + seconds_to_sleep > stop:
            return None
        time.sleep(seconds_to_sleep)


@tf_export("train.checkpoints_iterator")
def checkpoints_iterator(
    checkpoint_dir: str,
    min_interval_secs: float = 0,
    timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
) -> Iterator[str]:
    """The newest checkpoint of a folder, again and again as new ones come.

    Args:
      checkpoint_dir: the folder.
      min_interval_secs: at least so many seconds between two.
      timeout: how many seconds to wait for one; None for ever.
      timeout_fn: asked when the time is over: True ends it, as does no function.

    Yields:
      The path of a checkpoint.
    """
    path = None
    while True:
        following = wait_for_new_checkpoint(checkpoint_dir, path, timeout=timeout)
        if following is None:
            if not timeout_fn:
                logging.info("Timed-out waiting for a checkpoint.")
                return
            if timeout_fn():
                return
            continue
        start = time.time()
        path = following
        yield path
        rest = start + min_interval_secs - time.time()
        if rest > 0:
            time.sleep(rest)


@tf_export("train.init_from_checkpoint")
def init_from_checkpoint(ckpt_dir_or_file: str, assignment_map: dict[str, Any]) -> None:
    """Makes variables start from the values in a checkpoint, as in TF 1.15.

    Their initializers become operations that read it.

    Args:
      ckpt_dir_or_file: the checkpoint, or a folder, whose newest is taken.
      assignment_map: {"name": a variable, a list of its parts, or its name}, or {"scope/": "other
        scope/"} for all variables of a variable scope; "/" is the whole.

    Raises:
      ValueError: the checkpoint lacks a variable, or has another shape; or a scope is missing.
    """
    assign_initializers(ckpt_dir_or_file, assignment_map, _set_checkpoint_initializer)


def assign_initializers(
    ckpt_dir_or_file: str, assignment_map: dict[str, Any], set_initializer: Callable[..., None]
) -> None:
    """`init_from_checkpoint`, where `set_initializer` does it for one variable."""
    path = _get_checkpoint_filename(ckpt_dir_or_file)
    shapes = load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map()

    def start(var: Any, key: str) -> None:
        _set_variable_or_list_initializer(var, path, key, set_initializer)

    store = vs._get_default_variable_store()._vars
    for key, current in sorted(assignment_map.items()):
        var: Any = current if _is_given(current) else _stored(current, store)
        if var is None:
            _init_scope(ckpt_dir_or_file, start, shapes, store, key, current)
            continue
        if key not in shapes:
            raise ValueError(f"Tensor {key} is not found in {ckpt_dir_or_file} checkpoint {shapes}")
        if _is_variable(var):
            if not var.get_shape().is_compatible_with(shapes[key]):
                raise ValueError(
                    f"Shape of variable {var.name} ({var.get_shape()!s}) doesn't match with shape "
                    f"of tensor {key} ({shapes[key]!s}) from checkpoint reader."
                )
            name = var.name
        else:
            name = ",".join(part.name for part in var)
        start(var, key)
        logging.debug(
            "Initialize variable %s from checkpoint %s with %s", name, ckpt_dir_or_file, key
        )


def _init_scope(
    given: str,
    start: Callable[[Any, str], None],
    shapes: dict[str, Any],
    store: dict[str, Any],
    key: str,
    current: str,
) -> None:
    """`init_from_checkpoint` of the variables in the scope `current`, from those below `key`."""
    scope = current.rpartition("/")[0]
    if not key.endswith("/"):
        raise ValueError(
            f"Assignment map with scope only name {scope} should map to scope only {key}. Should "
            "be 'scope/': 'other_scope/'."
        )
    inside = {
        name.partition("/part_")[0] for name in store if not scope or name.startswith(scope + "/")
    }
    for name in sorted(inside):
        full = name[len(scope) :]
        if current != "/":
            full = full[1:]
        if key != "/":
            full = key + full
        full = full.removesuffix("/")
        if full not in shapes:
            raise ValueError(
                f"Tensor {full} ({name[len(scope) + 1 :]} in {key}) is not found in {given} "
                "checkpoint"
            )
        start(_stored(name, store), full)
        logging.debug("Initialize variable %s from checkpoint %s with %s", name, given, full)


def _get_checkpoint_filename(ckpt_dir_or_file: str) -> str | None:
    if file_io.is_directory(ckpt_dir_or_file):
        return checkpoint_management.latest_checkpoint(ckpt_dir_or_file)
    return ckpt_dir_or_file


def _set_checkpoint_initializer(
    variable: Any,
    ckpt_file: Any,
    tensor_name: str,
    slice_spec: str,
    name: str = "checkpoint_initializer",
) -> None:
    dtype = variable.dtype.base_dtype
    with ops.device(variable.device), ops.device("/cpu:0"):
        value = raw_ops.RestoreV2(ckpt_file, [tensor_name], [slice_spec], [dtype], name=name)[0]
        saveables = [
            saveable
            for key, op in saveable_object_util.op_list_to_dict([variable]).items()
            for saveable in saveable_object_util.saveable_objects_for_op(op, key)
        ]
    variable._initializer_op = saveables[0].restore([value], restored_shapes=None)
    value.set_shape(variable.shape)
    variable._initial_value = value


def set_plain_initializer(variable: Any, ckpt_file: Any, tensor_name: str, slice_spec: str) -> None:
    """As `tf.contrib.framework.init_from_checkpoint` does it for one variable."""
    with ops.device(variable.device), ops.device("/cpu:0"):
        value = raw_ops.RestoreV2(
            ckpt_file,
            [tensor_name],
            [slice_spec],
            [variable.dtype.base_dtype],
            name="checkpoint_initializer",
        )[0]
        variable._initializer_op = state_ops.assign(variable, value)


def _set_variable_or_list_initializer(
    variable_or_list: Any, ckpt_file: Any, name: str, set_initializer: Callable[..., None]
) -> None:
    if not isinstance(variable_or_list, list | tuple):
        set_initializer(variable_or_list, ckpt_file, name, "")
        return
    whole = None
    for part in variable_or_list:
        info = part._save_slice_info
        if whole is None:
            whole = info.full_name
        elif whole != info.full_name:
            raise ValueError(
                f"Slices must all be from the same tensor: {whole} != {info.full_name}"
            )
        set_initializer(part, ckpt_file, name, info.spec)


def _is_variable(x: Any) -> bool:
    return isinstance(x, variable_base.Variable) or resource_variable_ops.is_resource_variable(x)


def _is_given(x: Any) -> bool:
    """Whether `x` is a variable or a list of the parts of one, and not a name."""
    return _is_variable(x) or (isinstance(x, list) and all(map(_is_variable, x)))


def _stored(name: str, store: dict[str, Any]) -> Any:
    """The variable of that name, or the list of its parts; None if there is none."""
    found = store.get(name)
    return _collect_partitioned_variable(name, store) if found is None else found


def _collect_partitioned_variable(name: str, all_vars: dict[str, Any]) -> list[Any] | None:
    parts: list[Any] = []
    while f"{name}/part_{len(parts)}" in all_vars:
        parts.append(all_vars[f"{name}/part_{len(parts)}"])
    return parts or None
