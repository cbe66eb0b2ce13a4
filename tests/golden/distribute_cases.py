"""What strategies of one replica record and do: cases that say what they found.

A case is a function of tf and a strategy that returns something JSON can hold; it runs in a graph
of its own. Runs under the real TensorFlow 1.15 (Python 3.7), too.
"""

from __future__ import annotations

import re

import numpy as np

CASES = {}
STRATEGIES = {
    "default": lambda tf: tf.distribute.get_strategy(),
    "one_device": lambda tf: tf.distribute.OneDeviceStrategy("/cpu:0"),
    "mirrored": lambda tf: tf.distribute.MirroredStrategy(["/cpu:0"]),
    "mirrored_2": lambda tf: tf.distribute.MirroredStrategy(cpus(2)),
    "mirrored_4": lambda tf: tf.distribute.MirroredStrategy(cpus(4)),
    "hierarchical_4": lambda tf: tf.distribute.MirroredStrategy(
        cpus(4), tf.distribute.HierarchicalCopyAllReduce(num_packs=2)
    ),
    "central_2": lambda tf: tf.distribute.experimental.CentralStorageStrategy(cpus(2), "/cpu:0"),
    "parameter_server": lambda tf: tf.distribute.experimental.ParameterServerStrategy(),
    "workers": lambda tf: tf.distribute.experimental.MultiWorkerMirroredStrategy(),
}


def cpus(count):
    return ["/cpu:%d" % i for i in range(count)]


def session(tf):
    return tf.Session(config=tf.ConfigProto(device_count={"CPU": 4}))


def case(function):
    CASES[function.__name__] = function
    return function


def say(function, *args, **kwargs):
    """What a call returns or raises, without what differs from process to process."""
    try:
        said = repr(function(*args, **kwargs))
    except Exception as caught:
        said = "%s: %s" % (type(caught).__name__, caught)
    said = re.sub(r" at 0x[0-9a-f]+", "", said)
    return re.sub(r"<(class ')?[\w.]*\.(\w+( object)?)", r"<\1\2", said)


def nodes(tf):
    return [
        [
            op.name, op.type, op.device, [i.name for i in op.inputs],
            sorted(c.name for c in op.control_inputs),
            sorted(group.decode() for group in op.colocation_groups()),
        ]
        for op in tf.get_default_graph().get_operations()
    ]  # fmt: skip


def collected(tf):
    graph = tf.get_default_graph()
    keys = [key for key in graph.collections if isinstance(key, str) and not key.startswith("__")]
    return {key: [getattr(v, "name", "?") for v in graph.get_collection(key)] for key in keys}


def _trains(optimizer):
    def train(tf, strategy):
        def step(x):
            w = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
            b = tf.get_variable("b", [1], use_resource=True, initializer=tf.zeros_initializer())
            loss = tf.reduce_mean(tf.matmul(x, w) + b)
            return loss, optimizer(tf).minimize(loss, tf.train.get_or_create_global_step())

        with strategy.scope():
            loss, update = strategy.experimental_run_v2(step, args=(tf.ones([3, 2]),))
            total = strategy.reduce(tf.distribute.ReduceOp.SUM, loss)
            update = strategy.group(update)
        init = tf.global_variables_initializer()
        recorded = [nodes(tf), collected(tf), [repr(v) for v in tf.trainable_variables()]]
        with session(tf) as sess:
            sess.run(init)
            losses = []
            for _ in range(3):
                losses.append(round(float(sess.run(total)), 5))
                sess.run(update)
        return [recorded, losses]

    return train


CASES["gradient_descent"] = _trains(lambda tf: tf.train.GradientDescentOptimizer(0.1))
CASES["momentum"] = _trains(lambda tf: tf.train.MomentumOptimizer(0.1, 0.9))
CASES["adam"] = _trains(lambda tf: tf.train.AdamOptimizer(0.1))


