"""`tensorflow.contrib.rnn.python.tools.checkpoint_convert`: the variables of recurrent cells in
checkpoints from before TF 1.2, under their new names.
"""

from __future__ import annotations

import argparse
import collections
import sys
from typing import Any

from tf1compat.api.client import pywrap_tensorflow
from tf1compat.api.platform import app
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import saver as saver_lib
from tf1compat.api.variables import variables
from tf1compat.core.export import required
from tf1compat.core.graph import Graph

# The command line, once it is parsed.
FLAGS: Any = None

# Scopes in which "weights" became "kernel", and "biases" became "bias", in TF's order.
_SCOPES = (
    "basic_rnn_cell gru_cell gru_cell/gates gru_cell/candidate basic_lstm_cell lstm_cell "
    "lstm_cell/projection output_projection_wrapper input_projection_wrapper lstm_block_wrapper "
    "layer_norm_basic_lstm_cell ugrnn_cell nas_rnn intersection_rnn_cell "
    "intersection_rnn_cell/in_projection phased_lstm_cell/mask_gates phased_lstm_cell/new_input "
    "phased_lstm_cell/output_gate attention_cell_wrapper "
    "attention_cell_wrapper/attn_output_projection attention_cell_wrapper/attention "
    "attention_decoder attention_decoder/Attention_0 attention_decoder/AttnOutputProjection"
)
# Of the decoder with attention there are older names yet.
_OLDER = (
    ("Attention_0/Linear/Bias", "Attention_0/bias"),
    ("Attention_0/Linear/Matrix", "Attention_0/kernel"),
    ("AttnOutputProjection/Linear/Bias", "AttnOutputProjection/bias"),
    ("AttnOutputProjection/Linear/Matrix", "AttnOutputProjection/kernel"),
    ("LSTMCell/B", "lstm_cell/bias"),
    ("LSTMCell/W_0", "lstm_cell/kernel"),
    ("Linear/Bias", "bias"),
    ("Linear/Matrix", "kernel"),
)


def _replacements() -> collections.OrderedDict[str, str]:
    found: collections.OrderedDict[str, str] = collections.OrderedDict()
    for scope in _SCOPES.split():
        found[f"{scope}/weights"] = f"{scope}/kernel"
        if scope == "nas_rnn":
            found[f"{scope}/recurrent_weights"] = f"{scope}/recurrent_kernel"
        else:
            found[f"{scope}/biases"] = f"{scope}/bias"
    for old, new in _OLDER:
        found[f"attention_decoder/{old}"] = f"attention_decoder/{new}"
    return found


RNN_NAME_REPLACEMENTS = _replacements()


def _rnn_name_replacement(var_name: str) -> str:
    for old, new in RNN_NAME_REPLACEMENTS.items():
        if old in var_name:
            new_name = var_name.replace(old, new)
            logging.info(f"Converted: {var_name} --> {new_name}")
            return new_name
    return var_name


def convert_names(
    checkpoint_from_path: str, checkpoint_to_path: str, write_v1_checkpoint: bool = False
) -> tuple[dict[str, Any], dict[str, str]]:
    """Writes a checkpoint with the variables of another one under their new names.

    Args:
      checkpoint_from_path: the checkpoint's prefix.
      checkpoint_to_path: the new one's.
      write_v1_checkpoint: whether it is written as TF did before 0.12.

    Returns:
      The variables by their new names, and the new names of those that have one.
    """
    with Graph().as_default():
        logging.info(f"Reading checkpoint_from_path {checkpoint_from_path}")
        reader = pywrap_tensorflow.NewCheckpointReader(checkpoint_from_path)
        found: dict[str, Any] = {}
        renamed = {}
        for name in reader.get_variable_to_shape_map():
            new_name = _rnn_name_replacement(name)
            found[new_name] = variables.VariableV1(reader.get_tensor(name), name=name)
            if new_name != name:
                renamed[name] = new_name
        saver = saver_lib.Saver(found, write_version=1 if write_v1_checkpoint else 2)
        with required("Session")() as session:
            session.run(variables.global_variables_initializer())
            logging.info(f"Writing checkpoint_to_path {checkpoint_to_path}")
            saver.save(session, checkpoint_to_path)
    logging.info("Summary:")
    logging.info(f"  Converted {len(found)} variable name(s).")
    return found, renamed


def main(_: Any) -> None:
    """Converts what `FLAGS` says.

    Args:
      _: the rest of the command line.
    """
    convert_names(
        FLAGS.checkpoint_from_path,
        FLAGS.checkpoint_to_path,
        write_v1_checkpoint=FLAGS.write_v1_checkpoint,
    )


def run_main() -> None:
    """The command line's entry point."""
    global FLAGS
    parser = argparse.ArgumentParser()
    parser.add_argument("checkpoint_from_path", help="the prefix of a checkpoint")
    parser.add_argument("checkpoint_to_path", help="the prefix of the new one")
    parser.add_argument(
        "--write_v1_checkpoint", action="store_true", help="write it as TF did before 0.12"
    )
    FLAGS, rest = parser.parse_known_args()
    app.run(main, [sys.argv[0], *rest])
