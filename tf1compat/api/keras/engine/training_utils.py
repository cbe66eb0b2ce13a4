"""What training is made of: checks of data, metrics and losses by name
(`tensorflow.python.keras.engine.training_utils`)."""

from __future__ import annotations

import collections
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tf1compat.api.keras import backend, losses
from tf1compat.api.keras import callbacks as cbks
from tf1compat.api.keras import metrics as metrics_module
from tf1compat.api.keras.engine.network_maps import input_shape_and_dtype, static_batch_size
from tf1compat.api.keras.engine.standardize import (
    check_array_lengths,
    check_loss_and_target_compatibility,
    standardize_class_weights,
    standardize_input_data,
    standardize_sample_weights,
    standardize_weights,
)
from tf1compat.api.keras.utils import generic_utils, losses_utils
from tf1compat.api.losses.util import squeeze_or_expand_dimensions
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.core import context, dtypes, errors, export, nest, ops, tensor_util, tf2
from tf1compat.core.eager import EagerTensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.type_spec import TensorSpec
from tf1compat.core.typing import DTypeLike, ShapeLike, TensorLike

__all__ = [
    "check_array_lengths", "check_loss_and_target_compatibility", "standardize_class_weights",
    "standardize_input_data", "standardize_sample_weights", "standardize_weights",
]  # fmt: skip
get_input_shape_and_dtype = input_shape_and_dtype
get_static_batch_size = static_batch_size


# Results of batches, put together.


class MetricsAggregator:
    """The mean loss of batches and the last values of metrics."""

    def __init__(self, use_steps: bool, num_samples: Any = None, steps: Any = None):
        self.use_steps = use_steps
        self.num_samples = num_samples
        self.steps = steps
        self.results: Any = []
        self.weight = 0  # of the batches so far

    def create(self, batch_outs: Any) -> None:
        """Begins, with the results of the first batch."""
        self.results = [0.0] * len(batch_outs)
        self.weight = 0

    def aggregate(self, batch_outs: Any, batch_start: Any = None, batch_end: Any = None) -> None:
        """Adds the results of a batch."""
        weight = 1 if self.use_steps else int(batch_end - batch_start)
        self.weight += weight
        # NumPy 1 makes a scalar times an integer a float64, and leaves an array what it is.
        loss = batch_outs[0] if np.ndim(batch_outs[0]) else np.float64(batch_outs[0])
        self.results[0] += loss * weight
        self.results[1:] = batch_outs[1:]

    def finalize(self) -> None:
        """Ends."""
        if not self.results:
            raise ValueError("Empty training data.")
        self.results[0] /= int(self.num_samples or self.steps)


def get_progbar(model: Any, count_mode: str) -> Any:
    """The progress display of a model."""
    stateful = model.metrics_names[1:] if hasattr(model, "metrics_names") else None
    return cbks.ProgbarLogger(count_mode, stateful_metrics=stateful)


def print_train_info(samples: Any, steps: Any, val_samples: Any, val_steps: Any) -> None:
    """Prints what TF's newer loop for eager execution says before it trains, if it knows it.

    Args:
      samples, val_samples: how many there are to train on and to validate on; or None.
      steps, val_steps: how many steps this takes where samples are not counted; or None.
    """
    counts = ((samples, steps), (val_samples, val_steps))
    told = [
        f"on {count} samples" if count else f"for {number} steps" if number else None
        for count, number in counts
    ]
    if told[0]:
        print(f"Train {told[0]}" + (f", validate {told[1]}" if told[1] else ""))


# Kinds of data.


def is_dataset(x: Any) -> bool:
    """Whether it is a `tf.data.Dataset`."""
    return any(cls.__name__ in ("DatasetV1", "DatasetV2") for cls in type(x).__mro__)


def is_iterator(x: Any) -> bool:
    """Whether it is an iterator of a `tf.data.Dataset`."""
    return type(x).__name__ in ("Iterator", "IteratorV2") and hasattr(x, "get_next")


def is_dataset_or_iterator(data: Any) -> bool:
    """Whether it is either."""
    return is_dataset(data) or is_iterator(data)


