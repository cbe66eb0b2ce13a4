"""`tf.contrib.hooks`."""

from tf1compat.api.training.saving_hooks import ProfilerHook
from tf1compat.core.export import export_constant

export_constant("contrib.hooks.ProfilerHook", ProfilerHook)
