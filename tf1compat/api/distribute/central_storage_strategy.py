"""`tensorflow.python.distribute.central_storage_strategy`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.distribute import distribute_lib
from tf1compat.api.distribute.parameter_server_strategy import ParameterServerStrategyExtended
from tf1compat.core.export import tf_export


@tf_export("distribute.experimental.CentralStorageStrategy")
class CentralStorageStrategyV1(distribute_lib.StrategyV1):
    """Variables at one device, replicas at several.

    Args:
      compute_devices: the names of the replicas' devices; the CPU by default.
      parameter_device: where the variables are; at the only replica, or on the CPU.
    """

    def __init__(self, compute_devices: Any = None, parameter_device: Any = None):
        super().__init__(
            ParameterServerStrategyExtended(
                self, compute_devices=compute_devices, parameter_device=parameter_device
            )
        )


@tf_export("compat.v2.distribute.experimental.CentralStorageStrategy")
class CentralStorageStrategy(distribute_lib.Strategy):
    """TF 2's. Args: see `CentralStorageStrategyV1`."""

    def __init__(self, compute_devices: Any = None, parameter_device: Any = None):
        super().__init__(
            ParameterServerStrategyExtended(
                self, compute_devices=compute_devices, parameter_device=parameter_device
            )
        )
