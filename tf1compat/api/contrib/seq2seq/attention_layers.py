"""Mechanisms of attention as layers of Keras. Found, as in TF, in
`tensorflow.contrib.seq2seq.python.ops.attention_wrapper`.

A layer is called with its memory once, when it is made or later (`setup_memory=True`), and then
with `[query, state]`.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.seq2seq import attention_mechanism as mechanisms
from tf1compat.api.keras import initializers
from tf1compat.api.keras.engine import base_layer, base_layer_utils
from tf1compat.api.keras.layers import core
from tf1compat.api.keras.layers.serialization import deserialize
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import init_ops
from tf1compat.api.rnn.rnn_cell_impl import _zero_state_tensors
from tf1compat.core import dtypes, nest, ops
from tf1compat.core.attribute import attribute
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import DTypeLike, Name


class _BaseAttentionMechanismV2(mechanisms.AttentionMechanism, base_layer.Layer):
    """A memory, and how scores become alignments.

    Args:
      memory: floats [batch, time, ...]; or None, where the layer is called with it later.
      probability_fn: `(scores, state) -> alignments`.
      query_layer: a layer for the queries; or None.
      memory_layer: one for the memory, which gives the keys; or None.
      memory_sequence_length: the lengths of the sequences in the memory, ints [batch]; or None.
      **kwargs: the layer's own.

    Raises:
      TypeError: an argument has a wrong type.
    """

    def __init__(
        self, memory: Any, probability_fn: Any, query_layer: Any = None, memory_layer: Any = None,
        memory_sequence_length: Any = None, **kwargs: Any,
    ):  # fmt: skip
        for what, layer in (("query_layer", query_layer), ("memory_layer", memory_layer)):
            if layer is not None and not isinstance(layer, base_layer.Layer):
                raise TypeError(f"{what} is not a Layer: {type(layer).__name__}")
        self.query_layer = query_layer
        self.memory_layer = memory_layer
        if memory_layer is not None:
            kwargs.setdefault("dtype", memory_layer.dtype)
        super().__init__(**kwargs)
        if not callable(probability_fn):
            raise TypeError(
                f"probability_fn must be callable, saw type: {type(probability_fn).__name__}"
            )
        self.probability_fn: Any = probability_fn
        self.keys: Any = None
        self.values: Any = None
        self.batch_size: Any = None
        self._alignments_size: Any = None
        self._memory_initialized = False
        self._check_inner_dims_defined = True
        self.supports_masking = True
        self.score_mask_value = dtypes.as_dtype(self.dtype).as_numpy_dtype(-np.inf)
        if memory is not None:
            lengths = memory_sequence_length
            self.values = super().__call__(
                memory if lengths is None else [memory, lengths], setup_memory=True
            )

    def build(self, input_shape: Any) -> None:
        """Builds the layer of the memory, or once there is one that of the queries."""
        layer = self.query_layer if self._memory_initialized else self.memory_layer
        if layer is not None and not layer.built:
            layer.build(input_shape[0] if isinstance(input_shape, list) else input_shape)

    def __call__(self, inputs: Any, **kwargs: Any) -> Any:
        """Takes the memory, or aligns.

        Args:
          inputs: the memory, alone or as `[memory, lengths]`; then `[query, state]`.
          **kwargs: those of `call`.

        Raises:
          ValueError: a query comes with too many or too few tensors.
        """
        if self._memory_initialized:
            if len(inputs) not in (2, 3):
                raise ValueError(f"Expect the inputs to have 2 or 3 tensors, got {len(inputs)}")
            if len(inputs) == 2:
                # The values are an input, so that Keras sees what the result hangs on.
                inputs.append(self.values)
        return super().__call__(inputs, **kwargs)

    def call(self, inputs: Any, mask: Any = None, setup_memory: bool = False, **kwargs: Any) -> Any:
        """Takes the memory and returns the values, or aligns.

        Args:
          inputs: as in `__call__`.
          mask: which parts of the memory are meant, bools [batch, time]; or None.
          setup_memory: whether `inputs` is the memory.
          **kwargs: not used.

        Returns:
          The values; or (alignments [batch, alignments_size], next state).

        Raises:
          ValueError: there are too many or too few tensors, or no memory yet.
        """
        if setup_memory:
            memory, lengths = inputs, None
            if isinstance(inputs, list):
                if len(inputs) not in (1, 2):
                    raise ValueError(f"Expect inputs to have 1 or 2 tensors, got {len(inputs)}")
                memory, lengths = inputs if len(inputs) == 2 else (inputs[0], None)
            self._setup_memory(memory, lengths, mask)
            # The next call, with a query, builds again.
            self.built = False
            return self.values
        if not self._memory_initialized:
            raise ValueError("Cannot query the attention before the setup of memory")
        if len(inputs) not in (2, 3):
            raise ValueError(
                "Expect the inputs to have query, state, and optional processed memory, got "
                f"{len(inputs)} items"
            )
        return self._calculate_attention(inputs[0], inputs[1])

    def _setup_memory(
        self, memory: Any, memory_sequence_length: Any = None, memory_mask: Any = None
    ) -> None:
        if self._memory_initialized:
            raise ValueError("The memory for the attention has already been setup.")
        if memory_sequence_length is not None and memory_mask is not None:
            raise ValueError(
                "memory_sequence_length and memory_mask cannot be used at same time for attention."
            )
        with ops.name_scope(self.name, "BaseAttentionMechanismInit", nest.flatten(memory)):
            self.values = mechanisms._prepare_memory(
                memory,
                memory_sequence_length=memory_sequence_length,
                memory_mask=memory_mask,
                check_inner_dims_defined=self._check_inner_dims_defined,
            )
            base_layer_utils.mark_checked(self.values)
            self.keys = self.memory_layer(self.values) if self.memory_layer else self.values
            shape = self.keys.shape
            self.batch_size = dimension_value(shape[0]) or array_ops.shape(self.keys)[0]
            self._alignments_size = dimension_value(shape[1]) or array_ops.shape(self.keys)[1]
            if memory_mask is not None:
                unmasked = self.probability_fn

                def masked(score: Any, previous: Any) -> Any:
                    score = mechanisms._maybe_mask_score(
                        score, memory_mask=memory_mask, score_mask_value=self.score_mask_value
                    )
                    return unmasked(score, previous)

                self.probability_fn = masked
        self._memory_initialized = True

    def _calculate_attention(self, query: Any, state: Any) -> Any:
        raise NotImplementedError("_calculate_attention need to be implemented by subclasses.")

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """Neither alignments nor state have a mask."""
        return None, None

    def get_config(self) -> dict[str, Any]:
        """What makes such a layer again, without its memory."""
        config = super().get_config()
        for name in ("query_layer", "memory_layer"):
            layer = getattr(self, name)
            if layer is not None:
                config[name] = {
                    "class_name": type(layer).__name__, "config": layer.get_config()
                }  # fmt: skip
        return {**config, "memory": None, **self._own_config()}

    def _own_config(self) -> dict[str, Any]:
        return {}

    @classmethod
    def from_config(  # pyright: ignore[reportIncompatibleMethodOverride]
        cls, config: dict[str, Any], custom_objects: Any = None
    ) -> Any:
        """A layer of what `get_config` gives.

        Args:
          config: the configuration.
          custom_objects: classes that Keras does not know, by name.
        """
        return cls(**cls.deserialize_inner_layer_from_config(config, custom_objects))

    @classmethod
    def deserialize_inner_layer_from_config(
        cls, config: dict[str, Any], custom_objects: Any
    ) -> dict[str, Any]:
        """A configuration with the layers in it made.

        Args:
          config: the configuration.
          custom_objects: classes that Keras does not know, by name.
        """
        made = dict(config)
        for name in ("query_layer", "memory_layer"):
            layer = made.pop(name, None)
            if layer:
                made[name] = deserialize(layer, custom_objects=custom_objects)
        return made

    def _process_probability_fn(self, func_name: str) -> Any:
        return _probability_function(func_name)

    alignments_size = attribute(
        "_alignments_size", "How many parts the memory has, an int or a scalar tensor."
    )
    state_size = attribute("_alignments_size", "The state is the alignments before.")

    def initial_alignments(self, batch_size: Any, dtype: DTypeLike) -> Any:
        """The first alignments: zeros [batch_size, alignments_size]."""
        return _zero_state_tensors(self._alignments_size, batch_size, dtype)

    def initial_state(self, batch_size: Any, dtype: DTypeLike) -> Any:
        """The first state: the first alignments."""
        return self.initial_alignments(batch_size, dtype)


def _probability_function(name: str) -> Any:
    functions = {"softmax": nn_ops.softmax, "hardmax": mechanisms.hardmax}
    if name not in functions:
        raise ValueError(f"Invalid probability function: {name}, options are {functions.keys()}")
    return functions[name]


def _dense(kwargs: dict[str, Any], name: str, units: int, dtype: DTypeLike) -> Any:
    """The layer that the caller gave, or a dense one."""
    given = kwargs.pop(name, None)
    return given or core.Dense(units, name=name, use_bias=False, dtype=dtype)


class _Luong(_BaseAttentionMechanismV2):
    """Luong's score: the product of query and key."""

    def _scale_weight(self) -> Any:
        return self.add_weight("attention_g", initializer=init_ops.ones_initializer, shape=())


