"""Examples that are read in step give what their messages give, or are left to them."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tf1compat.core import dtypes, errors
from tf1compat.core.own_protos import message
from tf1compat.kernels.io import example_columns
from tf1compat.kernels.io.parsing_examples import ParseExample, ParseSingleExample

LISTS = {"bytes_list": dtypes.string, "float_list": dtypes.float32, "int64_list": dtypes.int64}
INTS = [0, 1, 5, 127, 128, 300, -1, 2**63 - 1, -(2**63), 10**12]


def _values(rng, kind, count):
    if kind == "float_list":
        return [rng.uniform(-1e3, 1e3) for _ in range(count)]
    if kind == "int64_list":
        return [rng.choice(INTS) for _ in range(count)]
    return [rng.randbytes(rng.choice([0, 1, 3, 130, 200])) for _ in range(count)]


def _example(rng, features, regular):
    example = message("Example")()
    feature = example.features.feature
    for key, kind, count in rng.sample(features, len(features)):
        if not regular and rng.random() < 0.05:
            continue
        count = rng.choice([0, 1, 2, 5]) if count is None else count
        if rng.random() < 0.003:
            count += 1
        if rng.random() < 0.003:
            kind = rng.choice([*LISTS])
        getattr(feature[key], kind).value.extend(_values(rng, kind, count))
        if rng.random() < 0.02:
            feature[key].Clear()
        if rng.random() < 0.02:
            getattr(feature[key], kind).SetInParent()
    return example.SerializeToString()


def _damaged(rng, data):
    """Bytes of an example, rarely with a fault."""
    chance = rng.random()
    if chance < 0.01 and data:
        at = rng.randrange(len(data))
        return data[:at] + rng.randbytes(1) + data[at + 1 :]
    if chance < 0.015:
        return data[: rng.randrange(len(data) + 1)]
    return data + data if chance < 0.02 else data


def _asked(rng, features):
    sparse, dense = [], []
    for key, kind, count in rng.sample(features, rng.randrange(1, len(features) + 1)):
        dtype = LISTS[kind]
        missing = np.empty(0, dtype.as_numpy_dtype)
        if count is None or rng.random() < 0.3:
            if rng.random() < 0.5:
                sparse.append((key, dtype))
            else:
                dense.append((key, dtype, (None,), missing))
            continue
        default = np.array([b"none" if kind == "bytes_list" else 7] * count, missing.dtype)
        dense.append((key, dtype, (count,), default if rng.random() < 0.6 else missing))
    return sparse, dense


def _parsed(serialized, sparse, dense):
    keys = [np.array(key.encode(), object) for key, *_ in (*sparse, *dense)]
    return ParseExample.lower(
        np.array(serialized, object),
        np.empty(0, object),
        keys[: len(sparse)],
        keys[len(sparse) :],
        [default for *_, default in dense],
        sparse_types=[dtype for _, dtype in sparse],
        Tdense=[dtype for _, dtype, *_ in dense],
        dense_shapes=[shape for _, _, shape, _ in dense],
    )


def _parsed_singly(data, sparse, dense):
    return ParseSingleExample.lower(
        np.array(data, object),
        [default for *_, default in dense],
        sparse_keys=[key for key, _ in sparse],
        dense_keys=[key for key, *_ in dense],
        sparse_types=[dtype for _, dtype in sparse],
        Tdense=[dtype for _, dtype, *_ in dense],
        dense_shapes=[shape for _, _, shape, _ in dense],
    )


def _same(found, wanted):
    return len(found) == len(wanted) and all(
        x.dtype == y.dtype and x.shape == y.shape and x.tolist() == y.tolist()
        for x, y in zip(found, wanted)
    )


@pytest.mark.parametrize("seed", range(4))
def test_in_step_as_by_messages(seed, monkeypatch):
    rng = random.Random(seed)
    in_step = 0
    keys = ["a", "bb", "x", "name_of_a_feature", "é", "k" * 140]
    for turn in range(150):
        features = [
            (key, rng.choice([*LISTS]), rng.choice([None, 1, 2, 7]))
            for key in rng.sample(keys, rng.randrange(1, 5))
        ]
        serialized = [
            _damaged(rng, _example(rng, features, turn % 3)) for _ in range(rng.randrange(6, 14))
        ]
        sparse, dense = _asked(rng, features)
        found = example_columns.parsed(serialized, sparse, dense)
        singly = example_columns.parsed_singly(serialized, sparse, dense)
        assert (found is None) == (singly is None)
        if found is None or singly is None:
            continue
        in_step += 1
        with monkeypatch.context() as patch:
            patch.setattr(example_columns, "_WORTH_IT", 100)
            wanted = _parsed(serialized, sparse, dense)
        assert _same([*found[0], *found[1]], wanted)
        for i, data in enumerate(serialized):
            assert _same(
                [
                    column[i, ...] if isinstance(column, np.ndarray) else column[i]
                    for column in singly
                ],
                _parsed_singly(data, sparse, dense),
            )
    assert in_step > 80


def test_the_error_is_that_of_the_message():
    features = [("x", "float_list", 2)]
    good = [_example(random.Random(i), features, True) for i in range(9)]
    asked = [("x", dtypes.float32, (3,), np.empty(0, np.float32))]
    with pytest.raises(errors.InvalidArgumentError, match=r"Key: x, Index: 0\.  Number of float"):
        _parsed(good, [], asked)
    with pytest.raises(errors.InvalidArgumentError, match="Could not parse example input, value"):
        _parsed([*good, b"\x0a\x05nothing"], [], asked)
