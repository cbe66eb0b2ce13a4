"""The form of a row of the op table, and the small deterministic arrays that rows are made of.

The table is read on two sides: by the recorder under the real TensorFlow 1.15 (Python 3.7) and by
the tests. So this package uses the standard library and NumPy alone, and every random number comes
from `RandomState.uniform`, whose stream is the same in every NumPy.
"""

from __future__ import annotations

import dataclasses
import importlib
import zlib
from typing import Any, Callable, Iterable, Optional, Sequence

import numpy as np

FLOATS = ("float16", "float32", "float64")
COMPLEX = ("complex64", "complex128")
SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16")
INTS = SIGNED + UNSIGNED
NUMBERS = FLOATS + COMPLEX + INTS
EVERYTHING = NUMBERS + ("bool",)
DEFAULT = ("float32", "float64")


@dataclasses.dataclass(frozen=True)
class Spec:
    """An input of a row: random values in `[low, high)`, or the given `values`.

    Attributes:
      shape: shape of the random array.
      low, high: range of the values (of both parts, for complex).
      dtype: fixed dtype; None takes the dtype of the row.
      values: explicit values instead of random ones.
      step: if given, `values` are ranks, from 0 on, and the numbers lie this far apart (1 for
        integers).
    """

    shape: tuple = ()
    low: float = -2.0
    high: float = 2.0
    dtype: Optional[str] = None
    values: Any = None
    step: Optional[float] = None

    def array(self, dtype: str, seed: str) -> np.ndarray:
        """The array in a row of `dtype`; `seed` names the row and the input."""
        kind = np.dtype(self.dtype or dtype)
        if self.step is not None:
            return self._spaced(kind)
        if self.values is not None:
            return np.array(self.values, object if kind.kind in "SO" else kind)
        state = np.random.RandomState(zlib.crc32(seed.encode()) & 0x7FFFFFFF)
        numbers = state.uniform(self.low, self.high, self.shape)
        if kind.kind == "c":
            numbers = numbers + 1j * state.uniform(self.low, self.high, self.shape)
        if kind.kind == "b":
            return np.array(numbers > (self.low + self.high) / 2)
        if kind.kind in "iu":
            low = max(self.low, 0) if kind.kind == "u" else self.low
            high = max(self.high, low + 1)
            return np.array(np.floor(state.uniform(low, high, self.shape))).astype(kind)
        return np.array(numbers).astype(kind)

    def _spaced(self, kind: np.dtype) -> np.ndarray:
        ranks = np.array(self.values)
        if kind.kind in "ub":
            return ranks.astype(kind)
        centred = ranks - ranks.size // 2
        return (centred if kind.kind == "i" else (centred + 1 / 3) * self.step).astype(kind)


def arr(*shape: int, low: float = -2.0, high: float = 2.0, dtype: Optional[str] = None) -> Spec:
    """A random array in the dtype of the row."""
    return Spec(shape, low, high, dtype)


def ints(*shape: int, low: int = -5, high: int = 6, dtype: str = "int32") -> Spec:
    """A random integer array, `low <= x < high`."""
    return Spec(shape, low, high, dtype)


def bools(*shape: int) -> Spec:
    """A random bool array."""
    return Spec(shape, 0, 1, "bool")


def val(values: Any, dtype: Optional[str] = None) -> Spec:
    """Explicit values, in the dtype of the row unless `dtype` is given."""
    return Spec(dtype=dtype, values=values)


def spaced(*shape: int, step: float = 0.25, dtype: Optional[str] = None) -> Spec:
    """Distinct values in a shuffled, fixed order: no ties for max-like ops."""
    count = int(np.prod(shape))
    order = np.arange(count) * 7 % count if count % 7 else np.arange(count) * 11 % count
    if len(set(order.tolist())) != count:
        order = np.arange(count)[::-1]
    return Spec(dtype=dtype, values=order.reshape(shape), step=step)


