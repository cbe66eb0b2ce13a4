"""tf.contrib.rpc: procedures of other servers, called over gRPC (TF's `rpc_op`)."""

from __future__ import annotations

from tf1compat.core import raw_ops
from tf1compat.core.export import export_constant

rpc = raw_ops.Rpc
try_rpc = raw_ops.TryRpc
export_constant("contrib.rpc.rpc", rpc)
export_constant("contrib.rpc.try_rpc", try_rpc)
