"""TensorFlow's debugger, `tensorflow.python.debug`: what to watch (`lib/debug_utils.py`), what was
dumped (`lib/debug_dump.py`), sessions and hooks that watch (`wrappers`), and a prompt (`cli`).
Runs are watched by `runtime/watch`."""
