"""Graphs that train random forests and predict with them."""

from __future__ import annotations

import math
import numbers
import random
from collections.abc import Callable, Mapping
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.array.gather_ops import gather, where_v2
from tf1compat.api.array.shape_ops import squeeze
from tf1compat.api.contrib.framework.variables import VariableDeviceChooser
from tf1compat.api.contrib.tensor_forest import data_ops, model_ops, stats_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.random import random_ops
from tf1compat.api.variables import variable_scope, variables
from tf1compat.core import dtypes, ops
from tf1compat.core.deferred import Deferred
from tf1compat.core.tensor import Tensor
from tf1compat.formats import generic_tree_model_pb2 as _tree_proto
from tf1compat.formats import tensor_forest_params_pb2 as _params_proto

text_format = Deferred("google.protobuf.text_format")

# By name: the kind of a leaf and of its statistics.
CLASSIFICATION_LEAF_MODEL_TYPES = {
    "all_dense": (_params_proto.MODEL_DENSE_CLASSIFICATION, _params_proto.STATS_DENSE_GINI),
    "all_sparse": (_params_proto.MODEL_SPARSE_CLASSIFICATION, _params_proto.STATS_SPARSE_GINI),
    "sparse_then_dense": (
        _params_proto.MODEL_SPARSE_OR_DENSE_CLASSIFICATION,
        _params_proto.STATS_SPARSE_THEN_DENSE_GINI,
    ),
}
REGRESSION_MODEL_TYPE = (
    _params_proto.MODEL_REGRESSION,
    _params_proto.STATS_LEAST_SQUARES_REGRESSION,
    _params_proto.COLLECTION_BASIC,
)
FINISH_TYPES = {
    "basic": _params_proto.SPLIT_FINISH_BASIC,
    "hoeffding": _params_proto.SPLIT_FINISH_DOMINATE_HOEFFDING,
    "bootstrap": _params_proto.SPLIT_FINISH_DOMINATE_BOOTSTRAP,
}
PRUNING_TYPES = {
    "none": _params_proto.SPLIT_PRUNE_NONE,
    "half": _params_proto.SPLIT_PRUNE_HALF,
    "quarter": _params_proto.SPLIT_PRUNE_QUARTER,
    "10_percent": _params_proto.SPLIT_PRUNE_10_PERCENT,
    "hoeffding": _params_proto.SPLIT_PRUNE_HOEFFDING,
}
SPLIT_TYPES = {
    "less_or_equal": _tree_proto.InequalityTest.LESS_OR_EQUAL,
    "less": _tree_proto.InequalityTest.LESS_THAN,
}


def parse_number_or_string_to_proto(proto: Any, param: Any) -> None:
    """Fills in a DepthDependentParam.

    Args:
      proto: the message.
      param: a number, or a text: a whole number or the message's text form.
    """
    if isinstance(param, numbers.Number):
        proto.constant_value = param
    elif param.isdigit():
        proto.constant_value = int(param)
    else:
        text_format.Merge(param, proto)


def build_params_proto(params: Any) -> Any:
    """The TensorForestParams of a `ForestHParams` that is filled in."""
    proto = _params_proto.TensorForestParams(
        leaf_type=params.leaf_model_type, stats_type=params.stats_model_type,
        collection_type=_params_proto.COLLECTION_BASIC, num_outputs=params.num_classes,
        is_regression=params.regression, inequality_test_type=params.split_type,
    )  # fmt: skip
    for name in (
        "num_trees", "max_nodes", "num_features", "collate_examples", "checkpoint_stats",
        "use_running_stats_method", "initialize_average_splits", "inference_tree_paths",
    ):  # fmt: skip
        setattr(proto, name, getattr(params, name))
    proto.pruning_type.type = params.pruning_type
    proto.finish_type.type = params.finish_type
    for message, value in (
        (proto.pruning_type.prune_every_samples, params.prune_every_samples),
        (proto.finish_type.check_every_steps, params.early_finish_check_every_samples),
        (proto.split_after_samples, params.split_after_samples),
        (proto.num_splits_to_consider, params.num_splits_to_consider),
    ):
        parse_number_or_string_to_proto(message, value)
    proto.dominate_fraction.constant_value = params.dominate_fraction
    if params.param_file:
        with open(params.param_file) as file:
            text_format.Merge(file.read(), proto)
    return proto


