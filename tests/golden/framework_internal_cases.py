"""What `tensorflow.python.framework` and its neighbours do below their public names: cases as in
internal_cases.py.
"""

from __future__ import annotations

import abc
import collections

import numpy as np
from internal_cases import case, error, internal


def _graph(tf):
    graph = tf.get_default_graph()
    return [
        [op.type, op.name, [t.name for t in op.inputs], sorted(c.name for c in op.control_inputs)]
        for op in graph.get_operations()
    ]


@case
def subscriptions(tf):
    subscribe = internal("framework.subscribe").subscribe
    seen = []

    def note(mark):
        return lambda t: [tf.py_func(lambda x: seen.append([mark, int(x)]), [t], [])]

    a = tf.constant(1, name="a")
    b = tf.add(a, 2, name="b")
    with tf.control_dependencies([b]):
        c = tf.multiply(a, 5, name="c")
    pair = collections.namedtuple("pair", "x y")
    result = subscribe({"p": pair(a, [b])}, note(1))
    again = subscribe(b, [note(2), note(3)])
    said = [str(result), str(again), str(subscribe(tf.Variable(2, name="v"), note(4)))]
    said.append(str(subscribe(tf.FIFOQueue(1, [tf.int32]).queue_ref, note(5))))
    branch = []
    tf.cond(tf.constant(True), lambda: branch.append(tf.negative(a)) or branch[0], lambda: b)
    inside = subscribe(branch[0], note(6))
    said += [error(subscribe, 3, note(1)), str(inside), _graph(tf)]
    with tf.Session() as session:
        said.append([int(session.run(t)) for t in (c, result["p"].x, again)])
    return said + [sorted(seen)]


@case
def parts_of_graphs_as_functions(tf):
    convert = internal("framework.graph_to_function_def").graph_to_function_def
    graph = tf.get_default_graph()
    x = tf.placeholder(tf.float32, [2], name="x")
    parts = tf.split(x, 2, name="s")
    y = tf.add(parts[1], tf.random_uniform([1], seed=3), name="y")
    with tf.control_dependencies([y]):
        z = tf.stack([parts[0], y], name="z")
    operations = graph.get_operations()
    return [
        str(convert(graph, operations, [x], [z, z])),
        str(convert(graph, operations[1:3], [], [parts[1]], ["out"])),
        error(convert, graph, operations, [x], [z], ["a", "b"]),
        error(convert, graph, operations, [x], [z, y], ["a", "a"]),
    ]


@case
def seeds_as_states(tf):
    module = internal("ops.stateful_random_ops")
    names = (
        "MAX_INT64 MIN_INT64 UINT64_SPAN SEED_TYPE SEED_MIN SEED_MAX SEED_UINT_SPAN "
        "SEED_TYPE_BITS SEED_BIT_MASK SEED_SIZE STATE_TYPE ALGORITHM_TYPE RNG_ALG_PHILOX "
        "PHILOX_STATE_SIZE THREEFRY_STATE_SIZE"
    )
    said = [[name, getattr(module, name)] for name in names.split()]
    said += [module._uint_to_int(2**63), module._get_state_size(2)]
    for seed in (5, -1, 2**70, [1, 2, 3, 4, 5], [2**64 - 1], np.array([7])):
        said.append(module._make_1d_state(3, seed).tolist())
        said.append(module._make_state_from_seed(seed, 2).tolist())
    return said + [error(module._make_state_from_seed, 1, 9)]


@case
def collective_operations(tf):
    module = internal("ops.collective_ops")
    said = [error(module.all_reduce, tf.constant([1.0]), 2, 1, 1, "Add", "Id")]
    with tf.device("/cpu:0"):
        t = tf.constant([1.0], name="t")
        said += [
            error(module.all_reduce, t, 1, 1, 1, "Add", "Id"),
            error(module.all_gather, t, 1, 1, 1),
            error(module.broadcast_send, t, [2], tf.float32, 2, 1, 1),
            error(module.broadcast_send, t, [1], tf.int32, 2, 1, 1),
            error(module.broadcast_recv, [1], tf.int32, 1, 1, 1),
            str(module.all_reduce(t, 2, 1, 1, "Add", "Div", (0, 1)).op.node_def),
            str(module.all_gather(t, 2, 1, 2).op.node_def),
            str(module.broadcast_send(t, [1], tf.float32, 2, 1, 3).op.node_def),
            str(module.broadcast_recv([1], tf.float32, 2, 1, 4, "ring").op.node_def),
        ]
    return said


