"""Expressions, each run in a graph and eagerly: what it gives, or the error that it raises.

Runs under the real TensorFlow 1.15 (Python 3.7) as well as under this project's Python. In an
expression `R` is `tf.raw_ops`, `C` a constant, and `U` a tensor that has no static shape while a
graph is recorded, so that it is the kernels that have to notice.
"""

from __future__ import annotations

import importlib
import tempfile

import numeric_expression_cases
import numpy as np
import recording

CASES = r"""
tf.image.non_max_suppression(boxes(12), [1.0] * 12, 12)
tf.image.non_max_suppression(boxes(8), [1.0, 2.0] * 4, 7)
tf.image.non_max_suppression([[0.0] * 4, [0.0, 0.0, 1.0, 1.0]], [0.4, 0.5], 5)
tf.image.non_max_suppression_with_scores(boxes(6, 2.0), [1.0] * 6, 6, soft_nms_sigma=0.5)
tf.image.non_max_suppression_with_scores(boxes(8, 2.0), [1.0, 2.0] * 4, 12, soft_nms_sigma=0.5)
tf.image.non_max_suppression_with_scores(boxes(6), [0.0] * 6, 9, 0.9, soft_nms_sigma=0.2)
tf.image.non_max_suppression_with_scores(boxes(6, 2.0), [1.0] * 6, 9, 1.0, 0.8, soft_nms_sigma=2.0)
tf.image.non_max_suppression_with_scores(boxes(6, 3.0), [-1.0] * 6, 9, 0.7, soft_nms_sigma=0.5)
tf.image.non_max_suppression_overlaps(tf.zeros([5, 5]), tf.ones([5]), 5)
R.EditDistance(**edited([1, 3], [1, 2]))
R.EditDistance(**edited([1, 1], [1, 1]))
R.EditDistance(**edited([1, 2], [1, 1]))
R.EditDistance(**edited([1, 2], [1, 2], hypothesis_shape=U([1, 1, 1], "int64")))
R.EditDistance(**edited([1, 2], [1, 2], truth_shape=U([1, 1, 1], "int64")))
tf.tan(U([1, 2]))
tf.atan(U([1, 2], "int64"))
tf.reciprocal(U([1, 2]))
tf.ensure_shape(C([1, 2]) + 1, [None, None])
tf.ensure_shape(C([1, 2]), None)
tf.ones_like(tf.unique(C([1, 1]))[0], optimize=False)
length(R.EmptyTensorList(element_shape=U([-2]), max_num_elements=1, element_dtype=tf.int32))
length(R.EmptyTensorList(element_shape=[1], max_num_elements=U([1]), element_dtype=tf.int32))
length(R.TensorListReserve(element_shape=U([-2]), num_elements=1, element_dtype=tf.int32))
length(R.TensorListFromTensor(element_shape=U([-2]), tensor=[[1, 2]]))
length(R.TensorListPushBack(input_handle=floats(), tensor=1))
R.TensorListPopBack(input_handle=floats(), element_shape=[1], element_dtype=tf.int32)[1]
R.TensorListStack(input_handle=floats(), element_shape=[1], element_dtype=tf.int32)
tf.space_to_batch_nd(square(1), U([2, 2]), U([[-1, 1], [2, 0]]))
tf.space_to_batch_nd(square(1), U([0, 2]), U([[0, 0], [2, 0]]))
tf.space_to_batch_nd(square(1), U([[2]]), U([[0, 0], [2, 0]]))
tf.space_to_batch_nd(square(1), U([2]), U([[0, 0], [2, 0]]))
tf.batch_to_space_nd(square(4), U([2, 2]), U([[0, 0], [0, 9]]))
tf.batch_to_space_nd(square(4), U([2, 2]), U([[0, -1], [0, 0]]))
tf.space_to_batch_nd(square(1), C([2, 2]), C([[0, 0], [0, 0]]))
tf.matrix_band_part(tf.ones([2, 2]), 1, U([1]))
tf.scatter_nd(C([[0]]), C([1]), U([[2]]))
tf.histogram_fixed_width(C([1.0]), U([[0.0, 1.0]]))
tf.histogram_fixed_width(C([1.0]), U([0.0, 1.0, 2.0]))
tf.histogram_fixed_width(C([1.0]), C([0.0, 1.0]), U([3]))
tf.argmax(U([1, 2]), U([0]))
tf.read_file(U(["a"]))
tf.decode_csv(C(["1"]), [U([[1]])])
tf.strings.substr(U(["hello", "wo"]), U([1, 1, 1]), U([1, 1, 1]))
tf.random.uniform(U([[2]]))
tf.random.stateless_uniform(U([2]), U([1, 2, 3]))
tf.random.uniform(U([2]), U([1]), 3, tf.int32)
tf.multinomial(U([1.0]), 1)
tf.multinomial(C([[1.0]]), U([1]))
tf.FIFOQueue(3, [tf.int32] * 2, [[], []]).enqueue_many([U([1, 2]), U([1])])
tf.FIFOQueue(3, [tf.int32] * 2).enqueue_many([U([1, 2]), U([1])])
tf.PaddingFIFOQueue(3, [tf.int32] * 2, [[], [None]]).enqueue_many([U([1, 2]), U([[1]])])
tf.tensordot(C([[1.0]]), C([[1.0]]), 3)
tf.linalg.LinearOperatorDiag(1.0)
tf.convert_to_tensor(tf.IndexedSlices(C([[1]]), C([0])))
tf.stack([C([1]), C([1, 2])], name="s")
tf.convert_to_tensor([C([1]), C([1, 2])])
tf.convert_to_tensor([C(1), C(2.5)])
tf.constant([1, 2], shape=[3], verify_shape=True)
tf.constant([1, 2], shape=[2, 1], verify_shape=True)
tf.constant(2**63)
tf.constant([2**63])
tf.matrix_inverse(C([[2.0, 1.0], [1.0, 3.0]], "float16"))
tf.self_adjoint_eigvals(C([[2.0, 1.0], [1.0, 3.0]], "float16"))
tf.image.resize_bilinear(image(), [2, 3], align_corners=True, half_pixel_centers=True)
tf.image.resize_nearest_neighbor(image(), [2, 3], align_corners=True, half_pixel_centers=True)
tf.image.extract_image_patches(image(), [2, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID")
tf.image.extract_image_patches(image(), [1, 2, 2, 1], [1, 1, 1, 2], [1, 1, 1, 1], "VALID")
tf.image.extract_image_patches(image(), [1, 3, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], "VALID")
tf.image.extract_image_patches(image(), [1, 9, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], "VALID")
tf.extract_volume_patches(image()[None], [1, 3, 2, 2, 1], [1, 3, 1, 1, 1], "VALID")
tf.where(C(3.0))
tf.where(tf.zeros([1] * 9))
tf.gather(C([[1.0, 2.0]]), [0], axis=U([0]))
tf.nn.embedding_lookup([C([[1.0]]), C([[2.0]])], C([], "int64"))
tf.dynamic_stitch([C([], "int32")], [C([], "float32")])
tf.strings.substr(C([["hello"], ["world"]]), C([[1], [2]]), C([1, 1]))
tf.parse_example([example(a=[b"x", b"y", b"z"])], {"a": tf.FixedLenFeature([2], tf.string)})["a"]
tf.parse_example([example(a=[b"x"])], {"a": tf.FixedLenSequenceFeature([2], tf.string, True)})["a"]
tf.parse_single_sequence_example(sequence(b"x", b"y"), {"a": fixed([1], tf.string)})[0]["a"]
tf.io.parse_sequence_example([sequence(1, 2)], {"z": fixed([2], tf.int64, 3)})[0]["z"]
tf.io.parse_sequence_example([sequence(1, 2)], {"a": fixed([2], tf.int64, [3])})[0]["a"]
tf.pad(C([[1.0]]), [[1, 1], [0, 1]], constant_values=C([9.0]))
tf.unique_with_counts(C([[1, 1]]))
tf.stack(C([[1.0, 2.0], [3.0, 4.0]]), 1)
tf.zeros([2], tf.qint8)
tf.constant([1, 2], tf.quint8)
tf.constant(1.5, tf.qint32)
tf.constant(C([1.0, 2.0]), shape=[2])
tf.nn.dropout(C([1.0, 2.0]), rate=C([0.5]), seed=2)
tf.nn.dropout(C([1.0, 2.0]), rate=C(0.5, "float64"))
tf.nn.dropout(C([1.0, 2.0]), rate=C(0.0))
tf.nn.max_pool(image(), [2, 1, 1, 1], 1, "VALID")
tf.nn.max_pool(image(), -1, 1, "VALID")
tf.nn.max_pool(image(), [1, 2, -1, 1], 1, "VALID")
tf.nn.conv2d(image(), C([[[[1.0]]]]), [1, 0, 1, 1], "SAME")
tf.nn.depthwise_conv2d(image(), C([[[[1.0]]]]), [1, 1, 2, 1], "SAME")
tf.add_n(C(1.0))
slope(lambda x: tf.concat([x, x], C(0, "int64")))
slope(lambda x: tf.constant(x) * 2.0)
dense_table(0, -2).lookup(C([[1]], "int64"))
dense_table(0, -2).lookup(C([[1, 2]], "int64"))
dense_table(0, -2).lookup(C([0], "int64"))
dense_table([0, 0], [-1, -1]).lookup(C([1, 2], "int64"))
dense_table([0, 0], [-1, -1]).lookup(C([[1, 2], [3, 4]], "int64"))
dense_table([0, 0], [-1, -1]).lookup(C([[1]], "int64"))
csv("a,1\n\nb,2", tf.string, tf.int32)
csv("\n,1\na,\na\na,b\na,1,2", tf.string, tf.int32)
csv("\n", 7)
csv("\"a\"b,1\n2,3\"\n4,5", tf.string, tf.int32)
csv("a\"b,\"\n\",c\nd,e", tf.string, tf.string)
csv("a\r\rb,\"c\"\r\nd", tf.string, tf.string)
csv("a,\"b\nc", tf.string, tf.string)
csv("a,\"b\nc", tf.string, tf.string, use_quote_delim=False)
csv("a,b\"c\nd,e", tf.string, tf.string, header=True)
csv("x\n1,2\n3,z", tf.int32, select_cols=[1])
csv("", tf.string, header=True)
tf.debugging.assert_near(C([1.0]), C([2.0]))
tf.debugging.assert_rank_in(C([1.0]), [0, 2])
tf.debugging.is_strictly_increasing(C(["a"]))
tf.nest.assert_same_structure([{"a": 1}], ["x", "y"])
tf.nest.assert_same_structure([1, [2]], [1, 3, 4])
tf.nest.assert_same_structure(C(1.0), [2])
slope(lambda x: tf.image.resize_bilinear(tf.reshape(x, [1, 1, 2, 1]), [0, 3]))
slope(lambda x: tf.image.resize_bicubic(tf.reshape(x, [1, 1, 2, 1]), [2, 0]))
slope(lambda x: tf.image.crop_and_resize(x[None, None, :, None], [[0.0] * 4], [0], [2, 0]))
R.RFFT(input=U([[1.0, 2.0]]), fft_length=U([3]))
tf.one_hot([[0]], 3, axis=-2)
tf.random_gamma([2], 1, dtype=tf.int32)
tf.register_tensor_conversion_function(int, lambda v, dtype=None, name=None, as_ref=False: v)
tf.register_tensor_conversion_function((str, np.ndarray), 3)
tf.abs(R.FFT(input=np.ones([2], "float32")))
tf.abs(R.FFT(input=np.ones([2], "complex128")))
tf.abs(R.FFT(input=[1.0, 2.0]))
tf.abs(R.Complex(real=np.ones([1], "float16"), imag=[1.0]))
tf.strings.join(C([["a", "b"], ["c", "d"]]))
tf.io.deserialize_many_sparse(U([["a"]]), tf.float32)
tf.data.experimental.cardinality(tf.data.Dataset.range(3).repeat(U([1, 1], "int64")))
tf.data.experimental.cardinality(tf.data.Dataset.range(3).prefetch(U([2], "int64")))
tf.data.experimental.cardinality(tf.data.Dataset.range(3).window(U([2], "int64")))
tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(2), (0.5,), dtype=tf.float32)
tf.nn.bidirectional_dynamic_rnn(1, 2, np.ones([2, 3], "f"), time_major=True)
tf.constant([True, False], tf.uint8) + 1
tf.abs(tf.constant([[True], [False]], tf.complex64))
tf.constant(True, tf.int16)
tf.constant([True, 1], tf.int8)
tf.constant([True, False], tf.int64)
tf.convert_to_tensor([True, False], preferred_dtype=tf.uint8)
tf.TensorShape(C([2, 3]))
tf.identity_n(np.ones([2], "f"))
tf.group(np.ones([2]))
tf.fingerprint(C(["a"]), U("ks"))
tf.keras.models.model_from_json("{}")
tf.keras.layers.deserialize({"class_name": "Foo", "config": {}})
tf.keras.layers.deserialize({"class_name": "Dense"})
tf.linspace(U(0.0), U(1.0), U([2, 3]))
tf.linspace(U([0.0]), U(1.0), U(0))
tf.contrib.image.matrices_to_flat_transforms(C([0, 1]))
tf.contrib.image.bipartite_match(U([1.0]), 1)
stacked(tf.stack([scalars(1.0), scalars(2.0)])[1])
stacked(tf.reshape(tf.stack([scalars(1.0), scalars(2.0)]), [2, 1])[-1, 0])
stacked(tf.unstack(tf.stack([scalars(1.0), scalars(2.0)]))[1])
stacked(tf.gather(tf.stack([scalars(1.0), scalars(2.0)]), 1))
stacked(tf.stack([tf.stack([scalars(1.0)]), tf.stack([scalars(2.0)])])[1, 0])
tf.stack([scalars(1.0), scalars(2.0)])
length(tf.squeeze(tf.stack([scalars(1.0), scalars()])[:1], 0))
length(tf.zeros_like(tf.stack([scalars(1.0), scalars()]))[0])
length(tf.add_n([tf.stack([scalars(), scalars()]), tf.stack([scalars(), scalars()])])[0])
length(tf.add_n([scalars(1.0), scalars([1.0], shape=[1])]))
length(tf.add_n([scalars(1.0), R.TensorListFromTensor(element_shape=C([], "int32"), tensor=[1])]))
stacked(tf.add_n([scalars(1.0), scalars(2.0), scalars(4.0)]))
[stacked(l) for l in tf.unstack(batch(tf.stack([scalars(1.0), scalars()]), C([5.0, 6.0])))]
length(batch(tf.stack([scalars(1.0), scalars()]), C([5.0, 6.0, 7.0]))[0])
length(batch(tf.stack([scalars(1.0), scalars()]), C([5, 6]))[0])
length(batch(tf.stack([scalars(1.0), scalars()]), C([[5.0], [6.0]]))[0])
length(batch(tf.stack([scalars(1.0), scalars()]), C(5.0))[0])
length(batch(tf.stack([scalars(1.0), scalars()]), U([5.0, 6.0, 7.0]))[0])
stacked(reserved([-1, 2]), [-1, 2])
stacked(scalars(), [2])
R.TensorListGather(input_handle=floats(), indices=[0], element_shape=U([3]), **FLOAT)
R.TensorListGetItem(input_handle=reserved([-1, 2]), index=0, element_shape=U([3, 3]), **FLOAT)
length(R.TensorListConcatLists(input_a=scalars(1.0), input_b=scalars(1.0, shape=-1), **FLOAT))
length(R.TensorListSplit(tensor=C([[1.0], [2.0]]), element_shape=U([-1, 3]), lengths=[1, 1]))
""".strip().split("\n")

