"""`tf.data.experimental`: elements of several datasets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.data.experimental.ops import transformations
from tf1compat.api.data.ops import dataset_ops, dataset_types, readers
from tf1compat.api.data.util import nest, structure
from tf1compat.api.math import math_ops
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.type_spec import TensorSpec
from tf1compat.core.typing import TensorLike


@tf_export("data.experimental.parallel_interleave")
@deprecated(
    None,
    "Use `tf.data.Dataset.interleave(map_func, cycle_length, block_length, "
    "num_parallel_calls=tf.data.experimental.AUTOTUNE)` instead. If sloppy execution is desired, "
    "use `tf.data.Options.experimental_determinstic`.",
)
def parallel_interleave(
    map_func: Callable[..., Any],
    cycle_length: Any,
    block_length: Any = 1,
    sloppy: Any = False,
    buffer_output_elements: Any = None,
    prefetch_input_elements: Any = None,
) -> Callable[[Any], Any]:
    """A transformation that takes elements from several datasets in turn.

    Args:
      map_func: gives a dataset for an element.
      cycle_length: from how many datasets elements are taken in turn.
      block_length: how many are taken from each.
      sloppy: whether the order may vary; it does not.
      buffer_output_elements, prefetch_input_elements: how much is made ahead of time.

    Returns:
      A function for `Dataset.apply`.
    """
    return lambda dataset: readers.ParallelInterleaveDataset(
        dataset,
        map_func,
        cycle_length,
        block_length,
        sloppy,
        buffer_output_elements,
        prefetch_input_elements,
    )


class _DirectedInterleaveDataset(dataset_ops.Dataset):
    """Elements of several datasets, in an order that another dataset tells."""

    def __init__(self, selector_input: Any, data_inputs: Any):
        self._selector_input = selector_input
        self._data_inputs = list(data_inputs)
        types = dataset_ops.get_legacy_output_types(data_inputs[0])
        classes = dataset_ops.get_legacy_output_classes(data_inputs[0])
        shapes = dataset_ops.get_legacy_output_shapes(data_inputs[0])
        for other in data_inputs[1:]:
            if (
                dataset_ops.get_legacy_output_types(other) != types
                or dataset_ops.get_legacy_output_classes(other) != classes
            ):
                raise TypeError("All datasets must have the same type and class.")
        for other in self._data_inputs[1:]:
            pairs = zip(
                nest.flatten(shapes), nest.flatten(dataset_ops.get_legacy_output_shapes(other))
            )
            shapes = nest.pack_sequence_as(
                shapes, [a.most_specific_compatible_shape(b) for a, b in pairs]
            )
        self._element_spec = structure.convert_legacy_structure(types, shapes, classes)
        super().__init__()

    def _as_variant_tensor(self) -> Any:
        return raw_ops.DirectedInterleaveDataset(
            self._selector_input._variant_tensor,
            [dataset._variant_tensor for dataset in self._data_inputs],
            **self._flat_structure,
        )

    def _inputs(self) -> list[Any]:
        return [self._selector_input, *self._data_inputs]

    @property
    def element_spec(self) -> Any:
        return self._element_spec


def _chosen(logits: Any, seed: Any) -> Any:
    drawn = raw_ops.StatelessMultinomial(logits, 1, seed=seed)
    return array_ops.squeeze(drawn, axis=[0, 1])


@tf_export("compat.v2.data.experimental.sample_from_datasets")
def sample_from_datasets_v2(
    datasets: Any, weights: Any = None, seed: TensorLike | None = None
) -> Any:
    """As `tf.data.experimental.sample_from_datasets`.

    Args:
      datasets, weights, seed: as in `sample_from_datasets`.

    Returns:
      As `sample_from_datasets`.
    """
    count = len(datasets)
    if isinstance(weights, dataset_ops.DatasetV2):
        logits_ds = weights.map(lambda *p: math_ops.log(p, name="logits"))

        def select_dataset_varying_logits(logits: Any, seed: Any) -> Any:
            return _chosen(logits, seed)

        seeds = transformations.RandomDataset(seed).batch(2)
        pairs = dataset_ops.Dataset.zip((logits_ds, seeds))
        selector = dataset_types.MapDataset(
            pairs, select_dataset_varying_logits, use_inter_op_parallelism=False
        )
        return _DirectedInterleaveDataset(selector, datasets)
    if weights is None:
        logits: Any = [[1.0] * count]
    else:
        weights = ops.convert_to_tensor(weights, name="weights")
        if weights.dtype not in (dtypes.float32, dtypes.float64):
            raise TypeError(
                "`weights` must be convertible to a tensor of `tf.float32` or `tf.float64` "
                "elements."
            )
        if not weights.shape.is_compatible_with([count]):
            raise ValueError("`weights` must be a vector of length `len(datasets)`.")
        logits = array_ops.expand_dims(math_ops.log(weights, name="logits"), 0)
    if count == 1:
        return datasets[0]

    def select_dataset_constant_logits(seed: Any) -> Any:
        return _chosen(logits, seed)

    selector = dataset_types.MapDataset(
        transformations.RandomDataset(seed).batch(2),
        select_dataset_constant_logits,
        use_inter_op_parallelism=False,
    )
    return _DirectedInterleaveDataset(selector, datasets)


@tf_export("data.experimental.sample_from_datasets")
def sample_from_datasets_v1(
    datasets: Any, weights: Any = None, seed: TensorLike | None = None
) -> Any:
    """Elements of datasets chosen at random.

    Args:
      datasets: a list of datasets with elements of the same kind.
      weights: how often each is chosen: a vector, or a dataset of vectors; equally by default.
      seed: the seed of the choice.

    Returns:
      A `Dataset`.

    Raises:
      TypeError: the datasets differ, or the weights are no floats.
      ValueError: there are more or fewer weights.
    """
    return dataset_ops.DatasetV1Adapter(sample_from_datasets_v2(datasets, weights, seed))


@tf_export("compat.v2.data.experimental.choose_from_datasets")
def choose_from_datasets_v2(datasets: Any, choice_dataset: Any) -> Any:
    """As `tf.data.experimental.choose_from_datasets`.

    Args:
      datasets, choice_dataset: as in `choose_from_datasets`.

    Returns:
      As `choose_from_datasets`.
    """
    if not structure.are_compatible(choice_dataset.element_spec, TensorSpec([], dtypes.int64)):
        raise TypeError("`choice_dataset` must be a dataset of scalar `tf.int64` tensors.")
    return _DirectedInterleaveDataset(choice_dataset, datasets)


@tf_export("data.experimental.choose_from_datasets")
def choose_from_datasets_v1(datasets: Any, choice_dataset: Any) -> Any:
    """Elements of datasets that another dataset chooses.

    Args:
      datasets: a list of datasets with elements of the same kind.
      choice_dataset: int64 scalars: which dataset each element is taken from.

    Returns:
      A `Dataset`.

    Raises:
      TypeError: the datasets differ, or the choices are no int64 scalars.
    """
    return dataset_ops.DatasetV1Adapter(choose_from_datasets_v2(datasets, choice_dataset))


choose_from_datasets = choose_from_datasets_v1
sample_from_datasets = sample_from_datasets_v1
