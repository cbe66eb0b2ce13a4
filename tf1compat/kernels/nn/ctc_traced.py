"""The loss of connectionist temporal classification as a function of arrays, for programs that
leave: `ctc.py` works with lists and in place, on the host, whose programs are not compiled anew for
each number of labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.backend import at, jax, jnp, lax
from tf1compat.core import errors
from tf1compat.core.typing import LoweringContext


def dense_labels(
    rows: Any,
    labels: Any,
    steps: Any,
    sizes: tuple[int, int],
    collapse: bool,
    ignore_longer: bool,
    ctx: LoweringContext,
) -> tuple[Any, Any, Any]:
    """The labels of each row, as many as time allows: (labels [B, L], lengths [B], steps [B]).

    Args:
      rows: [N], in order: the row that each label is of.
      labels: [N].
      steps: [B], how many time steps count.
      sizes: (time steps, classes).
      collapse: whether labels that follow an equal one are left out.
      ignore_longer: whether rows with more labels than steps are left out: they have 0 steps then.
    """
    time, classes = sizes
    batch = steps.shape[0]
    every = jnp.arange(batch)
    first, last = (jnp.searchsorted(rows, every, side=side) for side in ("left", "right"))
    given = last - first
    ctx.check(
        jnp.all(steps >= 0),
        errors.InvalidArgumentError,
        lambda steps: f"seq_len({np.argmax(steps < 0)}) < 0",
        steps=steps,
    )
    ctx.check(
        jnp.all(steps <= time),
        errors.InvalidArgumentError,
        lambda steps: f"sequence_length({np.argmax(steps > time)}) <= {time}",
        steps=steps,
    )
    ctx.check(
        jnp.all(given > 0),
        errors.InvalidArgumentError,
        lambda given: f"Labels length is zero in batch {np.argmin(given)}",
        given=given,
    )
    ctx.check(
        jnp.all(labels >= 0),
        errors.InvalidArgumentError,
        "All labels must be nonnegative integers",
    )
    is_long = given > steps
    if ignore_longer:
        steps = jnp.where(is_long, 0, steps)
    else:
        ctx.check(
            ~jnp.any(is_long),
            errors.InvalidArgumentError,
            _not_enough_time,
            given=given,
            steps=steps,
        )
    kept = labels < classes - 1
    is_first = jnp.concatenate([jnp.ones(1, bool), rows[1:] != rows[:-1]])
    after_blank = jnp.concatenate([jnp.zeros(1, bool), ~kept[:-1] & kept[1:]]) & ~is_first
    ctx.check(
        ~jnp.any(after_blank),
        errors.InvalidArgumentError,
        "Saw a non-null label (index >= num_classes - 1) following a null label",
    )
    if collapse:
        equal = jnp.concatenate([jnp.zeros(1, bool), labels[1:] == labels[:-1]])
        kept = kept & (is_first | ~equal)
    count = jnp.concatenate([jnp.zeros(1, jnp.int32), jnp.cumsum(kept, dtype=jnp.int32)])
    places = count[:-1] - count[first][rows]
    room = max(min(labels.shape[0], time), 1)
    empty = jnp.zeros((batch, room), jnp.int32)
    where = (jnp.where(kept, rows, batch), places)
    dense = at(empty)[where].set(labels.astype(jnp.int32), mode="drop")
    return dense, count[last] - count[first], steps


def _not_enough_time(given: Any, steps: Any) -> str:
    row = int(np.argmax(given > steps))
    return (
        f"Not enough time for target transition sequence (required: {given[row]}, available: "
        f"{steps[row]}){row}You can turn this error into a warning by using the flag "
        "ignore_longer_outputs_than_inputs"
    )


def loss(inputs: Any, labels: Any, lengths: Any, steps: Any, merge_repeated: bool) -> Any:
    """Losses [B] and their gradients [T, B, C]: sums over all ways through time, as logarithms.

    Args:
      inputs: logits [T, B, C]; the last class is the blank.
      labels: [B, L], of which `lengths` [B] count.
      steps: [B], how many time steps count.
      merge_repeated: whether the same class at two steps may stand for one label.
    """
    time, batch, classes = inputs.shape
    kind = inputs.dtype
    none = jnp.array(-jnp.inf, kind)
    # As TF: what underflows here has no path.
    probability = jax.nn.softmax(inputs, axis=-1)
    # Labels with blanks around them.
    states = 2 * labels.shape[1] + 1
    places = jnp.arange(states)
    symbols = jnp.full((batch, states), classes - 1, labels.dtype)
    symbols = at(symbols)[:, 1::2].set(labels)
    last = 2 * lengths[:, None]
    every = jnp.arange(batch)[:, None]
    emission = jnp.where(places <= last, jnp.log(probability[:, every, symbols]), none)
    is_label = places % 2 == 1
    repeats = jnp.pad(symbols[:, 2:] == symbols[:, :-2], ((0, 0), (2, 0)))
    stays = jnp.where(is_label & (not merge_repeated), none, 0)
    skips = jnp.where(is_label & ~(repeats & merge_repeated), 0, none)

    def shifted(x: Any, by: int) -> Any:
        """What is `by` states before; after, if that is negative."""
        more = ((0, 0), (max(by, 0), max(-by, 0)))
        return jnp.pad(x, more, constant_values=-jnp.inf)[:, max(-by, 0) :][:, :states]

    def forward(before: Any, emitted: Any) -> Any:
        ways = [before + stays, shifted(before, 1), shifted(before, 2) + skips]
        alpha = emitted + _log_sum(jnp.stack(ways))
        return alpha, alpha

    start = jnp.where(places < 2, emission[0], none)
    _, later = lax.scan(forward, start, emission[1:])
    alphas = jnp.concatenate([start[None], later])
    final = jnp.where((places == last) | (places == last - 1), jnp.array(0, kind), none)

    def backward(after: Any, given: Any) -> Any:
        emitted, t = given
        ahead = after + emitted
        ways = [ahead + stays, shifted(ahead, -1), shifted(ahead + skips, -2)]
        beta = jnp.where((t >= steps - 1)[:, None], final, _log_sum(jnp.stack(ways)))
        return beta, beta

    _, earlier = lax.scan(backward, final, (emission[1:], jnp.arange(time - 1)), reverse=True)
    betas = jnp.concatenate([earlier, final[None]])

    likelihood = _log_sum((alphas[0] + betas[0]).T)
    possible = jnp.isfinite(likelihood)[:, None]
    weights = jnp.exp(alphas + betas - jnp.where(possible, likelihood[:, None], 0))
    weights = jnp.where(possible, weights, 0)
    grad = at(probability)[:, every, symbols].add(-weights)
    grad = jnp.where((jnp.arange(time)[:, None] < steps)[..., None], grad, 0)
    return jnp.where(steps == 0, 0, -likelihood).astype(kind), grad.astype(kind)


def _log_sum(terms: Any) -> Any:
    """log(sum of exp) over the first dimension, also where all is -inf."""
    highest = terms.max(0)
    offset = jnp.where(jnp.isfinite(highest), highest, 0)
    return jnp.log(jnp.exp(terms - offset).sum(0)) + offset
