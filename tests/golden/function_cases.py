"""Small programs around tf.function and Defun, and mistakes in using them.

Every function takes the `tensorflow` module. `GRAPHS` are compared node for node (what they return,
if anything, is compared as text), `MISTAKES` by the exception they raise, `RUNS` by the values of
the tensors they return.
"""

from __future__ import annotations


def _collect(*group):
    """Functions in a dict by name."""
    return {f.__name__: f for f in group}


def _names(values):
    return [str(value) for value in values]


# ---- functions ----------


def function(tf):
    @tf.function
    def f(a, b):
        return a * b + 1.0

    x = tf.placeholder(tf.float32, [2])
    y, z = f(x, x), f(x, b=x)
    f(tf.constant([1.0, 2.0, 3.0]), 2.0)
    return str(y), str(z), f.__name__


def function_gradient(tf):
    @tf.function
    def f(a, b):
        return tf.sin(a) * b, tf.exp(b)

    x, w = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.float32, [2])
    y, z = f(x, w)
    return _names(tf.gradients(y, [x, w])), _names(tf.gradients(z, [x, w]))


def function_second_gradient(tf):
    @tf.function
    def f(a):
        return tf.sin(a) * a

    x = tf.placeholder(tf.float32, [2])
    g = tf.gradients(f(x), x)[0]
    return _names(tf.gradients(g, x))


def function_variable(tf):
    v = tf.Variable([3.0, 4.0], use_resource=True, name="v")
    x = tf.placeholder(tf.float32, [2])

    @tf.function
    def g(a):
        v.assign_add(a)
        return {"product": v * a, "nothing": None}

    y = g(x)
    return sorted(y), str(y["product"]), _names(tf.gradients(y["product"], [x, v]))


def function_variable_argument(tf):
    v = tf.Variable([3.0, 4.0], use_resource=True, name="v")

    @tf.function
    def g(a, n, scale=2.0):
        return a * scale * n

    y = g(v, 3)
    return str(y), _names(tf.gradients(y, v))


def function_captures(tf):
    c = tf.placeholder(tf.float32, [2], name="captured")

    @tf.function
    def inner(a):
        return a * c

    @tf.function
    def outer(a):
        return inner(a) + c

    y = outer(tf.ones([2]))
    return str(y), _names(tf.gradients(y, c))


def function_without_result(tf):
    v = tf.Variable(1.0, use_resource=True, name="v")

    @tf.function
    def f(a):
        v.assign(a)

    @tf.function
    def g():
        return [None, v.read_value()]

    return str(f(tf.constant(2.0)).name), str(g()[1])


def function_signature(tf):
    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32, name="rows")])
    def f(x):
        return tf.reduce_sum(x, 1)

    concrete = f.get_concrete_function()
    y = f([[1.0, 2.0]])
    z = f(tf.placeholder(tf.float32, [3, 2]))
    a = concrete(tf.ones([1, 2]))
    b = concrete(rows=tf.ones([5, 2]))
    return _names([y, z, a, b]), str(concrete.structured_input_signature)


def function_arguments(tf):
    @tf.function
    def f(x, *rest, **named):
        return x + rest[0][0] + rest[1]["a"] + named["last"]

    one = tf.constant(1.0)
    return str(f(one, [one, 2.0], {"a": one, "b": None}, last=one))


def function_of_method(tf):
    class Thing(object):
        def __init__(self, scale):
            self.scale = scale

        @tf.function
        def apply(self, x):
            return x * self.scale

    two, three = Thing(2.0), Thing(3.0)
    x = tf.placeholder(tf.float32, [])
    return _names([two.apply(x), three.apply(x), two.apply(x)])


def function_inside_gradient(tf):
    @tf.function
    def f(x):
        y = tf.reduce_sum(x * x)
        return tf.gradients(y, x)[0]

    x = tf.placeholder(tf.float32, [2])
    return _names(tf.gradients(f(x), x))


