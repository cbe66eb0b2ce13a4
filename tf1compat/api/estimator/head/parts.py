"""What the heads of both generations record alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.estimator import util
from tf1compat.api.estimator.canned.metric_keys import MetricKeys
from tf1compat.api.estimator.export import export_output
from tf1compat.api.feature_column import feature_column as fc_old
from tf1compat.api.feature_column import feature_column_v2 as fc
from tf1compat.api.lookup import lookup_ops
from tf1compat.api.math import math_ops
from tf1compat.api.saved_model import signature_constants
from tf1compat.api.text import string_ops
from tf1compat.core import context, dtypes, ops, tensor_util
from tf1compat.core.tensor import Tensor

DEFAULT_SERVING_KEY = signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
CLASSIFY_SERVING_KEY = "classification"
REGRESS_SERVING_KEY = "regression"
PREDICT_SERVING_KEY = "predict"

_LOGITS_SHAPE = "logits shape must be [D0, D1, ... DN, logits_dimension]"


def summary_key(head_name: str | None, key: str) -> str:
    """The key of a head's metric or summary."""
    return f"{key}/{head_name}" if head_name else key


def create_eval_metrics_tuple(
    fn: Callable[..., Any], kwargs: dict[str, Any]
) -> tuple[Callable[..., Any], dict[str, Any]]:
    """(a function of the tensors among some arguments, these tensors); the others are bound."""
    tensors = {key: value for key, value in kwargs.items() if tensor_util.is_tensor(value)}
    others = {key: value for key, value in kwargs.items() if key not in tensors}
    return lambda **given: fn(**{**others, **given}), tensors


def is_last_dimension_missing(x: Any, logits: Any) -> bool:
    """Whether a tensor is known to have one dimension less than the logits."""
    return None not in (x.shape.ndims, logits.shape.ndims) and (
        x.shape.ndims == logits.shape.ndims - 1
    )


def check_rank(shape: tuple[int, ...], name: str) -> None:
    """Raises ValueError if a shape is that of a scalar or vector."""
    if len(shape) < 2:
        raise ValueError(
            f"{name} must have rank at least 2.  Received rank {len(shape)}, shape {shape}"
        )


def checked_logits(logits: Any, dimension: Any, to_float: Callable[[Any], Any]) -> Tensor:
    """Float logits whose last dimension is checked, now or in the graph.

    Args:
      logits: numbers [D0, ..., DN, dimension].
      dimension: an int or a tensor.
      to_float: casts.

    Raises:
      ValueError: the last dimension is known and another one.
    """
    with ops.name_scope(None, "logits", (logits,)) as scope:
        logits = to_float(logits)
        if context.executing_eagerly():
            shape = tuple(logits.shape.as_list())
            check_rank(shape, "logits")
            if isinstance(dimension, int) and shape[-1] != dimension:
                raise ValueError(f"{_LOGITS_SHAPE}, got {shape}.")
            return logits
        logits_shape = array_ops.shape(logits)
        is_matrix = check_ops.assert_rank_at_least(
            logits, 2, data=[logits_shape], message=_LOGITS_SHAPE
        )
        with ops.control_dependencies([is_matrix]):
            shape = logits.shape
            # A Dimension is not None, known or not: only TF 2's shapes leave it to the graph.
            if shape.ndims is not None and shape[-1] is not None:
                if isinstance(dimension, int) and shape[-1] != dimension:
                    raise ValueError(f"{_LOGITS_SHAPE}, got {shape}.")
                return logits
            is_wide = check_ops.assert_equal(
                dimension, logits_shape[-1], data=[logits_shape], message=_LOGITS_SHAPE
            )
            with ops.control_dependencies([is_wide]):
                return array_ops.identity(logits, name=scope)


