"""`__builtin__`."""

from tf1compat.launcher.py2 import runtime

globals().update(
    (name, value) for name, value in runtime.BUILTINS.items() if not name.startswith("__")
)