@case
def walks_over_graphs(tf):
    module = internal("ops.op_selector")
    x = tf.placeholder(tf.float32, [], name="x")
    c = tf.constant(1.0, name="c")
    with tf.control_dependencies([c]):
        y = tf.add(x, tf.placeholder(tf.float32, [], name="w"), name="y")
    z = tf.square(y, name="z")
    said = [[op.name for op in module.graph_inputs(y.op)]]
    visited, outputs = {x.op}, collections.defaultdict(set)
    found = module.map_subgraph(z, {x}, None, visited, outputs, True)
    said += [sorted(t.name for t in found), sorted(op.name for op in visited)]
    said.append(sorted([k.name, sorted(op.name for op in v)] for k, v in outputs.items()))
    return said + [
        error(module.map_subgraph, z, set(), None, set(), collections.defaultdict(set), False),
        error(module.map_subgraph, z, set(), [c.op], set(), collections.defaultdict(set), True),
    ]


@case
def locally_connected_products(tf):
    module = internal("keras.layers.local")
    said = []
    for layout in ("channels_first", "channels_last", "other"):
        made = error(module.get_locallyconnected_mask, (4,), (2,), (1,), "valid", layout)
        said.append(made if made[0] != "nothing" else list(
            module.get_locallyconnected_mask((4,), (2,), (1,), "valid", layout).shape
        ))  # fmt: skip
    said.append(str(module.make_2d(tf.zeros([2, 3, 4]), 1)))
    shape = tf.TensorShape([None, 2, 2])
    inputs = tf.placeholder(tf.float32, [None, 2, 3], name="x")
    mask = np.ones((2, 3, 2, 2), np.float32)
    said.append(str(module.local_conv_matmul(inputs, tf.ones([2, 3, 2, 2]), mask, shape)))
    places = [[0, 0], [3, 5]]
    kernel = tf.constant([1.0, 2.0])
    said.append(str(module.local_conv_sparse_matmul(inputs, kernel, places, (4, 6), shape)))
    return said + [_graph(tf)]


@case
def padded_sequences(tf):
    module = internal("keras.layers.recurrent_v2")
    mask = tf.constant([[True, True, False], [True, False, True]])
    values = [
        module.is_sequence_right_padded(mask, False),
        module.is_sequence_right_padded(mask[:1], False),
        module.is_sequence_right_padded(mask, True),
        module.calculate_sequence_by_mask(mask, False),
        module.calculate_sequence_by_mask(mask, True),
    ]
    with tf.Session() as session:
        return [v.tolist() for v in session.run(values)] + [_graph(tf)]


@case
def ordered_effects(tf):
    deps = internal("framework.auto_control_deps").automatic_control_dependencies
    v = tf.Variable(1.0, use_resource=True, name="v")

    @deps
    def step(x):
        v.assign_add(x)
        return v.read_value(), {"a": x}

    read, others = step(tf.constant(2.0))
    with tf.Session() as session:
        session.run(v.initializer)
        value = float(session.run(read))
    return [value, sorted(others), step.__name__, _graph(tf)]


@case
def texts_of_queue_runners(tf):
    queue = tf.FIFOQueue(2, [tf.int32], name="q")
    kinds = (tf.errors.OutOfRangeError, tf.errors.CancelledError)
    runner = tf.train.QueueRunner(queue, [queue.enqueue(1)], queue_closed_exception_types=kinds)
    again = tf.train.QueueRunner.from_proto(runner.to_proto())
    return [str(runner.to_proto()), [kind.__name__ for kind in again.queue_closed_exception_types]]