def gradient_of_capture(tf):
    c = tf.placeholder(tf.float32, [2])
    d = tf.sin(c)

    @tf.function
    def f(x):
        return tf.gradients(tf.reduce_sum(d * x), [c, x, d])

    return _names(f(tf.ones([2])))


def function_relaxed(tf):
    @tf.function(experimental_relax_shapes=True)
    def f(x):
        return x * 2.0

    return _names([f(tf.ones([i])) for i in (1, 2, 3, 4)])


def function_and_scopes(tf):
    with tf.name_scope("here"), tf.device("/cpu:0"):
        x = tf.ones([2])

        @tf.function
        def f(x):
            with tf.name_scope("inside"):
                return tf.identity(x, name="named")

        return str(f(x))


def function_custom_gradient(tf):
    @tf.custom_gradient
    def g(x):
        return tf.sin(x), lambda dy: dy * 7.0

    @tf.function
    def f(x):
        return g(x) * 2.0

    x = tf.placeholder(tf.float32, [2])
    return _names(tf.gradients(f(x), x))


# ---- Defun ----------


def _defun(tf):
    from tensorflow.python.framework import function

    return function.Defun


def declared(tf):
    defun = _defun(tf)

    @defun(tf.float32, tf.float32, func_name="Declared")
    def f(a, b):
        "Multiplies."
        return a * b, a + b

    x = tf.placeholder(tf.float32, [2])
    y, z = f(x, tf.ones([2]))
    return _names([y, z]), _names(tf.gradients(y, x)), f.name


def declared_gradients(tf):
    defun = _defun(tf)

    @defun(tf.float32, tf.float32, func_name="TheGradient")
    def backward(x, dy):
        return dy * 3.0

    @defun(tf.float32, grad_func=backward, func_name="WithGradient")
    def f(x):
        return x * x

    @defun(tf.float32, python_grad_func=lambda op, grad: grad * 5.0, func_name="WithPython")
    def g(x):
        return x * x

    x = tf.placeholder(tf.float32, [2])
    y, z = f(x, name="called"), g(x)
    return _names(tf.gradients([y, z], x))


def declared_hash(tf):
    defun = _defun(tf)

    @defun(tf.float32)
    def f(x):
        return tf.sin(x) * 2.0

    @defun()
    def g(x):
        return f(x) + 1.0

    x = tf.placeholder(tf.float32, [2])
    return _names([f(x), g(x), f(x, noinline=True)])


def declared_captures(tf):
    defun = _defun(tf)

    c = tf.placeholder(tf.float32, [2])

    @defun(tf.float32, func_name="Captures")
    def f(x):
        w = tf.get_variable("w", [2])
        r = tf.get_variable("r", [2], use_resource=True)
        return x * c + w + r

    y = f(tf.ones([2]))
    return str(y), _names(tf.gradients(y, [c]))


def declared_options(tf):
    defun = _defun(tf)

    shape = lambda op: [op.inputs[0].shape]  # noqa: E731

    @defun(tf.float32, func_name="Shaped", shape_func=shape, out_names=["result"], noinline=True)
    def f(x):
        return tf.identity(x)

    return str(f(tf.ones([2, 3])))


# ---- mistakes ----------


def function_bad_signature(tf):
    tf.function(lambda x: x, input_signature=[tf.float32])


def function_bad_result(tf):
    @tf.function
    def f(x):
        return object()

    try:
        f(tf.constant(1.0))
    except TypeError as error:
        raise TypeError(str(error).split("; in compilation")[0])


def function_wrong_shape(tf):
    @tf.function(input_signature=[tf.TensorSpec([2], tf.float32)])
    def f(x):
        return x

    f(tf.ones([3]))


def function_unknown_keyword(tf):
    @tf.function(input_signature=[tf.TensorSpec([2], tf.float32)])
    def f(x):
        return x

    f(y=tf.ones([2]))


def function_changes_arguments(tf):
    @tf.function
    def f(x):
        x.append(1.0)
        return x[0]

    f([tf.ones([2])])


