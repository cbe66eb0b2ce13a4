"""tf1compat runs TensorFlow 1.x programs unchanged on today's Python, NumPy and accelerators.

Any name of TF 1.15 is an attribute (`tf1compat.Session`); after `install()`, `import tensorflow`
gives the same names.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

__version__ = "0.1.0"

_OWN = frozenset(
    "api backend core formats kernels launcher migrate namespace runtime testing".split()
)


def tensorflow() -> ModuleType:
    """The module that `import tensorflow` gives after `install()`."""
    from tf1compat import namespace

    return namespace.tensorflow()


def install() -> None:
    """Makes `import tensorflow` (and everything below it) give tf1compat, in this process.

    Raises:
      ImportError: the real TensorFlow is imported already.
    """
    from tf1compat.launcher import horovod_hook, import_hook

    import_hook.install()
    horovod_hook.install()


def set_tier(tier: str, session: Any = None) -> None:
    """Fixes how programs are run: at once on the host, or compiled by XLA.

    Args:
      tier: "auto" (the host first, XLA for what repeats or weighs much), "host" or "xla".
      session: the `tf.Session` that it is for; None for all that have no tier of their own.

    Raises:
      ValueError: there is no such tier.
    """
    from tf1compat.runtime import tiers

    tiers.set_tier(tier, session)


def __getattr__(name: str) -> Any:
    if name in _OWN or name.startswith("__"):
        raise AttributeError(f"module 'tf1compat' has no attribute '{name}'")
    return getattr(tensorflow(), name)


class _NotInstalled:
    """The last of the finders: an import of tensorflow that no other one has answered."""

    @staticmethod
    def find_spec(fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        # Who only asks whether there is a TensorFlow (importlib.util.find_spec) is told: no.
        if (
            fullname == "tensorflow"
            and sys._getframe(2).f_code.co_name == "_find_and_load_unlocked"
        ):
            raise ModuleNotFoundError(
                "No module named 'tensorflow'. tf1compat takes its place after "
                "`tf1compat.install()`, or run the script by `python -m tf1compat`",
                name=fullname,
            )
        return None


sys.meta_path.append(_NotInstalled)  # type: ignore[arg-type]