@case
def keras_optimizer(tf, strategy):
    optimizer = tf.keras.optimizers.SGD(0.1, momentum=0.9)

    def step(x):
        v = tf.Variable([1.0, 2.0], name="v", use_resource=True)
        loss = tf.reduce_sum(v * x)
        return optimizer.apply_gradients([(tf.gradients(loss, v)[0], v)])

    with strategy.scope():
        update = strategy.group(strategy.experimental_run_v2(step, args=(tf.ones([2]),)))
        read = strategy.extended.read_var(tf.global_variables()[0])
    # TF records what it prepares for the devices in the order of a set.
    recorded = nodes(tf)
    if strategy.num_replicas_in_sync > 1:
        recorded = sorted([node[1], node[2]] for node in recorded)
    with session(tf) as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(2):
            sess.run(update)
        return [recorded, sess.run(read).tolist()]


@case
def scopes(tf, strategy):
    distribute = tf.distribute
    other = distribute.OneDeviceStrategy("/cpu:0")
    said = [say(lambda: (distribute.has_strategy(), distribute.in_cross_replica_context()))]

    def enter():
        with strategy.scope() as entered:
            return entered is strategy

    with strategy.scope():
        said += [
            say(lambda: (distribute.has_strategy(), distribute.in_cross_replica_context())),
            say(distribute.get_replica_context),
            say(lambda: distribute.get_strategy() is strategy),
            say(enter),
            say(other.experimental_run_v2, lambda: 1),
            say(other.reduce, "sum", tf.constant(1.0)),
            say(lambda: other.scope().__enter__()) if strategy is not default(tf) else "",
            say(strategy.extended.colocate_vars_with, 3) if strategy is not default(tf) else "",
            say(tf.train.GradientDescentOptimizer(0.1).apply_gradients, []),
        ]
        if strategy is not default(tf):
            said.append(say(distribute.experimental_set_strategy, other))
        v = tf.Variable(1.0)
        made = [s.extended.variable_created_in_scope(v) for s in (strategy, other)]
        with strategy.extended.colocate_vars_with(v):
            tf.Variable(5.0)
        tf.get_variable("parts", [4], partitioner=tf.fixed_size_partitioner(2))
    said += [made, say(strategy.extended.colocate_vars_with, v)]
    distribute.experimental_set_strategy(other)
    said += [distribute.get_strategy() is other]
    distribute.experimental_set_strategy(None)
    return [said, distribute.has_strategy(), nodes(tf), collected(tf)]


def default(tf):
    return tf.distribute.get_strategy() if not tf.distribute.has_strategy() else None


@case
def replica(tf, strategy):
    said = []

    def enter():
        with strategy.scope():
            pass

    def run():
        context = tf.distribute.get_replica_context()
        said.extend(
            [
                say(lambda: (tf.distribute.has_strategy(), context.replica_id_in_sync_group)),
                say(lambda: (context.strategy is strategy, context.num_replicas_in_sync)),
                say(strategy.reduce, "sum", tf.constant(1.0)),
                say(enter),
                say(strategy.extended.call_for_each_replica, lambda: 1),
                say(
                    context.merge_call,
                    lambda s, a, b: (s is strategy, tf.distribute.in_cross_replica_context(), a, b),
                    args=(1,),
                    kwargs={"b": 2},
                ),
                say(context.all_reduce, tf.distribute.ReduceOp.SUM, [tf.constant([1.0])]),
            ]
        )
        return context

    context = strategy.experimental_local_results(strategy.experimental_run_v2(run))[0]
    said += [say(context.merge_call, lambda s: 1), say(lambda: context.replica_id_in_sync_group)]
    with tf.variable_scope("outer"), tf.name_scope("inner"):

        def nested():
            tf.get_variable("a", [2], initializer=tf.zeros_initializer())
            tf.constant(1.0)
            tf.distribute.get_replica_context().merge_call(lambda s: tf.constant(7.0))

        strategy.experimental_run_v2(nested)
    return [said, nodes(tf)]


@case
def reductions(tf, strategy):
    def reduce(*args, **kwargs):
        with strategy.scope():
            return strategy.reduce(*args, **kwargs)

    value = tf.constant([[1.0, 2.0]])
    said = [
        say(reduce, op, value, axis=axis)
        for op in ("sum", "mean", "x", tf.distribute.ReduceOp.MEAN)
        for axis in (None, 0, "a", 3, -3)
    ]
    for shape in ([None, 2], [None], None):
        said.append(say(reduce, "mean", tf.placeholder(tf.float32, shape), axis=-1))
    said.append(say(reduce, "mean", tf.placeholder(tf.float32, [None, 2]), axis=0))
    return [said, nodes(tf)]