def has_tensors(ls: Any) -> bool:
    """Whether there are tensors in a list or dict, or it is one."""
    if isinstance(ls, list | tuple):
        return any(tensor_util.is_tensor(v) for v in ls)
    if isinstance(ls, dict):
        return any(tensor_util.is_tensor(v) for v in ls.values())
    return tensor_util.is_tensor(ls)


def has_symbolic_tensors(ls: Any) -> bool:
    """Whether there are tensors of a graph."""
    return not context.executing_eagerly() and has_tensors(ls)


def slice_arrays(arrays: Any, indices: TensorLike, contiguous: bool = True) -> Any:
    """Rows of arrays."""
    if isinstance(arrays, list):
        return generic_utils.slice_arrays(arrays, indices)
    return generic_utils.slice_arrays([arrays], indices)[0]


def check_steps_argument(input_data: Any, steps: Any, steps_name: str) -> bool:
    """Whether the data is counted in steps.

    Raises:
      ValueError: it is, and their number is not given.
    """
    iterator = is_iterator(input_data)
    if (
        input_data is None
        or iterator
        or has_symbolic_tensors(input_data)
        or (isinstance(input_data, list) and not input_data)
    ):
        if steps is None:
            what = "a Dataset iterator" if iterator else "data tensors"
            raise ValueError(
                f"When using {what} as input to a model, you should specify the `{steps_name}` "
                "argument."
            )
        return True
    if is_dataset(input_data):
        return True
    if steps is not None:
        arrays = (np.ndarray, list, tuple)
        if isinstance(input_data, arrays) or (
            isinstance(input_data, dict) and any(isinstance(v, arrays) for v in input_data.values())
        ):
            logging.warning(
                "When passing input data as arrays, do not specify `steps_per_epoch`/`steps` "
                "argument. Please use `batch_size` instead."
            )
    return False


def check_num_samples(
    ins: Any, batch_size: Any = None, steps: Any = None, steps_name: str = "steps"
) -> Any:
    """The number of samples; None if it is counted in steps."""
    if steps is not None and batch_size is not None:
        raise ValueError(f"If {steps_name} is set, the `batch_size` must be None.")
    if check_steps_argument(ins, steps, steps_name):
        return None
    return int(ins[0].shape[0]) if hasattr(ins[0], "shape") else None


def validate_dataset_input(
    x: Any, y: Any, sample_weight: Any, validation_split: Any = None
) -> None:
    """Refuses what a dataset has itself."""
    if y is not None:
        raise ValueError(
            f"You passed a dataset or dataset iterator ({x}) as input `x` to your model. In that "
            "case, you should not specify a target (`y`) argument, since the dataset or dataset "
            f"iterator generates both input data and target data. Received: {y}"
        )
    if sample_weight is not None:
        raise ValueError(
            "`sample_weight` argument is not supported when input `x` is a dataset or a dataset "
            "iterator. Instead, youcan provide sample_weight as the third element  of yourdataset, "
            f"i.e. (inputs, targets, sample_weight). Received: x={x}, "
            f"sample_weight={sample_weight}"
        )
    if validation_split is not None and validation_split != 0.0:
        raise ValueError(
            "`validation_split` argument is not supported when input `x` is a dataset or a dataset "
            f"iterator. Received: x={x}, validation_split={validation_split:f}"
        )


def validate_input_types(
    inp: Any, orig_inp: Any, allow_dict: bool = True, field_name: str = "inputs"
) -> None:
    """Refuses what is neither an array, a tensor, nor a list or dict of these."""

    def is_array(v: Any) -> bool:
        return isinstance(v, np.ndarray) or tensor_util.is_tensor(v)

    if isinstance(inp, dict):
        if not allow_dict:
            raise ValueError(f"You cannot pass a dictionary as model {field_name}.")
        return
    fits = all(map(is_array, inp)) if isinstance(inp, list | tuple) else is_array(inp)
    if not fits:
        raise ValueError(
            "Please provide as model inputs either a single array or a list of arrays. You passed: "
            f"{field_name}={orig_inp}"
        )


