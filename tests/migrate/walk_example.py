"""Runs a script until it has trained for 20 steps, and `to_jax`'s step of the same beside it.

    python -m tf1compat walk_example.py [--export FOLDER] [--segments N] SCRIPT [ARG ...]

What an input pipeline gives is fetched with each step, and is an argument of the step. With
`--export` the step as it is after its first run is written to the folder, with what the next ones
are given and give (`steps.npz`). `--segments` is `to_jax`'s `most_segments`. Prints how many steps
were compared, and the largest relative differences of anything fetched, and of variables after the
last step.
"""

import argparse
import runpy
import sys

import jax
import numpy as np
import tensorflow as tf

from tf1compat.migrate import boundary, export, to_jax
from tf1compat.migrate.to_jax import graph_of
from tf1compat.runtime import fetches as fetches_lib

STEPS = 20
EXPORTED_STEPS = 3
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


def elements(fetches):
    """The single fetches of a structure, once each; no text: a summary is for people."""
    found = fetches_lib.fetch_of(graph_of(fetches), fetches).elements
    return [f for f in found if getattr(f, "dtype", None) != tf.string]


def relative(ours, theirs):
    """The largest difference, relative to the largest element."""
    ours, theirs = np.asarray(ours, np.float64), np.asarray(theirs, np.float64)
    scale = np.max(np.abs(theirs), initial=0.0) + 1e-6
    return float(np.max(np.abs(ours - theirs), initial=0.0) / scale)


class Walk:
    """The step that is compared: the first that a session is asked for with gradients in it."""

    def __init__(self, folder, segments):
        self.known, self.trained, self.wanted, self.compared, self.worst = {}, set(), None, 0, 0.0
        self.variables, self.others = 0.0, False
        self.folder, self.kept, self.bounds = folder, {}, {"most_segments": segments}

    def takes(self, fetches):
        """Whether this is a run of the step: of what trains in it, whatever hooks fetch more."""
        found = elements(fetches)
        # slim.learning.create_train_op gives a tensor.
        for operation in (operations := [getattr(f, "op", f) for f in found]):
            if operation not in self.known:
                self.known[operation] = trains(operation)
        trained = {operation for operation in operations if self.known[operation]}
        self.trained = self.trained or trained
        return bool(trained) and trained == self.trained

    def begin(self, session, fetches, feeds):
        self.session, self.wanted = session, elements(fetches)
        # What is a Python bool decides what is traced; the rest is an argument of the jitted step.
        self.fixed = {k: v for k, v in feeds.items() if isinstance(v, bool)}
        self.piped = boundary(self.wanted)
        # A text leads to a pipeline, of which the step takes what it gives.
        texts = [k for k in feeds if graph_of(k).as_graph_element(k).dtype == tf.string]
        self.fed = [k for k in feeds if k not in self.fixed and k not in texts]
        self.inputs = [*self.fed, *self.piped, *self.fixed]
        step, self.params = to_jax(self.wanted, self.inputs, session=session, **self.bounds)
        fixed = list(self.fixed.values())
        self.step = jax.jit(lambda params, *args: step(params, *args, *fixed))
        known = {v.op.name: v for v in tf.global_variables() + tf.local_variables()}
        self.shared = [name for name in self.params if not name.startswith("random:")]
        # Slots of Keras's optimizers are in no collection.
        everything = {name: known[name] for name in self.shared if name in known}
        self.readable = everything if len(everything) == len(self.shared) else None
        self.after = self.state()

    def state(self):
        """The session's variables."""
        if self.readable is not None:
            return run(self.session, self.readable)
        _, now = to_jax(self.wanted, self.inputs, session=self.session)
        return {name: np.array(now[name]) for name in self.shared}

    def take_over(self):
        """Gives the params what other runs did to variables and generators since the last step."""
        if self.others:
            _, now = to_jax(self.wanted, self.inputs, session=self.session)
            kept = [n for n, v in self.after.items() if np.array_equal(now[n], v)]
            self.params |= {name: value for name, value in now.items() if name not in kept}
        self.others = False

    def compare(self, feeds, found, piped):
        assert all(feeds[key] is value for key, value in self.fixed.items())
        given = [np.asarray(feeds[key]) for key in self.fed] + piped
        self.params, results = self.step(self.params, *given)
        for ours, theirs in zip(results, found, strict=True):
            if theirs is not None:
                self.worst = max(self.worst, relative(ours, theirs))
        if self.folder is not None and self.compared <= EXPORTED_STEPS:
            self.export(given, found)
        self.compared += 1

    def of_variables(self):
        """The largest difference between the params and the session's variables."""
        self.after = self.state()
        return max(relative(self.params[name], value) for name, value in self.after.items())

    def export(self, given, found):
        if not self.compared:
            inputs = [*self.fed, *self.piped]
            shapes = {tensor: np.shape(value) for tensor, value in zip(inputs, given)}
            options = {"shapes": shapes, "fixed": self.fixed, **self.bounds}
            export(self.folder, self.wanted, inputs, self.session, **options)
            return
        after = self.state()
        wanted = [value for value in found if value is not None]
        wanted += [after[name] for name in sorted(after)]
        for kind, values in (("given", given), ("wanted", wanted)):
            names = (f"{kind}_{self.compared}_{i:04}" for i in range(len(values)))
            self.kept.update(zip(names, map(np.asarray, values)))
        np.savez(f"{self.folder}/steps.npz", **self.kept)


parser = argparse.ArgumentParser()
parser.add_argument("--export")
parser.add_argument("--segments", type=int)
parser.add_argument("script", nargs=argparse.REMAINDER)
options = parser.parse_args()
walk, run = Walk(options.export, options.segments), tf.Session.run


def walked_run(self, fetches, feed_dict=None, *args, **kwargs):
    if not walk.takes(fetches):
        walk.others = walk.wanted is not None
        return run(self, fetches, feed_dict, *args, **kwargs)
    if walk.wanted is None:
        walk.begin(self, fetches, feed_dict or {})
    walk.take_over()
    asked = [fetches, walk.wanted, walk.piped]
    found, wanted, piped = run(self, asked, feed_dict, *args, **kwargs)
    walk.compare(feed_dict or {}, wanted, piped)
    walk.variables = walk.of_variables()
    if walk.compared == STEPS:
        sys.exit()
    return found


tf.Session.run = walked_run
sys.argv = options.script
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
finally:
    print(walk.compared, walk.worst, walk.variables)
