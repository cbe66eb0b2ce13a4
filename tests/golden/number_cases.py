# ruff: noqa: E501 -- a table
"""Delicate numbers: what every elementwise, reducing, gathering, scattering and casting op type
makes of NaN, infinities, denormals, the ends of the integers, division by zero, shifts beyond the
width, indices out of range, and empty arrays.

Runs under the real TensorFlow 1.15 (Python 3.7) as well as under this project's Python.
`cases()` is the table. Inputs are fed through placeholders that know no shape, so that it is the
kernels that have to notice.
"""

from __future__ import annotations

import collections
import itertools

import numpy as np
from op_table.driver import root_text

NAN, INF = float("nan"), float("inf")
FLOATS = ("float16", "float32", "float64")
SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTS = SIGNED + ("uint8", "uint16")
COMPLEX = ("complex64", "complex128")

# key: "op/what/dtype"; inputs: argument of the raw op -> array, in order; variable: the argument
# that a variable is given for, or None; attrs: the rest of the raw op's arguments.
Case = collections.namedtuple("Case", "key op inputs variable attrs")


def floats(dtype):
    """The delicate floating-point numbers of a dtype; for denormals see `_denormals`."""
    info = np.finfo(dtype)
    plain = [
        0.0,
        -0.0,
        1,
        -1,
        0.5,
        -0.5,
        1.5,
        2.5,
        -2.5,
        3,
        -3,
        1e-3,
        -7.25,
        10,
        90,
        -90,
        720,
        -720,
    ]
    large = [1e4, -1e4, 4e4, info.max, info.min, 2.0**31, -(2.0**31), 2.0**63, NAN, INF, -INF]
    with np.errstate(all="ignore"):
        small = [info.tiny, -info.tiny, info.eps, 1 - info.epsneg]
        return np.array(plain + large + small).astype(dtype)


def few(dtype):
    """Fewer of them, to be paired with each other."""
    kind = np.dtype(dtype).kind
    if kind == "b":
        return np.array([False, True])
    if kind in "iu":
        info = np.iinfo(dtype)
        near = [0, 1, 2, 3, 7, 8, 31, 32, 63, 64, info.max, info.max - 1]
        if kind == "i":
            near += [-1, -2, -3, -7, -8, -31, -32, -64, info.min, info.min + 1]
        return np.array([x for x in near if info.min <= x <= info.max], dtype)
    if kind == "c":
        parts = np.array([0.0, 1, -2.5, 30, 1e-3])  # what C++ makes of infinite ones is its own
        pairs = np.array(list(itertools.product(parts, parts)))
        out = np.empty(len(pairs), dtype)
        out.real, out.imag = pairs[:, 0], pairs[:, 1]
        return out
    values = floats(dtype)
    return values[[0, 1, 2, 3, 4, 5, 6, 8, 9, 12, 14, 15, 20, 21, 22, 26, 27, 28, 29, 31]]


def pairs(dtype, other=None):
    """All pairs of `few`, as two arrays."""
    found = np.array(
        list(itertools.product(range(len(few(dtype))), range(len(few(other or dtype)))))
    )
    return few(dtype)[found[:, 0]], few(other or dtype)[found[:, 1]]


REAL_UNARY = """Acos Acosh Asin Asinh Atan Atanh Ceil Cos Cosh Digamma Erf Erfc Exp Expm1 Floor Inv
    IsFinite IsInf IsNan Lgamma Log Log1p Neg Abs Reciprocal Rint Round Rsqrt Sigmoid Sign Sin Sinh
    Sqrt Square Tan Tanh BesselI0e BesselI1e""".split()
ACTIVATIONS = "Elu LeakyRelu Relu Relu6 Selu Softplus Softsign".split()
COMPLEX_UNARY = """Acos Acosh Asin Asinh Atan Atanh Cos Cosh Exp Expm1 Inv Log Log1p Neg Reciprocal
    Rsqrt Sigmoid Sign Sin Sinh Sqrt Square Tan Tanh Conj""".split()
INT_UNARY = "Abs Neg Sign Square Round".split()
REAL_BINARY = """AddV2 Sub Mul Div RealDiv FloorDiv FloorMod Mod Maximum Minimum Pow Atan2
    SquaredDifference DivNoNan MulNoNan Xdivy Xlogy NextAfter ApproximateEqual Less LessEqual
    Greater GreaterEqual Equal NotEqual Igamma Igammac Zeta Polygamma""".split()
GRADIENTS = "InvGrad RsqrtGrad SqrtGrad SigmoidGrad TanhGrad".split()
ACTIVATION_GRADIENTS = """EluGrad ReluGrad Relu6Grad SeluGrad SoftplusGrad SoftsignGrad
    LeakyReluGrad""".split()
COMPLEX_BINARY = "AddV2 Sub Mul Div RealDiv Pow SquaredDifference Equal NotEqual DivNoNan".split()
INT_BINARY = """AddV2 Sub Mul Maximum Minimum Less GreaterEqual Equal NotEqual SquaredDifference
    BitwiseAnd BitwiseOr BitwiseXor""".split()
