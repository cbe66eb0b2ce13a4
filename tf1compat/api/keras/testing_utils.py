"""`tensorflow.python.keras.testing_utils`: what tests of layers and models have in common."""

from __future__ import annotations

import contextlib
import functools
import inspect
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from tf1compat.api.keras import backend, models
from tf1compat.api.keras.engine import base_layer_utils, input_layer, sequential
from tf1compat.api.keras.engine.training import Model
from tf1compat.api.keras.layers.core import Dense
from tf1compat.api.keras.optimizer_v2 import (
    adadelta,
    adagrad,
    adam,
    adamax,
    gradient_descent,
    nadam,
    rmsprop,
)
from tf1compat.core import context, tf2
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.type_spec import TensorSpec
from tf1compat.core.typing import TensorLike

_OPTIMIZERS = {
    "adadelta": adadelta.Adadelta,
    "adagrad": adagrad.Adagrad,
    "adam": adam.Adam,
    "adamax": adamax.Adamax,
    "nadam": nadam.Nadam,
    "rmsprop": rmsprop.RMSprop,
    "sgd": gradient_descent.SGD,
}


class _Active(threading.local):
    """What the scopes below say in this thread."""

    model_type: str | None = None
    run_eagerly: bool | None = None
    run_tf_function: bool | None = None


_active = _Active()


@contextlib.contextmanager
def _set(name: str, value: Any) -> Iterator[Any]:
    before = getattr(_active, name)
    setattr(_active, name, value)
    try:
        yield value
    finally:
        setattr(_active, name, before)


def model_type_scope(value: str | None) -> contextlib.AbstractContextManager[Any]:
    """Context manager: models are made as `value` says ("functional", "subclass", …)."""
    return _set("model_type", value)


def run_eagerly_scope(value: bool | None) -> contextlib.AbstractContextManager[Any]:
    """Context manager: whether models run eagerly."""
    return _set("run_eagerly", value)


def experimental_run_tf_function_scope(
    value: bool | None,
) -> contextlib.AbstractContextManager[Any]:
    """Context manager: whether models run as graph functions."""
    return _set("run_tf_function", value)


def _known(value: Any, caller: str, scope: str, decorator: str) -> Any:
    if value is None:
        raise ValueError(
            f"Cannot call `{caller}()` outside of a `{scope}()` or `{decorator}` decorator."
        )
    return value


def should_run_eagerly() -> bool:
    """Whether models are to run eagerly; ValueError outside of `run_eagerly_scope`."""
    wanted = _known(
        _active.run_eagerly, "should_run_eagerly", "run_eagerly_scope", "run_all_keras_modes"
    )
    return wanted and context.executing_eagerly()


def should_run_tf_function() -> bool:
    """Whether models are to run as functions; ValueError outside of
    `experimental_run_tf_function_scope`."""
    wanted = _known(
        _active.run_tf_function,
        "should_run_tf_function",
        "experimental_run_tf_function_scope",
        "run_all_keras_modes",
    )
    return wanted and context.executing_eagerly()


def get_model_type() -> str:
    """The kind of model that is tested; ValueError outside of `model_type_scope`."""
    return _known(
        _active.model_type, "get_model_type", "model_type_scope", "run_with_all_model_types"
    )


def get_test_data(
    train_samples: int,
    test_samples: int,
    input_shape: tuple[int, ...],
    num_classes: int,
    random_seed: int | None = None,
) -> tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """Random points around a centre for each class.

    Args:
      train_samples, test_samples: how many points.
      input_shape: the shape of a point.
      num_classes: how many classes.
      random_seed: NumPy's seed.

    Returns:
      (points, classes) for training and for testing.
    """
    if random_seed is not None:
        np.random.seed(random_seed)
    count = train_samples + test_samples
    centres = 2 * num_classes * np.random.random((num_classes, *input_shape))
    y = np.random.randint(0, num_classes, size=(count,))
    x = np.zeros((count, *input_shape), dtype=np.float32)
    for i in range(count):
        x[i] = centres[y[i]] + np.random.normal(loc=0, scale=1.0, size=input_shape)
    return (x[:train_samples], y[:train_samples]), (x[train_samples:], y[train_samples:])


def _random_input(shape: Any, dtype: str) -> np.ndarray:
    if shape is None:
        raise ValueError("input_shape is None")
    sizes = [np.random.randint(1, 4) if size is None else size for size in shape]
    lowest = -0.5 if dtype.startswith("float") else 0
    return (10 * np.random.random(sizes) + lowest).astype(dtype)


