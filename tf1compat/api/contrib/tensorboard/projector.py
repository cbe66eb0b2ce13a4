"""`tf.contrib.tensorboard.plugins.projector`: what TensorBoard shows of embeddings."""

from __future__ import annotations

import os
from typing import Any

from google.protobuf import text_format
from tensorboard.plugins.projector import projector_config_pb2

from tf1compat.api.lib.io import file_io
from tf1compat.core.export import export_constant, tf_export

_PREFIX = "contrib.tensorboard.plugins.projector."
for _message in ("EmbeddingInfo", "ProjectorConfig", "SpriteMetadata"):
    export_constant(_PREFIX + _message, getattr(projector_config_pb2, _message))


@tf_export(_PREFIX + "visualize_embeddings")
def visualize_embeddings(summary_writer: Any, config: Any) -> None:
    """Writes next to a writer's events which embeddings are to be shown.

    Args:
      summary_writer: a writer of summaries.
      config: a `ProjectorConfig`.

    Raises:
      ValueError: the writer has no folder.
    """
    folder = summary_writer.get_logdir()
    if folder is None:
        raise ValueError("Summary writer must have a logdir")
    text = text_format.MessageToString(config)
    file_io.write_string_to_file(os.path.join(folder, "projector_config.pbtxt"), text)
