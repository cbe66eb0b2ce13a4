"""Running programs op by op on NumPy values, by the rules of `OpSpec.on_numpy`: a plain stand-in
for the runtime's host tier, to test these rules with."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import jax
import ml_dtypes
import numpy as np
import pytest

from tf1compat.core import errors, op_registry
from tf1compat.runtime import program, tiers
from tf1compat.runtime.plan import placement
from tf1compat.runtime.trace.checks import op_error
from tf1compat.runtime.trace.context import Context
from tf1compat.runtime.trace.interpreter import Interpreter
from tf1compat.runtime.trace.values import Ref, advance


class _Context(Context):
    def update(self, refs: Any, where: Any, change: Any, *operands: Any) -> None:
        """See `Context.update`."""
        tables = [ref.read() for ref in refs]
        for ref, value in zip(refs, change(tables, where, *operands), strict=True):
            ref.assign(value)


class EagerInterpreter(Interpreter):
    """Runs every operation by its rule for NumPy values."""

    def inner(self, variables: Any, effects: Any) -> Interpreter:
        other = EagerInterpreter(variables, effects, self.apply, self.session)
        other.decisions, other.notes, other.on_host = self.decisions, None, True
        return other

    def _folds(self, op: Any, values: list[Any]) -> bool:
        return False  # The rules themselves are to be tested.

    def lower(self, op: Any, values: list[Any]) -> Sequence[Any]:
        if not isinstance(op._spec, op_registry.OpSpec):  # a loop
            return super().lower(op, values)
        spec = op._spec
        rule = spec.on_numpy
        if rule is None:
            return super().lower(op, values)
        values = [
            self._ref_input(op, i, value) if type(value) is Ref else value
            for i, value in enumerate(values)
        ]
        keywords = dict(rule.keywords(op._attrs)) if rule.attrs else {}
        if "ctx" in rule.services:
            keywords["ctx"] = _Context(self, op)
        if "op" in rule.services:
            keywords["op"] = op
        grouped = spec.op_def is not None and spec.op_def.has_list_inputs
        args = op_registry.group_inputs(op, values) if grouped else values
        before = [value.copy() if type(value) is np.ndarray else None for value in values]
        try:
            with np.errstate(all="ignore"):
                try:
                    result = rule.function(*args, **keywords)
                except Exception as error:
                    if spec.numpy is not None and not isinstance(error, errors.OpError):
                        self._at_length(op, args)  # What a short form can't take, `lower` words.
                    raise
        except errors.OpError as error:
            if error.op is not None:
                raise
            raise op_error(type(error), op, error.message) from None
        # What changes something, or works on more than arrays, can't be done twice and compared.
        plain = all(isinstance(value, np.ndarray) for value in values)
        if spec.numpy is not None and plain and not (spec.writes or spec.flows or spec.random):
            self._compare_forms(op, args, result)
        for value, copy in zip(values, before):
            if copy is not None and copy.dtype != object:
                assert value.tobytes() == copy.tobytes(), f"{op.type} changes an input"
        results = list(result) if isinstance(result, tuple | list) else [result]
        return [_checked(op, tensor, value) for tensor, value in zip(op._outputs, results)]

    def _at_length(self, op: Any, args: Any) -> Any:
        """What `lower` gives, where an op type has a short form."""
        lower = op._spec.lower_on_numpy
        given = lower.keywords(op._attrs)
        services = {"ctx": _Context(self, op), "op": op}
        given.update({name: services[name] for name in lower.services})
        return lower.function(*args, **given)

    def _compare_forms(self, op: Any, args: Any, result: Any) -> None:
        """The short form of an op type does what `lower` does."""
        with np.errstate(all="ignore"):
            expected = self._at_length(op, args)
        pairs = zip(*[v if isinstance(v, tuple | list) else [v] for v in (result, expected)])
        for ours, theirs in pairs:
            ours, theirs = np.asarray(ours), np.asarray(theirs)
            assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape), op.type
            if ours.dtype.kind in "biuO":
                np.testing.assert_array_equal(ours, theirs, op.type)
            else:
                wide = np.complex128 if ours.dtype.kind == "c" else np.float64
                tolerance = 16 * float(ml_dtypes.finfo(ours.dtype).eps)
                ours, theirs = ours.astype(wide), theirs.astype(wide)
                np.testing.assert_allclose(ours, theirs, tolerance, tolerance, err_msg=op.type)

    def next_random(self, op: Any, reserve_128: int) -> tuple[Any, Any]:
        state = np.asarray(self.variables.current_generator(op))
        self.variables.random[op] = np.asarray(advance(state, reserve_128))
        return state[:2], state[2:]


def _checked(op: Any, tensor: Any, value: Any) -> Any:
    """An output as the interpreter keeps it, of the dtype that is declared."""
    for leaf in jax.tree.leaves(value):
        assert not isinstance(leaf, jax.Array), f"{op.type} gives an array of JAX's"
    if isinstance(value, np.generic):
        value = np.asarray(value)
    if isinstance(value, np.ndarray) and value.dtype.kind not in "O":
        declared = tensor.dtype.base_dtype
        if declared.as_numpy_dtype is not object:
            wanted = np.dtype(declared.as_numpy_dtype)
            wanted = wanted if wanted.fields is None else wanted[0]
            assert value.dtype == wanted, f"{op.type}: {value.dtype}, declared {wanted}"
    return value


@contextlib.contextmanager
def on_numpy() -> Iterator[None]:
    """Within, every operation of a run is a host step, one after the other."""
    with tiers.tier(tiers.XLA), pytest.MonkeyPatch.context() as patch:
        patch.setattr(placement, "runs_on_host", lambda op, feeds, decided: True)
        patch.setattr(program, "Interpreter", EagerInterpreter)
        yield
