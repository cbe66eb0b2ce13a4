"""Runs an exported step from a folder with `steps.npz`, without tf1compat.

    python run_exported.py FOLDER

Prints how many steps were compared, and the largest relative difference of anything
fetched, and of the variables.
"""

import itertools
import sys
from pathlib import Path

import jax
import numpy as np

folder = Path(sys.argv[1])
sys.path.insert(0, str(folder))
from load import load  # noqa: E402  # pyright: ignore[reportMissingImports]

fn, params = load()
fn = jax.jit(fn)
with np.load(folder / "steps.npz") as data:
    kept = {name: data[name] for name in sorted(data)}
compared, worst = 0, 0.0
for step in itertools.count(1):
    given, wanted = ([v for n, v in kept.items() if n.startswith(f"{kind}_{step}_")]
                     for kind in ("given", "wanted"))  # fmt: skip
    if not wanted:
        break
    params, results = fn(params, *given)
    found = [value for value in results if value is not None]
    found += [params[name] for name in sorted(params) if not name.startswith("random:")]
    for ours, theirs in zip(found, wanted, strict=True):
        scale = np.max(np.abs(theirs), initial=0.0) + 1e-6
        difference = np.max(np.abs(np.asarray(ours) - theirs), initial=0.0)
        worst = max(worst, float(difference / scale))
    compared += 1
assert "tf1compat" not in sys.modules
print(compared, worst)