DIVISIONS = "Div FloorDiv FloorMod Mod TruncateDiv TruncateMod".split()
SEGMENTS = "SegmentSum SegmentMean SegmentProd SegmentMax SegmentMin".split()
UNSORTED = "Sum Prod Max Min".split()
SPARSE = "SparseSegmentSum SparseSegmentMean SparseSegmentSqrtN".split()
SCATTERS = "Update Add Sub Mul Div Min Max".split()


def cases():
    """The table."""
    found = list(_all())
    keys = collections.Counter(case.key for case in found)
    repeated = [key for key, count in keys.items() if count > 1]
    assert not repeated, repeated
    return found


def _all():
    for part in (
        _unary,
        _binary,
        _denormals,
        _integers,
        _casts,
        _reductions,
        _gathers,
        _segments,
        _scatters,
        _more,
    ):
        for label, op, inputs, attrs in part():
            variable = attrs.pop("variable", None)
            yield Case("{}/{}".format(op, label), op, inputs, variable, attrs)


def _unary():
    for op in REAL_UNARY:
        for dtype in FLOATS:
            yield dtype, op, {"x": floats(dtype)}, {}
        yield "empty", op, {"x": np.zeros([0, 3], np.float32)}, {}
    for op in ACTIVATIONS:
        for dtype in FLOATS:
            yield dtype, op, {"features": floats(dtype)}, {}
    for op in COMPLEX_UNARY:
        name = "input" if op == "Conj" else "x"
        for dtype in COMPLEX:
            yield dtype, op, {name: few(dtype)}, {}
    for op in ("ComplexAbs", "Angle", "Real", "Imag"):
        for dtype in COMPLEX:
            real = "float32" if dtype == "complex64" else "float64"
            yield dtype, op, {"x" if op == "ComplexAbs" else "input": few(dtype)}, {"Tout": real}
    for op in INT_UNARY:
        for dtype in ("int32", "int64"):
            yield dtype, op, {"x": few(dtype)}, {}
    for dtype in INTS:
        yield dtype, "Invert", {"x": few(dtype)}, {}
        yield dtype, "PopulationCount", {"x": few(dtype)}, {}
        for op in ("Relu", "Relu6"):
            yield dtype, op, {"features": few(dtype)}, {}
    for dtype in FLOATS:
        for kind in (NAN, INF, -INF):
            label = "{}/{}".format(kind, dtype)
            yield label, "CheckNumerics", {"tensor": np.array([1, kind], dtype)}, {"message": "at"}
        finite = floats(dtype)
        finite = finite[np.isfinite(finite)]
        yield dtype, "CheckNumerics", {"tensor": finite}, {"message": "at"}


def _binary():
    for op in REAL_BINARY:
        for dtype in FLOATS:
            x, y = pairs(dtype)
            names = {"NextAfter": ("x1", "x2"), "Igamma": ("a", "x"), "Igammac": ("a", "x")}
            names.update({"Zeta": ("x", "q"), "Polygamma": ("a", "x"), "Atan2": ("y", "x")})
            if op == "Polygamma":  # orders that TensorFlow works out one by one
                x = np.where(np.abs(x) > 1000, np.dtype(dtype).type(2), x)
            a, b = names.get(op, ("x", "y"))
            yield dtype, op, {a: x, b: y}, {}
        a, b = names.get(op, ("x", "y"))
        empty = np.zeros([0, 1], np.float32)
        yield "empty", op, {a: empty, b: np.ones([1, 3], np.float32)}, {}
    for op in GRADIENTS:
        for dtype in FLOATS:
            y, dy = pairs(dtype)
            yield dtype, op, {"y": y, "dy": dy}, {}
    for op in ACTIVATION_GRADIENTS:
        for dtype in FLOATS:
            x, dy = pairs(dtype)
            name = "outputs" if op in ("EluGrad", "SeluGrad") else "features"
            yield dtype, op, {"gradients": dy, name: x}, {}
    for op in COMPLEX_BINARY:
        for dtype in COMPLEX:
            x, y = pairs(dtype)
            yield dtype, op, {"x": x, "y": y}, {}
    for a, b, c in [([0.5, 1, -1, NAN, 2], [0.5, 0, 2, 1, INF], [0, 0.5, 1, -1, NAN])]:
        grid = np.array(list(itertools.product(a, b, c)))
        for dtype in ("float32", "float64"):
            a, b, x = grid.T.astype(dtype)
            yield dtype, "Betainc", {"a": a, "b": b, "x": x}, {}


def _denormals():
    for dtype in ("float32", "float64"):
        tiny = np.finfo(dtype).tiny
        x = np.array([tiny / 2, -tiny / 4, tiny, 0, 1], dtype)
        for op in "Abs Neg Square Sqrt Exp Log Sign Ceil Tanh IsFinite".split():
            yield "denormal/" + dtype, op, {"x": x}, {}
        a, b = np.array(list(itertools.product(x, x))).astype(dtype).T
        for op in "AddV2 Sub Mul RealDiv DivNoNan Maximum Less Equal Pow".split():
            yield "denormal/" + dtype, op, {"x": a, "y": b}, {}
        for op in ("Sum", "Prod", "Max"):
            yield "denormal/" + dtype, op, {"input": x[:2], "axis": np.array([0], np.int32)}, {}
        for target in ("int32", "float64", "float32", "bool"):
            yield "denormal/{}_to_{}".format(dtype, target), "Cast", {"x": x}, {"DstT": target}


