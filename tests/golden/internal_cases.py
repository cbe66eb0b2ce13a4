"""What TF's internal modules, and parts that its tests lean on, do: cases that say what they found.

A case is a function of tf that returns something JSON can hold. Those in EAGER run eagerly, the
others in a graph of their own. Runs under the real TensorFlow 1.15 (Python 3.7), too.
"""

from __future__ import annotations

import importlib
import re

import numpy as np

CASES = {}
EAGER = set()


def case(function):
    CASES[function.__name__] = function
    return function


def eager(function):
    EAGER.add(function.__name__)
    return case(function)


def internal(name):
    return importlib.import_module("tensorflow.python." + name)


def error(function, *args, **kwargs):
    """The class and the first line of what a call raises."""
    try:
        result = function(*args, **kwargs)
    except Exception as caught:
        lines = str(getattr(caught, "message", caught)).splitlines() or [""]
        return [type(caught).__name__, re.sub(r"<class '[\w.]+\.", "<class '", lines[0])]
    return ["nothing", repr(result)]


def nodes(tf):
    return [[op.name, op.type] for op in tf.get_default_graph().get_operations()]


def numbers(value):
    return np.asarray(value).tolist()


def run(tf, fetches, feed_dict=None):
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return sess.run(fetches, feed_dict)


def _scaled(tf):
    def scaled(x, k=2):
        v = tf.get_variable("v", [], initializer=tf.ones_initializer())
        w = tf.get_variable("w", [], initializer=tf.zeros_initializer(), trainable=False)
        return x * v * k + w

    return scaled


def _names(template):
    return [
        [v.name for v in variables]
        for variables in (
            template.variables,
            template.trainable_variables,
            template.non_trainable_variables,
            template.local_variables,
        )
    ]


@eager
def eager_templates(tf):
    scaled = _scaled(tf)
    first = tf.make_template("s", scaled)
    said = [type(first).__name__, float(first(tf.constant(3.0))), float(first(tf.constant(4.0)))]
    said += [_names(first), first.variable_scope_name]
    second = tf.make_template("s", scaled, create_scope_now_=True, k=5)
    said += [float(second(tf.constant(1.0))), _names(second)]
    said += [error(tf.make_template, "s", scaled, unique_name_="u")]
    made = []

    def another(x):
        made.append(0)
        return x * tf.get_variable("b%d" % len(made), [])

    growing = tf.make_template("growing", another)
    growing(tf.constant(1.0))
    said += [error(growing, tf.constant(1.0))[0]]
    return said


@eager
def nested_eager_templates(tf):
    scaled = _scaled(tf)

    def outer(x):
        return tf.make_template("in", scaled)(x) + tf.make_template("in", scaled)(x)

    template = tf.make_template("out", outer)
    values = [float(template(tf.constant(x))) for x in (1.0, 2.0)]
    return [values, _names(template)]


@case
def nested_templates(tf):
    scaled = _scaled(tf)

    def outer(x):
        return tf.make_template("in", scaled)(x) + tf.make_template("in", scaled)(x)

    template = tf.make_template("out", outer)
    template(tf.constant(1.0))
    template(tf.constant(2.0))
    return [_names(template), nodes(tf)]


@case
def template_of_a_graph_function(tf):
    template = internal("ops.template")
    made = template.make_template_internal("g", _scaled(tf), create_graph_function_=True)
    made(tf.constant(1.0))
    made(tf.constant(1.0))
    said = [_names(made), nodes(tf)]
    return [*said, error(template.EagerTemplate, "x", _scaled(tf))]


@eager
def eager_variable_store(tf):
    store = tf.contrib.eager.EagerVariableStore()
    with store.as_default():
        a = tf.get_variable("a", [], initializer=tf.ones_initializer())
        b = tf.get_variable("b", [], initializer=tf.ones_initializer(), trainable=False)
        said = [tf.get_variable("a", []) is a, tf.get_variable("b", [], trainable=False) is b]
    copied = store.copy()
    a.assign(3.0)
    said += [[v.name for v in s.variables()] for s in (store, copied)]
    said += [[float(v.numpy()) for v in s.variables()] for s in (store, copied)]
    said += [[v.name for v in store.trainable_variables()]]
    said += [[v.name for v in store.non_trainable_variables()]]
    with tf.variable_scope("s", reuse=tf.AUTO_REUSE):
        said += [tf.get_variable("c", []) is tf.get_variable("c", [])]
    return said


