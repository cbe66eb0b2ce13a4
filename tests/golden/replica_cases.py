"""Computations that are compiled as a whole: `tf.xla.experimental.compile`, `tf.tpu`.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_replicas.py`.
What is replicated does not run there, as it has no TPU.
"""

from __future__ import annotations

import numpy as np
from case_runs import Case, collect


class _Recorded(Case):
    """A graph that is not run."""

    def run(self, tf):
        return []


def _recorded(build):
    def record(tf):
        return _Recorded(said=[build(tf)])

    record.__name__ = build.__name__
    return record


def _step(tf, x, y):
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    with tf.control_dependencies([tf.assign_add(v, x)]):
        return x * 2.0 + v.read_value(), tf.matmul(y, y), tf.no_op()


# ---- tf.xla.experimental.compile ----------


def _compiled(computation, *inputs):
    def record(tf):
        found = tf.xla.experimental.compile(
            lambda *values: computation(tf, *values), [np.float32(x) for x in inputs]
        )
        return Case(tf.contrib.framework.nest.flatten(found), steps=2)

    return record


def _with_summary(tf, x):
    tf.summary.scalar("sum", tf.reduce_sum(x))
    return x


def _updated(tf):
    v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=True)
    v.assign([3.0, 4.0])


def _outer_controls(tf, x):
    with tf.control_dependencies([tf.no_op(name="inner"), x]):
        return x + 1.0


def compiled_after_others(tf):
    before = tf.constant(1.0, name="before")
    nothing = tf.no_op(name="nothing")

    def computation(x):
        with tf.control_dependencies([before, nothing]):
            return x + 1.0

    return Case(tf.xla.experimental.compile(computation, [2.0]), steps=1)


COMPILED = {
    "step": _compiled(_step, [1, 2], [[1, 1], [1, 1]]),
    "nothing": _compiled(_updated),
    "operation": _compiled(lambda tf, x: tf.no_op(), 3),
    "nested": _compiled(lambda tf, x: {"a": x, "b": (x + 1.0,)}, 3),
    "gradient": _compiled(lambda tf, x: tf.gradients(x * x, x), 3),
    "summary": _compiled(_with_summary, [1, 2]),
    "controls": _compiled(_outer_controls, 3),
    "after_others": compiled_after_others,
}


def _refused(computation, inputs=(3.0,)):
    return lambda tf: tf.xla.experimental.compile(
        lambda *values: computation(tf, *values),
        list(inputs) if isinstance(inputs, tuple) else inputs,
    )


def gradient_through(tf):
    x = tf.constant(1.0)
    return tf.gradients(tf.xla.experimental.compile(lambda x: x * x, [x]), x)


def compiled_twice(tf):
    inner = tf.xla.experimental.compile
    return inner(lambda x: inner(lambda y: y, [x]), [3.0])


def fetched_from_inside(tf):
    seen = []
    tf.xla.experimental.compile(lambda x: seen.append(x + 1.0) or x, [3.0])
    tf.Session().run(seen[0])


def reference_inside(tf):
    variable = tf.Variable(1.0, use_resource=False)
    return tf.xla.experimental.compile(lambda x: tf.assign(variable, x), [3.0])


# ---- tf.tpu ----------


@_recorded
def rewritten(tf):
    return tf.tpu.rewrite(lambda x, y: _step(tf, x, y), [tf.constant([1.0, 2.0]), tf.ones([2, 2])])


@_recorded
def rewritten_without_outputs(tf):
    return tf.tpu.rewrite(lambda: _updated(tf))


@_recorded
def rewritten_with_operation(tf):
    v = tf.get_variable("v", [2], use_resource=True)

    def computation(x):
        with tf.control_dependencies([v.assign(x)]):
            return x + 1.0, tf.no_op()

    return tf.tpu.rewrite(computation, [tf.constant([3.0, 4.0])])


@_recorded
def rewritten_nested(tf):
    return tf.tpu.rewrite(lambda x: {"a": x, "b": (x + 1.0,)}, [4.0])


@_recorded
def replicated(tf):
    return tf.tpu.replicate(
        lambda x: x * tf.tpu.cross_replica_sum(x), [[tf.ones([2])], [tf.zeros([2])]]
    )


@_recorded
def sharded(tf):
    return tf.tpu.shard(
        lambda x, y: (x + y, tf.reduce_sum(x)),
        [tf.ones([4, 2]), tf.zeros([2, 4])],
        num_shards=2,
        input_shard_axes=[0, 1],
    )