def _integers():
    for op in INT_BINARY:
        for dtype in INTS:
            x, y = pairs(dtype)
            yield dtype, op, {"x": x, "y": y}, {}
    for op in DIVISIONS:
        for dtype in INTS:
            x, y = pairs(dtype)
            if np.dtype(dtype).kind == "i":  # the lowest by -1 ends TensorFlow's process
                fits = (y != 0) & ~((x == np.iinfo(dtype).min) & (y == -1))
            else:
                fits = y != 0
            yield dtype, op, {"x": x[fits], "y": y[fits]}, {}
            yield "zero/" + dtype, op, {"x": few(dtype), "y": np.zeros((), dtype)}, {}
            nothing = {"x": np.zeros([0], dtype), "y": np.zeros((), dtype)}
            yield "zero_of_nothing/" + dtype, op, nothing, {}
    for op in ("LeftShift", "RightShift"):
        for dtype in SIGNED + UNSIGNED:
            x, y = pairs(dtype)
            yield dtype, op, {"x": x, "y": y}, {}
    for dtype in ("int32", "int64"):
        base = few(dtype)
        powers = np.array([0, 1, 2, 3, 31, 32, 63, 64], dtype)
        x, y = np.repeat(base, len(powers)), np.tile(powers, len(base))
        yield dtype, "Pow", {"x": x, "y": y}, {}
        yield (
            "negative/" + dtype,
            "Pow",
            {"x": np.array([2, 0], dtype), "y": np.array(-1, dtype)},
            {},
        )
    for op in ("LogicalAnd", "LogicalOr"):
        x, y = pairs("bool")
        yield "bool", op, {"x": x, "y": y}, {}


def _casts():
    kinds = FLOATS + INTS + ("uint32", "uint64", "bool")
    for source in kinds:
        values = floats(source) if source in FLOATS else few(source)
        for target in kinds + ("complex64",):
            yield "{}_to_{}".format(source, target), "Cast", {"x": values}, {"DstT": target}
    for source in COMPLEX:
        for target in ("float32", "int32", "bool"):
            yield "{}_to_{}".format(source, target), "Cast", {"x": few(source)}, {"DstT": target}
    for target in ("half", "bfloat16"):
        rounded = np.array([1 + 2.0**-9, 1 + 3 * 2.0**-9, 65519, 65520, 3.4e38, NAN, INF, 1e-40])
        yield "rounded/" + target, "Cast", {"x": rounded.astype(np.float32)}, {"DstT": target}


def _reductions():
    delicate = {
        "nan": [[1, NAN, 3], [4, 5, 6]],
        "nan_first": [[NAN, 1, 2], [3, NAN, 1]],
        "nan_only": [[NAN, NAN], [1, NAN]],
        "inf": [[1, INF, 3], [INF, -INF, 0]],
        "minus_inf": [[-INF, -INF], [INF, -INF]],
        "zeros": [[0.0, -0.0], [-0.0, 0.0]],
        "minus_zeros": [[-0.0, -0.0]],
        "large": [[3e38, 3e38], [-3e38, -3e38]],
        "small": [[1e-45, 1e-45], [1e-39, 1e-39]],
        "empty_axis": np.zeros([2, 0]),
        "empty_other": np.zeros([0, 2]),
    }
    for op in ("Sum", "Mean", "Prod", "Max", "Min", "EuclideanNorm"):
        for label, values in delicate.items():
            for dtype in ("float32", "float64", "float16"):
                with np.errstate(all="ignore"):
                    x = np.array(values).astype(dtype)
                for axis in ([1], [0, 1], []):
                    key = "{}/{}/{}".format(label, "".join(map(str, axis)) or "none", dtype)
                    yield key, op, {"input": x, "axis": np.array(axis, np.int32)}, {}
        for dtype in ("int32", "int64", "int8", "uint8"):
            info = np.iinfo(dtype)
            x = np.array([[info.max, info.max, 1], [info.min, info.min, 2]], dtype)
            yield "overflow/" + dtype, op, {"input": x, "axis": np.array([1], np.int32)}, {}
            empty = np.zeros([2, 0], dtype)
            yield "empty/" + dtype, op, {"input": empty, "axis": np.array([1], np.int32)}, {}
        for label, axis in (("2", [2]), ("minus3", [-3]), ("twice", [0, 0]), ("both", [1, -1])):
            x = np.ones([2, 3], np.float32)
            yield "axis_" + label, op, {"input": x, "axis": np.array(axis, np.int32)}, {}
    for op in ("All", "Any"):
        for label, x in (("", [[True, False], [True, True]]), ("empty", np.zeros([2, 0], bool))):
            inputs = {"input": np.array(x, bool), "axis": np.array([1], np.int32)}
            yield label or "plain", op, inputs, {}
    for op in ("ArgMax", "ArgMin"):
        for label, values in delicate.items():
            for dtype in ("float32", "float64"):
                with np.errstate(all="ignore"):
                    x = np.array(values).astype(dtype)
                inputs = {"input": x, "dimension": np.array(1, np.int32)}
                yield "{}/{}".format(label, dtype), op, inputs, {}
        for axis in (2, -3, -1):
            x = np.array([[1, 5, 5], [-1, -5, -5]], np.int32)
            yield "axis{}".format(axis), op, {"input": x, "dimension": np.array(axis, np.int32)}, {}
    for op, names in (
        ("Cumsum", "x axis"),
        ("Cumprod", "x axis"),
        ("CumulativeLogsumexp", "x axis"),
    ):
        for label in ("nan", "inf", "minus_inf", "zeros", "large", "empty_axis"):
            for attrs in ({}, {"exclusive": True}, {"reverse": True}):
                x = np.array(delicate[label], np.float32)
                key = "{}/{}".format(label, "".join(attrs) or "plain")
                yield key, op, {"x": x, "axis": np.array(1, np.int32)}, dict(attrs)
        for axis in (2, -3):
            x = np.ones([2, 2], np.float32)
            yield "axis{}".format(axis), op, {"x": x, "axis": np.array(axis, np.int32)}, {}
    for op in ("Softmax", "LogSoftmax"):
        for label, values in delicate.items():
            for dtype in ("float32", "float64"):
                with np.errstate(all="ignore"):
                    x = np.array(values).astype(dtype)
                yield "{}/{}".format(label, dtype), op, {"logits": x}, {}
    for label, values in delicate.items():
        x = np.array(values, np.float32)
        yield label, "L2Loss", {"t": x}, {}
        for k in (0, 1, 2):
            yield "{}/{}".format(label, k), "TopKV2", {"input": x, "k": np.array(k, np.int32)}, {}
    yield (
        "k_negative",
        "TopKV2",
        {"input": np.ones([2], np.float32), "k": np.array(-1, np.int32)},
        {},
    )


