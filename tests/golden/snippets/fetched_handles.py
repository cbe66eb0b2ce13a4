"""What fetching a resource's handle gives: the bytes of its proto."""

import numpy as np
import tensorflow as tf

variable = tf.compat.v1.get_variable("v", initializer=[1.0, 2.0], use_resource=True)
dataset = tf.data.Dataset.range(3)
handles = {
    "variable": variable.handle,
    "not initialized": tf.raw_ops.VarHandleOp(dtype=tf.int32, shape=[1], shared_name="foo"),
    "array": tf.TensorArray(tf.float32, 3).handle,
    "iterator": tf.compat.v1.data.make_initializable_iterator(dataset)._iterator_resource,
    "queue": tf.queue.FIFOQueue(3, tf.int32).queue_ref,
    "stack": tf.raw_ops.StackV2(max_size=3, elem_type=tf.float32),
    "mutex": tf.raw_ops.MutexV2(),
    "reader": tf.compat.v1.TextLineReader().reader_ref,
    "passed on": tf.identity(variable.handle),
}
with tf.compat.v1.Session() as session:
    session.run(variable.initializer)
    for name, handle in handles.items():
        value = session.run(handle)
        text = value.tobytes()
        print(name, type(value).__name__, value.dtype, value.ndim, b"device:CPU:0" in text)
        print("   ", b"localhost" in text)
    handle, value = session.run([variable.handle, variable])
    print(b"\x01v" in handle.tobytes(), value)
    print(len(np.asarray(handle)) > 0)
    for kept in (dataset._variant_tensor, [variable, dataset._variant_tensor]):
        try:
            print(session.run(kept))
        except tf.errors.InternalError as error:
            print(type(error).__name__, error.message)
