"""The debugger around sessions: `tensorflow.python.debug.wrappers`."""
