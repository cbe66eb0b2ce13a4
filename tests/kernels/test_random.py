"""The random ops' lowerings against TF 1.15's draws, and their shape functions."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import random_cases
from random_goldens import GOLDENS, ROWS, digest, plain

import tf1compat.kernels.random.random  # noqa: F401
from tf1compat.core import context, dtypes, errors, op_registry, raw_ops, tensor_shape
from tf1compat.core.graph import Graph

# What is exact in float32 and below; float64 goes through XLA's own log, sin and cos.
EXACT = {*random_cases.FILLS, "StatelessRandomUniform", "StatelessRandomNormal"}
EXACT |= {"StatelessTruncatedNormal", "RandomUniformInt", "StatelessRandomUniformInt"}
EXACT |= {"Multinomial", "StatelessMultinomial", "RandomPoissonV2", "RandomShuffle"}

pytestmark = pytest.mark.usefixtures("optimized_little")


class Run:
    """The run-time services of a lowering, as the interpreter offers them."""

    def __init__(self, key, counter):
        self._state = key, counter
        self.reserved = 0
        self.failures = []

    def rng(self, reserve_128):
        self.reserved += reserve_128
        return self._state

    def check(self, holds, error_class, template, **values):
        if isinstance(holds, bool | np.bool_ | np.ndarray):
            if not np.all(holds):
                raise error_class(None, None, template)
            return
        self.failures.append((jnp.logical_not(holds), error_class, template))


def words(value, count):
    return np.array([value >> 32 * i & 0xFFFFFFFF for i in range(count)], np.uint32)


def draw(row):
    """What the row's lowering gives in each run, under jit: its values, [runs, ...]."""
    spec = op_registry.spec(row.op)
    assert spec.random == (row.seeds is not None)
    rule = spec.lower
    attrs = {name: getattr(dtypes, value) for name, value in row.attrs.items()}
    inputs = list(row.inputs.values())
    traced = [i for i in range(len(inputs)) if i not in spec.const]
    reserved = []

    @jax.jit
    def run(key, counter, *values):
        args = list(inputs)
        for i, value in zip(traced, values):
            args[i] = value
        context = Run(key, counter)
        keywords = {name: attrs[name] for name in rule.attrs if name in attrs}
        if "dtype" in rule.attrs and "dtype" not in attrs:
            keywords["dtype"] = dtypes.as_dtype(args[-1].dtype)
        if "ctx" in rule.services:
            keywords["ctx"] = context
        result = rule.function(*args, **keywords)
        reserved.append(context.reserved)
        return result, [failed for failed, *_ in context.failures]

    seed, op_seed = row.seeds or (0, 0)
    counter = op_seed << 64
    drawn = []
    for _ in range(random_cases.RUNS):
        values = [inputs[i] for i in traced]
        value, failed = run(words(seed, 2), words(counter, 4), *values)
        assert not any(map(bool, failed))
        drawn.append(plain(value))
        counter += reserved[0]
    return np.stack(drawn)


@pytest.mark.parametrize("name", ROWS)
def test_draws(name):
    row, golden = ROWS[name], GOLDENS[name]
    with jax.enable_x64(True):
        values = draw(row)
    if row.digest:
        assert digest(values) == str(golden)
        return
    assert values.dtype == golden.dtype
    if row.op in EXACT and values.dtype != np.float64:
        np.testing.assert_array_equal(values, golden)
    else:
        # An ulp of a gamma's uniform grows with the power 1/alpha that it is raised to.
        ulps = 64 if row.op == "RandomGamma" else 4
        np.testing.assert_allclose(values, golden, rtol=ulps * np.finfo(golden.dtype).eps)


def record(op_type, *inputs, **attrs):
    """Records an op; a list input stands for a placeholder of that shape."""
    tensors = []
    for value in inputs:
        if isinstance(value, tuple):
            dtype, shape = value
            attrs_ = {"dtype": dtype, "shape": tensor_shape.as_shape(shape)}
            graph = context.default_graph()
            value = graph.create_op("Placeholder", [], [dtype], attrs=attrs_).outputs[0]
        tensors.append(value)
    return getattr(raw_ops, op_type)(*tensors, **attrs)


F32, I32, I64 = dtypes.float32, dtypes.int32, dtypes.int64
MATRIX = np.zeros((1, 2), np.float32)


