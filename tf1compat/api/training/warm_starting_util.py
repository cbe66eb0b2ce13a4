"""`tf.train.warm_start`: variables that start from those of another model."""

from __future__ import annotations

import collections
from typing import Any

from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import checkpoint_ops, checkpoint_utils, saver
from tf1compat.api.training.saving import saveable_object_util
from tf1compat.api.variables import state_ops
from tf1compat.api.variables.partitioned_variables import PartitionedVariable
from tf1compat.api.variables.variable_store import _PartitionInfo
from tf1compat.core import errors, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Initializer

_FIELDS = (
    "new_vocab",
    "new_vocab_size",
    "num_oov_buckets",
    "old_vocab",
    "old_vocab_size",
    "backup_initializer",
    "axis",
)


@tf_export("train.VocabInfo")
class VocabInfo(collections.namedtuple("VocabInfo", _FIELDS)):
    """The vocabularies behind the rows, or columns, of a variable (as in TF 1.15).

    Args:
      new_vocab: the file of the new one.
      new_vocab_size: how many of its words are used.
      num_oov_buckets: how many rows there are for other words.
      old_vocab: the file of the one that the checkpoint was written with.
      old_vocab_size: how many of its words were used; -1 for all.
      backup_initializer: for the rows of new words; zeros by default.
      axis: 0 if the words are rows, 1 if columns.

    Raises:
      ValueError: `axis` is neither 0 nor 1.
    """

    def __new__(
        cls,
        new_vocab: Any,
        new_vocab_size: int,
        num_oov_buckets: int,
        old_vocab: Any,
        old_vocab_size: int = -1,
        backup_initializer: Any = None,
        axis: int = 0,
    ):
        if axis not in (0, 1):
            raise ValueError(
                "The only supported values for the axis argument are 0 and 1.  Provided axis: "
                f"{axis}"
            )
        return super().__new__(
            cls,
            new_vocab,
            new_vocab_size,
            num_oov_buckets,
            old_vocab,
            old_vocab_size,
            backup_initializer,
            axis,
        )


def _infer_var_name(var: list[Any]) -> str:
    """The name of a variable, or of the parts of one, in a checkpoint."""
    names = saveable_object_util.op_list_to_dict(var)
    if len(names) > 1:
        raise TypeError(
            f"`var` = {var} passed as arg violates the constraints.  name_to_var_dict = {names}"
        )
    return next(iter(names))


def _get_var_info(var: Any, prev_tensor_name: str | None = None) -> tuple[str, Any]:
    """(the name of the tensor to start from, the variable or its parts)."""
    parts = _parts(var)
    name = _infer_var_name(parts)
    return prev_tensor_name or name, var if checkpoint_utils._is_variable(var) else parts


def _parts(var: Any) -> list[Any]:
    """A variable, or its parts, in a list."""
    is_variable = checkpoint_utils._is_variable
    if is_variable(var):
        return [var]
    if isinstance(var, PartitionedVariable):
        return var._get_variable_list()
    if isinstance(var, list) and all(map(is_variable, var)):
        return var
    raise TypeError(
        "var MUST be one of the following: a Variable, list of Variable or "
        f"PartitionedVariable, but is {type(var)}"
    )


def _warm_start_var_with_vocab(
    var: Any, current_vocab_path: Any, current_vocab_size: Any, prev_ckpt: Any,
    prev_vocab_path: Any, previous_vocab_size: int = -1, current_oov_buckets: int = 0,
    prev_tensor_name: Any = None, initializer: Initializer | None = None, axis: int = 0,
) -> None:  # fmt: skip
    """Makes a variable start from what a checkpoint has for another vocabulary.

    Args:
      var: the variable, or its parts.
      current_vocab_path, current_vocab_size: the vocabulary's file, and how many words count.
      prev_ckpt: the checkpoint, or a folder, whose newest is taken.
      prev_vocab_path, previous_vocab_size: the vocabulary then.
      current_oov_buckets: how many rows, or columns, there are for other words.
      prev_tensor_name: the variable's name in the checkpoint, if it was another.
      initializer: for new words; zeros by default.
      axis: 0 if the words are rows, 1 if columns.

    Raises:
      ValueError, TypeError: an argument is wrong.
    """
    if not (current_vocab_path and current_vocab_size and prev_ckpt and prev_vocab_path):
        raise ValueError(
            "Invalid args: Must provide all of [current_vocab_path, current_vocab_size, prev_ckpt, "
            "prev_vocab_path}."
        )
    parts = _parts(var)
    if axis not in (0, 1):
        raise ValueError(
            f"The only supported values for the axis argument are 0 and 1.  Provided axis: {axis}"
        )
    rows = sum(part.get_shape().as_list()[0] for part in parts)
    for part in parts:
        shape = part.get_shape().as_list()
        info = part._get_save_slice_info()
        place = info and _PartitionInfo(full_shape=info.full_shape, var_offset=info.var_offset)
        if axis == 0:
            words: dict[str, Any] = {
                "new_row_vocab_size": current_vocab_size,
                "new_col_vocab_size": shape[1],
                "old_row_vocab_size": previous_vocab_size,
                "old_row_vocab_file": prev_vocab_path,
                "new_row_vocab_file": current_vocab_path,
                "num_row_oov_buckets": current_oov_buckets,
            }
        else:
            # TensorFlow, too, takes all columns of the old one.
            words = {
                "new_row_vocab_size": rows,
                "new_col_vocab_size": current_vocab_size,
                "old_col_vocab_file": prev_vocab_path,
                "new_col_vocab_file": current_vocab_path,
                "num_col_oov_buckets": current_oov_buckets,
            }
        load = checkpoint_ops._load_and_remap_matrix_initializer(
            ckpt_path=checkpoint_utils._get_checkpoint_filename(prev_ckpt),
            old_tensor_name=prev_tensor_name or _infer_var_name(parts),
            initializer=initializer,
            **words,
        )
        value = ops.convert_to_tensor(load(shape=shape, partition_info=place))
        part._initializer_op = state_ops.assign(part, value)


