"""Boosted trees (`tensorflow_estimator.python.estimator.canned.boosted_trees`)."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.estimator import estimator
from tf1compat.api.estimator.canned import boosted_trees_columns as columns
from tf1compat.api.estimator.canned import boosted_trees_utils as utils
from tf1compat.api.estimator.canned import composition
from tf1compat.api.estimator.canned import head as head_lib
from tf1compat.api.estimator.canned.boosted_trees_model import _bt_explanations_fn, _bt_model_fn
from tf1compat.api.losses import losses_impl as losses
from tf1compat.api.math import math_ops
from tf1compat.api.training import checkpoint_utils
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.formats import boosted_trees_pb2

_TreeHParams = collections.namedtuple(
    "TreeHParams",
    "n_trees max_depth learning_rate l1 l2 tree_complexity min_node_weight center_bias "
    "pruning_mode quantile_sketch_epsilon",
)
_HOLD_FOR_MULTI_CLASS_SUPPORT = object()
_HOLD_FOR_MULTI_DIM_SUPPORT = object()


def _create_classification_head(
    n_classes: int, weight_column: Any = None, label_vocabulary: Sequence[str] | None = None
) -> Any:
    if n_classes != 2:
        raise ValueError(
            f"For now only binary classification is supported.n_classes given as {n_classes}"
        )
    return head_lib._binary_logistic_head_with_sigmoid_cross_entropy_loss(
        weight_column=weight_column, label_vocabulary=label_vocabulary,
        loss_reduction=losses.Reduction.SUM_OVER_BATCH_SIZE,
    )  # fmt: skip


def _create_classification_head_and_closed_form(
    n_classes: int, weight_column: Any, label_vocabulary: Sequence[str] | None
) -> tuple[Any, Any]:
    """A head, and where it has one the function that gives its loss's derivatives."""
    head = _create_classification_head(n_classes, weight_column, label_vocabulary)
    is_plain = weight_column is None and label_vocabulary is None

    def grad_and_hess(logits: Any, labels: Any) -> tuple[Tensor, Tensor]:
        probabilities = math_ops.reciprocal(math_ops.exp(-logits) + 1.0)
        count = math_ops.cast(array_ops.size(probabilities), dtypes.float32)
        share = math_ops.reciprocal(count)
        labels = head_lib._check_dense_labels_match_logits_and_reshape(
            math_ops.cast(labels, dtypes.float32), logits, head.logits_dimension
        )
        gradients = (probabilities - labels) * share
        return gradients, probabilities * (1.0 - probabilities) * share

    return head, grad_and_hess if is_plain else None


def _create_regression_head(label_dimension: int, weight_column: Any = None) -> Any:
    if label_dimension != 1:
        raise ValueError(
            "For now only 1 dimension regression is supported."
            f"label_dimension given as {label_dimension}"
        )
    return head_lib._regression_head(
        label_dimension=label_dimension, weight_column=weight_column,
        loss_reduction=losses.Reduction.SUM_OVER_BATCH_SIZE,
    )  # fmt: skip


def _compute_feature_importances_per_tree(tree: Any, num_features: int) -> np.ndarray:
    """What splitting each feature gained in one tree."""
    gains = np.zeros(num_features)
    for node in tree.nodes:
        kind = node.WhichOneof("node")
        if kind == "bucketized_split":
            gains[node.bucketized_split.feature_id] += node.metadata.gain
        elif kind == "leaf":
            assert node.metadata.gain == 0
        else:
            raise ValueError(f"Unexpected split type {kind}")
    return gains


def _compute_feature_importances(
    tree_ensemble: Any, num_features: int, normalize: bool
) -> np.ndarray:
    """What splitting each feature gained.

    Args:
      tree_ensemble: a TreeEnsemble message.
      num_features: how many features there are.
      normalize: whether they shall add up to 1.

    Raises:
      AssertionError: they cannot be normalized: one is negative, or all are zero.
    """
    gains = np.array(
        [_compute_feature_importances_per_tree(tree, num_features) for tree in tree_ensemble.trees]
    )
    weights = np.array(tree_ensemble.tree_weights).reshape(-1, 1)
    found = np.sum(gains * weights, axis=0)
    if not normalize:
        return found
    assert np.all(found >= 0), "feature_importances must be non-negative."
    total = np.sum(found)
    assert total > 0, "Trees are all empty or contain only a root node."
    return found / total


