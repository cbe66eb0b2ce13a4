"""Every row of the op table against TensorFlow 1.15: values, gradients, static shapes, graphs and
errors.

The rows of a batch share one graph and one run (`op_table.batch`); each is a test, of all that its
golden has (`CHECKS`). They run on the host tier; `test_ops_in_xla.py` has them in XLA's programs.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

import op_table
import quick_compilation
from op_table import batch, compare, driver, store
from op_table.batch import Row

from tf1compat.runtime.compile import cache

# TensorFlow warns so, too.
pytestmark = pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices")
ROWS = [row for table in batch.rows().values() for row in table]


@pytest.fixture(scope="module", autouse=True)
def _compiled_quickly() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache, "compiled", quick_compilation.compiled)
        yield


# What is checked of a row: (of which rows, how).
CHECKS: list[tuple[Callable[[Row], bool], Callable[[Any, Row], None]]] = []


def _check(of: Callable[[Row], bool]) -> Callable[[Any], Any]:
    """Decorator: a check of the rows of which `of` holds."""

    def add(check: Callable[[Any, Row], None]) -> Callable[[Any, Row], None]:
        CHECKS.append((of, check))
        return check

    return add


def _result(tf: Any, row: Row, variant: str = "full") -> batch.Result:
    result = batch.result(tf, row, variant)
    if result.error is not None:
        raise result.error
    return result


@pytest.mark.parametrize("table", op_table.TABLES)
def test_goldens_are_recorded(table: str) -> None:
    assert list(store.load(table)) == [case.key for case in op_table.rows(table)]


@_check(lambda row: row.has_values)
def outputs(tensorflow: Any, row: Row) -> None:
    """The outputs' values, and what the variables hold after the run."""
    result = _result(tensorflow, row)
    expected = store.unpack(row.golden["outputs"])
    assert len(result.outputs) == len(expected)
    for i, (ours, theirs) in enumerate(zip(result.outputs, expected, strict=True)):
        compare.assert_close(row, f"output {i}", ours, theirs)
    for i, theirs in enumerate(store.unpack(row.golden.get("after", []))):
        compare.assert_close(row, f"variable {i} after the run", result.after[i], theirs)


@_check(lambda row: row.has_values and row.has_gradients)
def gradients(tensorflow: Any, row: Row) -> None:
    compare.assert_same_gradients(row, _result(tensorflow, row).gradients, row.golden["gradients"])


@_check(lambda row: isinstance(row.golden.get("second"), list))
def second_gradients(tensorflow: Any, row: Row) -> None:
    compare.assert_same_gradients(row, _result(tensorflow, row).second, row.golden["second"])


@_check(batch.wants_variant)
def without_static_shapes(tensorflow: Any, row: Row) -> None:
    """Outputs and gradients when the graph is told no shape."""
    result = _result(tensorflow, row, "rank_unknown")
    for i, theirs in enumerate(store.unpack(row.golden["outputs"])):
        compare.assert_close(row, f"output {i}", result.outputs[i], theirs)
    if row.has_gradients:
        compare.assert_same_gradients(row, result.gradients, row.golden["gradients"])


@_check(lambda row: row.has_values and row.is_real)
def finite_differences(tensorflow: Any, row: Row) -> None:
    """The gradients are the derivative of the outputs, along one direction."""
    result, case = _result(tensorflow, row), row.case
    if isinstance(result.gradients, Exception):
        raise result.gradients
    outputs = store.unpack(row.golden["outputs"])
    chosen = driver.differentiated_outputs(case, outputs)
    starts = driver.initial_gradients(case, outputs, chosen)
    terms = [
        np.real(np.conj(start) * (result.ahead[i] - result.behind[i])) / (2 * batch.STEP)
        for i, start in zip(chosen, starts, strict=True)
    ]
    arrays = case.arrays()
    slopes = [
        _dense(gradient, arrays[i].shape) * batch.direction(case, i, arrays[i])
        for i, gradient in zip(case.differentiated(), result.gradients, strict=True)
        if gradient is not None
    ]
    scale = sum(float(np.abs(term).sum()) for term in [*terms, *slopes]) + 1
    difference = sum(float(np.sum(term)) for term in terms)
    slope = sum(float(np.sum(term)) for term in slopes)
    assert abs(difference - slope) < 1e-6 * scale, (difference, slope)


def _dense(gradient: Any, shape: tuple[int, ...]) -> np.ndarray:
    if not isinstance(gradient, dict):
        return gradient
    dense = np.zeros(shape, gradient["values"].dtype)
    np.add.at(dense, gradient["indices"], gradient["values"])
    return dense


@_check(lambda row: "shapes" in row.golden)
def static_shapes(tensorflow: Any, row: Row) -> None:
    """The outputs' static shapes, or the error, for four degrees of knowledge of the inputs'
    shapes."""
    found = {name: driver.static_shapes(tensorflow, row.case, name) for name in driver.VARIANTS}
    assert found == row.golden["shapes"]


@_check(lambda row: "graph" in row.golden)
def graph(tensorflow: Any, row: Row) -> None:
    """The recorded nodes, gradients included: op types, names, inputs, attrs, order."""
    found = driver.recorded_graph(tensorflow, row.case, row.has_gradients)
    assert found == row.golden["graph"]


