"""Stochastic dual coordinate ascent for linear models with L1 and L2 regularization
(Shalev-Shwartz and Zhang, 2013; the steps for several workers: Ma et al., 2015). On the host."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from tf1compat.core import shapes
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.shapes import Shape
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import refuse
from tf1compat.kernels.text.string_hash import fingerprint128

_NEWTON_STEPS = 10


class _Point(NamedTuple):
    """What a step for one example starts from.

    Attributes:
      label: of the example, as the loss takes it.
      weight: of the example.
      dual: its dual variable.
      wx: the model's prediction.
      norm: the example's squared norm, times the workers, times its weight, by the L2.
    """

    label: float
    weight: float
    dual: float
    wx: float
    norm: float


class _Loss(NamedTuple):
    """A loss: the dual variable after a step, and the primal and dual losses of weight 1.

    Attributes:
      step: of a `_Point`.
      primal: of a label and a prediction.
      dual: of a label and a dual variable.
      signs: whether labels are 0 and 1, and are taken as -1 and 1.
    """

    step: Callable[[_Point], float]
    primal: Callable[[float, float], float]
    dual: Callable[[float, float], float]
    signs: bool = False


def _newton(x: float, move: Callable[[float], float]) -> float:
    for _ in range(_NEWTON_STEPS):
        x -= move(x)
    return x


def _logistic_step(p: _Point) -> float:
    def move(x: float) -> float:
        t = math.tanh(x)
        above = -2 * p.label * x - p.wx - p.norm * (0.5 * (1 + t) / p.label - p.dual)
        below = -2 * p.label - p.norm * (1 - t * t) * 0.5 / p.label
        return above / below

    return 0.5 * (1 + math.tanh(_newton(0.0, move))) / p.label


def _logistic_primal(label: float, wx: float) -> float:
    margin = label * wx
    return math.log1p(math.exp(-margin)) if margin > 0 else math.log1p(math.exp(margin)) - margin


def _entropy(x: float) -> float:
    return x * math.log(x) if x > 0 else 0.0


def _logistic_dual(label: float, dual: float) -> float:
    share = label * dual
    return _entropy(share) + _entropy(1 - share)


def _clipped(label: float, dual: float) -> float:
    """A dual variable between 0 and its label."""
    share = label * dual
    return 0.0 if share < 0 else label if share > 1 else dual


def _hinge_step(p: _Point) -> float:
    return _clipped(p.label, p.dual + (p.label - p.wx) / p.norm if p.norm else math.inf)


def _hinge_dual(label: float, dual: float) -> float:
    share = label * dual
    return -share if 0 <= share <= 1 else math.inf


def _smooth_hinge_step(p: _Point) -> float:
    return _clipped(p.label, p.dual + (p.label - p.wx - p.dual) / (p.norm + 1))


def _smooth_hinge_primal(label: float, wx: float) -> float:
    margin = label * wx
    return 0.0 if margin >= 1 else 0.5 - margin if margin <= 0 else 0.5 * (1 - margin) ** 2


def _smooth_hinge_dual(label: float, dual: float) -> float:
    return _hinge_dual(label, dual) + 0.5 * dual * dual


def _poisson_step(p: _Point) -> float:
    def move(x: float) -> float:
        rate = math.exp(x)
        return (x - p.wx - p.norm * (p.label - rate - p.dual)) / (1 + p.norm * rate)

    start = math.log(p.label) if p.label > 0 else 0.0
    return p.label - math.exp(_newton(start, move))


def _poisson_dual(label: float, dual: float) -> float:
    rate = label - dual
    return rate * (math.log(rate) - 1) if rate > 0 else 0.0 if rate == 0 else math.inf


_LOSSES = {
    "logistic_loss": _Loss(_logistic_step, _logistic_primal, _logistic_dual, signs=True),
    "squared_loss": _Loss(
        lambda p: p.dual + (p.label - p.dual - p.wx) / (1 + p.norm),
        lambda label, wx: 0.5 * (wx - label) ** 2,
        lambda label, dual: dual * (0.5 * dual - label),
    ),
    "hinge_loss": _Loss(
        _hinge_step, lambda label, wx: max(0.0, 1 - label * wx), _hinge_dual, signs=True
    ),
    "smooth_hinge_loss": _Loss(
        _smooth_hinge_step, _smooth_hinge_primal, _smooth_hinge_dual, signs=True
    ),
    "poisson_loss": _Loss(
        _poisson_step, lambda label, wx: math.exp(wx) - wx * label, _poisson_dual
    ),
}


class _Feature:
    """A group of features: each example's places in a vector of weights, and its values there.

    Args:
      examples: int64 [entries], the example of each entry.
      places: int64 [entries].
      values: float64 [entries].
      weights: float32 of any shape, before the steps.
      count: how many examples there are.
    """

    def __init__(
        self, examples: np.ndarray, places: np.ndarray, values: np.ndarray, weights: np.ndarray,
        count: int,
    ):  # fmt: skip
        order = np.argsort(examples, kind="stable")
        cuts = np.searchsorted(examples[order], np.arange(1, count))
        self._places = np.split(places[order], cuts)
        self._values = np.split(values[order], cuts)
        self._shape = weights.shape
        self.weights = weights.astype(np.float64).ravel()
        self.deltas = np.zeros_like(self.weights)

    def change(self) -> np.ndarray:
        """What the steps add to the weights, in their shape."""
        return self.deltas.astype(np.float32).reshape(self._shape)

    def square(self, example: int) -> float:
        """The squared norm of an example's part."""
        return float(np.sum(self._values[example] ** 2))

    def predict(self, example: int, partitions: int, shrink: float) -> tuple[float, float]:
        """The part's predictions: by the weights before the steps, and by those now."""
        places, values = self._places[example], self._values[example]
        before = self.weights[places]
        now = before + self.deltas[places] * partitions
        return float(values @ _shrunk(before, shrink)), float(values @ _shrunk(now, shrink))

    def add(self, example: int, amount: float) -> None:
        """Moves the weights along an example."""
        np.add.at(self.deltas, self._places[example], self._values[example] * amount)


