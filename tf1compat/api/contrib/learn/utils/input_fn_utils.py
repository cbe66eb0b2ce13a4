"""Input functions of servers (`tensorflow.contrib.learn.python.learn.utils.input_fn_utils`)."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.io import parsing_ops
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import dtypes
from tf1compat.core.export import tf_export


@tf_export("contrib.learn.InputFnOps")
class InputFnOps(collections.namedtuple("InputFnOps", ["features", "labels", "default_inputs"])):
    """What a server's input function returns.

    Args:
      features: {name: a tensor or sparse tensor}.
      labels: None.
      default_inputs: {name: a placeholder}.
    """


@tf_export("contrib.learn.build_parsing_serving_input_fn")
@deprecated(None, "Please use tf.estimator.export.build_parsing_serving_input_receiver_fn.")
def build_parsing_serving_input_fn(
    feature_spec: dict[str, Any], default_batch_size: Any = None
) -> Callable[[], InputFnOps]:
    """An input function that parses serialized Examples.

    Args:
      feature_spec: see `tf.parse_example`.
      default_batch_size: how many Examples are fed.

    Returns:
      A function without arguments that gives an `InputFnOps`: the features, None for labels, and
      {"examples": the placeholder of strings}.
    """

    def input_fn() -> InputFnOps:
        examples = array_ops.placeholder(
            dtype=dtypes.string, shape=[default_batch_size], name="input_example_tensor"
        )
        features = parsing_ops.parse_example(examples, feature_spec)
        return InputFnOps(features, None, {"examples": examples})

    return input_fn


@deprecated(None, "Please use tf.estimator.export.build_raw_serving_input_receiver_fn.")
def build_default_serving_input_fn(
    features: dict[str, Any], default_batch_size: Any = None
) -> Callable[[], InputFnOps]:
    """An input function with a placeholder for each feature.

    Args:
      features: {name: a tensor like what is fed}.
      default_batch_size: how many examples are fed.
    """

    def input_fn() -> InputFnOps:
        placeholders = {}
        for name, tensor in features.items():
            shape = [default_batch_size, *tensor.get_shape().as_list()[1:]]
            placeholders[name] = array_ops.placeholder(tensor.dtype, shape, name=tensor.op.name)
        return InputFnOps(placeholders, None, placeholders)

    return input_fn