def _share_of_samples(given: Any, split_after_samples: Any, parts: int) -> Any:
    """How often to look at a leaf: as given, else that part of `split_after_samples`.

    Raises:
      TypeError: nothing is given, as in TensorFlow 1.15, which calls `isinstance` with one
        argument there.
    """
    if not given:
        raise TypeError("isinstance expected 2 arguments, got 1")
    return given or int(split_after_samples) / parts


class ForestHParams:
    """The settings of a forest; `fill` sets those that follow from others.

    Args:
      num_trees, max_nodes: how many trees, and how many nodes a tree has at most.
      bagging_fraction, feature_bagging_fraction: which part of the examples and of the features a
        tree sees.
      num_splits_to_consider: how many tests each leaf tries; 0 for some that hang on the number of
        features.
      max_fertile_nodes, valid_leaf_threshold, dominate_method: not used, as in TensorFlow.
      split_after_samples: how many examples a leaf sees before it is split; or a text that says
        how that hangs on its depth.
      dominate_fraction: how sure a split is that is made earlier.
      model_name: how leaves count classes: "all_dense" or "all_sparse".
      split_finish_name, early_finish_check_every_samples: whether leaves are split earlier
        ("basic": they are not).
      split_pruning_name, prune_every_samples: whether tests are given up ("none": they are not).
      collate_examples: whether the examples of a leaf are taken together.
      checkpoint_stats: whether statistics are saved.
      use_running_stats_method: how scores are worked out, not what they are.
      initialize_average_splits: whether thresholds are means.
      inference_tree_paths: whether the paths of examples through the trees are given.
      param_file: a file with a TensorForestParams in text form, put over these settings.
      split_name: "less_or_equal" or "less".
      **kwargs: further attributes; `num_classes` and `num_features` are needed, `regression` and
        `base_random_seed` may be given.
    """

    def __init__(
        self, num_trees: Any = 100, max_nodes: Any = 10000, bagging_fraction: Any = 1.0,
        num_splits_to_consider: Any = 0, feature_bagging_fraction: Any = 1.0,
        max_fertile_nodes: Any = 0, split_after_samples: Any = 250, valid_leaf_threshold: Any = 1,
        dominate_method: Any = "bootstrap", dominate_fraction: Any = 0.99,
        model_name: Any = "all_dense", split_finish_name: Any = "basic",
        split_pruning_name: Any = "none", prune_every_samples: Any = 0,
        early_finish_check_every_samples: Any = 0, collate_examples: Any = False,
        checkpoint_stats: Any = False, use_running_stats_method: Any = False,
        initialize_average_splits: Any = False, inference_tree_paths: Any = False,
        param_file: Any = None, split_name: Any = "less_or_equal", **kwargs: Any,
    ):  # fmt: skip
        given = {name: value for name, value in locals().items() if name not in ("self", "kwargs")}
        vars(self).update(given, **kwargs)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def values(self) -> dict[str, Any]:
        """All settings."""
        return self.__dict__

    def fill(self) -> ForestHParams:
        """Sets what follows from other settings; returns itself.

        Raises:
          AttributeError: there is no `num_classes` or no `num_features`.
        """
        _ = self.num_classes
        features = self.num_features
        self.bagged_num_features = int(self.feature_bagging_fraction * features)
        self.bagged_features = None
        if self.feature_bagging_fraction < 1.0:
            self.bagged_features = [
                random.sample(range(features), self.bagged_num_features)
                for _ in range(self.num_trees)
            ]
        self.regression = getattr(self, "regression", False)
        self.num_outputs = self.num_classes if self.regression else 1
        self.num_output_columns = self.num_classes + 1
        if not self.num_splits_to_consider:
            self.num_splits_to_consider = min(max(10, math.floor(math.sqrt(features))), 1000)
        self.base_random_seed = getattr(self, "base_random_seed", 0)
        kinds = REGRESSION_MODEL_TYPE[:2]
        self.finish_type = _params_proto.SPLIT_FINISH_BASIC
        if not self.regression:
            kinds = CLASSIFICATION_LEAF_MODEL_TYPES[self.model_name]
            self.finish_type = FINISH_TYPES[self.split_finish_name]
        self.leaf_model_type, self.stats_model_type = kinds
        self.pruning_type = PRUNING_TYPES[self.split_pruning_name]
        if self.pruning_type == _params_proto.SPLIT_PRUNE_NONE:
            self.prune_every_samples = 0
        else:
            self.prune_every_samples = _share_of_samples(
                self.prune_every_samples, self.split_after_samples, 2
            )
        if self.finish_type == _params_proto.SPLIT_FINISH_BASIC:
            self.early_finish_check_every_samples = 0
        else:
            self.early_finish_check_every_samples = _share_of_samples(
                self.early_finish_check_every_samples, self.split_after_samples, 4
            )
        self.split_type = SPLIT_TYPES[self.split_name]
        return self


