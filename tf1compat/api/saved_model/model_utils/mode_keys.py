"""The modes of models (`tensorflow.python.saved_model.model_utils.mode_keys`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


class KerasModeKeys:
    """The modes of keras."""

    TRAIN = "train"
    TEST = "test"
    PREDICT = "predict"


class EstimatorModeKeys:
    """The modes of estimators."""

    TRAIN = "train"
    EVAL = "eval"
    PREDICT = "infer"


def is_predict(mode: str) -> bool:
    """Whether a mode is one of prediction."""
    return mode in (KerasModeKeys.PREDICT, EstimatorModeKeys.PREDICT)


def is_eval(mode: str) -> bool:
    """Whether a mode is one of evaluation."""
    return mode in (KerasModeKeys.TEST, EstimatorModeKeys.EVAL)


def is_train(mode: str) -> bool:
    """Whether a mode is one of training."""
    return mode in (KerasModeKeys.TRAIN, EstimatorModeKeys.TRAIN)


class ModeKeyMap(Mapping):
    """A mapping from modes, whose keys may be those of keras or of estimators.

    Args:
      **kwargs: the value of each mode.

    Raises:
      ValueError: a mode is given twice, or is none.
    """

    def __init__(self, **kwargs: Any):
        self._keys = list(kwargs)
        self._internal_dict: dict[str, Any] = {}
        for key, value in kwargs.items():
            mode = self._get_internal_key(key)
            if mode in self._internal_dict:
                raise ValueError(
                    f"Error creating ModeKeyMap. Multiple keys/values found for {mode} mode."
                )
            self._internal_dict[mode] = value

    def _get_internal_key(self, key: str) -> str:
        if is_train(key):
            return KerasModeKeys.TRAIN
        if is_eval(key):
            return KerasModeKeys.TEST
        if is_predict(key):
            return KerasModeKeys.PREDICT
        raise ValueError(f"Invalid mode key: {key}.")

    def __getitem__(self, key: str) -> Any:
        return self._internal_dict[self._get_internal_key(key)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)