@case
def errors_by_code(tf):
    errors_impl = internal("framework.errors_impl")
    said = []
    for code in range(1, 17):
        made = errors_impl._make_specific_exception(None, None, "text", code)
        said.append([type(made).__name__, str(made), made.error_code])
    said.append(errors_impl.INVALID_ARGUMENT)
    return [*said, issubclass(errors_impl.OperatorNotAllowedInGraphError, TypeError)]


@case
def dtype_tables(tf):
    dtypes = internal("framework.dtypes")
    said = [dtypes._TYPE_TO_STRING[dtypes._STRING_TO_TF[name].as_datatype_enum]
            for name in ("qint8", "quint16_ref", "variant", "float")]  # fmt: skip
    return [*said, dtypes._NP_TO_TF[np.float32].name, dtypes.qint32.as_datatype_enum]


@case
def old_summaries(tf):
    logging_ops = internal("ops.logging_ops")
    logging_ops.scalar_summary(["a", "b"], [1.0, 2.0], name="numbers")
    logging_ops.histogram_summary("h", [1.0, 2.0])
    logging_ops.image_summary("i", tf.zeros([1, 2, 2, 1]))
    logging_ops.audio_summary("s", tf.zeros([1, 4]), 44100.0)
    merged = logging_ops.merge_all_summaries()
    return [merged.name, logging_ops.get_summary_op().name, logging_ops.get_summary_op().name,
            nodes(tf)]  # fmt: skip


@case
def slices_of_tensors(tf):
    math_ops = internal("ops.math_ops")
    made = math_ops._as_indexed_slices(tf.constant([[1.0], [2.0]]))
    values = run(tf, [made.values, made.indices, made.dense_shape])
    return [[numbers(v) for v in values], error(math_ops._as_indexed_slices, 1), nodes(tf)]


@case
def dependent_variables(tf):
    custom_gradient = internal("ops.custom_gradient")
    x = tf.constant(1.0)
    with tf.variable_scope("s", use_resource=True):
        v, w = tf.get_variable("v", []), tf.get_variable("w", [], trainable=False)
    tf.get_variable("unused", [])
    found = custom_gradient.get_dependent_variables([x], [x * v + w])
    return [[u.name for u in found], error(custom_gradient.get_variable_by_name, "nobody")]


@case
def batch_norm_gradient(tf):
    nn_grad = internal("ops.nn_grad")
    x = tf.constant(np.arange(8, dtype=np.float32).reshape(2, 2, 1, 2))
    scale, mean, variance = (
        tf.constant([1.0, 2.0]),
        tf.constant([0.5, 1.0]),
        tf.constant([2.0, 3.0]),
    )
    said = []
    for data_format in (b"NHWC", b"NCHW"):
        for is_training in (True, False):
            y = x if data_format == b"NHWC" else tf.transpose(x, [0, 3, 1, 2])
            found = nn_grad._BatchNormGrad(
                y * y, y, scale, mean, variance, 0.1, data_format, is_training
            )
            said.append([np.round(value, 3).tolist() for value in run(tf, list(found))])
    return said


@case
def orthogonal_kernels(tf):
    init_ops = internal("ops.init_ops")
    made = init_ops.convolutional_orthogonal_2d(gain=2.0, seed=1)([3, 3, 2, 4])
    kernel = init_ops.convolutional_delta_orthogonal(seed=1)([3, 2, 4])
    return [made.shape.as_list(), np.round(run(tf, kernel)[1], 4).tolist()]


@case
def private_names_of_gradients(tf):
    util = internal("ops.gradients_util")
    said = [util.IsTrainable(tf.constant(1)), util.IsTrainable(tf.float32), util._AsList(3)]
    x = tf.constant([1.0, 2.0])
    said += [[g.name for g in util._GradientsHelper([x * x], [x])]]
    return said + [nodes(tf)]


