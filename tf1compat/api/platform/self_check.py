"""`tensorflow.python.platform.self_check`: whether the libraries that TF needs are there."""


def preload_check() -> None:
    """Finds nothing missing: there is no native library to load."""