def check_generator_arguments(
    y: Any = None, sample_weight: TensorLike | None = None, validation_split: Any = None
) -> None:
    """Refuses what a generator has itself."""
    if y is not None:
        raise ValueError(
            "`y` argument is not supported when data isa generator or Sequence instance. Instead "
            "pass targets as the second element of the generator."
        )
    if sample_weight is not None:
        raise ValueError(
            "`sample_weight` argument is not supported when data isa generator or Sequence "
            "instance. Instead pass sample weights as the third element of the generator."
        )
    if validation_split:
        raise ValueError(
            "If your data is in the form of a Python generator, you cannot use `validation_split`."
        )


def cast_single_tensor(x: Any, dtype: DTypeLike | None = None) -> Any:
    """A float tensor as another dtype; others stay."""
    if isinstance(x, np.ndarray):
        x = ops.convert_to_tensor(x)
    return math_ops.cast(x, dtype=dtype or backend.floatx()) if x.dtype.is_floating else x


def cast_if_floating_dtype(x: Any) -> Any:
    """Float tensors as `floatx()`."""
    return nest.map_structure(cast_single_tensor, x)


def cast_if_floating_dtype_and_mismatch(targets: Any, outputs: Any) -> Any:
    """Float targets in the dtypes of the outputs."""
    if tensor_util.is_tensor(targets):
        return cast_single_tensor(targets, dtype=outputs[0].dtype)
    found = []
    for target, output in zip(targets, outputs, strict=False):
        if isinstance(target, np.ndarray):
            target = ops.convert_to_tensor(target)
        same = target.dtype == output.dtype
        found.append(target if same else cast_single_tensor(target, dtype=output.dtype))
    return found


# Iterators.


class Restartable:
    """The elements of a dataset in eager execution, again and again.

    Args:
      dataset: the dataset.
    """

    def __init__(self, dataset: Any):
        self._dataset = dataset
        self.restart()

    def restart(self) -> None:
        """Goes back to the first element."""
        self._iterator = iter(self._dataset)

    def get_next(self) -> Any:
        """The next element.

        Raises:
          OutOfRangeError: there is none.
        """
        return self._iterator.get_next()

    def values_for(self, model: Any) -> Callable[[], list[Any]]:
        """What gives a model the next batch: inputs, targets and weights in a list."""

        def values() -> list[Any]:
            # The first batch tells a model of a subclass what its inputs are.
            if model._distribution_strategy and model.inputs:
                x, y, weights = parts_by_count(model, self.get_next())
            else:
                x, y, weights = unpack_iterator_input(self, at_end=errors.OutOfRangeError)
            x, y, weights = model._standardize_user_data(x, y, sample_weight=weights)
            return ModelInputs(x).as_list() + (y or []) + (weights or [])

        spec = self._dataset.element_spec
        values.rank_one_parts = rank_one_parts(spec)  # pyright: ignore
        values.shapes = _shapes(spec)  # pyright: ignore
        return values


def _shapes(spec: Any) -> list[TensorShape] | None:
    """The shapes of the parts of a dataset's batches; None if they are not all tensors."""
    leaves = nest.flatten(spec)
    return [x.shape for x in leaves] if all(type(x) is TensorSpec for x in leaves) else None


def rank_one_parts(batch: Any) -> int:
    """How many of the inputs and targets of a batch, or of its specs, have one dimension."""
    parts = batch[:2] if isinstance(batch, tuple) else batch
    return sum(
        getattr(x, "shape", None) is not None and TensorShape(x.shape).rank == 1
        for x in nest.flatten(parts)
    )


def initialize_iterator(iterator: Any) -> None:
    """Makes an iterator start over."""
    if isinstance(iterator, Restartable):
        iterator.restart()
    else:
        backend.get_session().run(iterator.initializer)


def get_iterator(dataset: Any) -> Any:
    """An iterator of a dataset, at its start."""
    if context.executing_eagerly():
        return Restartable(dataset)
    iterator = export.required("data.make_initializable_iterator")(dataset)
    initialize_iterator(iterator)
    return iterator


def extract_tensors_from_dataset(dataset: Any) -> tuple[Any, Any, Any]:
    """The tensors of a dataset's next element: inputs, targets, weights."""
    return unpack_iterator_input(get_iterator(dataset))