@case
def extended(tf, strategy):
    with strategy.scope():
        v = tf.Variable(1.0)
    of = strategy.extended
    places = of.non_slot_devices([v])
    said = [
        say(lambda: of.worker_devices),
        say(lambda: of.parameter_devices),
        say(strategy.experimental_local_results, 4),
        say(strategy.unwrap, (1, 2)),
        say(lambda: strategy.group(tf.constant(1.0)).name),
        say(lambda: strategy.group(tf.constant(1.0), name="both").name),
        say(lambda: strategy.update_config_proto(tf.ConfigProto()).isolate_session_state),
        say(of.broadcast_to, tf.constant(1.0), "/cpu:0"),
        say(of.update, v, lambda x, y: x.assign(y), args=(2.0,), group=False),
        say(of.update_non_slot, places, lambda: tf.constant(2.0)),
        say(of.update_non_slot, places, lambda: tf.constant(2.0), group=False),
        say(strategy.make_input_fn_iterator, lambda c: c, replication_mode=3),
        say(of.reduce_to, "sum", tf.constant(1.0), "/cpu:0"),
        say(of.batch_reduce_to, "sum", [(tf.constant(1.0), "/cpu:0")]),
        say(of.read_var, v),
        of.value_container(v) is v,
        strategy.num_replicas_in_sync,
    ]
    for name in (
        "experimental_should_init experimental_between_graph should_checkpoint "
        "should_save_summary experimental_require_static_shapes _global_batch_size"
    ).split():
        said.append(say(getattr, of, name))
    return [said, nodes(tf)]


@case
def variables(tf, strategy):
    with strategy.scope():
        v = tf.Variable(1.0, name="v", use_resource=True)
        summed = tf.Variable(
            1.0, name="summed", aggregation=tf.VariableAggregation.SUM, use_resource=True
        )
        said = [say(lambda: v + 1), say(v.read_value), say(v.value), v.name, v.device]
        said += [isinstance(v, tf.Variable), say(lambda: v), str(v), say(lambda: v.handle)]
        said += [say(v.assign, 2.0), say(v.assign_add, 1.0, name="x"), say(v.is_initialized)]

        def run():
            said.extend([say(lambda: v + 1), say(v.value), say(lambda: v.op.name)])
            said.extend([say(v.assign, 3.0), say(lambda: v.handle.dtype)])
            return v, say(summed.assign_add, tf.constant(3.0))

        returned, change = strategy.experimental_run_v2(run)
        said += [returned is v, say(lambda: change)]
        init = tf.global_variables_initializer()
        saver = tf.train.Saver()
    recorded = nodes(tf)
    with session(tf) as sess:
        sess.run(init)
        values = [float(sess.run(v)), float(v.eval(sess))]
        sess.run(v.assign(4.0))
        values.append(float(sess.run(v)))
    return [said, recorded, values, saver is not None]


@case
def sync_on_read(tf, strategy):
    aggregations = tf.VariableAggregation
    kinds = ("SUM", "MEAN", "ONLY_FIRST_REPLICA")
    with strategy.scope():
        made = [
            tf.get_variable(
                kind.lower(), (), initializer=tf.zeros_initializer(), trainable=False,
                synchronization=tf.VariableSynchronization.ON_READ,
                aggregation=getattr(aggregations, kind), use_resource=True,
            )
            for kind in kinds
        ]  # fmt: skip

        def run():
            number = tf.distribute.get_replica_context().replica_id_in_sync_group
            return [v.assign_add(tf.cast(number, tf.float32) + 1.0) for v in made]

        update = strategy.group(strategy.experimental_run_v2(run))
        read = [strategy.extended.read_var(v) for v in made]
        said = [say(made[0].assign_add, 1.0), say(made[0].assign, 6.0), say(lambda: made[1] + 1)]
        said.append(say(lambda: tf.train.Saver() is None))
    with session(tf) as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(update)
        return [said, nodes(tf), [float(sess.run(v)) for v in read]]