def concrete_missing_argument(tf):
    @tf.function
    def f(x, y):
        return x + y

    f.get_concrete_function(tf.ones([2]), tf.ones([2]))(tf.ones([2]))


def concrete_wrong_shape(tf):
    @tf.function
    def f(x):
        return x

    f.get_concrete_function(tf.TensorSpec([2], tf.float32))(tf.ones([3], name="three"))


def declared_defaults(tf):
    _defun(tf)(tf.float32)(lambda x=3: x)


def declared_too_many_types(tf):
    _defun(tf)(tf.float32, tf.float32)(lambda x: x)


def declared_none(tf):
    _defun(tf)(tf.float32, func_name="None")(lambda x: [None])(1.0)


def declared_wrong_count(tf):
    _defun(tf)(tf.float32, func_name="One")(lambda x: x)(1.0, 2.0)


# ---- values ----------


def run_functions(tf):
    v = tf.Variable([3.0, 4.0], use_resource=True, name="v")
    c = tf.constant([0.5, -1.0])

    @tf.function
    def f(a):
        return tf.sin(a) * v + c * a, tf.reduce_sum(v * v)

    x = tf.constant([0.3, 0.7])
    y, z = f(x)
    g = tf.gradients([y, z], [x, v, c])
    return [y, z] + g + tf.gradients(g[0], [x, c])


def run_declared(tf):
    defun = _defun(tf)

    @defun(tf.float32, tf.float32, func_name="RunForward")
    def f(a, b):
        return tf.sin(a) * b, tf.nn.relu(a)

    @defun(tf.float32, tf.float32, func_name="RunBackward")
    def backward(x, dy):
        return dy * 3.0

    @defun(tf.float32, grad_func=backward, func_name="RunWithGradient")
    def g(x):
        return x * x

    x, w = tf.constant([0.3, 0.0]), tf.constant([2.0, -1.0])
    y, z = f(x, w)
    return [y, z] + tf.gradients([y, z], [x, w]) + tf.gradients(g(x), x)


def concrete_described(tf):
    none = tf.function(lambda x: None).get_concrete_function(tf.TensorSpec([], tf.float32))
    some = tf.function(lambda x: {"a": x, "b": [x, None]}).get_concrete_function(
        tf.TensorSpec([2], tf.float32)
    )
    sparse = tf.function(lambda x: tf.SparseTensor([[0]], [x], [2])).get_concrete_function(
        tf.TensorSpec([], tf.float32)
    )
    described = [(f.output_dtypes, f.output_shapes) for f in (none, some, sparse)]
    return str(described)


def function_bool_unconverted(tf):
    tf.function(lambda x: x if bool(x) else -x, autograph=False)(tf.constant(True))


def function_bools(tf):
    def truth(x):
        try:
            return bool(x)
        except TypeError as error:
            said.append(str(error))
            return x

    said = []
    flag = tf.constant(True)
    tf.function(truth)(flag)
    tf.function(truth, autograph=False)(flag)
    tf.data.Dataset.range(3).map(truth)
    tf.compat.v1.wrap_function(truth, [tf.TensorSpec([], tf.bool)])
    return said


def function_recorded_before_arguments(tf):
    def f(x):
        raise ValueError("recorded for %s" % x.dtype.name)

    specs = [tf.TensorSpec([], tf.float32)]
    tf.function(f, input_signature=specs, autograph=False)(tf.constant("a"))


def function_signature_empty(tf):
    tf.function(lambda x: x, input_signature=[])(tf.constant(1.0))


def run_views_as_arguments(tf):
    resource = tf.Variable(2.0, use_resource=True)
    first, second = tf.Variable(5.0, use_resource=False), tf.Variable(7.0, use_resource=False)
    f = tf.function(lambda: [resource, first, second])
    return f()


# ---- variables that functions create ----------


