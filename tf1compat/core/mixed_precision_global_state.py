"""What was asked of mixed precision: by the rewriting of graphs, or by Keras's policies
(`tensorflow.python.training.experimental.mixed_precision_global_state`)."""

from __future__ import annotations

# New sessions have `auto_mixed_precision` on, unless they say that it is off.
mixed_precision_graph_rewrite_is_enabled = False
# A session was made that doesn't.
non_mixed_precision_session_created = False
# No policy was set.
using_default_mixed_precision_policy = True