@case
def decorators(tf):
    tf_decorator = internal("util.tf_decorator")

    def decorated(function):
        def inner():
            return function()

        return tf_decorator.make_decorator(function, inner)

    def target():
        """What it is."""

    made = decorated(target)
    found, innermost = tf_decorator.unwrap(made)
    return [made.__name__, made.__doc__, [d.decorator_name for d in found], innermost is target]


@case
def jacobians_at_fortran_ordered_values(tf):
    value = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    x = tf.placeholder(tf.float64, [2, 3])
    y = x * x * tf.constant(np.arange(6.0).reshape(2, 3))
    with tf.Session():
        error = tf.test.compute_gradient_error(x, [2, 3], y, [2, 3], x_init_value=value)
        pairs = tf.test.compute_gradient([x], [[2, 3]], y, [2, 3], x_init_value=[value])
        return [bool(error < 1e-6)] + [np.round(np.diag(j), 3).tolist() for j in pairs[0]]


@case
def pooling_in_three_dimensions(tf):
    x = tf.constant(np.arange(54, dtype=np.float32).reshape(1, 3, 3, 3, 2))
    said = []
    for kind in ("MAX", "AVG"):
        for padding in ("VALID", "SAME"):
            said += [numbers(run(tf, tf.nn.pool(x, [2, 2, 2], kind, padding)))]
    tf.nn.pool(tf.zeros([1, 5, 5, 5, 2]), [2, 2, 2], "MAX", "VALID", dilation_rate=[2, 1, 2])
    tf.nn.pool(tf.zeros([1, 2, 3, 3, 3]), [2, 2, 2], "AVG", "VALID", data_format="NCDHW")
    return said + [nodes(tf)]


@case
def batch_norm_of_an_empty_batch(tf):
    x = tf.placeholder(tf.float32, [None, 2, 2, 3])
    outputs = tf.nn.fused_batch_norm(x, tf.ones([3]), tf.zeros([3]))
    values = run(tf, list(outputs), {x: np.zeros([0, 2, 2, 3])})
    return [str(numbers(value)) for value in values]


@case
def recomputed_gradients(tf):
    tf.get_variable_scope().set_use_resource(True)
    v = tf.get_variable("v", [], initializer=tf.constant_initializer(3.0))
    x = tf.constant(2.0)
    y = tf.recompute_grad(lambda x: x * x * v)(x)
    said = [numbers(run(tf, [y] + tf.gradients(y, [x, v])))]
    return said + [nodes(tf)]


def _batches(tf, make, count=2):
    """The batches of a queue that a sparse element is put into, and its graph."""
    sparse = tf.SparseTensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 3])
    batch = make(sparse)
    threads = tf.train.Coordinator()
    with tf.Session() as sess:
        runners = tf.train.start_queue_runners(sess, threads)
        found = [sess.run(batch) for _ in range(count)]
        threads.request_stop()
        threads.join(runners)
    parts = []
    for value in found:
        for part in value if isinstance(value, list) else [value]:
            is_sparse = isinstance(part, tf.SparseTensorValue)
            parts.append([numbers(x) for x in part] if is_sparse else numbers(part))
    return [parts, nodes(tf)]


@case
def batches_of_sparse_tensors(tf):
    return _batches(tf, lambda s: tf.train.batch([s, tf.constant(7)], 2))


@case
def one_sparse_tensor_alone(tf):
    return _batches(tf, lambda s: tf.train.batch([s], 2))


@case
def joined_batches_of_sparse_tensors(tf):
    return _batches(tf, lambda s: tf.train.batch_join([[s, 1], [s, 1]], 3))


@case
def batches_of_rows_of_sparse_tensors(tf):
    return _batches(
        tf, lambda s: tf.train.shuffle_batch([s, [1, 1]], 2, 8, 0, enqueue_many=True), 0
    )


@case
def batches_of_kept_sparse_tensors(tf):
    keep = tf.placeholder_with_default(True, [])
    return _batches(tf, lambda s: tf.train.maybe_batch([s, 1], keep, 2))


@case
def batches_of_kept_rows(tf):
    keep = tf.constant([False, True])
    return _batches(tf, lambda s: tf.train.maybe_batch([s, [1, 2]], keep, 2, enqueue_many=True))


