"""`tf.contrib.util`: constants, and the op types of a graph."""

from tf1compat.api.framework import meta_graph
from tf1compat.core import tensor_proto
from tf1compat.core.export import export_constant

for _name, _value in {
    "make_ndarray": tensor_proto.make_ndarray,
    "make_tensor_proto": tensor_proto.make_tensor_proto,
    "ops_used_by_graph_def": meta_graph.ops_used_by_graph_def,
    "stripped_op_list_for_graph": meta_graph.stripped_op_list_for_graph,
}.items():
    export_constant(f"contrib.util.{_name}", _value)
