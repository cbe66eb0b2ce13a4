"""How models take data (of `tensorflow.python.keras.engine.training`)."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from tf1compat.api.keras import backend
from tf1compat.api.keras.engine import eager_data, training_utils
from tf1compat.api.keras.utils import data_utils
from tf1compat.api.ragged.ragged_tensor_value import RaggedTensorValue
from tf1compat.core import context, nest, tensor_util
from tf1compat.core.sparse_tensor import SparseTensor, SparseTensorValue
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.type_spec import TensorSpec, type_spec_from_value
from tf1compat.core.typing import TensorLike


class ModelData:
    """The part of a model that looks at data."""

    inputs: Any
    outputs: Any
    layers: Any
    built: bool
    optimizer: Any
    stateful: Any
    sample_weight_mode: Any
    _set_private: Any
    _is_compiled: bool
    _is_graph_network: bool
    _feed_input_names: Any
    _feed_input_shapes: Any
    _feed_output_names: Any
    _feed_output_shapes: Any
    _feed_loss_fns: Any
    _sample_weight_modes: Any
    _training_endpoints: Any
    _expects_training_arg: bool
    compile: Any

    def _prepare_validation_data(
        self, validation_data: Any, batch_size: Any, validation_steps: Any
    ) -> Any:
        x, y, weights = training_utils.unpack_validation_data(validation_data)
        x, y, weights = eager_data.adapted(self, x, y, weights)
        return self._standardize_user_data(
            x, y, sample_weight=weights, batch_size=batch_size, steps=validation_steps,
            steps_name="validation_steps",
        )  # fmt: skip

    def _validate_or_infer_batch_size(self, batch_size: Any, steps: Any, x: Any) -> Any:
        """The size of batches: given, or that of the input layer, or 32."""
        is_dataset = training_utils.is_dataset(x)
        if is_dataset or isinstance(x, data_utils.Sequence) or inspect.isgenerator(x):
            if batch_size is not None:
                raise ValueError(
                    "The `batch_size` argument must not be specified for the given input type. "
                    f"Received input: {x}, batch_size: {batch_size}"
                )
            return None
        layers = super().layers  # pyright: ignore[reportAttributeAccessIssue]
        static = training_utils.get_static_batch_size(layers[0]) if layers else None
        if static is not None:
            if batch_size is not None and batch_size != static:
                raise ValueError(
                    f"The `batch_size` argument value {batch_size} is incompatible with the "
                    f"specified batch size of your Input Layer: {static}"
                )
            if steps is None:
                batch_size = static
        return 32 if batch_size is None and steps is None else batch_size

    def _standardize_user_data(
        self, x: Any, y: Any = None, sample_weight: TensorLike | None = None,
        class_weight: Any = None,
        batch_size: Any = None, check_steps: bool = False, steps_name: str = "steps",
        steps: Any = None, validation_split: Any = 0, shuffle: Any = False,
        extract_tensors_from_dataset: bool = False,
    ) -> tuple[Any, Any, Any]:  # fmt: skip
        """Data as lists of arrays, checked; builds and compiles a model that has waited for data.

        Returns:
          (inputs, targets, weights or None).
        """
        dataset = training_utils.is_dataset_or_iterator(x)
        if dataset:
            training_utils.validate_dataset_input(x, y, sample_weight, validation_split)
            if training_utils.is_iterator(x):
                x, y, sample_weight = training_utils.unpack_iterator_input(x)
            elif extract_tensors_from_dataset:
                x, y, sample_weight = training_utils.extract_tensors_from_dataset(x)
        if check_steps:
            training_utils.check_steps_argument(x, steps, steps_name)
        building = not self.inputs
        dict_inputs = isinstance(self.inputs, dict)
        all_inputs: list[Any] = []
        targets = y
        if building:
            all_inputs, targets, dict_inputs = self._build_model_with_inputs(x, y)
        compiling = not self._is_compiled and bool(self.optimizer)
        if compiling:
            self._compile_from_inputs(all_inputs, targets, x, y)
        if building and compiling and not dataset and any(map(_is_symbolic, all_inputs)):
            # The tensors are the model's own inputs.
            return [], [], None
        if training_utils.is_dataset(x):
            return x, [], None
        names = self._feed_input_names
        x = training_utils.standardize_input_data(
            x, names, self._feed_input_shapes if self._is_graph_network else None,
            check_batch_axis=False, exception_prefix="input",
        )  # fmt: skip
        x = [
            _as_input(value, tensor)
            for value, tensor in zip(x, nest.flatten(self.inputs), strict=False)
        ]
        weights = None
        if y is None:
            y = []
        else:
            y, weights = self._standardize_targets(x, y, sample_weight, class_weight)
        if self.stateful and batch_size and not dataset and x[0].shape[0] % batch_size != 0:
            raise ValueError(
                "In a stateful network, you should only pass inputs with a number of samples that "
                f"can be divided by the batch size. Found: {x[0].shape[0]} samples"
            )
        if dict_inputs:
            return dict(zip(names, x, strict=True)), y, weights
        return x, y, weights

    def _standardize_targets(
        self, x: Any, y: Any, sample_weight: Any, class_weight: Any
    ) -> tuple[Any, Any]:
        training_utils.prepare_sample_weight_modes(
            self._training_endpoints, self.sample_weight_mode
        )
        names, modes = self._feed_output_names, self._sample_weight_modes
        y = training_utils.standardize_input_data(
            y, names, shapes=None, check_batch_axis=False, exception_prefix="target"
        )
        by_sample = training_utils.standardize_sample_weights(sample_weight, names)
        by_class = training_utils.standardize_class_weights(class_weight, names)
        weights = [
            training_utils.standardize_weights(*parts)
            for parts in zip(y, by_sample, by_class, modes, strict=False)
        ]
        training_utils.check_array_lengths(x, y, weights)
        if self._is_graph_network:
            training_utils.check_loss_and_target_compatibility(
                y, self._feed_loss_fns, self._feed_output_shapes
            )
        if all(mode is None for mode in modes) and all(w is None for w in weights):
            return y, None
        return y, weights

    # Models that have waited for data.

    def _build_model_with_inputs(self, inputs: Any, targets: Any) -> tuple[Any, Any, bool]:
        given = inputs
        if training_utils.is_dataset(inputs):
            inputs, targets, _ = training_utils.extract_tensors_from_dataset(inputs)
        training_utils.validate_input_types(inputs, given)
        is_dict = isinstance(inputs, dict)
        if is_dict:
            flat = [inputs[key] for key in sorted(inputs)]
        elif isinstance(inputs, list | tuple):
            flat = list(inputs)
        else:
            flat = [inputs]
        for x in flat:
            if nest.is_composite(x) or isinstance(x, SparseTensorValue | RaggedTensorValue):
                raise ValueError(
                    "All SparseTensor and RaggedTensor inputs must be explicitly declared using a "
                    "keras.Input() with sparse=True or ragged=True. We found an undeclared input "
                    f"{x}. For Sequential models, please add a keras.Input() as your first Layer. "
                    "For subclassed models, please call self._set_inputs() on your input set, "
                    "which you can create using keras.Input() for each input to your model."
                )
        if training_utils.is_dataset_or_iterator(given):
            inputs = nest.map_structure(lambda x: TensorSpec(x.shape, x.dtype), inputs)
        elif training_utils.has_tensors(inputs):
            inputs = training_utils.cast_if_floating_dtype(inputs)
        self._set_inputs(inputs)
        return flat, targets, is_dict

    def _compile_from_inputs(
        self, all_inputs: Any, target: Any, orig_inputs: Any, orig_target: Any
    ) -> None:
        if target is not None:
            if training_utils.has_tensors(target):
                target = training_utils.cast_if_floating_dtype_and_mismatch(target, self.outputs)
            training_utils.validate_input_types(
                target, orig_target, allow_dict=False, field_name="target"
            )
            all_inputs = all_inputs + (
                list(target) if isinstance(target, list | tuple) else [target]
            )
        tensors = [tensor_util.is_tensor(v) for v in all_inputs]
        if any(tensors) and not all(tensors):
            raise ValueError(
                "Do not pass inputs that mix Numpy arrays and TensorFlow tensors. You passed: "
                f"x={orig_inputs}; y={orig_target}"
            )
        target_tensors = None
        if not training_utils.is_dataset_or_iterator(orig_inputs) and target is not None:
            targets = target if isinstance(target, list | tuple) else [target]
            target_tensors = [v for v in targets if _is_symbolic(v)] or None
        model: Any = self
        self.compile(
            optimizer=self.optimizer, loss=model.loss, metrics=model._compile_metrics,
            weighted_metrics=model._compile_weighted_metrics, loss_weights=model.loss_weights,
            target_tensors=target_tensors, sample_weight_mode=self.sample_weight_mode,
            run_eagerly=model.run_eagerly,
            experimental_run_tf_function=model._experimental_run_tf_function,
        )  # fmt: skip

    def _set_inputs(self, inputs: Any, outputs: Any = None, training: Any = None) -> None:
        """Takes inputs as the model's own, and outputs; calls the model if there are none."""
        inputs = self._set_input_attrs(inputs)
        if outputs is None:
            kwargs = {}
            if self._expects_training_arg:
                if training is None and not context.executing_eagerly():
                    training = backend.learning_phase()
                if training is not None:
                    kwargs["training"] = training
            model: Any = self
            try:
                outputs = model(inputs, **kwargs)
            except NotImplementedError:
                # The model has several inputs that `call` does not take, for example.
                outputs = None
        outputs = nest.flatten(outputs)
        self._set_private("outputs", outputs)
        self._set_private("output_names", training_utils.generic_output_names(outputs))
        self._set_private("built", True)

    def _set_input_attrs(self, inputs: Any) -> Any:
        if self.inputs:
            raise ValueError("Model inputs are already set.")
        if type(self).__name__ == "Sequential" and not self.built:
            if isinstance(inputs, dict):
                if not getattr(self.layers[0], "_is_feature_layer", False):
                    raise ValueError(
                        "Passing a dictionary input to a Sequential Model which doesn't have "
                        "FeatureLayer as the first layer is an error."
                    )
                shape: Any = (None,)
            elif isinstance(inputs, TensorShape):
                shape = (None, *inputs.as_list()[1:])
            else:
                shape = (
                    None,
                    *TensorShape(
                        np.shape(inputs) if isinstance(inputs, np.ndarray) else inputs.shape
                    ).as_list()[1:],
                )
            self._set_private("_build_input_shape", shape)
        found = training_utils.ModelInputs(inputs)
        symbolic = found.get_symbolic_inputs()
        fed = [(name, x) for name, x in found.as_dict() if backend.is_placeholder(x)]
        for attribute, value in (
            ("inputs", found.get_symbolic_inputs(return_single_as_list=True)),
            ("input_names", found.get_input_names()),
            ("_feed_input_names", [name for name, _ in fed]),
            ("_feed_inputs", [x for _, x in fed]),
            ("_feed_input_shapes", [backend.int_shape(x) for _, x in fed]),
        ):
            self._set_private(attribute, value)
        return symbolic


def _is_symbolic(x: Any) -> bool:
    return tensor_util.is_tensor(x) and hasattr(x, "graph")


def _as_input(value: Any, tensor: Any) -> Any:
    """A SciPy sparse matrix as the input takes it; others as they are.

    Raises:
      ValueError: one of them is of several tensors, as sparse ones are, and the other is not.
    """
    if hasattr(value, "tocoo") and hasattr(value, "toarray"):
        if not isinstance(tensor, SparseTensor):
            return value.toarray()
        coo = value.tocoo()
        return SparseTensor(np.stack([coo.row, coo.col], axis=1), coo.data, coo.shape)
    if nest.is_composite(value) or nest.is_composite(tensor):
        nest.assert_same_structure(type_spec_from_value(value), tensor, expand_composites=True)
    return value
