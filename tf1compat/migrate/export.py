"""An exported function as files that need JAX alone: StableHLO, weights, and what loads them."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import jax
import numpy as np
from jax import export as jax_export

from tf1compat.core.tensor import Tensor
from tf1compat.migrate import loader
from tf1compat.migrate.to_jax import to_jax


def export(
    folder: str | os.PathLike[str],
    fetches: Any,
    inputs: Tensor | Sequence[Tensor],
    session: Any = None,
    *,
    shapes: Mapping[Tensor, Sequence[int]] | None = None,
    fixed: Mapping[Tensor, Any] | None = None,
    weights: Literal["npz", "safetensors", "orbax"] = "npz",
    platforms: Sequence[str] | None = None,
    **options: Any,
) -> None:
    """Writes a part of a recorded graph as StableHLO, with its weights.

    The folder gets `model.bin` (of `jax.export`), the weights, `model.json` with the names, shapes
    and dtypes of the inputs, and `load.py`, which needs JAX and NumPy alone: `from load import
    load; fn, params = load()`. `fn(params, *inputs)` can be compiled and, where it is no step that
    returns params, differentiated once.

    Args:
      folder: is made.
      fetches, inputs, session: see `to_jax`; so are other `options`.
      shapes: of inputs, where dimensions are unknown. Else these stay open: the first dimensions of
        all inputs have one size, others each their own.
      fixed: what other tensors are fed, once and for all: whether a net is trained, for example.
      weights: the format of the weights; "safetensors" and "orbax" need the libraries of this name.
      platforms: what it is compiled for, as in `jax.export`; this process's if None.

    Raises:
      NotImplementedError: the graph needs to know a dimension that is open; it says which.
      ValueError: npz can't hold a weight.
      ImportError: `flatbuffers`, which JAX writes with, is not there (the extra `export`).
    """
    feeds = [inputs] if isinstance(inputs, Tensor) else list(inputs)
    constants = dict(fixed or {})
    whole, params = to_jax(fetches, [*feeds, *constants], session, **options)

    def fn(params: Any, *args: Any) -> Any:
        return whole(params, *args, *constants.values())

    if options.get("random") == "keys":
        raise ValueError("A key of jax.random can't be an argument of what is exported")
    forms = [_form(i, tensor, dict(shapes or {}).get(tensor)) for i, tensor in enumerate(feeds)]
    scope = jax_export.SymbolicScope()
    arguments = [
        jax.ShapeDtypeStruct(jax_export.symbolic_shape(shape, scope=scope), dtype)
        for shape, dtype in forms
    ]
    abstract = jax.tree.map(lambda value: jax.ShapeDtypeStruct(value.shape, value.dtype), params)
    try:
        made = jax_export.export(jax.jit(fn), platforms=platforms)(abstract, *arguments)
    except Exception as error:
        if all(shape.replace(",", "").replace(" ", "").isdigit() for shape, _ in forms if shape):
            raise
        raise NotImplementedError(
            "The graph needs to know a dimension that its inputs leave open: pass `shapes`. "
            f"{error}"
        ) from error
    where = Path(folder)
    where.mkdir(parents=True, exist_ok=True)
    (where / "model.bin").write_bytes(made.serialize(vjp_order=0 if whole.returns_params else 1))
    about = {
        "inputs": [
            {"name": tensor.name, "shape": shape, "dtype": str(dtype)}
            for tensor, (shape, dtype) in zip(feeds, forms)
        ],
        "weights": weights,
    }
    (where / "model.json").write_text(json.dumps(about, indent=2) + "\n")
    _WRITERS[weights](where, {name: np.asarray(value) for name, value in params.items()})
    shutil.copyfile(loader.__file__, where / "load.py")


def _form(number: int, tensor: Tensor, shape: Sequence[int] | None) -> tuple[str, np.dtype]:
    """An input's shape, with names for what is open, and its dtype."""
    if shape is None:
        if tensor._shape is None:
            raise NotImplementedError(f"The rank of {tensor.name} is not known: pass `shapes`")
        names = [f"d{number}_{i}" if i else "batch" for i in range(len(tensor._shape))]
        dims = [name if dim is None else dim for name, dim in zip(names, tensor._shape)]
    else:
        dims = list(shape)
    dtype = jax.dtypes.canonicalize_dtype(tensor._dtype.as_numpy_dtype)
    return ", ".join(map(str, dims)), dtype


def _write_npz(folder: Path, params: dict[str, np.ndarray]) -> None:
    for name, value in params.items():
        if value.dtype.kind == "V":
            raise ValueError(f"npz can't hold {name}, of {value.dtype}: take safetensors")
    # As a list: names are no file names.
    np.savez(folder / "weights.npz", names=np.array(list(params)), **_numbered(params))


def _numbered(params: dict[str, np.ndarray]) -> dict[str, Any]:
    return {str(i): value for i, value in enumerate(params.values())}


def _write_safetensors(folder: Path, params: dict[str, np.ndarray]) -> None:
    from safetensors.numpy import save_file  # pyright: ignore[reportMissingImports]

    save_file(params, str(folder / "weights.safetensors"))


def _write_orbax(folder: Path, params: dict[str, np.ndarray]) -> None:
    import orbax.checkpoint as ocp  # pyright: ignore[reportMissingImports]

    with ocp.StandardCheckpointer() as checkpointer:
        checkpointer.save(folder.absolute() / "weights", params)


_WRITERS = {"npz": _write_npz, "safetensors": _write_safetensors, "orbax": _write_orbax}
