"""`tensorflow.python.keras.engine.training_v2`: what replicas give, put together.

The loops of epochs themselves are in `epoch_loop.py` and `training_distributed.py`.
"""

from __future__ import annotations

from typing import Any

from tf1compat.api.keras.distribute.replica_values import concat_along_batch_dimension
from tf1compat.core import nest


def _aggregate_predict_results(strategy: Any, batch_outs: Any, model: Any) -> list[Any]:
    """What the replicas predicted for a batch, as that for the whole of it.

    Args:
      strategy: tells how many replicas there are.
      batch_outs: what they gave: that of all of them for each output of the model.
      model: the model.

    Returns:
      An array, a SparseTensor or a RaggedTensor for each output.
    """
    given = batch_outs if isinstance(batch_outs, list) else [batch_outs]
    replicas = strategy.num_replicas_in_sync
    return [
        concat_along_batch_dimension(nest.flatten(given[i * replicas : (i + 1) * replicas]))
        for i in range(len(model.outputs))
    ]
