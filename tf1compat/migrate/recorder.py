"""Records what a TensorFlow 1 program runs, to compare with another run of it.

    python recorder.py [-o FILE] [--tensors N] [--every N] SCRIPT [ARGUMENT...]

This file needs nothing but TensorFlow and NumPy, and runs on Python 3.5 and later: copy it to where
the real TensorFlow 1.15 is. `python -m tf1compat record` does the same here.

A recording is JSON, a line each, in gzip: a header; the nodes of each graph as they are added; the
names of what runs are given and asked for; and blocks of runs, what they were given and what they
gave, whoever asked for it: the script, Keras, an Estimator. A block tells of runs of one kind in
columns, as that costs a fraction of telling of each. Of a large array it keeps some elements,
evenly spaced, a checksum and the root of the mean square. Paths are kept without their folders,
which may be temporary ones.
"""

import argparse
import atexit
import base64
import contextlib
import copy
import functools
import gzip
import itertools
import json
import os
import platform
import re
import runpy
import sys
import threading
import zlib

import numpy as np

FORMAT = 5
# Of larger arrays so many elements are kept.
ELEMENTS = 64
# So many runs are held before they are written.
_HELD = 500
# So many runs' fetches and feeds are known without asking for their names.
_KNOWN = 1000
# Longer attrs are kept as a checksum.
_TEXT = 300
# Where a conditional's alternatives begin and meet.
_SWITCHES = ("Switch", "RefSwitch")
_MERGES = ("Merge", "RefMerge")
# What they give of a variable is its own memory, which changes while a step runs.
_VIEWS = ("Identity", "Reshape", "Squeeze", "ExpandDims", "StopGradient", "CheckNumerics")
_VIEWS += _SWITCHES + _MERGES
# So is what these give, where they leave all elements in their places or take some rows.
_VIEWS += ("Transpose", "Cast", "Bitcast", "Slice", "StridedSlice", "Split", "SplitV", "Unpack")
_VIEWS += ("ConcatV2", "Tile", "Pad", "BroadcastTo", "ReverseV2")
# What a checksum weighs the words of a row with: odd numbers, so that no change of a word is lost.
_ROW = 256
_WEIGHTS = np.cumprod(np.full(_ROW, 0x9E3779B97F4A7C15, np.uint64))
# Arrays of fewer bytes are one row.
_SMALL = 8 * _ROW
# Of fed arrays, those of fewer bytes are copied, and told of later, all at once: after a step of
# training a checksum takes five times as long as after another checksum, and a copy takes nothing.
_COPIED = 8 * _SMALL
# The usual types' names, as `dtype.name` is slow.
_USUAL = ("bool", "uint8", "int32", "int64", "float32", "float64")
_NAMES = {np.dtype(name): name for name in _USUAL}
_SCALARS = {dtype.type: name for dtype, name in _NAMES.items()}
# What is drawn for a checkpoint's temporary folder, and for the shared name of a table.
_DRAWN = re.compile("(?<=_temp_)[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# What is no line of the user's: these packages, and what Python has to call functions with.
_PACKAGES = ("tensorflow", "tensorflow_core", "tensorflow_estimator", "tf1compat")
_CALLERS = (functools.__file__, contextlib.__file__)


class _Kind:
    """Runs of the same fetches that are fed the same tensors.

    Args:
      number: which kind it is.
      names: the names of its single fetches.
      feeds: those of what it is fed.
      count: counts how often these are fetched; kinds of the same fetches share it.
    """

    def __init__(self, number, names, feeds, count):
        self.number = number
        self.names = names
        self.feeds = feeds
        self.count = count
        # Whether all is known that has to be: the next runs are kept, and nothing else of them.
        self.settled = False
        self.layout = _Layout(self, [])


class _Layout:
    """What arrays runs of a kind are fed.

    Args:
      kind: the kind.
      forms: of each feed its dtype, its shape, and whether it is small.
    """

    def __init__(self, kind, forms):
        self.kind = kind
        self.forms = forms

    def row(self, values):
        """What is kept of what a run is fed, after the layout itself: the bytes of small arrays,
        checksums of large ones, and (dtype, shape, either of these) where they have other forms."""
        row = []
        row.append(self)
        for v, (dtype, shape, small) in zip(values, self.forms):
            if v.__class__ is not np.ndarray:
                v = _array(v)
            if v.dtype is dtype and v.shape == shape:
                row.append(v.tobytes() if small else checksum(v))
            else:
                row.append(_form(v))
        return row


class Recorder:
    """Writes what sessions run.

    Args:
      path: the file to write.
      make_ndarray: `tf.make_ndarray`.
      tensors: in how many runs of the same fetches the tensors on the way are kept too.
      every: of the runs of the same fetches every how-many-th is kept, from the first on.
      header: more for the header.
    """

    def __init__(self, path, make_ndarray, tensors=1, every=1, header=None):
        self._file = gzip.open(path, "wb", compresslevel=1)  # noqa: SIM115
        self._make_ndarray = make_ndarray
        self._tensors = tensors
        self._every = every
        # id -> [the graph, its number, how many of its nodes and functions are written, version]
        self._graphs = {}
        # (graph, what is fetched, None, what is fed) -> its _Kind
        self._known = {}
        self._new = []  # graphs and kinds that are not written yet
        self._kinds = {}  # names of what was fetched and fed -> its _Kind
        self._counts = {}  # names of what was fetched -> how often, from 1 on
        self._held = []  # runs that are not written yet
        self._lock = threading.RLock()
        self._calling = set()  # Threads in which a function of a session is called.
        self._restore = []
        about = {"recorder": FORMAT, "python": platform.python_version(), "numpy": np.__version__}
        about.update({"tensors": tensors, "every": every})
        about.update(header or {})
        self._write_lines([about])

    def attach(self, session_class):
        """Records all runs of sessions of a class, until `detach` or `close`.

        Functions of `Session.make_callable` are recorded where the main thread calls them: queues'
        runners call theirs whenever there is room.
        """
        self._wrap(session_class, "run", self._run_method)
        self._wrap(session_class, "make_callable", self._make_callable_method)
        self._wrap(session_class, "_make_callable_from_options", self._from_options_method)

    def _wrap(self, session_class, name, recording):
        original = vars(session_class).get(name)
        if original is not None:
            setattr(session_class, name, functools.wraps(original)(recording(original)))
            self._restore.append((session_class, name, original))

    def detach(self):
        """Lets sessions run as before `attach`."""
        with self._lock:
            for session_class, name, original in self._restore:
                setattr(session_class, name, original)
            self._restore = []

    def close(self):
        """Stops, and writes what is left."""
        with self._lock:
            self.detach()
            self._write()
            self._file.close()

    def _run_method(self, original):
        known, held, calling = self._known, self._held, self._calling

        def run(session, fetches, feed_dict=None, options=None, run_metadata=None):
            flat = fetches if fetches.__class__ is list else [fetches]
            try:
                kind = known.get((session.graph, *flat, None, *(feed_dict or ())))
            except TypeError:  # Something nested.
                kind = None
            if kind is None or not kind.settled or calling:
                return recorded(session, fetches, feed_dict, options, run_metadata)
            # This is every step of a training loop: what `_recorded` does, without a detour.
            row = kind.layout.row(feed_dict.values() if feed_dict else ())
            values = original(session, fetches, feed_dict, options, run_metadata)
            flat = values if flat is fetches else [values]
            row += [v if v is None or v.__class__ is np.float32 else _kept(v) for v in flat]
            held.append(row)
            if len(held) >= _HELD:
                self._write()
            return values

        def recorded(session, fetches, feed_dict, options, run_metadata):
            def call(extra):
                if not extra:
                    return original(session, fetches, feed_dict, options, run_metadata), []
                return original(session, [fetches, extra], feed_dict, options, run_metadata)

            if threading.get_ident() in calling:
                return call(())[0]
            return self._recorded(session, fetches, feed_dict, call)

        return run

    def _make_callable_method(self, original):
        def make_callable(session, fetches, feed_list=None, accept_options=False):
            made = original(session, fetches, feed_list, accept_options)
            if feed_list is not None:
                return made  # It calls `run`.

            def call_it(*args, **kwargs):
                def call(extra):
                    return session.run([fetches, extra]) if extra else (made(*args, **kwargs), [])

                return self._called(session, fetches, None, call)

            return call_it

        return make_callable

    def _from_options_method(self, original):
        """Keras's way: the names of what is fetched and fed in a message."""

        def make(session, options):
            made = original(session, options)
            fetches = list(options.fetch) + list(options.target)
            given = [connection.to_tensor for connection in options.tensor_connection]

            def call_it(*values, **kwargs):
                def call(extra):
                    if not extra:
                        return list(made(*values, **kwargs)) + nothing, []
                    wider = copy.deepcopy(options)
                    wider.fetch.extend(tensor.name for tensor in extra)
                    found = original(session, wider)(*values, **kwargs)
                    return list(found[:count]) + nothing, found[count:]

                fed = dict(zip(options.feed, values))
                return self._called(session, fetches, fed, call, given)[:count]

            count, nothing = len(options.fetch), [None] * len(options.target)
            return call_it

        return make

    def _called(self, session, fetches, fed, call, given=()):
        """As `_recorded`, of a function of a session, which may call `run`."""
        this = threading.get_ident()
        if this in self._calling or threading.current_thread() is not threading.main_thread():
            return call(())[0]
        self._calling.add(this)
        try:
            return self._recorded(session, fetches, fed, call, given)
        finally:
            self._calling.remove(this)

    def _recorded(self, session, fetches, fed, call, given=()):
        """What `call` gives for a run, which is recorded.

        Args:
          call: runs the fetches and a list of tensors; gives the values of both.
          given: names of tensors that come from elsewhere.
        """
        kind, nested = self._kind(session.graph, fetches, fed)
        count = next(kind.count)  # No lock is as cheap.
        if (count - 1) % self._every:
            return call(())[0]
        kind.settled = self._every == 1 and count >= self._tensors
        # What is fed is looked at before the run: it may be the program's own buffer.
        row = kind.layout.row(fed.values() if fed else ())
        extra = ()
        if count <= self._tensors:
            extra = self._on_the_way(session.graph, kind.names, set(kind.feeds).union(given))
        values, found = call(extra)
        if nested:
            flat = [value for _, value in _pairs(fetches, values)]
        else:
            flat = values if isinstance(fetches, list) else [values]
        row += map(_kept, flat)
        if extra:
            row.append([(tensor.name, summary(value)) for tensor, value in zip(extra, found)])
        self._held.append(row)
        if len(self._held) >= _HELD:
            self._write()
        return values

    def _kind(self, graph, fetches, fed):
        """The kind of a run, and whether its fetches are nested.

        Args:
          fetches: what is fetched, in its structure.
          fed: what is fed, by its tensor or name.
        """
        flat = fetches if fetches.__class__ is list else [fetches]
        nested = any(isinstance(part, (list, tuple, dict)) for part in flat)
        if nested:  # What is in it may be another the next time.
            flat = [part for part, _ in _pairs(fetches)]
        key = (graph, *flat, None, *(fed or ()))
        kind = None if nested else self._known.get(key)
        if kind is not None:
            return kind, False
        with self._lock:
            entry = self._graphs.setdefault(id(graph), [graph, len(self._graphs), 0, 0, -1])
            number = entry[1]
            names, feeds = [_name(fetch) for fetch in flat], [_name(each) for each in fed or ()]
            by_name = (number, tuple(names), tuple(feeds))
            kind = self._kinds.get(by_name)
            if kind is None:
                count = self._counts.setdefault(by_name[:2], itertools.count(1))
                kind = self._kinds[by_name] = _Kind(len(self._kinds), names, feeds, count)
                kind.layout = _Layout(kind, [_form_of(v) for v in (fed or {}).values()])
                about = {"kind": kind.number, "graph": number, "fetches": names, "feeds": feeds}
                # Now, while the folders that constants name are there.
                self._new += [*self._added(entry), about]
            if not nested:
                if len(self._known) >= _KNOWN:
                    self._known.clear()  # Tensors that are made anew for each run.
                self._known[key] = kind
        return kind, nested

    def _write(self):
        with self._lock:
            count = len(self._held)  # Others may be adding to the list.
            held = self._held[:count]
            del self._held[:count]
            graphs = sorted(self._graphs.values(), key=lambda entry: entry[1])
            lines = self._new + [about for entry in graphs for about in self._added(entry)]
            self._new = []
            if held:
                lines.append(_block(held))
            self._write_lines(lines)

    def _write_lines(self, lines):
        self._file.write("".join([json.dumps(line) + "\n" for line in lines]).encode())
        self._file.flush()

    def _added(self, entry):
        """What is new in a graph."""
        graph = entry[0]
        if graph.version != entry[4]:
            operations, functions = graph.get_operations(), list(graph._functions.values())
            nodes = [self._node(op) for op in operations[entry[2] :]]
            for function in functions[entry[3] :]:
                nodes.extend(self._function(function))
            entry[2:] = [len(operations), len(functions), graph.version]
            yield {"graph": entry[1], "nodes": nodes, "seed": graph.seed}

    def _node(self, op):
        return {
            "name": op.name,
            "type": op.type,
            "inputs": [tensor.name for tensor in op.inputs],
            "controls": sorted(control.name for control in op.control_inputs),
            "attrs": self._attrs(op.node_def),
            "shapes": [str(tensor.shape) for tensor in op.outputs],
            "line": _line(op),
        }

    def _function(self, function):
        """The nodes of a function's body, and one that stands for it: its inputs are the results.

        The parentheses in its name are in no name of a node.
        """
        definition = function.definition
        signature = definition.signature
        whole = signature.name + "()"
        body = getattr(function, "graph", None)
        known = {op.name: op for op in body.get_operations()} if body is not None else {}

        def node(name, kind, inputs, attrs, line):
            data = ["{}/{}".format(whole, each) for each in inputs if not each.startswith("^")]
            controls = ["{}/{}".format(whole, each[1:]) for each in inputs if each.startswith("^")]
            return {
                "name": name,
                "type": kind,
                "inputs": data,
                "controls": sorted(controls),
                "attrs": attrs,
                "shapes": [],
                "line": line,
            }

        for each in definition.node_def:
            line = _line(known[each.name]) if each.name in known else ""
            attrs = self._attrs(each)
            yield node("{}/{}".format(whole, each.name), each.op, each.input, attrs, line)
        results = [definition.ret[arg.name] for arg in signature.output_arg]
        results += ["^" + name for name in sorted(definition.control_ret.values())]
        types = [arg.type for arg in signature.input_arg]
        yield node(whole, "Function", results, {"arguments": str(types)}, "")

    def _attrs(self, node_def):
        attrs = node_def.attr
        return {name: _short(self._attr(attrs[name])) for name in attrs}

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

    def _on_the_way(self, graph, names, stop):
        """The tensors that a run computes, and that may be fetched, less those named in `stop`."""
        try:
            stack = [graph.as_graph_element(name).op for name in names if ":" in name]
            stack += [graph.get_operation_by_name(name) for name in names if ":" not in name]
        except (AttributeError, KeyError, ValueError):
            return []
        seen = set()
        while stack:
            op = stack.pop()
            if op not in seen:
                seen.add(op)
                stack.extend(op.control_inputs)
                stack.extend(tensor.op for tensor in op.inputs if tensor.name not in stop)
        found, depends, views = [], set(), set()
        for op in sorted(seen, key=lambda op: op._id):
            if op.type in _VIEWS and any(t.dtype._is_ref_dtype or t.op in views for t in op.inputs):
                views.add(op)
            sources = [tensor.op for tensor in op.inputs] + list(op.control_inputs)
            if _is_branch(op) or any(source in depends for source in sources):
                if op.type not in _MERGES:
                    depends.add(op)  # It has no value where the branch is not taken.
                    continue
            if op in views:
                continue
            if op._get_control_flow_context() is None and graph.is_fetchable(op):
                found.extend(t for t in op.outputs if t.name not in stop and _is_array(t.dtype))
        return sorted(found, key=lambda tensor: tensor.name)


def _is_branch(op):
    """Whether one of the op's outputs has no value; a loop's have, once it has ended."""
    return op.type in _SWITCHES and op.inputs[1].op.type != "LoopCond"


def _is_array(dtype):
    if dtype._is_ref_dtype:
        return False
    return dtype.is_floating or dtype.is_integer or dtype.is_bool


def _name(item):
    if isinstance(item, (list, tuple)):
        return ",".join(_name(part) for part in item)
    if isinstance(item, str):
        return item
    values = getattr(item, "values", None)  # A sparse tensor has no name of its own.
    return getattr(item, "name", None) or getattr(values, "name", None) or type(item).__name__


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
    if isinstance(value, (np.floating, np.integer)):
        return [_dtype_name(value.dtype), (), (value.item(),)]
    if isinstance(value, tuple):  # A SparseTensorValue, for example.
        return [summary(part) for part in value]
    array = np.asarray(value)
    if array.dtype.kind in "OSU":
        texts = [repr(_text(v)) for v in array.ravel()[:ELEMENTS].tolist()]
        return ["string", list(array.shape), texts]
    name = array.dtype.name
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


def _block(held):
    """Runs, by what they were fed.

    Args:
      held: of each run its layout, what it was fed, what it gave and, in some, a list of what was
        computed on the way.

    Returns:
      "runs": each run's part, in order; "parts": of each part a list of [the number of the kind,
      columns of what was fed, columns of what was fetched, what was computed on the way by the
      run's place in the part].
    """
    parts, order = {}, []
    for row in held:
        rows = parts.setdefault(row[0], [len(parts)])
        order.append(rows[0])
        rows.append(row)
    told = []
    for layout, (_, *rows) in parts.items():
        feeds, fetches = len(layout.forms), len(layout.kind.names)
        columns = list(zip(*[row[1 : 1 + feeds + fetches] for row in rows]))
        fed = [_column_fed(*each) for each in zip(columns, layout.forms)]
        fetched = [_column(column) for column in columns[feeds:]]
        on_the_way = {
            str(i): row[-1] for i, row in enumerate(rows) if len(row) > 1 + feeds + fetches
        }
        told.append([layout.kind.number, fed, fetched, on_the_way])
        if any(each.__class__ is tuple for each in rows[-1][1 : 1 + feeds]):
            forms = zip(layout.forms, rows[-1][1 : 1 + feeds])
            layout.kind.layout = _Layout(
                layout.kind,
                [each[:2] + form[2:] if each.__class__ is tuple else form for form, each in forms],
            )
    return {"runs": order, "parts": told}


def _column_fed(kept, form):
    """What is told of what is fed to a tensor: forms, or [dtype, shape, checksums of all].

    Args:
      kept: see `_Layout.row`.
      form: what most have.
    """
    dtype, shape, small = form
    if all(each.__class__ is not tuple for each in kept):
        sums = _sums_of(kept) if small else kept
        return {"dtype": _dtype_name(dtype), "shape": shape, "data": _packed(sums, np.uint32)}
    told = []
    for each in kept:
        other = each if each.__class__ is tuple else (dtype, shape, each)
        number = other[2] if isinstance(other[2], int) else int(_sums_of([other[2]])[0])
        told.append((_dtype_name(other[0]), other[1], number))
    return told


def _sums_of(texts):
    """The checksums of equally long bytes, fewer than `_COPIED`: `checksum`'s, of all at once."""
    count, length = len(texts), len(texts[0])
    if length < _SMALL:
        return _sums(texts)
    data = np.frombuffer(b"".join(texts), np.uint8).reshape(count, length)
    rows, rest = divmod(length, 8 * _ROW)
    whole = data[:, : length - rest]
    if rest:
        whole = np.ascontiguousarray(whole)
    words = whole.reshape(-1).view(np.uint64).reshape(-1, _ROW)
    found = memoryview(np.einsum("ij,j->i", words, _WEIGHTS).tobytes())
    sums = [zlib.crc32(found[i : i + 8 * rows]) for i in range(0, 8 * rows * count, 8 * rows)]
    return [zlib.crc32(text[length - rest :], each) for text, each in zip(texts, sums)]


def _sums(texts):
    """The checksums of equally long bytes, fewer than `_SMALL`."""
    count, length = len(texts), len(texts[0])
    data = np.frombuffer(b"".join(texts), np.uint8).reshape(count, length)
    if length % 8:
        padded = np.zeros((count, -(-length // 8) * 8), np.uint8)
        padded[:, :length] = data
        data = padded
    words = data.reshape(-1).view(np.uint64).reshape(count, -1)
    return np.einsum("ij,j->i", words, _WEIGHTS[: words.shape[1]]) >> np.uint64(32)


def _column(values):
    """What is told of the values of a fetch: summaries, or the elements of all."""
    types = set(map(type, values))
    if types == {type(None)}:
        return None
    only = types.pop()
    if not types and only in _SCALARS:
        return {"dtype": _SCALARS[only], "shape": (), "data": _packed(values, only)}
    return [value if value.__class__ is list else summary(value) for value in values]


def _packed(numbers, dtype):
    data = np.array(numbers, dtype)
    return base64.b64encode(data.astype(data.dtype.newbyteorder("<")).tobytes()).decode()


def _kept(value):
    """A fetched value to tell of later: itself, a copy, or its summary as a list."""
    if value is None or isinstance(value, np.generic):
        return value
    if value.__class__ is np.ndarray and value.nbytes < _SMALL and value.dtype in _NAMES:
        return value.copy()
    return summary(value)


def _array(value):
    """A fed value as an array; of a sparse tensor's parts their checksums."""
    if isinstance(value, tuple) and len(set(map(np.shape, value))) > 1:
        return np.array([checksum(np.asarray(part)) for part in value], np.uint32)
    return np.asarray(value)


def _form_of(value):
    """Dtype, shape, and whether it is small, of a fed value."""
    array = _array(value)
    return array.dtype, array.shape, array.nbytes < _COPIED and array.dtype in _NAMES


def _form(value):
    """Dtype, shape, and the bytes or a checksum of a fed value."""
    array = _array(value)
    _, _, small = _form_of(array)
    return array.dtype, array.shape, array.tobytes() if small else checksum(array)


def _dtype_name(dtype):
    return _NAMES.get(dtype) or ("string" if dtype.kind in "OSU" else dtype.name)


def checksum(array):
    """A number that tells an array's bytes; ten times as quick for large ones as a CRC."""
    if array.dtype not in _NAMES and array.dtype.kind in "OSU":
        return zlib.crc32(repr([_text(text) for text in array.ravel().tolist()]).encode())
    if array.nbytes < _SMALL:
        return int(_sums([array.tobytes()])[0])
    data = array
    if not array.flags.c_contiguous or array.dtype not in _NAMES:
        data = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    rows, rest = divmod(array.nbytes, 8 * _ROW)
    words = np.frombuffer(data, np.uint64, rows * _ROW).reshape(rows, _ROW)
    found = zlib.crc32(np.einsum("ij,j->i", words, _WEIGHTS).tobytes())
    return zlib.crc32(np.frombuffer(data, np.uint8, rest, array.nbytes - rest).tobytes(), found)


def _text(value):
    """A text without what is another in each run: the folder of a path, names that are drawn."""
    if not isinstance(value, (str, bytes)):
        return value
    text = value if isinstance(value, str) else value.decode("latin-1")
    text = _DRAWN.sub("", text)
    if os.path.isabs(text) and len(text) < 4096 and "\0" not in text:
        folder, name = os.path.split(text)
        text = name if os.path.isdir(folder) else text
    return text if isinstance(value, str) else text.encode("latin-1")


def _plain(value):
    """A field of an attr as text that does not hang on the version of protobuf."""
    if isinstance(value, bytes):
        return _DRAWN.sub("", value.decode("latin-1"))
    if isinstance(value, float):
        return "{:.9g}".format(value)
    if hasattr(value, "dim"):
        return "?" if value.unknown_rank else "x".join(str(dim.size) for dim in value.dim)
    return value.name + "()" if hasattr(value, "name") else value


def _array_text(array):
    if array.size <= 16:
        elements = [_text(element) for element in array.ravel().tolist()]
        return "{} {} {}".format(array.dtype, list(array.shape), elements)
    return "{} {} crc32 {:08x}".format(array.dtype, list(array.shape), checksum(array))


def _short(text):
    return text if len(text) <= _TEXT else "crc32 {:08x}".format(zlib.crc32(text.encode()))


def _line(op):
    for frame in reversed(op.traceback or []):
        parts = os.path.dirname(frame[0]).replace(os.sep, "/").split("/")
        if frame[0] not in _CALLERS and not any(package in parts for package in _PACKAGES):
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
    found.add_argument(
        "--every",
        type=int,
        default=1,
        metavar="N",
        help="of the runs of the same fetches keep every Nth, from the first on (1)",
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
    recorder = Recorder(options.output, tf.make_ndarray, options.tensors, options.every, header)
    recorder.attach(base)
    atexit.register(recorder.close)
    sys.argv = [options.script] + options.arguments
    sys.path[0] = os.path.dirname(os.path.abspath(options.script))
    runpy.run_path(options.script, run_name="__main__")


if __name__ == "__main__":
    main()