@dataclasses.dataclass
class Case:
    """One row: an op type, how to record it, and what to check.

    Attributes:
      op: the op type that the row is about.
      fn: `fn(tf, *variables, *inputs)` records the op; returns a tensor, an operation, or a
        nesting of them.
      inputs: a `Spec` each; fed through placeholders.
      label: tells the rows of one op type apart.
      dtypes: dtypes to sweep; the row is expanded into one row each.
      grad: positions in `variables + inputs` to differentiate; None means every floating or
        complex input (and no variable); `()` none.
      grad_outputs: positions of the outputs to differentiate; None means every floating or complex
        one.
      second: whether second gradients are compared as well.
      smooth: whether the float64 gradients are the true derivative at the inputs; False at kinks,
        where the derivative is a convention of TF, and for functions whose TF gradient is none.
      variables: a `Spec` each: initial values of variables.
      resource: whether the variables are resource variables.
      raises: the row must raise: while it is recorded, or when it runs.
      rtol: relative tolerance in place of the dtype's; the row says why.
      no_jax: why the row can't be exported as a JAX function; empty if it can.
      reference: another way to say `fn` in which TensorFlow records the values, where its CPU has
        no kernel for `fn`.
      dtype: the row's dtype, once expanded.
      stands_for_sweep: whether the checks that are slow to compile are made on this row: on one
        real and one complex dtype of a sweep.
    """

    op: str
    fn: Callable[..., Any]
    inputs: Sequence[Spec] = ()
    label: str = ""
    dtypes: Optional[Sequence[str]] = None
    grad: Optional[Sequence[int]] = None
    grad_outputs: Optional[Sequence[int]] = None
    second: bool = False
    smooth: bool = True
    variables: Sequence[Spec] = ()
    resource: bool = False
    raises: bool = False
    rtol: Optional[float] = None
    no_jax: str = ""
    reference: Optional[Callable[..., Any]] = None
    dtype: str = ""
    stands_for_sweep: bool = True
    _arrays: "Optional[list[np.ndarray]]" = dataclasses.field(
        default=None, init=False, repr=False, compare=False
    )

    @property
    def key(self) -> str:
        """The row's name: `op/label/dtype`."""
        return "/".join(part for part in (self.op, self.label, self.dtype) if part)

    def arrays(self) -> "list[np.ndarray]":
        """The values of the inputs; they are drawn once, and each caller has its own."""
        return [array.copy() for array in self._drawn()]

    def _drawn(self) -> "list[np.ndarray]":
        if self._arrays is None:
            named = ((spec, f"{self.key}:{i}") for i, spec in enumerate(self.inputs))
            self._arrays = [spec.array(self.dtype, name) for spec, name in named]
        return self._arrays

    def initial_values(self) -> "list[np.ndarray]":
        """The initial values of the variables."""
        return [spec.array(self.dtype, f"{self.key}:v{i}") for i, spec in enumerate(self.variables)]

    def differentiated(self) -> "list[int]":
        """Positions in `variables + inputs` that gradients are taken to."""
        if self.grad is not None:
            return list(self.grad)
        offset = len(self.variables)
        kinds = [array.dtype.kind for array in self._drawn()]
        return [offset + i for i, kind in enumerate(kinds) if kind in "fc"]


def expand(cases: Iterable[Case]) -> "list[Case]":
    """One row per dtype.  Rows without `dtypes` run in float32 and float64, or once where no input
    follows the row's dtype.

    Raises:
      ValueError: two rows have the same key.
    """
    rows: dict[str, Case] = {}
    for case in cases:
        specs = [*case.inputs, *case.variables]
        follows = any(spec.dtype is None for spec in specs)
        dtypes = case.dtypes or (DEFAULT if follows and not case.raises else ("",))
        for dtype in dtypes:
            dtype = dtype or ("float32" if follows else "")
            stands = dtype in ("float64", "complex64") or "float64" not in dtypes
            second = case.second and stands
            row = dataclasses.replace(case, dtype=dtype, second=second, stands_for_sweep=stands)
            if row.key in rows:
                raise ValueError(f"two rows are called {row.key}")
            rows[row.key] = row
    return list(rows.values())


def pseudo_random(shape: Sequence[int], dtype: Any, seed: str) -> np.ndarray:
    """Values in [0.5, 1.5) with alternating signs, the same on both sides: gradients to start
    from, directions to step in."""
    state = np.random.RandomState(zlib.crc32(seed.encode()) & 0x7FFFFFFF)
    kind = np.dtype(dtype)
    numbers = state.uniform(0.5, 1.5, shape) * np.where(state.uniform(size=shape) < 0.5, -1, 1)
    if kind.kind == "c":
        numbers = numbers + 1j * state.uniform(0.5, 1.5, shape)
    return np.asarray(numbers).astype(kind)


def loaded(tf: Any, op: str, library: str) -> Callable[..., Any]:
    """A raw op that TensorFlow has in a library of its contrib, which has to be loaded.

    Args:
      tf: the module.
      op: the op type.
      library: the module of its wrappers, below `tensorflow`.
    """
    if hasattr(tf.raw_ops, op):
        return getattr(tf.raw_ops, op)
    module = importlib.import_module(f"tensorflow.{library}")
    return getattr(module, next(n for n in dir(module) if n.replace("_", "") == op.lower()))
