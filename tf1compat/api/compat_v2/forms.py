"""`tf.compat.v2`: functions that do what TF 1's of that name do and take other arguments.

A line of the table is a function: its public names, TF's internal name, its parameters, and, where
they differ, what TF 1's function is and what else it is given.  It is called by keywords, so that
only names matter, not their order.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

from tf1compat.api.gradients.gradients_walk import UnconnectedGradients
from tf1compat.api.util import deprecation
from tf1compat.core import dtypes, export


class _Form(NamedTuple):
    names: str  # without "compat.v2.", TF's canonical one first
    internal: str  # the function's name in TF's module
    parameters: str
    v1: str = ""  # TF 1's public name, if it is another one
    given: str = ""  # further arguments: those that are renamed, and those that TF 2 settled
    returns: bool = True  # or None, whatever TF 1's function gives


def _defined(form: _Form) -> Callable[..., Any]:
    """The function that a line stands for: a real `def`, whose signature can be read."""
    names = form.names.split()
    target = inspect.unwrap(export.find(form.v1 or names[0]), stop=_warns_not)
    own = list(inspect.signature(target).parameters)
    parameters = [part.partition("=")[0].strip() for part in _split(form.parameters)]
    given = dict(part.split("=", 1) for part in _split(form.given))
    given = {name: name for name in parameters if name in own} | given
    passed = [f"{name}={value}" for name, value in given.items()]
    result = "return " if form.returns else ""
    code = f"def {form.internal}({form.parameters}): {result}_target({', '.join(passed)})"
    scope: dict[str, Any] = {"_target": target, "tf": dtypes, "Unconnected": UnconnectedGradients}
    exec(compile(code, __file__, "exec"), scope)
    function = scope[form.internal]
    function.__module__ = __name__
    function.__doc__ = f"`tf.{form.v1 or names[0]}` with TF 2's arguments, as in TF 1.15."
    return export.tf_export(*(f"compat.v2.{name}" for name in names))(function)


def _warns_not(function: Callable[..., Any]) -> bool:
    """Whether a function is more than a wrapper that says that it is deprecated."""
    return function.__code__.co_filename != deprecation.__file__


def _split(parameters: str) -> list[str]:
    return [part for part in parameters.split(", ") if part]


_X = "x, message=None, summarize=None, name=None"
_X_Y = "x, y, message=None, summarize=None, name=None"
_REDUCED = "input_tensor, axis=None, keepdims=False, name=None"
_SEGMENTS = "data, indices, segment_ids, num_segments=None, name=None"
_CONV = "input, filters, strides, padding, data_format={}, dilations=None, name=None"
_TRANSPOSE = (
    "input, filters, output_shape, strides, padding='SAME', data_format={}, dilations=None, "
    "name=None"
)
_SAMPLED = (
    "weights, biases, labels, inputs, num_sampled, num_classes, num_true=1, sampled_values=None, "
)
_GRADIENTS = (
    "ys, xs, grad_ys=None, name='gradients', gate_gradients=False, aggregation_method=None, "
    "stop_gradients=None, unconnected_gradients=Unconnected.NONE"
)

_ARRAY = [
    _Form("batch_to_space", "batch_to_space_v2", "input, block_shape, crops, name=None",
          "batch_to_space_nd"),
    _Form("convert_to_tensor", "convert_to_tensor_v2",
          "value, dtype=None, dtype_hint=None, name=None"),
    _Form("size", "size_v2", "input, out_type=tf.int32, name=None"),
    _Form("space_to_batch nn.space_to_batch", "space_to_batch_v2",
          "input, block_shape, paddings, name=None", "space_to_batch_nd"),
]  # fmt: skip
_MATH = [
    _Form("math.confusion_matrix", "confusion_matrix",
          "labels, predictions, num_classes=None, weights=None, dtype=tf.int32, name=None"),
    *(
        _Form(f"math.reduce_{kind} reduce_{kind}", f"reduce_{kind}", _REDUCED)
        for kind in ("all", "any", "logsumexp", "max", "mean", "min", "prod", "sum")
    ),
    _Form("linalg.l2_normalize math.l2_normalize nn.l2_normalize", "l2_normalize_v2",
          "x, axis=None, epsilon=1e-12, name=None"),
    _Form("linalg.norm norm", "norm_v2",
          "tensor, ord='euclidean', axis=None, keepdims=None, name=None"),
    *(
        _Form(f"sparse.segment_{kind}", f"sparse_segment_{kind}_v2", _SEGMENTS)
        for kind in ("mean", "sqrt_n", "sum")
    ),
    _Form("gradients", "gradients_v2", _GRADIENTS, "", "colocate_gradients_with_ops=True"),
    _Form("hessians", "HessiansV2",
          "ys, xs, gate_gradients=False, aggregation_method=None, name='hessians'"),
]  # fmt: skip
_CHECKS = [
    *(
        _Form(f"debugging.assert_{kind} assert_{kind}", f"assert_{kind}_v2", _X_Y)
        for kind in ("equal", "greater", "less")
    ),
    *(
        _Form(f"debugging.assert_{kind}", f"assert_{kind}_v2", _X_Y)
        for kind in ("greater_equal", "less_equal")
    ),
    *(
        _Form(f"debugging.assert_{kind}", f"assert_{kind}_v2", _X)
        for kind in ("negative", "non_negative", "non_positive", "positive")
    ),
    _Form("debugging.assert_none_equal", "assert_none_equal_v2",
          "x, y, summarize=None, message=None, name=None"),
    _Form("debugging.assert_integer", "assert_integer_v2", "x, message=None, name=None",
          returns=False),
    _Form("debugging.assert_rank assert_rank", "assert_rank_v2",
          "x, rank, message=None, name=None"),
    _Form("debugging.assert_rank_at_least", "assert_rank_at_least_v2",
          "x, rank, message=None, name=None"),
    _Form("debugging.assert_scalar", "assert_scalar_v2", "tensor, message=None, name=None",
          returns=False),
    _Form("debugging.assert_type", "assert_type_v2", "tensor, tf_type, message=None, name=None",
          returns=False),
]  # fmt: skip
_FLOW = [
    _Form("case", "case_v2",
          "pred_fn_pairs, default=None, exclusive=False, strict=False, name='case'"),
    _Form("cond", "cond_for_tf_v2", "pred, true_fn=None, false_fn=None, name=None", "",
          "strict=True"),
    _Form("tuple", "tuple_v2", "tensors, control_inputs=None, name=None"),
    _Form("while_loop", "while_loop_v2",
          "cond, body, loop_vars, shape_invariants=None, parallel_iterations=10, back_prop=True, "
          "swap_memory=False, maximum_iterations=None, name=None", "",
          "return_same_structure=True"),
    _Form("variable_creator_scope", "variable_creator_scope", "variable_creator"),
    _Form("saved_model.contains_saved_model", "contains_saved_model", "export_dir"),
    _Form("test.assert_equal_graph_def", "assert_equal_graph_def_v2", "expected, actual", "",
          "checkpoint_v2=True, hash_table_shared_name=True"),
]  # fmt: skip
_NN = [
    _Form("nn.avg_pool2d", "avg_pool2d",
          "input, ksize, strides, padding, data_format='NHWC', name=None", "",
          "value=None, name=name or 'AvgPool2D'"),
    _Form("nn.batch_norm_with_global_normalization", "batch_norm_with_global_normalization_v2",
          "input, mean, variance, beta, gamma, variance_epsilon, scale_after_normalization, "
          "name=None"),
    _Form("nn.conv1d", "conv1d_v2",
          "input, filters, stride, padding, data_format='NWC', dilations=None, name=None"),
    _Form("nn.conv2d_transpose", "conv2d_transpose_v2", _TRANSPOSE.format("'NHWC'")),
    _Form("nn.convolution", "convolution_v2",
          "input, filters, strides=None, padding='VALID', data_format=None, dilations=None, "
          "name=None", "", "filter=None"),
    _Form("nn.crelu", "crelu_v2", "features, axis=-1, name=None"),
    _Form("nn.depthwise_conv2d", "depthwise_conv2d_v2",
          "input, filter, strides, padding, data_format=None, dilations=None, name=None"),
    _Form("nn.embedding_lookup", "embedding_lookup_v2", "params, ids, max_norm=None, name=None",
          "", "partition_strategy='div'"),
    _Form("math.in_top_k nn.in_top_k", "in_top_k_v2", "targets, predictions, k, name=None"),
    _Form("math.log_softmax nn.log_softmax", "log_softmax_v2", "logits, axis=None, name=None"),
    _Form("math.softmax nn.softmax", "softmax_v2", "logits, axis=None, name=None"),
    _Form("nn.moments", "moments_v2", "x, axes, shift=None, keepdims=False, name=None"),
    _Form("nn.nce_loss", "nce_loss_v2",
          f"{_SAMPLED}remove_accidental_hits=False, name='nce_loss'", "",
          "partition_strategy='div'"),
    _Form("nn.pool", "pool_v2",
          "input, window_shape, pooling_type, strides=None, padding='VALID', data_format=None, "
          "dilations=None, name=None"),
    _Form("nn.sampled_softmax_loss", "sampled_softmax_loss_v2",
          f"{_SAMPLED}remove_accidental_hits=True, seed=None, name='sampled_softmax_loss'", "",
          "partition_strategy='div'"),
    _Form("nn.separable_conv2d", "separable_conv2d_v2",
          "input, depthwise_filter, pointwise_filter, strides, padding, data_format=None, "
          "dilations=None, name=None"),
    _Form("nn.sigmoid_cross_entropy_with_logits", "sigmoid_cross_entropy_with_logits_v2",
          "labels=None, logits=None, name=None"),
    _Form("nn.sparse_softmax_cross_entropy_with_logits",
          "sparse_softmax_cross_entropy_with_logits_v2", "labels, logits, name=None"),
    _Form("nn.sufficient_statistics", "sufficient_statistics_v2",
          "x, axes, shift=None, keepdims=False, name=None"),
    _Form("nn.weighted_cross_entropy_with_logits", "weighted_cross_entropy_with_logits_v2",
          "labels, logits, pos_weight, name=None"),
    _Form("nn.weighted_moments", "weighted_moments_v2",
          "x, axes, frequency_weights, keepdims=False, name=None"),
]  # fmt: skip
_IO = [
    _Form("io.decode_csv", "decode_csv_v2",
          "records, record_defaults, field_delim=',', use_quote_delim=True, na_value='', "
          "select_cols=None, name=None"),
    _Form("io.parse_example", "parse_example_v2",
          "serialized, features, example_names=None, name=None"),
    _Form("io.parse_single_example", "parse_single_example_v2_unoptimized",
          "serialized, features, example_names=None, name=None"),
    _Form("strings.length", "string_length_v2", "input, unit='BYTE', name=None"),
    _Form("strings.substr", "substr_v2", "input, pos, len, unit='BYTE', name=None"),
    _Form("strings.to_hash_bucket", "string_to_hash_bucket", "input, num_buckets, name=None"),
    _Form("strings.to_number", "string_to_number", "input, out_type=tf.float32, name=None"),
]  # fmt: skip

_AUTOGRAPH = [
    _Form("autograph.to_code", "to_code",
          "entity, recursive=True, experimental_optional_features=None"),
    _Form("autograph.to_graph", "to_graph",
          "entity, recursive=True, experimental_optional_features=None"),
]  # fmt: skip

for _table in (_ARRAY, _MATH, _CHECKS, _FLOW, _NN, _IO, _AUTOGRAPH):
    for _form in _table:
        globals()[_form.internal] = _defined(_form)