@case
def shards_of_files(tf):
    name = internal("training.saving.functional_saver").sharded_filename
    with tf.Session() as session:
        return session.run(name(tf.constant("a"), 1, tf.constant(3))).decode()


@case
def conversions_of_users(tf):
    ops = internal("framework.ops")
    slices = tf.IndexedSlices(tf.constant([1]), tf.constant([0]))
    convert = ops.internal_convert_to_tensor_or_indexed_slices
    graph = tf.get_default_graph()

    def attrs(value):
        with graph._attr_scope(value):
            tf.no_op()

    def labels(value):
        with graph._kernel_label_map(value):
            tf.no_op()

    tf.constant(1, name="first")
    version = graph.version
    tf.constant(2, name="second")
    return [
        convert(slices) is slices,
        error(convert, slices, tf.float32),
        error(ops.internal_convert_to_tensor_or_composite, None),
        error(attrs, {"_a": 3}),
        error(labels, {"Const": 1}),
        error(ops.Tensor._override_operator, "__or__", abs),
        [node.name for node in graph.as_graph_def(from_version=version).node],
        internal("framework.type_spec").type_spec_from_value(np.ones([2])).shape.as_list(),
        len(graph.get_operations()),
    ]


@case
def unwritten_elements(tf):
    array = tf.TensorArray(tf.float32, size=3)
    array.write(0, [1.0, 2.0])
    said = []
    with tf.Session() as session:
        for value in (array.stack(), array.gather([1])):
            said.append(session.run(value).tolist())
        for value in (array.read(0), array.concat()):
            said.append(error(session.run, value)[0])
        fed = tf.placeholder(tf.int32, [None])
        said.append(session.run(array.gather(fed), {fed: [2, 0]}).tolist())
    return said


@case
def handles_and_what_they_lead_to(tf):
    resources = internal("ops.resource_variable_ops")
    copy = internal("ops.custom_gradient").copy_handle_data
    v = tf.Variable(tf.zeros([2, 3]), use_resource=True)
    plain = tf.placeholder(tf.resource, name="plain")
    said = [str(resources.get_resource_handle_data(t)) for t in (v.handle, plain)]
    copy(v.handle, plain)
    said.append(str(resources.get_eager_safe_handle_data(plain)))
    copy(v.handle, tf.constant(1))
    table = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1)
    handle = table.resource_handle
    return said + [str(resources.get_resource_handle_data(handle))]


@case
def resources_that_are_tracked(tf):
    tracking = internal("training.tracking.tracking")
    wrap = internal("training.tracking.data_structures").sticky_attribute_assignment
    said, destroyed = [], []

    class Resource(tracking.TrackableResource):
        def _create_resource(self):
            return tf.constant(1)

    outer, inner = tracking.ResourceTracker(), tracking.ResourceTracker()
    with tracking.resource_tracker_scope(outer):
        first = Resource()
        with tracking.resource_tracker_scope(inner):
            second = Resource(device="cpu:0")
    Resource()
    said += [[x is y for x, y in zip(outer.resources, (first, second))], len(inner.resources)]
    deleter = tracking.CapturableResourceDeleter(lambda: destroyed.append(1))
    deleter.destroy_resource()
    del deleter
    said += [destroyed, tracking.CapturableResourceDeleter().destroy_resource()]
    calls = []

    class Owner(tracking.AutoTrackable):
        @property
        @tracking.cached_per_instance
        def part(self):
            calls.append(1)
            return 3

    owner = Owner()
    said += [owner.part + owner.part, len(calls)]
    values = [wrap(owner, "v%d" % i, value) for i, value in enumerate((3, [4], {"a": 5}))]
    said.append([type(value).__name__.lstrip("_") for value in values])
    return said + [sorted(ref.name for ref in owner._checkpoint_dependencies)]