def unpack_iterator_input(
    iterator: Any, at_end: type[Exception] = RuntimeError
) -> tuple[Any, Any, Any]:
    """The tensors of the next element: inputs, targets, weights.

    Raises:
      RuntimeError: there is none (or the error that `at_end` says).
    """
    try:
        element = iterator.get_next()
    except errors.OutOfRangeError:
        if at_end is errors.OutOfRangeError:
            raise
        raise RuntimeError(
            "Your dataset iterator ran out of data; Make sure that your dataset can generate "
            "required number of samples."
        ) from None
    if not isinstance(element, list | tuple):
        return element, None, None
    if context.executing_eagerly():
        # Of more than three elements Python says what is wrong.
        x, y, weights = [*element, *[None] * (3 - len(element))]
        return x, y, weights
    if len(element) not in (2, 3):
        text = (
            "Please provide model inputs as a list or tuple of 2 or 3 elements: (input, target) or "
            "(input, target, sample_weights) Received %s"
        )
        # As in TF 1.15 a tuple is taken apart: its one element is shown, more are a TypeError.
        raise ValueError(text % element)
    return (*element, None)[:3]  # pyright: ignore[reportReturnType]


def parts_by_count(model: Any, element: Any) -> tuple[Any, Any, Any]:
    """Inputs, targets, weights of an element of a dataset that a strategy goes through.

    How many tensors it has says which of them there are: one with as many as the model has
    inputs is the inputs alone, whatever its structure.
    """
    count = len(nest.flatten(element))
    if count == len(model.inputs):
        return element, None, None
    if count == len(model.inputs) + len(model.outputs):
        x, y = element
        return x, y, None
    x, y, weights = element
    return x, y, weights


def infer_steps_for_dataset(
    model: Any, dataset: Any, steps: Any, epochs: int = 1, steps_name: str = "steps"
) -> Any:
    """The number of batches of a dataset; None if it is not known.

    Raises:
      ValueError: it is infinite and no number is given, or fewer than are asked for.
    """
    cardinality = export.required("data.experimental.cardinality")
    size = int(backend.get_value(cardinality(dataset)))
    if size == -1 and steps is None:
        raise ValueError(
            "When passing an infinitely repeating dataset, you must specify the "
            f"`{steps_name}` argument."
        )
    if size < 0:
        return steps
    if steps is None:
        return size
    if steps * epochs > size:
        if epochs > 1:
            raise ValueError(
                f"The dataset you passed contains {size} batches, but you passed `epochs={epochs}` "
                f"and `{steps_name}={steps}`, which is a total of {steps * epochs} steps. We "
                f"cannot draw that many steps from this dataset. We suggest to set `{steps_name}="
                f"{size // epochs}`."
            )
        raise ValueError(
            f"The dataset you passed contains {size} batches, but you passed `{steps_name}={steps}`"
            ". We cannot draw that many steps from this dataset. We suggest to set "
            f"`{steps_name}={size}`."
        )
    return steps


class ModelInputs:
    """The inputs of a model that has no graph yet: arrays, tensors or a structure of them."""

    def __init__(self, inputs: Any):
        self._is_dict = isinstance(inputs, dict)
        self._is_single_input = not isinstance(inputs, list | tuple | dict)
        if self._is_dict:
            self._input_names = sorted(inputs)
            self._flattened_inputs = [inputs[key] for key in self._input_names]
        else:
            self._flattened_inputs = nest.flatten(inputs)
            self._input_names = [f"input_{i + 1}" for i in range(len(self._flattened_inputs))]

    def get_input_names(self) -> list[str]:
        """The names."""
        return self._input_names

    def get_symbolic_inputs(self, return_single_as_list: bool = False) -> Any:
        """Placeholders for values; tensors of graphs as they are."""
        for i, (name, v) in enumerate(zip(self._input_names, self._flattened_inputs, strict=True)):
            if isinstance(v, list | float | int):
                v = np.asarray(v)
                if v.ndim == 1:
                    v = np.expand_dims(v, 1)
            if isinstance(v, np.ndarray | EagerTensor | TensorSpec):
                shape = (None, *TensorShape(v.shape).as_list()[1:])
                dtype = dtypes.as_dtype(v.dtype)
                if not isinstance(v, TensorSpec) and dtype.is_floating:
                    dtype = backend.floatx()
                v = backend.placeholder(
                    shape=(None, 1) if shape == (None,) else shape, name=name, dtype=dtype
                )
            self._flattened_inputs[i] = v
        if self._is_dict:
            return dict(zip(self._input_names, self._flattened_inputs, strict=True))
        if self._is_single_input and not return_single_as_list:
            return self._flattened_inputs[0]
        return self._flattened_inputs

    def as_dict(self) -> Iterator[tuple[str, Any]]:
        """(name, input) pairs."""
        return zip(self._input_names, self._flattened_inputs, strict=True)

    def as_list(self) -> list[Any]:
        """The inputs."""
        return self._flattened_inputs