def _creates(tf, *initial_values, **options):
    """A function that creates variables when it is called first, and these."""
    made = []

    @tf.function(autograph=False)
    def f(x):
        if not made:
            made.extend(tf.Variable(v, name="v", **options) for v in initial_values)
        return tf.add_n([tf.reduce_sum(x * v) for v in made])

    return f, made


def function_creates_variables(tf):
    f, made = _creates(tf, 2.0, lambda: tf.fill([2], 7.0), tf.ones([2]) * 3.0)
    y = f(tf.constant(3.0))
    f(tf.constant([3.0]))
    (v, *_) = made
    said = type(v).__name__, str(v), v.trainable, v.initializer.name, v.initial_value.name
    return said, _names(tf.global_variables()), _names(tf.trainable_variables()), str(y)


def function_creates_inside(tf):
    f, _ = _creates(tf, 2.0)
    return _names(tf.gradients(tf.function(lambda x: f(x) + 1.0)(tf.constant(3.0)), []))


def function_gets_variable(tf):
    @tf.function
    def f(x):
        with tf.variable_scope("s", use_resource=True, reuse=tf.AUTO_REUSE):
            return x * tf.get_variable("w", [2], initializer=tf.ones_initializer())

    return str(f(tf.constant(3.0)))


def method_creates_variable(tf):
    class Module(tf.Module):
        v = None

        @tf.function
        def __call__(self, x):
            if self.v is None:
                self.v = tf.Variable(tf.zeros([2]) + 1.0, name="q")
            return self.v + x

    modules = Module(), Module()
    return [[str(m(tf.constant(1.0))), _names(m.variables)] for m in modules]


def function_creates_for_gradient(tf):
    f, made = _creates(tf, 2.0)
    return _names(tf.gradients(f(tf.constant(3.0)), made))


def function_creates_always(tf):
    tf.function(lambda x: x * tf.Variable(1.0), autograph=False)(tf.constant(1.0))


def function_creates_later(tf):
    f = tf.function(lambda x, b: tf.Variable(1.0) * x if b else x, autograph=False)
    f(tf.constant(1.0), False)
    f(tf.constant(1.0), True)


def function_creates_of_argument(tf):
    @tf.function
    def f(x):
        return x * tf.Variable(x + 1.0)

    f(tf.constant(1.0))


def function_creates_of_nothing(tf):
    tf.function(lambda x: x * tf.Variable(None), autograph=False)(tf.constant(1.0))


def run_creates_variables(tf):
    tf.set_random_seed(3)
    glorot = tf.initializers.glorot_normal()
    drawn = (lambda: tf.random.normal([2], seed=4)), (lambda: glorot([2, 2]))
    f, made = _creates(tf, 2.0, *drawn)
    return [f(tf.constant(3.0)), *made]


GRAPHS = {
    "function": _collect(
        function, function_gradient, function_second_gradient, function_variable,
        function_variable_argument, function_captures, function_without_result,
        function_signature, function_arguments, function_of_method,
        function_inside_gradient, gradient_of_capture, function_relaxed,
        function_and_scopes, function_custom_gradient, declared, declared_gradients,
        declared_hash, declared_captures, declared_options, concrete_described,
        function_bools, function_creates_variables, function_creates_inside,
        function_gets_variable, method_creates_variable, function_creates_for_gradient,
    ),
}  # fmt: skip

MISTAKES = {
    "function": _collect(
        function_bad_signature, function_bad_result, function_wrong_shape,
        function_unknown_keyword, function_changes_arguments, concrete_missing_argument,
        concrete_wrong_shape, declared_defaults, declared_too_many_types, declared_none,
        declared_wrong_count, function_bool_unconverted,
        function_recorded_before_arguments, function_signature_empty,
        function_creates_always, function_creates_later, function_creates_of_argument,
        function_creates_of_nothing,
    ),
}  # fmt: skip

RUNS = {
    "function": _collect(
        run_functions, run_declared, run_views_as_arguments, run_creates_variables,
    ),
}  # fmt: skip
