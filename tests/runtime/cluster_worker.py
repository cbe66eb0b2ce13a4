"""A worker's process: `cluster_worker.py '{"ps": […], …}' INDEX FOLDER`.

It trains until FOLDER/stop is there, and says after each step what it was told: how many steps are
its own. The first worker saves each step before it says so, and recovers by itself; others wait for
it, and begin again.
"""

import json
import sys
from pathlib import Path

from tf1compat import namespace

tf = namespace.tensorflow()
spec, index, folder = json.loads(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
tf.logging.set_verbosity(tf.logging.ERROR)
server = tf.train.Server(spec, "worker", index)
with tf.device(tf.train.replica_device_setter(cluster=spec)):
    step = tf.train.get_or_create_global_step()
    kinds = {"initializer": tf.zeros_initializer(), "dtype": tf.int64, "trainable": False}
    own = [tf.get_variable(f"own_{i}", [], **kinds) for i in range(len(spec["worker"]))]
    w = tf.get_variable("w", [2], initializer=tf.zeros_initializer())
    loss = tf.reduce_sum(tf.square(w - [1.0, 2.0]))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)
    with tf.control_dependencies([train]):
        count = tf.assign_add(own[index], 1)


def work(session):
    print("begins", flush=True)
    while not (folder / "stop").exists():
        print(session.run(count), flush=True)


if index == 0:
    settings = {"save_checkpoint_steps": 1, "save_summaries_steps": None}
    with tf.train.MonitoredTrainingSession(
        server.target, checkpoint_dir=str(folder), log_step_count_steps=None, **settings
    ) as session:
        work(session)
else:
    supervisor = tf.train.Supervisor(is_chief=False, recovery_wait_secs=0.2, summary_op=None)
    while not (folder / "stop").exists():
        try:
            with supervisor.managed_session(server.target) as session:
                work(session)
        except (tf.errors.AbortedError, tf.errors.UnavailableError) as error:
            print(type(error).__name__, flush=True)
