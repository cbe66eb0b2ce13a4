"""What the cases of summaries and lasting sessions have in common.

Runs under the real TensorFlow 1.15 (Python 3.7) as well as under this project's Python.
"""

from __future__ import annotations

import glob
import logging
import os
import re
import shutil
import tempfile

import numpy as np
from case_runs import Case


class Done(Case):
    """A case that has run while it was built: what it said, and its values."""

    def __init__(self, said=(), values=()):
        super(Done, self).__init__(said=said)
        self.values = list(values)

    def run(self, tf):
        """The (name, value) pairs."""
        return [("value", np.asarray(value)) for value in self.values]


class Log(logging.Handler):
    """What is logged within a `with`, without what differs from run to run."""

    def __init__(self, tf):
        super(Log, self).__init__()
        self._tf = tf
        self._logger = logging.getLogger("tensorflow")
        self.lines = []

    def emit(self, record):
        text = record.getMessage()
        # Whether a read beside an update sees it is undefined in TensorFlow.
        skipped = ("is deprecated", "It seems that global step", "The TensorFlow contrib module")
        if any(part in text for part in skipped):
            return
        text = re.sub(r"\(\d+\.\d+ sec", "(<seconds> sec", text)
        text = re.sub(r"/sec: [\d.e+]+", "/sec: <rate>", text)
        text = re.sub(r"\d{4}-\d\d-\d\d[-T]\d\d:\d\d:\d\dZ?", "<time>", text)
        self.lines.append(record.levelname + " " + text)

    def __enter__(self):
        self._saved = self._logger.handlers[:], self._logger.propagate, self._logger.level
        self._logger.handlers[:] = [self]
        self._logger.propagate = False
        self._logger.setLevel(logging.INFO)
        return self

    def __exit__(self, *unused):
        self._logger.handlers[:], self._logger.propagate, level = self._saved
        self._logger.setLevel(level)


class Folder:
    """A directory within a `with`; `clean` takes its name out of texts."""

    def __enter__(self):
        self.path = tempfile.mkdtemp()
        return self

    def __exit__(self, *unused):
        shutil.rmtree(self.path, ignore_errors=True)

    def clean(self, text):
        return re.sub(r"0x[0-9a-f]+", "<address>", text.replace(self.path, "<folder>"))

    def files(self):
        """Their names, without the time and the host in those of event files."""
        return sorted(
            re.sub(r"tfevents\.\d+\.[\w-]+", "tfevents", f) for f in os.listdir(self.path)
        )

    def events(self, tf):
        """What the event files hold."""
        found = []
        for path in sorted(glob.glob(os.path.join(self.path, "*tfevents*"))):
            for event in tf.train.summary_iterator(path):
                found.append(self.clean("%d %s" % (event.step, describe_event(tf, event))))
        return found


def describe_event(tf, event):
    """An event as text."""
    kind = event.WhichOneof("what")
    if kind == "summary":
        values = [describe_value(v) for v in event.summary.value]
        return "summary " + "; ".join(values)
    if kind == "graph_def":
        graph = tf.GraphDef.FromString(event.graph_def)
        return "graph " + " ".join(node.name for node in graph.node)
    if kind == "meta_graph_def":
        meta = tf.MetaGraphDef.FromString(event.meta_graph_def)
        ops = [op.name for op in meta.meta_info_def.stripped_op_list.op]
        names = [node.name for node in meta.graph_def.node]
        parts = [names, sorted(meta.collection_def), ops, meta.saver_def.save_tensor_name]
        return "meta graph %s" % parts
    if kind == "tagged_run_metadata":
        return "run metadata " + event.tagged_run_metadata.tag
    return "%s %s" % (kind, " ".join(str(getattr(event, kind)).split()))


def describe_value(value):
    """A value of a summary as text; a rate is not compared."""
    kind = value.WhichOneof("value")
    text = value.tag
    if kind == "simple_value" and not value.tag.endswith("/sec"):
        text += " %.5g" % value.simple_value
    elif kind != "simple_value":
        text += " " + kind
    if value.HasField("metadata"):
        text += " <" + " ".join(str(value.metadata).split()) + ">"
    return text


def model(tf, summaries=True):
    """A model of two weights: the training step, its loss and the global step.

    The loss is of the weights before the step: those that its gradient is of.
    """
    weights = tf.get_variable("w", [2], initializer=tf.ones_initializer(), use_resource=True)
    loss = tf.reduce_sum(weights * weights, name="loss")
    if summaries:
        tf.summary.scalar("l", loss)
        tf.summary.histogram("h", weights)
    step = tf.train.get_or_create_global_step()
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
    return train, loss, step


def lasting(function):
    """A case whose function takes `tf`, a `Log` and a `Folder`; it returns what it said and
    values. The log, the files and the events are added to what it said."""

    def case(tf):
        with Folder() as folder, Log(tf) as log:
            said, values = function(tf, log, folder)
            tf.summary.FileWriterCache.clear()
            said = [str(x) for x in said] + ["-- log"] + log.lines + ["-- files"] + folder.files()
            said += ["-- events"] + folder.events(tf)
        return Done([folder.clean(text) for text in said], values)

    case.__name__ = function.__name__
    return case
