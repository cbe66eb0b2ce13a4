"""Printing from a graph."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tf1compat.backend import Array, jax
from tf1compat.core import summary
from tf1compat.core.op_registry import op
from tf1compat.core.shapes import ShapeError
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse, same


def _when_run(function: Callable[[list[Any]], None], values: Sequence[Any]) -> None:
    """Calls `function` with the values each time that the program gets here."""
    # Text can't go through the device: it is known when the program is made, or on the host.
    places = [i for i, value in enumerate(values) if value.dtype != object]

    def call(*computed: Any) -> None:
        found = list(values)
        for place, value in zip(places, computed):
            found[place] = np.asarray(value)
        function(found)

    jax.debug.callback(call, *[values[i] for i in places], ordered=True)


@op("Print", effect=True)
class Print:
    shape = same

    def lower(
        input: Any,
        data: Sequence[Array],
        *,
        message: str,
        first_n: int,
        summarize: int,
        ctx: LoweringContext,
    ) -> Array:
        printed = ctx.kept.setdefault(("times printed", ctx.op.graph, ctx.op.name), [0])

        def show(values: list[Any]) -> None:
            if first_n < 0 or printed[0] < first_n:
                printed[0] += 1
                quoted = "".join(f"[{summary.summarize(value, summarize)}]" for value in values)
                print(message + quoted, file=sys.stderr, flush=True)

        _when_run(show, data)
        return input

    def gradient(op: Any, *grad: Any) -> Gradients:
        return list(grad) + [None] * (len(op.inputs) - 1)


# What tf.print makes: a text, and its output.


@op("StringFormat", host=True)
class StringFormat:
    def shape(inputs: Any, *, template: str, placeholder: str) -> Shape:
        if template.count(placeholder) != len(inputs):
            raise ShapeError(
                f"num placeholders in template and num inputs must match: "
                f"{template.count(placeholder)} vs. {len(inputs)}"
            )
        return ()

    def lower(inputs: Any, *, template: str, placeholder: str, summarize: int) -> Any:
        first, *rest = template.split(placeholder)
        texts = [summary.summarize_v2(value, summarize) for value in inputs]
        text = first + "".join(shown + part for shown, part in zip(texts, rest))
        return np.array(text.encode("utf-8", "surrogateescape"), object)


_LEVELS = {
    "log(info)": logging.INFO,
    "log(warning)": logging.WARNING,
    "log(error)": logging.ERROR,
}


@op("PrintV2", host=True, effect=True)
class PrintV2:
    def shape(input: Any) -> Any:
        if input:
            raise ShapeError(f"input must be a scalar, but has rank: {len(input)}")
        return []

    def lower(input: Any, *, output_stream: str, end: str, ctx: LoweringContext) -> Any:
        if np.ndim(input):
            refuse(ctx, f"Input is expected to be scalar, but got {np.shape(input)}")
        text = input[()].decode("utf-8", "replace") + end
        if output_stream.startswith("file://"):
            with open(output_stream.removeprefix("file://"), "a") as file:
                file.write(text)
        elif output_stream in _LEVELS:
            logging.getLogger("tensorflow").log(_LEVELS[output_stream], "%s", text)
        else:
            stream = sys.stdout if output_stream == "stdout" else sys.stderr
            print(text, end="", file=stream, flush=True)
        return []
