"""Many examples that are read at once give what their messages give, or are left to them."""

from __future__ import annotations

import random
from typing import Any

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


def _read(serialized, sparse, dense):
    """Everything, read by a layout; None where that can't be."""
    values = example_columns.read(serialized, [one[:2] for one in (*sparse, *dense)])
    return None if values is None else example_columns.batch(values, sparse, dense)


def _singly(sparse, dense):
    """What parses one example, and what else it is given."""
    return ParseSingleExample, {
        "dense_defaults": [default for *_, default in dense],
        "sparse_keys": [key for key, _ in sparse],
        "dense_keys": [key for key, *_ in dense],
        "sparse_types": [dtype for _, dtype in sparse],
        "Tdense": [dtype for _, dtype, *_ in dense],
        "dense_shapes": [shape for _, _, shape, _ in dense],
    }


def _same(found, wanted):
    return len(found) == len(wanted) and all(
        x.dtype == y.dtype and x.shape == y.shape and x.tolist() == y.tolist()
        for x, y in zip(found, wanted)
    )


@pytest.mark.parametrize("seed", range(4))
def test_many_are_parsed_as_one_by_one(seed):
    rng = random.Random(seed)
    together = 0
    keys = ["a", "bb", "x", "name_of_a_feature", "é", "k" * 140]
    for turn in range(150):
        features = [
            (key, rng.choice([*LISTS]), rng.choice([None, 1, 2, 7]))
            for key in rng.sample(keys, rng.randrange(1, 5))
        ]
        count = rng.randrange(1, 10)
        serialized = [_damaged(rng, _example(rng, features, turn % 3)) for _ in range(count)]
        sparse, dense = _asked(rng, features)
        rule, given = _singly(sparse, dense)
        try:
            found = rule.stacked(np.array(serialized, object), **given)
        except errors.InvalidArgumentError:
            with pytest.raises(errors.InvalidArgumentError):
                for data in serialized:
                    rule.lower(np.array(data, object), **given)
            continue
        assert found is not None
        together += 1
        for i, data in enumerate(serialized):
            one = [x[i, ...] if isinstance(x, np.ndarray) else x[i] for x in found]
            assert _same(one, rule.lower(np.array(data, object), **given))
    assert together > 80


@pytest.mark.parametrize("seed", range(3))
def test_examples_of_one_length(seed, monkeypatch):
    """Those that differ in values alone, and those that only look like it."""
    rng = random.Random(seed)
    monkeypatch.setattr(example_columns, "_MOST_MISSES", 1000)
    for _ in range(60):
        swaps, other_kind, other_count = (rng.random() < 0.15 for _ in range(3))
        longest = rng.choice([1, 3, 10])
        serialized = []
        for i in range(8):
            lists: list[tuple[str, str, list[Any]]] = [
                ("é", "float_list", [rng.random() for _ in range(5)]),
                ("ints", "int64_list", [rng.randrange(128) for _ in range(4)]),
                ("empty", "int64_list", []),
                ("words", "bytes_list", [rng.randbytes(3), b"", rng.randbytes(4)]),
            ]
            low, high = {1: (0, 128), 3: (1 << 14, 1 << 21), 10: (-(1 << 63), 0)}[longest]
            lists[1][2][2] = rng.randrange(low, high)
            if other_kind and i == 5:
                lists[1] = "ints", "bytes_list", [rng.randbytes(longest + 1)]
            if other_count and i == 6:
                lists[3] = "words", "bytes_list", [rng.randbytes(5), rng.randbytes(4)]
            if swaps and i == 4:
                lists.reverse()
            parts = []
            for key, kind, values in lists:
                one = message("Example")()
                getattr(one.features.feature[key], kind).value.extend(values)
                getattr(one.features.feature[key], kind).SetInParent()
                parts.append(one.features.SerializeToString())
            inner = b"".join(parts)
            assert len(inner) < 128
            serialized.append(bytes([10, len(inner)]) + inner)
        sparse = [("ints", dtypes.int64), ("empty", dtypes.int64), ("none", dtypes.string)]
        dense = [
            ("é", dtypes.float32, (5,), np.empty(0, np.float32)),
            ("words", dtypes.string, (None,), np.empty(0, object)),
            ("nothing", dtypes.int64, (2,), np.array([3, 4])),
            ("empty", dtypes.int64, (None, 2), np.empty(0, np.int64)),
        ]
        found = _read(serialized, sparse, dense)
        if len(set(map(len, serialized))) > 1 or swaps or other_kind or other_count:
            assert found is None
            continue
        with monkeypatch.context() as patch:
            patch.setattr(example_columns, "_WORTH_IT", 100)
            assert found is not None
            assert _same([*found[0], *found[1]], _parsed(serialized, sparse, dense))


def test_the_error_is_that_of_the_message():
    features = [("x", "float_list", 2)]
    good = [_example(random.Random(i), features, True) for i in range(9)]
    asked = [("x", dtypes.float32, (3,), np.empty(0, np.float32))]
    with pytest.raises(errors.InvalidArgumentError, match=r"Key: x, Index: 0\.  Number of float"):
        _parsed(good, [], asked)
    with pytest.raises(errors.InvalidArgumentError, match="Could not parse example input, value"):
        _parsed([*good, b"\x0a\x05nothing"], [], asked)
