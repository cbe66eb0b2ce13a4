"""How sparse ids and segments are written in JAX."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from tf1compat.core.tensor import Tensor
from tf1compat.migrate.source_call import Call, Written
from tf1compat.migrate.source_needs import Slope, takes_each
from tf1compat.migrate.source_text import ATOM, Expr, grouped
from tf1compat.runtime.plan import padding


def looked_up_alone(
    steps: Sequence[Any], feeds: Iterable[Tensor], results: Iterable[Tensor]
) -> set[Tensor]:
    """The distinct ids (of Unique) that number rows of tables and do nothing else: whether one is
    there twice makes no difference.

    Args:
      steps: all that is written.
      feeds: what is given; `results` is what all of it is for.
    """
    ops = sorted(dict.fromkeys(_inside(steps)), key=lambda op: op._id)
    return set(padding.in_one(ops, set(feeds), results))


def _inside(steps: Sequence[Any]) -> Iterator[Any]:
    """The steps, with what calls of `tf.gradients` differentiate in the place of these."""
    for step in steps:
        if isinstance(step, Slope):
            yield from _inside(step.steps)
        else:
            yield step


def _unique(call: Call) -> Written:
    if call.op._outputs[0] not in call.module.looked_up_alone:
        call.refuse("of which more is used than the rows of tables")
    return [call.args[0], Expr(f"jnp.arange({grouped(call.args[0], ATOM)}.size)")]


def _reshape(call: Call) -> Written:
    old, new = call.shape(1), call.shape(2)
    shape = f"inferred_shape({old}, {new})" if "-1" in new else new
    places = f"reshaped_places({call.inside(0)}, {old}, {shape})"
    return [Expr(places), Expr(shape, static=True)]


def _segments(how: str) -> Callable[[Call], Written]:
    name = {"mean": "segment_mean", "sqrt_n": "segment_sqrt_n"}.get(how, f"jax.ops.segment_{how}")

    def write(call: Call) -> Written:
        rows, ids = call.args[0], call.inside(len(call.args) - 1)
        if call.op.type.startswith("Sparse") and not takes_each(call.op):
            rows = Expr(f"{grouped(rows, ATOM)}[{call.inside(1)}]")
        return Expr(f"{name}({rows.text}, {ids}, {_count(call)})")

    return write


def _count(call: Call) -> str:
    """How many segments there are."""
    if call.op.type.endswith("WithNumSegments"):
        return call.shape(3)
    rows = (call.op._outputs[0]._shape or (None,))[0]
    found = call.module.most_segments if rows is None else rows
    if found is None:
        call.refuse("of as many segments as only the run tells: say `most_segments`")
    return str(found)


SPARSE: dict[str, Callable[[Call], Written]] = {
    "Unique": _unique,
    "SparseReshape": _reshape,
    "SegmentSum": _segments("sum"),
    "SegmentMean": _segments("mean"),
    "SegmentProd": _segments("prod"),
    "SparseSegmentSum": _segments("sum"),
    "SparseSegmentMean": _segments("mean"),
    "SparseSegmentSqrtN": _segments("sqrt_n"),
    "SparseSegmentSumWithNumSegments": _segments("sum"),
    "SparseSegmentMeanWithNumSegments": _segments("mean"),
    "SparseSegmentSqrtNWithNumSegments": _segments("sqrt_n"),
}

# Functions that these call.
SPARSE_HELPERS = {
    "segment_mean": '''def segment_mean(rows, ids, count):
    """The mean of the rows of each segment; 0 where there are none."""
    sizes = jax.ops.segment_sum(jnp.ones(ids.shape), ids, count)
    sums = jax.ops.segment_sum(rows, ids, count)
    return sums / jnp.maximum(sizes, 1).reshape(-1, *[1] * (rows.ndim - 1))''',
    "segment_sqrt_n": '''def segment_sqrt_n(rows, ids, count):
    """The sum of the rows of each segment, divided by the root of their number."""
    sizes = jax.ops.segment_sum(jnp.ones(ids.shape), ids, count)
    sums = jax.ops.segment_sum(rows, ids, count)
    return sums / jnp.sqrt(jnp.maximum(sizes, 1)).reshape(-1, *[1] * (rows.ndim - 1))''',
    "inferred_shape": '''def inferred_shape(old, new):
    """The new shape of an array, with what its -1 stands for."""
    return tuple(math.prod(old) // -math.prod(new) if size == -1 else size for size in new)''',
    "reshaped_places": '''def reshaped_places(places, old, new):
    """Where the elements of a sparse array are in another shape."""
    flat = jnp.ravel_multi_index(tuple(places.T), old, mode="clip")
    return jnp.stack(jnp.unravel_index(flat, new), axis=1)''',
}
