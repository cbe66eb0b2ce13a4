"""Data for training as lists of arrays, and checks of them (of
`tensorflow.python.keras.engine.training_utils`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.keras import losses
from tf1compat.api.keras.utils import generic_utils
from tf1compat.api.ragged.ragged_tensor import RaggedTensor
from tf1compat.api.ragged.ragged_tensor_value import RaggedTensorValue
from tf1compat.core import tensor_util
from tf1compat.core.sparse_tensor import SparseTensor, SparseTensorValue
from tf1compat.core.typing import TensorLike

_COMPOSITE = (SparseTensor, SparseTensorValue, RaggedTensor, RaggedTensorValue)


def _values(x: Any) -> Any:
    """The array of a pandas DataFrame."""
    return x.values if type(x).__name__ == "DataFrame" else x


def standardize_single_array(x: Any, expected_shape: Any = None) -> Any:
    """A vector as a column, unless a vector is expected."""
    if x is None or isinstance(x, _COMPOSITE):
        return x
    if isinstance(x, int):
        raise ValueError(f"Expected an array data type but received an integer: {x}")
    if (
        x.shape is not None
        and len(x.shape) == 1
        and (expected_shape is None or len(expected_shape) != 1)
    ):
        if tensor_util.is_tensor(x):
            return array_ops.expand_dims(x, axis=1)
        return np.expand_dims(x, 1)
    return x


def standardize_input_data(
    data: Any, names: Any, shapes: Any = None, check_batch_axis: bool = True,
    exception_prefix: str = "",
) -> list[Any]:  # fmt: skip
    """Data as a list of arrays.

    Args:
      data: an array, a list or dict of arrays, or None.
      names: of the arrays that are expected.
      shapes: of these, with the batch.
      check_batch_axis: whether the size of the batch must fit too.
      exception_prefix: what they are, for error texts.

    Raises:
      ValueError: they don't fit.
    """
    try:
        size = len(data)
    except TypeError:
        size = None
    if not names:
        if size and not isinstance(data, dict):
            raise ValueError(
                f"Error when checking model {exception_prefix}: expected no data, but got:", data
            )
        return []
    if data is None:
        return [None for _ in names]
    data = _as_list(data, names)
    if shapes is not None:
        data = [standardize_single_array(x, shape) for x, shape in zip(data, shapes, strict=False)]
    else:
        data = [standardize_single_array(x) for x in data]
    if len(data) != len(names):
        data = _other_number(data, names, exception_prefix)
    for i, shape in enumerate(shapes or ()):
        if shape is not None and data[i] is not None:
            _check_shape(data[i], shape, names[i], check_batch_axis, exception_prefix)
    return data


def _as_list(data: Any, names: Any) -> list[Any]:
    if isinstance(data, dict):
        try:
            return [_values(data[name]) for name in names]
        except KeyError as error:
            raise ValueError(
                f'No data provided for "{error.args[0]}". Need data for each key in: {names}'
            ) from None
    if isinstance(data, list | tuple):
        if isinstance(data[0], list | tuple):
            return [np.asarray(x) for x in data]
        if len(names) == 1 and isinstance(data[0], float | int):
            return [np.asarray(data)]
        return [_values(x) for x in data]
    return [_values(data)]


def _other_number(data: Any, names: Any, prefix: str) -> list[Any]:
    """What to make of another number of arrays than is expected."""
    if data and hasattr(data[0], "shape"):
        raise ValueError(
            f"Error when checking model {prefix}: the list of Numpy arrays that you are passing to "
            f"your model is not the size the model expected. Expected to see {len(names)} array(s)"
            f", but instead got the following list of {len(data)} arrays: {str(data)[:200]}..."
        )
    if len(names) > 1:
        raise ValueError(
            f"Error when checking model {prefix}: you are passing a list as input to your model, "
            f"but the model expects a list of {len(names)} Numpy arrays instead. The list you "
            f"passed was: {str(data)[:200]}"
        )
    if len(data) == 1 and not hasattr(data[0], "shape"):
        raise TypeError(
            f"Error when checking model {prefix}: data should be a Numpy array, or list/dict of "
            f"Numpy arrays. Found: {str(data)[:200]}..."
        )
    return [np.asarray(data)]


def _check_shape(x: Any, shape: Any, name: str, check_batch_axis: bool, prefix: str) -> None:
    if tensor_util.is_tensor(x):
        if x.shape.ndims is None:
            return
        found = tuple(x.shape.as_list())
    elif isinstance(x, _COMPOSITE):
        return
    else:
        found = x.shape
    if len(found) != len(shape):
        raise ValueError(
            f"Error when checking {prefix}: expected {name} to have {len(shape)} dimensions, but "
            f"got array with shape {found}"
        )
    if not check_batch_axis:
        found, shape = found[1:], shape[1:]
    for size, wanted in zip(found, shape, strict=True):
        if wanted != size and wanted is not None and size is not None:
            raise ValueError(
                f"Error when checking {prefix}: expected {name} to have shape {shape} but got "
                f"array with shape {found}"
            )


def _standardize_any_weights(x_weight: Any, output_names: Any, weight_type: str) -> Any:
    if x_weight is None or (isinstance(x_weight, list | tuple) and len(x_weight) == 0):
        return [None for _ in output_names]
    if len(output_names) == 1:
        if isinstance(x_weight, list | tuple) and len(x_weight) == 1:
            return x_weight
        if isinstance(x_weight, dict) and output_names[0] in x_weight:
            return [x_weight[output_names[0]]]
        return [x_weight]
    if isinstance(x_weight, list | tuple):
        if len(x_weight) != len(output_names):
            raise ValueError(
                f"Provided `{weight_type}` was a list of {len(x_weight)} elements, but the model "
                f"has {len(output_names)} outputs. You should provide one `{weight_type}`array per "
                "model output."
            )
        return x_weight
    if isinstance(x_weight, Mapping):
        generic_utils.check_for_unexpected_keys(weight_type, x_weight, output_names)
        return [x_weight.get(name) for name in output_names]
    raise TypeError(
        f"The model has multiple outputs, so `{weight_type}` should be either a list or a dict. "
        f"Provided `{weight_type}` type not understood: {x_weight}"
    )


def standardize_class_weights(class_weight: Any, output_names: Any) -> Any:
    """The weights of classes for each output."""
    return _standardize_any_weights(class_weight, output_names, "class_weight")


def standardize_sample_weights(sample_weight: TensorLike, output_names: Any) -> Any:
    """The weights of samples for each output."""
    return _standardize_any_weights(sample_weight, output_names, "sample_weight")


def check_array_lengths(inputs: Any, targets: Any, weights: Any = None) -> None:
    """Refuses arrays of different numbers of samples."""

    def lengths(arrays: Any) -> list[int]:
        found = {
            x.shape[0]
            for x in arrays or ()
            if x is not None and not tensor_util.is_tensor(x) and not isinstance(x, _COMPOSITE)
        }
        return list(found)

    in_x, in_y, in_w = lengths(inputs), lengths(targets), lengths(weights)
    for found, arrays, what in (
        (in_x, inputs, "input arrays (x)"),
        (in_y, targets, "target arrays (y)"),
    ):
        if len(found) > 1:
            raise ValueError(
                f"All {what} should have the same number of samples. Got array shapes: "
                f"{[x.shape for x in arrays]}"
            )
    if in_x and in_y and in_x[0] != in_y[0]:
        raise ValueError(
            "Input arrays should have the same number of samples as target arrays. Found "
            f"{in_x[0]} input samples and {in_y[0]} target samples."
        )
    if len(in_w) > 1:
        raise ValueError(
            "All sample_weight arrays should have the same number of samples. Got array shapes: "
            f"{[w.shape for w in weights]}"
        )
    if in_y and in_w and in_y[0] != in_w[0]:
        raise ValueError(
            "Sample_weight arrays should have the same number of samples as target arrays. Got "
            f"{in_y[0]} input samples and {in_w[0]} target samples."
        )


def check_loss_and_target_compatibility(targets: Any, loss_fns: Any, output_shapes: Any) -> None:
    """Refuses targets that don't fit the losses."""
    functions = (
        losses.mean_squared_error,
        losses.binary_crossentropy,
        losses.categorical_crossentropy,
    )
    classes = (losses.MeanSquaredError, losses.BinaryCrossentropy, losses.CategoricalCrossentropy)
    for y, loss, shape in zip(targets, loss_fns, output_shapes, strict=False):
        if y is None or loss is None or tensor_util.is_tensor(y):
            continue
        if losses.is_categorical_crossentropy(loss) and y.shape[-1] == 1:
            raise ValueError(
                f"You are passing a target array of shape {y.shape} while using as loss "
                "`categorical_crossentropy`. `categorical_crossentropy` expects targets to be "
                "binary matrices (1s and 0s) of shape (samples, classes). If your targets are "
                "integer classes, you can convert them to the expected format via:\n```\nfrom "
                "keras.utils import to_categorical\ny_binary = to_categorical(y_int)\n```\n\n"
                "Alternatively, you can use the loss function `sparse_categorical_crossentropy` "
                "instead, which does expect integer targets."
            )
        wrapper = isinstance(loss, losses.LossFunctionWrapper)
        if not isinstance(loss, classes) and not (wrapper and loss.fn in functions):
            continue
        for target_size, size in zip(y.shape[1:], shape[1:], strict=False):
            if size is not None and target_size != size:
                name = loss.name
                if name is None:
                    name = (loss.fn if wrapper else type(loss)).__name__
                raise ValueError(
                    f"A target array with shape {y.shape} was passed for an output of shape {shape}"
                    f" while using as loss `{name}`. This loss expects targets to have the same "
                    "shape as the output."
                )


