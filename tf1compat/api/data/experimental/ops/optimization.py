"""`tensorflow.python.data.experimental.ops.optimization`: asks for TF's rewrites of a pipeline, and
checks them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.data.ops import dataset_ops, dataset_types
from tf1compat.api.data.ops.dataset_options import AutotuneAlgorithm
from tf1compat.api.data.ops.dataset_spec import DatasetSpec
from tf1compat.api.data.ops.structured_function import StructuredFunctionWrapper
from tf1compat.core import dtypes, ops, raw_ops

Transformation = Callable[[Any], Any]


def assert_next(transformations: Any) -> Transformation:
    """A transformation that checks which transformations come after it.

    Args:
      transformations: string [count]: their names, as TF's iterators have them.
    """
    return lambda dataset: _AssertNextDataset(dataset, transformations)


def model() -> Transformation:
    """A transformation after which TF finds out degrees of parallelism."""
    return lambda dataset: dataset_types._ModelDataset(dataset, AutotuneAlgorithm.HILL_CLIMB, 0)


def non_serializable() -> Transformation:
    """A transformation that TF's rewrites stop at."""
    return _NonSerializableDataset


def optimize(optimizations: Any = None) -> Transformation:
    """A transformation before which TF rewrites the pipeline.

    Args:
      optimizations: string [count]: the rewrites; TF's usual ones by default.
    """
    return lambda dataset: dataset_types._OptimizeDataset(dataset, optimizations)


class _AssertNextDataset(dataset_types.UnaryUnchangedStructureDataset):
    """See `assert_next`."""

    def __init__(self, input_dataset: dataset_ops.DatasetV2, transformations: Any):
        if transformations is None:
            raise ValueError("At least one transformation should be specified")
        self._transformations = ops.convert_to_tensor(
            transformations, dtype=dtypes.string, name="transformations"
        )
        self._input_dataset = input_dataset
        variant = raw_ops.AssertNextDataset(
            input_dataset._variant_tensor, self._transformations, **self._flat_structure
        )
        super().__init__(input_dataset, variant)


class _NonSerializableDataset(dataset_types.UnaryUnchangedStructureDataset):
    """See `non_serializable`."""

    def __init__(self, input_dataset: dataset_ops.DatasetV2):
        self._input_dataset = input_dataset
        variant = raw_ops.NonSerializableDataset(
            input_dataset._variant_tensor, **self._flat_structure
        )
        super().__init__(input_dataset, variant)


class _ChooseFastestDataset(dataset_ops.DatasetV2):
    """The fastest of datasets that all have the same elements.

    Args:
      datasets: the datasets.
      num_experiments: of how many elements the times are compared.
    """

    def __init__(self, datasets: Sequence[Any], num_experiments: int = 10):
        self._datasets = list(datasets)
        super().__init__(
            raw_ops.ChooseFastestDataset(
                [dataset._variant_tensor for dataset in self._datasets],
                num_experiments=num_experiments,
                **self._flat_structure,
            )
        )

    def _inputs(self) -> list[Any]:
        return self._datasets

    @property
    def element_spec(self) -> Any:
        return self._datasets[0].element_spec


class _ChooseFastestBranchDataset(dataset_types.UnaryDataset):
    """What the fastest of some functions makes of a dataset.

    Args:
      input_dataset: the dataset.
      functions: each takes a dataset and returns one; all return the same.
      ratio_numerator, ratio_denominator: so many elements they take for so many that they give.
      num_elements_per_branch: of how many elements the times are compared.

    Raises:
      ValueError: the ratio is not positive.
    """

    def __init__(
        self,
        input_dataset: dataset_ops.DatasetV2,
        functions: Sequence[Callable[[Any], Any]],
        ratio_numerator: int = 1,
        ratio_denominator: int = 1,
        num_elements_per_branch: int | None = None,
    ):
        recorded = [
            StructuredFunctionWrapper(
                function,
                "ChooseFastestV2",
                input_structure=DatasetSpec(input_dataset.element_spec),
            )
            for function in functions
        ]
        self._element_spec = recorded[0].output_structure._element_spec
        captured = [list(one.function.captured_inputs) for one in recorded]
        if ratio_numerator <= 0 or ratio_denominator <= 0:
            raise ValueError("ratio must be positive.")
        variant = raw_ops.ChooseFastestBranchDataset(
            input_dataset._variant_tensor,
            ratio_numerator=ratio_numerator,
            ratio_denominator=ratio_denominator,
            other_arguments=[tensor for tensors in captured for tensor in tensors],
            num_elements_per_branch=num_elements_per_branch or 10 * ratio_denominator,
            branches=[one.function for one in recorded],
            other_arguments_lengths=[len(tensors) for tensors in captured],
            **self._flat_structure,
        )
        super().__init__(input_dataset, variant)

    @property
    def element_spec(self) -> Any:
        return self._element_spec
