"""Files as operations see them."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from tf1compat.api.lib.io import file_io
from tf1compat.core import shapes
from tf1compat.core.op_registry import op
from tf1compat.core.shapes import Shape
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import refuse, text_of_shape


def _check_scalar(ctx: LoweringContext, name: str, value: Any) -> None:
    if np.ndim(value):
        shape = text_of_shape(value)
        refuse(ctx, f"Input {name} tensor must be scalar, but had shape: {shape}")


@op("ReadFile", host=True)
class ReadFile:
    def shape(filename: Any) -> Shape:
        return shapes.with_rank(filename, 0)

    def lower(filename: Any, *, ctx: LoweringContext) -> Any:
        _check_scalar(ctx, "filename", filename)
        return np.array(file_io.read_file_to_string(filename[()], binary_mode=True), object)


@op("WriteFile", host=True, effect=True)
class WriteFile:
    def shape(filename: Any, contents: Shape) -> None:
        shapes.with_rank(filename, 0)
        shapes.with_rank(contents, 0)

    def lower(filename: Any, contents: Any, *, ctx: LoweringContext) -> None:
        _check_scalar(ctx, "filename", filename)
        _check_scalar(ctx, "contents", contents)
        folder = os.path.dirname(filename[()])
        if folder and not file_io.file_exists(folder):
            file_io.recursive_create_dir(folder)
        file_io.write_string_to_file(filename[()], contents[()])


@op("MatchingFiles", host=True)
class MatchingFiles:
    def shape(pattern: Any) -> Shape:
        shapes.with_rank_at_most(pattern, 1)
        return (None,)

    def lower(pattern: Any, *, ctx: LoweringContext) -> Any:
        if np.ndim(pattern) > 1:
            shape = text_of_shape(pattern)
            refuse(ctx, f"Input patterns tensor must be scalar or vector, but had shape: {shape}")
        found = file_io.get_matching_files([os.fsdecode(text) for text in np.ravel(pattern)])
        return np.array(sorted(map(os.fsencode, found)), object)