def standardize_weights(
    y: Any, sample_weight: Any = None, class_weight: Any = None, sample_weight_mode: Any = None
) -> Any:
    """The weights of samples, from theirs and those of their classes; None if there are none."""
    if isinstance(sample_weight, tuple):
        sample_weight = sample_weight[0]
    shape = None if sample_weight is None else sample_weight.shape
    if sample_weight_mode is not None and sample_weight_mode != "samplewise":
        if sample_weight_mode != "temporal":
            raise ValueError(
                f'"sample_weight_mode should be None or "temporal". Found: {sample_weight_mode}'
            )
        if len(y.shape) < 3:
            raise ValueError(
                f"Found a sample_weight array for an input with shape {y.shape}. Timestep-wise "
                'sample weighting (use of sample_weight_mode="temporal") is restricted to outputs '
                "that are at least 3D, i.e. that have a time dimension."
            )
        if shape is not None and len(shape) != 2:
            raise ValueError(
                f"Found a sample_weight array with shape {shape}. In order to use timestep-wise "
                "sample weighting, you should pass a 2D sample_weight array."
            )
    elif shape is not None and len(shape) != 1:
        raise ValueError(
            f"Found a sample_weight array with shape {shape}. In order to use timestep-wise sample "
            'weights, you should specify sample_weight_mode="temporal" in compile(). If you just '
            "mean to use sample-wise weights, make sure your sample_weight array is 1D."
        )
    if sample_weight is not None and shape is not None:
        if len(shape) > len(y.shape):
            raise ValueError(
                f"Found a sample_weight with shape{shape}.Expected sample_weight with rank less "
                f"than or equal to {len(y.shape)}"
            )
        if not tensor_util.is_tensor(sample_weight) and y.shape[: sample_weight.ndim] != shape:
            raise ValueError(
                f"Found a sample_weight array with shape {shape} for an input with shape {y.shape}."
                " sample_weight cannot be broadcast."
            )
    by_class = _class_weights(y, class_weight) if isinstance(class_weight, dict) else None
    if by_class is not None and sample_weight is not None:
        return by_class * sample_weight
    return by_class if sample_weight is None else sample_weight


def _class_weights(y: Any, class_weight: dict[Any, Any]) -> np.ndarray:
    if len(y.shape) > 2:
        raise ValueError("`class_weight` not supported for 3+ dimensional targets.")
    classes = y
    if len(y.shape) == 2:
        classes = np.argmax(y, axis=1) if y.shape[1] > 1 else np.reshape(y, y.shape[0])
    weights = np.asarray([class_weight[c] for c in classes if c in class_weight])
    if len(weights) != len(classes):
        missing = ", ".join(
            repr(str(c)) if isinstance(c, str) else str(c) for c in set(classes) - set(class_weight)
        )
        raise ValueError(
            f"`class_weight` must contain all classes in the data. The classes {{{missing}}} exist "
            "in the data but not in `class_weight`."
        )
    return weights
