"""`Session.partial_run` of a run that several tasks do."""

import socket

import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)


def free_address():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return "localhost:{}".format(found.getsockname()[1])


cluster = {job: [free_address(), free_address()] for job in ("ps", "worker")}
servers = [tf.train.Server(cluster, job, i) for job in ("ps", "worker") for i in range(2)]


def attempt(label, function):
    try:
        found = function()
        print(
            label, [np.round(one, 4).tolist() for one in tf.contrib.framework.nest.flatten(found)]
        )
    except Exception as error:
        print(label, type(error).__name__, str(error).split("\n")[0])


with tf.device("/job:ps/task:0"):
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    a = tf.placeholder(tf.float32, [2], name="a")
    drawn = tf.random_uniform([], seed=3)
with tf.device("/job:ps/task:1"):
    w = tf.get_variable("w", initializer=[3.0, 4.0])
    b = tf.placeholder(tf.float32, [2], name="b")
with tf.device("/job:worker/task:0"):
    s = a * v
    t = s + b * w
    u = t * 2 + drawn
with tf.device("/job:worker/task:1"):
    z = tf.reduce_sum(u) + tf.reduce_sum(s)
with tf.control_dependencies([s]):
    add = tf.assign_add(v, a)
update = tf.assign_add(w, t)
with tf.Session(servers[2].target) as sess:
    sess.run(tf.global_variables_initializer())
    run = sess.partial_run_setup([s, t, z], [a, b])
    attempt("s", lambda: sess.partial_run(run, s, {a: [1, 2]}))
    attempt("t", lambda: sess.partial_run(run, t, {b: [1, 1]}))
    attempt("z", lambda: sess.partial_run(run, z))
    attempt("after", lambda: sess.partial_run(run, z))
    run = sess.partial_run_setup([s, update, add], [a, b])
    attempt("early", lambda: sess.partial_run(run, update, {a: [1, 2]}))
    run = sess.partial_run_setup([s, update, add], [a, b])
    attempt("s, add", lambda: sess.partial_run(run, [s, add], {a: [1, 2]}))
    attempt("v", lambda: sess.run(v))
    attempt("update", lambda: sess.partial_run(run, update, {b: [0, 1]}))
    attempt("w", lambda: sess.run(w))
    attempt("again", lambda: sess.partial_run(run, s, {b: [0, 1]}))
    attempt("unknown", lambda: sess.partial_run("x", s, {b: [0, 1]}))
    one = sess.partial_run_setup([s, t], [a, b])
    two = sess.partial_run_setup([s, t], [a, b])
    attempt("one", lambda: sess.partial_run(one, s, {a: [1, 0]}))
    attempt("two", lambda: sess.partial_run(two, s, {a: [0, 1]}))
    attempt("one", lambda: sess.partial_run(one, t, {b: [0, 0]}))
    attempt("two", lambda: sess.partial_run(two, t, {b: [1, 1]}))
    attempt("none", lambda: sess.partial_run_setup([], [a, b]))