class _Bahdanau(_BaseAttentionMechanismV2):
    """Bahdanau's score: a hyperbolic tangent of the sum of query and key, weighted."""

    units: int
    normalize: bool

    def _set_weights(self, kernel_initializer: Any) -> None:
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.attention_v: Any = None
        self.attention_g: Any = None
        self.attention_b: Any = None

    def _build_v(self) -> None:
        if self.attention_v is None:
            self.attention_v = self.add_weight(
                "attention_v", [self.units], dtype=self.dtype, initializer=self.kernel_initializer
            )

    def _build_norm(self) -> None:
        if not self.normalize or self.attention_g is not None or self.attention_b is not None:
            return
        length = math.sqrt(1.0 / self.units)
        self.attention_g = self.add_weight(
            "attention_g", initializer=init_ops.constant_initializer(length), shape=()
        )
        self.attention_b = self.add_weight(
            "attention_b", shape=[self.units], initializer=init_ops.zeros_initializer()
        )

    def _score(self, query: Any) -> Any:
        processed = self.query_layer(query) if self.query_layer else query
        return mechanisms._bahdanau_score(
            processed, self.keys, self.attention_v, self.attention_g, self.attention_b
        )


def _softmax_or_hardmax(name: str) -> Any:
    probability_fn = _probability_function(name)
    return lambda score, _: probability_fn(score)