def _shrunk(weights: np.ndarray, by: float) -> np.ndarray:
    return np.sign(weights) * np.maximum(np.abs(weights) - by, 0)


def _features(
    example_indices: Any, feature_indices: Any, feature_values: Any, dense: Any, indices: Any,
    sparse_weights: Any, dense_weights: Any, count: int, ctx: LoweringContext,
) -> list[_Feature]:  # fmt: skip
    found = []
    for i, (examples, ids, own, weights) in enumerate(
        zip(example_indices, feature_indices, indices, sparse_weights)
    ):
        order = np.argsort(own)
        places = np.searchsorted(own, ids, sorter=order)
        if len(ids) and (not len(own) or np.any(own[order[places % len(own)]] != ids)):
            refuse(ctx, "Found sparse feature indices out of valid range.")
        values = feature_values[i] if i < len(feature_values) else np.ones(len(ids))
        if len(values) != len(ids) or len(examples) != len(ids):
            refuse(ctx, "Expected examples and values of one length in each sparse feature group.")
        found.append(_Feature(examples, order[places], values.astype(np.float64), weights, count))
    for values, weights in zip(dense, dense_weights):
        if values.shape[1:] != (weights.size,):
            refuse(
                ctx,
                f"Dense features of shape {shapes.to_string(values.shape)} and weights of shape "
                f"{shapes.to_string(weights.shape)}",
            )
        examples, places = np.indices(values.shape).reshape(2, -1)
        flat = values.ravel().astype(np.float64)
        found.append(_Feature(examples, places, flat, weights, count))
    return found


def _order(states: np.ndarray) -> list[int]:
    """The order in which the examples are taken.

    TF draws it by a clock, whether it is adaptive or not. Here it hangs on the examples' states, so
    that it is another one in each step and the same in each program: in the order of the data, as
    of one class after the other, the last ones would count most.
    """
    seed = zlib.crc32(np.ascontiguousarray(states).tobytes())
    return np.random.RandomState(seed).permutation(len(states)).tolist()