def _get_grouped_variables(vars_to_warm_start: Any) -> dict[str, list[Any]]:
    """The variables to start, parts of one together, by name."""
    wanted = vars_to_warm_start
    if isinstance(wanted, str) or wanted is None:
        logging.info("Warm-starting variables only in TRAINABLE_VARIABLES.")
        found = ops.get_collection(ops.GraphKeys.TRAINABLE_VARIABLES, scope=wanted)
    elif not isinstance(wanted, list):
        raise ValueError(
            f"`vars_to_warm_start must be a `list` or `str`.  Given type is {type(wanted)}"
        )
    elif all(isinstance(v, str) for v in wanted):
        key = ops.GraphKeys.GLOBAL_VARIABLES
        found = [v for scope in wanted for v in ops.get_collection(key, scope=scope)]
    elif all(map(checkpoint_utils._is_variable, wanted)):
        found = wanted
    else:
        raise ValueError(
            "If `vars_to_warm_start` is a list, it must be all `Variable` or all `str`.  Given "
            f"types are {[type(v) for v in wanted]}"
        )
    groups: dict[str, list[Any]] = {}
    for v in found:
        groups.setdefault(_infer_var_name(v if isinstance(v, list) else [v]), []).append(v)
    return groups


def _get_object_checkpoint_renames(path: str, variable_names: Any) -> dict[str, str]:
    """{variable: its key} if `tf.train.Checkpoint` wrote the checkpoint."""
    try:
        file = checkpoint_utils._get_checkpoint_filename(path)
        names_to_keys = saver.object_graph_key_mapping(file)
    except errors.NotFoundError:
        return {}
    missing = set(variable_names) - set(names_to_keys)
    if missing:
        raise ValueError(
            "Attempting to warm-start from an object-based checkpoint, but found that the "
            "checkpoint did not contain values for all variables. The following variables were "
            f"missing: {missing}"
        )
    return {name: names_to_keys[name] for name in variable_names}


@tf_export("train.warm_start")
def warm_start(
    ckpt_to_initialize_from: str,
    vars_to_warm_start: Any = ".*",
    var_name_to_vocab_info: dict[str, VocabInfo] | None = None,
    var_name_to_prev_var_name: dict[str, str] | None = None,
) -> None:
    """Makes variables start from the values in a checkpoint, as `tf.train.warm_start` in TF 1.15.

    Args:
      ckpt_to_initialize_from: the checkpoint, or a folder, whose newest is taken.
      vars_to_warm_start: a regular expression for trainable variables; a list of such for all
        variables; a list of variables; or None, for those with a vocabulary only.
      var_name_to_vocab_info: {name: a `VocabInfo`} of variables whose vocabulary changed.
      var_name_to_prev_var_name: {name: its name in the checkpoint}.

    Raises:
      ValueError: a name that is given is no variable's, or the checkpoint lacks one.
    """
    logging.info(f"Warm-starting from: {ckpt_to_initialize_from}")
    groups = _get_grouped_variables(vars_to_warm_start)
    vocabularies = var_name_to_vocab_info or {}
    renames = var_name_to_prev_var_name or _get_object_checkpoint_renames(
        ckpt_to_initialize_from, groups
    )
    assigned: dict[str, Any] = {}
    for name, group in groups.items():
        before, info = renames.get(name), vocabularies.get(name)
        if info:
            logging.debug(
                f"Warm-starting variable: {name}; current_vocab: {info.new_vocab} "
                f"current_vocab_size: {info.new_vocab_size} prev_vocab: {info.old_vocab} "
                f"prev_vocab_size: {info.old_vocab_size if info.old_vocab_size > 0 else 'All'} "
                f"current_oov: {info.num_oov_buckets} prev_tensor: {before or 'Unchanged'} "
                f"initializer: {info.backup_initializer or 'zero-initialized'}"
            )
            _warm_start_var_with_vocab(
                group, current_vocab_path=info.new_vocab, current_vocab_size=info.new_vocab_size,
                prev_ckpt=ckpt_to_initialize_from, prev_vocab_path=info.old_vocab,
                previous_vocab_size=info.old_vocab_size, current_oov_buckets=info.num_oov_buckets,
                prev_tensor_name=before, initializer=info.backup_initializer, axis=info.axis,
            )  # fmt: skip
        elif vars_to_warm_start:
            logging.debug(f"Warm-starting variable: {name}; prev_var_name: {before or 'Unchanged'}")
            key, var = _get_var_info(group[0] if len(group) == 1 else group, before)
            assigned[key] = var
    checkpoint_utils.init_from_checkpoint(ckpt_to_initialize_from, assigned)
    count = len(groups) if vars_to_warm_start else len(set(vocabularies) & set(groups))
    logging.info("Warm-started %d variables.", count)
    for argument, given in (
        ("var_name_to_prev_var_name", renames),
        ("var_name_to_vocab_info", vocabularies),
    ):
        unused = set(given) - set(groups)
        if unused:
            raise ValueError(
                f"You provided the following variables in {argument} that were not used: {unused}."
                "  Perhaps you misspelled them?  Here is the list of viable variable names: "
                f"{groups.keys()}"
            )