@case
def moving_averages(tf, strategy):
    """Averages of variables, and of what replicas compute, with and without debiasing."""
    from tensorflow.python.training.moving_averages import assign_moving_average

    sums = {"aggregation": tf.VariableAggregation.MEAN, "use_resource": True}
    with strategy.scope():
        w = tf.get_variable("w", [2], initializer=tf.ones_initializer(), **sums)
        means = [tf.get_variable(n, [], initializer=tf.zeros_initializer(), **sums) for n in "ab"]
        average = tf.train.ExponentialMovingAverage(0.5)
        update = average.apply([w])

        def step():
            number = tf.distribute.get_replica_context().replica_id_in_sync_group
            x = tf.cast(number, tf.float32) + 1.0
            for v, unbiased in zip(means, (True, False)):
                assign_moving_average(v, x, 0.75, zero_debias=unbiased)

        before = len(tf.get_default_graph().get_operations())
        strategy.experimental_run_v2(step)
        kinds = ("AssignVariableOp", "AssignSubVariableOp")
        moves = [
            op
            for op in tf.get_default_graph().get_operations()[before:]
            if op.type in kinds and "AssignMovingAvg" in op.name
        ]
        shadow = average.average(w)
        names = [average.average_name(w), type(shadow) is type(w)]
        change = strategy.extended.update(w, lambda v: v.assign_add([1.0, 2.0]))
        read = [strategy.extended.read_var(v) for v in (shadow, *means)]
    with session(tf) as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(2):
            sess.run(change)
            sess.run([update, moves])
        values = [value.tolist() for value in sess.run(read)]
    return [names, nodes(tf), values]


@case
def keras_losses(tf, strategy):
    said = []
    with strategy.scope():
        for reduction in ("auto", "sum_over_batch_size", "sum", "none"):
            loss = tf.keras.losses.MeanSquaredError(reduction=reduction)
            said.append(say(loss, [[1.0]], [[2.0]]))
            said.append(say(strategy.experimental_run_v2, lambda: loss([[1.0]], [[3.0]])))
    return said


@case
def eight_steps_of_a_net(tf, strategy):
    """Dropout, batch normalization and rows of an embedding, fed by a dataset."""
    tf.set_random_seed(3)
    rows = tf.data.Dataset.range(16).map(lambda i: (i % 5, tf.cast(i, tf.float32) / 16.0))
    with strategy.scope():
        iterator = strategy.make_dataset_iterator(rows.repeat().batch(8))

        def step(element):
            numbers, labels = element
            table = tf.get_variable("table", [5, 3], initializer=tf.random_normal_initializer())
            x = tf.nn.embedding_lookup(table, numbers)
            x = tf.layers.dropout(tf.layers.dense(x, 4, tf.nn.relu), 0.5, training=True)
            x = tf.layers.batch_normalization(x, training=True)
            y = tf.squeeze(tf.layers.dense(x, 1), -1)
            loss = tf.losses.mean_squared_error(labels, y)
            with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
                return loss, tf.train.AdagradOptimizer(0.1).minimize(loss)

        loss, update = strategy.experimental_run_v2(step, args=(iterator.get_next(),))
        total = strategy.reduce(tf.distribute.ReduceOp.MEAN, loss)
        update = strategy.group(update)
    recorded = nodes(tf)
    with session(tf) as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(iterator.initialize())
        losses = [float(sess.run([total, update])[0]) for _ in range(8)]
    return [recorded, losses]


@case
def inputs(tf, strategy):
    dataset = tf.data.Dataset.range(48).batch(4)
    with session(tf) as sess, strategy.scope():
        arrays = strategy.experimental_make_numpy_dataset(np.arange(48), session=sess)
        said = []
        for iterator in (
            strategy.make_dataset_iterator(dataset),
            strategy.make_input_fn_iterator(lambda context: dataset),
            strategy.make_dataset_iterator(arrays.batch(8)),
        ):
            element = strategy.experimental_local_results(iterator.get_next())
            sess.run(iterator.initialize())
            said.append([[v.tolist() for v in sess.run(element)] for _ in range(2)])
        distributed = strategy.experimental_distribute_dataset(dataset)
        iterator = distributed.make_initializable_iterator()
        element = strategy.experimental_local_results(iterator.get_next())
        sess.run(iterator.initializer)
        said.append([[v.tolist() for v in sess.run(element)] for _ in range(2)])
    return said