class LuongAttentionV2(_Luong):
    """Luong's attention.

    Args:
      units: the size of queries and keys.
      memory: floats [batch, time, ...]; or None, where the layer is called with it later.
      memory_sequence_length: the lengths of the sequences in the memory, ints [batch]; or None.
      scale: whether a variable scales the scores.
      probability_fn: "softmax" or "hardmax".
      dtype: of the layers; float32 by default.
      name: the layer's name.
      **kwargs: `memory_layer`, and the layer's own.

    Raises:
      ValueError: an unknown probability function.
    """

    def __init__(
        self, units: int, memory: Any, memory_sequence_length: Any = None, scale: bool = False,
        probability_fn: str = "softmax", dtype: DTypeLike | None = None,
        name: Name = "LuongAttention", **kwargs: Any,
    ):  # fmt: skip
        self.probability_fn_name = probability_fn
        probability = _softmax_or_hardmax(probability_fn)
        dtype = dtypes.float32 if dtype is None else dtype
        memory_layer = _dense(kwargs, "memory_layer", units, dtype)
        self.units = units
        self.scale = scale
        self.scale_weight: Any = None
        super().__init__(
            memory=memory, memory_sequence_length=memory_sequence_length, query_layer=None,
            memory_layer=memory_layer, probability_fn=probability, name=name, dtype=dtype,
            **kwargs,
        )  # fmt: skip

    def build(self, input_shape: Any) -> None:
        """Makes the variables.

        Args:
          input_shape: that of the memory, or of query and state.
        """
        super().build(input_shape)
        if self.scale and self.scale_weight is None:
            self.scale_weight = self._scale_weight()
        self.built = True

    def _calculate_attention(self, query: Any, state: Any) -> Any:
        score = mechanisms._luong_score(query, self.keys, self.scale_weight)
        alignments = self.probability_fn(score, state)
        return alignments, alignments

    def _own_config(self) -> dict[str, Any]:
        return {
            "units": self.units, "scale": self.scale, "probability_fn": self.probability_fn_name
        }  # fmt: skip


