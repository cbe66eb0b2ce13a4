"""What TF's graph optimizer says of graphs when it is asked by hand."""

import tensorflow as tf
from tensorflow.core.protobuf import config_pb2, device_properties_pb2, rewriter_config_pb2
from tensorflow.python.framework import meta_graph
from tensorflow.python.grappler import cluster, item, tf_optimizer
from tensorflow.python.ops import gen_array_ops

OFF = rewriter_config_pb2.RewriterConfig.OFF
NAMES = (
    "constant_folding", "arithmetic_optimization", "dependency_optimization", "loop_optimization",
    "function_optimization", "shape_optimization", "remapping",
)  # fmt: skip


def metagraph(build):
    with tf.Graph().as_default() as graph:
        build()
        return meta_graph.create_meta_graph_def(graph=graph)


def described(output):
    value = tf.make_ndarray(output.value).tolist() if output.HasField("value") else None
    return tf.as_dtype(output.dtype), tf.TensorShape(output.shape), value


def wanted(*tensors):
    tf.get_collection_ref("train_op").extend(tensors)


def constants():
    a = tf.constant(10, name="a")
    b = tf.constant(20, name="b")
    wanted(tf.identity(tf.add(a, b, name="c"), name="d"))
    tf.identity(a, name="e")


def collected():
    constants()
    tf.add_to_collection("mine", tf.get_default_graph().get_tensor_by_name("e:0"))


def trained():
    x = tf.placeholder(tf.float32, [2, 3])
    w = tf.get_variable("w", [3, 4])
    loss = tf.reduce_sum(tf.matmul(x, w))
    wanted(tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss))


def referenced():
    c = tf.constant([10])
    v = tf.Variable([3], dtype=tf.int32)
    gen_array_ops.ref_identity(v)
    u = tf.get_variable("u", [2], use_resource=True)
    wanted(tf.assign(v, c), u.assign_add([1.0, 2.0]))


def queued():
    constants()
    queue = tf.FIFOQueue(3, [tf.int32])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(tf.constant(1))]))


def handed_on():
    a = tf.constant(1.0, name="a")
    c = tf.identity(tf.identity(a, name="b"), name="c")
    x = tf.placeholder(tf.float32, name="x")
    v = tf.Variable(1.0, name="v")
    wanted(tf.sqrt(c, name="d"), tf.identity(v, name="g") * x)
    with tf.control_dependencies([c]):
        wanted(tf.identity(x, name="h") + 1.0)
    with tf.control_dependencies([tf.no_op(name="n")]):
        wanted(tf.sqrt(tf.stop_gradient(x), name="root"))


def shaped():
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    y = tf.placeholder(tf.float32, [None, 3], name="y")
    side = tf.identity(x, name="side")
    with tf.control_dependencies([side]):
        step = tf.shape(x)[0] + 1
    wanted(step, tf.shape(y, name="shape"), tf.range(tf.rank(y), name="range"))
    wanted(tf.random_normal([2], 2.0, 3.0, name="normal"), tf.tile(y, [2, 1]))


for build in (constants, trained, referenced, queued, shaped):
    of = item.Item(metagraph(build))
    print(build.__name__, of.IdentifyImportantOps(sort_topologically=True))
    print(sorted(sorted(group) for group in of.GetColocationGroups()))
    if build not in (trained, shaped):  # Where placeholders are fed, TF guesses their shapes.
        for name, outputs in sorted(of.GetOpProperties().items()):
            print(name, [described(output) for output in outputs])
with cluster.Provision() as provided:
    for build in (constants, trained, referenced, shaped):
        usage = provided.DeterminePeakMemoryUsage(item.Item(metagraph(build)))
        peak, tensors = usage["/job:localhost/replica:0/task:0/device:CPU:0"]
        print(peak, sorted(tensors), [usage[name] for name in usage if "XLA_CPU" in name])
    try:
        cluster.Cluster()
    except tf.errors.UnavailableError as error:
        print(error.message)
    print(provided.GetSupportedDevices(item.Item(metagraph(constants)))["c"])
    costs, seconds, steps = provided.MeasureCosts(item.Item(metagraph(shaped)))
    print(costs, seconds > 0, str(steps))
    print([device.name for device in provided.ListDevices() if device.properties.type])
    print("MatMul" in provided.ListAvailableOps())
for kind in ("CPU", "GPU", "TPU"):
    device = device_properties_pb2.NamedDevice(name="/%s:0" % kind)
    device.properties.type = kind
    device.properties.frequency = 1234
    device.properties.num_cores = 3
    for architecture in ("2", "3.5", "5.2", "7.5"):
        device.properties.environment["architecture"] = architecture
        with cluster.Provision(devices=[device]) as provided:
            print(kind, provided.EstimatePerformance(device), provided.ListDevices() == [device])
            print(sorted(provided.GetSupportedDevices(item.Item(metagraph(constants))).items()))
print(provided.ListDevices(), provided.tf_cluster)
try:
    provided.GetSupportedDevices(item.Item(metagraph(constants)))
except ValueError as error:
    print(error)

changing = item.Item(metagraph(constants))
first = changing.tf_item
print(changing.tf_item == first)
for node in changing.metagraph.graph_def.node:
    node.device = "/cpu:0"
second = changing.tf_item
print(second == first, changing.tf_item == second)


def show(build, *optimizers, **switches):
    config = config_pb2.ConfigProto()
    options = config.graph_options.rewrite_options
    options.optimizers[:] = optimizers
    options.min_graph_nodes = switches.pop("fewest", -1)
    for name, value in switches.items():
        setattr(options, name, value)
    try:
        graph = tf_optimizer.OptimizeGraph(config, metagraph(build), verbose=False)
    except (tf.errors.InvalidArgumentError, TypeError) as error:
        print(type(error).__name__, error)
        return
    print(build.__name__, optimizers, sorted(switches))
    for node in sorted(graph.node, key=lambda node: node.name):
        shown = tf.make_ndarray(node.attr["value"].tensor).tolist() if node.op == "Const" else ""
        attrs = sorted(name for name in node.attr if not name.startswith("_"))
        print("  ", node.name, node.op, list(node.input), attrs, shown)


off = dict.fromkeys(NAMES, OFF)
for build in (constants, collected, trained, referenced, queued, handed_on):
    show(build, **off)
    show(build, disable_model_pruning=True, **off)
    show(build, "pruning")
    show(build, "unheard of")
for build in (constants, collected, queued, shaped):
    show(build, "constfold")
show(shaped, "pruning", "constfold")
show(constants, "constfold", fewest=0)
show(constants, "constfold", fewest=6)
show(constants)
for build in (lambda: None, lambda: wanted("none:0")):
    show(build, "constfold")
    try:
        item.Item(metagraph(build))
    except tf.errors.InvalidArgumentError as error:
        print(error)
try:
    tf_optimizer.OptimizeGraph(None, metagraph(constants))
except TypeError:
    print("TypeError")
