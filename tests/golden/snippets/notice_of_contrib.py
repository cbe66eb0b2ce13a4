"""When a program is told that TF 2 has no `tf.contrib`."""

import logging
import os
import sys

import tensorflow as tf  # noqa: F401

FORMS = """
from tensorflow.contrib import slim; step(); slim.conv2d; step(); tf.contrib.slim
import tensorflow.contrib.slim as slim; step(); tf.contrib.layers
import tensorflow.contrib.slim; step(); import tensorflow; step(); tensorflow.contrib.slim.conv2d
import tensorflow.contrib as contrib; step(); contrib.layers
from tensorflow import contrib; step(); contrib.layers.conv2d; step(); contrib.rnn
from tensorflow.contrib.layers.python.layers import layers; step(); layers.conv2d
hasattr(tf, "contrib"); step(); tf.contrib.__name__; step(); dir(tf.contrib)
""".strip().split("\n")


class Shown(logging.Handler):
    def emit(self, record):
        if "contrib module" in record.getMessage():
            print("  told", flush=True)


steps = []


def step():
    steps.append(1)
    print("  step", len(steps), flush=True)


logging.getLogger("tensorflow").addHandler(Shown())
for form in FORMS:
    print(form, flush=True)
    child = os.fork()  # Told once in a process.
    if not child:
        sys.stderr = open(os.devnull, "w")
        exec(form)
        os._exit(0)
    os.waitpid(child, 0)
