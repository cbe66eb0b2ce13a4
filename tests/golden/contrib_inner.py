"""What the cases of inner modules of `tensorflow.contrib` share.

A case is a function of tf that records a graph and returns `(fetches, said)`: tensors, and what
JSON can hold. Runs under the real TensorFlow 1.15 (Python 3.7), too.
"""

from __future__ import annotations

import functools
import importlib
import json

import numpy as np
from case_runs import Case


def inner(function):
    """Such a function as a case of `record_cases.py`: what it fetches is run twice."""

    @functools.wraps(function)
    def case(tf):
        tf.set_random_seed(1)
        fetches, said = function(tf)
        return Case(fetches, said=[json.dumps(part) for part in said], steps=2 if fetches else 0)

    return case


def contrib(name):
    return importlib.import_module("tensorflow.contrib." + name)


def error(function, *args, **kwargs):
    """The class and the text of what a call raises, without what converted code puts before it."""
    try:
        result = function(*args, **kwargs)
    except Exception as caught:
        name, text = type(caught).__name__, str(getattr(caught, "message", caught))
        if text.startswith("in converted code:"):
            text = text.rpartition("    %s: " % name)[2].rstrip()
        return [name, text]
    return ["nothing", repr(result)]


def names(variables):
    return [[v.op.name, v.shape.as_list()] for v in variables]


def flat(tf, value):
    """The tensors in a structure."""
    if isinstance(value, dict):
        return [x for key in sorted(value) for x in flat(tf, value[key])]
    if isinstance(value, (list, tuple)):
        return [x for part in value for x in flat(tf, part)]
    return [value] if isinstance(value, (tf.Tensor, tf.Variable)) else []


def static(tf, value):
    """A structure of tensors by names, dtypes and shapes."""
    return [[t.op.name, t.dtype.name, str(t.shape)] for t in flat(tf, value)]


def weights(*shape, **options):
    """Numbers that are neither alike nor ordered."""
    seed = options.get("seed", 0)
    return np.random.RandomState(seed).uniform(-1, 1, shape).astype(options.get("dtype", "f"))
