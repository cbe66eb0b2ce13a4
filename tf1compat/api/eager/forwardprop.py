"""Derivatives carried forward (`tensorflow.python.eager.forwardprop`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.eager import backprop
from tf1compat.api.platform import tf_logging as logging
from tf1compat.core import nest, ops, tape


class _Forward(tape.Tape):
    """Works out, as soon as something is computed from what it follows, how that changes.

    The gradient function of a step is linear in the gradients that it is given: what it gives for
    some of them, differentiated by them, is the step's Jacobian.
    """

    carries_forward = True

    def __init__(self) -> None:
        # Functions are to give gradients of gradients too.
        super().__init__(watches_variables=False, persistent=True)
        # (tensor, tangent), by the tensor's id: it follows what has a tangent.
        self._tensors: dict[int, tuple[Any, Any]] = {}

    def tangent(self, tensor: Any) -> Any:
        """It; None if there is none."""
        return self._tensors.get(id(tensor), (None, None))[1]

    def add(self, tensor: Any, tangent: Any) -> None:
        """Adds to the tangent of `tensor`."""
        known = self.tangent(tensor)
        self._tensors[id(tensor)] = tensor, tangent if known is None else known + tangent

    def record(self, entry: tape.Entry) -> None:
        """Works out the tangents of what a step gives."""
        inputs = [i for i, t in enumerate(entry.inputs) if t.dtype.is_floating]
        outputs = [t for t in entry.outputs if t.dtype.is_floating]
        if not inputs or not outputs or any(map(self.follows, outputs)):
            return  # What has a gradient of its own was followed through its parts.
        with tape.only_before(self):
            for output, tangent in zip(outputs, self._pushed(entry, inputs, outputs), strict=True):
                if tangent is not None:
                    self.add(output, tangent)

    def _pushed(self, entry: tape.Entry, inputs: list[int], outputs: list[Any]) -> list[Any]:
        with backprop.GradientTape() as transposing:
            given = [array_ops.ones_like(tensor) for tensor in outputs]
            transposing.watch(given)
            rest = iter(given)
            grads = [
                next(rest) if tensor.dtype.is_floating else backprop._or_zeros(None, tensor)
                for tensor in entry.outputs
            ]
            skipped = [i for i in range(len(entry.inputs)) if i not in inputs]
            found = entry.backward(*grads, **({"skipped": skipped} if entry.may_skip else {}))
            pairs = [(i, found[i]) for i in inputs if found[i] is not None]
            # Gradients may be rows of a table.
            results = [ops.convert_to_tensor(grad) for _, grad in pairs]
        tangents = []
        for i, _ in pairs:
            known = self.tangent(entry.inputs[i])
            tensor = entry.inputs[i]
            tangents.append(array_ops.zeros_like(tensor) if known is None else known)
        if not results:
            return [None] * len(outputs)
        return transposing.gradient(results, given, output_gradients=tangents)


class ForwardGradientAccumulator:
    """Context manager that works out products of Jacobians and vectors (as in TF 1.15).

    Of accumulators within one another the outer one sees what the inner one computes, and not the
    other way round. Each is used once.
    """

    def __init__(self) -> None:
        self._accumulator: _Forward | None = None
        self._recording = False

    def __enter__(self) -> ForwardGradientAccumulator:
        self._push_accumulator()
        return self

    def __exit__(self, *exc_info: Any) -> None:
        if self._recording:
            self._pop_accumulator()

    def _push_accumulator(self) -> None:
        if self._recording:
            raise ValueError("Accumulator is already recording.")
        if self._accumulator is not None:
            raise NotImplementedError("Accumulator reuse isn't implemented yet.")
        self._accumulator = _Forward()
        tape.push(self._accumulator)
        self._recording = True

    def _pop_accumulator(self) -> None:
        if not self._recording or self._accumulator is None:
            raise ValueError("Tape is not recording.")
        tape.pop(self._accumulator)
        self._recording = False

    def watch(self, tensor: Any, tangents: Any) -> None:
        """Says how `tensor` changes; what is said of it twice is added.

        Args:
          tensor: a tensor or structure of tensors.
          tangents: the vectors, structured as `tensor`; zeros for what is never watched.

        Raises:
          NotImplementedError: a variable.
          ValueError: the structures are not the same, or the accumulator was never entered.
        """
        nest.assert_same_structure(tensor, tangents)
        for one, tangent in zip(nest.flatten(tensor), nest.flatten(tangents)):
            if not one.dtype.is_floating:
                logging.log_first_n(
                    logging.WARN,
                    "The dtype of the watched tensor must be floating (e.g. tf.float32), got %r",
                    5,
                    one.dtype,
                )
            if hasattr(one, "handle"):
                raise NotImplementedError("Currently only Tensors may be watched.")
            if self._accumulator is None:
                raise ValueError("Called watch() without first tracing anything.")
            self._accumulator.add(one, ops.convert_to_tensor(tangent, dtype=one.dtype))

    def jvp(self, target: Any) -> Any:
        """The products of the Jacobians of `target` with what was watched; nothing is computed.

        Args:
          target: a tensor or structure of tensors.

        Returns:
          Tensors of the same shapes, None for what does not hang on anything watched.

        Raises:
          ValueError: the accumulator was never entered.
        """
        if self._accumulator is None:
            raise ValueError("Called jvp() without first tracing anything.")
        return nest.map_structure(self._accumulator.tangent, target)
