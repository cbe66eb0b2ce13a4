"""What the case modules that `record_cases.py` reads have in common.

Runs under the real TensorFlow 1.15 (Python 3.7) as well as under this project's Python.
"""

from __future__ import annotations

import recording


class Case:
    """A graph to be compared node for node, and runs of it.

    Args:
        fetches: what each step fetches first.
        updates: what it runs, and fetches, then.
        feeds: step -> feed dict of both.
        said: what is compared as text.
        steps: how many steps are run.
    """

    def __init__(self, fetches=(), updates=(), feeds=None, said=(), steps=3):
        self.fetches, self.updates = list(fetches), list(updates)
        self.feeds = feeds or (lambda step: {})
        self.said = [str(x) for x in said]
        self.steps = steps

    def run(self, tf):
        """Runs the steps.

        Returns:
            (fetch, value) pairs of every step, and at last of the variables.
        """
        found = []
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            session.run(tf.tables_initializer())
            for step in range(self.steps):
                for fetches in (self.fetches, self.updates):
                    found += zip(fetches, session.run(fetches, self.feeds(step)))
            variables = tf.global_variables() + tf.local_variables()
            found += zip(variables, session.run(variables))
        return found


def collect(*functions):
    """Functions in a dict by name."""
    return {f.__name__: f for f in functions}


def fetch(tf, value):
    """Runs a value, the variables initialized."""
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        return session.run(value)


def describe(tf, case):
    """Builds one case in an empty graph and runs it; returns its graph, values and what it says."""
    tf.reset_default_graph()
    built = case(tf)
    graph = recording.describe_graph(tf.get_default_graph())
    values = [recording.describe_value(value) for _, value in built.run(tf)]
    return {"graph": graph, "said": built.said, "values": values}