def indices(size, dtype="int32"):
    """Index arrays for an axis of `size`, by name."""
    info = np.iinfo(dtype)
    return {
        "fits": np.array([size - 1, 0, 0], dtype),
        "empty": np.zeros([0], dtype),
        "empty_rows": np.zeros([2, 0], dtype),
        "end": np.array([0, size], dtype),
        "minus_one": np.array([0, -1], dtype),
        "highest": np.array([info.max, 0], dtype),
        "lowest": np.array([info.min, 0], dtype),
    }


def _gathers():
    x = np.arange(6, dtype=np.float32).reshape(3, 2)
    none = np.zeros([0, 2], np.float32)
    for kind in ("int32", "int64"):
        for label, index in indices(3, kind).items():
            key = "{}/{}".format(label, kind)
            yield key, "Gather", {"params": x, "indices": index}, {}
            inputs = {"params": x, "indices": index, "axis": np.array(0, np.int32)}
            yield key, "GatherV2", inputs, {}
            yield key, "GatherNd", {"params": x, "indices": index.reshape(index.shape + (1,))}, {}
            inputs = {"indices": index, "depth": np.array(3, np.int32)}
            inputs.update(on_value=np.float32(1), off_value=np.float32(0))
            yield key, "OneHot", inputs, {"axis": -1}
            inputs = {"indices": index, "dims": np.array([1, 3], kind)}
            yield key, "UnravelIndex", inputs, {}
            rows = index.reshape(index.shape + (1,))
            updates = np.ones(index.shape + (2,), np.float32)
            for op in ("TensorScatterUpdate", "TensorScatterAdd", "TensorScatterSub"):
                yield key, op, {"tensor": x, "indices": rows, "updates": updates}, {}
            inputs = {"input": x, "indices": rows, "updates": updates}
            yield key, "ScatterNdNonAliasingAdd", inputs, {}
            inputs = {"indices": rows, "updates": updates, "shape": np.array([3, 2], kind)}
            yield key, "ScatterNd", inputs, {}
            inputs = {"indices": rows, "updates": updates, "shape": np.array([0, 2], kind)}
            yield "into_nothing/" + key, "ScatterNd", inputs, {}
            yield "of_nothing/" + key, "Gather", {"params": none, "indices": index}, {}
            inputs = {"params": none, "indices": index.reshape(index.shape + (1,))}
            yield "of_nothing/" + key, "GatherNd", inputs, {}
            if label not in ("empty_rows",):
                yield key, "InvertPermutation", {"x": index}, {}
                parts = [np.arange(len(index) * 2, dtype=np.float32).reshape(-1, 2)]
                inputs = {"data": parts[0], "partitions": index}
                if kind == "int32":
                    yield key, "DynamicPartition", inputs, {"num_partitions": 3}
    for axis in (2, -3, -1):
        inputs = {"params": x, "indices": np.array([0], np.int32), "axis": np.array(axis, np.int32)}
        yield "axis{}".format(axis), "GatherV2", inputs, {}
    for label, index in {"deep": [[0, 0, 0]], "second": [[0, 2]], "negative": [[-1, 0]]}.items():
        yield label, "GatherNd", {"params": x, "indices": np.array(index, np.int32)}, {}
    for depth in (0, -1):
        inputs = {"indices": np.array([0, 1], np.int32), "depth": np.array(depth, np.int32)}
        inputs.update(on_value=np.float32(1), off_value=np.float32(0))
        yield "depth{}".format(depth), "OneHot", inputs, {"axis": -1}
    for label, begin, size in (
        ("all", [0, 0], [-1, -1]), ("empty", [3, 0], [0, 2]), ("too_far", [4, 0], [0, 2]),
        ("too_long", [1, 0], [3, 2]), ("negative", [-1, 0], [1, 2]), ("minus_two", [0, 0], [-2, 2]),
        ("short", [0], [1]), ("huge", [2**31 - 1, 0], [1, 1]),
    ):  # fmt: skip
        inputs = {"input": x, "begin": np.array(begin, np.int32), "size": np.array(size, np.int32)}
        yield label, "Slice", inputs, {}
    for label, begin, end, strides in (
        ("zero_stride", [0], [2], [0]), ("backwards", [5], [-9], [-1]), ("empty", [2], [1], [1]),
        ("far", [-9], [9], [2]), ("lengths", [0, 0], [1], [1]), ("deep", [0] * 3, [1] * 3, [1] * 3),
    ):  # fmt: skip
        inputs = {"input": x}
        for name, value in (("begin", begin), ("end", end), ("strides", strides)):
            inputs[name] = np.array(value, np.int32)
        yield label, "StridedSlice", inputs, {}
    for begin in (3, -4, 2, -3):
        inputs = {"input": x, "begin": np.array([begin], np.int32)}
        inputs.update(end=np.array([begin + 1], np.int32), strides=np.array([1], np.int32))
        yield "shrink{}".format(begin), "StridedSlice", inputs, {"shrink_axis_mask": 1}
    for label, shape in (("one_left", [-1]), ("two_left", [-1, -1]), ("fewer", [5]), ("more", [7]),
                         ("minus_two", [-2, 3]), ("zero_left", [0, -1]), ("huge", [2**31 - 1] * 3),
                         ("scalar", [])):  # fmt: skip
        yield label, "Reshape", {"tensor": x, "shape": np.array(shape, np.int64)}, {}
        yield "none/" + label, "Reshape", {"tensor": none, "shape": np.array(shape, np.int64)}, {}
        if label != "huge":
            yield label, "Fill", {"dims": np.array(shape, np.int64)[:1], "value": np.float32(1)}, {}
        yield label, "BroadcastTo", {"input": x, "shape": np.array(shape, np.int64)}, {}
    for label, multiples in (("zero", [0, 2]), ("negative", [-1, 1]), ("short", [1])):
        yield label, "Tile", {"input": x, "multiples": np.array(multiples, np.int32)}, {}
    for label, paddings in (
        ("negative", [[-1, 0], [0, 0]]),
        ("short", [[1, 1]]),
        ("wide", [[0] * 3] * 2),
    ):
        yield label, "Pad", {"input": x, "paddings": np.array(paddings, np.int32)}, {}
        for mode in ("REFLECT", "SYMMETRIC"):
            inputs = {"input": x, "paddings": np.array(paddings, np.int32)}
            yield "{}/{}".format(label, mode), "MirrorPad", inputs, {"mode": mode}
    for mode in ("REFLECT", "SYMMETRIC"):
        for by in (2, 3, 4):
            inputs = {"input": x, "paddings": np.array([[by, 0], [0, 0]], np.int32)}
            yield "by{}/{}".format(by, mode), "MirrorPad", inputs, {"mode": mode}
    for label, perm in (("twice", [0, 0]), ("far", [0, 2]), ("negative", [-1, 0]), ("short", [0])):
        yield label, "Transpose", {"x": x, "perm": np.array(perm, np.int32)}, {}
    for label, axis in (("far", [2]), ("negative", [-1]), ("twice", [0, 0]), ("both", [0, -2])):
        yield label, "ReverseV2", {"tensor": x, "axis": np.array(axis, np.int32)}, {}
    for label, start, limit, delta in (
        ("zero", 0, 3, 0), ("wrong_way", 0, 3, -1), ("wrong_way_back", 3, 0, 1), ("empty", 2, 2, 1),
        ("back", 3, 0, -2), ("end", 2**31 - 3, 2**31 - 1, 1),
    ):  # fmt: skip
        for dtype in ("int32", "int64", "float32"):
            inputs = {"start": start, "limit": limit, "delta": delta}
            inputs = {key: np.array(value, dtype) for key, value in inputs.items()}
            yield "{}/{}".format(label, dtype), "Range", inputs, {}
    for num in (0, -1, 1, 2):
        inputs = {"start": np.float32(1), "stop": np.float32(INF), "num": np.array(num, np.int32)}
        yield "num{}".format(num), "LinSpace", inputs, {}