class _BoostedTreesBase(estimator.Estimator):
    """What all boosted trees have.

    Args:
      model_fn, model_dir, config: see `Estimator`.
      feature_columns: the columns.
      head: what the logits mean.
      center_bias: whether the prediction without any tree is the labels' mean.
      is_classification: whether predictions are classes.
      quantile_sketch_epsilon: how far a quantile's rank may be from the right one.
    """

    def __init__(
        self, model_fn: Callable[..., Any], model_dir: str, config: Any, feature_columns: Any,
        head: Any,
        center_bias: bool, is_classification: bool, quantile_sketch_epsilon: float,
    ):  # fmt: skip
        variable_scope.enable_resource_variables()
        estimator.Estimator.__init__(self, model_fn=model_fn, model_dir=model_dir, config=config)
        self._sorted_feature_columns = columns.sorted_columns(feature_columns)
        self._head = head
        self._n_features = columns._calculate_num_features(self._sorted_feature_columns)
        self._feature_col_names = columns._generate_feature_col_name_mapping(
            self._sorted_feature_columns
        )
        self._center_bias = center_bias
        self._is_classification = is_classification
        self._quantile_sketch_epsilon = quantile_sketch_epsilon

    def experimental_feature_importances(self, normalize: bool = False) -> Any:
        """What splitting each column gained.

        Args:
          normalize: whether they shall add up to 1.

        Returns:
          An `OrderedDict` {column: gain}, the largest first.

        Raises:
          ValueError: there are no trees yet.
          AssertionError: they cannot be normalized.
        """
        reader = checkpoint_utils.load_checkpoint(self._model_dir)
        serialized = reader.get_tensor("boosted_trees:0_serialized")
        if not serialized:
            raise ValueError(
                "Found empty serialized string for TreeEnsemble.You should only call this method "
                "after training."
            )
        ensemble = boosted_trees_pb2.TreeEnsemble()
        ensemble.ParseFromString(serialized)
        importances = _compute_feature_importances(ensemble, self._n_features, normalize)
        return utils._sum_by_feature_col_name_and_sort(self._feature_col_names, importances)

    def experimental_predict_with_explanations(
        self, input_fn: Callable[..., Any], predict_keys: Any = None, hooks: Any = None,
        checkpoint_path: str | None = None,
    ) -> Iterator[dict[str, Any]]:  # fmt: skip
        """Predictions, and how far each column moved them.

        Args:
          input_fn, predict_keys, hooks, checkpoint_path: see `Estimator.predict`.

        Yields:
          A dict of predictions, of "bias", which the trees begin with, and of "dfc", an
          `OrderedDict` {column: contribution}, the largest first.

        Raises:
          ValueError: the bias is not centered, or the head changes the logits.
        """
        if not self._center_bias:
            raise ValueError(
                "center_bias must be enabled during estimator instantiation when using "
                "experimental_predict_with_explanations."
            )
        if not self._is_classification and self._head._inverse_link_fn not in (
            None,
            array_ops.identity,
        ):
            raise ValueError(
                "For now only identity inverse_link_fn in regression_head is supported for "
                "experimental_predict_with_explanations."
            )

        def explaining(features: Any, labels: Any, mode: Any) -> Any:
            return _bt_explanations_fn(
                features, self._head, self._sorted_feature_columns, self._quantile_sketch_epsilon
            )

        explained = estimator.Estimator(
            model_fn=explaining, model_dir=self.model_dir, config=self.config,
            warm_start_from=self._warm_start_settings,
        )  # fmt: skip
        if predict_keys is not None:
            predict_keys = {*predict_keys, utils._DEBUG_PROTO_KEY}
        for prediction in explained.predict(
            input_fn, predict_keys=predict_keys, hooks=hooks, checkpoint_path=checkpoint_path
        ):
            prediction["bias"], prediction["dfc"] = utils._parse_explanations_from_prediction(
                prediction[utils._DEBUG_PROTO_KEY], self._feature_col_names,
                self._is_classification,
            )  # fmt: skip
            del prediction[utils._DEBUG_PROTO_KEY]
            yield prediction

    def _start(
        self, head: Any, feature_columns: Sequence[Any], n_batches_per_layer: Any,
        tree_hparams: Any, model_dir: Any, config: Any, is_classification: bool, **more: Any,
    ) -> None:  # fmt: skip
        """Begins with the usual model function; `more` of its arguments."""
        model_fn = composition.model_fn_of(
            _bt_model_fn, head=head, feature_columns=feature_columns, tree_hparams=tree_hparams,
            n_batches_per_layer=n_batches_per_layer, **more,
        )  # fmt: skip
        _BoostedTreesBase.__init__(
            self, model_fn=model_fn, model_dir=model_dir, config=config,
            feature_columns=feature_columns, head=head, center_bias=tree_hparams.center_bias,
            is_classification=is_classification,
            quantile_sketch_epsilon=tree_hparams.quantile_sketch_epsilon,
        )  # fmt: skip


