import tensorflow as tf

sparse = tf.SparseTensor(indices=[[0, 0], [1, 2]], values=[1, 2], dense_shape=[3, 4])
print(sparse)
print(tf.sparse_placeholder(tf.float32))
params = tf.get_variable("params", [5, 2])
rows = tf.gather(params, [1, 1, 3])
grad = tf.gradients(rows, params)[0]
print(grad)
print(repr(grad).split(" object at ")[0])
print(grad.values, grad.indices, grad.dense_shape, sep="\n")
ragged = tf.ragged.constant([[1, 2], [], [3]])
print(ragged.shape)
array = tf.TensorArray(tf.float32, size=3)
print(array.dtype, array.handle, array.flow)
with tf.Session() as sess:
    print(sess.run(sparse))
    print(sess.run(tf.sparse_tensor_to_dense(sparse)))
    print(sess.run(tf.IndexedSlices(tf.ones([1, 2]), tf.constant([3]))))
    print(type(sess.run(sparse)).__name__)