MODES = "graph", "eager"

# What each file of goldens is of.
TABLES = {"expressions": CASES, "numeric_expressions": numeric_expression_cases.CASES}


def names(tf, eager):
    """What the expressions speak of."""
    r = tf.raw_ops

    def c(value, dtype=None):
        return tf.constant(value, dtype)

    def u(value, dtype=None):
        return c(value, dtype) if eager else tf.placeholder_with_default(c(value, dtype), None)

    def edited(hypothesis, truth, **others):
        found = {}
        for name, shape in (("hypothesis", hypothesis), ("truth", truth)):
            found[name + "_indices"] = u([[0] * len(shape)], "int64")
            found[name + "_values"] = u([1])
            found[name + "_shape"] = u(shape, "int64")
        found["hypothesis_shape"] = u([1] * len(hypothesis), "int64")
        found.update(others)
        return found

    def floats():
        return tf.identity(r.TensorListFromTensor(tensor=c([[1.0]]), element_shape=c([1])))

    def scalars(*values, **options):
        """A list of what was pushed to it."""
        shape = c(options.get("shape", []), "int32")
        found = r.EmptyTensorList(
            element_shape=shape, max_num_elements=c(-1), element_dtype=tf.float32
        )
        for value in values:
            found = r.TensorListPushBack(input_handle=found, tensor=c(value))
        return found

    def stacked(handle, shape=()):
        shape = c(shape, "int32")
        return r.TensorListStack(input_handle=handle, element_shape=shape, element_dtype=tf.float32)

    def reserved(shape):
        return r.TensorListReserve(element_shape=shape, num_elements=2, element_dtype=tf.float32)

    def batch(handles, values):
        return r.TensorListPushBackBatch(input_handles=handles, tensor=values)

    def image():
        return u(np.arange(8).reshape(1, 2, 4, 1).astype(np.float32))

    def length(handle):
        return r.TensorListLength(input_handle=handle)

    def boxes(count, width=1.0):
        return [[i, 0.0, i + width, 1.0] for i in range(count)]

    def wave(*shape):
        return np.arange(np.prod(shape)).reshape(shape) * 37 % 101

    def positive(matrix):
        return tf.linalg.LinearOperatorFullMatrix(
            c(matrix), is_self_adjoint=True, is_positive_definite=True
        )

    def contrib(package, module):
        name = "tensorflow.contrib.{}.python.ops.{}".format(package, module)
        return importlib.import_module(name)

    def gif(size):
        """So many bytes of a file of one frame."""
        whole = b"GIF89a\x02\0\x02\0\x80\0\0\xff\0\0\0\0\xff!\xf9\x04\0\0\0\0\0,"
        return (whole + b"\0\0\0\0\x02\0\x02\0\0\x02\x03D\x02\x05\0;")[:size]

    def ones():
        return tf.ones([1, 1, 2])

    def total(numbers):
        return tf.reduce_sum(tf.cast(numbers, tf.int32))

    def square(batch):
        return u(np.arange(16 * batch).reshape(batch, 4, 4, 1).astype(np.int32))

    def feature(values):
        if isinstance(values[0], bytes):
            return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))
        return tf.train.Feature(int64_list=tf.train.Int64List(value=values))

    def example(a):
        features = tf.train.Features(feature={"a": feature(a)})
        return tf.train.Example(features=features).SerializeToString()

    def sequence(*values):
        features = tf.train.Features(feature={"a": feature(values)})
        return tf.train.SequenceExample(context=features).SerializeToString()

    def slope(function):
        x = c([1.0, 2.0])
        if not eager:
            return tf.gradients(function(x), x)[0]
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return tape.gradient(y, x)

    def dense_table(empty, deleted):
        return tf.contrib.lookup.MutableDenseHashTable(tf.int64, tf.int64, -1, empty, deleted)

    def csv(text, *defaults, **options):
        """The rows of a file of the text, and what is said of those that are none."""
        found = []
        with tempfile.NamedTemporaryFile(suffix=".csv") as file, tf.Graph().as_default():
            file.write(text.encode())
            file.flush()
            defaults = [[x] if isinstance(x, int) else x for x in defaults]
            dataset = tf.data.experimental.CsvDataset(file.name, defaults, **options)
            row = tf.data.make_one_shot_iterator(dataset).get_next()
            with tf.Session() as session:
                while found[-1:] != ["End of sequence"] and len(found) < 8:
                    try:
                        found.append(str([np.asarray(x).tolist() for x in session.run(row)]))
                    except tf.errors.OpError as error:
                        found.append(error.message.split("\n\t [[")[0])
        return c(found)

    return {
        "tf": tf, "np": np, "R": r, "C": c, "U": u, "edited": edited, "floats": floats,
        "scalars": scalars, "stacked": stacked, "reserved": reserved, "batch": batch,
        "FLOAT": {"element_dtype": tf.float32},
        "image": image, "length": length, "square": square, "boxes": boxes, "example": example,
        "sequence": sequence, "fixed": tf.FixedLenFeature, "slope": slope,
        "dense_table": dense_table, "csv": csv, "wave": wave, "positive": positive,
        "contrib": contrib, "total": total, "ones": ones, "gif": gif,
    }  # fmt: skip


