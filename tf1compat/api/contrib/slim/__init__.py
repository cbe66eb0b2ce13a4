"""tf.contrib.slim: the names of `tf.contrib.layers` and `tf.contrib.framework` for short, and
`slim.learning`, `slim.losses`, …, which are modules of TF's internals."""

from __future__ import annotations

from tf1compat.api.contrib.framework import (
    arg_scope,
    deprecation,
    experimental,
    variables,
    zero_initializer,
)
from tf1compat.api.contrib.layers import (
    bucketization_op,
    embedding_ops,
    encoders,
    feature_column,
    feature_column_ops,
    initializers,
    layers,
    normalization,
    optimizers,
    regularizers,
    rev_block_lib,
    sparse_feature_cross_op,
    summaries,
    target_column,
)
from tf1compat.api.util import all_util
from tf1compat.core.export import export_constant

for _module in (
    arg_scope,
    variables,
    bucketization_op,
    embedding_ops,
    encoders,
    feature_column,
    feature_column_ops,
    initializers,
    layers,
    normalization,
    optimizers,
    regularizers,
    rev_block_lib,
    sparse_feature_cross_op,
    summaries,
    target_column,
):
    for _name in _module.__all__:
        export_constant(f"contrib.slim.{_name}", getattr(_module, _name))
export_constant("contrib.slim.make_all", all_util.make_all)
export_constant("contrib.slim.zero_initializer", zero_initializer.zero_initializer)
export_constant("contrib.slim.experimental", experimental.experimental)
export_constant("contrib.slim.deprecated", deprecation.deprecated)
export_constant("contrib.slim.deprecated_arg_values", deprecation.deprecated_arg_values)
