"""`tensorflow.python.keras.layers.preprocessing.preprocessing_test_utils`.

A combiner gathers what a layer learns of its data: `compute` makes an accumulator of some of them,
or adds them to one, `merge` makes one of several, and `extract` gives what is to be learned.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tf1compat.api.framework import test_util


class PreprocessingLayerTest(test_util.TensorFlowTestCase):
    """Tests of combiners."""

    def assertAllCloseOrEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        """Numbers are near each other, all else is equal, in structures of arrays."""
        if isinstance(a, Mapping):
            self.assertEqual(len(a), len(b))
            for key in a:
                self.assertAllCloseOrEqual(a[key], b[key], f"{msg} ({key})" if msg else None)
        elif isinstance(a, list | tuple):
            self.assertEqual(len(a), len(b))
            for one, other in zip(a, b, strict=True):
                self.assertAllCloseOrEqual(one, other, msg)
        elif np.issubdtype(a.dtype, np.number):
            self.assertAllClose(a, b, msg=msg)
        else:
            self.assertAllEqual(a, b, msg=msg)

    def assert_extracted_output_equal(
        self, combiner: Any, acc1: Any, acc2: Any, msg: str | None = None
    ) -> None:
        """The same is extracted of two accumulators."""
        one, other = (combiner.extract(accumulator) for accumulator in (acc1, acc2))
        self.assertAllCloseOrEqual(one, other, msg=msg)

    def validate_accumulator_computation(self, combiner: Any, data: Any, expected: Any) -> None:
        """However data are divided, computed and merged, the accumulator is the same.

        Args:
          combiner: the combiner.
          data: at least four elements.
          expected: the accumulator.
        """
        if len(data) < 4:
            raise AssertionError("Data must have at least 4 elements.")
        compute, merge = combiner.compute, combiner.merge
        first, second, others = (np.array(part) for part in (data[:1], data[1:2], data[2:]))
        a, b, c = compute(first), compute(second), compute(others)
        merged = merge([a, b, c])
        ways = {
            "Sharding data": compute(data),
            "The order of merge arguments": merge([compute(p) for p in (second, others, first)]),
            "Nesting merge arguments": merge(
                [compute(second), merge([compute(others), compute(first)])]
            ),
            "Nesting compute arguments": compute(first, compute(second, compute(others))),
            "Mixing merge and compute calls": merge(
                [compute(first), compute(second, compute(others))]
            ),
        }
        for way, accumulator in ways.items():
            self.assertAllCloseOrEqual(
                merged, accumulator, msg=f"{way} should not change the data output."
            )
        self.assertAllCloseOrEqual(expected, merged)

    def validate_accumulator_extract(self, combiner: Any, data: Any, expected: Any) -> None:
        """What is extracted of all data is what is expected."""
        self.assertAllCloseOrEqual(expected, combiner.extract(combiner.compute(data)))

    def validate_accumulator_extract_and_restore(
        self, combiner: Any, data: Any, expected: Any
    ) -> None:
        """An accumulator that is restored of what was extracted has the same to extract."""
        before = combiner.compute(data)
        after = combiner.restore(combiner.extract(before))
        self.assert_extracted_output_equal(combiner, before, after)
        self.assertAllCloseOrEqual(expected, combiner.extract(after))

    def validate_accumulator_serialize_and_deserialize(
        self, combiner: Any, data: Any, expected: Any
    ) -> None:
        """An accumulator that was made bytes and back is the same; `expected` is not looked at."""
        before = combiner.compute(data)
        after = combiner.deserialize(combiner.serialize(before))
        self.assertAllCloseOrEqual(before, after)

    def validate_accumulator_uniqueness(self, combiner: Any, data: Any) -> None:
        """Each call of `compute` makes an accumulator of its own."""
        one, other = combiner.compute(data), combiner.compute(data)
        self.assertIsNot(one, other)
        self.assertAllCloseOrEqual(one, other)
