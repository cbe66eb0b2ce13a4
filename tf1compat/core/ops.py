"""The core under the names that TF's own modules and client libraries use
(`tensorflow.python.framework.ops`)."""

from tf1compat.core.context import executing_eagerly
from tf1compat.core.conversion import (
    convert_n_to_tensor,
    convert_n_to_tensor_or_composite,
    convert_n_to_tensor_or_indexed_slices,
    convert_to_tensor,
    convert_to_tensor_or_composite,
    convert_to_tensor_or_indexed_slices,
    internal_convert_n_to_tensor,
    internal_convert_n_to_tensor_or_composite,
    internal_convert_n_to_tensor_or_indexed_slices,
    internal_convert_to_tensor,
    internal_convert_to_tensor_or_composite,
    internal_convert_to_tensor_or_indexed_slices,
    register_tensor_conversion_function,
)
from tf1compat.core.gradient_registry import (
    NotDifferentiable,
    RegisterGradient,
    get_gradient_function,
    no_gradient,
)
from tf1compat.core.graph import Graph
from tf1compat.core.graph_keys import GraphKeys
from tf1compat.core.indexed_slices import IndexedSlices, IndexedSlicesValue
from tf1compat.core.operation import Operation
from tf1compat.core.scopes import (
    NullContextmanager,
    _colocate_with_for_gradient,
    _eval_using_default_session,
    _get_graph_from_inputs,
    _run_using_default_session,
    add_to_collection,
    add_to_collections,
    colocate_with,
    container,
    control_dependencies,
    default_session,
    device,
    disable_eager_execution,
    dismantle_graph,
    enable_eager_execution,
    executing_eagerly_outside_functions,
    get_all_collection_keys,
    get_collection,
    get_collection_proto_type,
    get_collection_ref,
    get_default_graph,
    get_default_session,
    get_from_proto_function,
    get_name_scope,
    get_to_proto_function,
    has_default_graph,
    init_scope,
    inside_function,
    name_from_scope_name,
    name_scope,
    name_scope_v2,
    op_scope,
    prepend_name_scope,
    register_proto_function,
    reset_default_graph,
    strip_name_scope,
)
from tf1compat.core.tensor import (
    Tensor,
    is_dense_tensor_like,
    register_dense_tensor_like_type,
    uid,
)
from tf1compat.core.tensor import (
    TensorBase as _TensorLike,
)

NoGradient = NotDifferentiable

__all__ = [name for name in dir() if not name.startswith("__")]