@_check(lambda row: "error" in row.golden)
def error(tensorflow: Any, row: Row) -> None:
    """The class and the text of what is raised, and whether recording or running raises it."""
    when, name, text = _failure(tensorflow, row)
    assert (when, name) == (row.golden["when"], row.golden["error"][0]), text
    assert text == row.golden["error"][1]


def _failure(tf: Any, row: Row) -> tuple[str, str, str]:
    with tf.Graph().as_default():
        try:
            built = driver.build(tf, row.case)
        except Exception as error:
            return "build", type(error).__name__, str(error)
        with tf.Session() as session:
            try:
                session.run(tf.global_variables_initializer())
                session.run([built.outputs, built.operations], driver.feeds(row.case, built))
            except tf.errors.OpError as error:
                return "run", type(error).__name__, driver.root_text(error.message)
    return "never", "nothing", "nothing was raised"


@_check(lambda row: row.has_values and "error" in (row.golden.get("gradients") or {}))
def gradient_error(tensorflow: Any, row: Row) -> None:
    """What `tf.gradients` raises where TensorFlow does not differentiate the row."""
    golden = row.golden["gradients"]
    with tensorflow.Graph().as_default():
        built = driver.build(tensorflow, row.case)
        with pytest.raises(Exception) as caught:
            driver.gradients(tensorflow, row.case, built, store.unpack(row.golden["outputs"]))
    assert [type(caught.value).__name__, str(caught.value)] == golden["error"]


@functools.cache
def _jax_gradients(tf: Any, number: int) -> dict[str, Any]:
    """The gradients that JAX finds for a batch, exported as one function: by row key, one list
    each."""
    return _export_or_split(tf, [row for row in batch.batches()[number] if row.is_exported])


def _export_or_split(tf: Any, rows: list[Row]) -> dict[str, Any]:
    try:
        return _export(tf, rows)
    except Exception as error:
        if len(rows) == 1:
            return {rows[0].case.key: error}
    middle = len(rows) // 2
    return {**_export_or_split(tf, rows[:middle]), **_export_or_split(tf, rows[middle:])}


def _export(tf: Any, rows: list[Row]) -> dict[str, Any]:
    import jax

    from tf1compat import migrate

    fetches, inputs, arrays, starts, places = [], [], [], [], {}
    with tf.Graph().as_default():
        for row in rows:
            case, outputs = row.case, store.unpack(row.golden["outputs"])
            built = driver.build(tf, case)
            chosen = driver.differentiated_outputs(case, outputs)
            fetches += [built.outputs[i] for i in chosen]
            # JAX pulls back by the transpose, TensorFlow by its conjugate.
            starts += [np.conj(start) for start in driver.initial_gradients(case, outputs, chosen)]
            places[case.key] = [len(inputs) + i for i in case.differentiated()]
            inputs += built.inputs
            arrays += case.arrays()
        function, params = migrate.to_jax(fetches, inputs)
    wanted = [i for places_of_row in places.values() for i in places_of_row]

    def of_wanted(params: Any, values: list) -> Any:
        full = list(arrays)
        for i, value in zip(wanted, values, strict=True):
            full[i] = value
        return function(params, *full)

    def pull_back(params: Any, values: list, starts: list) -> Any:
        _, pull = jax.vjp(functools.partial(of_wanted, params), values)
        return pull(starts)[0]

    with jax.enable_x64(True):
        pull_back = jax.jit(pull_back, compiler_options=quick_compilation.options())
        found = pull_back(params, [arrays[i] for i in wanted], starts)
    by_place = dict(zip(wanted, found, strict=True))
    return {key: [np.asarray(by_place[i]) for i in own] for key, own in places.items()}


@_check(lambda row: row.is_exported)
def jax_gradients(tensorflow: Any, row: Row) -> None:
    """JAX's gradient of the exported function is that of `tf.gradients`, kinks and stopped
    gradients included."""
    number = batch.batch_numbers()[row.table, row.case.key]
    found = _jax_gradients(tensorflow, number)[row.case.key]
    if isinstance(found, Exception):
        raise found
    arrays = row.case.arrays()
    positions = row.case.differentiated()
    expected = [
        np.zeros_like(arrays[i]) if gradient is None else _dense(gradient, arrays[i].shape)
        for i, gradient in zip(positions, store.unpack(row.golden["gradients"]), strict=True)
    ]
    for i, ours, theirs in zip(positions, found, expected, strict=True):
        compare.assert_close(
            row, f"gradient {i}", np.conj(ours), theirs, compare.scale_of(expected)
        )


def _parameter(row: Row) -> Any:
    """A row; those of one batch in one worker, where tests run in several."""
    group = batch.batch_numbers().get((row.table, row.case.key), row.table)
    return pytest.param(row, id=row.case.key, marks=pytest.mark.xdist_group(f"ops{group}"))


# Of the others it is known only that TensorFlow has no kernel for them.
CHECKED = [_parameter(row) for row in ROWS if any(of(row) for of, _ in CHECKS)]


@pytest.mark.parametrize("row", CHECKED)
def test_row(tensorflow: Any, row: Row) -> None:
    """All checks of the row, each by itself: of which there are several for most, and a test costs
    4 ms where it runs in several processes."""
    failures = []
    for check in (check for of, check in CHECKS if of(row)):
        try:
            check(tensorflow, row)
        except Exception as failure:
            failure.add_note(f"That is what `{check.__name__}` found.")
            failures.append(failure)
    if failures:
        raise failures[0] if len(failures) == 1 else ExceptionGroup(row.case.key, failures)
