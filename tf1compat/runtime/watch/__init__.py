"""Runs whose tensors are watched (`RunOptions.debug_options`): TensorFlow's debugger.

Such a run is the host tier's, where every operation is a line: behind each one that is watched
stands a call that sends what it gave to the watch's URLs.
"""
