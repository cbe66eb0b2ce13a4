"""Graphs without the masks: each product of a weight and its mask becomes a constant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.api.framework import graph_util_impl, importer
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import checkpoint_management, saver
from tf1compat.core import ops
from tf1compat.core.export import find, tf_export
from tf1compat.core.tensor_proto import make_tensor_proto

_MASKED_WEIGHT = "masked_weight"  # Part of the names of the products.


def _masked_weights(graph_def: Any) -> dict[str, np.ndarray]:
    """The values of the products of weights and masks by their nodes' names."""
    names = [node.name for node in graph_def.node if _MASKED_WEIGHT in node.name]
    graph = ops.Graph()
    with graph.as_default(), find("Session")(graph=graph) as session:
        importer.import_graph_def(graph_def, name="")
        values = session.run({name: f"{name}:0" for name in names}) if names else {}
    for name, value in values.items():
        zeros = 100 - 100 * np.count_nonzero(value) / np.size(value)
        logging.info("%s has %d values, %1.2f%% zeros \n", name, np.size(value), zeros)
    return values


@tf_export("contrib.model_pruning.strip_pruning_vars_fn")
def strip_pruning_vars_fn(input_graph_def: Any, output_node_names: Sequence[str]) -> Any:
    """A graph without masks and thresholds.

    Args:
      input_graph_def: a GraphDef whose variables are constants.
      output_node_names: the names of the nodes whose values are wanted.

    Returns:
      A GraphDef of what these nodes need.
    """
    values = _masked_weights(input_graph_def)
    stripped = type(input_graph_def)()
    for node in input_graph_def.node:
        if node.name in values:
            constant = stripped.node.add(name=node.name, op="Const")
            constant.attr["dtype"].CopyFrom(node.attr["T"])
            constant.attr["value"].tensor.CopyFrom(make_tensor_proto(values[node.name]))
        else:
            stripped.node.add().CopyFrom(node)
    return graph_util_impl.extract_sub_graph(stripped, output_node_names)


@tf_export("contrib.model_pruning.graph_def_from_checkpoint")
def graph_def_from_checkpoint(checkpoint_dir: str, output_node_names: Sequence[str]) -> Any:
    """The graph of the latest checkpoint, its variables made constants.

    Args:
      checkpoint_dir: a folder with checkpoints and meta graphs; the graph is added to the default
        one.
      output_node_names: the names of the nodes whose values are wanted.

    Returns:
      A GraphDef of the nodes that `output_node_names` need.

    Raises:
      ValueError: there is no checkpoint.
    """
    path = checkpoint_management.latest_checkpoint(checkpoint_dir)
    if path is None:
        raise ValueError(f"Could not find a checkpoint at: {checkpoint_dir}.")
    restorer: Any = saver.import_meta_graph(f"{path}.meta", clear_devices=True)
    with find("Session")() as session:
        restorer.restore(session, path)
        graph_def = ops.get_default_graph().as_graph_def()
        return graph_util_impl.convert_variables_to_constants(session, graph_def, output_node_names)