@case
def inconsistent_sparse_tensors(tf):
    sparse = tf.SparseTensor([[0]], [1.0], [2])
    return [error(tf.train.batch_join, [[sparse], [tf.constant([1])]], 2)[0]]


@case
def equal_messages(tf):
    compare = internal("util.protobuf.compare")
    said = []
    for a, b in (
        (tf.NodeDef(name="a"), tf.NodeDef(name="b")),
        (tf.NodeDef(name="a", input=["x"]), tf.NodeDef(name="a", input=["x"])),
        (tf.NodeDef(name="a", input=["x"]), tf.NodeDef(name="a", input=["x", "x"])),
        (tf.AttrValue(f=0.1), tf.AttrValue(f=0.1000001)),
    ):

        class Case(compare.ProtoAssertions, tf.test.TestCase):
            def runTest(self):
                pass

        said.append([compare.ProtoEq(a, b), error(Case().assertProtoEqual, a, b)[0]])
        said.append(error(Case().assertProtoEqual, a, b, normalize_numbers=True)[0])
    return said


@case
def calls(tf):
    tf_stack = internal("util.tf_stack")
    stack = list(tf_stack.extract_stack())
    (last,) = tf_stack.convert_stack(tf_stack.extract_stack(limit=1))
    return [stack[-1].name, last[2:], len(tf_stack.convert_stack(stack, True)[0])]


@case
def group_locks(tf):
    lock_util = internal("util.lock_util")
    lock = lock_util.GroupLock(2)
    with lock.group(0), lock.group(0):
        said = [error(lock.group, 2)]
    with lock.group(1):
        said += [error(lock_util.GroupLock, 0)]
    return said


@case
def json_of_objects(tf):
    get_json_type = internal("util.serialization").get_json_type
    values = (np.float32(2), np.ones([2]), tf.keras.layers.Dense(2, name="d"), json_of_objects, int,
              tf.TensorShape([1, None]), tf.Dimension(3), {"a": 1})  # fmt: skip
    said = [get_json_type(value) for value in values]
    said[2] = [said[2]["class_name"], said[2]["config"]["units"]]
    return said + [error(get_json_type, object())[0]]


@eager
def eager_contexts(tf):
    context = internal("eager.context")
    current = context.context()
    said = [current.executing_eagerly(), current.device_name, current.scope_name]
    said += [context.num_gpus(), context.shared_name("a"), len(context.shared_name())]
    with context.namescope("n/"), context.device("cpu:0"):
        said += [context.scope_name(), current.device_name, current.device_spec.to_string()]
    context.set_global_seed(3)
    said += [context.global_seed(), [context.internal_operation_seed() for _ in range(2)]]
    with context.graph_mode():
        said += [context.executing_eagerly(), context.shared_name()]
    context.set_global_seed(None)
    return said


def _nodes(tf):
    nodes = tf.get_default_graph().as_graph_def().node
    return [[node.name, node.op, list(node.input)] for node in nodes]


@case
def tags_of_messages(tf):
    messages = [
        "123{{node Foo}}456{{node a/b}}789{{x}} {{node }} {{function_node f}} {{ node q}}",
        "{{a b c}}{{node x}",
        "no tags",
    ]
    interpolation = internal("framework.error_interpolation")
    said = [interpolation.parse_message(message) for message in messages]
    text = "{{function_node f}}a {{node none}}, {{other x}}"
    return [repr(said), interpolation.interpolate(text, tf.get_default_graph())]


@case
def messages_for_tensorboard(tf):
    log = internal("training.tensorboard_logging")
    said = []

    class Writer:
        def add_event(self, event):
            said.append([event.log_message.level, event.log_message.message])

    said += [error(log.info, "x"), error(log.set_verbosity, "loud"), log.get_verbosity()]
    log.set_summary_writer(Writer())
    level, _ = tf.logging.get_verbosity(), tf.logging.set_verbosity(tf.logging.FATAL + 1)
    try:
        log.info("a %d", 1)
        log.error("b %s", "c")
        log.set_verbosity("DEBUG")
        log.debug("d")
        log.warn("e")
        log.fatal("f")
        log.set_summary_writer(None)
        log.warn("nobody reads it")
    finally:
        tf.logging.set_verbosity(level)
        log.set_verbosity("WARN")
        log._clear_summary_writer()
    return said + [error(log.log, "loud", "x")]


