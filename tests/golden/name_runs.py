"""Names of TF's internal modules: expressions, and what they give or raise.

Runs under the real TensorFlow 1.15 (Python 3.7), too.
"""

from __future__ import annotations

import importlib
import re

import numpy as np

# A module below tensorflow.python -> expressions. They see its names, `tf`, `np`, `call`, which
# gives what a function raises, and what SETUP[module] defines.
EXPRESSIONS = {}
SETUP = {}


def module(name, text, setup=""):
    EXPRESSIONS[name] = [line.strip() for line in text.strip().splitlines() if line.strip()]
    SETUP[name] = setup


def call(function, *args, **kwargs):
    """What a call raises, or gives."""
    try:
        result = function(*args, **kwargs)
    except Exception as error:
        text = str(getattr(error, "message", error))
        return [type(error).__name__, text.split("\n\nOriginal stack")[0].split("\n\t [[")[0]]
    return result


def plain(value):
    """A value as JSON can hold it, without what depends on the place or the run."""
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if isinstance(value, dict):
        return {str(key): plain(value[key]) for key in sorted(value, key=str)}
    if isinstance(value, np.ndarray):
        return [value.dtype.name, np.round(value, 4).tolist()]
    if isinstance(value, (bool, int, float, type(None))):
        return value
    if isinstance(value, type):
        return value.__name__
    text = re.sub(r"0x[0-9a-f]+", "0x", str(value))
    return re.sub(r"<class '[\w.]+\.", "<class '", text)


def run(tf, name):
    """What the expressions of a module give, in a graph of their own."""
    found = importlib.import_module("tensorflow.python." + name)
    scope = {"tf": tf, "np": np, "call": call, "m": found}
    said = []
    with tf.Graph().as_default():
        exec(SETUP[name], scope)
        for text in EXPRESSIONS[name]:
            said.append(plain(call(lambda text=text: eval(text, scope))))
    return said
