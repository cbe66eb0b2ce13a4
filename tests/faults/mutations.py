"""Files with mistakes in them: bits flipped, bytes changed, ends cut off, parts swapped or doubled,
sizes made huge.

    python mutations.py KIND,KIND… COUNT SEED FOLDER

reads COUNT mutations of a file of each kind and prints, as JSON, how many were read, how many were
refused, and what neither reads nor refuses them cleanly: other exceptions, hangs, wrong values.
Files in whose midst HDF5's own library hangs or ends the process, as it does for TensorFlow, are
counted apart.
The process may take the file twice and 1 GB of memory on top of what it began with.
"""

from __future__ import annotations

import collections
import json
import os
import resource
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

SECONDS = 10
MEMORY = 1 << 30
# Content that a checksum covers: what is read at all must be what was written.
CHECKED = ("checkpoint", "checkpoint_v1", "records", "events", "cached_program")
# Kinds that HDF5 reads: what its library does with some broken files no Python can end.
IN_C, OF_HDF5 = ("keras_model", "keras_weights"), "HDF5 hangs or ends"


class TooLate(BaseException):
    """Reading took more than `SECONDS`."""


def mutated(data: bytes, random: np.random.RandomState) -> bytes:
    """`data` with one to three mistakes."""
    for _ in range(random.randint(1, 4)):
        if not data:
            return data
        at, size = random.randint(len(data)), random.randint(1, 16)
        other = random.randint(len(data))
        how = random.randint(7)
        if how == 0:  # a bit
            data = data[:at] + bytes([data[at] ^ 1 << random.randint(8)]) + data[at + 1 :]
        elif how == 1:  # bytes
            data = data[:at] + random.bytes(size) + data[at + size :]
        elif how == 2:  # an end
            data = data[:at]
        elif how == 3:  # a part somewhere else
            data = data[:at] + data[other : other + 4 * size] + data[at:]
        elif how == 4:  # a part gone
            data = data[:at] + data[at + size :]
        elif how == 5:  # a size
            huge = [b"\xff" * 4, b"\xff" * 8, b"\0" * 4, b"\x7f\xff\xff\xff", b"\xff\xff\xff\x7f"]
            new = huge[random.randint(len(huge))]
            data = data[:at] + new + data[at + len(new) :]
        else:  # a varint
            new = b"\xff" * random.randint(1, 9) + b"\x01"
            data = data[:at] + new + data[at + len(new) :]
    return data


def _values(reader: Any) -> dict[str, Any]:
    return {name: reader.get_tensor(name) for name in reader.get_variable_to_shape_map()}


def _variables(tf: Any) -> None:
    tf.Variable(np.arange(60, dtype=np.float32).reshape(5, 12), name="weights")
    tf.Variable(np.arange(7), name="steps")
    tf.Variable(np.array([b"one", b"twenty-two"]), name="names")


def _checkpoint(tf: Any, folder: Path, version: int = 2) -> tuple[list[Path], Callable[[], Any]]:
    with tf.Graph().as_default(), tf.Session() as session:
        _variables(tf)
        session.run(tf.global_variables_initializer())
        saver = tf.train.Saver(write_version=version)
        path = saver.save(session, str(folder / "model"), write_meta_graph=False)
    files = sorted(p for p in folder.iterdir() if p.name.startswith("model"))
    return files, lambda: _values(tf.train.NewCheckpointReader(path))


def _records(tf: Any, folder: Path) -> tuple[list[Path], Callable[[], Any]]:
    path = folder / "data.tfrecord"
    with tf.python_io.TFRecordWriter(str(path)) as writer:
        for i in range(20):
            writer.write(bytes([i]) * (i * 3))
    return [path], lambda: list(tf.python_io.tf_record_iterator(str(path)))


def _events(tf: Any, folder: Path) -> tuple[list[Path], Callable[[], Any]]:
    writer = tf.summary.FileWriter(str(folder))
    for step in range(10):
        value = tf.Summary.Value(tag="loss", simple_value=step)
        writer.add_summary(tf.Summary(value=[value]), step)
    writer.close()
    (path,) = folder.iterdir()
    return [path], lambda: [
        event.SerializeToString() for event in tf.train.summary_iterator(str(path))
    ]


def _small_graph(tf: Any) -> Any:
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    w = tf.Variable(np.ones([3, 2], np.float32), name="w")
    y = tf.nn.relu(tf.matmul(x, w) + tf.constant([1.0, 2.0]))
    y = tf.cond(tf.reduce_sum(y) > 0, lambda: y * 2, lambda: tf.reshape(y, [-1, 2]))
    return x, tf.identity(
        tf.while_loop(lambda v: tf.reduce_sum(v) < 100, lambda v: v * 2, [y]), "y"
    )