@case
def datasets_with_threads(tf):
    threadpool = internal("data.experimental.ops.threadpool")
    dataset = tf.data.Dataset.range(3).map(lambda x: x + 1, 2)
    dataset = threadpool.override_threadpool(dataset, threadpool.PrivateThreadPool(2, "pool"))
    iterator = tf.data.make_initializable_iterator(dataset)
    x = iterator.get_next()
    with tf.Session() as session:
        session.run(iterator.initializer)
        found = [int(session.run(x)) for _ in range(3)]
    return [str(dataset), found, _nodes(tf)]


@case
def interface_of_sessions(tf):
    interface = internal("client.session").SessionInterface
    bare = interface()
    with tf.Session() as session:
        said = [isinstance(session, interface)]
    said += [error(getattr, bare, name) for name in ("graph", "sess_str")]
    said += [error(bare.run, 1), error(bare.partial_run, 1, 2), error(bare.partial_run_setup, 1)]
    wrapper = internal("debug.wrappers.framework").BaseDebugWrapperSession
    return said + [issubclass(wrapper, interface)]


@case
def bases_of_layers(tf):
    pooling = internal("keras.layers.pooling")
    x = tf.placeholder(tf.float32, [2, 3, 4])
    said = []
    for kind, rank in (("1D", 3), ("2D", 4), ("3D", 5)):
        layer = getattr(pooling, "GlobalPooling" + kind)(data_format="channels_first", name="g")
        said.append([layer.get_config(), repr(layer.compute_output_shape(range(2, 2 + rank)))])
        said.append([c.__name__ for c in (tf.keras.layers.GlobalMaxPool1D, type(layer))])
        said.append(error(layer.call, x))

    class Middle(pooling.GlobalPooling1D):
        def call(self, inputs):
            return inputs[:, 1]

    said.append([str(Middle()(x)), issubclass(tf.keras.layers.GlobalMaxPool1D, Middle.__base__)])
    length = internal("layers.utils").deconv_output_length
    said.append([length(n, 3, p, 2) for n in (None, 5) for p in ("same", "valid", "full")])
    return said


@case
def ranks_of_losses(tf):
    check = internal("ops.losses.util").check_per_example_loss_rank
    said = []
    for shape in ([2], [], None):
        loss = tf.placeholder(tf.float32, shape, "loss")
        try:
            with check(loss):
                tf.identity(loss, "i")
        except ValueError as caught:
            said.append(str(caught))
    internal("ops.nn_ops").xw_plus_b_v1(tf.ones([1, 2]), tf.ones([2, 3]), tf.ones([3]))
    return said + _nodes(tf)


@case
def classes_by_internal_names(tf):
    record = internal("ops.data_flow_ops").RecordInput("/none*", batch_size=2, batches=1, name="r")
    variable = internal("eager.def_function").UnliftedInitializerVariable
    return [str(record.get_yield_op()), variable.__name__, variable.__base__.__name__]


@case
def dtypes_of_layers(tf):
    testing, utils = internal("keras.testing_utils"), internal("keras.engine.base_layer_utils")
    policy = internal("keras.mixed_precision.experimental.policy")

    def seen():
        layer = tf.keras.layers.Dense(2, name="d")
        before = layer.dtype
        layer(tf.ones([1, 2], tf.float64))
        return [
            before,
            layer.dtype,
            policy.policy_defaults_to_floatx(),
            policy.global_policy().name,
        ]

    said = [seen(), testing.enable_v2_dtype_behavior(seen)(), utils.v2_dtype_behavior_enabled()]
    utils.enable_v2_dtype_behavior()
    try:
        said += [seen(), testing.disable_v2_dtype_behavior(seen)()]
        with policy.policy_scope("float16"):
            said.append(seen())
    finally:
        utils.disable_v2_dtype_behavior()
    said += [seen(), error(policy.set_policy, "float16")]
    utils.V2_DTYPE_BEHAVIOR = None
    return said + [utils.v2_dtype_behavior_enabled()]