def get_weights_and_check_match_logits(
    features: dict[str, Any], weight_column: Any, logits: Any,
    allow_per_logit_weights: bool = False, column_class: str = "_NumericColumn",
) -> Any:  # fmt: skip
    """The weights of examples.

    Args:
      features: {name: a tensor}.
      weight_column: the feature's name, or a numeric column; None for the weight 1.
      logits: [D0, ..., DN, dimension].
      allow_per_logit_weights: whether each logit may have a weight of its own.
      column_class: what the generation of heads calls a numeric column.

    Returns:
      1.0, or floats [D0, ..., DN, 1 or dimension].

    Raises:
      TypeError: the column is something else.
      ValueError: it is not numeric.
    """
    message = "weights shape must be [D0, D1, ... DN] or [D0, D1, ... DN, 1]"
    if allow_per_logit_weights:
        message = (
            "weights shape must be [D0, D1, ... DN], [D0, D1, ... DN, 1] or "
            "[D0, D1, ... DN, logits_dimension]"
        )
    with ops.name_scope(None, "weights", (*features.values(), logits)) as scope:
        if weight_column is None:
            return 1.0
        if isinstance(weight_column, str):
            weight_column = fc.numeric_column(key=weight_column, shape=(1,))
        if not isinstance(weight_column, fc.NumericColumn | fc_old._NumericColumn):
            raise TypeError(
                f"Weight column must be either a string or {column_class}. Given type: "
                f"{type(weight_column)}."
            )
        weights = weight_column._get_dense_tensor(fc_old._LazyBuilder(features))
        if not (weights.dtype.is_floating or weights.dtype.is_integer):
            raise ValueError(
                f"Weight column should be castable to float. Given dtype: {weights.dtype}"
            )
        weights = math_ops.to_float(weights, name="weights")
        if context.executing_eagerly():
            return _checked_now(weights, logits, allow_per_logit_weights, message)
        weights_shape = array_ops.shape(weights, name="weights_shape")
        logits_shape = array_ops.shape(logits, name="logits_shape")
        data = ["logits_shape: ", logits_shape, "weights_shape: ", weights_shape]
        if is_last_dimension_missing(weights, logits):
            check = check_ops.assert_equal(
                logits_shape[:-1], weights_shape, message=message, data=data
            )
            with ops.control_dependencies([check]):
                return array_ops.expand_dims(weights, -1, name=scope)
        supported = array_ops.concat([logits_shape[:-1], [1]], axis=0)
        if allow_per_logit_weights:
            holds = [
                math_ops.reduce_all(math_ops.equal(shape, weights_shape))
                for shape in (logits_shape, supported)
            ]
            check = control_flow_ops.Assert(math_ops.reduce_any(holds), [message, *data])
        else:
            check = check_ops.assert_equal(supported, weights_shape, message=message, data=data)
        with ops.control_dependencies([check]):
            return array_ops.identity(weights, name=scope)


def _checked_now(weights: Any, logits: Any, allow_per_logit_weights: bool, message: str) -> Any:
    """Weights of known shape."""
    shape, logits_shape = (tuple(x.shape.as_list()) for x in (weights, logits))
    allowed = [(*logits_shape[:-1], 1)]
    if is_last_dimension_missing(weights, logits):
        allowed = [logits_shape[:-1]]
    elif allow_per_logit_weights:
        allowed.append(logits_shape)
    if shape not in allowed:
        raise ValueError(f"{message}, logits_shape: {logits_shape}. weights_shape: {shape}.")
    return array_ops.expand_dims(weights, -1) if len(shape) < len(logits_shape) else weights


def check_loss_fn(loss_fn: Callable[..., Any], allowed: Sequence[str]) -> None:
    """Raises ValueError if a loss function lacks an argument, or has others than allowed."""
    if not loss_fn:
        return
    names = util.fn_args(loss_fn)
    for required in ("labels", "logits"):
        if required not in names:
            raise ValueError(f"loss_fn must contain argument: {required}. Given arguments: {names}")
    others = list(set(names) - set(allowed))
    if others:
        raise ValueError(f"loss_fn has unexpected args: {others}")


