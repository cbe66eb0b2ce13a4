"""What explains predictions of boosted trees."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from tf1compat.formats import boosted_trees_pb2

_DEBUG_PROTO_KEY = "_serialized_debug_outputs_proto"
_BIAS_ID = 0


def _parse_debug_proto_string(serialized: bytes) -> tuple[Any, Any]:
    """(the features that were split, the logits before, between and after)."""
    outputs = boosted_trees_pb2.DebugOutput()
    outputs.ParseFromString(serialized)
    return list(outputs.feature_ids), list(outputs.logits_path)


def _compute_directional_feature_contributions(
    example_feature_ids: Sequence[int], example_logits_paths: Any,
    activation: Callable[[Any], Any], feature_col_names: Sequence[str],
) -> tuple[float, Any]:  # fmt: skip
    """(the bias, {column: how far its features moved the prediction}), the largest first."""
    predictions = np.array(activation(example_logits_paths))
    moves = np.bincount(
        example_feature_ids, weights=np.diff(predictions), minlength=len(feature_col_names)
    )
    return predictions[_BIAS_ID], _sum_by_feature_col_name_and_sort(feature_col_names, moves)


def _identity(logits: Any) -> Any:
    return logits


def _sigmoid(logits: Any) -> Any:
    return 1 / (1 + np.exp(-np.array(logits)))


def _parse_explanations_from_prediction(
    serialized_debug_proto: bytes, feature_col_names: Sequence[str], classification: bool = False
) -> tuple[float, Any]:
    """The bias and the contributions of one example, of probabilities if it is a classifier."""
    ids, logits = _parse_debug_proto_string(serialized_debug_proto)
    activation = _sigmoid if classification else _identity
    return _compute_directional_feature_contributions(ids, logits, activation, feature_col_names)


def _sum_by_feature_col_name_and_sort(names: Iterable[str], vals: Iterable[Any]) -> Any:
    """{column: the sum of its features' values}, the largest first."""
    sums: dict[str, Any] = {}
    for name, value in zip(names, vals):  # noqa: B905 (features without a value are left out)
        sums[name] = sums.get(name, 0) + value
    return collections.OrderedDict(sorted(sums.items(), key=lambda item: -abs(item[1])))