def _segments():
    x = np.arange(8, dtype=np.float32).reshape(4, 2) - 3
    ids = {
        "sorted": [0, 0, 1, 1], "gap": [0, 0, 3, 3], "unsorted": [0, 1, 0, 1], "starts_late": [1, 1, 2, 2],
        "negative": [-1, 0, 0, 1], "all_negative": [-1] * 4, "short": [0, 0, 1], "far": [0, 1, 2, 9],
    }  # fmt: skip
    for kind in ("int32", "int64"):
        for label, values in ids.items():
            segment_ids = np.array(values, kind)
            for op in SEGMENTS:
                for dtype in ("float32", "int32"):
                    inputs = {"data": x.astype(dtype), "segment_ids": segment_ids}
                    yield "{}/{}/{}".format(label, dtype, kind), op, inputs, {}
            for name in UNSORTED:
                for count in (0, 2, 5, -1):
                    inputs = {"data": x, "segment_ids": segment_ids}
                    inputs["num_segments"] = np.array(count, np.int32)
                    key = "{}/{}/{}".format(label, count, kind)
                    yield key, "UnsortedSegment" + name, inputs, {}
    for name in UNSORTED:
        for dtype in ("int32", "float64", "uint8"):
            inputs = {"data": np.zeros([0, 2], dtype), "segment_ids": np.zeros([0], np.int32)}
            inputs["num_segments"] = np.array(2, np.int32)
            yield "empty/" + dtype, "UnsortedSegment" + name, inputs, {}
        inputs = {"data": np.array([1, NAN, NAN], np.float32)}
        inputs["segment_ids"] = np.array([0, 0, 1], np.int32)
        yield "nan", "UnsortedSegment" + name, dict(inputs, num_segments=np.array(3, np.int32)), {}
        inputs["data"] = np.array([2**31 - 1, 2, 3], np.int32)
        yield (
            "overflow",
            "UnsortedSegment" + name,
            dict(inputs, num_segments=np.array(3, np.int32)),
            {},
        )
    for op in SEGMENTS:
        inputs = {"data": np.array([1, NAN, NAN], np.float32)}
        inputs["segment_ids"] = np.array([0, 0, 1], np.int32)
        yield "nan", op, inputs, {}
        empty = {"data": np.zeros([0, 2], np.float32), "segment_ids": np.zeros([0], np.int32)}
        yield "empty", op, empty, {}
    for op in SPARSE:
        for label, values in ids.items():
            for name, index in indices(4).items():
                if (
                    index.ndim != 1
                    or label not in ("sorted", "short", "gap", "negative")
                    and name != "fits"
                ):
                    continue
                index = np.resize(index, 4) if index.size else index
                inputs = {"data": x, "indices": index, "segment_ids": np.array(values, np.int32)}
                yield "{}/{}".format(label, name), op, inputs, {}
                for count in (0, 2, 5, -1):
                    more = dict(inputs, num_segments=np.array(count, np.int32))
                    key = "{}/{}/{}".format(label, name, count)
                    yield key, op + "WithNumSegments", more, {}
    for label, values in ids.items():
        for size in (0, 2, 5, -1):
            inputs = {"arr": np.array(values, np.int32), "size": np.array(size, np.int32)}
            inputs["weights"] = np.zeros([0], np.float32)
            yield "{}/{}".format(label, size), "Bincount", inputs, {}