def call_loss_fn(
    loss_fn: Callable[..., Any],
    labels: Any,
    logits: Any,
    features: dict[str, Any],
    expected_loss_dim: int = 1,
) -> Tensor:
    """The losses of a user's function, their shape checked in the graph.

    Args:
      loss_fn: a function of labels, logits and perhaps features.
      labels, logits: [D0, ..., DN, x].
      features: {name: a tensor}.
      expected_loss_dim: the last dimension of the losses.

    Returns:
      The losses, [D0, ..., DN, expected_loss_dim].
    """
    more = {"features": features} if "features" in util.fn_args(loss_fn) else {}
    with ops.name_scope(None, "call_loss_fn", [labels, logits, *features.values()]):
        losses = loss_fn(labels=labels, logits=logits, **more)
        text = f"loss_fn must return Tensor of shape [D0, D1, ... DN, {expected_loss_dim}]. "
        if context.executing_eagerly():
            logits_shape, loss_shape = (tuple(x.shape.as_list()) for x in (logits, losses))
            if loss_shape != (*logits_shape[:-1], expected_loss_dim):
                raise ValueError(text, "logits_shape: ", logits_shape, "loss_shape: ", loss_shape)
            return losses
        logits_shape = array_ops.shape(logits, name="logits_shape")
        expected = array_ops.concat(
            [logits_shape[:-1], [expected_loss_dim]], axis=0, name="expected_loss_shape"
        )
        loss_shape = array_ops.shape(losses, name="loss_shape")
        check = control_flow_ops.Assert(
            math_ops.reduce_all(math_ops.equal(loss_shape, expected)),
            [text, "logits_shape: ", logits_shape, "loss_shape: ", loss_shape],
            name="check_loss_shape",
        )
        with ops.control_dependencies([check]):
            return array_ops.identity(losses)


def validate_n_classes(n_classes: int) -> Any:
    """Checks that there are more than two classes, now or in the graph.

    Raises:
      ValueError: there aren't.
    """
    if isinstance(n_classes, int) and n_classes <= 2:
        raise ValueError(f"n_classes must be > 2: {n_classes}.")
    check = check_ops.assert_greater(
        ops.convert_to_tensor(n_classes), 2, message="n_classes must be greater than 2"
    )
    with ops.control_dependencies([check]):
        control_flow_ops.no_op()
    return n_classes


def _for_each_example(row: Any, like: Any) -> Tensor:
    """A row, as often as `like` has examples."""
    batch_size = array_ops.shape(like)[0]
    row = row() if callable(row) else row
    return array_ops.tile(array_ops.expand_dims(row, axis=0), [batch_size, 1])


def all_class_ids(logits: Any, n_classes: int) -> Tensor:
    """int32 [batch, n_classes]: all classes, for each example."""
    return _for_each_example(lambda: math_ops.range(n_classes), logits)


def all_classes(
    logits: Any, n_classes: int, label_vocabulary: Sequence[str] | None = None
) -> Tensor:
    """string [batch, n_classes]: the names of all classes, for each example."""
    return _for_each_example(
        label_vocabulary or (lambda: string_ops.as_string(math_ops.range(n_classes))), logits
    )


def classification_output(
    scores: Any, n_classes: int, label_vocabulary: Sequence[str] | None = None
) -> Any:
    """What a classifier exports: scores [batch, n_classes], and the classes' names."""
    classes = all_classes(scores, n_classes, label_vocabulary)
    return export_output.ClassificationOutput(scores=scores, classes=classes)


def class_ids_of_names(names: Any, label_vocabulary: Any) -> Tensor:
    """int64: the classes that labels name."""
    return lookup_ops.index_table_from_tensor(
        vocabulary_list=tuple(label_vocabulary), name="class_id_lookup"
    ).lookup(names)