class BahdanauAttentionV2(_Bahdanau):
    """Bahdanau's attention.

    Args:
      units: the size in which queries and keys are compared.
      memory: floats [batch, time, ...]; or None, where the layer is called with it later.
      memory_sequence_length: the lengths of the sequences in the memory, ints [batch]; or None.
      normalize: whether the weights are normalized.
      probability_fn: "softmax" or "hardmax".
      kernel_initializer: of the weights of a score.
      dtype: of the layers; float32 by default.
      name: the layer's name.
      **kwargs: `query_layer`, `memory_layer`, and the layer's own.

    Raises:
      ValueError: an unknown probability function.
    """

    def __init__(
        self, units: int, memory: Any, memory_sequence_length: Any = None,
        normalize: bool = False, probability_fn: str = "softmax",
        kernel_initializer: Any = "glorot_uniform", dtype: DTypeLike | None = None,
        name: Name = "BahdanauAttention", **kwargs: Any,
    ):  # fmt: skip
        self.probability_fn_name = probability_fn
        probability = _softmax_or_hardmax(probability_fn)
        dtype = dtypes.float32 if dtype is None else dtype
        layers = {n: _dense(kwargs, n, units, dtype) for n in ("query_layer", "memory_layer")}
        self.units = units
        self.normalize = normalize
        self._set_weights(kernel_initializer)
        super().__init__(
            memory=memory, memory_sequence_length=memory_sequence_length,
            probability_fn=probability, name=name, dtype=dtype, **layers, **kwargs,
        )  # fmt: skip

    def build(self, input_shape: Any) -> None:
        """Makes the variables.

        Args:
          input_shape: that of the memory, or of query and state.
        """
        super().build(input_shape)
        self._build_v()
        self._build_norm()
        self.built = True

    def _calculate_attention(self, query: Any, state: Any) -> Any:
        alignments = self.probability_fn(self._score(query), state)
        return alignments, alignments

    def _own_config(self) -> dict[str, Any]:
        return {
            "units": self.units,
            "normalize": self.normalize,
            "probability_fn": self.probability_fn_name,
            "kernel_initializer": initializers.serialize(self.kernel_initializer),
        }


class _BaseMonotonicAttentionMechanismV2(_BaseAttentionMechanismV2):
    """A mechanism that looks at the first part of the memory at first."""

    def _set_monotonic(
        self, sigmoid_noise: float, seed: int | None, score_bias_init: Any, mode: str
    ) -> Any:
        """Keeps the arguments; returns what makes alignments of scores."""
        self.sigmoid_noise = sigmoid_noise
        self.sigmoid_noise_seed = seed
        self.score_bias_init = score_bias_init
        self.mode = mode
        self.attention_score_bias: Any = None
        return functools.partial(
            mechanisms._monotonic_probability_fn, sigmoid_noise=sigmoid_noise, mode=mode, seed=seed
        )

    def _build_score_bias(self) -> None:
        if self.attention_score_bias is None:
            first = init_ops.constant_initializer(self.score_bias_init, dtype=self.dtype)
            self.attention_score_bias = self.add_weight(
                "attention_score_bias", shape=(), dtype=self.dtype, initializer=first
            )

    def _monotonic_config(self) -> dict[str, Any]:
        names = ("sigmoid_noise", "sigmoid_noise_seed", "score_bias_init", "mode")
        return {name: getattr(self, name) for name in names}

    def initial_alignments(self, batch_size: Any, dtype: DTypeLike) -> Any:
        """1 for the first part, floats [batch_size, alignments_size]."""
        first = array_ops.zeros((batch_size,), dtype=dtypes.int32)
        return array_ops.one_hot(first, self._alignments_size, dtype=dtype)


