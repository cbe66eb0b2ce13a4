"""What a new estimator starts from."""

from __future__ import annotations

import collections
import os
from typing import Any

from tf1compat.api.platform import gfile
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.saved_model import utils_impl
from tf1compat.api.training import warm_starting_util
from tf1compat.api.util import compat
from tf1compat.core.export import export_constant, tf_export

VocabInfo = warm_starting_util.VocabInfo
export_constant("estimator.VocabInfo", VocabInfo)


@tf_export("estimator.WarmStartSettings")
class WarmStartSettings(
    collections.namedtuple(
        "WarmStartSettings",
        ["ckpt_to_initialize_from", "vars_to_warm_start", "var_name_to_vocab_info",
         "var_name_to_prev_var_name"],
    )
):  # fmt: skip
    """What a new model starts from; see `tf.train.warm_start`.

    Args:
      ckpt_to_initialize_from: the checkpoint, or a folder, whose newest is taken.
      vars_to_warm_start: the variables.
      var_name_to_vocab_info: {name: a `VocabInfo`}.
      var_name_to_prev_var_name: {name: its name in the checkpoint}.

    Raises:
      ValueError: there is no checkpoint.
    """

    def __new__(
        cls, ckpt_to_initialize_from: Any, vars_to_warm_start: Any = ".*",
        var_name_to_vocab_info: Any = None, var_name_to_prev_var_name: Any = None,
    ):  # fmt: skip
        if not ckpt_to_initialize_from:
            raise ValueError("`ckpt_to_initialize_from` MUST be set in WarmStartSettings")
        return super().__new__(
            cls, ckpt_to_initialize_from, vars_to_warm_start, var_name_to_vocab_info or {},
            var_name_to_prev_var_name or {},
        )  # fmt: skip


def settings_of(warm_start_from: Any) -> Any:
    if warm_start_from is None or isinstance(warm_start_from, WarmStartSettings):
        return warm_start_from
    if not isinstance(warm_start_from, str | bytes):
        raise ValueError(
            "warm_start_from must be a string or a WarmStartSettings, instead got "
            f"{type(warm_start_from)}"
        )
    folder = compat.as_text(utils_impl.get_variables_dir(warm_start_from))
    if gfile.Exists(os.path.join(folder, "variables.index")):
        logging.info("Warm-starting from a SavedModel")
        return WarmStartSettings(utils_impl.get_variables_path(warm_start_from))
    return WarmStartSettings(warm_start_from)
