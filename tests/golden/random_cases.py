"""Draws of TF 1.15's random ops, as rows: read by the recorder under TF and by the tests.

Standard library and NumPy alone, since the recorder runs under Python 3.7.
"""

import collections
import itertools

import numpy as np

# op: op type.  inputs: name -> array, in the op def's order.  attrs: of the op, dtypes by name.
# seeds: (graph seed, op seed), or None for the Stateless* ops.  digest: record a digest, not the
# numbers.
Row = collections.namedtuple("Row", "op inputs attrs seeds digest")

RUNS = 2  # draws recorded of each row, in one session
SEEDS = ((0, 9), (87654321, 5), (2**40 + 17, 2**35 + 3))
FLOATS = ("float16", "bfloat16", "float32", "float64")
FILLS = ("RandomUniform", "RandomStandardNormal", "TruncatedNormal")


def _fills():
    sizes = ([1], [2, 3], [7, 11])
    for op, dtype, (seeds, shape) in itertools.product(FILLS, FLOATS, zip(SEEDS, sizes)):
        yield Row(op, {"shape": np.array(shape, np.int32)}, {"dtype": dtype}, seeds, False)
    for op in FILLS:
        # Several pieces of a truncated normal; a counter that passes 2**32.
        shape = np.array([300001], np.int64)
        yield Row(op, {"shape": shape}, {"dtype": "float32"}, (3, 4), True)
    for op in FILLS[:1]:
        shape = np.array([2**24 + 5], np.int64)
        yield Row(op, {"shape": shape}, {"dtype": "float16"}, (3, 4), True)


def _integers():
    bounds = {"int32": ((0, 10), (-5, 7), (-(2**31), 2**31 - 1)), "int64": ((-5, 10**12), (0, 3))}
    for dtype, ranges in bounds.items():
        for low, high in ranges:
            shape = {"shape": np.array([5, 3], np.int32)}
            seed = {"seed": np.array([1, 2], np.int64)}
            ends = {"minval": np.array(low, dtype), "maxval": np.array(high, dtype)}
            yield Row("RandomUniformInt", {**shape, **ends}, {}, (3, 4), False)
            yield Row("StatelessRandomUniformInt", {**shape, **seed, **ends}, {}, None, False)


def _stateless():
    shape = np.array([9], np.int32)
    for seed, kind in itertools.product(([1, 2], [-5, 2**31 - 1]), ("int32", "int64")):
        inputs = {"shape": shape, "seed": np.array(seed, kind)}
        for op in ("StatelessRandomUniform", "StatelessRandomNormal", "StatelessTruncatedNormal"):
            for dtype in FLOATS if kind == "int64" else ("float32",):
                yield Row(op, inputs, {"dtype": dtype}, None, False)


def _parameters():
    shape = np.array([20], np.int32)
    for dtype in ("float16", "float32", "float64"):
        alpha = np.array([[0.3, 1.0, 2.5, 50.0]], dtype)
        yield Row("RandomGamma", {"shape": shape, "alpha": alpha}, {}, (3, 4), False)
    rates = [0.0, 0.3, 3.0, 9.99, 10.0, 50.0, 1000.0]
    for dtype, out in (("float32", "int32"), ("float64", "float16"), ("float64", "int64")):
        inputs = {"shape": shape, "rate": np.array(rates, dtype)}
        yield Row("RandomPoissonV2", inputs, {"dtype": out}, (3, 4), False)
    logits = np.log(np.linspace(0.1, 1, 35).reshape(5, 7)).astype(np.float32)
    logits[0, 0], logits[1, 2] = -np.inf, np.nan
    for samples, out in ((1, "int64"), (3, "int32"), (50, "int64")):
        inputs = {"logits": logits, "num_samples": np.array(samples, np.int32)}
        yield Row("Multinomial", inputs, {"output_dtype": out}, (3, 4), False)
        inputs = dict(inputs, seed=np.array([1, 2], np.int64))
        yield Row("StatelessMultinomial", inputs, {"output_dtype": out}, None, False)
    for value in (np.arange(2), np.arange(10), np.arange(1000), np.arange(20.0).reshape(10, 2)):
        yield Row("RandomShuffle", {"value": value}, {}, (3, 4), False)
    names = ("means", "stdevs", "minvals", "maxvals")
    inf = np.inf
    bounds = {
        "within": ([20, 3], (0.0, 1.0, -2.0, 2.0)),
        "tail": ([230], (0.0, 1.0, 3.0, inf)),
        "flipped": ([50], (1.0, 2.0, -inf, -5.0)),
        "narrow": ([50], (0.0, 1.0, 0.5, 0.6)),
        "narrow_tail": ([50], (0.0, 1.0, 4.0, 4.3)),
        "rows": ([3, 31], ([0.0, 2.0, 3.0], 1.0, [-1.0, 2.5, 6.0], [1.0, inf, 9.0])),
    }
    for dtype, (sizes, values) in itertools.product(("float32", "float64"), bounds.values()):
        inputs = {"shape": np.array(sizes, np.int32)}
        inputs.update((name, np.array(value, dtype)) for name, value in zip(names, values))
        yield Row("ParameterizedTruncatedNormal", inputs, {}, (3, 4), False)


def rows():
    """All rows, by a name of their own."""
    named = {}
    for row in itertools.chain(_fills(), _integers(), _stateless(), _parameters()):
        kinds = {value.dtype.name: None for value in row.inputs.values()}
        texts = [_text(value) for value in row.inputs.values()]
        name = "-".join([row.op, *row.attrs.values(), *kinds, *texts])
        assert name not in named, name
        named[name] = row
    return named


def _text(value):
    few = value.size <= 4
    text = "x".join(map(str, value.ravel().tolist() if few else value.shape))
    return text if few else "[%s]" % text
