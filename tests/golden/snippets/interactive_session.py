import tensorflow as tf

sess = tf.InteractiveSession()
x = tf.placeholder(tf.float32, name="x")
w = tf.Variable([1.0, 2.0])
y = x * w
tf.global_variables_initializer().run()
print(y.eval({x: 3.0}), w.eval())
print(y.eval(feed_dict={x: [1.0, 10.0]}))
print(tf.get_default_session() is sess)
w.load([5.0, 6.0], sess)
print(w.eval(), w.assign([7.0, 8.0]).eval(), w.assign_sub([1.0, 1.0]).eval())
print(sess.run([w[0], w + 1, -w, w > 6.5, w**2]))
print(sess.run(tf.report_uninitialized_variables()), tf.is_variable_initialized(w).eval())
print(sess.partial_run_setup is not None, tf.trainable_variables())
step = sess.make_callable(y, [x])
print(step(2.0))
sess.close()
