"""Test cases of datasets that TensorFlow's package holds for others to derive from."""

import gzip
import os
import unittest
import zlib

import tensorflow as tf
from tensorflow.python.data.experimental.kernel_tests import reader_dataset_ops_test_base as readers
from tensorflow.python.data.experimental.kernel_tests.serialization import (
    dataset_serialization_test_base as serialization,
)
from tensorflow.python.data.experimental.ops import optimization
from tensorflow.python.data.kernel_tests import test_base

Dataset = tf.data.Dataset


def contents(paths):
    return [(os.path.basename(path), open(path, "rb").read()) for path in paths]


class FixedLengths(readers.FixedLengthRecordDatasetTestBase):
    def test(self):
        print([self._record(f, r) for f in range(2) for r in (0, 3)])
        print(contents(self._createFiles()))
        dataset = tf.data.FixedLengthRecordDataset(
            self._createFiles(), self._record_bytes, self._header_bytes, self._footer_bytes
        )
        records = [self._record(f, r) for f in range(2) for r in range(self._num_records)]
        self.assertDatasetProduces(dataset, records)


class Lines(readers.TextLineDatasetTestBase):
    def test(self):
        print(self._lineText(1, 2))
        for crlf in (False, True):
            print(contents(self._createFiles(2, 3, crlf)))
        print(gzip.open(self._createFiles(1, 2, compression_type="GZIP")[0]).read())
        print(zlib.decompress(contents(self._createFiles(1, 2, True, "ZLIB"))[0][1]))
        with self.assertRaises(ValueError):
            self._createFiles(1, 1, compression_type="LZ")


class Records(readers.TFRecordDatasetTestBase):
    def test(self):
        print([os.path.basename(path) for path in self.test_filenames], self._record(1, 2))
        for arguments in (
            ([0, 1], 5, 1, 1, False, False),
            ([0], 3, 2, 1, True, True),
            ([0, 1], 4, 1, 2, True, False),
        ):
            print([list(batch) for batch in self._next_expected_batch(*arguments)])
        print(list(self._interleave([iter([1, 2, 3]), iter([4]), iter([5, 6])], 2)))

    def test_reads(self):
        for index in (0, None):
            files = self.test_filenames if index is None else self.test_filenames[index : index + 1]
            take = self.getNext(tf.data.TFRecordDataset(files).repeat(2).batch(3))
            self._verify_records(take, 3, index, 2, 1, False, False)
            with self.assertRaises(tf.errors.OutOfRangeError):
                self.evaluate(take())


class Examples(readers.MakeBatchedFeaturesDatasetTestBase):
    def test(self):
        print([self._get_keywords(1, r) for r in range(2)], self._sum_keywords(2))
        example = tf.train.Example.FromString(self._record(1, 2, "fake-label"))
        print(sorted(example.features.feature), len(self.test_filenames))
        for arguments in (([0, 1], 5, 1), ([1], 3, 2), ([0, 1], 4, 1, 2)):
            for batch in self._next_expected_batch(*arguments):
                print([[list(x) if hasattr(x, "__len__") and not isinstance(x, bytes) else x
                        for x in part] for part in batch])  # fmt: skip

    def test_reads(self):
        for label in (None, "label"):
            for index in (0, None):
                files = self.test_filenames if index is None else self.test_filenames[index]
                with tf.Graph().as_default(), self.session():
                    self.outputs = self.getNext(
                        self.make_batch_feature(files, num_epochs=2, batch_size=3, label_key=label)
                    )
                    self.verify_records(3, index, 2, label is not None)
                    with self.assertRaises(tf.errors.OutOfRangeError):
                        self._next_actual_batch(label is not None)


class Rewrites(test_base.DatasetTestBase):
    """What comes after a step, in the function of a one-shot iterator."""

    def asserted(self, names, make, **options):
        dataset = make(Dataset.range(6).apply(optimization.assert_next(names)))
        chosen = tf.data.Options()
        chosen.experimental_optimization.apply_default_optimizations = False
        for name, value in options.items():
            setattr(chosen.experimental_optimization, name, value)
        take = self.getNext(dataset.with_options(chosen))
        try:
            print(names, self.evaluate(take()))
        except tf.errors.InvalidArgumentError as error:
            print(error.message.split("\n")[0].split("}} ")[-1])

    def test(self):
        two_maps = lambda d: d.map(lambda x: x + 1).map(lambda x: x * 2)  # noqa: E731
        self.asserted(["Map", "Map"], two_maps)
        self.asserted(["Map", "MemoryCacheImpl"], lambda d: two_maps(d).cache(), map_fusion=True)
        self.asserted(["Other"], two_maps)
        self.asserted(["Map", "Map", "Other", "Another"], two_maps)
        self.asserted(["MapAndBatch"], lambda d: d.map(lambda x: x).batch(2),
                      map_and_batch_fusion=True)  # fmt: skip
        self.asserted(["FiniteRepeat", "FiniteSkip"], lambda d: d.take(-1).repeat(2).skip(1),
                      noop_elimination=True)  # fmt: skip


def unlike():
    """Another dataset each time."""
    unlike.count += 1
    return Dataset.range(unlike.count, unlike.count + 3)


unlike.count = 0


class Saved(serialization.DatasetSerializationTestBase):
    def test_core(self):
        self.run_core_tests(lambda: Dataset.range(10).shuffle(5, seed=3).repeat(2).batch(3), 7)
        self.run_core_tests(lambda: Dataset.range(5).map(lambda x: {"a": x, "b": (x, x)}), 5)

    def test_others(self):
        print(list(self.gen_break_points(10, 4)))
        self.match({"a": [1, (2, [3.0])]}, {"a": [1, (2, [3.0])]})
        for pair in (([1], [2]), ([1, 2], [1]), ({"a": 1}, {"b": 1}), ([[1]], [1])):
            self.does_not_match(*pair)
        with self.assertRaises(AssertionError):
            self.does_not_match([1], [1])
        with self.assertRaises(AssertionError):
            self.verify_unused_iterator(unlike, 3)
        with self.assertRaises(AssertionError):  # there are more
            self.verify_run_with_breaks(lambda: Dataset.range(4), [1], 3)
        random = lambda: Dataset.range(4).map(lambda x: tf.random_normal([]))  # noqa: E731
        self.verify_error_on_save(random, 4, tf.errors.FailedPreconditionError)
        with self.assertRaises(AssertionError):
            self.verify_error_on_save(
                lambda: Dataset.range(4), 4, tf.errors.FailedPreconditionError
            )

    def test_in_pieces(self):
        make = lambda: Dataset.range(9)  # noqa: E731
        first = self.gen_outputs(make, [2], 5, verify_exhausted=False)
        rest = self.gen_outputs(make, [], 4, ckpt_saved=True)
        print([int(x) for x in first], [int(x) for x in rest])


tests = unittest.TestSuite()
for case in (FixedLengths, Lines, Records, Examples, Rewrites, Saved):
    names = sorted(name for name in dir(case) if name == "test" or name.startswith("test_"))
    tests.addTests(case(name) for name in names if name not in ("test_session", "test_filenames"))
result = unittest.TextTestRunner(stream=open(os.devnull, "w")).run(tests)
for case, text in result.failures + result.errors:
    print(case.id(), text.strip().split("\n")[-1])
print(result.testsRun, result.wasSuccessful())
