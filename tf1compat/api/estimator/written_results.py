"""What evaluations write: their results and the checkpoint's path, as summaries."""

from __future__ import annotations

from typing import Any

import numpy as np
from google.protobuf import message

from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.summary.writer import writer_cache
from tf1compat.core import dtypes, protos, tensor_util


def _dict_to_str(dictionary: dict[str, Any]) -> str:
    return ", ".join(
        f"{key} = {value}"
        for key, value in sorted(dictionary.items())
        if not isinstance(value, bytes)
    )


def _summary() -> Any:
    return protos.load("summary_pb2", "Summary")


def write_results(output_dir: str, dictionary: dict[str, Any], current_global_step: Any):
    """Writes the results of an evaluation as a summary."""
    logging.info(
        "Saving dict for global step %d: %s", current_global_step, _dict_to_str(dictionary)
    )
    writer = writer_cache.FileWriterCache.get(output_dir)
    proto = _summary()()
    for key, value in dictionary.items():
        if value is None or key == "global_step":
            continue
        if isinstance(value, (np.float32, float)):  # pyright: ignore[reportArgumentType]
            proto.value.add(tag=key, simple_value=float(value))
        elif isinstance(value, (np.int64, np.int32, int)):  # pyright: ignore[reportArgumentType]
            proto.value.add(tag=key, simple_value=int(value))
        elif isinstance(value, bytes):
            _add_summaries(proto, key, value)
        elif isinstance(value, np.ndarray):
            added = proto.value.add(tag=key, node_name=key)
            added.tensor.CopyFrom(tensor_util.make_tensor_proto(value))
            logging.info(
                "Summary for np.ndarray is not visible in Tensorboard by default. Consider using a "
                "Tensorboard plugin for visualization (see "
                "https://github.com/tensorflow/tensorboard-plugin-example/blob/master/README.md "
                "for more information)."
            )
        else:
            logging.warn(
                "Skipping summary for %s, must be a float, np.float32, np.int64, np.int32 or int "
                "or np.ndarray or a serialized string of Summary.",
                key,
            )
    writer.add_summary(proto, current_global_step)
    writer.flush()


def _add_summaries(proto: Any, key: str, serialized: bytes) -> None:
    try:
        found = _summary().FromString(serialized)
    except message.DecodeError:
        logging.warn("Skipping summary for %s, cannot parse string to Summary.", key)
        return
    for i, value in enumerate(found.value):
        value.tag = f"{key}/{i}"
    proto.value.extend(found.value)


def write_checkpoint_path(output_dir: str, checkpoint_path: str, current_global_step: Any) -> None:
    tag = "checkpoint_path"
    logging.info(
        "Saving '%s' summary for global step %d: %s", tag, current_global_step, checkpoint_path
    )
    proto = _summary()()
    path = tensor_util.make_tensor_proto(checkpoint_path, dtype=dtypes.string)
    proto.value.add(tag=tag, tensor=path)
    writer = writer_cache.FileWriterCache.get(output_dir)
    writer.add_summary(proto, current_global_step)
    writer.flush()
