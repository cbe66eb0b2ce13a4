"""Expressions, each run in a graph and eagerly: what it gives, or the error that it raises.

Runs under the real TensorFlow 1.15 (Python 3.7) as well as under this project's Python. In an
expression `R` is `tf.raw_ops`, `C` a constant, and `U` a tensor that has no static shape while a
graph is recorded, so that it is the kernels that have to notice.
"""

from __future__ import annotations

import numpy as np
import recording

CASES = """
tf.image.non_max_suppression(boxes(12), [1.0] * 12, 12)
tf.image.non_max_suppression(boxes(8), [1.0, 2.0] * 4, 7)
tf.image.non_max_suppression([[0.0] * 4, [0.0, 0.0, 1.0, 1.0]], [0.4, 0.5], 5)
tf.image.non_max_suppression_with_scores(boxes(6, 2.0), [1.0] * 6, 6, soft_nms_sigma=0.5)
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
tf.register_tensor_conversion_function(int, lambda v, dtype=None, name=None, as_ref=False: v)
tf.register_tensor_conversion_function((str, np.ndarray), 3)
""".strip().split("\n")

MODES = "graph", "eager"


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

    def image():
        return u(np.arange(8).reshape(1, 2, 4, 1).astype(np.float32))

    def length(handle):
        return r.TensorListLength(input_handle=handle)

    def boxes(count, width=1.0):
        return [[i, 0.0, i + width, 1.0] for i in range(count)]

    def square(batch):
        return u(np.arange(16 * batch).reshape(batch, 4, 4, 1).astype(np.int32))

    return {
        "tf": tf, "np": np, "R": r, "C": c, "U": u, "edited": edited, "floats": floats,
        "image": image, "length": length, "square": square, "boxes": boxes,
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
                found.append(shown(session.run(result)))
            return
        with eager_mode():
            result = tf.nest.map_structure(lambda t: t.numpy(), eval(text, names(tf, True)))
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
