"""Loads a function and its weights from this folder; needs JAX and NumPy alone.

from load import load

fn, params = load()
result = fn(params, *inputs)
"""

import json
from pathlib import Path

import jax.numpy as jnp
import numpy as np
from jax import export


def load(folder=Path(__file__).parent):
    """(fn, params): `fn(params, *inputs)` can be given to `jax.jit`, `jax.grad` and `jax.vmap`.

    `jax.grad` of all params wants `allow_int=True` where there are integers, as the states of
    random generators are.
    """
    folder = Path(folder)
    about = json.loads((folder / "model.json").read_text())
    exported = export.deserialize(bytearray((folder / "model.bin").read_bytes()))
    dtypes = [part["dtype"] for part in about["inputs"]]

    def fn(params, *inputs):
        if len(inputs) != len(dtypes):
            raise TypeError(f"expected {len(dtypes)} inputs, got {len(inputs)}")
        inputs = [jnp.asarray(value, dtype) for value, dtype in zip(inputs, dtypes)]
        return exported.call(params, *inputs)

    return fn, _READERS[about["weights"]](folder)


def _npz(folder):
    with np.load(folder / "weights.npz") as data:
        return {str(name): jnp.asarray(data[str(i)]) for i, name in enumerate(data["names"])}


def _safetensors(folder):
    from safetensors.numpy import load_file  # pyright: ignore[reportMissingImports]

    loaded = load_file(folder / "weights.safetensors")
    return {name: jnp.asarray(value) for name, value in loaded.items()}


def _orbax(folder):
    import orbax.checkpoint as ocp  # pyright: ignore[reportMissingImports]

    with ocp.StandardCheckpointer() as checkpointer:
        return checkpointer.restore((folder / "weights").absolute())


_READERS = {"npz": _npz, "safetensors": _safetensors, "orbax": _orbax}
