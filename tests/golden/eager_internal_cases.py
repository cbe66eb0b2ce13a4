"""What `tensorflow.python.eager` does below its public names: cases as in internal_cases.py.

Runs under the real TensorFlow 1.15 (Python 3.7), too.
"""

from __future__ import annotations

from internal_cases import case, eager, error, internal, numbers


def _errors(*functions):
    return [error(function) for function in functions]


def _gradients_of_gradients(tf, value):
    """Of a function's call, by a tape that is asked again and by nested tapes."""
    def_function = internal("eager.def_function")
    v = internal("ops.resource_variable_ops").ResourceVariable(3.0)

    @def_function.function
    def cube(x):
        return tf.sin(x) * x * x * v

    def persistent():
        x = tf.constant(2.0)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            first = tape.gradient(cube(x), x)
            second = tape.gradient(first, x)
        return [first, second, tape.gradient(second, x), tape.gradient(second, v)]

    def nested():
        x = tf.constant(2.0)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = cube(x)
            first = inner.gradient(y, [x, v])
        return outer.gradient(first[0], [x, v])

    return [[round(float(value(t)), 3) for t in made] for made in (persistent(), nested())]


@eager
def eager_gradients_of_gradients_of_calls(tf):
    return _gradients_of_gradients(tf, lambda tensor: tensor.numpy())


@case
def recorded_gradients_of_gradients_of_calls(tf):
    def value(tensor):
        with tf.Session(graph=tensor.graph) as session:
            session.run(tf.global_variables_initializer())
            return session.run(tensor)

    return _gradients_of_gradients(tf, value)


@eager
def what_tapes_refuse(tf):
    x = tf.constant([3.0, 4.0])

    def gradient(function, sources=x, **kwargs):
        def run():
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = function()
            return numbers(tape.gradient(y, sources, **kwargs))

        return run

    def pop():
        tf.GradientTape()._pop_tape()

    def jacobian():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.zeros([0]) * x[0]
        return tape.jacobian(y, x)

    with tf.GradientTape() as used:
        used.watch(x)
    used.gradient(x * 2, x)
    vjp = internal("eager.backprop").make_vjp(lambda y: y * y, persistent=False)(x)[1]
    return [
        *_errors(
            gradient(lambda: 3.0),
            gradient(lambda: "a"),
            gradient(lambda: x * x, 3.0),
            gradient(lambda: x * x, output_gradients=[1.0, 10.0]),
            pop,
            used.watched_variables,
        ),
        jacobian().shape.as_list(),
        numbers(vjp()),
        error(vjp),
    ]


@eager
def what_custom_gradients_refuse(tf):
    v = internal("ops.resource_variable_ops").ResourceVariable(2.0)
    x = tf.constant(2.0)

    def differentiated(gradient, function=lambda x: x * 1.0, **kwargs):
        def run():
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.custom_gradient(lambda x, **_: (function(x), gradient))(x, **kwargs)
            return numbers(tape.gradient(y, x))

        return run

    with_variables = _errors(
        differentiated(lambda dy, variables=None: (dy, []), lambda x: x * v),
        differentiated(lambda dy: dy, lambda x: x * v),
    )
    passed = internal("ops.custom_gradient").grad_pass_through(tf.floor)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = passed(x)
    return [
        *_errors(differentiated(lambda dy: (dy, dy)), differentiated(lambda dy: dy * 3, k=4)),
        *with_variables,
        numbers(tape.gradient(y, x)),
    ]


@eager
def sums_of_gradients(tf):
    backprop = internal("eager.backprop")

    def rows(value, index):
        return tf.IndexedSlices(tf.constant([[value]]), tf.constant([index]), tf.constant([3, 1]))

    mixed = backprop._aggregate_grads([rows(1.0, 0), tf.ones([3, 1])])
    sparse = backprop._aggregate_grads([rows(1.0, 0), rows(2.0, 2)])
    return [
        numbers(mixed),
        numbers(sparse.values),
        numbers(sparse.indices),
        backprop._num_elements(tf.ones([2, 3])),
        backprop._num_elements(rows(1.0, 1)),
        *_errors(lambda: backprop._aggregate_grads([]), lambda: backprop._num_elements(3)),
    ]


