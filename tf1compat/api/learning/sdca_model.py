"""Linear models trained by stochastic dual coordinate ascent
(`…linear_optimizer.python.utils.sdca_ops` of tensorflow_estimator)."""

from __future__ import annotations

import itertools
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.learning.sharded_tables import _ShardedMutableDenseHashTable
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_impl, nn_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.queues import data_flow_ops
from tf1compat.api.summary import summary
from tf1compat.api.variables import state_ops, variables
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name, TensorLike

_LOSSES = ("logistic_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss", "poisson_loss")
_WEIGHTS = ("sparse_features_weights", "dense_features_weights")


class _SparseFeatureColumn:
    """A group of sparse features.

    Args:
      example_indices: int64 [entries].
      feature_indices: int64 [entries].
      feature_values: float32 [entries]; None where all are 1.
    """

    def __init__(self, example_indices: Any, feature_indices: Any, feature_values: Any):
        scope, convert = "SparseFeatureColumn", ops.convert_to_tensor
        with ops.name_scope(None, scope, [example_indices, feature_indices]):
            self._example_indices = convert(
                example_indices, name="example_indices", dtype=dtypes.int64
            )
            self._feature_indices = convert(
                feature_indices, name="feature_indices", dtype=dtypes.int64
            )
        self._feature_values = None
        if feature_values is not None:
            with ops.name_scope(None, scope, [feature_values]):
                self._feature_values = convert(
                    feature_values, name="feature_values", dtype=dtypes.float32
                )

    example_indices: Tensor = attribute("_example_indices", "The examples, int64 [entries].")
    feature_indices: Tensor = attribute("_feature_indices", "The features, int64 [entries].")
    feature_values: Tensor | None = attribute(
        "_feature_values", "Their values, float32 [entries], or None."
    )


