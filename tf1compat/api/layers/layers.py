"""All of `tf.layers` in one module (`tensorflow.python.layers.layers`)."""

__all__ = [name for name in dir() if not name.startswith("_")]
