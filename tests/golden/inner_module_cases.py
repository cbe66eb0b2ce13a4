"""What further modules below `tensorflow.python` do, which TF's tests and old libraries import.

A case is a function of tf that returns something JSON can hold, as in internal_cases.py. Runs under
the real TensorFlow 1.15 (Python 3.7), too.
"""

from __future__ import annotations

import importlib
import json
import os
import threading

import numpy as np
from internal_cases import error, internal

CASES = {}
EAGER = set()


def case(function):
    CASES[function.__name__] = function
    return function


def eager(function):
    EAGER.add(function.__name__)
    return case(function)


def rounded(value, digits=4):
    """Numbers of tensors, or of arrays; None and others as they are."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)):
        return [rounded(one, digits) for one in value]
    array = value.numpy() if hasattr(value, "numpy") else np.asarray(value)
    return np.round(array, digits).tolist()


@eager
def cancelled_calls(tf):
    cancellation = internal("eager.cancellation")
    execute = internal("eager.execute").execute_with_cancellation
    context = internal("eager.context").context()
    queue = tf.queue.FIFOQueue(2, [tf.int32])
    take = tf.function(queue.dequeue).get_concrete_function()
    manager = cancellation.CancellationManager()
    said = [manager.is_cancelled]
    cancelable = manager.get_cancelable_function(take)

    def ended(function, *args):
        """What a call that waits raises when it is ended from elsewhere."""
        threading.Timer(0.3, manager.start_cancel).start()
        return error(function, *args)

    said += [ended(cancelable)[1].strip(), manager.is_cancelled]
    queue.enqueue(3)
    said += [error(cancelable)[0], error(take)[1].split("numpy")[1]]
    dequeue = ("QueueDequeueV2", 1, [queue.queue_ref], ("component_types", (3,)), context)
    manager = cancellation.CancellationManager()
    said.append(ended(execute, *dequeue + (manager,)))
    add = ("Add", 1, [tf.constant(1), tf.constant(2)], ("T", 3), context)
    said.append(rounded(execute(*add + (cancellation.CancellationManager(),))))
    return said


def _forward(tf):
    return internal("eager.forwardprop").ForwardGradientAccumulator()


@eager
def derivatives_forward(tf):
    accumulator = _forward(tf)
    with accumulator:
        x = tf.constant([[2.0, 3.0], [1.0, 4.0]])
        accumulator.watch(x, tf.constant([[5.0, 6.0], [7.0, 8.0]]))
        y = tf.reduce_sum(tf.sin(x) * tf.tan(x), axis=1)
        others = [tf.constant(2.0) * 3, tf.argmax(x, 1), tf.stop_gradient(x), tf.floor(x)]
        top = tf.nn.top_k(x, 1)
        parts = [*tf.split(x, 2), tf.gather(x, [1, 0, 1]), tf.concat([x, tf.ones([2, 2])], 0)]
        called = tf.function(lambda a: [a * a * y, tf.exp(a)])(x[0])
        own = tf.custom_gradient(lambda a: (a * 2, lambda d: d * 10))(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            z = x**3
        dz = tape.gradient(z, x)
        said = [error(accumulator._push_accumulator)]
    said += [rounded(accumulator.jvp(t), 2) for t in (y, others, top, parts, called, own, dz)]
    said += [
        error(accumulator.__enter__),
        error(accumulator.watch, tf.Variable(1.0), 1.0),
        error(_forward(tf).jvp, x),
    ]
    return said


@eager
def derivatives_forward_of_derivatives(tf):
    x = tf.constant(1.1)
    with _forward(tf) as outer:
        outer.watch(x, tf.constant(1.0))
        with _forward(tf) as inner:
            inner.watch(x, tf.constant(1.0))
            inner.watch(x, tf.constant(2.0))
            y = x ** tf.constant(3.5)
        first = inner.jvp(y)
    with tf.GradientTape() as tape:
        tape.watch(x)
        with _forward(tf) as within:
            within.watch(x, tf.constant(1.0))
            product = within.jvp(tf.sin(x) * x)
    return rounded(
        [first, outer.jvp(first), inner.jvp(outer.jvp(y)), product, tape.gradient(product, x)]
    )


@eager
def caches_of_functions(tf):
    function = internal("eager.function")

    class Adder(object):
        n = 10.0

        @tf.function
        def traced(self, x):
            return x + self.n

        @function.defun
        def called(self, x, y=2.0):
            return x * y + self.n

    adder, said = Adder(), []
    for name in ("traced", "called"):
        bind = function.class_method_to_instance_method
        bound = bind(vars(Adder)[name], adder)
        spec = internal("util.tf_inspect").getfullargspec(bound)
        said.append([rounded(bound(tf.constant(1.0))), spec.args, spec.defaults])
        said.append(bound is bind(vars(Adder)[name], adder))
    for value in (1, 2, 2.0, [2.0]):
        adder.called(tf.constant(value, tf.float32))
    cache = adder.called._function_cache
    said += [len(cache.primary), len(cache.all_values()), len(cache.missed)]
    for key in cache.primary:
        said.append([type(key).__name__, key.parent_graph, key.device_functions])
        said.append(key.replace(input_signature=None) in cache.missed)
    relaxed = tf.function(lambda x: x + 1, experimental_relax_shapes=True, autograph=False)
    for n in range(1, 5):
        relaxed(tf.ones([n]))
    cache = relaxed._stateful_fn._function_cache
    said += [len(cache.primary), len(cache.arg_relaxed), str([*cache.arg_relaxed_shapes.values()])]
    return said + [str(function.CacheKey(1, None, (), (), False))]


@eager
def functions_of_the_context(tf):
    context = internal("eager.context")
    execute = internal("eager.execute").execute
    defun = internal("framework.function").Defun

    @defun(tf.float32, func_name="square_it")
    def square(x):
        return x * x

    with tf.Graph().as_default():
        square(tf.constant(2.0))
        definition = square.definition
    call = ("square_it", 1, [tf.constant(3.0)], (), context.context())
    said = [context.context().has_function("square_it"), error(execute, *call)[0]]
    context.context().add_function_def(definition)
    said += [context.context().has_function("square_it"), rounded(execute(*call))]
    context.remove_function("square_it")
    said += [error(execute, *call)[0], error(context.remove_function, "square_it")]
    said.append(error(context.set_server_def, None))
    context.enable_graph_collection()
    increase = tf.function(lambda x: x + 1, autograph=False)
    increase(tf.constant(1))
    said.append(len(context.export_run_metadata().function_graphs))
    context.disable_graph_collection()
    increase(tf.constant(1))
    return said + [len(context.export_run_metadata().function_graphs)]


@case
def functions_of_a_library(tf):
    function = internal("framework.function")

    @function.Defun(tf.float32, tf.float32)
    def g(x, dy):
        return 3 * x * dy

    @function.Defun(tf.float32, grad_func=g)
    def f(x):
        return x * x

    @function.Defun(tf.float32, func_name="h", out_names=["o", "p"])
    def h(x):
        """Of two results."""
        return x + 1, f(x)

    with tf.Graph().as_default() as graph:
        h(tf.constant(2.0))
        library = graph.as_graph_def().library
    made = {one.name: one for one in function.from_library(library)}
    definitions = {one.signature.name: one for one in library.function}
    said = [
        [n, str(made[n].declared_input_types), made[n].captured_inputs, made[n].grad_func_name]
        for n in sorted(made)
    ]
    said += [made[name].definition == definitions[name] for name in sorted(made)]
    x = tf.constant(2.0)
    results = [made[name](x) for name in sorted(made) if name != g.name]
    for one in made.values():
        one.add_to_graph(tf.get_default_graph())
    gradients = tf.gradients(made[f.name](x), x)
    said.append([[op.name, op.type] for op in tf.get_default_graph().get_operations()])
    with tf.Session() as session:
        said.append(rounded(session.run([results[0], *results[1], gradients[0]])))
    wrong = type(library)()
    said.append(list(function.from_library(wrong)))
    for name in ("a", "b"):
        wrong.gradient.add(function_name=name, gradient_func="ab".replace(name, ""))
        said.append(error(function.from_library, wrong))
        wrong.function.add().signature.name = name
    return said + [error(function.from_library, wrong)]


@case
def bodies_of_functions(tf):
    make = internal("framework.function").func_graph_from_py_func
    k = tf.constant(4.0, name="k")

    def body(a, b):
        return a + k, tf.get_variable("w", [2], use_resource=True) * b

    graph = make(body, ["a", "b"], [tf.float32] * 2, arg_shapes=[[2], None], device="/cpu:0")
    said = [str(tensors) for tensors in (graph.inputs, graph.outputs, graph.extra_inputs)]
    said += [[op.name, op.type, op.device] for op in graph.get_operations()]
    said.append(error(make, lambda a: (a, None), ["a"], [tf.float32], "nn"))
    containers = []
    make(lambda: containers.append(tf.get_default_graph()._container), [], [], "n", container="c")
    return said + containers


@case
def handles_of_variables(tf):
    module = internal("ops.resource_variable_ops")
    x = tf.constant([1.0, 2.0])
    a = module.eager_safe_variable_handle(x, x.shape, "shared", "a", True)
    b = module.variable_handle_from_shape_and_dtype(
        tf.TensorShape([3, None]), tf.int32, "other", "b", True
    )
    read = internal("ops.gen_resource_variable_ops").read_variable_op(b, tf.int32)
    said = [str(a), str(a.op.get_attr("shared_name")).strip("b'"), str(b), str(read)]
    said.append(error(module.EagerResourceDeleter, 3, "cpu:0"))
    proto = importlib.import_module("tensorflow.core.framework.resource_handle_pb2")
    handle = proto.ResourceHandleProto(device="/cpu:0", container="c", name="n", hash_code=3)
    encoded = internal("ops.session_ops").encode_resource_handle(handle)
    return said + [list(encoded.shape), str(encoded.dtype), encoded.tolist()]


@eager
def handles_of_eager_variables(tf):
    module = internal("ops.resource_variable_ops")
    ops = internal("ops.gen_resource_variable_ops")
    x = tf.constant([1.0, 2.0])
    name = internal("eager.context").shared_name()
    handle = module.eager_safe_variable_handle(x, x.shape, name, "a", False)
    said = [bool(ops.var_is_initialized_op(handle).numpy())]
    ops.assign_variable_op(handle, x)
    said += [rounded(ops.read_variable_op(handle, tf.float32)), str(module.variable_shape(handle))]
    deleter = module.EagerResourceDeleter(handle=handle, handle_device="cpu:0")
    del deleter
    return said[:2] + [error(ops.read_variable_op, handle, tf.float32)[0]]


@eager
def learning_phases_of_eager_execution(tf):
    backend = internal("keras.backend")
    said = []
    with backend.eager_learning_phase_scope(1):
        said.append(backend.learning_phase())
        with backend.eager_learning_phase_scope(0):
            said.append(backend.learning_phase())
        said.append(backend.learning_phase())
    said.append(backend.global_learning_phase_is_set())
    scope = internal("keras.utils.tf_utils").maybe_init_scope(tf.keras.layers.Dense(2))

    @tf.function(autograph=False)
    def within():
        with scope:
            said.append(tf.executing_eagerly())
        return 1

    within()
    return said


@eager
def flat_values_of_ragged_tensors(tf):
    flat = internal("keras.utils.metrics_utils").ragged_assert_compatible_and_get_flat_values
    a, b, mask = (tf.ragged.constant([[x, 2.0], [3.0]]) for x in (1.0, 5.0, 0.0))
    other = tf.ragged.constant([[5.0], [3.0, 4.0]])
    dense = tf.constant([1.0])
    said = [rounded(flat([a, b])), rounded(flat(a)), rounded(flat([a, b], mask))]
    said += [rounded(flat(dense)), error(flat, [a, other])[0]]
    return said + [error(flat, [a, dense]), error(flat, [a, b], dense)]


@case
def parsers_as_configurations(tf):
    module = internal("util.example_parser_configuration")
    features = {
        "a": tf.io.FixedLenFeature([2], tf.float32, [1.0, 2.0]),
        "b": tf.io.VarLenFeature(tf.int64),
        "c": tf.io.FixedLenFeature([], tf.string),
    }
    parsed = tf.io.parse_example(tf.placeholder(tf.string, [None]), features)
    with tf.Session() as session:
        found = module.extract_example_parser_configuration(parsed["a"].op, session)
    said = [[key, str(found.feature_map[key])] for key in sorted(found.feature_map)]
    return said + [found.feature_map["b"].WhichOneof("config")]


@case
def parts_of_keras_and_layers(tf):
    data = internal("keras.utils.data_utils")
    data.init_pool({5: [7, 8]})
    said = [data.get_index(5, 1), data.get_worker_id_queue() is data.get_worker_id_queue()]
    pool = internal("keras.engine.training_utils").get_copy_pool
    said += [pool() is pool(), pool().map(abs, [-1, 2])]
    a = tf.constant(1.0, name="a")
    b = tf.negative(a, name="b")
    tf.negative(b, name="c")
    reachable = internal("layers.utils").get_reachable_from_inputs
    said += [sorted(t.name for t in reachable([a])), sorted(t.name for t in reachable([a], [b]))]
    utils = internal("keras.engine.base_layer_utils")
    return said + [utils.from_saved_model(tf.keras.layers.Dense(1))]


@eager
def recurrent_functions(tf):
    module = internal("keras.layers.recurrent_v2")
    numbers = np.random.RandomState(0)

    def draw(*shape):
        return tf.constant(numbers.randn(*shape).astype(np.float32) / 2)

    x, h, c = draw(2, 3, 4), draw(2, 5), draw(2, 5)
    mask = tf.constant([[True, True, False], [True, False, True]])
    options = {"activation": tf.tanh, "recurrent_activation": tf.sigmoid}
    said = []
    for kind, width, states in (
        ("gru", 15, {"init_h": h}),
        ("lstm", 20, {"init_h": h, "init_c": c}),
    ):
        weights = {"kernel": draw(4, width), "recurrent_kernel": draw(5, width)}
        weights["bias"] = draw(2, width) if kind == "gru" else draw(width)
        weights.update(states, **options)
        for function in ("standard_" + kind, kind + "_with_backend_selection"):
            for own_mask, time_major, go_backwards in (
                (None, False, False), (mask, False, True), (None, True, True),
            ):  # fmt: skip
                found = getattr(module, function)(
                    inputs=tf.transpose(x, [1, 0, 2]) if time_major else x, mask=own_mask,
                    time_major=time_major, go_backwards=go_backwards, **weights
                )  # fmt: skip
                said.append([rounded(tf.reduce_sum(t), 2) for t in found])
                said.append([t.shape.as_list() for t in found])
    return said


@eager
def single_batches(tf):
    engine = internal("keras.engine.training_eager")
    utils = internal("keras.engine.training_v2_utils")
    numbers = np.random.RandomState(0)
    x, y, z = (numbers.randn(4, n).astype(np.float32) for n in (3, 2, 1))

    def made(several):
        given = tf.keras.layers.Input((3,))
        first = tf.keras.layers.Dense(2, kernel_initializer="ones")(given)
        second = tf.keras.layers.Dense(1, kernel_initializer="ones")(first)
        model = tf.keras.Model(given, [first, second] if several else first)
        model.compile(tf.keras.optimizers.SGD(0.1), "mse", metrics=["mae"])
        return model

    def shown(found):
        return [[key, rounded(found[key], 2)] for key in sorted(found)]

    said = []
    for several in (False, True):
        model, targets = made(several), [y, z] if several else [y]
        losses = {"output_loss_metrics": getattr(model, "_output_loss_metrics", None)}
        for run in (engine.train_on_batch, engine.test_on_batch):
            tensors = [tf.constant(t) for t in targets]
            said.append(shown(run(model, [tf.constant(x)], tensors, **losses)))
        model, targets = made(several), targets if several else y
        said.append(shown(utils.train_on_batch(model, x, targets)))
        said.append(shown(utils.train_on_batch(model, x, targets, reset_metrics=False)))
        said.append(shown(utils.test_on_batch(model, x, targets)))
        predicted = utils.predict_on_batch(model, x)
        said.append([rounded(t, 2) for t in tf.nest.flatten(predicted)])
    weights = np.array([1.0, 0.0, 2.0, 1.0])
    return said + [shown(utils.train_on_batch(made(False), x, y, sample_weight=weights))]


@eager
def functions_of_layer_calls(tf):
    save = internal("keras.saving.saved_model.save")

    class Layer(tf.keras.layers.Layer):
        def call(self, x, training=None):
            return x * 2 if training else x

    layers = [Layer(), tf.keras.layers.Dense(2)]
    layers.append(tf.keras.Sequential([tf.keras.layers.Dropout(0.5), layers[1]]))
    said = [save.layer_uses_training_bool(layer) for layer in layers]
    traces = []

    def adding(amount):
        def call(x, training=None):
            traces.append(str((amount, training)))
            return x + amount

        return call

    calls = save.LayerCallCollection(layers[0])
    first, second = (calls.add_function(adding(n), "call%d" % n) for n in (1, 2))
    said += [isinstance(first, save.LayerCall), calls.fn_input_signature, calls.tracing]
    for function, value, options in (
        (first, [1.0], {}),
        (second, [2.0], {"training": True}),
        (first, [[1.0]], {"training": False}),
    ):
        said += [rounded(function(tf.constant(value), **options)), sorted(traces)]
        del traces[:]
    use = internal("keras.saving.saved_model.utils").use_wrapped_call
    return said + [rounded(use(layers[1], lambda x: (x + 1, []))(tf.ones([1, 3])))]


@case
def values_of_replicas(tf):
    module = internal("keras.distribute.distributed_training_utils")
    strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    rows = np.zeros((4, 3))
    data = tf.data.Dataset.from_tensor_slices(rows).batch(2)
    whole = tf.data.Dataset.from_tensor_slices(rows).batch(2, drop_remainder=True)
    with strategy.scope():
        a, b = tf.constant([1.0, 2.0]), tf.constant([3, 4])
        found = module.validate_distributed_dataset_inputs(strategy, [a, b], a)
        said = [[str(t) for t in found[0]], found[1] is not None, found[2]]
        said.append(error(module.validate_distributed_dataset_inputs, strategy, 3, a))
        said.append([str(t) for t in module.unwrap_outputs(strategy, [a, b], True)[1:]])
        session = {"fetches": [a], "feed_dict": {"q": b}}
        found = module.unwrap_values(strategy, [a], [a, b], [b], session)
        said.append([len(part) for part in found[:3]] + sorted(found[3]))
        given = {"total_loss": [a], "output_losses": [a, b], "metrics": [b], "batch_size": a}
        found = module.unwrap_output_dict(strategy, given, "train")
        said.append([[key, str(found[key])] for key in ("metrics", "output_losses")])
        said.append(len(module.unwrap_output_dict(strategy, [a, b], "predict")))
    said += [module.is_dataset_shape_fully_defined(one) for one in (data, whole)]
    scalars = tf.data.Dataset.range(3)
    said += [str(module.get_batch_dimension(one)) for one in (data, whole, scalars)]
    iterator = tf.compat.v1.data.make_one_shot_iterator(data)
    said += [error(module.validate_inputs, one, None) for one in (iterator, data)]
    plateau = [tf.keras.callbacks.ReduceLROnPlateau()]
    said.append(error(module.validate_callbacks, plateau, "other")[1][:48])
    said.append(error(module.validate_callbacks, plateau, tf.keras.optimizers.SGD()))
    said.append(rounded(module.concat_along_batch_dimension([rows[:1], rows[2:]])))
    local = module.call_replica_local_fn
    said += [local(lambda x, y=1: x + y, 2, y=5), local(lambda x: x * 2, 4, strategy=strategy)]
    functions = internal("ops.script_ops")._py_funcs
    count = functions.size()
    tf.py_func(abs, [a], tf.float32)
    return said + [functions.size() - count]


@case
def parts_of_gradients_and_strategies(tf):
    arguments = internal("ops.math_grad").SmartBroadcastGradientArgs
    x, y = tf.ones([2, 3]), tf.ones([3])
    some = tf.placeholder(tf.float32, [None, 3])
    said = [str(arguments(x, y, x)), str(arguments(x, y, x)), str(arguments(some, y, x))]
    said.append([op.type for op in tf.get_default_graph().get_operations()])
    devices = internal("distribute.mirrored_strategy").all_devices
    said.append(list(devices()))
    cluster = {"worker": ["a:1", "b:2"], "chief": ["c:1"], "ps": ["d:1"]}
    task = {"type": "worker", "index": 0}
    before = os.environ.get("TF_CONFIG")
    os.environ["TF_CONFIG"] = json.dumps({"cluster": cluster, "task": task})
    try:
        said.append(list(devices()))
    finally:
        os.environ.pop("TF_CONFIG")
        if before is not None:
            os.environ["TF_CONFIG"] = before
    layers = internal("keras.layers.normalization")
    kinds = (
        layers.BatchNormalization,
        internal("keras.layers.normalization_v2").BatchNormalization,
    )
    return said + [issubclass(kind, layers.BatchNormalizationBase) for kind in kinds]


@eager
def changes_of_graphs_and_modes(tf):
    context = internal("eager.context")
    said = []

    def note():
        # The first one is of the process, which is not the same where tests are run.
        stack = context.context().context_switches.stack[-2:]
        said.append([
            [one.is_building_function, one.enter_context_fn.__name__, one.device_stack is None]
            for one in stack
        ])  # fmt: skip
        return stack

    with context.graph_mode(), tf.Graph().as_default():
        with context.eager_mode():
            (inner,) = note()[-1:]
            said.append(inner.enter_context_fn is context.eager_mode)
            with tf.Graph().as_default() as graph:
                (inner,) = note()[-1:]
                with inner.enter_context_fn():
                    said.append(tf.get_default_graph() is graph)
            tf.function(lambda: note() and 1, autograph=False)()
    return said + [str(context.ContextSwitch(True, None, 3))]
