"""tf.contrib.tfprof: profiles."""

from tf1compat.api.profiler.profile_context import ProfileContext as ProfileContext
