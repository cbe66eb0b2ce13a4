"""Horovod's interface for TensorFlow and Keras, where Horovod itself is not installed.

It records Horovod's operations; what they do among processes is the runtime's.
"""
