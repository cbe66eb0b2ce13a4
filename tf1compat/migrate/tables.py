"""Lookup tables of numbers as arrays: the keys, sorted, and the values of these."""

from __future__ import annotations

import types
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tf1compat.core import dtypes
from tf1compat.core.operation import Operation
from tf1compat.kernels.lookup import lookup
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.trace.values import Ref

_TABLES = ("HashTable", "MutableHashTable", "MutableHashTableOfTensors")
_FIND, _SIZE = "LookupTableFind", "LookupTableSize"


def is_table(op: Operation) -> bool:
    """Whether `op` owns a table that arrays can stand for: of numbers."""
    if op.type.removesuffix("V2") not in _TABLES:
        return False
    return dtypes.string not in (op._attrs["key_dtype"], op._attrs["value_dtype"])


def looks_up(op: Operation) -> bool:
    """Whether `op` reads such a table."""
    if op.type.removesuffix("V2") not in (_FIND, _SIZE):
        return False
    return is_table(plan_lib.source_of(op._inputs[0])._op)


def arrays(op: Operation, session: Any) -> tuple[np.ndarray, np.ndarray]:
    """What the table that `op` owns holds in a session: (keys [n], values [n, ...]).

    Raises:
      ValueError: there is no session, its table is not initialized, or keys do not fit.
    """
    if session is None:
        text = (
            f"No session to read table {op.name} from: pass `session`, or call to_jax inside "
            f"`with sess:`"
        )
        raise ValueError(op._graph.error_text(op, text))
    key = plan_lib.variable_key(op._outputs[0])
    handle: Any = types.SimpleNamespace(key=key, source=op)
    table = lookup.table_of(types.SimpleNamespace(session=session), handle)
    if not getattr(table, "is_initialized", True):
        text = (
            f"Table {op.name} is not initialized in the session: run tf.tables_initializer() first"
        )
        raise ValueError(op._graph.error_text(op, text))
    keys, values = table.export()
    order = np.argsort(keys)
    fits = jax.dtypes.canonicalize_dtype(keys.dtype)
    if keys.dtype.kind == "i" and keys.size and np.any(keys != keys.astype(fits)):
        text = f"Keys of table {op.name} do not fit into {fits}: set jax_enable_x64"
        raise ValueError(op._graph.error_text(op, text))
    return keys[order], values[order]


def look_up(op: Operation, table: Ref, inputs: list[Any]) -> list[Any]:
    """What `op` gives for a table, and for keys and a default."""
    known, values = (jnp.asarray(part) for part in table.read())
    if op.type.removesuffix("V2") == _SIZE:
        return [jnp.asarray(known.shape[0], np.int64)]
    keys, default = (jnp.asarray(value) for value in inputs)
    shape = keys.shape + values.shape[1:]
    if not known.shape[0]:
        return [jnp.broadcast_to(default, shape)]
    place = jnp.minimum(jnp.searchsorted(known, keys), known.shape[0] - 1)
    found = (known[place] == keys).reshape(keys.shape + (1,) * (values.ndim - 1))
    return [jax.lax.stop_gradient(jnp.where(found, values[place], default))]
