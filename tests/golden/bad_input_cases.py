"""Inputs of wrong ranks, sizes and values for every row of the op table, fed while a graph runs.

Runs under the real TensorFlow 1.15 (Python 3.7) as well as under this project's Python. The
placeholders know no shape, so that it is the kernels that have to notice.
"""

from __future__ import annotations

import numpy as np
import op_table
from op_table import driver

# Ops whose kernels draw, read the clock, or go by what the process did before.
_SKIPPED = ("random", "Random", "Multinomial", "CandidateSampler", "Shuffle", "Timestamp")


def rows():
    """One row, in float32 if possible, for each op type and label, by its key."""
    found = {}
    for table in op_table.TABLES:
        for case in op_table.rows(table):
            sweep = "{}/{}".format(case.op, case.label)
            if case.raises or not case.inputs or any(part in case.op for part in _SKIPPED):
                continue
            if sweep not in found or case.dtype == "float32":
                found[sweep] = case
    return {case.key: case for case in found.values()}


def mutations(array):
    """Names and values of what is fed instead of an input."""
    if array.ndim:
        if array.size:
            yield (
                "scalar",
                array.ravel()[0].reshape(())
                if array.dtype != object
                else np.array(array.ravel()[0], object),
            )
            yield "one_more", np.concatenate([array, array[:1]])
            yield "one_less", array[:-1]
            yield "no_rows", array[:0]
            if array.ndim > 1:
                yield "wider", np.concatenate([array, array[..., :1]], -1)
                yield "flat", array.ravel()
            if array.ndim > 1 or len(array) > 1:
                yield "nothing", array.ravel()[:0]
        yield "more", array[None]
    else:
        yield "vector", array.reshape([1])
        yield "nothing", array.reshape([1])[:0]
        yield "more", array.reshape([1, 1])
    if array.size:
        for name, value in _delicate(array.dtype):
            changed = array.copy()
            changed.flat[0] = value
            if not np.array_equal(changed, array):
                yield name, changed


def _delicate(dtype):
    if dtype.kind == "i":
        return [("minus", -1), ("zero", 0), ("far", 100)]
    if dtype.kind == "u":
        return [("zero", 0), ("far", 100)]
    if dtype.kind == "f":
        return [("minus", -1), ("zero", 0), ("nan", np.nan), ("inf", np.inf)]
    if dtype.kind in "OS":
        return [("no_text", b""), ("bytes", b"\xff\x00,"), ("word", b"word")]
    return []


class Row:
    """A row, recorded in a graph of its own.

    Args:
      tf: the tensorflow module.
      case: the row.
      session: makes a session.
      device: where its operations are.
    """

    def __init__(self, tf, case, session=None, device=""):
        self._tf = tf
        self._arrays = case.arrays()
        try:
            self._build(tf, case, "rank_unknown", device)
        except Exception:
            self._build(tf, case, "dims_unknown", device)
        with self._graph.as_default():
            self._initializer = tf.global_variables_initializer()
            self._session = (session or tf.Session)()

    def _build(self, tf, case, variant, device):
        self._graph = tf.Graph()
        with self._graph.as_default(), tf.device(device):
            tf.set_random_seed(5)
            self._built = driver.build(tf, case, variant)

    def cases(self):
        """Names of cases and what is fed for which input."""
        for i, array in enumerate(self._arrays):
            array = array.astype(object) if array.dtype.kind == "S" else array
            for name, value in mutations(array):
                yield "{}/{}".format(i, name), i, value

    def run(self, i, value):
        """`[class, text]` of what running says, or the outputs and variables afterwards."""
        built = self._built
        feeds = dict(zip(built.inputs, self._arrays))
        feeds[built.inputs[i]] = value
        self._session.run(self._initializer)
        try:
            outputs = self._session.run([built.outputs, built.operations], feeds)[0]
            return {"outputs": outputs, "after": self._session.run(built.variables)}
        except self._tf.errors.OpError as error:
            text = driver.root_text(error.message)
            return [type(error).__name__, text]
        except Exception as error:
            return [type(error).__name__, str(error)]

    def close(self):
        self._session.close()