def _graph_def(tf: Any, folder: Path) -> tuple[list[Path], Callable[[], Any]]:
    path = folder / "graph.pb"
    with tf.Graph().as_default() as graph:
        _small_graph(tf)
        path.write_bytes(graph.as_graph_def().SerializeToString())

    def read() -> Any:
        graph_def = tf.GraphDef()
        graph_def.ParseFromString(path.read_bytes())
        with tf.Graph().as_default():
            tf.import_graph_def(graph_def, name="")

    return [path], read


def _meta_graph(tf: Any, folder: Path) -> tuple[list[Path], Callable[[], Any]]:
    path = folder / "model.meta"
    with tf.Graph().as_default():
        _small_graph(tf)
        tf.train.export_meta_graph(
            str(path), as_text=False, saver_def=tf.train.Saver().as_saver_def()
        )

    def read() -> Any:
        with tf.Graph().as_default():
            tf.train.import_meta_graph(str(path))

    return [path], read


def _saved_model(tf: Any, folder: Path) -> tuple[list[Path], Callable[[], Any]]:
    with tf.Graph().as_default(), tf.Session() as session:
        x, y = _small_graph(tf)
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, str(folder / "model"), {"x": x}, {"y": y})
    files = [folder / "model" / "saved_model.pb", *sorted((folder / "model/variables").iterdir())]

    def read() -> Any:
        with tf.Graph().as_default(), tf.Session() as session:
            tf.saved_model.loader.load(session, ["serve"], str(folder / "model"))

    return files, read


def _decoder(tf: Any, path: Path, decode: Callable[[Any], Any]) -> tuple[list[Path], Callable]:
    graph = tf.Graph()
    with graph.as_default():
        content = tf.placeholder(tf.string, [])
        decoded = decode(content)
    session = tf.Session(graph=graph)
    return [path], lambda: session.run(decoded, {content: path.read_bytes()})


def _image(kind: str) -> Callable[..., Any]:
    def make(tf: Any, folder: Path) -> tuple[list[Path], Callable[[], Any]]:
        from PIL import Image

        path = folder / f"image.{kind}"
        pixels = (np.arange(20 * 16 * 3) * 7 % 256).astype(np.uint8).reshape(20, 16, 3)
        frames = [Image.fromarray(np.roll(pixels, i, 0)) for i in range(3)]
        more = {"save_all": True, "append_images": frames[1:]} if kind == "gif" else {}
        frames[0].save(path, **more)
        return _decoder(tf, path, lambda content: tf.image.decode_image(content))

    return make


def _wav(tf: Any, folder: Path) -> tuple[list[Path], Callable[[], Any]]:
    path = folder / "sound.wav"
    with tf.Graph().as_default(), tf.Session() as session:
        sound = np.linspace(-1, 1, 200, dtype=np.float32).reshape(100, 2)
        path.write_bytes(session.run(tf.audio.encode_wav(sound, 8000)))
    return _decoder(tf, path, lambda content: tf.audio.decode_wav(content))


def _csv(tf: Any, folder: Path) -> tuple[list[Path], Callable[[], Any]]:
    path = folder / "table.csv"
    path.write_bytes(b'1,2.5,"a ""quoted"" text",\n-7,1e3,plain,"x,y"\n')
    defaults = [[0], [0.0], [""], ["none"]]
    return _decoder(
        tf, path, lambda content: tf.decode_csv(tf.string_split([content], "\n").values, defaults)
    )


def _example(tf: Any, folder: Path) -> tuple[list[Path], Callable[[], Any]]:
    path = folder / "example.pb"
    lists = {
        "a": tf.train.Feature(int64_list=tf.train.Int64List(value=[1, -2, 3])),
        "b": tf.train.Feature(float_list=tf.train.FloatList(value=[1.5, 2.5])),
        "c": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"text", b""])),
    }
    example = tf.train.Example(features=tf.train.Features(feature=lists))
    path.write_bytes(example.SerializeToString())
    features = {
        "a": tf.FixedLenFeature([3], tf.int64),
        "b": tf.VarLenFeature(tf.float32),
        "c": tf.FixedLenSequenceFeature([], tf.string, allow_missing=True),
    }
    return _decoder(tf, path, lambda content: tf.parse_single_example(content, features))


def _keras_model(tf: Any, folder: Path) -> tuple[list[Path], Callable[[], Any]]:
    path = folder / "model.h5"
    with tf.Graph().as_default(), tf.Session():
        model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(4,), name="dense")])
        model.compile("sgd", "mse")
        model.save(str(path))

    def read() -> Any:
        with tf.Graph().as_default(), tf.Session():
            tf.keras.models.load_model(str(path))

    return [path], read


