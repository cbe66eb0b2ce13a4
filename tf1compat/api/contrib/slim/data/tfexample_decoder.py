"""`tensorflow.contrib.slim.python.slim.data.tfexample_decoder`."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, slicing
from tf1compat.api.contrib.slim.data import data_decoder
from tf1compat.api.control_flow import control_flow_case, control_flow_ops, map_fn
from tf1compat.api.image import image_files
from tf1compat.api.io import parsing_ops
from tf1compat.api.math import math_ops
from tf1compat.api.sparse import sparse_ops
from tf1compat.core import dtypes, sparse_tensor
from tf1compat.core.typing import DTypeLike, ShapeLike, TensorLike


class ItemHandler(metaclass=abc.ABCMeta):
    """Makes an item of some features of an example.

    Args:
      keys: the names of the features.
    """

    def __init__(self, keys: Any):
        self._keys = keys if isinstance(keys, (tuple, list)) else [keys]

    @property
    def keys(self) -> Any:
        """The names of the features."""
        return self._keys

    @abc.abstractmethod
    def tensors_to_item(self, keys_to_tensors: Any) -> Any:
        """Makes the item of a dict of features."""


class ItemHandlerCallback(ItemHandler):
    """An item that a function makes of a dict of features.

    Args:
      keys: the names of the features.
      func: the function.
    """

    def __init__(self, keys: Any, func: Callable[[Any], Any]):
        super().__init__(keys)
        self._func = func

    def tensors_to_item(self, keys_to_tensors: Any) -> Any:
        return self._func(keys_to_tensors)


class BoundingBox(ItemHandler):
    """Boxes of four features, the sides.

    Args:
      keys: the names of the sides: ymin, xmin, ymax, xmax by default.
      prefix: what stands before the names.

    Raises:
      ValueError: the names aren't four.
    """

    def __init__(self, keys: Any = None, prefix: str = ""):
        if keys is None:
            keys = ["ymin", "xmin", "ymax", "xmax"]
        elif len(keys) != 4:
            raise ValueError(f"BoundingBox expects 4 keys but got {len(keys)}")
        self._prefix = prefix
        self._full_keys = [prefix + key for key in keys]
        super().__init__(self._full_keys)

    def tensors_to_item(self, keys_to_tensors: Any) -> Any:
        """Boxes, a [n, 4] tensor."""
        sides = []
        for key in self._full_keys:
            side = keys_to_tensors[key]
            if isinstance(side, sparse_tensor.SparseTensor):
                side = side.values
            sides.append(array_ops.expand_dims(side, 0))
        return array_ops.transpose(array_ops.concat(sides, 0))


def _dense(tensor: TensorLike, default_value: Any = None) -> Any:
    """A sparse tensor as a dense one; others as they are."""
    if not isinstance(tensor, sparse_tensor.SparseTensor):
        return tensor
    if default_value is None:
        return sparse_ops.sparse_tensor_to_dense(tensor)
    return sparse_ops.sparse_tensor_to_dense(tensor, default_value)


class Tensor(ItemHandler):
    """One feature, perhaps reshaped.

    Args:
      tensor_key: its name.
      shape_keys: the names of features that are its shape.
      shape: its shape.
      default_value: what stands where a sparse feature has nothing.

    Raises:
      ValueError: `shape_keys` and `shape` are given.
    """

    def __init__(
        self,
        tensor_key: Any,
        shape_keys: Any = None,
        shape: ShapeLike | None = None,
        default_value: Any = 0,
    ):
        if shape_keys and shape is not None:
            raise ValueError("Cannot specify both shape_keys and shape parameters.")
        if shape_keys and not isinstance(shape_keys, list):
            shape_keys = [shape_keys]
        self._tensor_key = tensor_key
        self._shape_keys = shape_keys
        self._shape = shape
        self._default_value = default_value
        super().__init__([tensor_key, *(shape_keys or [])])

    def tensors_to_item(self, keys_to_tensors: Any) -> Any:
        tensor = keys_to_tensors[self._tensor_key]
        shape = self._shape
        if self._shape_keys:
            dims = [_dense(keys_to_tensors[key]) for key in self._shape_keys]
            shape = array_ops.reshape(array_ops.stack(dims), [-1])
        if isinstance(tensor, sparse_tensor.SparseTensor):
            if shape is not None:
                tensor = sparse_ops.sparse_reshape(tensor, shape)
            return _dense(tensor, self._default_value)
        return tensor if shape is None else array_ops.reshape(tensor, shape)


class LookupTensor(Tensor):
    """One feature, looked up in a table.

    Args: as of `Tensor`, and
      table: the table.
    """

    def __init__(
        self, tensor_key: Any, table: Any, shape_keys: Any = None, shape: ShapeLike | None = None,
        default_value: Any = "",
    ):  # fmt: skip
        self._table = table
        super().__init__(tensor_key, shape_keys, shape, default_value)

    def tensors_to_item(self, keys_to_tensors: Any) -> Any:
        return self._table.lookup(super().tensors_to_item(keys_to_tensors))


class BackupHandler(ItemHandler):
    """Another item where the first is empty.

    Args:
      handler: makes the first.
      backup: makes the other.

    Raises:
      ValueError: one isn't an `ItemHandler`.
    """

    def __init__(self, handler: Any, backup: Any):
        for which, given in (("Primary", handler), ("Backup", backup)):
            if not isinstance(given, ItemHandler):
                raise ValueError(f"{which} handler is of type {type(given)} instead of ItemHandler")
        self._handler = handler
        self._backup = backup
        super().__init__(handler.keys + backup.keys)

    def tensors_to_item(self, keys_to_tensors: Any) -> Any:
        item = self._handler.tensors_to_item(keys_to_tensors)
        is_empty = math_ops.equal(math_ops.reduce_prod(array_ops.shape(item)), 0)
        return control_flow_ops.cond(
            is_empty, lambda: self._backup.tensors_to_item(keys_to_tensors), lambda: item
        )


class SparseTensor(ItemHandler):
    """A sparse tensor of two features: where values are, and the values.

    Args:
      indices_key, values_key: their names.
      shape_key: the name of the shape.
      shape: the shape.
      densify: whether it is made dense.
      default_value: what stands where there is no value.
    """

    def __init__(
        self, indices_key: Any = None, values_key: Any = None, shape_key: Any = None,
        shape: ShapeLike | None = None, densify: Any = False, default_value: Any = 0,
    ):  # fmt: skip
        self._indices_key = indices_key or "indices"
        self._values_key = values_key or "values"
        self._shape_key = shape_key
        self._shape = shape
        self._densify = densify
        self._default_value = default_value
        keys = [self._indices_key, self._values_key]
        super().__init__(keys + ([shape_key] if shape_key else []))

    def tensors_to_item(self, keys_to_tensors: Any) -> Any:
        indices = keys_to_tensors[self._indices_key]
        values = keys_to_tensors[self._values_key]
        if self._shape_key:
            shape = _dense(keys_to_tensors[self._shape_key])
        else:
            shape = self._shape or indices.dense_shape
        rank = array_ops.shape(indices.indices)[1]
        ids = math_ops.cast(indices.values, dtypes.int64)
        parts = [slicing.slice(indices.indices, [0, 0], array_ops.stack([-1, rank - 1]))]
        parts.append(array_ops.reshape(ids, [-1, 1]))
        tensor = sparse_tensor.SparseTensor(array_ops.concat(parts, 1), values.values, shape)
        return _dense(tensor, self._default_value) if self._densify else tensor


class Image(ItemHandler):
    """An image, decoded as its format says.

    Args:
      image_key, format_key: the names of the features: image/encoded, image/format by default.
      shape: its shape.
      channels: the number of channels.
      dtype: the element type.
      repeated: whether there are several.
      dct_method: how a JPEG is decoded.
    """

    def __init__(
        self, image_key: Any = None, format_key: Any = None, shape: ShapeLike | None = None,
        channels: Any = 3, dtype: DTypeLike = dtypes.uint8, repeated: Any = False,
        dct_method: Any = "",
    ):  # fmt: skip
        self._image_key = image_key or "image/encoded"
        self._format_key = format_key or "image/format"
        super().__init__([self._image_key, self._format_key])
        self._shape = shape
        self._channels = channels
        self._dtype = dtype
        self._repeated = repeated
        self._dct_method = dct_method

    def tensors_to_item(self, keys_to_tensors: Any) -> Any:
        images = keys_to_tensors[self._image_key]
        image_format = keys_to_tensors[self._format_key]
        if not self._repeated:
            return self._decode(images, image_format)
        return map_fn.map_fn(
            lambda image: self._decode(image, image_format), images, dtype=self._dtype
        )

    def _decode(self, encoded: Any, image_format: Any) -> Any:
        def decode_image() -> Any:
            image = image_files.decode_image(encoded, channels=self._channels)
            return math_ops.cast(image, self._dtype)

        def decode_jpeg() -> Any:
            image = image_files.decode_jpeg(
                encoded, channels=self._channels, dct_method=self._dct_method
            )
            return math_ops.cast(image, self._dtype)

        def decode_by_content() -> Any:
            return control_flow_ops.cond(
                image_files.is_jpeg(encoded), decode_jpeg, decode_image, name="cond_jpeg"
            )

        def decode_raw() -> Any:
            return parsing_ops.decode_raw_v1(encoded, out_type=self._dtype)

        is_raw = math_ops.logical_or(
            math_ops.equal(image_format, "raw"), math_ops.equal(image_format, "RAW")
        )
        image = control_flow_case.case(
            [(is_raw, decode_raw)], default=decode_by_content, exclusive=True
        )
        image.set_shape([None, None, self._channels])
        return image if self._shape is None else array_ops.reshape(image, self._shape)


class TFExampleDecoder(data_decoder.DataDecoder):
    """Makes items of serialized `tf.Example`s.

    Args:
      keys_to_features: the features, as of `tf.parse_example`.
      items_to_handlers: a dict: name of an item -> the `ItemHandler` that makes it.
    """

    def __init__(self, keys_to_features: Any, items_to_handlers: Any):
        self._keys_to_features = keys_to_features
        self._items_to_handlers = items_to_handlers

    def list_items(self) -> Any:
        """The names of all items."""
        return list(self._items_to_handlers)

    def decode(self, serialized_example: Any, items: Any = None) -> Any:  # pyright: ignore
        """The items of these names (all by default) of an example.

        Args:
          serialized_example: a string scalar.
          items: the names.

        Returns:
          A list of tensors.
        """
        example = parsing_ops.parse_single_example(serialized_example, self._keys_to_features)
        for key, feature in sorted(self._keys_to_features.items(), key=lambda pair: pair[0]):
            if isinstance(feature, parsing_ops.FixedLenFeature):
                example[key] = array_ops.reshape(example[key], feature.shape)
        handlers = [self._items_to_handlers[item] for item in items or self._items_to_handlers]
        return [h.tensors_to_item({key: example[key] for key in h.keys}) for h in handlers]
