"""Calls of other servers' procedures over gRPC, many at a time."""

from __future__ import annotations

import re
import threading
from typing import Any

import numpy as np

from tf1compat.core import errors, shapes, waiting
from tf1compat.core.deferred import Deferred
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.shapes import Shape
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import refuse, text_of_shape

grpc = Deferred("grpc")

# How a call ended: its answer, a code of `tf.errors`, and what was said.
_End = tuple[bytes, int, str]


def _static_shape(address: Shape, method: Shape, request: Shape) -> Shape:
    found: Shape = ()
    for shape in (address, method, request):
        shape = shapes.with_rank_at_most(shape, 1)
        if shape:  # One of unknown rank counts as a scalar.
            found = shapes.merge(found, shape) if found else shape
    return found


def _shape_of_all(ctx: LoweringContext, address: Any, method: Any, request: Any) -> Any:
    vectors = []
    for name, value in (("address", address), ("method", method), ("request", request)):
        if np.ndim(value) > 1:
            refuse(ctx, f"{name} must be a scalar or vector.")
        if np.ndim(value):
            vectors.append(value)
    for other in vectors[1:]:
        if np.shape(other) != np.shape(vectors[0]):
            text = f"{text_of_shape(vectors[0])} vs. {text_of_shape(other)}"
            refuse(ctx, f"Input vector shapes don't match: {text}")
    return np.shape(vectors[0]) if vectors else ()


def _words(code: int) -> str:
    name = errors.exception_type_from_error_code(code).__name__.removesuffix("Error")
    return re.sub("(?<!^)[A-Z]", lambda match: f" {match[0].lower()}", name)


def _end_of(call: Any) -> _End:
    error = call.exception()
    if error is None:
        return call.result(), errors.OK, ""
    more = f"Additional GRPC error information:\n{error.debug_error_string()}"
    return b"", error.code().value[0], f"{error.details()}\n{more}"


def _ends(
    ctx: LoweringContext,
    inputs: tuple[Any, Any, Any],
    protocol: str,
    fail_fast: bool,
    timeout_in_ms: int,
) -> tuple[Any, list[_End]]:
    """The shape of the inputs, and how the calls ended, which all begin at once."""
    shape = _shape_of_all(ctx, *inputs)
    if protocol != "grpc":
        text = "protocol must be non-empty."
        refuse(ctx, f"The protocol {protocol} was not recognized." if protocol else text)
    seconds = timeout_in_ms / 1000 if timeout_in_ms > 0 else None
    changed, channels, started = threading.Condition(), {}, []

    def tell(_: Any) -> None:
        with changed:
            changed.notify_all()

    try:
        for address, method, request in zip(*(np.broadcast_to(v, shape).flat for v in inputs)):
            channel = channels.get(address)
            if channel is None:
                channel = channels[address] = grpc.insecure_channel(address.decode())
            start = channel.unary_unary(method.decode()).future
            call = start(request, timeout=seconds, wait_for_ready=not fail_fast)
            started.append(call)
            call.add_done_callback(tell)
        with changed:
            waiting.wait(
                changed, ctx.session, lambda: all(call.done() for call in started), "Cancelled"
            )
        return shape, [_end_of(call) for call in started]
    finally:
        for channel in channels.values():
            channel.close()  # and what still runs ends.


def _strings(values: list[Any], shape: Any) -> Any:
    return np.array(values, object).reshape(shape)


@op("Rpc", host=True)
class Rpc:
    def shape(address: Any, method: Shape, request: Shape) -> Shape:
        return _static_shape(address, method, request)

    def lower(
        address: Any,
        method: Any,
        request: Any,
        *,
        protocol: str,
        fail_fast: bool,
        timeout_in_ms: int,
        ctx: LoweringContext,
    ) -> Any:
        inputs = address, method, request
        shape, ends = _ends(ctx, inputs, protocol, fail_fast, timeout_in_ms)
        failed = [(code, said) for _, code, said in ends if code]
        if failed:
            code, text = failed[0]
            if len(failed) > 1:
                lines = (f"  ({i}) {_words(code)}: {said}" for i, (code, said) in enumerate(failed))
                text = "\n".join((f"{len(failed)} root error(s) found.", *lines))
            ctx.check(False, errors.exception_type_from_error_code(code), lambda: text)
        return _strings([answer for answer, *_ in ends], shape)


@op("TryRpc", host=True)
class TryRpc:
    def shape(address: Any, method: Shape, request: Shape) -> list[Shape]:
        return [_static_shape(address, method, request)] * 3

    def lower(
        address: Any,
        method: Any,
        request: Any,
        *,
        protocol: str,
        fail_fast: bool,
        timeout_in_ms: int,
        ctx: LoweringContext,
    ) -> Any:
        inputs = address, method, request
        shape, ends = _ends(ctx, inputs, protocol, fail_fast, timeout_in_ms)
        codes = np.array([code for _, code, _ in ends], np.int32).reshape(shape)
        said = _strings([said.encode() for *_, said in ends], shape)
        return [_strings([answer for answer, *_ in ends], shape), codes, said]


not_differentiable("Rpc", "TryRpc")
