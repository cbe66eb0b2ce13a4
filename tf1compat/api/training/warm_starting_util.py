"""`tf.train.warm_start`: variables that start from those of another model."""

from __future__ import annotations

import collections
from typing import Any

from tf1compat.api.partitioned_variables import PartitionedVariable
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import checkpoint_utils, saver
from tf1compat.api.training.saving import saveable_object_util
from tf1compat.core import errors, ops
from tf1compat.core.export import tf_export

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
    is_variable = checkpoint_utils._is_variable
    if is_variable(var) or isinstance(var, PartitionedVariable):
        name = _infer_var_name([var])
    elif isinstance(var, list) and all(map(is_variable, var)):
        name = _infer_var_name(var)
    else:
        raise TypeError(
            "var MUST be one of the following: a Variable, list of Variable or "
            f"PartitionedVariable, but is {type(var)}"
        )
    if isinstance(var, PartitionedVariable):
        var = var._get_variable_list()
    return prev_tensor_name or name, var


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
      var_name_to_vocab_info: {name: a `VocabInfo`}; not supported yet.
      var_name_to_prev_var_name: {name: its name in the checkpoint}.

    Raises:
      ValueError: a name that is given is no variable's, or the checkpoint lacks one.
    """
    logging.info(f"Warm-starting from: {ckpt_to_initialize_from}")
    groups = _get_grouped_variables(vars_to_warm_start)
    if var_name_to_vocab_info:
        raise NotImplementedError("var_name_to_vocab_info is not supported by tf1compat yet")
    renames = var_name_to_prev_var_name or _get_object_checkpoint_renames(
        ckpt_to_initialize_from, groups
    )
    assigned: dict[str, Any] = {}
    for name, group in groups.items():
        if vars_to_warm_start:
            logging.debug(
                f"Warm-starting variable: {name}; prev_var_name: {renames.get(name) or 'Unchanged'}"
            )
            var = group[0] if len(group) == 1 else group
            key, var = _get_var_info(var, renames.get(name))
            assigned[key] = var
    checkpoint_utils.init_from_checkpoint(ckpt_to_initialize_from, assigned)
    logging.info("Warm-started %d variables.", len(groups) if vars_to_warm_start else 0)
    unused = set(renames) - set(groups)
    if unused:
        raise ValueError(
            "You provided the following variables in var_name_to_prev_var_name that were not used: "
            f"{unused}.  Perhaps you misspelled them?  Here is the list of viable variable names: "
            f"{groups.keys()}"
        )