@_recorded
def sharded_output_of_one(tf):
    return tf.tpu.shard(
        lambda x: (x, x + 1.0), [tf.ones([4, 2])], num_shards=2,
        outputs_from_all_shards=[True, False], output_shard_axes=[1, 0]
    )  # fmt: skip


@_recorded
def batches(tf):
    return tf.tpu.batch_parallel(lambda x: x + 1.0, [tf.ones([4, 2])], num_shards=2)


@_recorded
def outside(tf):
    def computation(x):
        with tf.device(tf.tpu.core(0)):
            y = tf.tpu.outside_compilation(lambda a: a + 1.0, x * 2.0)
        return y * 3.0, tf.tpu.outside_compilation(tf.square, x)

    with tf.device("/cpu:0"):
        return tf.tpu.rewrite(computation, [tf.constant([1.0])])


@_recorded
def gradient_of_outside(tf):
    def computation(x):
        y = tf.tpu.outside_compilation(tf.square, x * 2.0)
        return tf.gradients(y, x)

    return tf.tpu.rewrite(computation, [tf.constant([1.0])])


@_recorded
def trained(tf):
    def computation(x):
        v = tf.get_variable("v", [2], partitioner=tf.fixed_size_partitioner(2))
        optimizer = tf.train.GradientDescentOptimizer(0.1)
        loss = tf.reduce_sum(tf.square(v - x))
        return loss, tf.tpu.CrossShardOptimizer(optimizer).minimize(loss)

    return tf.tpu.replicate(computation, [[tf.ones([2])], [tf.zeros([2])]])


@_recorded
def loops(tf):
    tpu = tf.contrib.tpu
    v = tf.get_variable("v", [], use_resource=True)

    def computation():
        last = tpu.while_loop(lambda i, x: i < 3, lambda i, x: [i + 1, x * 2.0], [0, 1.0])
        three = tpu.repeat(3, lambda x: [x * 2.0], [1.0])
        updated = tpu.repeat(3, lambda: v.assign_add(1.0).op)
        return list(last) + list(three) + [updated]

    return tf.tpu.rewrite(computation)


@_recorded
def systems(tf):
    return [tf.tpu.initialize_system(), tf.tpu.shutdown_system(job="w"), tf.tpu.core(3)]


@_recorded
def placed(tf):
    topology = _topology(tf, 2, 2)
    assignment = tf.contrib.tpu.device_assignment(topology, [1, 1, 2], None, 2)
    return tf.tpu.replicate(lambda x: x, [[1.0], [2.0]], device_assignment=assignment)


# ---- where TPUs lie ----------


def _topology(tf, width, height):
    places = [[[x, y, z] for z in range(2) for y in range(height)] for x in range(width)]
    return tf.contrib.tpu.Topology(mesh_shape=[width, height, 2], device_coordinates=places)


def _assigned(width, height):
    def record(tf):
        said = []
        for shape in (None, [1, 1, 2], [2, 1, 2], [2, 2, 2], [2, 1, 1]):
            for stride in (None, [1, 1, 2], [2, 1, 1]):
                for replicas in (0, 1, 2, 3, 4, 8, 16):
                    topology = _topology(tf, width, height).serialized()
                    try:
                        found = tf.contrib.tpu.device_assignment(topology, shape, stride, replicas)
                    except ValueError as error:
                        said.append(str(error))
                        continue
                    devices = [
                        (
                            found.tpu_device(i),
                            found.host_device(i, job="w"),
                            int(found.tpu_ordinal(i)),
                        )
                        for i in range(replicas)
                    ]
                    tasks = found.lookup_replicas(0, 0) if replicas else None
                    said.append((found.core_assignment.tolist(), str(devices), tasks))
        return _Recorded(said=said)

    return record


def _no_topology(**arguments):
    return lambda tf: tf.contrib.tpu.Topology(**arguments)


def _no_assignment(*arguments):
    return lambda tf: tf.contrib.tpu.device_assignment(_topology(tf, 2, 2), *arguments)


def _no_cores(cores):
    return lambda tf: tf.contrib.tpu.DeviceAssignment(_topology(tf, 2, 2), cores)


def _loop(condition, body):
    return lambda tf: tf.contrib.tpu.while_loop(condition, body, [1.0])


def _parameters(name, *arguments, **more):
    return lambda tf: _Recorded(
        said=sorted(vars(getattr(tf.tpu.experimental, name)(*arguments, **more)).items())
    )