@eager
def types_of_attrs(tf):
    backprop = internal("eager.backprop")
    kinds = [("MatMul", "transpose_a"), ("MatMul", "T"), ("Split", "num_split"), ("Pack", "axis")]
    kinds += [("ParseExample", "Tdense"), ("ParseExample", "dense_shapes"), ("Const", "value")]
    return [
        *(backprop.op_attr_type(*kind) for kind in kinds),
        backprop.make_attr(4, 1).name,
        [dtype.name for dtype in backprop.make_attr([4], [1, 2])],
        str(backprop.make_attr(5, [2])),
        backprop.make_attr(0, "s").decode(),
        *_errors(
            lambda: backprop.op_attr_type("Nope", "T"), lambda: backprop.op_attr_type("MatMul", "U")
        ),
    ]


@eager
def the_context(tf):
    context, executor = internal("eager.context"), internal("eager.executor")
    current = context.context()
    said = []
    for mode in (context.SYNC, context.ASYNC, None):
        with context.execution_mode(mode):
            said.append([current.execution_mode, context.is_async(), current.executor.is_async()])
    with context.executor_scope(executor.new_executor(True)):
        said.append([current.is_async(), numbers(tf.constant(1.0) + 1)])
    with context.device_policy(context.DEVICE_PLACEMENT_EXPLICIT):
        said.append(current.device_policy)
    with context.mirroring_policy(context.MIRRORING_ALL):
        said.append(current.mirroring_policy)
    with context.function_executor_type("SINGLE_THREADED_EXECUTOR"):
        called = numbers(internal("eager.def_function").function(lambda x: x + 1)(2.0))
        said.append([current.function_call_options.executor_type, called])
    with context.namescope("zz"):
        said.append(current.scope_name)
    for name in ("cpu", "/cpu:0", "/job:localhost/replica:0/task:0/device:CPU:0"):
        with context.device(name):
            said.append(current.device_name)
    seen = []
    current.add_post_execution_callback(lambda *given: seen.append([given[0], given[4]]))
    tf.add(tf.constant(1.0), 2.0, name="named")
    current.clear_post_execution_callbacks()

    def set_mode():
        current.execution_mode = 5

    return [
        *said,
        seen,
        [current.is_async(), current.log_device_placement, current.optimizer_jit],
        current.intra_op_parallelism_threads,
        current.list_physical_devices("CPU")[0],
        context.LogicalDevice("a", "b"),
        *_errors(set_mode, lambda: context.device(3).__enter__()),
        error(context.Context, execution_mode=7)[1],
    ]


@eager
def operations_by_type(tf):
    from tensorflow.python.eager import context, execute

    current = context.context()
    run = execute.execute(b"Add", 1, [tf.constant(1.0), tf.constant(2.0)], ("T", 1), current)
    dtype, mixed = execute.convert_to_mixed_eager_tensors([1, "a"], current)
    return [numbers(run[0]), list(dtype), numbers(mixed[0]), execute.make_int(1.5, "a")]


_CHANGES = {
    "append": lambda x, new: x.append(new),
    "extend": lambda x, new: x.extend([new]),
    "pop": lambda x, new: x.pop(),
    "remove": lambda x, new: x.remove(x[0]),
    "clear": lambda x, new: x.clear(),
    "insert": lambda x, new: x.insert(0, new),
    "set": lambda x, new: x.__setitem__(0, new),
    "slice": lambda x, new: x.__setitem__(slice(0, 1), [new]),
    "delete": lambda x, new: x.__delitem__(0),
    "reverse": lambda x, new: x.reverse(),
}
_DICT_CHANGES = {
    "set": lambda x, new: x.__setitem__("b", new),
    "replace": lambda x, new: x.__setitem__("a", new),
    "update": lambda x, new: x.update(c=new),
    "number": lambda x, new: x.__setitem__(1, new),
    "plain": lambda x, new: x.__setitem__(1, 2),
}


@eager
def containers_that_checkpoints_refuse(tf):
    """Lists that were not only appended to, dicts with other keys, what changed outside."""
    resources = internal("ops.resource_variable_ops")
    tracking = internal("training.tracking.tracking")

    def saved(container, change, outside):
        def run():
            holder = tracking.AutoTrackable()
            holder.x = container
            change(container if outside else holder.x, resources.ResourceVariable(2.0, name="new"))
            return [reference.name for reference in holder.x._checkpoint_dependencies]

        return error(run)

    said = []
    for outside in (False, True):
        for name, change in _CHANGES.items():
            made = [resources.ResourceVariable(1.0, name="v")]
            said.append([name, saved(made, change, outside)])
        for name, change in _DICT_CHANGES.items():
            made = {"a": resources.ResourceVariable(1.0, name="v")}
            said.append([name, saved(made, change, outside)])
    holder = tracking.AutoTrackable()
    holder.plain = [2, 1]
    shared = holder.plain
    shared.append(3)
    said.append(error(lambda: len(holder.plain._checkpoint_dependencies)))
    shared.sort()
    return [*said, error(lambda: len(holder.plain._checkpoint_dependencies))]


