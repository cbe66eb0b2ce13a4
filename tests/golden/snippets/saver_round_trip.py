import os
import tempfile

import tensorflow as tf

v1 = tf.get_variable("v1", shape=[3], initializer=tf.zeros_initializer)
v2 = tf.get_variable("v2", shape=[2, 2], initializer=tf.ones_initializer)
step = tf.train.get_or_create_global_step()
inc_v1 = v1.assign(v1 + 1)
saver = tf.train.Saver()
folder = tempfile.mkdtemp()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(inc_v1))
    path = saver.save(sess, os.path.join(folder, "model.ckpt"), global_step=7)
    print(os.path.basename(path), sorted(os.listdir(folder)))
with tf.Session() as sess:
    saver.restore(sess, path)
    print(v1.eval(), v2.eval(), sess.run(step))
print(os.path.basename(tf.train.latest_checkpoint(folder)))
print(tf.train.list_variables(path))
reader = tf.train.NewCheckpointReader(path)
print(reader.get_tensor("v1"), sorted(reader.get_variable_to_shape_map().items()))

tf.reset_default_graph()
restored = tf.train.import_meta_graph(path + ".meta")
with tf.Session() as sess:
    restored.restore(sess, path)
    print(sess.run("v1:0"), [v.name for v in tf.global_variables()])
tf.get_variable("other", [1])
try:
    with tf.Session() as sess:
        tf.train.Saver().restore(sess, path)
except tf.errors.NotFoundError as e:
    print(type(e).__name__, "Key other not found in checkpoint" in str(e))
