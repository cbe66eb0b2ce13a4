"""Programs with tables, queues, readers and files: what TensorFlow records, gives and raises.

Every function takes the `tensorflow` module. Those in `STEPS` record a graph and return
`(tensors or operations, …)`: the graph is compared node for node, then they are run one after the
other in one session, and what each gives or raises is compared. Those in `SAID` return texts.
`MISTAKES` are compared by the exception that they raise while they record.

They run in an empty folder, in which `write_files` puts some files.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import tempfile
from unittest import mock

import numpy as np

FILES = {
    "vocabulary": b"a\nb\nc\n",
    "columns": b"a\t1\nb\t2\nc\t3",
    "bad": b"a\t1\nb\nc\tx\n",
    "twice": b"a\nb\na\n",
    "empty": b"",
    "lines": b"x\r\ny\n\n",
}


@contextlib.contextmanager
def folder():
    """A folder with the files, in which a case runs."""
    before, made = os.getcwd(), tempfile.mkdtemp()
    os.chdir(made)
    try:
        for name, data in FILES.items():
            with open(name, "wb") as file:
                file.write(data)
        # A table that has no name of its own is shared under a random one.
        names = ("unique_{}".format(i) for i in itertools.count())
        with mock.patch("uuid.uuid4", side_effect=names):
            yield
    finally:
        os.chdir(before)
        shutil.rmtree(made)


def _collect(*group):
    """Functions in a dict by name."""
    return {f.__name__: f for f in group}


def _word(tf, *words):
    return tf.constant(np.array(words))


# ---- tables ----------


def hash_table(tf):
    lookup = tf.contrib.lookup
    init = lookup.KeyValueTensorInitializer(["a", "b", "c"], [1, 2, 3], value_dtype=tf.int64)
    table = lookup.HashTable(init, -1)
    words = _word(tf, ["a", "x"], ["c", "a"])
    find = table.lookup(words)
    sparse = tf.SparseTensor([[0, 1]], tf.constant(["b"]), [1, 2])
    sorted_keys = tf.nn.top_k(table.export()[1], 3)[0]
    return (
        find,
        table.size(),
        sorted_keys,
        table.init,
        table.init,
        find,
        table.size(),
        (table.lookup(sparse)),
        sorted_keys,
    )


def static_tables(tf):
    init = tf.lookup.KeyValueTensorInitializer([1, 2], ["x", "y"], tf.int64, tf.string)
    table = tf.lookup.StaticHashTable(init, "?", name="mine")
    words = tf.lookup.KeyValueTensorInitializer(["a", "b"], tf.constant([0, 1], tf.int64))
    vocabulary = tf.lookup.StaticVocabularyTable(words, 2)
    buckets = tf.lookup.StaticVocabularyTable(None, 3)
    found = [t.lookup(_word(tf, "a", "b", "zz", "y")) for t in (vocabulary, buckets)]
    numbers = table.lookup(tf.constant([[1, 5]], tf.int64))
    return tf.tables_initializer(), numbers, found, [vocabulary.size(), buckets.size()]


def tables_from_files(tf):
    lookup = tf.contrib.lookup
    words = _word(tf, "a", "c", "z", "y")
    tables = [
        lookup.index_table_from_file("vocabulary"),
        lookup.index_table_from_file("vocabulary", num_oov_buckets=3),
        lookup.index_table_from_file("vocabulary", 3, hasher_spec=lookup.StrongHashSpec([1, 2])),
        lookup.index_table_from_file("vocabulary", vocab_size=2, default_value=-7, name="short"),
    ]
    strings = lookup.index_to_string_table_from_file("vocabulary")
    columns = lookup.HashTable(
        lookup.TextFileInitializer("columns", tf.string, 0, tf.float32, 1), 9.0
    )
    found = [table.lookup(words) for table in tables]
    numbers = tf.constant([0, 1, 7], tf.int64)
    return (
        tf.tables_initializer(),
        found,
        [table.size() for table in tables],
        strings.lookup(numbers),
        columns.lookup(words),
    )


def tables_from_tensors(tf):
    lookup = tf.contrib.lookup
    words = lookup.index_table_from_tensor(["x", "y"], num_oov_buckets=2)
    numbers = lookup.index_table_from_tensor(np.array([10, 20], np.int32), 2, dtype=tf.int32)
    strings = lookup.index_to_string_table_from_tensor(["x", "y"], default_value="none")
    return (
        tf.tables_initializer(name="fill"),
        words.lookup(_word(tf, "x", "q", "r", "s")),
        numbers.lookup(tf.constant([10, 30, 40])),
        strings.lookup(tf.constant([[1], [2]], tf.int64)),
        words.size(),
        lookup.IdTableWithHashBuckets(None, 2).lookup(_word(tf, "x", "q", "r")),
    )


def table_runtime_errors(tf):
    lookup, raw = tf.contrib.lookup, tf.raw_ops

    def from_file(name, *columns, **kwargs):
        init = lookup.TextFileInitializer(
            name, tf.string, columns[0], tf.int64, columns[1], **kwargs
        )
        return lookup.HashTable(init, -1).init

    init = lookup.KeyValueTensorInitializer(["a", "b"], [1, 2])
    table = lookup.HashTable(init, -1)
    handle = table.resource_handle
    twice = lookup.HashTable(lookup.KeyValueTensorInitializer(["a", "a"], [1, 2]), -1)
    return (
        table.lookup(_word(tf, "a")),
        table.export()[0],
        table.init,
        raw.LookupTableInsertV2(table_handle=handle, keys=["d"], values=[4]),
        raw.LookupTableRemoveV2(table_handle=handle, keys=["d"]),
        raw.InitializeTableV2(table_handle=handle, keys=["d"], values=[4]),
        twice.init,
        lookup.index_table_from_file("vocabulary", vocab_size=5)._init_op,
        lookup.index_table_from_file("nothing")._init_op,
        lookup.index_table_from_file("twice")._init_op,
        from_file("columns", 0, 1, delimiter=","),
        from_file("columns", 0, 1, delimiter=",,"),
        from_file("columns", 0, 3),
        from_file("bad", 0, 1),
        from_file("columns", -2, 0),
    )


def mutable_table(tf):
    table = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1)
    values = tf.constant([1, 2, 3], tf.int64)
    find = table.lookup(_word(tf, ["a", "z"]))
    insert = table.insert(_word(tf, "a", "b", "a"), values)
    return (
        [table.size(), find],
        insert,
        find,
        table.size(),
        table.remove(_word(tf, "a", "q")),
        table.export(),
        table.insert(_word(tf, "a", "b"), values),
        table.insert("c", values[0]),
        table.lookup("c"),
    )


def mutable_table_of_vectors(tf):
    table = tf.contrib.lookup.MutableHashTable(tf.int64, tf.float32, [0.0, 0.5], name="vectors")
    keys = tf.constant([1, 2], tf.int64)
    return (
        table.insert(keys, [[1.0, 2.0], [3.0, 4.0]]),
        table.lookup(tf.constant([[1], [9]], tf.int64)),
        table.insert(keys, tf.placeholder_with_default([1.0, 2.0], None)),
        table.size(),
    )


def dense_table(tf):
    table = tf.contrib.lookup.MutableDenseHashTable(
        tf.int64, tf.int64, -1, empty_key=0, deleted_key=-1, initial_num_buckets=8
    )

    def longs(*values):
        return tf.constant(values, tf.int64)

    return (
        table.insert(longs(5, 13, 6), longs(1, 2, 3)),
        table.lookup(longs(5, 7, 13)),
        table.size(),
        table.export()[0],
        table.remove(longs(5)),
        [table.size(), table.lookup(longs(5, 6))],
        table.insert(longs(0), longs(1)),
        table.lookup(longs(-1)),
        table.insert(longs(21, 22, 23, 24, 25), longs(1, 2, 3, 4, 5)),
        table.lookup(longs(13, 21, 25)),
    )


def dense_table_of_vectors(tf):
    table = tf.lookup.experimental.DenseHashTable(
        tf.string, tf.float32, [0.0, 0.0], empty_key="", deleted_key="$", checkpoint=False
    )
    pairs = tf.lookup.experimental.DenseHashTable(
        tf.int64, tf.float32, 0.0, empty_key=[0, 0], deleted_key=[-1, -1], name="pairs"
    )
    keys = tf.constant([[1, 2], [3, 4]], tf.int64)
    return (
        table.insert_or_assign(["a", "b"], [[1.0, 2.0], [3.0, 4.0]]),
        table.lookup(["a", "z"]),
        pairs.insert(keys, [1.0, 2.0]),
        pairs.lookup(tf.constant([[1, 2], [5, 5]], tf.int64)),
        pairs.erase(keys),
        pairs.size(),
    )


# ---- queues ----------


def fifo_queue(tf):
    q = tf.FIFOQueue(10, [tf.int32])
    one = q.dequeue()
    return (
        q.enqueue(1),
        q.enqueue_many([[2, 3, 4]]),
        q.size(),
        one,
        q.is_closed(),
        q.close(),
        q.is_closed(),
        q.enqueue(1),
        one,
        one,
        one,
        one,
        q.close(),
        q.enqueue_many([[3, 4]]),
    )


def queue_of_pairs(tf):
    q = tf.FIFOQueue(10, [tf.int32, tf.float32], shapes=[[], [2]], name="pairs")
    return (
        q.enqueue([1, [1.0, 2.0]]),
        q.enqueue_many([[1, 2], [[1.0, 2.0], [3.0, 4.0]]]),
        q.dequeue_many(2),
        q.close(),
        q.dequeue_many(2),
        q.dequeue_up_to(5),
        q.dequeue_up_to(5),
        q.dequeue_many(0),
    )


def queue_with_names(tf):
    q = tf.FIFOQueue(5, [tf.int32, tf.string], [[], []], names=["a", "b"])
    return (
        q.enqueue({"a": 1, "b": "x"}),
        q.dequeue(),
        q.enqueue({"b": "y", "a": 2}),
        (q.dequeue_up_to(1)["b"]),
    )


def queue_runtime_errors(tf):
    q = tf.FIFOQueue(10, [tf.int32], shapes=[[2]])
    free = tf.FIFOQueue(10, [tf.int32])
    closing = tf.FIFOQueue(2, [tf.int32])
    return (
        q.enqueue(tf.placeholder_with_default([1, 2, 3], None)),
        q.enqueue_many(tf.placeholder_with_default([[1, 2, 3]], None)),
        q.dequeue_many(tf.placeholder_with_default(-1, [])),
        free.enqueue([1]),
        free.dequeue_many(1),
        tf.FIFOQueue(10, [tf.int32, tf.int32]).enqueue([1]),
        closing.enqueue(1),
        closing.close(cancel_pending_enqueues=True),
        closing.dequeue(),
        closing.enqueue(1),
    )


def shuffle_queue(tf):
    q = tf.RandomShuffleQueue(20, 2, [tf.int32], [[]], seed=3)
    one = q.dequeue()
    return (
        q.enqueue_many([list(range(10))]),
        q.dequeue_many(5),
        one,
        one,
        one,
        q.close(),
        q.dequeue_many(3),
        q.dequeue_up_to(3),
        one,
    )


def shuffle_queue_of_graph_seed(tf):
    tf.set_random_seed(1)
    q = tf.RandomShuffleQueue(20, 2, [tf.int32], [[]], shared_name="shared")
    r = tf.RandomShuffleQueue(20, 2, [tf.int32], [[]])
    values = [list(range(10))]
    return q.enqueue_many(values), q.dequeue_many(5), r.enqueue_many(values), r.dequeue_many(5)


def padding_queue(tf):
    q = tf.PaddingFIFOQueue(10, [tf.int32, tf.string], [[None], [None, 2]])
    return (
        q.enqueue([[1], [["a", "b"]]]),
        q.enqueue([[1, 2, 3], [["a", "b"], ["c", "d"]]]),
        q.dequeue_many(2),
        q.enqueue_many([[[1, 2], [3, 4]], [[["a", "b"]], [["c", "d"]]]]),
        q.dequeue(),
        q.dequeue_many(0),
    )


def priority_queue(tf):
    q = tf.PriorityQueue(10, [tf.string], [[]])
    first = tf.constant([3, 0], tf.int64)
    return (
        q.enqueue([tf.constant(5, tf.int64), "five"]),
        q.enqueue([tf.constant(1, tf.int64), "one"]),
        q.enqueue_many([first, ["three", "zero"]]),
        q.dequeue(),
        q.dequeue_many(2),
        q.size(),
    )


# ---- readers ----------


def _read(tf, reader, names, count=2):
    q = tf.FIFOQueue(10, [tf.string], [[]])
    record = reader.read(q)
    return (
        (q.enqueue_many([names]),)
        + (record,) * count
        + (
            [reader.num_records_produced(), reader.num_work_units_completed()],
            q.close(),
            record,
            record,
            reader.reset(),
            reader.num_records_produced(),
        )
    )


def text_line_reader(tf):
    return _read(tf, tf.TextLineReader(), ["vocabulary", "lines"], 5)


def text_line_reader_without_header(tf):
    return _read(tf, tf.TextLineReader(skip_header_lines=1), ["vocabulary", "lines"], 3)


def text_line_reader_without_file(tf):
    return _read(tf, tf.TextLineReader(), ["nothing", "empty", "vocabulary"], 2)


def whole_file_reader(tf):
    return _read(tf, tf.WholeFileReader(name="whole"), ["vocabulary", "lines"], 1)


def identity_reader(tf):
    return _read(tf, tf.IdentityReader(), ["a", "b"], 1)


def fixed_length_reader(tf):
    return _read(tf, tf.FixedLengthRecordReader(2), ["vocabulary"], 2)


def fixed_length_reader_with_header(tf):
    reader = tf.FixedLengthRecordReader(2, header_bytes=1, footer_bytes=1, hop_bytes=1)
    return _read(tf, reader, ["vocabulary"], 2)


def tf_record_reader(tf):
    with tf.python_io.TFRecordWriter("records") as writer:
        writer.write(b"r1")
        writer.write(b"record 2")
    return _read(tf, tf.TFRecordReader(), ["records"], 2)


def compressed_record_reader(tf):
    options = tf.python_io.TFRecordOptions(tf.python_io.TFRecordCompressionType.GZIP)
    with tf.python_io.TFRecordWriter("records", options) as writer:
        writer.write(b"r1")
    return _read(tf, tf.TFRecordReader(options=options), ["records"], 1)


def read_up_to(tf):
    q = tf.FIFOQueue(10, [tf.string], [[]])
    records = tf.TextLineReader().read_up_to(q, 4)
    return q.enqueue_many([["vocabulary", "lines"]]), q.close(), records, records, records


# ---- input pipelines: their graphs (threads run them in the tests) ----------

X = np.arange(12).reshape(6, 2).astype(np.float32)
Y = np.arange(6)


def _nothing(*recorded):
    return ()


def batch_of_slices(tf):
    tf.set_random_seed(3)
    tf.train.batch(tf.train.slice_input_producer([X, Y], num_epochs=2, seed=1), 4)
    return _nothing()


def batch_with_padding(tf):
    x = tf.placeholder(tf.int32, [None])
    tf.train.batch({"a": x, "b": tf.constant("x")}, 2, 3, 10, dynamic_pad=True, name="mine")
    return _nothing()


def shuffled_batch(tf):
    tf.set_random_seed(3)
    tf.train.shuffle_batch([X, Y], 4, 18, 2, 2, enqueue_many=True, allow_smaller_final_batch=True)
    return _nothing()


def joined_batches(tf):
    tf.train.batch_join([[tf.constant(1)], [tf.constant(2)]], 4)
    tf.train.shuffle_batch_join([[tf.constant(1)], [tf.constant(2)]], 4, 10, 2, seed=5)
    return _nothing()


def batches_of_some(tf):
    keep = tf.placeholder(tf.bool, [])
    tf.train.maybe_batch([tf.constant(1)], keep, 4)
    tf.train.maybe_shuffle_batch([X], 4, 18, 2, tf.placeholder(tf.bool, [6]), enqueue_many=True)
    tf.train.maybe_batch_join([[tf.constant(1)], [tf.constant(2)]], keep, 4)
    tf.train.maybe_shuffle_batch_join([[tf.constant(1)]], 4, 10, 2, False)
    return _nothing()


def producers(tf):
    tf.set_random_seed(3)
    tf.train.string_input_producer(["a", "b"], shuffle=False)
    tf.train.range_input_producer(5, num_epochs=1, capacity=8)
    tf.train.input_producer(tf.placeholder(tf.int32), [2], shuffle=False, name="open")
    tf.train.match_filenames_once("*")
    return _nothing()


STEPS = {
    "tables": _collect(
        hash_table,
        static_tables,
        tables_from_files,
        tables_from_tensors,
        table_runtime_errors,
        mutable_table,
        mutable_table_of_vectors,
        dense_table,
        dense_table_of_vectors,
    ),
    "queues": _collect(
        fifo_queue,
        queue_of_pairs,
        queue_with_names,
        queue_runtime_errors,
        shuffle_queue,
        shuffle_queue_of_graph_seed,
        padding_queue,
        priority_queue,
    ),
    "readers": _collect(
        text_line_reader,
        text_line_reader_without_header,
        text_line_reader_without_file,
        whole_file_reader,
        identity_reader,
        fixed_length_reader,
        fixed_length_reader_with_header,
        tf_record_reader,
        compressed_record_reader,
        read_up_to,
    ),
    "pipelines": _collect(
        batch_of_slices,
        batch_with_padding,
        shuffled_batch,
        joined_batches,
        batches_of_some,
        producers,
    ),
}


# ---- files ----------


def _told(tf, *calls):
    """What each function returns or raises, as text."""
    said = []
    for call in calls:
        try:
            said.append(repr(call()))
        except Exception as error:
            name = type(error).__name__
            said.append("{}: {}".format(name, getattr(error, "message", None) or error))
    return said


def reading_and_writing(tf):
    G = tf.gfile.GFile
    f = G("vocabulary")
    w = G("made", "w+")
    return _told(
        tf,
        lambda: G("nothing").read(),
        lambda: G("made", "w").read(),
        lambda: G("vocabulary").write("x"),
        lambda: G("vocabulary", "q"),
        lambda: G("text", "w").write("h\u00e9\u00e9\nb\n"),
        lambda: G("text").read(),
        lambda: G("text", "rb").read(),
        lambda: G("text", "rb").readlines(),
        lambda: G("text").readline(),
        lambda: G("text").read(3),
        lambda: G("text", "r+").read(3),
        lambda: [G("text").size(), len(list(G("text")))],
        lambda: G("nothing").size(),
        lambda: G(".").read(),
        lambda: G("no/text", "w").write("x"),
        lambda: [f.tell(), f.readline(), f.tell(), f.seek(1), f.tell(), f.read(), f.read()],
        lambda: f.seek(-1),
        lambda: f.seek(100),
        lambda: [f.seek(-2, 2), f.read()],
        lambda: [f.seek(1), f.seek(1, 1), f.read(1)],
        lambda: f.seek(0, 3),
        lambda: f.seek(),
        lambda: f.seek(1, position=2),
        lambda: [f.close(), f.read(1), f.name, f.mode, f.seekable()],
        lambda: [w.write("abc"), w.flush(), w.read(), w.seek(0), w.close()],
        lambda: [G("made", "a").write(b"d"), G("made").read()],
        lambda: G("made", "wb").write(3),
        lambda: G("made", "wb").tell(),
        lambda: tf.gfile.FastGFile("vocabulary", "rb").read(),
    )


def folders(tf):
    F, G = tf.gfile, tf.io.gfile
    return _told(
        tf,
        lambda: F.MkDir("."),
        lambda: F.MkDir("no/folder"),
        lambda: [F.MakeDirs("no/folder"), G.makedirs("no/folder"), F.IsDirectory("no")],
        lambda: F.MakeDirs("vocabulary/folder"),
        lambda: F.Remove("nothing"),
        lambda: F.Remove("no"),
        lambda: F.Rename("nothing", "other"),
        lambda: F.Rename("vocabulary", "no"),
        lambda: F.Rename("vocabulary", "no", overwrite=True),
        lambda: [F.Copy("vocabulary", "copy"), F.Exists("copy"), G.exists(b"copy")],
        lambda: F.Copy("vocabulary", "copy"),
        lambda: G.copy("vocabulary", "copy", overwrite=True),
        lambda: F.Copy("nothing", "other"),
        lambda: [G.rename("copy", "moved"), F.Exists("copy"), F.Exists("moved")],
        lambda: sorted(F.ListDirectory(".")),
        lambda: F.ListDirectory("nothing"),
        lambda: G.listdir("vocabulary"),
        lambda: F.DeleteRecursively("nothing"),
        lambda: F.DeleteRecursively("vocabulary"),
        lambda: [F.IsDirectory("nothing"), G.isdir("vocabulary")],
        lambda: sorted(F.Glob("*")),
        lambda: sorted(F.Glob(["v*", "[b-e]*", "no/*"])),
        lambda: G.glob("n?/x*"),
        lambda: G.glob("nothing/x*"),
        lambda: F.Stat("nothing"),
        lambda: [F.Stat("vocabulary").length, G.stat("no").is_directory],
        lambda: sorted((top, sub, len(names)) for top, sub, names in F.Walk(".")),
        lambda: list(F.Walk("no", in_order=False)),
        lambda: list(G.walk("nothing")),
        lambda: [G.rmtree("no"), F.Exists("no")],
    )


def records(tf):
    io = tf.python_io
    kinds = io.TFRecordCompressionType

    def write(name, options=None, data=(b"a", b"bb" * 50)):
        with io.TFRecordWriter(name, options) as writer:
            for record in data:
                writer.write(record)
            writer.flush()

    def read(name, options=None):
        return list(io.tf_record_iterator(name, options))

    def damaged(change):
        with open("plain", "rb") as file:
            data = file.read()
        with open("damaged", "wb") as file:
            file.write(change(data))
        return read("damaged")

    def contents(name):
        with open(name, "rb") as file:
            return file.read()

    gzip, zlib = io.TFRecordOptions(kinds.GZIP), io.TFRecordOptions("ZLIB")
    closed = io.TFRecordWriter("closed")
    closed.close()
    return _told(
        tf,
        lambda: [write("plain"), contents("plain"), read("plain")],
        lambda: [write("gzip", gzip), read("gzip", gzip)],
        lambda: [write("zlib", "ZLIB"), read("zlib", zlib)],
        lambda: write("other", "XX"),
        lambda: io.TFRecordOptions(7),
        lambda: read("gzip"),
        lambda: read("nothing"),
        lambda: read("plain", gzip),
        lambda: read("plain", zlib),
        lambda: damaged(lambda data: data[:-2]),
        lambda: damaged(lambda data: data[:25]),
        lambda: damaged(lambda data: data[:20]),
        lambda: damaged(lambda data: data[:12] + b"x" + data[13:]),
        lambda: damaged(lambda data: data[:9] + b"x" + data[10:]),
        lambda: damaged(lambda data: b""),
        lambda: io.TFRecordWriter("no/folder"),
        lambda: io.TFRecordWriter("text").write("text"),
        lambda: closed.write(b"a"),
        lambda: closed.flush(),
        lambda: closed.close(),
        lambda: io.TFRecordOptions.get_compression_type_string(gzip),
        lambda: io.TFRecordOptions.get_compression_type_string(None),
    )


def graph_files(tf):
    tf.constant([1, 2], name="c")
    graph = tf.get_default_graph()

    def contents(name):
        with open(name, "rb") as file:
            return file.read()

    return _told(
        tf,
        lambda: tf.io.write_graph(graph, "made/folder", "graph.pbtxt"),
        lambda: contents("made/folder/graph.pbtxt"),
        lambda: tf.train.write_graph(graph.as_graph_def(), "made", "graph.pb", as_text=False),
        lambda: tf.GraphDef.FromString(contents("made/graph.pb")) == graph.as_graph_def(),
    )


def example_messages(tf):
    Feature = tf.train.Feature
    example = tf.train.Example(
        features=tf.train.Features(
            feature={
                "b": Feature(int64_list=tf.train.Int64List(value=[1, -2, 300])),
                "a": Feature(bytes_list=tf.train.BytesList(value=[b"x\xff", b""])),
            }
        )
    )
    sequence = tf.train.SequenceExample()
    sequence.context.feature["k"].int64_list.value.append(3)
    sequence.feature_lists.feature_list["l"].feature.add().float_list.value.append(1.5)
    return _told(
        tf,
        lambda: str(example),
        lambda: sorted(bytearray(example.SerializeToString())),
        lambda: tf.train.Example.FromString(example.SerializeToString()) == example,
        lambda: sequence.SerializeToString(),
        lambda: sequence.feature_lists.feature_list["l"].feature[0].WhichOneof("kind"),
        lambda: [message.DESCRIPTOR.full_name for message in (example, sequence)],
    )


SAID = _collect(reading_and_writing, folders, records, graph_files, example_messages)


# ---- mistakes ----------

_LOOKUP_MISTAKES = {
    "key_dtype": lambda tf, L, init: L.HashTable(init, -1).lookup(tf.constant([1])),
    "values": lambda tf, L, init: L.HashTable(L.KeyValueTensorInitializer(["a", "b"], [1]), -1),
    "default": lambda tf, L, init: L.HashTable(init, [1]),
    "default_dtype": lambda tf, L, init: L.HashTable(init, "x"),
    "no_file": lambda tf, L, init: L.TextFileInitializer("", tf.int64, -1, tf.string, 1),
    "index": lambda tf, L, init: L.TextFileInitializer("f", tf.int64, -3, tf.string, 1),
    "line_number": lambda tf, L, init: L.TextFileInitializer("f", tf.string, -1, tf.string, 1),
    "whole_line": lambda tf, L, init: L.TextFileInitializer("f", tf.float32, -2, tf.string, 1),
    "value_line": lambda tf, L, init: L.TextFileInitializer("f", tf.int64, -1, tf.int64, -2),
    "vocab_size": lambda tf, L, init: L.TextFileInitializer("f", tf.int64, 0, tf.int64, 1, 0),
    "buckets": lambda tf, L, init: L.IdTableWithHashBuckets(None, 0),
    "hasher": lambda tf, L, init: L.IdTableWithHashBuckets(None, 1, hasher_spec=3),
    "strong_key": lambda tf, L, init: L.StrongHashSpec([1]),
    "strong_key_type": lambda tf, L, init: L.StrongHashSpec([1, "a"]),
    "vocabulary": lambda tf, L, init: L.index_table_from_file(""),
    "vocabulary_size": lambda tf, L, init: L.index_table_from_file("f", vocab_size=0),
    "vocabulary_buckets": lambda tf, L, init: L.index_table_from_file("f", -1),
    "vocabulary_dtype": lambda tf, L, init: L.index_table_from_tensor(["a"], dtype=tf.int64),
    "no_mapping": lambda tf, L, init: L.index_table_from_tensor(None),
    "float_keys": lambda tf, L, init: L.index_table_from_tensor([1.0], dtype=tf.float32),
    "remove": lambda tf, L, init: L.MutableHashTable(tf.string, tf.int64, -1).remove(
        tf.constant([1])
    ),
    "insert": lambda tf, L, init: L.MutableHashTable(tf.string, tf.int64, -1).insert(
        tf.constant([1]), tf.constant([2])
    ),
    "vocabulary_table": lambda tf, L, init: tf.lookup.StaticVocabularyTable(init, 0),
    "vocabulary_table_dtype": lambda tf, L, init: tf.lookup.StaticVocabularyTable(init, 1),
}


def _lookup_mistake(function):
    def make(tf):
        lookup = tf.contrib.lookup
        function(tf, lookup, lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]))

    return make


MISTAKES = {name: _lookup_mistake(function) for name, function in _LOOKUP_MISTAKES.items()}
MISTAKES.update(
    {
        "queue_shape": lambda tf: tf.FIFOQueue(9, [tf.int32], [[2]]).enqueue(tf.constant([1])),
        "queue_names": lambda tf: tf.FIFOQueue(9, [tf.int32], names=["a", "b"]),
        "queue_needs_dict": lambda tf: tf.FIFOQueue(9, [tf.int32], names=["a"]).enqueue([1]),
        "queue_keys": lambda tf: tf.FIFOQueue(9, [tf.int32], names=["a"]).enqueue({"b": 1}),
        "queue_no_names": lambda tf: tf.FIFOQueue(9, [tf.int32]).enqueue({"b": 1}),
        "queue_open_shape": lambda tf: tf.FIFOQueue(9, [tf.int32], [[None]]),
        "queue_shapes": lambda tf: tf.FIFOQueue(9, [tf.int32], [[1], [2]]),
        "queue_count": lambda tf: tf.FIFOQueue(9, [tf.int32]).dequeue_many(-1),
        "queue_batch": lambda tf: tf.FIFOQueue(9, [tf.int32, tf.int32]).enqueue_many(
            [tf.constant([1]), tf.constant([1, 2])]
        ),
        "padding_no_shapes": lambda tf: tf.PaddingFIFOQueue(9, [tf.int32], None),
        "padding_shapes": lambda tf: tf.PaddingFIFOQueue(9, [tf.int32], [[1], [2]]),
        "queues_of_types": lambda tf: tf.QueueBase.from_list(
            0, [tf.FIFOQueue(9, [tf.int32]), tf.FIFOQueue(9, [tf.int64])]
        ),
        "no_queues": lambda tf: tf.QueueBase.from_list(0, []),
        "no_batch": lambda tf: tf.train.batch([], 3),
        "shuffle_capacity": lambda tf: tf.train.shuffle_batch([1], 3, 2, 2),
        "batch_rank": lambda tf: tf.train.batch([tf.placeholder(tf.int32)], 2),
        "batch_types": lambda tf: tf.train.batch_join([[1], [2.0]], 2),
        "no_batches": lambda tf: tf.train.batch_join([], 3),
        "no_tensors_in_batches": lambda tf: tf.train.batch_join([[], []], 3),
        "batches_unlike": lambda tf: tf.train.batch_join([{"a": tf.constant(1)}, [2]], 3),
        "batch_sizes": lambda tf: tf.train.batch_join([[tf.ones([2])], [tf.ones([3])]], 3),
        "batch_ranks": lambda tf: tf.train.batch_join([[tf.ones([2])], [tf.ones([])]], 3),
        "batch_open": lambda tf: tf.train.batch_join(
            [[tf.placeholder(tf.float32, [None])], [tf.ones([3])]], 3
        ),
        "stop_of_nothing_raised": lambda tf: tf.train.Coordinator().request_stop(KeyError("a")),
        "step_of_no_function": lambda tf: tf.train.MonitoredSession().run_step_fn(1),
        "step_of_no_context": lambda tf: tf.train.MonitoredSession().run_step_fn(lambda a: a),
        "warm_start_of_nothing": lambda tf: tf.train.warm_start("."),
        "checkpoint_of_nothing": lambda tf: tf.train.NewCheckpointReader(None),
        "raw_rnn_of_nothing": lambda tf: tf.nn.raw_rnn(
            tf.nn.rnn_cell.BasicRNNCell(3), lambda *args: (tf.constant([True]), (), (), None, None)
        ),
        "keep_input": lambda tf: tf.train.maybe_batch([1], [True], 2),
        "no_strings": lambda tf: tf.train.string_input_producer([]),
        "no_shape": lambda tf: tf.train.input_producer(tf.placeholder(tf.int32)),
        "no_epochs": lambda tf: tf.train.limit_epochs(1, 0),
        "no_tensors": lambda tf: tf.train.slice_input_producer([]),
        "no_runner": lambda tf: tf.train.QueueRunner(None, None),
        "no_session": lambda tf: tf.train.start_queue_runners(),
        "other_session": lambda tf: tf.train.start_queue_runners("session"),
        "looper": lambda tf: tf.train.LooperThread("coordinator", 1),
    }
)
