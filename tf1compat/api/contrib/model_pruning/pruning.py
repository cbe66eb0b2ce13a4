"""Masks that grow while a net is trained, until the share of its weights that is asked for is 0."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.array.gather_ops import gather
from tf1compat.api.array.shape_ops import size, squeeze
from tf1compat.api.array.slicing import slice as slice_op
from tf1compat.api.contrib.model_pruning import pruning_utils
from tf1compat.api.contrib.model_pruning.layers import core_layers
from tf1compat.api.contrib.training import hparam
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_convolution, nn_impl, nn_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.random import init_ops
from tf1compat.api.summary import summary
from tf1compat.api.training import training_util
from tf1compat.api.variables import state_ops, variable_scope, variables
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import TensorLike

_MASK_COLLECTION = core_layers.MASK_COLLECTION
_THRESHOLD_COLLECTION = core_layers.THRESHOLD_COLLECTION
_MASKED_WEIGHT_COLLECTION = core_layers.MASKED_WEIGHT_COLLECTION
_WEIGHT_COLLECTION = core_layers.WEIGHT_COLLECTION
_MASKED_WEIGHT_NAME = core_layers.MASKED_WEIGHT_NAME


@tf_export("contrib.model_pruning.apply_mask")
def apply_mask(x: Any, scope: Any = "") -> Tensor:
    """A weight times a mask, which is a variable "mask" beside a variable "threshold".

    Args:
      x: the weight, a variable.
      scope: the variable scope of the two.

    Returns:
      A tensor of the weight's shape and dtype.
    """
    mask = pruning_utils.weight_mask_variable(x, scope)
    threshold = pruning_utils.weight_threshold_variable(x, scope)
    return core_layers.masked(x, mask, threshold, once=True)


@tf_export("contrib.model_pruning.get_masked_weights")
def get_masked_weights() -> list[Any]:
    """The products of weights and masks."""
    return ops.get_collection(_MASKED_WEIGHT_COLLECTION)


@tf_export("contrib.model_pruning.get_masks")
def get_masks() -> list[Any]:
    """The masks."""
    return ops.get_collection(_MASK_COLLECTION)


@tf_export("contrib.model_pruning.get_thresholds")
def get_thresholds() -> list[Any]:
    """The thresholds, one for each mask."""
    return ops.get_collection(_THRESHOLD_COLLECTION)


@tf_export("contrib.model_pruning.get_weights")
def get_weights() -> list[Any]:
    """The weights, one for each mask."""
    return ops.get_collection(_WEIGHT_COLLECTION)


@tf_export("contrib.model_pruning.get_weight_sparsity")
def get_weight_sparsity() -> list[Tensor]:
    """The share of zeros in each mask: float32 scalars."""
    return [nn_impl.zero_fraction(mask) for mask in get_masks()]


@tf_export("contrib.model_pruning.get_pruning_hparams")
def get_pruning_hparams() -> Any:
    """The settings of `Pruning` and their defaults.

    They are `name` (of name scopes); `begin_pruning_step`, `end_pruning_step` (-1: none) and
    `pruning_frequency`, in global steps; `threshold_decay`, what of the old threshold is kept;
    the sparsity that is aimed at, from `initial_sparsity` to `target_sparsity` between
    `sparsity_function_begin_step` and `sparsity_function_end_step`, along a curve of
    `sparsity_function_exponent`; `weight_sparsity_map`, texts "regular expression:sparsity" for
    single weights; blocks of `block_height` x `block_width` weights that are masked as one (-1: the
    whole of a dimension) by their mean or largest (`block_pooling_function` "AVG" or "MAX"), and
    for single weights `block_dims_map`, texts "regular expression:2x4"; `nbins` (unused); and
    `use_tpu`.

    Returns:
      A `tf.contrib.training.HParams`.
    """
    return hparam.HParams(
        name="model_pruning", begin_pruning_step=0, end_pruning_step=-1, weight_sparsity_map=[""],
        block_dims_map=[""], threshold_decay=0.0, pruning_frequency=10, nbins=256, block_height=1,
        block_width=1, block_pooling_function="AVG", initial_sparsity=0.0, target_sparsity=0.5,
        sparsity_function_begin_step=0, sparsity_function_end_step=100,
        sparsity_function_exponent=3.0, use_tpu=False,
    )  # fmt: skip


def _check(spec: Any) -> None:
    """Refuses settings that contradict each other."""
    if spec.begin_pruning_step < 0:
        raise ValueError("Illegal value for begin_pruning_step")
    if spec.begin_pruning_step >= spec.end_pruning_step != -1:
        raise ValueError(
            f"Pruning must begin before it can end. begin_step={spec.begin_pruning_step}, "
            f"end_step={spec.end_pruning_step}.Set end_pruning_step to -1 if pruning is required "
            "till trainingstops"
        )
    if spec.sparsity_function_begin_step < 0:
        raise ValueError("Illegal value for sparsity_function_begin_step")
    if spec.sparsity_function_begin_step >= spec.sparsity_function_end_step:
        raise ValueError("Sparsity function requires begin_step < end_step")
    for name in ("threshold_decay", "initial_sparsity", "target_sparsity"):
        if not 0.0 <= getattr(spec, name) < 1.0:
            raise ValueError(f"{name} must be in range [0,1)")


def _pairs(texts: Sequence[str]) -> list[list[str]]:
    return [text.split(":") for text in texts if text]


def _block_dims_map(texts: Sequence[str]) -> dict[re.Pattern[str], list[int]]:
    found = {}
    for name, dims in _pairs(texts):
        sides = dims.split("x")
        if len(sides) != 2:
            raise ValueError(f"Expected 2 values for block dim for {name}, got {sides}")
        found[re.compile(name)] = [int(side) for side in sides]
    return found


def _weight_sparsity_map(texts: Sequence[str]) -> dict[re.Pattern[str], float]:
    found = {}
    for name, sparsity in _pairs(texts):
        if float(sparsity) >= 1.0:
            raise ValueError("Weight sparsity can not exceed 1.0")
        found[re.compile(name)] = float(sparsity)
    return found


def _set_for(weight_name: str, settings: Mapping[re.Pattern[str], Any], what: str) -> Any:
    """The setting whose pattern is found in a weight's name; None if none is."""
    found = [value for pattern, value in settings.items() if pattern.search(weight_name)]
    if len(found) > 1:
        raise ValueError(f"Multiple matches in {what} for weight {weight_name}")
    return found[0] if found else None