@eager
def paths_in_modules(tf):
    class Holder(tf.Module):
        def __init__(self):
            super(Holder, self).__init__()
            self.w = tf.Variable(1.0)
            self.parts = [tf.Module("s1"), {"k": tf.Module("s2")}]

    kinds = (tf.Variable, tf.Module)
    found = Holder()._flatten(with_path=True, predicate=lambda value: isinstance(value, kinds))
    return [list(path) for path, _ in found]


@eager
def parts_of_functions(tf):
    function, spec = internal("eager.function"), tf.TensorSpec([])
    made = function.FunctionSpec.from_function_and_signature(lambda a, b=3, *c: a, None)

    @function.defun
    def double(x):
        return x * 2

    with internal("eager.context").graph_mode(), tf.Graph().as_default() as graph:
        concrete = function.register(double, tf.constant(1.0))
        library = [f.signature.name.split("_")[2] for f in graph.as_graph_def().library.function]
    same = function.is_same_structure
    return [
        [made.arg_names, made.vararg_name, made.is_method],
        function.FunctionSpec.from_function_and_signature(_Method().call, None).is_method,
        [str(t.dtype) for t in concrete.outputs],
        sorted(library),
        [same([1], [2]), same([1], [2], True), same([1], [1], True), same([1], {"a": 1})],
        same([1], [1.0], True),
        [
            make("f").rpartition("_")[0]
            for make in (function._inference_name, function._forward_name, function._backward_name)
        ],
        *_errors(
            lambda: function.validate_signature([1]),
            lambda: function.validate_signature([spec, [spec]]),
        ),
        error(function.register, len)[0],
    ]


class _Method:
    def call(self, x):
        return x


@eager
def errors_of_statuses(tf):
    core, execute = internal("eager.core"), internal("eager.execute")
    refused = core._NotOkStatusException("words", 5)
    return [
        type(core._status_to_exception(3, "m")).__name__,
        type(core._status_to_exception(99, "m")).__name__,
        str(refused),
        refused.code,
        error(execute.execute, b"Nope", 1, [], None, internal("eager.context").context()),
    ]


def _generator(x):
    yield x


@case
def what_autograph_does_not_convert(tf):
    to_graph = internal("autograph.impl.api").to_graph
    return [error(to_graph, entity) for entity in (3, None, "a", len, _generator)]


@eager
def functions_without_variables(tf):
    convert = internal("framework.convert_to_constants").convert_variables_to_constants_v2
    w, k = tf.Variable(2.0), tf.constant(5.0)

    @tf.function
    def inner(x):
        return x * w + 1.0

    @tf.function
    def outer(x):
        return inner(x) + inner(x * 2.0)

    @tf.function
    def loop(x):
        return tf.while_loop(lambda i: i < 10.0, lambda i: (i * w,), (x,))

    @tf.function
    def branch(x):
        return tf.cond(x > 0.0, lambda: x * w, lambda: x - w)

    functions = [(tf.function(lambda x: x * w + k), True), (outer, True), (branch, True)]
    said = []
    for function, lowers in functions + [(branch, False), (loop, False)]:
        concrete = function.get_concrete_function(tf.TensorSpec([], tf.float32))
        try:
            frozen = convert(concrete, lowers)
        except ValueError as caught:
            said.append(str(caught))
            continue
        graph_def = frozen.graph.as_graph_def()
        found = [[n.op, n.name, list(n.input), sorted(n.attr)] for n in graph_def.node]
        said += [sorted(found), [t.name for t in frozen.inputs + frozen.outputs]]
        bodies = graph_def.library.function
        said.append(sorted(sorted([n.op, list(n.input)] for n in body.node_def) for body in bodies))
        said.append([float(x) for x in tf.nest.flatten(frozen(tf.constant(3.0)))])
    return said


@eager
def values_of_models(tf):
    utils = internal("keras.engine.training_utils")
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    cast = utils.cast_to_model_input_dtypes([tf.constant([[1, 2]])], model)
    said = [[x.dtype.name for x in cast]]
    values = utils.convert_eager_tensors_to_numpy({"a": tf.constant([1.0]), "b": 3})
    said.append(sorted([k, type(v).__name__] for k, v in values.items()))
    context = internal("eager.context").context()
    with context.device("cpu:0"):
        said.append(tf.constant(1).device)
    return said + [context.has_function("no_such")]
