"""Constants that meet: `(x + a) - b` is worked out as `x + (a - b)`, `x / a` as `x * (1 / a)`.

TF 1.15 rewrites the graphs that it runs, and XLA does too: what is added to a value, or multiplies
it, one after the other becomes one constant if nobody else needs what is in between. Where values
differ much in size that shows: with float32, `1 - p + 1e-7` is at least 2.4e-7 for p below one,
step by step it is 2.2e-7, and `1 - p + 1e-8` is 0 for p = 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tf1compat.core import dtypes
from tf1compat.core.tensor import Tensor
from tf1compat.runtime.host.statements import Statement

# Others TF leaves as they are: half floats, complex numbers.
_DTYPES = (dtypes.float32, dtypes.float64)
# TF does not rewrite graphs of fewer operations.
_FEWEST = 4


class _Term(NamedTuple):
    """A value that is `base + constant` or `base * constant`.

    Attributes:
      is_product: whether it is the product.
      base: the name of a value.
      is_negative: whether it is `constant - base`.
      constant: what else there is.
      statement: where the value is worked out.
    """

    is_product: bool
    base: str
    is_negative: bool
    constant: np.ndarray
    statement: Statement

    def written(self) -> tuple[np.ufunc, list[Any]]:
        """NumPy's function of the value, and its arguments: names and arrays."""
        if self.is_product:
            return np.multiply, [self.base, self.constant]
        if self.is_negative:
            return np.subtract, [self.constant, self.base]
        return np.add, [self.base, self.constant]


class Meeting:
    """Where the constants of a program meet.

    Args:
      uses: how often each tensor is used; whoever goes on counting may do so.
    """

    def __init__(self, uses: Counter[Tensor]):
        self._uses = uses
        self._terms: dict[Tensor, _Term] = {}

    def hand_on(self, source: Tensor, tensor: Tensor) -> None:
        """Says that `tensor` is the value of `source` by another name."""
        if source in self._terms and self._uses[source] == 1:
            self._terms[tensor] = self._terms[source]

    def shortened(
        self,
        op: Any,
        names: Sequence[str],
        values: Sequence[np.ndarray | None],
        statement: Statement,
    ) -> tuple[np.ufunc, list[Any]] | None:
        """What to call in place of the operation, whose first input then need not be worked out if
        that was what a constant met.

        Args:
          op: the operation.
          names: of its inputs.
          values: of its inputs, as far as they are constants.
          statement: where it is worked out.

        Returns:
          NumPy's function and its arguments, names and arrays; None if nothing is shorter.
        """
        kind = op._spec.affine
        if (
            not kind
            or op._outputs[0]._dtype not in _DTYPES
            or (values[0] is None) == (values[1] is None)
        ):
            return None
        if len(op._graph._operations) < _FEWEST:
            return None
        place = int(values[0] is None)  # of the constant
        constant, base = values[place], op._inputs[1 - place]
        assert constant is not None
        is_product = kind in ("product", "quotient")
        negative = False
        with np.errstate(all="ignore"):
            if kind == "quotient":
                if place == 0:
                    return None
                constant = np.divide(constant.dtype.type(1), constant)
            elif kind == "difference":
                negative = place == 0
                constant = constant if negative else -constant
            inner = self._terms.get(base) if self._uses[base] == 1 else None
            if inner is None or inner.is_product != is_product:
                term = _Term(is_product, names[1 - place], negative, constant, statement)
                self._terms[op._outputs[0]] = term
                return term.written() if kind == "quotient" else None
            if is_product:
                met = inner.constant * constant
            else:
                met = constant - inner.constant if negative else constant + inner.constant
        inner.statement.drop()
        term = _Term(
            is_product, inner.base, negative != inner.is_negative, np.asarray(met), statement
        )
        self._terms[op._outputs[0]] = term
        return term.written()
