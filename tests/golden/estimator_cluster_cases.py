"""`tf.estimator.train_and_evaluate` in clusters: a chief, a worker, a parameter server and an
evaluator, by themselves and by `ParameterServerStrategy`; two workers of
`MultiWorkerMirroredStrategy`.

Under TensorFlow 1.15 this file writes `data/estimator_cluster.json`; `tests/api/
test_estimator_cluster.py` replays it. The processes but the parameter server are one after another,
here in one process: so what they do is the same each time.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

STEPS = {"chief": 6, "worker": 10}


def addresses():
    """A cluster's addresses."""
    held = [socket.socket() for _ in range(3)]
    for one in held:
        one.bind(("localhost", 0))
    found = ["localhost:%d" % one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return dict(zip(("chief", "worker", "ps"), ([each] for each in found)))


def run(tf, cluster, task, folder, served=""):
    """What one process does.

    Args:
      tf: the `tensorflow` module.
      cluster: the addresses.
      task: "chief", "worker", "ps" or "evaluator".
      folder: the model's.
      served: "served" for a `ParameterServerStrategy`.

    Returns:
      [what is known of the process, the last loss of the process].
    """
    os.environ["TF_CONFIG"] = json.dumps({"cluster": cluster, "task": {"type": task, "index": 0}})
    losses = []

    def input_fn():
        x = np.arange(8, dtype=np.float32).reshape(8, 1)
        return tf.data.Dataset.from_tensor_slices(({"x": x}, 3 * x + 1)).repeat().batch(4)

    def model_fn(features, labels, mode):
        w = tf.get_variable("w", [1, 1], initializer=tf.zeros_initializer())
        b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
        predicted = tf.matmul(features["x"], w) + b
        loss = tf.reduce_mean(tf.square(predicted - labels))
        optimizer = tf.train.MomentumOptimizer(0.005, 0.5)
        train_op = optimizer.minimize(loss, tf.train.get_global_step())
        places = [v.device for v in (w, b, tf.train.get_global_step())]
        return tf.estimator.EstimatorSpec(
            mode, loss=loss, train_op=train_op, predictions=predicted,
            training_hooks=[Watch(places, loss)],
        )  # fmt: skip

    class Watch(tf.train.SessionRunHook):
        def __init__(self, places, loss):
            self._loss = loss
            losses.append(places)

        def before_run(self, context):
            return tf.train.SessionRunArgs(self._loss)

        def after_run(self, context, values):
            losses.append(round(float(values.results), 4))

    strategy = tf.distribute.experimental.ParameterServerStrategy() if served else None
    config = tf.estimator.RunConfig(
        folder, save_checkpoints_steps=3, experimental_max_worker_delay_secs=0,
        train_distribute=strategy,
    )  # fmt: skip
    estimator = tf.estimator.Estimator(model_fn, config=config)
    known = [
        config.is_chief, config.num_ps_replicas, config.num_worker_replicas,
        config.master[:7], list(config.session_config.device_filters if config.master else []),
    ]  # fmt: skip
    tf.estimator.train_and_evaluate(
        estimator,
        tf.estimator.TrainSpec(input_fn, max_steps=STEPS.get(task, STEPS["chief"])),
        tf.estimator.EvalSpec(
            lambda: input_fn().take(2), steps=None, start_delay_secs=0, throttle_secs=0
        ),
    )
    result = [known, losses]
    if served and task == "chief":
        try:
            estimator.train(input_fn, max_steps=20)
        except ValueError as error:
            result.append(str(error))
    if task == "evaluator":
        result.append(os.path.basename(tf.train.latest_checkpoint(folder)))
        names = ["w", "b", "w/Momentum", "global_step"]
        result.append([estimator.get_variable_value(n).ravel().tolist() for n in names])
    return result


def work(tf, cluster, index, folder):
    """What one of two workers of `MultiWorkerMirroredStrategy` does.

    Args:
      tf: the `tensorflow` module.
      cluster: the addresses; those of the chief and the worker are of two workers here.
      index: the worker.
      folder: the model's.
    """
    workers = cluster["chief"] + cluster["worker"]
    task = {"type": "worker", "index": index}
    os.environ["TF_CONFIG"] = json.dumps({"cluster": {"worker": workers}, "task": task})

    def input_fn(input_context=None):
        x = np.arange(8, dtype=np.float32).reshape(8, 1)
        data = tf.data.Dataset.from_tensor_slices(({"x": x}, 3 * x + 1))
        if input_context:
            count, number = input_context.num_input_pipelines, input_context.input_pipeline_id
            data = data.shard(count, number)
        return data.repeat().batch(4)

    def model_fn(features, labels, mode):
        w = tf.get_variable("w", [1, 1], initializer=tf.constant_initializer(index + 1.0))
        seen = tf.get_variable(
            "seen", [], trainable=False, initializer=tf.zeros_initializer(),
            synchronization=tf.VariableSynchronization.ON_READ,
            aggregation=tf.VariableAggregation.SUM,
        )  # fmt: skip
        count = seen.assign_add(tf.reduce_sum(labels))
        loss = tf.reduce_mean(tf.square(tf.matmul(features["x"], w) - labels))
        with tf.control_dependencies([count]):
            optimizer = tf.train.GradientDescentOptimizer(0.01)
            train_op = optimizer.minimize(loss, tf.train.get_global_step())
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

    strategy = tf.distribute.experimental.MultiWorkerMirroredStrategy()
    config = tf.estimator.RunConfig(folder, save_checkpoints_steps=3, train_distribute=strategy)
    estimator = tf.estimator.Estimator(model_fn, config=config)
    done = tf.estimator.train_and_evaluate(
        estimator, tf.estimator.TrainSpec(input_fn, max_steps=6), tf.estimator.EvalSpec(input_fn)
    )
    values = [estimator.get_variable_value(n).ravel().tolist() for n in ("w", "seen")]
    files = sorted(name for name in os.listdir(folder) if "event" not in name)
    return [str(done), config.is_chief, config.task_type, config.master, values, files]


def result(tf, command, environment):
    """What the chief, the worker and the evaluator do, with a parameter server beside them, and
    what the first of two workers does.

    Args:
      tf: the `tensorflow` module.
      command: what runs this file as another process does.
      environment: its environment.
    """
    cluster, workers, served = addresses(), addresses(), addresses()
    folders = [tempfile.mkdtemp() for _ in range(3)]
    found = {}
    others = []

    def beside(task, cluster, folder, *more):
        others.append(
            subprocess.Popen(
                [*command, __file__, task, json.dumps(cluster), folder, *more], env=environment
            )
        )

    try:
        beside("ps", cluster, folders[0])
        beside("1", workers, folders[1])
        beside("ps", served, folders[2], "served")
        found["strategy"] = work(tf, workers, 0, folders[1])
        for task in ("chief", "worker", "evaluator"):
            found[task] = run(tf, cluster, task, folders[0])
            # A process has one server for strategies. The evaluator is told of itself alone.
            known = dict(served, evaluator=addresses()["ps"]) if task == "evaluator" else served
            told = subprocess.check_output(
                [*command, __file__, task, json.dumps(known), folders[2], "served"],
                env=environment, timeout=200,
            )  # fmt: skip
            found["served_" + task] = json.loads(told.splitlines()[-1].decode())
    finally:
        os.environ.pop("TF_CONFIG", None)
        for process in others:
            process.kill()
            process.wait()
    return found


if __name__ == "__main__":
    import tensorflow

    if sys.argv[1:]:
        _, _task, _cluster, _folder, *_served = sys.argv
        if _task == "ps" or _served:
            print(json.dumps(run(tensorflow, json.loads(_cluster), _task, _folder, *_served)))
            sys.stdout.flush()
            os._exit(0)
        else:
            work(tensorflow, json.loads(_cluster), int(_task), _folder)
            os._exit(0)
    else:
        _found = result(tensorflow, [sys.executable, "-W", "ignore"], dict(os.environ))
        _text = json.dumps(_found, indent=0)
        (Path(__file__).parent / "data" / "estimator_cluster.json").write_text(_text + "\n")
        print(_text)
        os._exit(0)