def shown(value):
    """A result as plain data."""
    if isinstance(value, (list, tuple)):
        return [shown(part) for part in value]
    value = np.asarray(value)
    kind = value.dtype.name
    if kind == "object":
        return [kind, list(value.shape), [str(part) for part in value.ravel()]]
    return [kind, list(value.shape), value.astype(np.float64).ravel().tolist()]


def run(tf, eager_mode, text, mode):
    """What an expression gives in a mode, or the class and text of its error; `eager_mode` is a
    context manager."""
    found = []

    def evaluate(tf):
        if mode == "graph":
            with tf.Session() as session:
                result = eval(text, names(tf, False))
                if not isinstance(result, np.ndarray):  # What TF gives without a graph.
                    result = session.run(result)
                found.append(shown(result))
            return
        with eager_mode():
            result = tf.nest.map_structure(
                lambda t: t if isinstance(t, np.ndarray) else t.numpy(),
                eval(text, names(tf, True)),
            )
            found.append(shown(result))

    error = recording.raised(tf, evaluate)
    if error is None:
        return found[0]
    # Where the node is said to be is not what is compared.
    first, *rest = error["text"].split("\n\t [[")
    error["text"] = first + (rest[-1].split("]]")[1] if rest and mode == "eager" else "")
    # TensorFlow compiles where it has no kernel, on two devices at once in a graph.
    several = "2 root error(s) found.\n  (0) Invalid argument: "
    if error["text"].startswith(several):
        error["text"] = error["text"][len(several) :]
    return error