def get_epoch_variable() -> Any:
    """The number of epochs of an input that counts them, [1]; [0] if there is none."""
    for variable in variables.local_variables():
        if "limit_epochs/epoch" in variable.op.name:
            return array_ops.reshape(variable, [1])
    return [0]


class TreeVariables:
    """The resources of one tree.

    Args:
      params: a `ForestHParams` that is filled in.
      tree_num: the tree's number.
      training: whether there are statistics.
      tree_config, tree_stat: serialized messages to begin with.
    """

    def __init__(
        self, params: Any, tree_num: int, training: bool, tree_config: Any = "",
        tree_stat: Any = "",
    ):  # fmt: skip
        proto = getattr(params, "params_proto", None)
        if not isinstance(proto, _params_proto.TensorForestParams):
            params.params_proto = build_params_proto(params)
        params.serialized_params_proto = params.params_proto.SerializeToString()
        self.stats = None
        if training:
            name = self.get_tree_name("stats", tree_num)
            self.stats = stats_ops.fertile_stats_variable(params, tree_stat, name)
        name = self.get_tree_name("tree", tree_num)
        self.tree = model_ops.tree_variable(params, tree_config, self.stats, name)

    def get_tree_name(self, name: str, num: int) -> str:
        """The name of a resource of a tree."""
        return f"{name}-{num}"


class ForestVariables:
    """The resources of a forest's trees, by their numbers.

    Args:
      params: a `ForestHParams` that is filled in.
      device_assigner: puts the trees on devices.
      training: whether there are statistics.
      tree_variables_class: makes those of a tree, as `TreeVariables` does.
      tree_configs, tree_stats: serialized messages of the trees to begin with.
    """

    def __init__(
        self, params: Any, device_assigner: Any, training: bool = True,
        tree_variables_class: Callable[..., Any] = TreeVariables, tree_configs: Any = None,
        tree_stats: Any = None,
    ):  # fmt: skip
        # Empty variables, whose devices those of the trees are.
        with ops.device(device_assigner):
            self.device_dummies = [
                variable_scope.get_variable(name=f"device_dummy_{i}", shape=0)
                for i in range(params.num_trees)
            ]
        self.variables = []
        for i, dummy in enumerate(self.device_dummies):
            given = {}
            if tree_configs is not None:
                given["tree_config"] = tree_configs[i]
            if tree_stats is not None:
                given["tree_stat"] = tree_stats[i]
            with ops.device(dummy.device):
                self.variables.append(tree_variables_class(params, i, training, **given))

    def __setitem__(self, t: int, val: Any) -> None:
        self.variables[t] = val

    def __getitem__(self, t: int) -> Any:
        return self.variables[t]