def layer_test(
    layer_cls: type,
    kwargs: dict[str, Any] | None = None,
    input_shape: Any = None,
    input_dtype: Any = None,
    input_data: Any = None,
    expected_output: Any = None,
    expected_output_dtype: Any = None,
    expected_output_shape: Any = None,
    validate_training: bool = True,
    adapt_data: Any = None,
) -> np.ndarray:
    """Makes a layer, runs, trains and saves its configuration, in models of both kinds.

    Args:
      layer_cls: the class of a layer with one input and one output.
      kwargs: its arguments.
      input_shape: the shape of its input; unknown sizes are drawn.
      input_dtype: the dtype of its input, float32 by default.
      input_data: the input; random by default.
      expected_output, expected_output_dtype, expected_output_shape: what to compare with.
      validate_training: whether the layer can be trained.
      adapt_data: what the layer's `adapt` is given.

    Returns:
      What the layer makes of the input.

    Raises:
      ValueError: neither the input nor its shape is given.
      AssertionError: the layer does not do as it says.
    """
    if input_data is None:
        input_dtype = input_dtype or "float32"
        input_data = _random_input(input_shape, input_dtype)
    shape = input_data.shape if input_shape is None else input_shape
    dtype = input_data.dtype if input_dtype is None else input_dtype
    kwargs = {} if kwargs is None else kwargs

    def made() -> Any:
        layer = layer_cls(**kwargs)
        if adapt_data is not None:
            layer.adapt(adapt_data)
        return layer

    layer = made()
    weights = layer.get_weights()
    layer.set_weights(weights)
    if "weights" in inspect.getfullargspec(layer_cls.__init__).args:
        kwargs["weights"] = weights
        layer = made()

    x = input_layer.Input(shape=shape[1:], dtype=dtype)
    y = layer(x)

    def fail(found: str, wanted: Any, when: str = "") -> None:
        raise AssertionError(
            f"When testing layer {layer_cls.__name__}{when}, for input {x}, found {found} but "
            f"expected to find {wanted}.\nFull kwargs: {kwargs}"
        )

    def check_shape(wanted: Any, found: Any, when: str = "", what: str = "") -> None:
        wanted, found = TensorShape(wanted).as_list(), TensorShape(found).as_list()
        fits = len(wanted) == len(found) and all(
            size in (None, actual) for size, actual in zip(wanted, found)
        )
        if not fits:
            fail(f"output_shape={found}", f"{what}{wanted}", when)

    def check_output(found: Any) -> None:
        if expected_output is not None:
            np.testing.assert_allclose(found, expected_output, rtol=1e-3, atol=1e-6)

    def check_recovered(model: Any, model_class: Any, output: Any) -> None:
        recovered = model_class.from_config(model.get_config())
        if model.weights:
            recovered.set_weights(model.get_weights())
            again = recovered.predict(input_data)
            np.testing.assert_allclose(again, output, rtol=1e-3, atol=1e-6)

    wanted_dtype = dtype if expected_output_dtype is None else expected_output_dtype
    if backend.dtype(y) != wanted_dtype:
        fail(f"output dtype={backend.dtype(y)}", wanted_dtype)
    if expected_output_shape is not None:
        check_shape(expected_output_shape, y.shape)

    model = models.Model(x, y)
    computed_shape = layer.compute_output_shape(TensorShape(shape)).as_list()
    signature = layer.compute_output_signature(TensorSpec(shape=shape, dtype=dtype))
    output = model.predict(input_data)
    check_shape(computed_shape, output.shape)
    check_shape(signature.shape, output.shape)
    if signature.dtype != output.dtype:
        fail(f"output_dtype={output.dtype}", signature.dtype)
    check_output(output)
    check_recovered(model, models.Model, output)

    if validate_training:
        model = models.Model(x, layer(x))
        chosen = {} if _active.run_eagerly is None else {"run_eagerly": should_run_eagerly()}
        model.compile("rmsprop", "mse", weighted_metrics=["acc"], **chosen)
        model.train_on_batch(input_data, output)

    config = {**layer.get_config(), "batch_input_shape": shape}
    layer = layer.__class__.from_config(config)
    if adapt_data is not None:
        layer.adapt(adapt_data)
    model = sequential.Sequential()
    model.add(layer)
    output = model.predict(input_data)
    check_shape(computed_shape, output.shape, " **after deserialization**", "inferred shape ")
    check_output(output)
    check_recovered(model, sequential.Sequential, output)
    return output


def _applied(layers: Sequence[Any] | None, x: Any) -> Any:
    for layer in layers or ():
        x = layer(x)
    return x


