"""`tf.contrib.checkpoint`: more of `tf.train.Checkpoint`."""

from __future__ import annotations

from tf1compat.api.contrib.checkpoint import (
    containers,
    python_state,
    split_dependency,
    visualize,
)
from tf1compat.api.training import checkpoint_manager
from tf1compat.api.training.tracking import base, tracking, util
from tf1compat.core import protos
from tf1compat.core.export import export_constant

export_constant("contrib.checkpoint.Checkpointable", tracking.AutoTrackable)
export_constant("contrib.checkpoint.CheckpointableBase", base.Trackable)
export_constant("contrib.checkpoint.CheckpointableObjectGraph", protos.TrackableObjectGraph)
export_constant("contrib.checkpoint.NoDependency", base.NoDependency)
