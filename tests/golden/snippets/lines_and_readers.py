"""Lines, records and encodings of files as each of TF's readers sees them; paths and patterns."""

import gzip
import os
import re
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.python.util import deprecation

os.chdir(tempfile.mkdtemp())
session = tf.Session()


def write(name, data):
    with open(name, "wb") as file:
        file.write(data)
    return name


def attempt(make):
    """Prints what a call gives, or its error."""
    try:
        print("  ", make())
    except (ValueError, tf.errors.OpError) as error:
        # Queues are numbered, as much else is.
        text = re.sub(r"'_\d+_", "'_N_", str(error).split("\n")[0])
        print("   {}: {}".format(type(error).__name__, text))


def elements(dataset):
    """The elements of a dataset; the first error stands for the rest."""
    found = []
    element = tf.data.make_one_shot_iterator(dataset).get_next()
    while True:
        try:
            found.append(session.run(element))
        except tf.errors.OutOfRangeError:
            return found
        except tf.errors.OpError as error:
            return found + [type(error).__name__, str(error).split("\n")[0]]


def drain(make_reader, names, count=None):
    """Prints what a reader gives of some files, and the state that it ends in."""
    with tf.Graph().as_default(), tf.Session() as session:
        queue = tf.FIFOQueue(9, [tf.string], [[]])
        session.run([queue.enqueue_many([names])])
        session.run(queue.close())
        reader = make_reader()
        read = reader.read(queue) if count is None else reader.read_up_to(queue, count)
        for fetched in [read] * 4 + [reader.serialize_state()]:
            attempt(lambda: [np.asarray(part).tolist() for part in session.run([fetched])])


# Carriage returns: `GFile` and `TextLineDataset` drop all, readers and tables those at the ends.
for text in (b"a\r\nb\rc\n\r\n\n\rd\n\r\r", b"a\n\n", b"\r", b"\n", b""):
    name = write("lines", text)
    file = tf.gfile.GFile(name, "rb")
    print(text, file.readline(), file.tell(), file.readlines(), list(tf.gfile.GFile(name)))
    print(elements(tf.data.TextLineDataset(name)))
    drain(tf.TextLineReader, [name], 8)
for text in (b"k1\tv\r1\nk\r2\tv2\r\n", b"k1\tv1\r\n\r\nk2\tv2\n", b"\r"):
    name = write("table{}".format(text.count(b"\r\n")), text)
    initializer = tf.lookup.TextFileInitializer(name, tf.string, 0, tf.string, 1)
    table = tf.lookup.StaticHashTable(initializer, "none")
    read = table.lookup(tf.constant(["k1", "k\r2"]))
    attempt(lambda: [session.run(table._init_op), session.run(read)])

# Readers of one record for each file: one read is one file, and one that failed is tried again.
first, second = write("first", b"1"), write("second", b"22")
drain(tf.WholeFileReader, [first, second], 5)
drain(tf.WholeFileReader, [first, "none", second])
drain(tf.IdentityReader, ["a", "b"])
reader = tf.IdentityReader()
state = tf.placeholder(tf.string)
restore = reader.restore_state(state)
for value in (b"\x08\x01\x10\x01\x18", b"\x01\x10\xff\x22", b"bad"):
    attempt(lambda: session.run(restore, {state: value}))

# Records of one length.
data = bytes(bytearray(range(20)))
plain, packed = write("plain", data), write("packed", gzip.compress(data))
for options in (
    {"header_bytes": -1},
    {"footer_bytes": -1},
    {"hop_bytes": -1},
    {"encoding": "GZIP"},
):
    drain(lambda: tf.FixedLengthRecordReader(5, **options), [packed])
drain(lambda: tf.FixedLengthRecordReader(0), [plain])
for options in ((6,), (6, 2), (6, 3), (30,), (7, 0, 7)):
    print(elements(tf.data.FixedLengthRecordDataset(packed, *options, compression_type="GZIP")))
numbers = tf.FIFOQueue(9, [tf.int32], [[]])
session.run(numbers.enqueue(3))
attempt(lambda: session.run(tf.IdentityReader().read(numbers)))

# Bytes: the order of complex numbers, and of text that says it and that does not.
for dtype in (tf.complex64, tf.complex128, tf.int16):
    text = b"abcdefghijklmnop"
    print(session.run(tf.io.decode_raw([text], dtype, little_endian=False)))
for text in (
    b"\x00a",
    b"a\x00",
    b"\xfe\xff\x00a\x00b",
    b"\xff\xfea\x00b\x00",
    b"\x00\x00\xfe\xff\x00a",
):
    for encoding in ("UTF-16", "UTF-32"):
        decoded = tf.strings.unicode_decode_with_offsets(text, encoding)
        print([part.tolist() for part in session.run(decoded)])
for dtype, options in (
    (tf.int32, {"scientific": True, "shortest": True}),
    (tf.bool, {"scientific": True, "shortest": True}),
    (tf.float32, {"scientific": True, "shortest": True, "fill": "ab"}),
):
    attempt(lambda: session.run(tf.strings.as_string(tf.cast(1, dtype), **options)))
for shape in ((0, 2, 2, 3), (1, 0, 2, 3)):
    attempt(lambda: session.run(tf.summary.image("image", tf.zeros(shape))))

# Patterns and folders.
tf.gfile.MakeDirs("folder")
for name in ("a1", "a2", "b[1]", "c^", "e\\f", "x]"):
    write(os.path.join("folder", name), b"")
for pattern in ("a[^1]", "a[!1]", "b\\[1\\]", "e\\\\f", "\\a1", "x\\]", "x[]]", "a[", "c\\^"):
    print(pattern, sorted(tf.gfile.Glob(os.path.join("folder", pattern))))
attempt(lambda: tf.gfile.MakeDirs("plain"))
attempt(lambda: tf.gfile.MakeDirs("plain/a/b"))
attempt(lambda: tf.gfile.MkDir(""))
attempt(lambda: tf.gfile.Copy("folder", "copied"))
print(os.path.getsize("copied"), tf.gfile.MakeDirs("new/one/two/"), os.path.isdir("new/one/two"))

# Arguments that may be deprecated.
for function in (lambda a: 0, lambda a, *b: 0, lambda **k: 0, lambda *a, c=1: 0):
    attempt(lambda: deprecation.deprecated_args(None, "instructions", "q")(function))
attempt(lambda: deprecation.deprecated_args(None, "instructions", "c")(lambda *a, c=1: 0))
print(deprecation.deprecated_args(None, "instructions", ("a", 1, 2))(lambda a: a)(1))

# JSON that is no message.
for text in ("[]", "3", "null", " [1]", '{"features": null}', "{}"):
    attempt(lambda: session.run(tf.io.decode_json_example(text)))
