"""Records what a TensorFlow 1 program runs, to compare with another run of it.

    python recorder.py [-o FILE] [--tensors N] SCRIPT [ARGUMENT...]

This file needs nothing but TensorFlow and NumPy, and runs on Python 3.5 and later: copy it to where
the real TensorFlow 1.15 is. `python -m tf1compat record` does the same here.

A recording is JSON, a line each, in gzip: a header; the nodes of each graph as they are added; and
what each `Session.run` was given and what it gave. Of a large array it keeps some elements, evenly
spaced, a checksum and the root of the mean square.
"""

import argparse
import atexit
import functools
import gzip
import json
import os
import platform
import runpy
import sys
import threading
import zlib

import numpy as np

FORMAT = 1
# Of larger arrays so many elements are kept.
ELEMENTS = 64
# So many runs are held before they are written.
_HELD = 500
# Longer attrs are kept as a checksum.
_TEXT = 300
_PACKAGES = ("tensorflow", "tensorflow_core", "tensorflow_estimator", "tf1compat")


class Recorder:
    """Writes what sessions run.

    Args:
      path: the file to write.
      make_ndarray: `tf.make_ndarray`.
      tensors: in how many runs of the same fetches the tensors on the way are kept too.
      header: more for the header.
    """

    def __init__(self, path, make_ndarray, tensors=1, header=None):
        self._file = gzip.open(path, "wb", compresslevel=1)  # noqa: SIM115
        self._make_ndarray = make_ndarray
        self._tensors = tensors
        self._graphs = {}  # id -> [the graph, its number, how many of its nodes are written]
        self._kinds = {}  # what was fetched and fed -> how often
        self._names = {}  # ids of fetches -> the fetches (which keeps the ids), their names
        self._held = []
        self._runs = 0
        self._lock = threading.RLock()
        self._inside = threading.local()
        self._restore = []
        about = {"recorder": FORMAT, "python": platform.python_version(), "numpy": np.__version__}
        about.update(header or {})
        self._held.append(about)

    def attach(self, session_class):
        """Records all runs of sessions of a class, until `close`."""
        original = session_class.run

        @functools.wraps(original)
        def run(session, fetches, feed_dict=None, options=None, run_metadata=None):
            if getattr(self._inside, "run", False):
                return original(session, fetches, feed_dict, options, run_metadata)
            self._inside.run = True
            try:
                return self._run(original, session, fetches, feed_dict, options, run_metadata)
            finally:
                self._inside.run = False

        session_class.run = run
        self._restore.append((session_class, original))

    def close(self):
        """Stops, and writes what is left."""
        with self._lock:
            for session_class, original in self._restore:
                session_class.run = original
            self._restore = []
            self._write()
            self._file.close()

    def _run(self, original, session, fetches, feed_dict, options, run_metadata):
        graph = session.graph
        names = self._names_of(fetches)
        fed = feed_dict or {}
        with self._lock:
            number = self._graph(graph)
            kind = (number, tuple(names))
            count = self._kinds[kind] = self._kinds.get(kind, 0) + 1
        extra = self._on_the_way(graph, names, fed) if count <= self._tensors else []
        # What is fed is looked at before the run: it may be the program's own buffer.
        feeds = [[_name(key), _form(value)] for key, value in fed.items()]
        if extra:
            values, found = original(session, [fetches, extra], feed_dict, options, run_metadata)
        else:
            values, found = original(session, fetches, feed_dict, options, run_metadata), []
        flat = [value for _, value in _pairs(fetches, values)]
        record = {
            "run": 0,
            "graph": number,
            "feeds": feeds,
            "fetches": [[n, summary(v)] for n, v in zip(names, flat)],
            "tensors": [[t.name, summary(v)] for t, v in zip(extra, found)],
        }
        with self._lock:
            record["run"] = self._runs
            self._runs += 1
            self._held.append(record)
            if len(self._held) >= _HELD:
                self._write()
        return values

    def _names_of(self, fetches):
        key = (id(fetches), tuple(map(id, fetches)) if isinstance(fetches, (list, tuple)) else ())
        known = self._names.get(key)
        if known is not None and known[0] is fetches:
            return known[1]
        names = [_name(fetch) for fetch, _ in _pairs(fetches)]
        if not isinstance(fetches, dict):
            self._names[id(fetches), key[1]] = (fetches, names)
        return names

    def _write(self):
        for record in self._held:
            self._file.write(json.dumps(record).encode() + b"\n")
        self._file.flush()
        self._held = []

    def _graph(self, graph):
        """The graph's number; its new nodes are written."""
        entry = self._graphs.get(id(graph))
        if entry is None:
            entry = self._graphs[id(graph)] = [graph, len(self._graphs), 0, -1]
        if graph.version != entry[3]:
            operations = graph.get_operations()
            nodes = [self._node(op) for op in operations[entry[2] :]]
            entry[2:] = [len(operations), graph.version]
            self._held.append({"graph": entry[1], "nodes": nodes, "seed": graph.seed})
        return entry[1]

    def _node(self, op):
        attrs = op.node_def.attr
        return {
            "name": op.name,
            "type": op.type,
            "inputs": [tensor.name for tensor in op.inputs],
            "controls": sorted(control.name for control in op.control_inputs),
            "attrs": {name: _short(self._attr(attrs[name])) for name in attrs},
            "shapes": [str(tensor.shape) for tensor in op.outputs],
            "line": _line(op),
        }

    def _attr(self, value):
        field = value.WhichOneof("value")
        if field == "tensor":
            return _array_text(self._make_ndarray(value.tensor))
        if field == "list":
            parts = [
                str(_plain(part)) for descriptor, items in value.list.ListFields() for part in items
            ]
            return "[" + ", ".join(parts) + "]"
        return str(_plain(getattr(value, field))) if field else ""

    def _on_the_way(self, graph, names, fed):
        """The tensors that a run computes, and that may be fetched."""
        try:
            stack = [graph.as_graph_element(name).op for name in names if ":" in name]
            stack += [graph.get_operation_by_name(name) for name in names if ":" not in name]
        except (AttributeError, KeyError, ValueError):
            return []
        stop = {_name(key) for key in fed}
        seen, found = set(), []
        while stack:
            op = stack.pop()
            if op in seen:
                continue
            seen.add(op)
            stack.extend(op.control_inputs)
            stack.extend(tensor.op for tensor in op.inputs if tensor.name not in stop)
            if op._get_control_flow_context() is None and graph.is_fetchable(op):
                found.extend(t for t in op.outputs if t.name not in stop and _is_array(t.dtype))
        return sorted(found, key=lambda tensor: tensor.name)