@case
def small_parts(tf):
    division = internal("ops.math_ops").DivideDelegateWithName
    x = tf.constant(7, name="x")
    said = [(division(x, "q") / 2).name, (division(x, "f") // 2).name]
    said += [division(x, "d").__div__(2).name]
    arrays = internal("ops.array_ops")
    said += [arrays.NEW_AXIS, arrays.SHRINK_AXIS]
    prefix = internal("platform.tf_logging").google2_log_prefix
    text = prefix(tf.logging.WARN, 86400.25 * 3, ("a/b.py", 7))
    said += [text[0], text[5], text[-8:], prefix(12345, 1.0, ("c.py", 1))[0]]
    deps = internal("framework.auto_control_deps")
    said += [sorted(deps.ASYNC_STATEFUL_OPS), sorted(deps.LEGACY_RANDOM_OPS)]
    backend = internal("keras.backend")
    said += [backend.py_all([1, 0]), backend.py_any([1, 0]), backend.py_sum([1, 2])]
    said += [backend.get_default_graph_uid_map() == {}, backend.is_tpu_strategy(None)]
    v = tf.Variable(1.0)
    read = backend.cast_variables_to_tensor({"v": v, "x": x})
    said += [read["v"].op.type, read["x"] is x]
    numbers = internal("ops.random_ops").multinomial_categorical_impl
    drawn = numbers([[1.0, 2.0]], 3, tf.int32, 5)
    numbers = internal("ops.stateless_random_ops").stateless_multinomial_categorical_impl
    said += [str(t.op.node_def) for t in (drawn, numbers([[1.0, 2.0]], 3, tf.int64, [1, 2]))]
    creators = internal("ops.variable_scope")
    made = creators.default_variable_creator_v2(None, initial_value=3, name="m")
    said += [made.name, type(made).__name__]
    with creators.variable_creator_scope_v1(lambda next_creator, **kwargs: 5):
        said.append(tf.Variable(1))
    filtered = internal("training.optimizer").get_filtered_grad_fn(lambda k: [(k, 1), (None, 2)])
    said += [filtered(4), internal("saved_model.constants").SAVED_MODEL_FILENAME_JSON]
    return said + [internal("platform.googletest").StatefulSessionAvailable()]


@case
def bodies_of_functions(tf):
    convert = internal("framework.function_def_to_graph")
    module = internal("framework.func_graph")
    function = internal("framework.function")

    @function.Defun(tf.float32, tf.int32)
    def body(x, n):
        parts = tf.split(x, 2)
        with tf.control_dependencies([n]):
            return tf.add(parts[1], 2.0), tf.identity(n)

    body.add_to_graph(tf.get_default_graph())
    said = [convert.is_function(body.name), convert.is_function("other")]
    for shapes in (None, [tf.TensorShape([4]), None]):
        graph_def, names = convert.function_def_to_graph_def(body.definition, shapes)
        said.append([[n.op, n.name, list(n.input), sorted(n.attr)] for n in graph_def.node])
        said += [sorted(names.items()), [f.signature.name for f in graph_def.library.function]]
    said.append(error(convert.function_def_to_graph_def, body.definition, [None]))
    said.append([str(key) for key in module.WHITELIST_COLLECTIONS[:3]])
    outer, seen = tf.constant(1, name="outer"), []

    @tf.function
    def inside():
        y = tf.add(outer, 1)
        for t in y.op.inputs:
            seen.append([module.maybe_captured(t).name, module.maybe_captured(t) is t])
        return y

    inside()
    graph = tf.get_default_graph()
    for device in ("/cpu:0", lambda op: "/cpu:0", None):
        with tf.device(device):
            said.append(module.device_stack_has_callable(graph._device_function_stack))
    return said + [seen, module.maybe_captured(outer) is outer]


@case
def numbers_of_arrays_in_protos(tf):
    fast, util = internal("framework.fast_tensor_util"), internal("framework.tensor_util")
    said = []
    for name, dtype, values in (
        ("Float32", np.float32, [1.5, 2.5]), ("Float64", np.float64, [1.5]),
        ("Int32", np.int32, [-3]), ("Int64", np.int64, [4]), ("UInt8", np.uint8, [5]),
        ("Int8", np.int8, [-6]), ("Bool", np.bool_, [True, False]),
        ("Complex64", np.complex64, [1 + 2j]), ("Complex128", np.complex128, [3 - 4j]),
        ("Float16", np.float16, [1.5]), ("Object", object, [b"a", b"b"]),
        ("UInt32", np.uint32, [7]), ("UInt64", np.uint64, [8]),
    ):  # fmt: skip
        array = np.array(values, dtype)
        proto = internal("framework.tensor_util").make_tensor_proto(0).__class__()
        bits = array.view(np.uint16) if dtype is np.float16 else array
        getattr(fast, "Append%sArrayToTensorProto" % name)(proto, bits)
        util.GetNumpyAppendFn(array.dtype)(proto, array)
        said.append(str(proto))
    text = internal("framework.tensor_util").make_tensor_proto(0).__class__()
    util.GetNumpyAppendFn(np.dtype("S2"))(text, np.array([b"ab"]))
    return said + [str(text)]


def _trained(tf, kind, settings, x):
    dense = {"kernel_initializer": "ones", "kernel_constraint": "max_norm"}
    layers = [tf.keras.layers.Dense(3, input_shape=(4,), name="a", **dense)]
    model = tf.keras.Sequential(layers + [tf.keras.layers.Dense(1, name="b")])
    optimizer = kind(**settings)
    model.compile(optimizer, "mse")
    model.set_weights([np.ones(w.shape, np.float32) for w in model.get_weights()])
    losses = model.fit(x, x[:, :1] * 2, 4, 3, verbose=0, shuffle=False).history["loss"]
    config = sorted(optimizer.get_config().items())
    ops = [op for op in tf.get_default_graph().get_operations() if "Init" not in op.type]
    weights = optimizer.get_weights()
    optimizer.set_weights([w * 0 for w in weights])
    return [
        ["%.4g" % loss for loss in losses],
        [[k, v if isinstance(v, bool) else "%.6g" % v] for k, v in config],
        [[op.type, op.name, [t.name for t in op.inputs]] for op in ops],
        [list(w.shape) for w in weights],
        error(optimizer.set_weights, []),
        internal("keras.optimizers").get(optimizer) is optimizer,
        type(kind.from_config(optimizer.get_config())).__name__,
    ]


@case
def optimizers_of_keras_before_slots(tf):
    optimizers = internal("keras.optimizers")
    said = []
    x = np.linspace(-1, 1, 32).reshape(8, 4).astype(np.float32)
    for name, settings in (
        ("SGD", {"momentum": 0.9, "nesterov": True, "clipnorm": 1.0}), ("SGD", {}),
        ("RMSprop", {}), ("Adagrad", {"clipvalue": 0.05}), ("Adadelta", {}),
        ("Adam", {}), ("Adam", {"amsgrad": True}), ("Adamax", {}), ("Nadam", {}),
    ):  # fmt: skip
        with tf.Graph().as_default():
            said += _trained(tf, getattr(optimizers, name), settings, x)
    for wrong in ({"clip": 1}, {"clipnorm": -1}):
        said.append(error(optimizers.SGD, **wrong))
    return said + [issubclass(optimizers.TFOptimizer, optimizers.Optimizer)]


@case
def abstract_variables(tf):
    module = internal("ops.variables")

    class Mine(module.AbstractVariable):
        @abc.abstractmethod
        def other(self):
            pass

    class Whole(Mine):
        def __init__(self, *args, **kwargs):
            self.given = args

        def other(self):
            return self.given

    x = tf.placeholder(tf.float32, [2, 1], name="x")
    unit = internal("ops.random_grad").add_leading_unit_dimensions
    said = [error(Mine, 1)[0], [int(x) for x in Whole(3).other()], issubclass(Mine, tf.Variable)]
    return said + [unit(x, 2).name, _graph(tf)]