def _scatters():
    x = np.array([[1, 2], [3, 4], [-5, 6]], np.float32)
    for kind in ("int32", "int64"):
        for label, index in indices(3, kind).items():
            key = "{}/{}".format(label, kind)
            updates = np.full(index.shape + (2,), 2, np.float32)
            for name in SCATTERS:
                inputs = {"ref": x, "indices": index, "updates": updates}
                yield key, "Scatter" + name, inputs, {"variable": "ref"}
                inputs = {"resource": x, "indices": index, "updates": updates}
                yield key, "ResourceScatter" + name, inputs, {"variable": "resource"}
            rows = index.reshape(index.shape + (1,))
            for name in ("Update", "Add", "Sub"):
                inputs = {"ref": x, "indices": rows, "updates": updates}
                yield key, "ScatterNd" + name, inputs, {"variable": "ref"}
                yield key, "ResourceScatterNd" + name, inputs, {"variable": "resource"}
            inputs = {"resource": x, "indices": index}
            yield key, "ResourceGather", inputs, {"variable": "resource", "dtype": "float32"}
            inputs = {"resource": x, "indices": rows}
            yield key, "ResourceGatherNd", inputs, {"variable": "resource", "dtype": "float32"}
    for name in SCATTERS:
        for label, value in (("zero", 0), ("nan", NAN), ("inf", INF)):
            inputs = {"ref": x, "indices": np.array([0, 0], np.int32)}
            inputs["updates"] = np.full([2, 2], value, np.float32)
            yield label, "Scatter" + name, inputs, {"variable": "ref"}
        inputs = {
            "ref": x,
            "indices": np.array([0, 1], np.int32),
            "updates": np.ones([3, 2], np.float32),
        }
        yield "rows", "Scatter" + name, inputs, {"variable": "ref"}
        inputs = {"ref": x, "indices": np.array([0, 1], np.int32), "updates": np.float32(3)}
        yield "scalar", "Scatter" + name, inputs, {"variable": "ref"}
        inputs = {"ref": x.astype(np.int32), "indices": np.array([0, 1], np.int32)}
        inputs["updates"] = np.array([[2**31 - 1] * 2, [3, 4]], np.int32)
        yield "overflow", "Scatter" + name, inputs, {"variable": "ref"}
    for label, shape in (("column", [1]), ("two_columns", [3]), ("depth", [2, 3])):
        inputs = {"ref": x, "indices": np.zeros([2] + shape[-1:], np.int32)}
        inputs["updates"] = np.ones([2, 2], np.float32)
        yield "shape_" + label, "ScatterNdAdd", inputs, {"variable": "ref"}