def generic_output_names(outputs_list: Any) -> list[str]:
    """The names of outputs of a model without a graph."""
    return [f"output_{i + 1}" for i in range(len(outputs_list))]


# Metrics and losses.


def get_metric_name(metric: Any, weighted: bool = False) -> str:
    """The name that a metric has in logs: as it was given, if TF 2's behaviour is on."""
    if tf2.enabled() and isinstance(metric, str):
        return metric
    short = {"accuracy": "acc", "acc": "acc", "crossentropy": "ce", "ce": "ce"}
    if isinstance(metric, str) and metric in short:
        name = short[metric]
    else:
        found = metrics_module.get(metric)
        name = found.name if hasattr(found, "name") else found.__name__
    return f"weighted_{name}" if weighted and not tf2.enabled() else name


def get_metric_function(
    metric: Any, output_shape: Any = None, loss_fn: Callable[..., Any] | None = None
) -> Any:
    """The metric of a name; "accuracy" and "crossentropy" depend on the loss."""
    if not isinstance(metric, str) or metric not in ("accuracy", "acc", "crossentropy", "ce"):
        return metrics_module.get(metric)

    def is_loss(cls: Any, function: Any) -> bool:
        return isinstance(loss_fn, cls) or losses.wraps(loss_fn, function)

    sparse = is_loss(losses.SparseCategoricalCrossentropy, losses.sparse_categorical_crossentropy)
    binary = is_loss(losses.BinaryCrossentropy, losses.binary_crossentropy)
    prefix = "categorical"
    if output_shape[-1] == 1 or binary:
        prefix = "binary"
    elif sparse:
        prefix = "sparse_categorical"
    suffix = "accuracy" if metric in ("accuracy", "acc") else "crossentropy"
    return getattr(metrics_module, f"{prefix}_{suffix}")


def collect_per_output_metric_info(
    metrics: Any, output_names: Any, output_shapes: Any, loss_fns: Any, is_weighted: bool = False
) -> list[dict[str, Any]]:
    """For each output, name -> metric."""
    if not metrics:
        return [{} for _ in output_names]
    if isinstance(metrics, list):
        if any(isinstance(m, list) for m in metrics):
            if len(metrics) != len(output_names):
                raise ValueError(
                    "When passing a list of lists as `metrics`, it should have one entry per model "
                    f"output. The model has {len(output_names)} outputs, but you passed "
                    f"metrics={metrics}"
                )
            nested = [generic_utils.to_list(m) for m in metrics]
        elif len(output_names) > 1:
            nested = [[metrics_module.clone_metric(m) for m in metrics] for _ in output_names]
        else:
            nested = [metrics]
    elif isinstance(metrics, Mapping):
        generic_utils.check_for_unexpected_keys("metrics", metrics, output_names)
        nested = [generic_utils.to_list(metrics.get(name, [])) for name in output_names]
    else:
        raise TypeError(
            "Type of `metrics` argument not understood. Expected a list or dictionary, found: "
            f"{metrics}"
        )

    def named(metric: Any, shape: ShapeLike, loss_fn: Callable[..., Any]) -> tuple[str, Any]:
        name = get_metric_name(metric, is_weighted)
        function = get_metric_function(metric, output_shape=shape, loss_fn=loss_fn)
        if not isinstance(function, metrics_module.Metric):
            function = metrics_module.MeanMetricWrapper(function, name=name)
        return name, function

    return [
        collections.OrderedDict(named(metric, shape, loss_fn) for metric in own)
        for own, shape, loss_fn in zip(nested, output_shapes, loss_fns, strict=False)
    ]