@tf_export("contrib.model_pruning.Pruning")
class Pruning:
    """Masks the smallest weights of all masks that the graph has.

    Args:
      spec: settings as of `get_pruning_hparams`; by default those.
      global_step: an int scalar; by default the graph's global step.
      sparsity: a scalar, the share of zeros; by default the spec's function of the global step.

    Raises:
      ValueError: the settings contradict each other.
    """

    def __init__(
        self, spec: Any = None, global_step: TensorLike | None = None, sparsity: Any = None
    ):
        self._spec = spec or get_pruning_hparams()
        _check(self._spec)
        if global_step is None:
            global_step = training_util.get_global_step()
        self._global_step = math_ops.cast(global_step, dtypes.int32)
        self._sparsity = self._setup_sparsity() if sparsity is None else sparsity
        self._assign_ops: list[Any] = []
        self._last_update_step = self._setup_last_update_step()
        self._block_dims = [self._spec.block_height, self._spec.block_width]
        self._block_pooling_function = self._spec.block_pooling_function
        self._block_dims_map = _block_dims_map(self._spec.block_dims_map)
        self._weight_sparsity_map = _weight_sparsity_map(self._spec.weight_sparsity_map)

    def _setup_sparsity(self) -> Tensor:
        """The sparsity that is aimed at in the global step."""
        spec = self._spec
        begin, target = spec.sparsity_function_begin_step, spec.target_sparsity
        with ops.name_scope(spec.name):
            steps = math_ops.cast(self._global_step - begin, dtypes.float32)
            progress = math_ops.div(steps, spec.sparsity_function_end_step - begin)
            progress = math_ops.minimum(1.0, math_ops.maximum(0.0, progress))
            left = math_ops.pow(1 - progress, spec.sparsity_function_exponent)
            gap = math_ops.multiply(spec.initial_sparsity - target, left)
            return math_ops.add(gap, target, name="sparsity")

    def _setup_last_update_step(self) -> Any:
        """The variable of the global step in which the masks changed last."""
        name = "last_mask_update_step"
        with variable_scope.variable_scope(
            self._spec.name, use_resource=self._spec.use_tpu
        ) as scope:
            try:
                return variable_scope.get_variable(
                    name, [], initializer=init_ops.zeros_initializer(), trainable=False,
                    dtype=dtypes.int32,
                )  # fmt: skip
            except ValueError:  # Another object made it.
                scope.reuse_variables()
                return variable_scope.get_variable(name, dtype=dtypes.int32)

    def _get_block_dims(self, weight_name: str) -> list[int]:
        dims = _set_for(weight_name, self._block_dims_map, "block_dims_map")
        return self._block_dims if dims is None else dims

    def _get_sparsity(self, weight_name: str) -> Any:
        target = _set_for(weight_name, self._weight_sparsity_map, "weight_sparsity_map")
        if target is None:
            return self._sparsity
        ratio = math_ops.div(target, self._spec.target_sparsity)
        return math_ops.multiply(self._sparsity, ratio)

    def _update_mask(self, weights: Tensor, threshold: Any) -> tuple[Tensor, Tensor]:
        """The new threshold of weights, below which lies the share that is to be masked, and the
        new mask."""
        if self._sparsity is None:
            raise ValueError("Sparsity variable undefined")
        sparsity = self._get_sparsity(weights.op.name)
        decay = self._spec.threshold_decay
        with ops.name_scope(f"{weights.op.name}_pruning_ops"):
            magnitudes = math_ops.abs(weights)
            count = math_ops.cast(size(magnitudes), dtypes.float32)
            kept = math_ops.cast(math_ops.round(count * (1 - sparsity)), dtypes.int32)
            flat = array_ops.reshape(magnitudes, [-1])
            ordered, _ = nn_ops.top_k(flat, k=size(magnitudes))
            least_kept = gather(ordered, kept - 1)
            smoothed = math_ops.add_n(
                [math_ops.multiply(least_kept, 1 - decay), math_ops.multiply(threshold, decay)]
            )
            mask = math_ops.cast(math_ops.greater_equal(magnitudes, smoothed), dtypes.float32)
        return smoothed, mask

    def _maybe_update_block_mask(self, weights: Tensor, threshold: Any) -> tuple[Tensor, Tensor]:
        """As `_update_mask`, of blocks of a matrix if there are to be any.

        Raises:
          ValueError: there is no such function for pooling.
        """
        name = weights.op.name
        block_dims = self._get_block_dims(name)
        matrix = squeeze(weights)
        if matrix.get_shape().ndims != 2 or block_dims == [1, 1]:
            return self._update_mask(weights, threshold)
        height, width = matrix.get_shape().as_list()
        # In place: what a weight of these settings gives for -1 is what later ones get too, as in
        # TensorFlow.
        for i, whole in enumerate((height, width)):
            if block_dims[i] == -1:
                block_dims[i] = whole
        if self._block_pooling_function not in ("AVG", "MAX"):
            raise ValueError(
                f"Unknown pooling function for block sparsity: {self._block_pooling_function}"
            )
        pooling = {
            "window_shape": block_dims, "pooling_type": self._block_pooling_function,
            "strides": block_dims, "padding": "SAME", "name": f"{name}_pooled",
        }  # fmt: skip
        with ops.name_scope(f"{name}_pruning_ops"):
            magnitudes = math_ops.abs(matrix)
            if self._spec.use_tpu:
                pooled = pruning_utils.factorized_pool(magnitudes, **pooling)
            else:
                image = array_ops.reshape(magnitudes, [1, height, width, 1])
                pooled = squeeze(nn_convolution.pool(image, **pooling), axis=[0, 3])
            smoothed, mask = self._update_mask(pooled, threshold)
            expanded = pruning_utils.expand_tensor(mask, block_dims)
            mask = slice_op(expanded, [0, 0], [height, width])
        return smoothed, array_ops.reshape(mask, array_ops.shape(weights))

    def _get_mask_assign_ops(self) -> None:
        """Records the assignments of new thresholds and masks, once.

        Raises:
          ValueError: they are there already, or a mask has no threshold.
        """
        if self._assign_ops:
            raise ValueError("Assign op list not empty. _get_mask_assign_ops() called twice?")
        masks, weights, thresholds = get_masks(), get_weights(), get_thresholds()
        if len(masks) != len(thresholds):
            raise ValueError(
                f"Number of masks {len(masks)} and number of thresholds {len(thresholds)} mismatch"
            )
        for mask, weight, threshold in zip(masks, weights, thresholds):
            assign_mask = pruning_utils.variable_assign
            if isinstance(weight, variables.PartitionedVariable):
                weight = weight.as_tensor()
                assign_mask = pruning_utils.partitioned_variable_assign
            new_threshold, new_mask = self._maybe_update_block_mask(weight, threshold)
            self._assign_ops.append(pruning_utils.variable_assign(threshold, new_threshold))
            self._assign_ops.append(assign_mask(mask, new_mask))

    def mask_update_op(self) -> Any:
        """The operation that updates masks and thresholds."""
        with ops.name_scope(self._spec.name):
            if not self._assign_ops:
                self._get_mask_assign_ops()
            noted = state_ops.assign(
                self._last_update_step, self._global_step, name="last_mask_update_step_assign"
            )
            with ops.control_dependencies([noted]), ops.control_dependencies(self._assign_ops):
                logging.info("Updating masks.")
                return control_flow_ops.no_op("mask_update")

    def conditional_mask_update_op(self) -> Any:
        """The operation that updates them if the global step is one in which it is time to."""
        return control_flow_ops.cond(
            self._is_due(), self.mask_update_op, lambda: control_flow_ops.no_op()
        )

    def _is_due(self) -> Tensor:
        spec, step = self._spec, self._global_step
        with ops.name_scope(spec.name):
            has_begun = math_ops.greater_equal(step, spec.begin_pruning_step)
            has_not_ended = math_ops.logical_or(
                math_ops.less_equal(step, spec.end_pruning_step),
                math_ops.less(spec.end_pruning_step, 0),
            )
            in_range = math_ops.logical_and(has_begun, has_not_ended)
            next_step = math_ops.add(self._last_update_step, spec.pruning_frequency)
            return math_ops.logical_and(in_range, math_ops.less_equal(next_step, step))

    def add_pruning_summaries(self) -> None:
        """Adds summaries of sparsities and thresholds."""
        with ops.name_scope(f"{self._spec.name}_summaries"):
            summary.scalar("sparsity", self._sparsity)
            summary.scalar("last_mask_update_step", self._last_update_step)
            for mask, threshold in zip(get_masks(), get_thresholds()):
                summary.scalar(f"{mask.op.name}/sparsity", nn_impl.zero_fraction(mask))
                summary.scalar(f"{threshold.op.name}/threshold", threshold)

    def print_hparams(self) -> None:
        """Logs the settings."""
        logging.info(self._spec.to_json())
