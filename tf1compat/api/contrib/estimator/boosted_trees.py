"""`tf.contrib.estimator`: boosted trees that are trained at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.data.ops import dataset_ops
from tf1compat.api.estimator.canned import boosted_trees as canned
from tf1compat.core.export import tf_export


def _repeated(train_input_fn: Callable[[], Any]) -> Callable[[], Any]:
    """An input function whose dataset, if it gives one, has no end."""

    def input_fn() -> Any:
        found = train_input_fn()
        return found.repeat() if isinstance(found, dataset_ops.DatasetV2) else found

    return input_fn


def _trained(
    train_input_fn: Callable[..., Any], train_hooks: Any, head: Any, feature_columns: Any,
    hparams: Any,
    model_dir: Any, config: Any, is_classification: bool, **more: Any,
) -> Any:  # fmt: skip
    model = canned._BoostedTreesBase.__new__(canned._BoostedTreesBase)
    model._start(
        head, feature_columns, 1, hparams, model_dir, config, is_classification,
        train_in_memory=True, **more,
    )  # fmt: skip
    model.train(input_fn=_repeated(train_input_fn), hooks=train_hooks)
    return model


@tf_export("contrib.estimator.boosted_trees_classifier_train_in_memory")
def boosted_trees_classifier_train_in_memory(
    train_input_fn: Any, feature_columns: Any, model_dir: Any = None,
    n_classes: Any = canned._HOLD_FOR_MULTI_CLASS_SUPPORT, weight_column: Any = None,
    label_vocabulary: Any = None, n_trees: int = 100, max_depth: int = 6,
    learning_rate: float = 0.1, l1_regularization: float = 0.0, l2_regularization: float = 0.0,
    tree_complexity: float = 0.0, min_node_weight: float = 0.0, config: Any = None,
    train_hooks: Any = None, center_bias: bool = False, pruning_mode: str = "none",
    quantile_sketch_epsilon: float = 0.01,
) -> Any:  # fmt: skip
    """A trained classifier.

    Args:
      train_input_fn: a function that gives a dataset of one batch with all examples.
      train_hooks: hooks of training.
      The others: see `tf.estimator.BoostedTreesClassifier`.

    Returns:
      The estimator, trained.

    Raises:
      ValueError: an argument is wrong.
    """
    if n_classes == canned._HOLD_FOR_MULTI_CLASS_SUPPORT:
        n_classes = 2
    head, closed_form = canned._create_classification_head_and_closed_form(
        n_classes, weight_column, label_vocabulary
    )
    hparams = canned._TreeHParams(
        n_trees, max_depth, learning_rate, l1_regularization, l2_regularization, tree_complexity,
        min_node_weight, center_bias, pruning_mode, quantile_sketch_epsilon,
    )  # fmt: skip
    return _trained(
        train_input_fn, train_hooks, head, feature_columns, hparams, model_dir, config, True,
        closed_form_grad_and_hess_fn=closed_form,
    )  # fmt: skip


@tf_export("contrib.estimator.boosted_trees_regressor_train_in_memory")
def boosted_trees_regressor_train_in_memory(
    train_input_fn: Callable[..., Any], feature_columns: Any, model_dir: str | None = None,
    label_dimension: Any = canned._HOLD_FOR_MULTI_DIM_SUPPORT, weight_column: Any = None,
    n_trees: int = 100, max_depth: int = 6, learning_rate: float = 0.1,
    l1_regularization: float = 0.0, l2_regularization: float = 0.0, tree_complexity: float = 0.0,
    min_node_weight: float = 0.0, config: Any = None, train_hooks: Any = None,
    center_bias: bool = False, pruning_mode: str = "none", quantile_sketch_epsilon: float = 0.01,
) -> Any:  # fmt: skip
    """A trained regressor; see `boosted_trees_classifier_train_in_memory`.

    Args:
      train_input_fn, feature_columns, model_dir, weight_column, n_trees, max_depth, learning_rate,
        l1_regularization, l2_regularization, tree_complexity, min_node_weight, config, train_hooks,
        center_bias, pruning_mode, quantile_sketch_epsilon: as in
        `boosted_trees_classifier_train_in_memory`.
      label_dimension: the numbers of one label, 1 by default.

    Returns:
      A trained `BoostedTreesRegressor`.

    Raises:
      ValueError: an argument is wrong.
    """
    if label_dimension == canned._HOLD_FOR_MULTI_DIM_SUPPORT:
        label_dimension = 1
    head = canned._create_regression_head(label_dimension, weight_column)
    hparams = canned._TreeHParams(
        n_trees, max_depth, learning_rate, l1_regularization, l2_regularization, tree_complexity,
        min_node_weight, center_bias, pruning_mode, quantile_sketch_epsilon,
    )  # fmt: skip
    return _trained(
        train_input_fn, train_hooks, head, feature_columns, hparams, model_dir, config, False
    )