@tf_export("estimator.BoostedTreesClassifier")
class BoostedTreesClassifier(_BoostedTreesBase):
    """Boosted trees that tell two classes.

    Args:
      feature_columns: columns of numbers, of buckets, or indicators of categories.
      n_batches_per_layer: after how many batches a layer is added.
      model_dir, config: see `Estimator`.
      n_classes: how many classes; two.
      weight_column: the feature that holds the examples' weights.
      label_vocabulary: the labels' names; without it they are numbers.
      n_trees: how many trees.
      max_depth: how deep a tree is.
      learning_rate: by what each tree's predictions are multiplied.
      l1_regularization, l2_regularization: of the leaves' values.
      tree_complexity: what a leaf costs; needs pruning.
      min_node_weight: the least sum of second derivatives in a node that is split.
      center_bias: whether the prediction without any tree is the labels' mean.
      pruning_mode: "none", "pre" or "post".
      quantile_sketch_epsilon: how far a quantile's rank may be from the right one; numbers are put
        into 1 / epsilon buckets.
      train_in_memory: whether each batch is all examples, in one order.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, feature_columns: Any, n_batches_per_layer: Any, model_dir: Any = None,
        n_classes: Any = _HOLD_FOR_MULTI_CLASS_SUPPORT, weight_column: Any = None,
        label_vocabulary: Any = None, n_trees: int = 100, max_depth: int = 6,
        learning_rate: float = 0.1, l1_regularization: float = 0.0,
        l2_regularization: float = 0.0, tree_complexity: float = 0.0,
        min_node_weight: float = 0.0, config: Any = None, center_bias: bool = False,
        pruning_mode: str = "none", quantile_sketch_epsilon: float = 0.01,
        train_in_memory: bool = False,
    ):  # fmt: skip
        if n_classes == _HOLD_FOR_MULTI_CLASS_SUPPORT:
            n_classes = 2
        elif n_classes > 2 and pruning_mode is not None:
            raise ValueError("For now pruning is not supported with multi class.")
        head, closed_form = _create_classification_head_and_closed_form(
            n_classes, weight_column, label_vocabulary
        )
        hparams = _TreeHParams(
            n_trees, max_depth, learning_rate, l1_regularization, l2_regularization,
            tree_complexity, min_node_weight, center_bias, pruning_mode, quantile_sketch_epsilon,
        )  # fmt: skip
        self._start(
            head, feature_columns, n_batches_per_layer, hparams, model_dir, config, True,
            closed_form_grad_and_hess_fn=closed_form, weight_column=weight_column,
            train_in_memory=train_in_memory,
        )  # fmt: skip


@tf_export("estimator.BoostedTreesRegressor")
class BoostedTreesRegressor(_BoostedTreesBase):
    """Boosted trees that give a number.

    Args:
      label_dimension: how many numbers; one.
      The others: see `BoostedTreesClassifier`.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, feature_columns: Any, n_batches_per_layer: Any, model_dir: str | None = None,
        label_dimension: Any = _HOLD_FOR_MULTI_DIM_SUPPORT, weight_column: Any = None,
        n_trees: int = 100, max_depth: int = 6, learning_rate: float = 0.1,
        l1_regularization: float = 0.0, l2_regularization: float = 0.0,
        tree_complexity: float = 0.0, min_node_weight: float = 0.0, config: Any = None,
        center_bias: bool = False, pruning_mode: str = "none",
        quantile_sketch_epsilon: float = 0.01, train_in_memory: bool = False,
    ):  # fmt: skip
        if label_dimension == _HOLD_FOR_MULTI_DIM_SUPPORT:
            label_dimension = 1
        elif label_dimension > 1 and pruning_mode is not None:
            raise ValueError("For now pruning is not supported with multi-dimensionregression.")
        head = _create_regression_head(label_dimension, weight_column)
        hparams = _TreeHParams(
            n_trees, max_depth, learning_rate, l1_regularization, l2_regularization,
            tree_complexity, min_node_weight, center_bias, pruning_mode, quantile_sketch_epsilon,
        )  # fmt: skip
        self._start(
            head, feature_columns, n_batches_per_layer, hparams, model_dir, config, False,
            weight_column=weight_column, train_in_memory=train_in_memory,
        )  # fmt: skip


@tf_export("estimator.BoostedTreesEstimator")
class BoostedTreesEstimator(_BoostedTreesBase):
    """Boosted trees under any head.

    Args:
      head: what the logits mean.
      weight_column: not used, as in TF: the head has one.
      The others: see `BoostedTreesClassifier`.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, feature_columns: Any, n_batches_per_layer: Any, head: Any,
        model_dir: str | None = None,
        weight_column: Any = None, n_trees: int = 100, max_depth: int = 6,
        learning_rate: float = 0.1, l1_regularization: float = 0.0,
        l2_regularization: float = 0.0, tree_complexity: float = 0.0,
        min_node_weight: float = 0.0, config: Any = None, center_bias: bool = False,
        pruning_mode: str = "none", quantile_sketch_epsilon: float = 0.01,
    ):  # fmt: skip
        hparams = _TreeHParams(
            n_trees, max_depth, learning_rate, l1_regularization, l2_regularization,
            tree_complexity, min_node_weight, center_bias, pruning_mode, quantile_sketch_epsilon,
        )  # fmt: skip
        of_classes = (
            head_lib._BinaryLogisticHeadWithSigmoidCrossEntropyLoss,
            head_lib._MultiClassHeadWithSoftmaxCrossEntropyLoss,
        )
        self._start(
            head, feature_columns, n_batches_per_layer, hparams, model_dir, config,
            isinstance(head, of_classes),
        )  # fmt: skip
