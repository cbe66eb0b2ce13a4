"""Which strategies train and evaluate (`tensorflow.python.distribute.distribute_config`)."""

from __future__ import annotations

import collections
from typing import Any

from tf1compat.core.export import tf_export


@tf_export("contrib.distribute.DistributeConfig")
class DistributeConfig(
    collections.namedtuple(
        "DistributeConfig", ["train_distribute", "eval_distribute", "remote_cluster"]
    )
):
    """The option `experimental_distribute` of `tf.estimator.RunConfig`, as in TF 1.15.

    Args:
      train_distribute: the strategy of training, or None.
      eval_distribute: that of evaluation, or None.
      remote_cluster: the cluster that a process on its own uses: a `ClusterSpec` or what makes one.
    """

    def __new__(
        cls, train_distribute: Any = None, eval_distribute: Any = None, remote_cluster: Any = None
    ):
        return super().__new__(cls, train_distribute, eval_distribute, remote_cluster)
