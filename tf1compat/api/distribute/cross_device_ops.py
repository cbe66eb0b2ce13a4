"""`tensorflow.python.distribute.cross_device_ops`."""

from __future__ import annotations

import enum

from tf1compat.core.export import tf_export


@tf_export("distribute.experimental.CollectiveCommunication")
class CollectiveCommunication(enum.Enum):
    """How workers would talk to each other."""

    AUTO = "AUTO"
    RING = "RING"
    NCCL = "NCCL"