class BahdanauMonotonicAttentionV2(_BaseMonotonicAttentionMechanismV2, _Bahdanau):
    """Monotonic attention with Bahdanau's score.

    Args:
      units, memory, memory_sequence_length, normalize, kernel_initializer, dtype, name: as in
        `BahdanauAttentionV2`.
      sigmoid_noise: the standard deviation of what is added to the scores.
      sigmoid_noise_seed: its seed.
      score_bias_init: the first value of the scores' bias.
      mode: as in `monotonic_attention`.
      **kwargs: `query_layer`, `memory_layer`, and the layer's own.
    """

    def __init__(
        self, units: int, memory: Any, memory_sequence_length: Any = None,
        normalize: bool = False, sigmoid_noise: float = 0.0, sigmoid_noise_seed: int | None = None,
        score_bias_init: Any = 0.0, mode: str = "parallel",
        kernel_initializer: Any = "glorot_uniform", dtype: DTypeLike | None = None,
        name: Name = "BahdanauMonotonicAttention", **kwargs: Any,
    ):  # fmt: skip
        dtype = dtypes.float32 if dtype is None else dtype
        probability = self._set_monotonic(sigmoid_noise, sigmoid_noise_seed, score_bias_init, mode)
        layers = {n: _dense(kwargs, n, units, dtype) for n in ("query_layer", "memory_layer")}
        self.units = units
        self.normalize = normalize
        self._set_weights(kernel_initializer)
        super().__init__(
            memory=memory, memory_sequence_length=memory_sequence_length,
            probability_fn=probability, name=name, dtype=dtype, **layers, **kwargs,
        )  # fmt: skip

    def build(self, input_shape: Any) -> None:
        """Makes the variables.

        Args:
          input_shape: that of the memory, or of query and state.
        """
        super().build(input_shape)
        self._build_v()
        self._build_score_bias()
        self._build_norm()
        self.built = True

    def _calculate_attention(self, query: Any, state: Any) -> Any:
        score = self._score(query)
        score += self.attention_score_bias
        alignments = self.probability_fn(score, state)
        return alignments, alignments

    def _own_config(self) -> dict[str, Any]:
        return {
            "units": self.units,
            "normalize": self.normalize,
            **self._monotonic_config(),
            "kernel_initializer": initializers.serialize(self.kernel_initializer),
        }


class LuongMonotonicAttentionV2(_BaseMonotonicAttentionMechanismV2, _Luong):
    """Monotonic attention with Luong's score.

    Args:
      units, memory, memory_sequence_length, scale, dtype, name: as in `LuongAttentionV2`.
      sigmoid_noise: the standard deviation of what is added to the scores.
      sigmoid_noise_seed: its seed.
      score_bias_init: the first value of the scores' bias.
      mode: as in `monotonic_attention`.
      **kwargs: `memory_layer`, and the layer's own.
    """

    def __init__(
        self, units: int, memory: Any, memory_sequence_length: Any = None, scale: bool = False,
        sigmoid_noise: float = 0.0, sigmoid_noise_seed: int | None = None,
        score_bias_init: Any = 0.0, mode: str = "parallel", dtype: DTypeLike | None = None,
        name: Name = "LuongMonotonicAttention", **kwargs: Any,
    ):  # fmt: skip
        dtype = dtypes.float32 if dtype is None else dtype
        probability = self._set_monotonic(sigmoid_noise, sigmoid_noise_seed, score_bias_init, mode)
        memory_layer = _dense(kwargs, "memory_layer", units, dtype)
        self.units = units
        self.scale = scale
        self.attention_g: Any = None
        super().__init__(
            memory=memory, memory_sequence_length=memory_sequence_length, query_layer=None,
            memory_layer=memory_layer, probability_fn=probability, name=name, dtype=dtype,
            **kwargs,
        )  # fmt: skip

    def build(self, input_shape: Any) -> None:
        """Makes the variables.

        Args:
          input_shape: that of the memory, or of query and state.
        """
        super().build(input_shape)
        if self.scale and self.attention_g is None:
            self.attention_g = self._scale_weight()
        self._build_score_bias()
        self.built = True

    def _calculate_attention(self, query: Any, state: Any) -> Any:
        score = mechanisms._luong_score(query, self.keys, self.attention_g)
        score += self.attention_score_bias
        alignments = self.probability_fn(score, state)
        return alignments, alignments

    def _own_config(self) -> dict[str, Any]:
        return {"units": self.units, "scale": self.scale, **self._monotonic_config()}
