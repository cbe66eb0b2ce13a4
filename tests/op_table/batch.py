"""Running many rows of the table in one graph and one `Session.run`, because compiling costs more
than computing."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np

import op_table
from op_table import driver, store
from op_table.case import Case, pseudo_random

BATCH_SIZE = 40
# Rows whose shapes depend on values split the program into regions: fewer of them share a graph.
HOST_BATCH_SIZE = 15
STEP = 1e-6
NARROW = ("float16", "float32", "complex64")

Golden = dict[str, Any]


@dataclasses.dataclass(frozen=True)
class Row:
    """A row and its golden.

    Attributes:
      table: the table's name.
      case: the row.
      golden: what TensorFlow does, arrays still packed.
    """

    table: str
    case: Case
    golden: Golden

    @property
    def has_values(self) -> bool:
        return "outputs" in self.golden

    @property
    def has_gradients(self) -> bool:
        """Whether TensorFlow differentiates the row (to a None, at least)."""
        return isinstance(self.golden.get("gradients"), list)

    @property
    def is_exported(self) -> bool:
        """Whether JAX differentiates the row, exported as a function."""
        plain = not self.case.no_jax and not self.case.variables and self.case.stands_for_sweep
        return plain and self.has_values and self.has_gradients

    @functools.cached_property
    def is_real(self) -> bool:
        """Whether finite differences can check the row: smooth, and 64 bits wide throughout."""
        arrays = self.case.arrays()
        positions = [i - len(self.case.variables) for i in self.case.differentiated()]
        return (
            self.case.smooth
            and self.has_gradients
            and not self.case.variables
            and all(arrays[i].dtype == np.float64 for i in positions)
            and all(output["@"] not in NARROW for output in self.golden["outputs"])
            and self.golden["gradients"] != [None] * len(positions)
        )


@dataclasses.dataclass
class Result:
    """What our package made of a row.

    Attributes:
      error: the exception that recording or running it raised, if any; the other fields are then
        empty.
      outputs, gradients, second, after: as in the golden; `gradients` and `second` may be the
        exception that they raised.
      ahead, behind: the outputs for inputs moved by a small step in the row's direction, and by the
        opposite step, where `is_real` rows are to be moved.
    """

    error: Exception | None = None
    outputs: list = dataclasses.field(default_factory=list)
    gradients: Any = None
    second: Any = None
    after: list = dataclasses.field(default_factory=list)
    ahead: list = dataclasses.field(default_factory=list)
    behind: list = dataclasses.field(default_factory=list)


@functools.cache
def rows() -> dict[str, list[Row]]:
    """All rows that have a golden, by table."""
    found = {}
    for table in op_table.TABLES:
        goldens = store.load(table)
        found[table] = [
            Row(table, case, goldens[case.key])
            for case in op_table.rows(table)
            if case.key in goldens
        ]
    return found


@functools.cache
def batches() -> list[list[Row]]:
    """The rows with values, cut into batches of one table and one kind."""
    found = []
    for table in rows().values():
        with_values = [row for row in table if row.has_values]
        for host, size in ((False, BATCH_SIZE), (True, HOST_BATCH_SIZE)):
            chosen = [row for row in with_values if bool(row.case.no_jax) == host]
            found += [chosen[i : i + size] for i in range(0, len(chosen), size)]
    return found


@functools.cache
def batch_numbers() -> dict[tuple[str, str], int]:
    """The batch that each row belongs to, by table and key."""
    return {
        (row.table, row.case.key): number for number, batch in enumerate(batches()) for row in batch
    }


def batch_names() -> list[str]:
    """The batches' names, in order: the table, and the number among the table's batches."""
    counts: dict[str, int] = {}
    names = []
    for batch in batches():
        table = batch[0].table
        counts[table] = counts.get(table, 0) + 1
        names.append(f"{table}-{counts[table]}")
    return names


def direction(case: Case, position: int, array: np.ndarray) -> np.ndarray:
    """The direction in which finite differences step."""
    return pseudo_random(array.shape, array.dtype, f"{case.key}:d{position}")


_results: dict[tuple[int, str], dict[str, Result]] = {}


# Whether the inputs of rows are moved, for finite differences.
moves = True


def result(tf: Any, row: Row, variant: str = "full") -> Result:
    """What our package makes of a row; its whole batch runs on first use."""
    number = batch_numbers()[row.table, row.case.key]
    key = number, variant
    if key not in _results:
        batch = [other for other in batches()[number] if variant == "full" or wants_variant(other)]
        _results[key] = run_or_split(tf, batch, variant)
    return _results[key][row.case.key]


def wants_variant(row: Row) -> bool:
    """Whether the row is also run with placeholders that know no shape."""
    return row.golden.get("rank_unknown") == "same"


def run_or_split(tf: Any, batch: list[Row], variant: str = "full") -> dict[str, Result]:
    """Runs a batch; if the run fails, looks for the rows that make it fail by halving it."""
    try:
        return run(tf, batch, variant)
    except Exception as error:
        if len(batch) == 1:
            return {batch[0].case.key: _run_in_part(tf, batch[0], variant, error)}
    middle = len(batch) // 2
    return {
        **run_or_split(tf, batch[:middle], variant),
        **run_or_split(tf, batch[middle:], variant),
    }


def _run_in_part(tf: Any, row: Row, variant: str, error: Exception) -> Result:
    """A row that fails, without its second gradients, or without any."""
    for orders in (1, 0):
        try:
            found = run(tf, [row], variant, orders)[row.case.key]
        except Exception as worse:
            error = worse
            continue
        if orders == 0:
            found.gradients = error
        found.second = error
        return found
    return Result(error)


def run(tf: Any, batch: list[Row], variant: str = "full", orders: int = 2) -> dict[str, Result]:
    """Records rows, differentiated up to `orders` times, in one graph, and runs them in one run."""
    found: dict[str, Result] = {}
    recorded, fetches, variables = {}, {}, {}
    feeds, ahead, behind, outputs = {}, {}, {}, {}
    with tf.Graph().as_default():
        for row in batch:
            case = row.case
            try:
                built = driver.build(tf, case, variant)
            except Exception as error:
                found[case.key] = Result(error)
                continue
            recorded[case.key] = _differentiate(tf, row, built, orders)
            fetches[case.key] = _present(recorded[case.key])
            if built.variables:
                variables[case.key] = built.variables
            move = moves and variant == "full" and row.is_real
            wanted = case.differentiated() if move else []
            if move:
                outputs[case.key] = built.outputs
            for i, (placeholder, array) in enumerate(zip(built.inputs, case.arrays(), strict=True)):
                step = STEP * direction(case, i, array) if i in wanted else None
                feeds[placeholder] = array
                ahead[placeholder] = array if step is None else array + step
                behind[placeholder] = array if step is None else array - step
        with tf.Session() as session:
            if variables:
                session.run(tf.global_variables_initializer())
            values = session.run(fetches, feeds)
            after = session.run(variables) if variables else {}
            ahead_values = session.run(outputs, ahead) if outputs else {}
            behind_values = session.run(outputs, behind) if outputs else {}
    for key, value in values.items():
        found[key] = Result(
            None,
            value["outputs"],
            _spread(recorded[key], value, "gradients"),
            _spread(recorded[key], value, "second"),
            after.get(key, []),
            ahead_values.get(key, []),
            behind_values.get(key, []),
        )
    return found


def _differentiate(tf: Any, row: Row, built: driver.Built, orders: int) -> dict[str, Any]:
    """The tensors to fetch: outputs, gradients and second gradients, or an exception for these."""
    case, golden = row.case, row.golden
    tensors: dict[str, Any] = {"outputs": built.outputs, "operations": built.operations}
    if row.has_gradients and orders > 0:
        try:
            outputs = store.unpack(golden["outputs"])
            tensors["gradients"] = driver.gradients(tf, case, built, outputs)
        except Exception as error:
            return {**tensors, "gradients": error, "second": error}
    if isinstance(golden.get("second"), list) and orders > 1:
        try:
            first = store.unpack(golden["gradients"])
            tensors["second"] = driver.second_gradients(
                tf, case, built, tensors["gradients"], first
            )
        except Exception as error:
            tensors["second"] = error
    return tensors


def _present(tensors: dict[str, Any]) -> dict[str, Any]:
    """The tensors without the None among them, which Session.run does not fetch."""
    return {
        name: [tensor for tensor in part if tensor is not None]
        for name, part in tensors.items()
        if not isinstance(part, Exception)
    }


def _spread(tensors: dict[str, Any], values: dict[str, Any], name: str) -> Any:
    """The fetched gradients with None put back where there was none."""
    part = tensors.get(name)
    if part is None or isinstance(part, Exception):
        return part
    present = iter(values[name])
    return [None if tensor is None else driver.encode_gradient(next(present)) for tensor in part]