def masked_weights(mask: Any, weights: Any, y_pred: Any) -> Any:
    """Weights that are 0 where a mask is False."""
    if mask is None:
        return weights
    mask = math_ops.cast(mask, y_pred.dtype)
    if weights is None:
        return mask
    mask, _, weights = squeeze_or_expand_dimensions(mask, sample_weight=weights)
    weights *= mask
    return weights


def call_metric_function(
    metric_fn: Any,
    y_true: Any,
    y_pred: TensorLike | None = None,
    weights: Any = None,
    mask: TensorLike | None = None,
) -> Any:
    """The result of a metric for targets and predictions."""
    if mask is not None:
        weights = masked_weights(mask, weights, y_pred)
    if y_pred is not None:
        return metric_fn(y_true, y_pred, sample_weight=weights)
    return metric_fn(y_true, sample_weight=weights)


def get_loss_function(loss: Any) -> Any:
    """A loss as an object."""
    if loss is None or isinstance(loss, losses.Loss):
        return loss
    if isinstance(loss, Mapping):
        loss = losses.get(loss)
    if callable(loss) and not hasattr(loss, "__name__"):
        return loss
    function = losses.get(loss)
    return losses.LossFunctionWrapper(
        function, name=function.__name__,
        reduction=losses_utils.ReductionV2.SUM_OVER_BATCH_SIZE,
    )  # fmt: skip


def output_loss(
    loss_fn: Callable[..., Any], y_true: Any, y_pred: TensorLike, weights: Any, mask: Any
) -> Any:
    """The loss of an output, reduced as it says."""
    weights = masked_weights(mask, weights, y_pred)
    if not hasattr(loss_fn, "reduction"):
        return loss_fn(y_true, y_pred, sample_weight=weights)
    reduction = losses_utils.ReductionV2
    weighted = losses_utils.compute_weighted_loss(
        loss_fn.call(y_true, y_pred), sample_weight=weights, reduction=reduction.NONE
    )
    wanted = loss_fn.reduction
    if wanted == reduction.AUTO:
        wanted = reduction.SUM_OVER_BATCH_SIZE
    return losses_utils.reduce_weighted_loss(weighted, reduction=wanted)


def prepare_loss_functions(loss: Any, output_names: Any) -> list[Any]:
    """The losses of the outputs."""
    if isinstance(loss, Mapping):
        generic_utils.check_for_unexpected_keys("loss", loss, output_names)
        for name in output_names:
            if name not in loss:
                logging.warning(
                    f"Output {name} missing from loss dictionary. We assume this was done on "
                    "purpose. The fit and evaluate APIs will not be expecting any data to be "
                    f"passed to {name}."
                )
        return [get_loss_function(loss.get(name)) for name in output_names]
    if isinstance(loss, str):
        return [get_loss_function(loss) for _ in output_names]
    if isinstance(loss, Sequence):
        if len(loss) != len(output_names):
            raise ValueError(
                "When passing a list as loss, it should have one entry per model outputs. The "
                f"model has {len(output_names)} outputs, but you passed loss={loss}"
            )
        return nest.map_structure(get_loss_function, loss)
    return [get_loss_function(loss) for _ in output_names]


def prepare_loss_weights(training_endpoints: Any, loss_weights: Any = None) -> None:
    """Gives outputs the weights of their losses."""
    if loss_weights is None:
        for endpoint in training_endpoints:
            endpoint.loss_weight = 1.0
    elif isinstance(loss_weights, Mapping):
        names = [e.output_name for e in training_endpoints]
        generic_utils.check_for_unexpected_keys("loss_weights", loss_weights, names)
        for endpoint in training_endpoints:
            endpoint.loss_weight = loss_weights.get(endpoint.output_name, 1.0)
    elif isinstance(loss_weights, list):
        if len(loss_weights) != len(training_endpoints):
            raise ValueError(
                "When passing a list as loss_weights, it should have one entry per model output. "
                f"The model has {len(training_endpoints)} outputs, but you passed "
                f"loss_weights={loss_weights}"
            )
        for weight, endpoint in zip(loss_weights, training_endpoints, strict=True):
            endpoint.loss_weight = weight
    else:
        raise TypeError(
            f"Could not interpret loss_weights argument: {loss_weights} - expected a list of dicts."
        )