def names_of_class_ids(class_ids: Any, label_vocabulary: Any) -> Tensor:
    """string: the names of classes; their numbers if there is no vocabulary."""
    if not label_vocabulary:
        return string_ops.as_string(class_ids, name="str_classes")
    table = lookup_ops.index_to_string_table_from_tensor(
        vocabulary_list=label_vocabulary, name="class_string_lookup"
    )
    return table.lookup(class_ids)


def range_checked(
    labels: Any, n_classes: int, message: str | None, scope: str, must: str = "must"
) -> Tensor:
    """Labels that are checked to be in [0, n_classes).

    Args:
      labels: integers.
      n_classes: an int or a tensor.
      message: what is said if they are not; a text with `must` by default.
      scope: the name scope.
      must: how the generation of heads words it.

    Raises:
      ValueError: they aren't, in eager execution.
    """
    with ops.name_scope(None, scope, (labels,)):
        if context.executing_eagerly():
            if not math_ops.reduce_all(math_ops.less_equal(labels, n_classes - 1)):
                raise ValueError(message or f"Labels {must} <= {n_classes} - 1")
            if not math_ops.reduce_all(math_ops.greater_equal(labels, 0)):
                raise ValueError(message or f"Labels {must} >= 0")
            return labels
        most = ops.convert_to_tensor(n_classes - 1, dtype=labels.dtype)
        checks = (
            check_ops.assert_less_equal(
                labels, most, message=message or f"Labels {must} <= n_classes - 1"
            ),
            check_ops.assert_non_negative(labels, message=message or f"Labels {must} >= 0"),
        )
        with ops.control_dependencies(checks):
            return array_ops.identity(labels)


def check_thresholds(thresholds: Any, text: Callable[[Any], str]) -> tuple[float, ...]:
    """Thresholds as a tuple.

    Raises:
      ValueError: one isn't between 0 and 1.
    """
    thresholds = tuple(thresholds) if thresholds else ()
    for threshold in thresholds:
        if threshold <= 0.0 or threshold >= 1.0:
            raise ValueError(text(threshold))
    return thresholds


def check_vocabulary(label_vocabulary: Sequence[str] | None, n_classes: int) -> None:
    """Raises ValueError if a vocabulary is no list of the names of all classes."""
    if label_vocabulary is None:
        return
    if not isinstance(label_vocabulary, list | tuple):
        raise ValueError(
            f"label_vocabulary must be a list or tuple. Given type: {type(label_vocabulary)}"
        )
    if len(label_vocabulary) != n_classes:
        raise ValueError(
            f"Length of label_vocabulary must be n_classes ({n_classes}). "
            f"Given: {len(label_vocabulary)}"
        )


def class_ids_for_metrics(classes: Any, n_classes: int, label_vocabulary: Any) -> tuple[int, ...]:
    """The numbers of classes that a user gave by number or name.

    Raises:
      ValueError: there is no such class.
    """
    classes = tuple(classes or ())
    if classes and isinstance(classes[0], str):
        if not label_vocabulary:
            raise ValueError(
                "label_vocabulary must be provided when classes_for_class_based_metrics are sting."
            )
        return tuple(label_vocabulary.index(name) for name in classes)
    for class_id in classes:
        if class_id < 0 or class_id >= n_classes:
            raise ValueError(
                f"All classes_for_class_based_metrics must be in range [0, {n_classes - 1}]. "
                f"Given: {class_id}"
            )
    return classes


def of_class(class_id: int, probabilities: Any, labels: Any) -> tuple[Tensor, Tensor]:
    """The probabilities and labels of one class.

    Args:
      class_id: the class.
      probabilities, labels: [D0, ..., DN, n_classes].

    Returns:
      Two tensors [D0, ..., DN, 1].
    """
    others = [array_ops.rank(probabilities) - 1]

    def followed_by(x: Any, last: int) -> Tensor:
        return array_ops.concat([x, [last]], axis=0)

    begin = followed_by(array_ops.zeros(others, dtype=dtypes.int32), class_id)
    size = followed_by(-1 * array_ops.ones(others, dtype=dtypes.int32), 1)
    return array_ops.slice(probabilities, begin, size), array_ops.slice(labels, begin, size)


