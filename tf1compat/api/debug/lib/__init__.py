"""The debugger's data: `tensorflow.python.debug.lib`."""
