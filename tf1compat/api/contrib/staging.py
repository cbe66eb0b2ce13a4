"""tf.contrib.staging."""

from __future__ import annotations

from tf1compat.api.queues.staging_ops import StagingArea
from tf1compat.core.export import tf_export

tf_export("contrib.staging.StagingArea")(StagingArea)
