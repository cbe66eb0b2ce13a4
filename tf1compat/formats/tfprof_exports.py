"""The messages of TF's profiler under their public names."""

from __future__ import annotations

from tf1compat.core.export import export_constant
from tf1compat.formats import tfprof_pb2

for _name in ("AdviceProto", "GraphNodeProto", "MultiGraphNodeProto", "OpLogProto"):
    export_constant(f"profiler.{_name}", getattr(tfprof_pb2, _name))
