"""What eager training takes for its data: tensors, lists of numbers, datasets and generators."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from tf1compat.api.keras.engine import training_utils
from tf1compat.api.keras.optimizer_v2.optimizer_v2 import OptimizerV2
from tf1compat.api.keras.utils import data_utils
from tf1compat.core import context, nest, ops
from tf1compat.core.composite_tensor import CompositeTensor


def _is_scalars(data: Any) -> bool:
    """Whether it is a number or text, or a list of them, by the first of each list."""
    while isinstance(data, list | tuple):
        data = data[0]
    return isinstance(data, float | int | str)


def _are_tensors(*data: Any) -> bool:
    flat = [value for part in data for value in nest.flatten(part)]
    return all(isinstance(value, ops.Tensor | np.ndarray | CompositeTensor) for value in flat)


def _described(data: Any) -> str:
    """The class of some data and of what is in it."""
    if isinstance(data, dict):
        keys, values = ({_described(v) for v in part} for part in (data, data.values()))
        return f"({type(data)} containing {keys} keys and {values} values)"
    if isinstance(data, list | tuple):
        return f"({type(data)} containing values of types { ({_described(v) for v in data}) })"
    return str(type(data))


def _adapter(x: Any) -> str | None:
    """What TF 1.15 calls what handles such inputs; None: it has nothing for them."""
    if training_utils.is_dataset(x):
        return "DatasetAdapter"
    if isinstance(x, data_utils.Sequence):
        return "KerasSequenceAdapter"
    if inspect.isgenerator(x):
        return "GeneratorDataAdapter"
    if x is None:
        return None
    if _are_tensors(x):
        return "TensorLikeDataAdapter"
    return "ListsOfScalarsDataAdapter" if _is_scalars(x) else None


def is_in_use(model: Any) -> bool:
    """Whether a model runs in the loop for eager execution."""
    return (
        context.executing_eagerly()
        and not model._distribution_strategy
        and isinstance(getattr(model, "optimizer", None), OptimizerV2 | None)
        and getattr(model, "sample_weight_mode", None) is None
    )


def adapted(
    model: Any, x: Any, y: Any = None, sample_weight: Any = None, validation_split: Any = None
) -> tuple[Any, Any, Any]:
    """Data as arrays where they are lists of numbers.

    Nothing changes in graphs, nor for what the loop for eager execution does not handle.

    Args:
      model: the model.
      x, y, sample_weight: inputs, targets and weights of samples.
      validation_split: what part of the samples is for validation.

    Returns:
      The inputs, targets and weights.

    Raises:
      ValueError: there is no way to handle such inputs and targets together, they have their
        targets and weights themselves, or they cannot be split.
    """
    if not is_in_use(model):
        return x, y, sample_weight
    kind = _adapter(x)
    if kind == "TensorLikeDataAdapter":
        if not _are_tensors(x, [] if y is None else y):
            raise _no_adapter(x, y)
        return x, y, sample_weight
    if kind is None:
        return x, y, sample_weight
    if kind == "ListsOfScalarsDataAdapter" and not (y is None or _is_scalars(y)):
        raise _no_adapter(x, y)
    if validation_split and 0.0 < validation_split < 1.0:
        raise ValueError(
            "`validation_split` argument is not supported when data adapter is "
            f"<class 'tensorflow.python.keras.engine.data_adapter.{kind}'>. Received: x={x}, "
            f"validation_split={validation_split}"
        )
    if kind == "ListsOfScalarsDataAdapter":
        given = (None if part is None else np.array(part) for part in (x, y, sample_weight))
        x, y, sample_weight = given
        x.shape[0]  # of a number alone an IndexError
    elif kind != "DatasetAdapter":
        source = "`keras.utils.Sequence`" if kind == "KerasSequenceAdapter" else "python generator"
        for name, value in (("y", y), ("sample_weight", sample_weight)):
            if value is not None:
                raise ValueError(
                    f"`{name}` argument is not supported when using {source} as input."
                )
    return x, y, sample_weight


def _no_adapter(x: Any, y: Any) -> ValueError:
    return ValueError(
        f"Failed to find data adapter that can handle input: {_described(x)}, {_described(y)}"
    )