class _LayersModel(Model):
    """A subclassed model that applies layers one after the other.

    Args:
      model_layers: the layers, or (made when the model is built) a function that gives them.
      input_tensor: a symbolic input, where models can't tell it from their first input.
    """

    def __init__(self, model_layers: Any, input_tensor: TensorLike | None = None, **kwargs: Any):
        super().__init__(**kwargs)
        self._make_layers: Callable[[], Any] | None = None
        if callable(model_layers):
            self._make_layers = model_layers
        else:
            self._keep(model_layers)
        if input_tensor is not None:
            self._set_inputs(input_tensor)

    def _keep(self, model_layers: Sequence[Any]) -> None:
        self.num_layers = len(model_layers)
        for i, layer in enumerate(model_layers):
            setattr(self, f"layer{i}", layer)

    def build(self, input_shape: Any) -> None:
        if self._make_layers is None:
            super().build(input_shape)
        else:
            self._keep(list(self._make_layers()))

    def call(self, inputs: Any, **kwargs: Any) -> Any:
        return _applied([getattr(self, f"layer{i}") for i in range(self.num_layers)], inputs)


class _BranchesModel(Model):
    """A subclassed model with two branches; see `get_multi_io_model`.

    Args:
      branch_a, branch_b, shared_input_branch, shared_output_branch: layers.
    """

    def __init__(
        self, branch_a: Any, branch_b: Any, shared_input_branch: Any, shared_output_branch: Any
    ):
        super().__init__()
        self._shared_input_branch = shared_input_branch
        self._branch_a = branch_a
        self._branch_b = branch_b
        self._shared_output_branch = shared_output_branch

    def call(self, inputs: Any, **kwargs: Any) -> Any:
        return _branched(
            inputs,
            self._branch_a,
            self._branch_b,
            self._shared_input_branch,
            self._shared_output_branch,
        )


def _branched(inputs: Any, branch_a: Any, branch_b: Any, before: Any, after: Any) -> Any:
    a, b = (_applied(before, inputs),) * 2 if before else inputs
    outputs = [_applied(branch_a, a), _applied(branch_b, b)]
    return _applied(after, outputs) if after else outputs


def get_small_sequential_mlp(
    num_hidden: int, num_classes: int, input_dim: int | None = None
) -> Any:
    """A `Sequential` of two dense layers; its input is known if `input_dim` is given."""
    first: dict[str, Any] = {} if input_dim is None else {"input_dim": input_dim}
    model = sequential.Sequential()
    model.add(Dense(num_hidden, activation="relu", **first))
    model.add(_last(num_classes))
    return model


def _last(num_classes: int) -> Any:
    return Dense(num_classes, activation="sigmoid" if num_classes == 1 else "softmax")


def get_small_functional_mlp(num_hidden: int, num_classes: int, input_dim: int) -> Any:
    """A functional model of two dense layers."""
    inputs = input_layer.Input(shape=(input_dim,))
    hidden = Dense(num_hidden, activation="relu")(inputs)
    return models.Model(inputs, _last(num_classes)(hidden))


def get_small_subclass_mlp(num_hidden: int, num_classes: int) -> Any:
    """A subclassed model of two dense layers."""
    return _LayersModel(
        [Dense(num_hidden, activation="relu"), _last(num_classes)], name="test_model"
    )


def get_small_subclass_mlp_with_custom_build(num_hidden: int, num_classes: int) -> Any:
    """A subclassed model that makes its two dense layers when it is built."""
    return _LayersModel(lambda: [Dense(num_hidden, activation="relu"), _last(num_classes)])


def get_small_mlp(num_hidden: int, num_classes: int, input_dim: int) -> Any:
    """A model of two dense layers, of the kind that is tested."""
    makers: dict[str, Callable[[], Any]] = {
        "subclass": lambda: get_small_subclass_mlp(num_hidden, num_classes),
        "subclass_custom_build": lambda: get_small_subclass_mlp_with_custom_build(
            num_hidden, num_classes
        ),
        "sequential": lambda: get_small_sequential_mlp(num_hidden, num_classes, input_dim),
        "functional": lambda: get_small_functional_mlp(num_hidden, num_classes, input_dim),
    }
    return _of_type(makers, "Unknown model type ")


def _of_type(makers: dict[str, Callable[[], Any]], unknown: str) -> Any:
    model_type = get_model_type()
    if model_type not in makers:
        raise ValueError(f"{unknown}{model_type}")
    return makers[model_type]()


