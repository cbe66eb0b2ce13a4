import tensorflow as tf

with tf.device("/cpu:0"):
    state = tf.Variable([0])
    one = tf.constant([1])
    new_value = tf.add(state, one, name="add")
update = tf.assign(state, new_value)
print(state)
print(new_value)
print(one)
print(update)
print([state, new_value])
print("%s and %r" % (state, new_value))
print(state.op.name, state.name, state.dtype, state.shape, state.get_shape().as_list())
print(state.initializer.name, state.initial_value, state.value())
print(new_value.device, new_value.op.device, repr(one.device))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(state))
    for _ in range(3):
        sess.run(update)
        print(sess.run(state))