@op("SdcaOptimizer", "SdcaOptimizerV2", host=True, effect=True)
class SdcaOptimizer:
    def shape(
        sparse_example_indices: Any, sparse_feature_indices: Sequence[Shape],
        sparse_feature_values: Sequence[Shape],
        dense_features: Sequence[Shape], example_weights: Shape, example_labels: Shape,
        sparse_indices: Sequence[Shape],
        sparse_weights: Sequence[Shape], dense_weights: Sequence[Shape], example_state_data: Shape,
    ) -> Any:  # fmt: skip
        return [(None, 4), *sparse_weights, *dense_weights]

    def lower(
        sparse_example_indices: Any, sparse_feature_indices: Sequence[np.ndarray],
        sparse_feature_values: Sequence[np.ndarray],
        dense_features: Sequence[np.ndarray], example_weights: np.ndarray,
        example_labels: np.ndarray, sparse_indices: Sequence[np.ndarray],
        sparse_weights: Sequence[np.ndarray], dense_weights: Sequence[np.ndarray],
        example_state_data: np.ndarray, *, loss_type: str,
        l1: float, l2: float, num_loss_partitions: int, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        # TF 1.15 goes through the examples once, whatever `num_inner_iterations` says.
        count = len(example_labels)
        if len(example_weights) != count or example_state_data.shape != (count, 4):
            refuse(ctx, "Expected one weight, label and state of four numbers for each example.")
        loss = _LOSSES[loss_type]
        features = _features(
            sparse_example_indices, sparse_feature_indices, sparse_feature_values, dense_features,
            sparse_indices, sparse_weights, dense_weights, count, ctx,
        )  # fmt: skip
        labels = example_labels.astype(np.float64)
        if loss.signs:
            for label in labels:
                if label not in (0, 1):
                    refuse(
                        ctx,
                        "Only labels of 0.0 or 1.0 are supported right now. "
                        f"Found example with label: {label:g}",
                    )
            labels = 2 * labels - 1
        elif loss_type == "poisson_loss" and np.any(labels < 0):
            refuse(
                ctx,
                "Only non-negative labels can be used with the Poisson log loss. "
                f"Found example with label: {labels[labels < 0][0]:g}",
            )
        states = example_state_data.astype(np.float64)
        for i in _order(example_state_data):
            weight = float(example_weights[i])
            pairs = [feature.predict(i, num_loss_partitions, l1 / l2) for feature in features]
            before, now = (sum(pair[j] for pair in pairs) for j in (0, 1))
            norm = sum(feature.square(i) for feature in features) / l2
            dual = float(states[i, 0])
            point = _Point(labels[i], weight, dual, now, num_loss_partitions * norm * weight)
            new = loss.step(point)
            for feature in features:
                feature.add(i, (new - dual) * weight / l2)
            states[i] = (
                new,
                loss.primal(labels[i], before) * weight,
                loss.dual(labels[i], dual) * weight,
                weight,
            )
        return [states.astype(np.float32), *(feature.change() for feature in features)]


@op("SdcaShrinkL1", host=True, writes=(0,))
class SdcaShrinkL1:
    def shape(weights: Any) -> None:
        pass

    def lower(weights: Any, *, l1: float, l2: float) -> None:
        for weight in weights:
            weight.assign(_shrunk(weight.read(), np.float32(l1 / l2).item()))


@op("SdcaFprint", host=True)
class SdcaFprint:
    def shape(input: Any) -> Shape:
        rows = shapes.with_rank(input, 1)
        return (rows[0], 2)

    def lower(input: Any, *, ctx: LoweringContext) -> Any:
        if input.ndim != 1:
            refuse(ctx, f"Input must be a vector, got shape {shapes.to_string(input.shape)}")
        words = [fingerprint128(text) for text in input.tolist()]
        return np.array(words, np.uint64).reshape(-1, 2).view(np.int64)


not_differentiable("SdcaOptimizer", "SdcaOptimizerV2", "SdcaShrinkL1", "SdcaFprint")