def get_model_from_layers(
    layers: Sequence[Any],
    input_shape: Any = None,
    input_dtype: Any = None,
    name: str | None = None,
    input_ragged: bool | None = None,
    input_sparse: bool | None = None,
) -> Any:
    """A model of layers one after the other, of the kind that is tested.

    Args:
      layers: the layers.
      input_shape: the shape of the input without the batch.
      input_dtype: its dtype.
      name: the model's name.
      input_ragged, input_sparse: whether it is a RaggedTensor or a SparseTensor.

    Raises:
      ValueError: a functional model without an input shape.
    """
    arguments = {
        "dtype": input_dtype,
        **({"ragged": input_ragged} if input_ragged else {}),
        **({"sparse": input_sparse} if input_sparse else {}),
    }

    def subclass() -> Any:
        inputs = None
        if input_ragged or input_sparse:
            inputs = input_layer.Input(shape=input_shape, **arguments)
        return _LayersModel(list(layers), input_tensor=inputs, name=name)

    def in_sequence() -> Any:
        model = sequential.Sequential(name=name)
        if input_shape:
            model.add(input_layer.InputLayer(input_shape=input_shape, **arguments))
        for layer in layers:
            model.add(layer)
        return model

    def functional() -> Any:
        if not input_shape:
            raise ValueError("Cannot create a functional model from layers with no input shape.")
        inputs = input_layer.Input(shape=input_shape, **arguments)
        return models.Model(inputs, _applied(layers, inputs), name=name)

    return _of_type(
        {
            "subclass": subclass,
            "subclass_custom_build": lambda: _LayersModel(lambda: layers, name=name),
            "sequential": in_sequence,
            "functional": functional,
        },
        "Unknown model type ",
    )


def get_multi_io_model(
    branch_a: Sequence[Any],
    branch_b: Sequence[Any],
    shared_input_branch: Sequence[Any] | None = None,
    shared_output_branch: Sequence[Any] | None = None,
) -> Any:
    """A model with two branches, of the kind that is tested.

    Args:
      branch_a, branch_b: the layers of the branches, each after its input unless they share one.
      shared_input_branch: an input, and the layers before both branches.
      shared_output_branch: the layers after both, of which the first takes two tensors.

    Raises:
      ValueError: models in sequence are tested, which have no branches.
    """
    if shared_input_branch:
        inputs, shared_input_branch = shared_input_branch[0], shared_input_branch[1:]
        is_shared = True
    else:
        inputs, branch_a, branch_b = (branch_a[0], branch_b[0]), branch_a[1:], branch_b[1:]
        is_shared = False
    parts = (branch_a, branch_b, shared_input_branch, shared_output_branch)

    def functional() -> Any:
        start = (_applied(shared_input_branch, inputs),) * 2 if is_shared else inputs
        outputs = _branched(start, branch_a, branch_b, None, shared_output_branch)
        return models.Model(inputs, outputs)

    def refused() -> Any:
        raise ValueError("Cannot use `get_multi_io_model` to construct sequential models")

    return _of_type(
        {
            "subclass": lambda: _BranchesModel(*parts),
            "subclass_custom_build": lambda: _BranchesModel(*parts),
            "sequential": refused,
            "functional": functional,
        },
        "Unknown model type ",
    )


def get_v2_optimizer(name: str, **kwargs: Any) -> Any:
    """One of Keras's own optimizers ("adam", "sgd", …).

    Raises:
      ValueError: there is none of this name.
    """
    if name not in _OPTIMIZERS:
        raise ValueError(
            f"Could not find requested v2 optimizer: {name}\nValid choices: {list(_OPTIMIZERS)}"
        )
    return _OPTIMIZERS[name](**kwargs)


def get_expected_metric_variable_names(
    var_names: Sequence[str], name_suffix: str = ""
) -> list[str]:
    """The names of a metric's variables, which only graphs make unique by a suffix."""
    suffix = "" if tf2.enabled() or context.executing_eagerly() else name_suffix
    return [f"{name}{suffix}:0" for name in var_names]


def enable_v2_dtype_behavior(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: in the function layers have the dtype `floatx()` and cast their inputs to it."""
    return _with_v2_dtypes(fn, True)


def disable_v2_dtype_behavior(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: in the function layers have the dtype of their first input."""
    return _with_v2_dtypes(fn, False)


def _with_v2_dtypes(fn: Callable[..., Any], enabled: bool) -> Callable[..., Any]:
    @functools.wraps(fn)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        before = base_layer_utils.V2_DTYPE_BEHAVIOR
        base_layer_utils.V2_DTYPE_BEHAVIOR = enabled
        try:
            return fn(*args, **kwargs)
        finally:
            base_layer_utils.V2_DTYPE_BEHAVIOR = before

    return wrapper
