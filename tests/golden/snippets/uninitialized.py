import tensorflow as tf

v = tf.Variable(1.0, name="v")
r = tf.get_variable("r", [2], use_resource=True)

with tf.Session() as sess:
    print(sess.run(tf.report_uninitialized_variables()))
    for fetch in (v, r, v + 1.0):
        try:
            sess.run(fetch)
        except tf.errors.FailedPreconditionError as e:
            print(type(e).__name__, e.error_code, e.message.split("\n")[0])
    sess.run(v.initializer)
    print(sess.run(v), sess.run(tf.is_variable_initialized(v)))
    sess.run(tf.variables_initializer([r]))
    print(sess.run(tf.report_uninitialized_variables()))
