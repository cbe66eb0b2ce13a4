"""TensorArrays are objects: what was written shows by every flow, if the write ran before."""

import tensorflow as tf

ops = tf.raw_ops
x = tf.placeholder(tf.float32, [3])
number = tf.float32


def made(**how):
    handle, flow = ops.TensorArrayV3(size=3, dtype=number, **how)
    return handle, flow


def written(handle, index, value, flow):
    return ops.TensorArrayWriteV3(handle=handle, index=index, value=value, flow_in=flow)


def read(handle, index, flow):
    return ops.TensorArrayReadV3(handle=handle, index=index, flow_in=flow, dtype=number)


fetches = []

# The flow of a write that nobody reads.
a, flow = made()
with tf.control_dependencies([written(a, 0, x, flow)]):
    fetches.append(read(a, 0, flow))

# Two writes by the same flow, a third by the first one's, all read by the second one's.
a, flow = made()
first, second = written(a, 0, x, flow), written(a, 2, 2 * x, flow)
with tf.control_dependencies([first, second]):
    third = written(a, 1, 3 * x, first)
with tf.control_dependencies([third]):
    fetches.append(
        ops.TensorArrayGatherV3(
            handle=a, indices=[0, 1, 2], flow_in=second, dtype=number, element_shape=[3]
        )
    )

# An array that has grown.
a, flow = made(dynamic_size=True)
with tf.control_dependencies([written(a, 4, x, flow)]):
    fetches.append(ops.TensorArraySizeV3(handle=a, flow_in=flow))

a, flow = made()
rows = tf.stack([x, x + 1, x + 2])
scattered = ops.TensorArrayScatterV3(handle=a, indices=[2, 0, 1], value=rows, flow_in=flow)
with tf.control_dependencies([scattered]):
    fetches.append(ops.TensorArrayConcatV3(handle=a, flow_in=flow, dtype=number)[0])

a, flow = made()
lengths = tf.constant([1, 1, 1], tf.int64)
split = ops.TensorArraySplitV3(handle=a, value=x, lengths=lengths, flow_in=flow)
with tf.control_dependencies([split]):
    fetches.append(read(a, 2, flow))

# A second write of an element, and a second read.
a, flow = made(tensor_array_name="mine")
with tf.control_dependencies([written(a, 0, x, flow)]):
    twice_written = written(a, 0, x, flow)
a, flow = made(tensor_array_name="mine")
after = written(a, 0, x, flow)
with tf.control_dependencies([read(a, 0, after)]):
    twice_read = read(a, 0, flow)

with tf.Session() as sess:
    for value in sess.run(fetches, {x: [1, 2, 3]}):
        print(value.tolist())
    for fetch in (twice_written, twice_read):
        try:
            sess.run(fetch, {x: [1, 2, 3]})
        except tf.errors.InvalidArgumentError as error:
            print(error.message.split(": ")[1].split("\n")[0])