def default_export_output(export_outputs: dict[str, Any], head_name: str, place: str) -> Any:
    """What a head serves by default.

    Raises:
      ValueError: that is not known.
    """
    if len(export_outputs) == 1:
        return next(iter(export_outputs.values()))
    if DEFAULT_SERVING_KEY not in export_outputs:
        raise ValueError(
            f"{head_name} did not specify default export_outputs. Given: {export_outputs} "
            f"Suggested fix: Use one of the heads in {place}, or include key "
            f"{DEFAULT_SERVING_KEY} in export_outputs."
        )
    return export_outputs[DEFAULT_SERVING_KEY]


def merged_export_outputs(heads: Any, specs: Any, place: str) -> dict[str, Any]:
    """What several heads export: each under its name, the first by default, and all predictions."""
    merged = {DEFAULT_SERVING_KEY: default_export_output(
        specs[0].export_outputs, heads[0].name, place
    )}  # fmt: skip
    predictions = {}
    for head, spec in zip(heads, specs, strict=True):
        for key, output in spec.export_outputs.items():
            name = head.name if key == DEFAULT_SERVING_KEY else f"{head.name}/{key}"
            merged[name] = output
            if key == PREDICT_SERVING_KEY and isinstance(output, export_output.PredictOutput):
                predictions.update(
                    (f"{head.name}/{name}", value) for name, value in output.outputs.items()
                )
    merged[PREDICT_SERVING_KEY] = export_output.PredictOutput(predictions)
    return merged


def split_logits(heads: Any, logits: Any) -> dict[str, Tensor]:
    """The logits of each head.

    Args:
      heads: the heads.
      logits: [D0, ..., DN, the sum of the heads' dimensions].

    Raises:
      ValueError: the last dimension is known and another one.
    """
    with ops.name_scope(None, "split_logits", [logits]):
        logits = ops.convert_to_tensor(logits)
        widths = [head.logits_dimension for head in heads]
        shape = logits.shape.as_list()
        if shape[-1] is not None and shape[-1] != sum(widths):
            raise ValueError(
                f"Could not split logits of shape {shape!r} among the heads with individual logits "
                f"dimensions: {widths!r}. The last dimension of the logits tensor should equal "
                f"{shape[-1]} but is {sum(widths)}."  # TF has them this way round.
            )
        batch_shape = array_ops.shape(logits)[:-1]
        zeros = array_ops.zeros_like(batch_shape)
        all_of_it = -1 * array_ops.ones_like(batch_shape)
        parts, start = {}, 0
        for head, width in zip(heads, widths, strict=True):
            begin = array_ops.concat([zeros, [start]], axis=0)
            size = array_ops.concat([all_of_it, [width]], axis=0)
            parts[head.name] = array_ops.slice(logits, begin, size)
            start += width
    return parts


def weighted_sum(losses: Any, weights: Any) -> Tensor:
    """The sum of several heads' losses, weighted if there are weights."""
    if weights:
        losses = [
            math_ops.multiply(loss, weight) for loss, weight in zip(losses, weights, strict=True)
        ]
    return math_ops.add_n(losses)


def class_keys(class_id: int, label_vocabulary: Sequence[str] | None) -> tuple[str, str, str]:
    """The keys of a class's mean probability and of the areas under its two curves."""
    keys = MetricKeys
    if label_vocabulary is None:
        names = (keys.PROBABILITY_MEAN_AT_CLASS, keys.AUC_AT_CLASS, keys.AUC_PR_AT_CLASS)
        said = class_id
    else:
        names = (keys.PROBABILITY_MEAN_AT_NAME, keys.AUC_AT_NAME, keys.AUC_PR_AT_NAME)
        said = label_vocabulary[class_id]
    of_mean, of_auc, of_auc_pr = names
    return of_mean % said, of_auc % said, of_auc_pr % said
