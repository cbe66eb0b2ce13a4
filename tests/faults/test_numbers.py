"""Delicate numbers in both tiers, against what TensorFlow 1.15 makes of them.

Every case runs in a session of its own, its inputs fed. Without `--faults-long` XLA's tier runs a
part of them.
"""

from __future__ import annotations

import collections
import fnmatch
from pathlib import Path
from typing import Any

import number_cases
import numpy as np
import pytest
import recording
from op_table import store

GOLDENS = recording.read_json(str(Path(recording.DATA) / "numbers.json.xz"))
CASES: dict[str, list[Any]] = collections.defaultdict(list)
for _case in number_cases.cases():
    CASES[_case.op].append(_case)

# Relative, of single numbers: TensorFlow and XLA approximate functions in ways of their own.
TOLERANCE = {"float16": 2e-3, "bfloat16": 8e-3, "float32": 1e-5, "float64": 1e-12}
TOLERANCE |= {"complex64": 1e-5, "complex128": 1e-12}


# Where TensorFlow's answer is no model, or costs more than it is worth: pattern of keys, reason.
# None of these is a crash; `README.md` tells of them.
KNOWN = {
    "*/denormal/*": "TensorFlow and XLA flush denormals to zero, NumPy does not",
    "FloorDiv/float*": "the same, of quotients",
    "SqrtGrad/float*": "the same, of 1 / y",
    "Rsqrt/float32": "TensorFlow's AVX code is off at both ends, and NaN at infinity",
    "Sqrt/float32": "TensorFlow's AVX code is off at both ends, and NaN at infinity",
    "Sigmoid/float32": "TensorFlow's rational approximation: 2.5e-5",
    "Softplus/float32": "TensorFlow's exponential: 6e-5",
    "Lgamma/float*": "next to its zeros TensorFlow's is exact",
    "Log1p/complex64": "rounding where the result is small",
    "Sinh/complex64": "rounding where the result is small",
    "Cosh/complex64": "rounding where the result is small",
    "*Div/complex*": "x / 0 is infinite here, NaN in TensorFlow",
    "DivNoNan/complex*": "rounding of the imaginary part",
    "Inv/complex*": "1 / 0 is infinite here, NaN in TensorFlow",
    "Reciprocal/complex*": "1 / 0 is infinite here, NaN in TensorFlow",
    "Pow/complex*": "powers of 0, and overflow",
    "FloorDiv/int*": "TensorFlow's |x| + |y| overflows near the ends; here the quotient is right",
    "Igamma*/float*": "TensorFlow gives up after 2000 terms",
    "Zeta/float*": "at NaN and infinity, and 1e-8 elsewhere",
    "Polygamma/float*": "TensorFlow's float32 is off by 1 %; NaN and infinity",
    "CumulativeLogsumexp/nan/*": "TensorFlow takes a NaN for the other number",
    "TopKV2/nan*": "the order of NaN is nobody's",
    "Segment*/nan": "TensorFlow skips NaN, except in segments of one row",
    "BroadcastTo/huge": "text",
    "SparseSegment*/all_negative/fits/0": "text",
    "FusedBatchNorm/scale?": "TensorFlow reads beyond the vector's end",
    "FusedBatchNorm/*mean": "TensorFlow reads beyond the vector's end, or sets no output",
    "CTCLoss/label?": "a label that is the blank, or beyond: TensorFlow's loss is of no path",
}


def known(key: str) -> bool:
    return any(fnmatch.fnmatchcase(key, pattern) for pattern in KNOWN)


def difference(found: dict, expected: dict) -> str | None:
    """How the results of a case differ, or None."""
    if "crash" in expected:  # whatever is done instead of ending the process
        return None
    if "error" in expected or "error" in found:
        if "error" not in expected or "error" not in found:
            return f"TensorFlow: {_short(expected)}\n  here: {_short(found)}"
        if found["error"] != expected["error"]:
            return f"TensorFlow: {expected['error']}\n  here:       {found['error']}"
    pairs = list(zip(found.get("outputs", []), expected.get("outputs", []), strict=True))
    if expected.get("error") is None and "after" in expected:
        pairs.append((found["after"], expected["after"]))
    return next(filter(None, (_array_difference(*pair) for pair in pairs)), None)


def _short(result: dict) -> str:
    return str(result.get("error") or [np.asarray(x).tolist() for x in result["outputs"]])[:300]


def _array_difference(found: Any, expected: Any) -> str | None:
    found = np.asarray(found, object if isinstance(found, bytes) else None)
    if expected.dtype.kind == "O":
        if found.tolist() == expected.tolist():
            return None
        pairs = zip(np.ravel(found), expected.ravel())
        return "text: TensorFlow, here " + str([(b, a) for a, b in pairs if a != b][:4])
    if (found.dtype, found.shape) != (expected.dtype, expected.shape):
        return f"TensorFlow {expected.dtype}{expected.shape}, here {found.dtype}{found.shape}"
    bad = ~_same(found, expected)
    if not bad.any():
        return None
    places = np.argwhere(bad)[:4].tolist()
    parts = [
        f"{place}: {expected[tuple(place)]!r}, here {found[tuple(place)]!r}" for place in places
    ]
    return f"{int(bad.sum())} of {bad.size} differ; TensorFlow " + "; ".join(parts)


def _same(found: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Which numbers agree. The sign of a zero may differ: TensorFlow's hangs on where in an array
    it is, as the last elements are worked out one by one."""
    kind = expected.dtype
    if kind.kind in "biu":
        return found == expected
    rtol = TOLERANCE[kind.name]
    tiny = float(np.finfo(kind).tiny) if kind.name != "bfloat16" else 1.2e-38
    wide = np.complex128 if kind.kind == "c" else np.float64
    a, b = found.astype(wide), expected.astype(wide)
    with np.errstate(all="ignore"):
        close = np.abs(a - b) <= rtol * np.abs(b) + 2 * tiny
        return (a == b) | close | (np.isnan(a) & np.isnan(b))


def _expected(case: Any) -> Any:
    golden = GOLDENS[case.key]
    return {key: value if key == "error" else store.unpack(value) for key, value in golden.items()}


def check(tf: Any, cases: list[Any]) -> None:
    wrong = []
    for case in cases:
        if known(case.key):
            number_cases.run(tf, case)  # it ends
            continue
        expected = _expected(case)
        if "unsupported" in expected:
            continue
        text = difference(number_cases.run(tf, case), expected)
        if text:
            wrong.append(f"{case.key}\n  {text}")
    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)


# One case in so many without `--faults-long`, and of XLA's, which have to be compiled.
_ON_HOST, _IN_XLA = 4, 40
_ALL = [case for cases in CASES.values() for case in cases]


def test_on_the_host(tf: Any, long: bool) -> None:
    from tf1compat.runtime import tiers

    with tiers.tier(tiers.HOST):
        check(tf, _ALL if long else _ALL[::_ON_HOST])


def test_in_xla(tf: Any, long: bool, xla: None, compiled_quickly: None) -> None:
    check(tf, _ALL if long else _ALL[::_IN_XLA])


def test_every_case_is_recorded() -> None:
    assert set(GOLDENS) == {case.key for case in _ALL}


def test_known_differences_are_of_cases() -> None:
    for pattern in KNOWN:
        assert any(fnmatch.fnmatchcase(case.key, pattern) for case in _ALL), pattern
