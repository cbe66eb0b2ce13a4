"""`tf.contrib.graph_editor`: looking at, copying and rewiring parts of a graph."""

from __future__ import annotations

from tf1compat.api.contrib.graph_editor import edit, reroute, select, subgraph, transform, util
from tf1compat.core.export import export_constant

for _module in (edit, reroute, select, subgraph, transform, util):
    for _name in _module.__all__:
        export_constant(f"contrib.graph_editor.{_name}", getattr(_module, _name))
ph = util.make_placeholder_from_dtype_and_shape
sgv = subgraph.make_view
sgv_scope = subgraph.make_view_from_scope
export_constant("contrib.graph_editor.ph", ph)
export_constant("contrib.graph_editor.sgv", sgv)
export_constant("contrib.graph_editor.sgv_scope", sgv_scope)