def _more():
    logits = np.array([[1, 2, NAN], [INF, 0, 1], [-INF, -INF, -INF], [1e30, -1e30, 0]], np.float32)
    for label, index in indices(3).items():
        if index.ndim == 1 and index.size:
            inputs = {"features": np.ones([len(index), 3], np.float32), "labels": index}
            yield label, "SparseSoftmaxCrossEntropyWithLogits", inputs, {}
            inputs = {"predictions": np.ones([len(index), 3], np.float32), "targets": index}
            yield label, "InTopK", dict(inputs), {"k": 1}
    inputs = {"features": logits, "labels": np.zeros([4], np.int32)}
    yield "delicate", "SparseSoftmaxCrossEntropyWithLogits", inputs, {}
    inputs = {"features": logits, "labels": np.full([4, 3], 1 / 3, np.float32)}
    yield "delicate", "SoftmaxCrossEntropyWithLogits", inputs, {}
    for low, high in ((0.0, 1.0), (1.0, 0.0), (NAN, 1.0), (0.0, NAN), (-INF, INF)):
        inputs = {"t": floats("float32"), "clip_value_min": np.float32(low)}
        inputs["clip_value_max"] = np.float32(high)
        yield "{}_{}".format(low, high), "ClipByValue", inputs, {}
    yield "float32", "Bucketize", {"input": floats("float32")}, {"boundaries": [-1.0, 0.0, 2.5]}
    for dtype in ("float32", "float64", "int32"):
        values = floats(dtype) if dtype != "int32" else few(dtype)
        inputs = {
            "values": values,
            "value_range": np.array([0, 5], dtype),
            "nbins": np.array(5, np.int32),
        }
        yield dtype, "HistogramFixedWidth", inputs, {}
        for label, nbins, ends in (("no_bins", 0, [0, 5]), ("empty_range", 5, [5, 0])):
            inputs = dict(
                inputs, nbins=np.array(nbins, np.int32), value_range=np.array(ends, dtype)
            )
            yield "{}/{}".format(label, dtype), "HistogramFixedWidth", inputs, {}
    for label, sizes in (("uneven", [1, 1]), ("left", [1, -1]), ("two_left", [-1, -1]), ("long", [9, -1]),
                         ("negative", [-2, 5])):  # fmt: skip
        inputs = {"value": np.ones([3, 2], np.float32), "size_splits": np.array(sizes, np.int32)}
        inputs["axis"] = np.array(0, np.int32)
        yield label, "SplitV", inputs, {"num_split": 2}
    for axis in (0, 2, -3):
        inputs = {"axis": np.array(axis, np.int32), "value": np.ones([3, 2], np.float32)}
        yield "axis{}".format(axis), "Split", inputs, {"num_split": 2}
    for scale in (1, 2, 4):
        inputs = {"x": np.arange(8, dtype=np.float32).reshape(1, 2, 2, 2)}
        for name, size in (("scale", scale), ("offset", 2), ("mean", 0), ("variance", 0)):
            inputs[name] = np.ones([size], np.float32)
        yield "scale{}".format(scale), "FusedBatchNorm", inputs, {}
    for label, mean in (("no_mean", 0), ("mean", 2), ("long_mean", 3)):
        inputs = {"x": np.arange(8, dtype=np.float32).reshape(1, 2, 2, 2)}
        for name, size in (("scale", 2), ("offset", 2), ("mean", mean), ("variance", mean)):
            inputs[name] = np.ones([size], np.float32)
        yield label, "FusedBatchNorm", inputs, {"is_training": False}
    for size in (1, 3, 4, 6):
        for padding in ("VALID", "SAME"):
            attrs = {"ksizes": [1, size, size, 1], "strides": [1] * 4, "rates": [1] * 4}
            inputs = {"images": np.arange(9, dtype=np.float32).reshape(1, 3, 3, 1)}
            with_nan = np.where(inputs["images"] == 4, np.float32(NAN), inputs["images"])
            key = "{}/{}".format(size, padding)
            yield key, "ExtractImagePatches", inputs, dict(attrs, padding=padding)
            attrs = {"ksize": [1, size, size, 1], "strides": [1] * 4, "padding": padding}
            for op in ("MaxPool", "AvgPool"):
                name = "input" if op == "MaxPool" else "value"
                yield key, op, {name: with_nan}, dict(attrs)
                yield "plain/" + key, op, {name: inputs["images"]}, dict(attrs)
                none = np.zeros([0, 3, 3, 1], np.float32)
                yield "none/" + key, op, {name: none}, dict(attrs)
            inputs = {"input": inputs["images"], "filter": np.ones([size, size, 1, 1], np.float32)}
            attrs = {"strides": [1] * 4, "padding": padding}
            yield key, "Conv2D", inputs, dict(attrs)
            none = dict(inputs, input=np.zeros([0, 3, 3, 1], np.float32))
            yield "none/" + key, "Conv2D", none, dict(attrs)
            yield key, "DepthwiseConv2dNative", inputs, dict(attrs)
    for label, a, b in (
        ("none", [0, 3], [3, 2]),
        ("inner", [2, 0], [0, 3]),
        ("all", [0, 0], [0, 0]),
    ):
        inputs = {"a": np.ones(a, np.float32), "b": np.ones(b, np.float32)}
        yield label, "MatMul", inputs, {}
        yield label, "BatchMatMulV2", {"x": inputs["a"], "y": inputs["b"]}, {}
    bad = {"a": np.ones([2, 3], np.float32), "b": np.ones([2, 3], np.float32)}
    yield "mismatch", "MatMul", bad, {}
    yield "mismatch", "BatchMatMulV2", {"x": bad["a"], "y": bad["b"]}, {}
    nan = {"a": np.array([[0, NAN], [INF, 1]], np.float32), "b": np.zeros([2, 2], np.float32)}
    yield "nan", "MatMul", nan, {}
    for op in ("Cholesky", "MatrixInverse", "MatrixDeterminant", "Qr", "SelfAdjointEigV2"):
        for label, values in (("singular", [[1, 1], [1, 1]]), ("negative", [[-1, 0], [0, 1]]),
                              ("oblong", np.ones([2, 3])), ("nothing", np.zeros([0, 0]))):  # fmt: skip
            if op in ("Qr", "SelfAdjointEigV2") and label != "nothing":
                continue
            yield label, op, {"input": np.array(values, np.float32)}, {}
    ctc = {
        "inputs": np.zeros([3, 1, 3], np.float32),
        "labels_indices": np.array([[0, 0]], np.int64),
    }
    ctc["sequence_length"] = np.array([3], np.int32)
    for label in (0, 1, 2, 3, -1):
        values = dict(ctc, labels_values=np.array([label], np.int32))
        order = ("inputs", "labels_indices", "labels_values", "sequence_length")
        inputs = collections.OrderedDict((name, values[name]) for name in order)
        yield "label{}".format(label), "CTCLoss", inputs, {}
    for length in (0, 1, 4, -1):
        values = dict(ctc, labels_values=np.array([0], np.int32))
        values["sequence_length"] = np.array([length], np.int32)
        inputs = collections.OrderedDict((name, values[name]) for name in order)
        yield "length{}".format(length), "CTCLoss", inputs, {}
    for out in ("int32", "int64", "float32", "float64"):
        texts = [
            "",
            " 1",
            "1 ",
            "+1",
            "-0",
            "1e3",
            "nan",
            "-inf",
            "99999999999",
            "1e400",
            "0x10",
            "x",
            "1_0",
        ]
        for text in texts:
            inputs = {"string_tensor": np.array([text.encode()], object)}
            yield "{!r}/{}".format(text, out), "StringToNumber", inputs, {"out_type": out}
    for dtype in ("float32", "float64", "int64", "bool"):
        values = floats(dtype) if dtype.startswith("float") else few(dtype)
        yield dtype, "AsString", {"input": values}, {}


