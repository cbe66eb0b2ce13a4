"""`tensorflow.python.data.kernel_tests.test_base`: test cases of datasets."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import tensor_array_ops
from tf1compat.api.data.ops import dataset_ops
from tf1compat.api.data.util import nest, structure
from tf1compat.api.framework import combinations, test_util
from tf1compat.api.ragged import ragged_tensor
from tf1compat.core import dtypes, errors, ops
from tf1compat.core.sparse_tensor import is_sparse
from tf1compat.core.typing import DTypeLike, ShapeLike


def default_test_combinations() -> list[Any]:
    """Both modes, for both versions of the API."""
    return combinations.combine(tf_api_version=[1, 2], mode=["eager", "graph"])


class DatasetTestBase(test_util.TensorFlowTestCase):
    """A test case that compares the elements of datasets."""

    def assert_op_cancelled(self, op: Any) -> None:
        """A run of `op` is cancelled."""
        with self.assertRaises(errors.CancelledError):
            self.evaluate(op)

    def assertValuesEqual(self, expected: Any, actual: Any) -> None:
        """Two arrays or sparse values are equal."""
        if not is_sparse(expected):
            self.assertAllEqual(expected, actual)
            return
        for part in ("indices", "values", "dense_shape"):
            self.assertAllEqual(getattr(expected, part), getattr(actual, part))

    def getNext(
        self, dataset: Any, requires_initialization: bool = False, shared_name: str | None = None
    ) -> Callable[[], Any]:
        """What gives the dataset's next element, to be evaluated; TensorArrays are stacked.

        Args:
          dataset: the dataset.
          requires_initialization: whether a graph takes an initializable iterator.
          shared_name: its name, if it is shared between sessions.
        """
        if ops.executing_eagerly() or ops.get_default_graph().building_function:
            take = iter(dataset)._next_internal
        elif requires_initialization:
            iterator = dataset_ops.make_initializable_iterator(dataset, shared_name)
            self.evaluate(iterator.initializer)
            element = iterator.get_next()
            take = lambda: element  # noqa: E731
        else:
            element = dataset_ops.make_one_shot_iterator(dataset).get_next()
            take = lambda: element  # noqa: E731

        def next_element() -> Any:
            taken = take()
            return taken.stack() if isinstance(taken, tensor_array_ops.TensorArray) else taken

        return next_element

    def assertDatasetProduces(
        self,
        dataset: Any,
        expected_output: Sequence[Any] | None = None,
        expected_shapes: Any = None,
        expected_error: tuple[type[BaseException], Any] | None = None,
        requires_initialization: bool = False,
        num_test_iterations: int = 1,
        assert_items_equal: bool = False,
        expected_error_iter: int = 1,
    ) -> None:
        """A dataset has the elements that are expected, or fails as expected.

        Args:
          dataset: the dataset.
          expected_output: its elements.
          expected_shapes: their static shapes.
          expected_error: an exception class and a pattern or predicate for its text.
          requires_initialization: as for `getNext`.
          num_test_iterations: how often the dataset is gone through.
          assert_items_equal: whether elements may come in any order.
          expected_error_iter: after how many elements at most the error comes.
        """
        text = "Exactly one of expected_output or expected error should be provided."
        self.assertTrue(expected_error is not None or expected_output is not None, text)
        if expected_error:
            self.assertTrue(expected_output is None, text)
            with self.assertRaisesWithPredicateMatch(*expected_error):
                take = self.getNext(dataset, requires_initialization)
                for _ in range(expected_error_iter):
                    self.evaluate(take())
            return
        if expected_shapes:
            self.assertEqual(expected_shapes, dataset_ops.get_legacy_output_shapes(dataset))
        self.assertGreater(num_test_iterations, 0)
        assert expected_output is not None
        for _ in range(num_test_iterations):
            take = self.getNext(dataset, requires_initialization)
            result = [self.evaluate(take()) for _ in expected_output]
            self._compare(result, expected_output, assert_items_equal)
            for _ in range(2):  # It stays at its end.
                with self.assertRaises(errors.OutOfRangeError):
                    self.evaluate(take())

    def _compare(self, result: list[Any], expected: Sequence[Any], in_any_order: bool) -> None:
        if in_any_order:
            self.assertCountEqual(result, expected)
            return
        for found, wanted in zip(result, expected):
            nest.assert_same_structure(found, wanted)
            for a, b in zip(nest.flatten(found), nest.flatten(wanted)):
                self.assertValuesEqual(b, a)

    def assertDatasetsEqual(self, dataset1: Any, dataset2: Any) -> None:
        """Two datasets have the same elements, of compatible structures."""
        structures = [dataset_ops.get_structure(dataset) for dataset in (dataset1, dataset2)]
        self.assertTrue(structure.are_compatible(*structures))
        types = nest.flatten(dataset_ops.get_legacy_output_types(dataset1))
        take1, take2 = self.getNext(dataset1), self.getNext(dataset2)
        while True:
            try:
                element1 = nest.flatten(self.evaluate(take1()))
            except errors.OutOfRangeError:
                with self.assertRaises(errors.OutOfRangeError):
                    self.evaluate(take2())
                return
            element2 = nest.flatten(self.evaluate(take2()))
            self.assertEqual(len(element1), len(element2))
            for a, b, dtype in zip(element1, element2, types):
                if is_sparse(a) or ragged_tensor.is_ragged(a):
                    self.assertValuesEqual(a, b)
                elif dtype == dtypes.string:
                    self.assertAllEqual(a, b)
                else:
                    self.assertAllClose(a, b)

    def assertDatasetsRaiseSameError(
        self,
        dataset1: Any,
        dataset2: Any,
        exception_class: Any,
        replacements: Sequence[tuple[str, str, int]] | None = None,
    ) -> None:
        """The first elements of two datasets fail with the same text.

        Args:
          dataset1, dataset2: the datasets.
          exception_class: a subclass of `tf.errors.OpError`.
          replacements: (old, new, count): what is first replaced in the first one's text.
        """
        take1, take2 = self.getNext(dataset1), self.getNext(dataset2)
        try:
            self.evaluate(take1())
        except exception_class as error:
            message = error.message
        else:
            raise ValueError(
                f"Expected dataset to raise an error of type {exception_class!r}, but it did not."
            )
        for replacement in replacements or ():
            message = message.replace(*replacement)
        with self.assertRaisesRegex(exception_class, re.escape(message)):
            self.evaluate(take2())

    def structuredDataset(
        self,
        dataset_structure: Any,
        shape: ShapeLike | None = None,
        dtype: DTypeLike = dtypes.int64,
    ) -> Any:
        """A dataset of one element: zeros in tuples, as nested tuples of None say."""
        if dataset_structure is None:
            zeros = array_ops.zeros(shape or [], dtype=dtype)
            return dataset_ops.Dataset.from_tensors(zeros)
        parts = [self.structuredDataset(part, shape, dtype) for part in dataset_structure]
        return dataset_ops.Dataset.zip(tuple(parts))

    def structuredElement(
        self,
        element_structure: Any,
        shape: ShapeLike | None = None,
        dtype: DTypeLike = dtypes.int64,
    ) -> Any:
        """Zeros in tuples, as nested tuples of None say."""
        if element_structure is None:
            return array_ops.zeros(shape or [], dtype=dtype)
        return tuple(self.structuredElement(part, shape, dtype) for part in element_structure)
