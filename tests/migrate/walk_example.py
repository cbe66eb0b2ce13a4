"""Runs a script until it has trained for 20 steps, and `to_jax`'s step of the same beside it.

    python -m tf1compat walk_example.py SCRIPT [ARG ...]

Prints how many steps were compared, and the largest relative difference of anything fetched.
"""

import runpy
import sys

import jax
import numpy as np
import tensorflow as tf

from tf1compat.migrate import to_jax

STEPS = 20
_UPDATES = ("Apply", "ScatterSub", "ScatterAdd")


def trains(operation):
    """Whether running the operation updates variables by gradients."""
    seen, waiting = set(), [operation]
    while waiting:
        op = waiting.pop()
        if op in seen:
            continue
        seen.add(op)
        if any(part in op.type for part in _UPDATES):
            return True
        waiting += [tensor.op for tensor in op.inputs]
        waiting += op.control_inputs
    return False


class Walk:
    """The step that is compared: the first that a session is asked for with gradients in it."""

    def __init__(self):
        self.known, self.fetches, self.compared, self.worst = {}, None, 0, 0.0

    def is_training(self, fetches):
        operations = [f for f in tf.nest.flatten(fetches) if isinstance(f, tf.Operation)]
        for operation in operations:
            if operation not in self.known:
                self.known[operation] = trains(operation)
        return any(self.known[operation] for operation in operations)

    def begin(self, session, fetches, feeds):
        self.fetches = fetches
        # What is a Python bool decides what is traced; the rest is an argument of the jitted step.
        self.fixed = {k: v for k, v in feeds.items() if isinstance(v, bool)}
        self.fed = [k for k in feeds if k not in self.fixed]
        step, self.params = to_jax(fetches, self.fed + list(self.fixed), session=session)
        fixed = list(self.fixed.values())
        self.step = jax.jit(lambda params, *args: step(params, *args, *fixed))

    def compare(self, feeds, found):
        assert all(feeds[key] is value for key, value in self.fixed.items())
        self.params, results = self.step(self.params, *(np.asarray(feeds[key]) for key in self.fed))
        for ours, theirs in zip(tf.nest.flatten(results), tf.nest.flatten(found), strict=True):
            if theirs is not None:
                scale = np.max(np.abs(theirs)) + 1e-6
                self.worst = max(self.worst, float(np.max(np.abs(ours - theirs)) / scale))
        self.compared += 1


walk, run = Walk(), tf.Session.run


def walked_run(self, fetches, feed_dict=None, *args, **kwargs):
    training = walk.fetches in (None, fetches) and walk.is_training(fetches)
    if training and walk.fetches is None:
        walk.begin(self, fetches, feed_dict or {})
    found = run(self, fetches, feed_dict, *args, **kwargs)
    if training:
        walk.compare(feed_dict or {}, found)
        if walk.compared == STEPS:
            sys.exit()
    return found


tf.Session.run = walked_run
sys.argv = sys.argv[1:]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
finally:
    print(walk.compared, walk.worst)