def raw_op(tf, case):
    """Records a case in the default graph.

    Returns:
        (fetches, feeds, the variable or None): with a variable as the first input, that one is made
        with the first array as its initial value.
    """
    feeds, arguments = {}, {}
    variable = None
    for name, array in case.inputs.items():
        array = np.asarray(array)
        if case.variable and variable is None:
            variable = tf.Variable(array, use_resource=case.variable == "resource", name="v")
            handle = variable.handle if case.variable == "resource" else variable._ref()
            arguments[name] = handle
            continue
        dtype = "string" if array.dtype.kind == "O" else array.dtype.name
        arguments[name] = tf.placeholder(dtype, None, name=name)
        feeds[arguments[name]] = array
    attrs = {
        key: tf.as_dtype(value) if key in ("DstT", "Tout", "dtype", "out_type") else value
        for key, value in case.attrs.items()
    }
    found = getattr(tf.raw_ops, case.op)(**dict(arguments, **attrs))
    return found, feeds, variable


def run(tf, case, session=None):
    """Runs a case in a graph and a session of its own.

    Returns:
        A dict: `outputs` (arrays) and `after` (the variable's value), or `error` (class and text).
    """
    with tf.Graph().as_default(), tf.device("/device:CPU:0"):
        try:
            fetches, feeds, variable = raw_op(tf, case)
        except Exception as error:
            return {"error": [type(error).__name__, str(error)], "when": "build"}
        with session(tf) if session else tf.Session() as opened:
            if variable is not None:
                opened.run(variable.initializer)
            try:
                found = opened.run(fetches, feeds)
            except Exception as error:
                text = root_text(getattr(error, "message", str(error)))
                described = {"error": [type(error).__name__, text]}
            else:
                described = {"outputs": _listed(found)}
            if variable is not None:
                described["after"] = opened.run(variable)
    return described


def _listed(found):
    if found is None:
        return []
    return list(found) if isinstance(found, (tuple, list)) else [found]