def _is_array(dtype):
    if dtype._is_ref_dtype:
        return False
    return dtype.is_floating or dtype.is_integer or dtype.is_bool


def _name(item):
    if isinstance(item, (list, tuple)):
        return ",".join(_name(part) for part in item)
    return item if isinstance(item, str) else getattr(item, "name", None) or type(item).__name__


def _pairs(fetches, values=None):
    """The single fetches in a structure, each with its value if `values` are given."""
    if isinstance(fetches, dict):
        parts = [(fetches[key], values and values[key]) for key in fetches]
    elif isinstance(fetches, (list, tuple)):
        parts = list(zip(fetches, values or [None] * len(fetches)))
    else:
        return [(fetches, values)]
    return [pair for part in parts for pair in _pairs(*part)]


def summary(value):
    """What is kept of a value: [dtype, shape, elements] and, of large ones, [checksum, size]."""
    if value is None:
        return None
    if isinstance(value, tuple):  # A SparseTensorValue, for example.
        return [summary(part) for part in value]
    array = np.asarray(value)
    if array.dtype.kind in "OSU":
        return ["string", list(array.shape), [repr(v) for v in array.ravel()[:ELEMENTS].tolist()]]
    name = str(array.dtype)
    if array.dtype.kind not in "biufc":
        array = array.astype(np.float32)
    if array.dtype.kind == "c":
        array = np.stack([np.real(array), np.imag(array)], -1)
    flat = array.ravel()
    if flat.size <= ELEMENTS:
        return [name, list(array.shape), flat.tolist()]
    kept = flat[:: flat.size // ELEMENTS][:ELEMENTS].tolist()
    wide = flat.astype(np.float64)
    size = float(np.sqrt(np.dot(wide, wide) / flat.size))
    return [name, list(array.shape), kept, zlib.crc32(flat.tobytes()), size]


def _form(value):
    """What is kept of a fed value: [dtype, shape, checksum]."""
    array = np.asarray(value)
    if array.dtype.kind in "OU":
        return ["string", list(array.shape), zlib.crc32(repr(array.tolist()).encode())]
    return [str(array.dtype), list(array.shape), zlib.crc32(array.tobytes())]


def _plain(value):
    """A field of an attr as text that does not hang on the version of protobuf."""
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if isinstance(value, float):
        return "{:.9g}".format(value)
    if hasattr(value, "dim"):
        return "?" if value.unknown_rank else "x".join(str(dim.size) for dim in value.dim)
    return getattr(value, "name", value)


def _array_text(array):
    if array.size <= 16:
        return "{} {} {}".format(array.dtype, list(array.shape), array.ravel().tolist())
    return "{} {} crc32 {:08x}".format(array.dtype, list(array.shape), _form(array)[2])


def _short(text):
    return text if len(text) <= _TEXT else "crc32 {:08x}".format(zlib.crc32(text.encode()))


def _line(op):
    for frame in reversed(op.traceback or []):
        parts = os.path.dirname(frame[0]).replace(os.sep, "/").split("/")
        if not any(package in parts for package in _PACKAGES):
            return "{}:{}".format(os.path.basename(frame[0]), frame[1])
    return ""


def parser(prog):
    """The parser of the command line, less the script's own arguments."""
    found = argparse.ArgumentParser(prog=prog, description="Records what a TF1 script runs.")
    found.add_argument("-o", "--output", default="run.tfrec", help="the file (run.tfrec)")
    found.add_argument(
        "--tensors",
        type=int,
        default=1,
        metavar="N",
        help="in the first N runs of the same fetches keep the tensors on the way too (1)",
    )
    found.add_argument("script")
    found.add_argument("arguments", nargs=argparse.REMAINDER)
    return found


def main():
    """Records a script under the TensorFlow that is installed."""
    options = parser("recorder.py").parse_args()
    import tensorflow as tf

    tf = getattr(getattr(tf, "compat", tf), "v1", tf)
    base = next(c for c in tf.Session.__mro__ if "run" in vars(c))
    header = {"tensorflow": tf.__version__, "argv": [options.script] + options.arguments}
    recorder = Recorder(options.output, tf.make_ndarray, options.tensors, header)
    recorder.attach(base)
    atexit.register(recorder.close)
    sys.argv = [options.script] + options.arguments
    sys.path[0] = os.path.dirname(os.path.abspath(options.script))
    runpy.run_path(options.script, run_name="__main__")


if __name__ == "__main__":
    main()