def _keras_weights(tf: Any, folder: Path) -> tuple[list[Path], Callable[[], Any]]:
    path = folder / "weights.h5"
    graph = tf.Graph()
    with graph.as_default():
        session = tf.Session()
        with session.as_default():
            layers = [tf.keras.layers.Dense(3, input_shape=(4,)), tf.keras.layers.Dense(2)]
            model = tf.keras.Sequential(layers)
            model.save_weights(str(path))

    def read() -> Any:
        with graph.as_default(), session.as_default():
            model.load_weights(str(path))

    return [path], read


def _cached_program(tf: Any, folder: Path) -> tuple[list[Path], Callable[[], Any]]:
    """An entry of the cache of compiled programs: one that is refused is compiled anew."""
    import jax

    from tf1compat.runtime.compile import cache

    x = np.arange(4, dtype=np.float32)
    lowered = jax.jit(lambda x: x * 2 + 1).lower(x)
    path, device = folder / "entry", jax.devices()[0]
    cache._store(path, lowered.compile())

    def read() -> Any:
        found = cache._load(path, lowered, [device])
        if found is None:
            raise ValueError("refused")
        return {"result": np.asarray(found(x))}

    return [path], read


KINDS: dict[str, Callable[..., tuple[list[Path], Callable[[], Any]]]] = {
    "checkpoint": _checkpoint,
    "checkpoint_v1": lambda tf, folder: _checkpoint(tf, folder, 1),
    "records": _records,
    "events": _events,
    "graph_def": _graph_def,
    "meta_graph": _meta_graph,
    "saved_model": _saved_model,
    "png": _image("png"),
    "jpeg": _image("jpg"),
    "gif": _image("gif"),
    "bmp": _image("bmp"),
    "wav": _wav,
    "csv": _csv,
    "example": _example,
    "keras_model": _keras_model,
    "keras_weights": _keras_weights,
    "cached_program": _cached_program,
}


def _fails_in_c(read: Callable[[], Any]) -> bool:
    """Whether a copy of this process ends, or has to be ended, that reads the file."""
    child = os.fork()
    if not child:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(3)
        try:
            read()
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def _late(*_: Any) -> None:
    raise TooLate


def _same(found: Any, expected: Any) -> bool:
    """Whether what was read is what was written, or (of records) a beginning of it."""
    if isinstance(expected, list):
        return found == expected[: len(found)]
    return found.keys() <= expected.keys() and all(
        np.array_equal(found[key], expected[key]) for key in found
    )


def run(kind: str, count: int, seed: int, folder: Path) -> dict[str, Any]:
    """Reads mutations; see the module."""
    from google.protobuf.message import DecodeError

    from tf1compat import namespace, set_tier

    tf = namespace.tensorflow()
    tf.logging.set_verbosity(tf.logging.FATAL)
    set_tier("host")
    clean = (tf.errors.OpError, ValueError, TypeError, DecodeError, OSError)
    # Names that lead to nothing, no such tags: as TF's. HDF5's own errors are these, too.
    if kind in ("meta_graph", "saved_model", "keras_model", "keras_weights"):
        clean += (KeyError, RuntimeError)
    files, read = KINDS[kind](tf, folder)
    good = {path: path.read_bytes() for path in files}
    expected = read()
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    allowed = pages * resource.getpagesize() + 2 * sum(map(len, good.values())) + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (allowed, resource.RLIM_INFINITY))
    signal.signal(signal.SIGALRM, _late)
    random = np.random.RandomState(seed)
    counts: collections.Counter[str] = collections.Counter()
    bad: dict[str, str] = {}
    for _ in range(count):
        path = files[random.randint(len(files))]
        data = mutated(good[path], random)
        path.write_bytes(data)
        try:
            if kind in IN_C and _fails_in_c(read):
                counts[OF_HDF5] += 1
                continue
            signal.alarm(SECONDS)
            found = read()
            right = kind not in CHECKED or _same(found, expected)
            counts["read" if right else "wrong"] += 1
            if not right:
                bad.setdefault("another value", data.hex())
        except clean as error:
            counts["refused"] += 1
            counts[f"refused: {type(error).__name__}"] += 1
        except BaseException as error:
            counts["unclean"] += 1
            place = traceback.extract_tb(error.__traceback__)[-1]
            text = f"{type(error).__name__}: {error} at {place.filename}:{place.lineno}"
            bad.setdefault(text[:300], data.hex()[:200])
        finally:
            signal.alarm(0)
            path.write_bytes(good[path])
    return {"counts": dict(counts), "bad": bad}


if __name__ == "__main__":
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    results = {}
    for name in sys.argv[1].split(","):
        place = Path(sys.argv[4]) / name
        place.mkdir()
        results[name] = run(name, int(sys.argv[2]), int(sys.argv[3]), place)
    print(json.dumps(results))
