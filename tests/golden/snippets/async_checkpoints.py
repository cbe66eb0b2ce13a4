"""Checkpoints that a thread writes, and what it tells its listeners."""

import os
import tempfile
import threading

import tensorflow as tf


class Listener(tf.train.CheckpointSaverListener):
    def __init__(self):
        self.seen = []
        self.is_saved = threading.Event()

    def begin(self):
        self.seen.append("begin")

    def before_save(self, session, step):
        self.seen.append(("before", int(step)))

    def after_save(self, session, step):
        self.seen.append(("after", int(step)))
        self.is_saved.set()
        return True

    def end(self, session, step):
        self.seen.append(("end", int(step)))


folder = tempfile.mkdtemp()
listener = Listener()
increment = tf.assign_add(tf.train.get_or_create_global_step(), 1)
saver = tf.train.Saver(max_to_keep=2)
try:
    tf.contrib.tpu.AsyncCheckpointSaverHook(folder, save_secs=1, save_steps=2, saver=saver)
except ValueError as error:
    print(error)
hook = tf.contrib.tpu.AsyncCheckpointSaverHook(
    folder, save_steps=2, saver=saver, listeners=[listener]
)
with tf.train.SingularMonitoredSession(hooks=[hook]) as session:
    for step in range(1, 6):
        if step % 2:
            listener.is_saved.wait()
        listener.is_saved.clear()
        session.run(increment)
    print(session.should_stop())
print(listener.seen)
print(sorted(name for name in os.listdir(folder) if name.endswith("index")))