@pytest.mark.parametrize(
    "op_type, inputs, attrs, expected",
    [
        ("RandomUniform", [[2, 3]], {"dtype": F32}, (2, 3)),
        ("RandomUniform", [(I32, [2])], {"dtype": F32}, (None, None)),
        ("RandomUniform", [(I32, None)], {"dtype": F32}, None),
        ("RandomUniform", [[-1]], {"dtype": F32}, (None,)),
        ("RandomUniformInt", [[0], 5, 5], {}, (0,)),
        ("TruncatedNormal", [np.array([3])], {"dtype": F32}, (3,)),
        ("RandomShuffle", [(I32, [None, 3])], {}, (None, 3)),
        ("Multinomial", [MATRIX, 0], {}, (1, 0)),
        ("Multinomial", [(F32, [None, 3]), (I32, [])], {}, (None, None)),
        ("RandomGamma", [[3], MATRIX], {}, (3, 1, 2)),
        ("RandomPoissonV2", [[3], (F32, [None])], {}, (3, None)),
        ("ParameterizedTruncatedNormal", [[3, 3], [0.0], 1.0, -1.0, 1.0], {}, (3, 3)),
        ("StatelessRandomUniform", [[3], (I64, [None])], {}, (3,)),
        ("StatelessMultinomial", [MATRIX, 3, [1, 2]], {}, (1, 3)),
        ("RandomGammaGrad", [[1.0, 2.0], [[1.0], [3.0]]], {}, (2, 2)),
    ],
)
def test_static_shapes(op_type, inputs, attrs, expected):
    with Graph().as_default():
        assert record(op_type, *inputs, **attrs)._shape == expected


@pytest.mark.parametrize(
    "op_type, inputs, attrs, text",
    [
        (
            "RandomUniform",
            [3],
            {"dtype": F32},
            "Shape must be rank 1 but is rank 0 for 'RandomUniform' (op: 'RandomUniform') "
            "with input shapes: [].",
        ),
        ("RandomUniform", [[-3]], {"dtype": F32}, "Invalid value in tensor used for shape: -3"),
        (
            "RandomUniformInt",
            [[3], [5], 9],
            {},
            "Shape must be rank 0 but is rank 1 for 'RandomUniformInt' (op: 'RandomUniformInt') "
            "with input shapes: [1], [1], [].",
        ),
        (
            "Multinomial",
            [MATRIX, -3],
            {},
            "Dimension size, given by scalar input 1, must be non-negative but is -3 for "
            "'Multinomial' (op: 'Multinomial') with input shapes: [1,2], [] and with computed "
            "input tensors: input[1] = <-3>.",
        ),
        (
            "ParameterizedTruncatedNormal",
            [[3, 3], [[0.0]], 1.0, -1.0, 1.0],
            {},
            "Shape must be at most rank 1 but is rank 2 for 'ParameterizedTruncatedNormal' (op: "
            "'ParameterizedTruncatedNormal') with input shapes: [2], [1,1], [], [], [].",
        ),
        (
            "StatelessRandomUniform",
            [[3], [1, 2, 3]],
            {},
            "Dimension must be 2 but is 3 for 'StatelessRandomUniform' (op: "
            "'StatelessRandomUniform') with input shapes: [1], [3].",
        ),
    ],
)
def test_refused_shapes(op_type, inputs, attrs, text):
    with Graph().as_default(), pytest.raises(ValueError) as caught:
        record(op_type, *inputs, **attrs)
    assert str(caught.value) == text


def _run(op_type, *inputs, **attrs):
    """Runs a lowering by itself; raises what it checks for."""
    rule = op_registry.spec(op_type).lower
    run = Run(np.zeros(2, np.uint32), np.zeros(4, np.uint32))
    with jax.enable_x64(True):
        value = rule.function(*map(np.asarray, inputs), ctx=run, **attrs)
    for failed, error_class, template in run.failures:
        if failed:
            raise error_class(None, None, template)
    return value


def _parameters(*values):
    return [np.array(value, np.float32) for value in values]


@pytest.mark.parametrize(
    "op_type, inputs, attrs, text",
    [
        ("RandomUniformInt", [[3], 5, 5], {}, "Need minval < maxval, got {low} >= {high}"),
        ("RandomUniform", [[-1]], {"dtype": F32}, "Dimension -1 must be >= 0"),
        (
            "Multinomial",
            [MATRIX[:, :0], 2],
            {"output_dtype": I64},
            "num_classes should be positive, got 0",
        ),
        (
            "ParameterizedTruncatedNormal",
            [[3], *_parameters(0, -1, -1, 1)],
            {"dtype": F32},
            "Invalid parameters",
        ),
        (
            "ParameterizedTruncatedNormal",
            [[3, 3], *_parameters([0, 1], 1, -1, 1)],
            {"dtype": F32},
            "Input means should have length 1 or shape[0], got shape: [2]",
        ),
    ],
)
def test_run_time_checks(op_type, inputs, attrs, text):
    with pytest.raises(errors.InvalidArgumentError) as caught:
        _run(op_type, *inputs, **attrs)
    assert caught.value.message == text


def test_an_empty_range_is_no_error_for_an_empty_result():
    assert _run("RandomUniformInt", [0], 5, 5).shape == (0,)


def test_gamma_of_negative_alpha_is_nan():
    drawn = _run("RandomGamma", [3], np.array([-1.0, 2.0]))
    assert np.isnan(drawn).tolist() == [[True, False]] * 3