CASES = {
    "parameters": {
        "adagrad": _parameters("AdagradParameters", 0.1),
        "adam": _parameters("AdamParameters", 0.1, clip_weight_min=-1),
        "descent": _parameters("StochasticGradientDescentParameters", 0.1, clip_weight_max=2),
    },
    "compiled": COMPILED,
    "replicated": collect(
        rewritten,
        rewritten_without_outputs,
        rewritten_with_operation,
        rewritten_nested,
        replicated,
        sharded,
        sharded_output_of_one,
        batches,
        outside,
        gradient_of_outside,
        trained,
        loops,
        systems,
        placed,
    ),  # fmt: skip
    "assigned": {"square": _assigned(2, 2), "large": _assigned(4, 2), "odd": _assigned(3, 2)},
}
MISTAKES = {
    "parameters": {
        "accumulator": _parameters("AdagradParameters", 0.1, 0),
        "beta": _parameters("AdamParameters", 0.1, 1.0),
        "epsilon": _parameters("AdamParameters", 0.1, epsilon=0),
        "lazy": _parameters(
            "AdamParameters", 0.1, lazy_adam=False, use_gradient_accumulation=False
        ),
    },
    "compiled": {
        "order": _refused(lambda tf, x: (tf.no_op(), x)),
        "nested_operation": _refused(lambda tf, x: (tf.no_op(), [x])),
        "inputs": _refused(lambda tf, x: x, 3.0),
        **collect(gradient_through, compiled_twice, fetched_from_inside, reference_inside),
    },
    "replicated": {
        "types": lambda tf: tf.tpu.replicate(lambda x: x, [[1.0], [1]]),
        "no_list": lambda tf: tf.tpu.replicate(lambda x: x, 1.0),
        "too_few": lambda tf: tf.tpu.replicate(lambda x, *y: x, [[]]),
        "too_many": lambda tf: tf.tpu.rewrite(lambda x: x, [tf.ones([1]), tf.ones([1])]),
        "too_many_of_some": lambda tf: tf.tpu.rewrite(lambda x=1: x, [tf.ones([1])] * 2),
        "no_shards": lambda tf: tf.tpu.shard(lambda x: x, [1.0], num_shards=0),
        "no_tensors": lambda tf: tf.tpu.shard(lambda x: x, 1.0),
        "axes": lambda tf: tf.tpu.shard(lambda x: x, [[1.0]], input_shard_axes=[0, 1]),
        "output_axes": lambda tf: tf.tpu.shard(lambda x: x, [[1.0]], output_shard_axes=[0, 1]),
        "all_shards": lambda tf: tf.tpu.shard(
            lambda x: x, [[1.0]], outputs_from_all_shards=[True, False]
        ),
        "order": lambda tf: tf.tpu.rewrite(lambda: (tf.no_op(), tf.constant(1.0))),
        "nested": lambda tf: tf.tpu.rewrite(lambda: tf.tpu.rewrite(lambda: tf.constant(1.0))),
        "outside_twice": lambda tf: tf.tpu.rewrite(
            lambda: tf.tpu.outside_compilation(
                lambda: tf.tpu.outside_compilation(lambda: tf.constant(1))
            )
        ),
        "condition": _loop(lambda: True, lambda x: x),
        "body": _loop(lambda x: True, lambda x, y: x),
        "kinds": _loop(lambda x: True, lambda x: 1),
        "fed": lambda tf: tf.contrib.tpu.infeed_dequeue(tf.string, [2]),
    },
    "assigned": {
        "mesh": _no_topology(mesh_shape=[1, 2], device_coordinates=[[[0]]]),
        "coordinates": _no_topology(mesh_shape=[1, 2, 1], device_coordinates=[[0]]),
        "serialized_mesh": _no_topology(serialized=b"\x0a\x02\x01\x01"),
        "serialized_coordinates": _no_topology(serialized=b"\x0a\x03\x01\x01\x01\x10\x02\x18\x01"),
        "shape": _no_assignment([1, 2]),
        "positive": _no_assignment([1, 2, 0]),
        "stride": _no_assignment([1, 2, 1], [1]),
        "footprint": _no_assignment([4, 1, 1]),
        "cores": _no_cores([[0]]),
        "axes": _no_cores([[[0]]]),
        "topology": lambda tf: tf.contrib.tpu.device_assignment(3),
        "replicas": lambda tf: tf.contrib.tpu.device_assignment(
            _topology(tf, 2, 2)
        ).lookup_replicas(5, 0),
    },
}