def prepare_sample_weight_modes(training_endpoints: Any, sample_weight_mode: Any) -> None:
    """Gives outputs their modes of weights."""
    modes: list[Any]
    if isinstance(sample_weight_mode, Mapping):
        names = [e.output_name for e in training_endpoints]
        generic_utils.check_for_unexpected_keys("sample_weight_mode", sample_weight_mode, names)
        for endpoint in training_endpoints:
            name = endpoint.output_name
            if not endpoint.should_skip_target_weights() and name not in sample_weight_mode:
                raise ValueError(f"Output {name}missing from `_sample_weight_modes` dictionary")
        modes = [sample_weight_mode.get(name) for name in names]
    elif isinstance(sample_weight_mode, list | tuple):
        modes = list(sample_weight_mode)
        if len(modes) != len(training_endpoints):
            raise ValueError(
                "When passing a list as sample_weight_mode, it should have one entry per model "
                f"output. The model has {len(training_endpoints)} outputs, but you passed "
                f"{len(modes)}_sample_weight_modes."
            )
    else:
        modes = [sample_weight_mode] * len(training_endpoints)
    for mode, endpoint in zip(modes, training_endpoints, strict=True):
        if not endpoint.should_skip_target_weights():
            endpoint.sample_weight_mode = mode


# Epochs.


def batch_shuffle(index_array: Any, batch_size: int) -> np.ndarray:
    """Indices with whole batches in another order."""
    count = int(len(index_array) / batch_size)
    last = index_array[count * batch_size :]
    batches = index_array[: count * batch_size].reshape((count, batch_size))
    np.random.shuffle(batches)
    return np.append(batches.flatten(), last)


def should_run_validation(validation_freq: Any, epoch: int) -> bool:
    """Whether an epoch ends with validation."""
    number = epoch + 1
    if isinstance(validation_freq, int):
        if validation_freq < 1:
            raise ValueError("`validation_freq` can not be less than 1.")
        return number % validation_freq == 0
    if not isinstance(validation_freq, Container):
        raise ValueError(
            "`validation_freq` must be an Integer or `collections_abc.Container` (e.g. list, "
            "tuple, etc.)"
        )
    return number in validation_freq


def split_training_and_validation_data(
    x: Any, y: Any, sample_weights: Any, validation_split: float
) -> tuple[Any, ...]:
    """The first and the last samples."""
    if has_symbolic_tensors(x):
        raise ValueError(
            "If your data is in the form of symbolic tensors, you cannot use `validation_split`."
        )
    size = x[0].shape[0] if hasattr(x[0], "shape") else len(x[0])
    at = int(size * (1.0 - validation_split))
    cut = generic_utils.slice_arrays
    first_weights = cut(sample_weights, 0, at) if sample_weights else sample_weights
    last_weights = cut(sample_weights, at) if sample_weights else None
    return cut(x, 0, at), cut(y, 0, at), first_weights, cut(x, at), cut(y, at), last_weights


def unpack_validation_data(validation_data: Any) -> tuple[Any, Any, Any]:
    """(inputs, targets, weights)."""
    if is_dataset_or_iterator(validation_data):
        return validation_data, None, None
    if len(validation_data) not in (2, 3):
        text = (
            "When passing a `validation_data` argument, it must contain either 2 items (x_val, "
            "y_val), or 3 items (x_val, y_val, val_sample_weights), or alternatively it could be a "
            "dataset or a dataset or a dataset iterator. However we received "
            "`validation_data=%s`"
        )
        raise ValueError(text % validation_data)  # a tuple is a TypeError, as in TF 1.15
    return (*validation_data, None)[:3]  # pyright: ignore[reportReturnType]