def of_no_strategy(tf):
    """What is said of the names themselves, and of devices."""
    distribute = tf.distribute
    context = distribute.InputContext(2, 1, 4)
    contrib = tf.contrib.distribute
    aggregations = ("SUM", "MEAN", "NONE")
    said = [
        say(distribute.ReduceOp.from_variable_aggregation, tf.VariableAggregation[name])
        for name in aggregations
    ]
    said += [say(context.get_per_replica_batch_size, size) for size in (8, 6)]
    said += [say(contrib.MirroredStrategy, num_gpus=1, num_gpus_per_worker=1)]
    said += [say(contrib.MirroredStrategy, devices=["/cpu:0"], num_gpus=1)]
    said += [say(distribute.MirroredStrategy, ["/cpu:0", "/cpu:0"])]
    said += [contrib.get_strategy is distribute.get_strategy, say(distribute.get_loss_reduction)]
    said += [isinstance(distribute.OneDeviceStrategy("/cpu:0"), contrib.DistributionStrategy)]
    for name in ("cpu:0", "/device:CPU:1", "/gpu:1", "", None, "/cpu", "/foo"):
        for make in (distribute.OneDeviceStrategy, lambda d: distribute.MirroredStrategy([d])):
            said.append(say(lambda: make(name).extended.worker_devices))
    return said


def of_parameter_servers(tf):
    """What a worker records, and what it says of itself, among two workers and two servers."""
    said = []
    tasks = {"worker": ["a:1", "b:1"], "ps": ["c:1", "d:1"]}
    distribute = tf.distribute

    def among(jobs, task_type="worker", task_id=0, make=None):
        cluster = tf.train.ClusterSpec({job: tasks.get(job, ["e:1"]) for job in jobs})
        resolver = distribute.cluster_resolver.SimpleClusterResolver(
            cluster, task_type=task_type, task_id=task_id
        )
        make = make or distribute.experimental.ParameterServerStrategy
        return make(resolver)

    for task_id, optimizer in (
        (0, tf.train.GradientDescentOptimizer(0.1)), (1, tf.train.AdamOptimizer(0.1)),
    ):  # fmt: skip
        strategy = among(tasks, "worker", task_id)
        extended = strategy.extended

        def step(x, optimizer=optimizer):
            w = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
            table = tf.get_variable("table", [4, 2])
            b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
            x += tf.nn.embedding_lookup(table, [0, 1, 1])
            loss = tf.reduce_mean(tf.matmul(x, w) + b)
            return loss, optimizer.minimize(loss, tf.train.get_or_create_global_step())

        with tf.Graph().as_default(), strategy.scope():
            loss, update = strategy.experimental_run_v2(step, args=(tf.ones([3, 2]),))
            total = strategy.reduce(tf.distribute.ReduceOp.SUM, loss)
            strategy.group(update)
            said += [nodes(tf), collected(tf), total.device]
            said += [say(extended.reduce_to, "SUM", total, "/job:worker/task:1")]
        config = tf.ConfigProto(device_filters=["/job:a"])
        said += [str(strategy.update_config_proto(config))]
        said += [list(extended.worker_devices), list(extended.parameter_devices)]
        said += [strategy.num_replicas_in_sync, extended.should_checkpoint]
        said += [extended.experimental_should_init, extended.should_save_summary]
        seen = []
        with tf.Graph().as_default(), strategy.scope():
            dataset = tf.data.Dataset.range(8).batch(2)
            strategy.make_input_fn_iterator(lambda context: seen.append(context) or dataset)
            said += [[c.input_pipeline_id, c.num_input_pipelines] for c in seen] + [nodes(tf)]
    said += [str(among(tasks, "ps").update_config_proto(tf.ConfigProto()))]
    said += [say(among, ["worker"]), say(among, tasks, None), say(among, tasks, "worker", None)]
    said += [say(among, tasks, "worker", 2), say(among, tasks, "x")]
    v2 = tf.compat.v2.distribute.experimental.ParameterServerStrategy
    said += [say(v2), say(among, [], make=v2), list(among(tasks, make=v2).extended.worker_devices)]
    contrib = tf.contrib.distribute.ParameterServerStrategy()
    contrib.configure(cluster_spec=tasks, task_type="worker", task_id=1)
    said += [list(contrib.extended.worker_devices), contrib.extended.should_checkpoint]
    return said