class RandomForestGraphs:
    """Graphs of a forest.

    Args:
      params: a `ForestHParams` that is filled in.
      tree_configs, tree_stats, tree_variables_class, training: see `ForestVariables`.
      device_assigner: puts the trees on devices; by default a `VariableDeviceChooser`.
      variables: what a `ForestVariables` gives; made by default.
      tree_graphs: makes the graphs of a tree, as `RandomTreeGraphs` does.
    """

    def __init__(
        self, params: Any, tree_configs: Any = None, tree_stats: Any = None,
        device_assigner: Any = None, variables: Any = None,
        tree_variables_class: Callable[..., Any] = TreeVariables, tree_graphs: Any = None,
        training: bool = True,
    ):  # fmt: skip
        self.params = params
        self.device_assigner = device_assigner or VariableDeviceChooser()
        logging.info("Constructing forest with params = ")
        logging.info(self.params.__dict__)
        self.variables = variables or ForestVariables(
            params, device_assigner=self.device_assigner, training=training,
            tree_variables_class=tree_variables_class, tree_configs=tree_configs,
            tree_stats=tree_stats,
        )  # fmt: skip
        graphs = tree_graphs or RandomTreeGraphs
        self.trees = [graphs(self.variables[i], params, i) for i in range(params.num_trees)]

    def _device(self, tree: int) -> Any:
        return ops.device(self.variables.device_dummies[tree].device)

    def _bag_features(self, tree_num: int, input_data: Any) -> Tensor:
        columns = array_ops.split(
            value=input_data, num_or_size_splits=self.params.num_features, axis=1
        )
        return array_ops.concat([columns[i] for i in self.params.bagged_features[tree_num]], 1)

    def _features_of(self, tree: int, dense: Any, sparse: Any) -> Any:
        """The dense features that a tree sees.

        Raises:
          NotImplementedError: it sees some of them, and there are sparse ones.
        """
        if not self.params.bagged_features:
            return dense
        if sparse is not None:
            raise NotImplementedError("Feature bagging not supported with sparse features.")
        return self._bag_features(tree, dense)

    def get_all_resource_handles(self) -> list[Any]:
        """The handles of the trees, and those of their statistics."""
        parts = [self.variables[i] for i in range(len(self.trees))]
        return [part.tree for part in parts] + [part.stats for part in parts]

    def training_graph(
        self, input_data: Any, input_labels: Any, num_trainers: int = 1, trainer_id: int = 0,
        **tree_kwargs: Any,
    ) -> Any:  # fmt: skip
        """Records a step of training.

        Args:
          input_data: a matrix [examples, features], a `SparseTensor`, or a dict of columns.
          input_labels: [examples], or [examples, outputs] for regression.
          num_trainers, trainer_id: among how many processes the trees are divided, and which one
            this is.
          **tree_kwargs: for `RandomTreeGraphs.training_graph`.

        Returns:
          The operation.

        Raises:
          NotImplementedError: trees see parts of the examples or features, and there are sparse
            ones.
        """
        params = self.params
        dense, sparse, spec = data_ops.ParseDataTensorOrDict(input_data)
        labels = None
        if input_labels is not None:
            labels = data_ops.ParseLabelTensorOrDict(input_labels)
        per_trainer = params.num_trees / num_trainers
        steps = []
        for i in range(int(trainer_id * per_trainer), int((trainer_id + 1) * per_trainer)):
            with self._device(i):
                seed = params.base_random_seed + i if params.base_random_seed else 0
                tree_data, tree_labels = dense, labels
                if params.bagging_fraction < 1.0:
                    if sparse is not None:
                        raise NotImplementedError("Bagging not supported with sparse features.")
                    rows = self._some_rows(dense, seed)
                    tree_data, tree_labels = gather(dense, rows), gather(labels, rows)
                tree_data = self._features_of(i, tree_data, sparse)
                steps.append(
                    self.trees[i].training_graph(
                        tree_data,
                        tree_labels,
                        seed,
                        data_spec=spec,
                        sparse_features=sparse,
                        **tree_kwargs,
                    )
                )
        return control_flow_ops.group(*steps, name="train")

    def _some_rows(self, dense: Any, seed: int) -> Tensor:
        """The numbers of the examples that a tree sees, drawn at random."""
        count = array_ops.strided_slice(array_ops.shape(dense), [0], [1])
        drawn = random_ops.random_uniform(count, seed=seed)
        limit = array_ops.ones_like(drawn) * self.params.bagging_fraction
        return squeeze(where_v2(math_ops.less(drawn, limit)), axis=[1])

    def inference_graph(self, input_data: Any, **inference_args: Any) -> tuple[Any, Any, Any]:
        """Records predictions.

        Args:
          input_data: see `training_graph`.
          **inference_args: for `RandomTreeGraphs.inference_graph`.

        Returns:
          (the mean of the trees' outputs [examples, outputs], the paths through the trees as
          serialized TreePaths [examples, trees], the outputs' variance [examples, outputs]).

        Raises:
          NotImplementedError: trees see parts of the features, and there are sparse ones.
        """
        dense, sparse, spec = data_ops.ParseDataTensorOrDict(input_data)
        outputs, paths = [], []
        for i, tree in enumerate(self.trees):
            with self._device(i):
                tree_data = self._features_of(i, dense, sparse)
                output, path = tree.inference_graph(
                    tree_data, spec, sparse_features=sparse, **inference_args
                )
                outputs.append(output)
                paths.append(path)
        with self._device(0):
            count = self.params.num_trees
            by_tree = array_ops.stack(outputs, axis=1)
            mean = math_ops.div(math_ops.reduce_sum(by_tree, 1), count, name="probabilities")
            tree_paths = array_ops.stack(paths, axis=1)
            squares = math_ops.div(math_ops.reduce_sum(by_tree * by_tree, 1), count)
            return mean, tree_paths, math_ops.maximum(0.0, squares - mean * mean)

    def average_size(self) -> Tensor:
        """The mean number of the trees' nodes, a float32 scalar."""
        sizes = []
        for i, tree in enumerate(self.trees):
            with self._device(i):
                sizes.append(tree.size())
        return math_ops.reduce_mean(math_ops.cast(array_ops.stack(sizes), dtypes.float32))

    def training_loss(self, features: Any, labels: Any, name: str = "training_loss") -> Tensor:
        """Minus the mean size: what falls while the forest grows."""
        return math_ops.negative(self.average_size(), name=name)

    def validation_loss(self, features: Any, labels: Any) -> Tensor:
        """As `training_loss`."""
        return math_ops.negative(self.average_size())

    def average_impurity(self) -> Tensor:
        """The mean of the trees' `average_impurity`, of classes that have one."""
        found = []
        trees: list[Any] = self.trees
        for i, tree in enumerate(trees):
            with self._device(i):
                found.append(tree.average_impurity())
        return math_ops.reduce_mean(array_ops.stack(found))

    def feature_importances(self) -> Tensor:
        """Which share of all tests is on each feature, [features]."""
        counts = array_ops.stack([tree.feature_usage_counts() for tree in self.trees], 0)
        total = math_ops.reduce_sum(counts, 0)
        return total / math_ops.reduce_sum(total)


