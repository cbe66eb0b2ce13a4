"""`…kernel_tests.serialization.dataset_serialization_test_base`: test cases of saved iterators.

A test gives a function that makes a dataset. Its elements are taken in pieces, each in a graph and
a session of its own, with a checkpoint of the iterator between them; together they are the elements
of an iterator that was never saved.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from tf1compat.api.data.experimental.ops import iterator_ops
from tf1compat.api.data.ops import dataset_ops
from tf1compat.api.framework import test_util
from tf1compat.api.lookup import lookup_ops
from tf1compat.api.platform import gfile
from tf1compat.api.ragged.ragged_tensor_value import RaggedTensorValue
from tf1compat.api.training import checkpoint_management, saver
from tf1compat.api.variables import variables
from tf1compat.core import dtypes, errors, nest, ops
from tf1compat.core.session_interface import SessionInterface
from tf1compat.core.sparse_tensor import SparseTensorValue

_COLLECTION = "iterator_ops"

MakesDataset = Callable[[], Any]


def remove_variants(get_next_op: Any) -> Any:
    """An element of which a session can fetch each part: variants become their operations."""

    def fetchable(part: Any) -> Any:
        is_variant = isinstance(part, ops.Tensor) and part.dtype == dtypes.variant
        return part.op if is_variant else part

    return nest.map_structure(fetchable, get_next_op)


class DatasetSerializationTestBase(test_util.TensorFlowTestCase):
    """A test case that saves and restores iterators."""

    def tearDown(self) -> None:
        self._delete_ckpt()
        super().tearDown()

    # What tests call.

    def run_core_tests(
        self, ds_fn: MakesDataset, num_outputs: int, sparse_tensors: bool = False
    ) -> None:
        """An iterator is saved and restored unused, used up, exhausted, on its way, and reset.

        Args:
          ds_fn: makes the dataset.
          num_outputs: how many elements it has.
          sparse_tensors: whether they are sparse.
        """
        for verify in (
            self.verify_unused_iterator,
            self.verify_fully_used_iterator,
            self.verify_exhausted_iterator,
            self.verify_multiple_breaks,
            self.verify_reset_restored_iterator,
        ):
            verify(ds_fn, num_outputs, sparse_tensors=sparse_tensors)

    def verify_unused_iterator(
        self,
        ds_fn: MakesDataset,
        num_outputs: int,
        sparse_tensors: bool = False,
        verify_exhausted: bool = True,
    ) -> None:
        """An iterator that is saved before its first element gives all of them."""
        self.verify_run_with_breaks(
            ds_fn, [0], num_outputs, sparse_tensors, verify_exhausted=verify_exhausted
        )

    def verify_fully_used_iterator(
        self, ds_fn: MakesDataset, num_outputs: int, sparse_tensors: bool = False
    ) -> None:
        """An iterator that is saved after its last element is at its end when it is restored."""
        self.verify_run_with_breaks(ds_fn, [num_outputs], num_outputs, sparse_tensors)

    def verify_exhausted_iterator(
        self, ds_fn: MakesDataset, num_outputs: int, sparse_tensors: bool = False
    ) -> None:
        """An iterator that is saved after it said so is at its end when it is restored."""
        self.gen_outputs(ds_fn, [], num_outputs, sparse_tensors=sparse_tensors)
        again = self.gen_outputs(ds_fn, [], 0, ckpt_saved=True, sparse_tensors=sparse_tensors)
        self.assertLen(again, 0)

    def verify_multiple_breaks(
        self,
        ds_fn: MakesDataset,
        num_outputs: int,
        num_breaks: int = 10,
        sparse_tensors: bool = False,
        verify_exhausted: bool = True,
    ) -> None:
        """An iterator that is saved `num_breaks` times gives what one that isn't gives."""
        self.verify_run_with_breaks(
            ds_fn,
            self.gen_break_points(num_outputs, num_breaks),
            num_outputs,
            sparse_tensors,
            verify_exhausted=verify_exhausted,
        )

    def verify_reset_restored_iterator(
        self,
        ds_fn: MakesDataset,
        num_outputs: int,
        break_point: int | None = None,
        sparse_tensors: bool = False,
        verify_exhausted: bool = True,
    ) -> None:
        """A restored iterator that is initialized begins at its first element."""
        if break_point is None:
            break_point = num_outputs // 2
        options = {"sparse_tensors": sparse_tensors, "verify_exhausted": verify_exhausted}
        expected = self.gen_outputs(ds_fn, [], num_outputs, **options)
        self.gen_outputs(
            ds_fn, [], break_point, sparse_tensors=sparse_tensors, verify_exhausted=False
        )
        with self._graph(ds_fn, True, sparse_tensors) as (init_op, get_next, loader, session):
            self._initialize(init_op, session)
            self._restore(loader, session)
            self._initialize(init_op, session)
            actual = [session.run(get_next) for _ in range(num_outputs)]
            if verify_exhausted:
                with self.assertRaises(errors.OutOfRangeError):
                    session.run(get_next)
        self.match(expected, actual)

    def verify_error_on_save(
        self,
        ds_fn: MakesDataset,
        num_outputs: int,
        error: Any,
        break_point: int | None = None,
        sparse_tensors: bool = False,
    ) -> None:
        """An iterator cannot be saved.

        Args:
          ds_fn: makes the dataset.
          num_outputs: how many elements it has.
          error: the class of the exception.
          break_point: after how many elements it is tried: by default the half.
          sparse_tensors: whether they are sparse.
        """
        if break_point is None:
            break_point = num_outputs // 2
        with self._graph(ds_fn, False, sparse_tensors) as (init_op, get_next, keeper, session):
            self._initialize(init_op, session)
            for _ in range(break_point):
                session.run(get_next)
            with self.assertRaises(error):
                self._save(session, keeper)

    def verify_run_with_breaks(
        self,
        ds_fn: MakesDataset,
        break_points: Sequence[int],
        num_outputs: int,
        sparse_tensors: bool = False,
        verify_exhausted: bool = True,
    ) -> None:
        """An iterator that is saved at these places gives what one that isn't gives."""
        options = {"sparse_tensors": sparse_tensors, "verify_exhausted": verify_exhausted}
        expected = self.gen_outputs(ds_fn, [], num_outputs, **options)
        actual = self.gen_outputs(ds_fn, break_points, num_outputs, **options)
        self.match(expected, actual)

    def gen_outputs(
        self,
        ds_fn: MakesDataset,
        break_points: Sequence[int],
        num_outputs: int,
        ckpt_saved: bool = False,
        sparse_tensors: bool = False,
        verify_exhausted: bool = True,
        save_checkpoint_at_end: bool = True,
    ) -> list[Any]:
        """The elements of an iterator that is saved and restored now and then.

        Args:
          ds_fn: makes the dataset.
          break_points: after how many elements the iterator is saved, and a new graph and session
            go on.
          num_outputs: how many elements are taken altogether.
          ckpt_saved: whether the first piece begins at a checkpoint that is there already.
          sparse_tensors: whether elements are sparse.
          verify_exhausted: whether nothing may follow the last one.
          save_checkpoint_at_end: whether the iterator is saved at the end too.
        """
        taken: list[Any] = []
        for end in [*break_points, num_outputs]:
            is_last = len(taken) >= num_outputs or end == num_outputs
            graph = self._graph(ds_fn, ckpt_saved, sparse_tensors)
            with graph as (init_op, get_next, keeper, session):
                self._initialize(init_op, session)
                if ckpt_saved:
                    self._restore(keeper, session)
                while len(taken) < end:
                    taken.append(session.run(get_next))
                if is_last and verify_exhausted:
                    with self.assertRaises(errors.OutOfRangeError):
                        session.run(get_next)
                if save_checkpoint_at_end or not is_last:
                    self._save(session, keeper)
                    ckpt_saved = True
        return taken

    def gen_break_points(self, num_outputs: int, num_samples: int = 10) -> Any:
        """Places from 0 to `num_outputs`, both included, that are equally far apart."""
        return np.linspace(0, num_outputs, num_samples, dtype=int)

    def match(self, expected: Any, actual: Any) -> None:
        """Two nested structures of arrays have the same shapes and values.

        Raises:
          AssertionError: they haven't.
        """
        if isinstance(expected, SparseTensorValue | RaggedTensorValue):
            self.assertIsInstance(actual, type(expected))
            parts = (
                ("indices", "values", "dense_shape")
                if isinstance(expected, SparseTensorValue)
                else ("values", "row_splits")
            )
            for part in parts:
                self.match(getattr(expected, part), getattr(actual, part))
        elif isinstance(expected, Mapping):
            self.assertIsInstance(actual, Mapping)
            self.assertEqual(set(expected), set(actual))
            for key, value in expected.items():
                self.match(value, actual[key])
        elif isinstance(expected, list | tuple):
            self.assertIsInstance(actual, list | tuple)
            self.assertEqual(len(expected), len(actual))
            for a, b in zip(expected, actual, strict=True):
                self.match(a, b)
        elif expected is None:
            self.assertIsNone(actual)
        else:
            self.assertEqual(np.shape(expected), np.shape(actual))
            self.assertAllEqual(expected, actual)

    def does_not_match(self, expected: Any, actual: Any) -> None:
        """Two nested structures differ."""
        with self.assertRaises(AssertionError):
            self.match(expected, actual)

    # Graphs, sessions and checkpoints.

    @contextmanager
    def _graph(
        self, ds_fn: MakesDataset, from_checkpoint: bool, sparse_tensors: bool
    ) -> Iterator[tuple[Any, Any, Any, SessionInterface]]:
        """A graph of an iterator, made by its function or from the MetaGraph beside a checkpoint.

        Yields:
          Its initializer, its next element, a saver of it and a session.
        """
        with ops.Graph().as_default() as graph:
            if from_checkpoint:
                keeper = self._import_meta_graph()
                found = self._get_iterator_ops_from_collection(ds_fn, sparse_tensors)
                init_op, get_next = found
            else:
                init_op, get_next, keeper = self._build_graph(ds_fn, sparse_tensors)
            with self.session(graph=graph) as session:
                yield init_op, remove_variants(get_next), keeper, session

    def _build_graph(self, ds_fn: MakesDataset, sparse_tensors: bool = False) -> Any:
        iterator = dataset_ops.make_initializable_iterator(ds_fn())
        saveable = iterator_ops.make_saveable_from_iterator(iterator)
        ops.add_to_collection(ops.GraphKeys.SAVEABLE_OBJECTS, saveable)
        init_op, get_next = iterator.initializer, iterator.get_next()
        self._add_iterator_ops_to_collection(init_op, get_next, ds_fn, sparse_tensors)
        return init_op, get_next, saver.Saver(allow_empty=True)

    def _add_iterator_ops_to_collection(
        self, init_op: Any, get_next: Any, ds_fn: MakesDataset, sparse_tensors: bool = False
    ) -> None:
        for part in [init_op, *nest.flatten(get_next, expand_composites=True)]:
            ops.add_to_collection(_COLLECTION, part)

    def _get_iterator_ops_from_collection(
        self, ds_fn: MakesDataset, sparse_tensors: bool = False
    ) -> Any:
        init_op, *parts = ops.get_collection(_COLLECTION)
        structure = self._of_dataset(ds_fn, dataset_ops.get_structure)
        return init_op, nest.pack_sequence_as(structure, parts, expand_composites=True)

    def _import_meta_graph(self) -> Any:
        return saver.import_meta_graph(self._ckpt_path() + ".meta")

    def _of_dataset(self, ds_fn: MakesDataset, read: Callable[[Any], Any]) -> Any:
        """What a function reads off the dataset, in a graph that is thrown away."""
        with ops.Graph().as_default():
            return read(ds_fn())

    def _get_output_types(self, ds_fn: MakesDataset) -> Any:
        return self._of_dataset(ds_fn, dataset_ops.get_legacy_output_types)

    def _get_output_shapes(self, ds_fn: MakesDataset) -> Any:
        return self._of_dataset(ds_fn, dataset_ops.get_legacy_output_shapes)

    def _get_output_classes(self, ds_fn: MakesDataset) -> Any:
        return self._of_dataset(ds_fn, dataset_ops.get_legacy_output_classes)

    def _initialize(self, init_op: Any, sess: Any) -> None:
        sess.run(variables.global_variables_initializer())
        sess.run(lookup_ops.tables_initializer())
        sess.run(init_op)

    def _save(self, sess: Any, saver: Any) -> None:
        saver.save(sess, self._ckpt_path())

    def _restore(self, saver: Any, sess: Any) -> None:
        sess.run(lookup_ops.tables_initializer())
        saver.restore(sess, self._latest_ckpt())

    def _ckpt_path(self) -> str:
        return os.path.join(self.get_temp_dir(), "iterator")

    def _latest_ckpt(self) -> str:
        found = checkpoint_management.latest_checkpoint(self.get_temp_dir())
        self.assertIsNotNone(found, "nothing has been saved")
        assert found is not None
        return found

    def _delete_ckpt(self) -> None:
        for path in gfile.Glob(self._ckpt_path() + "*"):
            gfile.Remove(path)
