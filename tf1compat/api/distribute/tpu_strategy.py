"""`tf.distribute.experimental.TPUStrategy` (`tensorflow.python.distribute.tpu_strategy`)."""

from __future__ import annotations

from typing import Any, NoReturn

from tf1compat.api.distribute.cluster_resolver.tpu_cluster_resolver import TPUClusterResolver
from tf1compat.api.distribute.distribute_lib import Strategy, StrategyV1
from tf1compat.core.export import tf_export


@tf_export("distribute.experimental.TPUStrategy", "contrib.distribute.TPUStrategy")
class TPUStrategyV1(StrategyV1):
    """Trains on the cores of TPUs. No server here has any, so there is none of these strategies.

    Args:
      tpu_cluster_resolver: a `TPUClusterResolver`; None for what the environment says.
      steps_per_run: how many steps are run between two looks at the host.
      device_assignment: a `DeviceAssignment`.

    Raises:
      IndexError: there are no TPUs: TF 1.15 looks for the first of none, too.
    """

    def __init__(
        self,
        tpu_cluster_resolver: Any = None,
        steps_per_run: int | None = None,
        device_assignment: Any = None,
    ):
        _refuse(tpu_cluster_resolver)


@tf_export("compat.v2.distribute.experimental.TPUStrategy")
class TPUStrategy(Strategy):
    """As `TPUStrategyV1`, of TF 2.

    Args:
      tpu_cluster_resolver: a `TPUClusterResolver`; None for what the environment says.
      device_assignment: a `DeviceAssignment`.

    Raises:
      IndexError: there are no TPUs.
    """

    def __init__(self, tpu_cluster_resolver: Any = None, device_assignment: Any = None):
        _refuse(tpu_cluster_resolver)


def _refuse(resolver: Any) -> NoReturn:
    resolver = TPUClusterResolver("") if resolver is None else resolver
    resolver.master()
    raise IndexError(
        "list index out of range\nTPUStrategy needs a system of TPUs, as in TensorFlow. What "
        "tf.tpu.shard, tf.tpu.replicate and MirroredStrategy record runs on the devices that JAX "
        "has."
    )