class _Part:
    """Where the rows of a group of weights that a batch needs lie in the group's shards.

    Args:
      shards: variables.
      ids: int64 [rows].
      where: chooses between tensors.
    """

    def __init__(self, shards: Any, ids: Any, where: Any):
        self._shards = list(shards)
        count = len(self._shards)
        flat = array_ops.reshape(ids, [-1])
        small, larger = self._row_count(flat.dtype), count
        small, larger = small // count, small % count
        assigned = math_ops.maximum(flat // (small + 1), (flat - larger) // small)
        rows = where(assigned < larger, flat % (small + 1), (flat - larger) % small)
        self._assigned = math_ops.cast(assigned, dtypes.int32)
        self._rows = data_flow_ops.dynamic_partition(rows, self._assigned, count)
        found = []
        for shard, own in zip(self._shards, self._rows):
            with ops.colocate_with(shard):
                found.append(array_ops.gather(shard, own))
        places = math_ops.range(array_ops.shape(rows)[0])
        places = data_flow_ops.dynamic_partition(places, self._assigned, count)
        self.values = data_flow_ops.dynamic_stitch(places, found)

    def _row_count(self, dtype: DTypeLike) -> Tensor:
        sizes = [shard.get_shape().as_list()[0] for shard in self._shards]
        if None not in sizes:
            return constant_op.constant(sum(sizes), dtype)
        for i, shard in enumerate(self._shards):
            if sizes[i] is None:
                with ops.colocate_with(shard):
                    sizes[i] = array_ops.shape(shard)[0]
        return math_ops.reduce_sum(math_ops.cast(array_ops.stack(sizes), dtype))

    def add(self, update: Any) -> list[Any]:
        """Adds to the rows."""
        updates = data_flow_ops.dynamic_partition(update, self._assigned, len(self._shards))
        found = []
        for shard, rows, part in zip(self._shards, self._rows, updates):
            with ops.colocate_with(shard):
                found.append(state_ops.scatter_add(shard, rows, part))
        return found


def _is_sharded(variable: Any) -> bool:
    return isinstance(variable, list | variables.PartitionedVariable)


def _shards(variable: Any) -> Any:
    return variable if _is_sharded(variable) else [variable]


def _tensors(values: Any) -> list[Tensor]:
    return [
        ops.convert_to_tensor(array_ops.concat(x, axis=0) if _is_sharded(x) else x) for x in values
    ]


class _SDCAModel:
    """A linear model, and steps of stochastic dual coordinate ascent for it.

    Args:
      examples: a dict of "sparse_features", a list of `_SparseFeatureColumn`; "dense_features", a
        list of float32 [examples, dimensions]; "example_labels" and "example_weights", float32
        [examples]; "example_ids", string [examples].
      variables: a dict of "sparse_features_weights" and "dense_features_weights", lists of
        variables (or lists of their shards).
      options: a dict of "symmetric_l1_regularization", "symmetric_l2_regularization" and
        "loss_type"; if wanted of "num_loss_partitions", "num_table_shards" and "adaptive".

    Raises:
      ValueError: something is missing or out of range.
    """

    _slot = "unshrunk"
    _variable: Any = variables.Variable
    _table = _ShardedMutableDenseHashTable
    _where = staticmethod(array_ops.where_v2)

    def __init__(self, examples: Any, variables: Any, options: Any):
        if not examples or not variables or not options:
            raise ValueError("examples, variables and options must all be specified.")
        if options["loss_type"] not in _LOSSES:
            raise ValueError("Unsupported loss_type: ", options["loss_type"])
        lists = ["sparse_features", "dense_features"]
        own = ["example_labels", "example_weights", "example_ids"]
        _check(examples, own + lists, lists)
        _check(variables, _WEIGHTS, _WEIGHTS)
        _check(
            options,
            ["loss_type", "symmetric_l2_regularization", "symmetric_l1_regularization"],
        )
        self._check_regularization(options)
        self._examples = examples
        self._variables = variables
        self._options = options
        self._create_slots()
        self._hashtable = self._table(
            key_dtype=dtypes.int64, value_dtype=dtypes.float32,
            num_shards=options.get("num_table_shards") or 1, default_value=[0.0] * 4,
            empty_key=[0, 0], deleted_key=[1, 1],
        )  # fmt: skip
        summary.scalar("approximate_duality_gap", self.approximate_duality_gap())
        summary.scalar("examples_seen", self._hashtable.size())

    def _check_regularization(self, options: Any) -> None:
        l2 = options["symmetric_l2_regularization"]
        if l2 <= 0.0:
            raise ValueError("symmetric_l2_regularization should be positive.")
        if l2 <= 1.0:
            logging.warn(
                "symmetric_l2_regularization for SDCA should typically be larger than for online "
                "optimization methods. Recommended value is of the order of the average L2 norm "
                "of the training examples."
            )
        if options["symmetric_l1_regularization"] < 0.0:
            raise ValueError("symmetric_l1_regularization should be non-negative.")

    def _symmetric_l1_regularization(self) -> float:
        return self._options["symmetric_l1_regularization"]

    def _symmetric_l2_regularization(self) -> float:
        return self._options["symmetric_l2_regularization"]

    def _create_slots(self) -> None:
        """Makes variables of the weights as they are before L1 regularization."""
        self._slots: dict[str, list[Any]] = {name: [] for name in _WEIGHTS}
        for name in _WEIGHTS:
            for var in self._variables[name]:
                if not _is_sharded(var):
                    with ops.device(var.device):
                        self._slots[name].append(self._slot_of(var))
                    continue
                slots = []
                for shard in var:
                    with ops.colocate_with(shard):
                        slots.append(self._slot_of(shard))
                self._slots[name].append(slots)

    def _slot_of(self, var: Any) -> Any:
        zeros = array_ops.zeros_like(var.initialized_value(), dtypes.float32)
        return self._variable(zeros, name=f"{var.op.name}_{self._slot}")

    def _weight_sum(self, measure: Any) -> Tensor:
        sums = []
        for var in itertools.chain(*(self._variables[name] for name in _WEIGHTS)):
            for shard in _shards(var):
                weights = ops.convert_to_tensor(shard)
                with ops.device(weights.device):
                    sums.append(
                        math_ops.reduce_sum(measure(math_ops.cast(weights, dtypes.float64)))
                    )
        return math_ops.add_n(sums)

    def _l1_loss(self) -> Tensor:
        with ops.name_scope("sdca/l1_loss"):
            return self._symmetric_l1_regularization() * self._weight_sum(math_ops.abs)

    def _l2_loss(self, l2: float) -> Tensor:
        with ops.name_scope("sdca/l2_loss"):
            return l2 * self._weight_sum(math_ops.square) / 2.0

    def _linear_predictions(self, examples: Any) -> Tensor:
        with ops.name_scope("sdca/prediction"):
            count = array_ops.shape(examples["example_ids"])[0]
            found = array_ops.zeros([count])
            weights = _tensors(self._variables["sparse_features_weights"])
            for column, own in zip(examples["sparse_features"], weights):
                sums = _segment_sums(column, own)
                missing = count - array_ops.shape(sums)[0]
                found += array_ops.pad(sums, [[0, missing]])
            features = _tensors(examples["dense_features"])
            for x, own in zip(features, _tensors(self._variables["dense_features_weights"])):
                found += array_ops.squeeze(math_ops.matmul(x, array_ops.expand_dims(own, -1)))
        return found

    def predictions(self, examples: Any) -> Tensor:
        """Predictions, float32 [examples]: probabilities if the loss is logistic, rates if it is
        Poisson's.

        Raises:
          ValueError: something of the examples is missing.
        """
        lists = ["sparse_features", "dense_features"]
        _check(examples, ["example_weights", *lists], lists)
        found = self._linear_predictions(examples)
        if self._options["loss_type"] == "logistic_loss":
            with ops.name_scope("sdca/logistic_prediction"):
                return math_ops.sigmoid(found)
        if self._options["loss_type"] == "poisson_loss":
            with ops.name_scope("sdca/poisson_prediction"):
                return math_ops.exp(found)
        return found

    def minimize(self, global_step: TensorLike | None = None, name: Name = None) -> ops.Operation:
        """Records a step.

        Args:
          global_step: a variable that counts the steps.
          name: the operation's name.

        Returns:
          The operation.
        """
        options, examples = self._options, self._examples
        with ops.name_scope(name, "sdca/minimize"):
            columns = examples["sparse_features"]
            ids = raw_ops.SdcaFprint(ops.convert_to_tensor(examples["example_ids"]))
            state = self._hashtable.lookup(ids)
            rows, weights, parts = [], [], []
            for slot, column in zip(self._slots[_WEIGHTS[0]], columns):
                unique = array_ops.unique(math_ops.cast(column.feature_indices, dtypes.int32))[0]
                rows.append(math_ops.cast(unique, dtypes.int64))
                part = None
                if _is_sharded(slot):
                    part = _Part(slot, rows[-1], self._where)
                    weights.append(part.values)
                else:
                    tensor = ops.convert_to_tensor(slot)
                    with ops.device(tensor.device):
                        weights.append(array_ops.gather(tensor, rows[-1]))
                parts.append(part)
            values = [x.feature_values for x in columns if x.feature_values is not None]
            state, sparse_updates, dense_updates = raw_ops.SdcaOptimizerV2(
                [x.example_indices for x in columns], [x.feature_indices for x in columns], values,
                _tensors(examples["dense_features"]),
                ops.convert_to_tensor(examples["example_weights"]),
                ops.convert_to_tensor(examples["example_labels"]), rows, weights,
                _tensors(self._slots[_WEIGHTS[1]]), state, loss_type=options["loss_type"],
                l1=self._symmetric_l1_regularization(), l2=self._symmetric_l2_regularization(),
                num_loss_partitions=options.get("num_loss_partitions", 1), num_inner_iterations=1,
                adaptive=options.get("adaptive", True),
            )  # fmt: skip
            with ops.control_dependencies([state]):
                updates = [self._hashtable.insert(ids, state)]
                for slot, own, part, update in zip(
                    self._slots[_WEIGHTS[0]], rows, parts, sparse_updates
                ):
                    if part is None:
                        updates.append(state_ops.scatter_add(slot, own, update))
                    else:
                        updates += part.add(update)
                for slot, update in zip(self._slots[_WEIGHTS[1]], dense_updates):
                    if _is_sharded(slot):
                        sizes = [shard.shape.as_list()[0] for shard in slot]
                        update = array_ops.split(update, num_or_size_splits=sizes)
                        updates += [state_ops.assign_add(*one) for one in zip(slot, update)]
                    else:
                        updates.append(state_ops.assign_add(slot, update))
            if global_step is None:
                return control_flow_ops.group(*updates)
            with ops.control_dependencies(updates):
                return state_ops.assign_add(global_step, 1, name=name).op

    def update_weights(self, train_op: Any) -> ops.Operation:
        """Sets the model's weights to those that steps have found.

        Args:
          train_op: a step, which comes before.

        Returns:
          The operation.
        """
        with ops.control_dependencies([train_op]):
            updates = [
                var.assign(slot)
                for name in _WEIGHTS
                for pair in zip(self._variables[name], self._slots[name])
                for var, slot in zip(*map(_shards, pair))
            ]
        return self._shrink(updates)

    def _shrink(self, updates: list[Any]) -> ops.Operation:
        l1 = self._symmetric_l1_regularization()
        if l1 <= 0:
            return control_flow_ops.group(*updates)
        by = l1 / self._symmetric_l2_regularization()
        with ops.control_dependencies(updates):
            updates = []
            for var in self._all_shards():
                with ops.device(var.device):
                    sign = math_ops.sign(var)
                    size = math_ops.maximum(0.0, math_ops.abs(var) - by)
                    updates.append(var.assign(sign * size))
            return control_flow_ops.group(*updates)

    def _all_shards(self) -> list[Any]:
        return [
            shard for name in _WEIGHTS for var in self._variables[name] for shard in _shards(var)
        ]

    def _to_double(self, values: Any) -> Tensor:
        return math_ops.to_double(values)

    def approximate_duality_gap(self) -> Tensor:
        """How far the losses of all examples are at most from their smallest, a float64 scalar."""
        with ops.name_scope("sdca/approximate_duality_gap"):
            sums: list[Any] = []
            for values in self._hashtable.export_sharded()[1]:
                with ops.device(values.device), ops.control_dependencies(sums):
                    sums.append(math_ops.reduce_sum(self._to_double(values), 0))
            total = math_ops.add_n(sums)
            primal, dual, weights = total[1], total[2], total[3]
            losses = primal + dual + self._l1_loss()
            return (losses + 2.0 * self._l2_loss(self._symmetric_l2_regularization())) / weights

    def unregularized_loss(self, examples: Any) -> Tensor:
        """The examples' mean loss, a float64 scalar.

        Raises:
          ValueError: something of the examples is missing.
        """
        lists = ["sparse_features", "dense_features"]
        _check(examples, ["example_labels", "example_weights", *lists], lists)
        with ops.name_scope("sdca/unregularized_loss"):
            found = math_ops.cast(self._linear_predictions(examples), dtypes.float64)
            labels, weights = (
                math_ops.cast(ops.convert_to_tensor(examples[key]), dtypes.float64)
                for key in ("example_labels", "example_weights")
            )
            kind = self._options["loss_type"]
            if kind == "logistic_loss":
                loss = nn_impl.sigmoid_cross_entropy_with_logits(labels=labels, logits=found)
            elif kind == "poisson_loss":
                loss = nn_impl.log_poisson_loss(targets=labels, log_input=found)
            elif kind == "squared_loss":
                loss = math_ops.square(math_ops.subtract(labels, found))
                total = math_ops.reduce_sum(math_ops.multiply(loss, weights))
                return total / (2.0 * math_ops.reduce_sum(weights))
            else:  # That of the smooth hinge is the hinge's, as in TF.
                ones = array_ops.ones_like(found)
                signs = math_ops.subtract(2 * labels, ones)
                margin = math_ops.multiply(signs, found)
                loss = nn_ops.relu(math_ops.subtract(ones, margin))
            total = math_ops.reduce_sum(math_ops.multiply(loss, weights))
            return total / math_ops.reduce_sum(weights)

    def regularized_loss(self, examples: Any) -> Tensor:
        """The examples' mean loss with the regularization, a float64 scalar.

        Raises:
          ValueError: something of the examples is missing.
        """
        lists = ["sparse_features", "dense_features"]
        _check(examples, ["example_labels", "example_weights", *lists], lists)
        with ops.name_scope("sdca/regularized_loss"):
            weights = ops.convert_to_tensor(examples["example_weights"])
            # With the regularization that was asked for, whatever steps are made with.
            own = self._l1_loss() + self._l2_loss(self._options["symmetric_l2_regularization"])
            total = math_ops.reduce_sum(math_ops.cast(weights, dtypes.float64))
            return own / total + self.unregularized_loss(examples)


def _segment_sums(column: Any, weights: Any) -> Tensor:
    """Each example's sum of weights times values."""
    own = array_ops.gather(weights, column.feature_indices)
    return math_ops.segment_sum(
        math_ops.multiply(own, column.feature_values), column.example_indices
    )


def _check(given: Any, needed: Any, lists: Any = ()) -> None:
    for key in needed:
        if given[key] is None:
            # So says TF, which means "must be specified".
            raise TypeError("unsupported operand type(s) for +: 'NoneType' and 'str'")
    for key in lists:
        if not isinstance(given[key], list):
            raise ValueError(f"{key} must be a list.")