class RandomTreeGraphs:
    """Graphs of one tree.

    Args:
      variables: a `TreeVariables`.
      params: a `ForestHParams` that is filled in.
      tree_num: the tree's number.
    """

    def __init__(self, variables: Any, params: Any, tree_num: int):
        self.variables, self.params, self.tree_num = variables, params, tree_num

    def _inputs(self, dense: Any, sparse: Any) -> list[Any]:
        """What the ops take for features; [] for what there is not."""
        parts = [[], [], []]
        if sparse is not None:
            parts = [sparse.indices, sparse.values, sparse.dense_shape]
        return [[] if dense is None else dense, *parts]

    def _attrs(self, spec: Any) -> Mapping[str, Any]:
        params = self.params.serialized_params_proto
        return {"input_spec": spec.SerializeToString(), "params": params}

    def training_graph(
        self, input_data: Any, input_labels: Any, random_seed: int, data_spec: Any,
        sparse_features: Any = None, input_weights: Any = None,
    ) -> Any:  # fmt: skip
        """Records a step of training.

        Args:
          input_data: [examples, features] float32, or None.
          input_labels: [examples] or [examples, outputs] float32.
          random_seed: of the features that are tried; 0 for another one each time.
          data_spec: what the features are.
          sparse_features: a `SparseTensor`, or None.
          input_weights: [examples] float32, or None.

        Returns:
          The operation.
        """
        math_ops.cast(get_epoch_variable(), dtypes.int32)  # Not used, and yet in TF's graph.
        weights = [] if input_weights is None else input_weights
        features = self._inputs(input_data, sparse_features)
        attrs = self._attrs(data_spec)
        tree, stats = self.variables.tree, self.variables.stats
        leaves = model_ops.traverse_tree_v4(tree, *features, **attrs)
        update = model_ops.update_model_v4(
            tree, leaves, input_labels, weights, params=attrs["params"]
        )
        finished = stats_ops.process_input_v4(
            tree, stats, *features, input_labels, weights, leaves, random_seed=random_seed, **attrs
        )
        with ops.control_dependencies([update]):
            return stats_ops.grow_tree_v4(tree, stats, finished, params=attrs["params"])

    def inference_graph(
        self, input_data: Any, data_spec: Any, sparse_features: Any = None
    ) -> tuple[Any, Any]:
        """Records predictions; arguments as of `training_graph`.

        Returns:
          (the outputs [examples, outputs], serialized TreePaths [examples] or none).
        """
        features = self._inputs(input_data, sparse_features)
        return model_ops.tree_predictions_v4(
            self.variables.tree, *features, **self._attrs(data_spec)
        )

    def size(self) -> Tensor:
        """The number of nodes, an int32 scalar."""
        return model_ops.tree_size(self.variables.tree)

    def feature_usage_counts(self) -> Tensor:
        """How many tests are on each feature, int32 [features]."""
        params = self.params.serialized_params_proto
        return model_ops.feature_usage_counts(self.variables.tree, params=params)
