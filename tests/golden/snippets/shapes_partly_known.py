"""Static shapes of operations whose inputs are known in part, where TF's are its own."""

import tensorflow as tf


def fed(shape, dtype=tf.float32):
    return tf.placeholder(dtype, shape)


def show(*labels, **made):
    for name, function in made.items():
        try:
            outputs = function()
            outputs = getattr(outputs, "outputs", outputs)
            outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
            found = [tensor.shape for tensor in outputs]
        except ValueError as error:
            found = [str(error).split(" for '")[0]]
        print(name, *(list(labels) + found))


PARTS = ([None, 4], [0, 4], [1, 4], [3, 4], [None, None], None, [1, None], [3, 1], [None, 1], [1])
for first in PARTS:
    for second in PARTS:
        show(
            first, second,
            entropy=lambda: tf.raw_ops.SoftmaxCrossEntropyWithLogits(
                features=fed(first), labels=fed(second)
            ),
            equal=lambda: tf.raw_ops.Equal(
                x=fed(first), y=fed(second), incompatible_shape_error=False
            ),
        )  # fmt: skip
for text in (None, [], [2, 2], [None, 3]):
    for place in (None, [], [1], [2, 2]):
        for length in (None, [], [1], [2, 2]):
            show(
                text, place, length,
                substr=lambda: tf.raw_ops.Substr(
                    input=fed(text, tf.string), pos=fed(place, tf.int32), len=fed(length, tf.int32)
                ),
            )  # fmt: skip
show(
    joined=lambda: tf.raw_ops.ReduceJoin(
        inputs=fed([], tf.string), reduction_indices=fed([], tf.int32), keep_dims=True
    ),
    joined_by_matrix=lambda: tf.raw_ops.ReduceJoin(
        inputs=fed([3], tf.string), reduction_indices=fed([2, 2], tf.int32)
    ),
    filled=lambda: tf.raw_ops.SparseFillEmptyRows(
        indices=fed([1, 2], tf.int64), values=fed([None]), dense_shape=fed(None, tf.int64),
        default_value=1.0,
    ),
    filled_with_vector=lambda: tf.raw_ops.SparseFillEmptyRows(
        indices=fed([2, 2], tf.int64), values=fed([1]), dense_shape=fed(None, tf.int64),
        default_value=fed([2]),
    ),
    printed=lambda: tf.raw_ops.PrintV2(input=fed([2], tf.string)),
    softmax=lambda: tf.raw_ops.SparseSoftmax(
        sp_indices=fed(None, tf.int64), sp_values=fed(None), sp_shape=fed([], tf.int64)
    ),
    pooled=lambda: tf.raw_ops.MaxPoolV2(
        input=fed(None), ksize=fed([2, 2], tf.int32), strides=[1, 1, 1, 1], padding="SAME"
    ),
    packed=lambda: tf.raw_ops.CompareAndBitpack(input=fed([2, 3]), threshold=fed([1])),
    spaced=lambda: tf.raw_ops.SpaceToBatch(
        input=fed(None), paddings=fed([3, 3], tf.int32), block_size=2
    ),
    quantized=lambda: tf.raw_ops.FakeQuantWithMinMaxVarsGradient(
        gradients=fed(None), inputs=fed(None), min=fed([]), max=fed(None)
    ),
)  # fmt: skip

# What is sliced of a vector and joined is known where TensorFlow's inference sees through it.
four, square, n = (tf.placeholder(tf.int32, shape) for shape in ([4], [2, 2], []))
of_batch = tf.shape(tf.placeholder(tf.float32, [3, None, 5]))
for part in (
    n[None], four[:2], four[...], four[n:3], four[:n], four[::2], square[0], square[n],
    square[:, 0], of_batch[1:], of_batch[...], of_batch[0][None], of_batch[None][0],
    of_batch[n:], tf.strided_slice(four, [0], [2], begin_mask=3), tf.constant([2, 3])[None][0],
    n[None][:1], tf.strided_slice(four, fed(None, tf.int32), [2]), tf.expand_dims(n, 0),
):  # fmt: skip
    joined = tf.concat([[6], part, [7]], 0)
    print(part.shape, tf.ones(joined).shape, tf.reshape(fed(None), joined).shape)
