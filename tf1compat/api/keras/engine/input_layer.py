"""`tf.keras.Input` (`tensorflow.python.keras.engine.input_layer`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.keras import backend
from tf1compat.api.keras.engine import base_layer, node
from tf1compat.api.keras.utils import tf_utils
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import DTypeLike, Name, ShapeLike


@tf_export("keras.layers.InputLayer")
class InputLayer(base_layer.Layer):
    """Where a model begins: a placeholder, or a tensor.

    Args:
      input_shape: the shape without the batch.
      batch_size: the size of the batches, if it is fixed.
      dtype: of the input; that of the tensor, or `floatx()`.
      input_tensor: the tensor to wrap.
      sparse, ragged: whether the placeholder is of such tensors.
      name: the layer's name.
      **kwargs: `batch_input_shape`, instead of `input_shape` and `batch_size`.
    """

    def __init__(
        self, input_shape: Any = None, batch_size: Any = None, dtype: Any = None,
        input_tensor: Any = None, sparse: bool = False, name: Name = None, ragged: bool = False,
        **kwargs: Any,
    ):  # fmt: skip
        if "batch_input_shape" in kwargs:
            batch_input_shape = kwargs.pop("batch_input_shape")
            if input_shape and batch_input_shape:
                raise ValueError(
                    "Only provide the input_shape OR batch_input_shape argument to InputLayer, "
                    "not both at the same time."
                )
            batch_size, input_shape = batch_input_shape[0], batch_input_shape[1:]
        if kwargs:
            raise ValueError("Unrecognized keyword arguments:", kwargs.keys())
        if not name:
            name = f"input_{backend.get_uid('input')}"
        if not dtype:
            dtype = backend.floatx() if input_tensor is None else backend.dtype(input_tensor)
        elif input_tensor is not None and input_tensor.dtype != dtype:
            raise ValueError(
                f"`input_tensor.dtype` differs from `dtype`: {input_tensor.dtype} vs. {dtype}"
            )
        super().__init__(dtype=dtype, name=name)
        self.built = True
        self.sparse = sparse
        self.ragged = ragged
        self.batch_size = batch_size
        self.supports_masking = True
        if isinstance(input_shape, TensorShape):
            input_shape = tuple(input_shape.as_list())
        elif isinstance(input_shape, int):
            input_shape = (input_shape,)
        if input_tensor is None:
            shape = None if input_shape is None else (batch_size, *input_shape)
            input_tensor = backend.placeholder(
                shape=shape, dtype=dtype, name=self.name, sparse=sparse, ragged=ragged
            )
            self.is_placeholder = True
            self._batch_input_shape = shape
        else:
            if not tf_utils.is_symbolic_tensor(input_tensor):
                raise ValueError(
                    "You should not pass an EagerTensor to `Input`. For example, instead of "
                    "creating an InputLayer, you should instantiate your model and directly call "
                    "it on your input."
                )
            self.is_placeholder = False
            self._batch_input_shape = tuple(input_tensor.shape.as_list())
        input_tensor._keras_history = base_layer.KerasHistory(self, 0, 0)
        input_tensor._keras_mask = None
        node.Node(
            self, inbound_layers=[], node_indices=[], tensor_indices=[],
            input_tensors=[input_tensor], output_tensors=[input_tensor],
        )  # fmt: skip

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal layer."""
        return {
            "batch_input_shape": self._batch_input_shape,
            "dtype": self.dtype,
            "sparse": self.sparse,
            "ragged": self.ragged,
            "name": self.name,
        }


@tf_export("keras.layers.Input", "keras.Input")
def Input(  # noqa: N802
    shape: ShapeLike | None = None, batch_size: Any = None, name: Name = None,
    dtype: DTypeLike | None = None,
    sparse: bool = False, tensor: Any = None, ragged: bool = False, **kwargs: Any,
) -> Any:  # fmt: skip
    """A tensor that models begin with.

    Args:
      shape: the shape without the batch, None where any size goes.
      batch_size: the size of the batches, if it is fixed.
      name: of the placeholder and its layer.
      dtype: `floatx()` by default.
      sparse, ragged: whether it is of such tensors.
      tensor: a tensor to wrap instead of a new placeholder.
      **kwargs: `batch_shape` (or `batch_input_shape`), the shape with the batch.

    Returns:
      A symbolic tensor.

    Raises:
      ValueError: no shape, or two.
    """
    if sparse and ragged:
        raise ValueError("Cannot set both sparse and ragged to True in a Keras input.")
    config: dict[str, Any] = {
        "name": name, "dtype": dtype, "sparse": sparse, "ragged": ragged, "input_tensor": tensor,
    }  # fmt: skip
    batch_shape = kwargs.pop("batch_input_shape", kwargs.pop("batch_shape", None))
    if shape and batch_shape:
        raise ValueError(
            "Only provide the `shape` OR `batch_input_shape` argument to Input, not both at the "
            "same time."
        )
    if batch_shape:
        shape = batch_shape[1:]
        config["batch_input_shape"] = batch_shape
    else:
        config["batch_size"] = batch_size
        config["input_shape"] = shape
    if kwargs:
        raise ValueError("Unrecognized keyword arguments:", kwargs.keys())
    if shape is None and tensor is None:
        raise ValueError(
            "Please provide to Input either a `shape` or a `tensor` argument. Note that `shape` "
            "does not include the batch dimension."
        )
    outputs = InputLayer(**config)._inbound_nodes[0].output_tensors
    return outputs[0] if len(outputs) == 1 else outputs
