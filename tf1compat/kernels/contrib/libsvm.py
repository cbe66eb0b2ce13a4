"""Lines of LIBSVM's text format: a label, then features as `index:value`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.core import dtypes
from tf1compat.core.op_registry import Shape, op
from tf1compat.kernels.text.regex import decode
from tf1compat.kernels.text.string import invalid, parse_number


def _features(pieces: list[bytes], dtype: Any) -> list[tuple[int, Any]]:
    found = []
    for piece in pieces:
        index, colon, value = piece.partition(b":")
        if not colon:
            raise invalid(f'Invalid feature "{decode(piece)}"')
        place = parse_number(index, dtypes.int64)
        if place is None:
            raise invalid(f"Feature format incorrect: {decode(piece)}")
        if place < 0:
            raise invalid(f"Feature index should be >= 0, got {place}")
        number = parse_number(value, dtype)
        if number is None:
            raise invalid(f"Feature format incorrect: {decode(piece)}")
        found.append((place, number))
    return found


@op("DecodeLibsvm", host=True)
class DecodeLibsvm:
    def shape(input: Any) -> list[Shape]:
        return [input, (None, None), (None,), (None,)]

    def lower(input: Any, *, dtype: Any, label_dtype: Any, num_features: int) -> Any:
        labels, indices, values = [], [], []
        for place, line in zip(np.ndindex(input.shape), input.ravel(), strict=True):
            pieces = line.split()
            if not pieces:
                row = np.ravel_multi_index(place, input.shape) if place else 0
                raise invalid(f'No label found for input[{row}]: "{decode(line)}"')
            label = parse_number(pieces[0], label_dtype)
            if label is None:
                raise invalid(f"Label format incorrect: {decode(pieces[0])}")
            labels.append(label)
            for index, value in _features(pieces[1:], dtype):
                indices.append((*place, index))
                values.append(value)
        rank = input.ndim + 1
        return [
            np.array(labels, label_dtype.as_numpy_dtype).reshape(input.shape),
            np.array(indices, np.int64).reshape(-1, rank),
            np.array(values, dtype.as_numpy_dtype),
            np.array([*input.shape, num_features], np.int64),
        ]
