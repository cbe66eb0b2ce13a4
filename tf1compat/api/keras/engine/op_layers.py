"""Operations, losses and metrics as layers of a model (of
`tensorflow.python.keras.engine.base_layer`)."""

from __future__ import annotations

import functools
from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.api.functions.function import function
from tf1compat.api.keras import backend
from tf1compat.api.keras.engine.base_layer import Layer
from tf1compat.core import context, eager, nest, protos, tape, tensor_util
from tf1compat.core.typing import DTypeLike

_PREFIX = "tf_op_layer_"


class TensorFlowOpLayer(Layer):
    """An operation between layers.

    Args:
      node_def: its NodeDef, as bytes, or as the dict that `get_config` gives.
      name: its name.
      constants: index -> value of each input that comes from no layer.
      trainable, dtype: see `Layer`.
    """

    def __init__(
        self, node_def: Any, name: str, constants: Any = None, trainable: bool = True,
        dtype: DTypeLike | None = None,
    ):  # fmt: skip
        super().__init__(name=_PREFIX + name, trainable=trainable, dtype=dtype, autocast=False)
        self.node_def = protos.NodeDef()
        if isinstance(node_def, dict):
            from google.protobuf import json_format

            json_format.ParseDict(node_def, self.node_def)
        else:
            data = node_def if isinstance(node_def, bytes) else node_def.encode()
            self.node_def.ParseFromString(data)
        self.constants = {int(index): value for index, value in (constants or {}).items()}
        self.built = True

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Records the operation again, for these inputs; eagerly it runs as a function."""
        run = self._function if context.executing_eagerly() else self._record
        return run(nest.flatten(inputs))

    @functools.cached_property
    def _function(self) -> Any:
        return function(self._record, autograph=False)

    def _record(self, inputs: list[Any]) -> Any:
        graph = inputs[0].graph
        with graph.as_default():
            name = graph.unique_name(self.node_def.name)
            inputs = list(inputs)
            for index, value in sorted(self.constants.items()):
                known = tensor_util.constant_value(value)
                if known is not None:
                    # Recorded anew, as the tensor may be of another replica.
                    value = constant_op.constant(known, name=self.node_def.input[index])
                inputs.insert(index, value)
            attrs = {
                key: value
                for key, value in self.node_def.attr.items()
                if not key.startswith("_output_shapes")
            }
            operation = graph.create_op(self.node_def.op, inputs, name=name + "/", attrs=attrs)
            if tape.active() and eager.record_operation is not None:
                eager.record_operation(operation)
        outputs = operation.outputs
        return outputs[0] if len(outputs) == 1 else outputs

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal layer."""
        from google.protobuf import json_format

        config = super().get_config()
        config.update(
            name=config["name"].removeprefix(_PREFIX),
            node_def=json_format.MessageToDict(self.node_def),
            constants={i: backend.get_value(value) for i, value in self.constants.items()},
        )
        return config


class AddLoss(Layer):
    """Adds its inputs to the losses.

    Args:
      unconditional: whether they depend on no inputs of the model.
    """

    def __init__(self, unconditional: bool, **kwargs: Any):
        kwargs["autocast"] = False
        super().__init__(**kwargs)
        self.unconditional = unconditional

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The inputs."""
        self.add_loss(inputs, inputs=not self.unconditional)
        return inputs

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal layer."""
        return {**super().get_config(), "unconditional": self.unconditional}


class AddMetric(Layer):
    """Adds its inputs to the metrics.

    Args:
      aggregation: "mean" or None.
      metric_name: the metric's name.
    """

    def __init__(self, aggregation: Any = None, metric_name: Any = None, **kwargs: Any):
        super().__init__(**kwargs)
        self.aggregation = aggregation
        self.metric_name = metric_name

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The inputs."""
        self.add_metric(inputs, self.aggregation, self.metric_name)
        return inputs

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal layer."""
        own = {"aggregation": self.aggregation, "metric_name": self.metric_name}
        return {**super().get_config(), **own}