def of_all_reduces(tf):
    """What all-reduces over the devices of one graph record, and the sums that they make."""
    from tensorflow.python.distribute import all_reduce, cross_device_utils
    from tensorflow.python.ops import collective_ops, nccl_ops

    said = {}

    def record(name, build, count=4, shape=(3,), device="/cpu:%d", runs=True):
        with tf.Graph().as_default():
            inputs = []
            for i in range(count):
                with tf.device(device % i):
                    inputs.append(
                        tf.constant(np.arange(np.prod(shape)).reshape(shape) + i, tf.float32)
                    )
            try:
                outputs = build(inputs)
            except Exception as error:
                said[name] = re.sub(" at 0x\\w+", "", "%s: %s" % (type(error).__name__, error))
                return
            said[name] = [re.sub(r"'c\d+'", "'c'", repr(nodes(tf)))]
            if runs:
                with session(tf) as sess:
                    said[name].append([v.tolist() for v in sess.run(outputs)])

    add, add_n = tf.add, tf.add_n
    for length in (1, 3, 8, 13, 16):
        for parts in (1, 2):
            record(
                "ring-%d-%d" % (length, parts),
                lambda t: all_reduce.build_ring_all_reduce(t, 2, parts, [1, 0], add, tf.negative),
                shape=(length,),
            )
        record(
            "shuffle-%d" % length,
            lambda t: all_reduce.build_shuffle_all_reduce(t, ["/cpu:0", "/cpu:2"], add_n, tf.abs),
            shape=(length,),
        )
    record("ring", lambda t: all_reduce.build_ring_all_reduce(t, 1, 1, range(4), add), shape=(2, 3))
    record("parts", lambda t: all_reduce.build_ring_all_reduce(t, 2, 3, [0, 1], add))
    record("one", lambda t: all_reduce.build_ring_all_reduce(t, 1, 1, [0], add), count=1)
    for count, shape in ((4, (8,)), (2, (2, 2)), (3, (8,)), (4, (2,))):
        record(
            "pairs-%d-%r" % (count, shape),
            lambda t: all_reduce.build_recursive_hd_all_reduce(t, add, tf.negative), count, shape,
        )  # fmt: skip
    two = "/job:worker/task:%d/cpu:0"
    tasks = ["/job:worker/task:0", "/job:worker/task:1"]
    hosts = [task + "/cpu:0" for task in tasks]
    for name, build in (
        ("nccl_ring", lambda t: all_reduce.build_nccl_then_ring(t, 1, add)),
        ("nccl_pairs", lambda t: all_reduce.build_nccl_then_recursive_hd(t, add)),
        ("nccl_shuffle", lambda t: all_reduce.build_nccl_then_shuffle(t, hosts, add, add_n)),
        ("shuffle_ring", lambda t: all_reduce.build_shuffle_then_ring(t, hosts, 1, add_n, add)),
        ("shuffles", lambda t: all_reduce.build_shuffle_then_shuffle(t, hosts, hosts, add_n)),
        ("too_few", lambda t: all_reduce.build_shuffle_then_shuffle(t, hosts[:1], hosts, add_n)),
        ("nccl", lambda t: all_reduce.build_nccl_all_reduce(t, add, tf.abs)),
        ("nccl_other", lambda t: all_reduce.build_nccl_all_reduce(t, tf.multiply)),
    ):
        record(name, build, 2, (2, 2), two, runs=False)
    for name in ("all_sum", "all_prod", "all_min", "all_max", "reduce_sum"):
        reduce = getattr(nccl_ops, name)
        record(name, reduce, 2, device="/gpu:%d", runs=False)
        record(name + "-none", reduce, 0, runs=False)
        record(name + "-nowhere", lambda t: reduce([tf.constant(1.0)]), 2, runs=False)
    with tf.device("/gpu:1"):
        record("here", nccl_ops.reduce_sum, 2, device="/gpu:%d", runs=False)
    record("sent", lambda t: nccl_ops.broadcast(t[0]), 1, device="/gpu:%d", runs=False)

    def members(tensors):
        keys = {"group_size": 2, "group_key": 1}
        found = []
        for t in tensors:
            with tf.device(t.device):
                found.append(collective_ops.all_reduce(t, 2, 1, 5, "Add", "Div"))
                found.append(collective_ops.all_gather(t, instance_key=6, **keys))
        with tf.device("/cpu:0"):
            found.append(collective_ops.broadcast_send(t, t.shape, t.dtype, instance_key=7, **keys))
        with tf.device("/cpu:1"):
            found.append(collective_ops.broadcast_recv(t.shape, t.dtype, instance_key=7, **keys))
        return found

    record("members", members, 2)
    for name, size in (("reduce", 1), ("gather", 1), ("reduce", 2)):
        one = tf.constant(1.0)
        if size == 1:
            with tf.device("/cpu:0"):
                one = tf.constant(1.0)
        more = ("Add", "Id") if name == "reduce" else ()
        said[name + str(size)] = say(getattr(collective_ops, "all_" + name), one, size, 1, 1, *more)
    with tf.device("/cpu:0"):
        one = tf.constant([1.0])
    said["shape"] = say(collective_ops.broadcast_send, one, [2], tf.float32, 2, 1, 1)
    said["dtype"] = say(collective_ops.broadcast_send, one, [1], tf.int32, 2, 1, 1)
    said["alone"] = say(collective_ops.broadcast_recv, [1], tf.int32, 1, 1, 1)

    utils = cross_device_utils
    said["groups"] = [say(utils.group_device_names, list("abcde"), n) for n in (1, 2, 3, 5, 6)]
    grads = [[(tf.zeros([n]), n) for n in (1, 4, 2)] for _ in range(2)]
    said["sizes"] = [say(lambda: utils.split_grads_by_size(n, grads)) for n in (0, 2, 9)]
    with tf.Graph().as_default():
        pairs = [(tf.constant([1.0, 2.0]), "v"), (tf.constant([3.0, np.inf]), "u")]
        copied = utils.aggregate_single_gradient_using_copy(pairs, False, False)
        said["copies"] = [repr(copied), nodes(tf)]
    reducer = tf.contrib.distribute.MultiWorkerAllReduce
    for spec in ("xring", ("pscpu",), ("pscpu", 2), ("a", 1, 2, 3), [("xring", 1, 2), "x"], ()):
        said["spec-%r" % (spec,)] = say(lambda: reducer(tasks, 0, spec)._all_reduce_spec)
    mirrored = tf.distribute.MirroredStrategy
    for spec in (("pscpu/pscpu", 2, -1), [("xring", 1, 2), ("pscpu", 2, -1)], "nothing"):
        for packs in (0, 1):
            with tf.Graph().as_default():
                how = reducer(tasks, 1, spec, packs)

                def train(how=how):
                    strategy = mirrored([d + "/cpu:0" for d in tasks], how)

                    def step():
                        w = tf.get_variable("w", [3, 2], initializer=tf.ones_initializer())
                        b = tf.get_variable("b", [2], initializer=tf.ones_initializer())
                        loss = tf.reduce_sum(tf.matmul(tf.ones([2, 3]), w) + b)
                        return tf.train.GradientDescentOptimizer(0.1).minimize(loss)

                    with strategy.scope():
                        update = strategy.group(strategy.experimental_run_v2(step))
                        dataset = tf.data.Dataset.range(8).batch(4)
                        iterator = strategy.make_dataset_iterator(dataset)
                        iterator.get_next()
                        contexts = []
                        strategy.make_input_fn_iterator(lambda c: contexts.append(c) or dataset)
                    extended = strategy.extended
                    return [
                        update.name, extended.worker_devices, strategy.num_replicas_in_sync,
                        [(c.num_input_pipelines, c.input_pipeline_id) for c in contexts],
                    ]  # fmt: skip

                said["mirrored-%r-%d" % (spec, packs)] = [say(train), nodes(tf)]
    said["mirrored-none"] = say(lambda: mirrored([d + "/cpu:0" for d in tasks]))
    said["mirrored-mixed"] = say(lambda: mirrored([tasks[0] + "/cpu:0", "/cpu:0"]))
    return said
