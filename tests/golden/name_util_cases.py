"""Names below tensorflow.python of util and data: see `name_runs`."""

from __future__ import annotations

from name_runs import module

module(
    "util.deprecation",
    """
    noted(m.deprecated_endpoints("a.b", "c"))
    call(m.deprecated_endpoints("d"), m.deprecated_endpoints("a.b")(lambda: 0))
    m.deprecated_alias("m.old", "m.new", old).__doc__
    said(m.deprecated_alias("m.old", "m.new", old), 3)
    m.deprecated_alias("m.C0", "m.C", C).__doc__
    said(m.deprecated_alias("m.C0", "m.C", C), 3)
    m.rewrite_argument_docstring("Do `b` now.\\n\\n  b: it", "b", "new")
    m.DeprecatedArgSpec(1, False, None)
    call(lambda: Hidden().z)
    call(m.deprecated_args, DATE, "use x")
    call(m.deprecated_args, "2020", "use x", "a")
    call(m.deprecated_args(DATE, "use x", "missing"), lambda x: x)
    call(m.deprecated_args(DATE, "use x", "missing", "also"), lambda x, *a: x)
    call(m.deprecated_arg_values, DATE, "use x")
    call(m.deprecated, "x", "use x")
    call(m.deprecated, DATE, "")
    call(m.deprecated(DATE, "use x"), 3)
    m.deprecated(DATE, "use x")(old).__doc__
    m.deprecated(DATE, "use x")(lambda: 0).__doc__
    m.deprecated_args(DATE, "use x", "x")(old).__doc__
    m.deprecated_args(None, "use x", "x")(lambda x: 0).__doc__
    m.deprecated_arg_values(DATE, "use x", x=2)(old).__doc__
    m.deprecated_arg_values(None, "use x", x="q")(lambda x: x).__doc__
    said(many, 1)
    said(many, 1, 2)
    said(many, 1, opt=1)
    said(many, 1, 2, 3, 4)
    said(many, 1, z=1)
    said(many, 1, okv=None)
    said(many, 1, okv=3)
    said(once, 1)
    said(once, 1)
    said(once, 1, False)
    said(K().method)
    said(K.static)
    """,
    '''
DATE = "2020-01-01"
from tensorflow.python.platform import tf_logging

def old(x):
    """Do.

    Args:
      x: it.
    """
    return x

class C(object):
    "A class."
    def __init__(self, x):
        self.x = x

class Hidden(object):
    z = m.HiddenTfApiAttribute("It is hidden.")

def noted(decorate):
    return decorate(lambda: 0)._tf_deprecated_api_names

def said(function, *args, **kwargs):
    calls, real = [], tf_logging.warning
    tf_logging.warning = lambda *texts: calls.append([x for x in texts if ":" not in str(x)[1:]])
    try:
        function(*args, **kwargs)
    finally:
        tf_logging.warning = real
    return calls

@m.deprecated_args(DATE, "use x", "kw", "args", "opt", ("okv", None), warn_once=False)
def many(a, opt=1, okv=None, *args, **kw):
    return a

@m.deprecated_arg_values(DATE, "use x", opt=True)
def once(a, opt=True):
    return a

class K(object):
    @m.deprecated(DATE, "use x")
    def method(self):
        pass
    @staticmethod
    @m.deprecated(DATE, "use x")
    def static():
        pass
''',
)

module(
    "util.tf_export",
    """
    call(m.tf_export, "estimator.x")
    call(m.keras_export, "x.y")
    exported(m.tf_export("abc.x", "y", v1=["abc.z"]))
    call(m.tf_export("more"), Exported)
    m.tf_export("new", overrides=[Exported])(Other)._tf_api_names
    hasattr(Exported, "_tf_api_names")
    m.get_canonical_name(["a", "b"], ["b"])
    m.get_canonical_name(["b"], ["b"])
    m.get_canonical_name([], ["b"])
    m.get_canonical_name_for_symbol(Other)
    m.get_v1_names(Other)
    m.get_v2_names(Other)
    m.API_ATTRS
    m.API_ATTRS_V1["keras"].constants
    m.kwarg_only(lambda x: x)(x=1)
    call(m.kwarg_only(lambda x, y: x), 1)
    constants()
    """,
    """
import sys

class Exported(object):
    pass

class Other(object):
    pass

def exported(decorate):
    decorate(Exported)
    return [Exported._tf_api_names, Exported._tf_api_names_v1]

def constants():
    m.tf_export("m.ONE", v1=["m.UN"]).export_constant("sys", "ONE")
    found = [m.get_v1_constants(sys), m.get_v2_constants(sys)]
    del sys._tf_api_constants, sys._tf_api_constants_v1
    return found
""",
)

module(
    "util.tf_decorator",
    """
    replaced()
    m._has_tf_decorator_attr(decorated(base))
    m._has_tf_decorator_attr(base)
    m.rewrap(base, base, other)()
    """,
    """
def base():
    return "base"

def other():
    return "other"

def decorated(function):
    def wrapped():
        return "w" + function()
    return m.make_decorator(function, wrapped)

def replaced():
    outer = decorated(base)
    twice = decorated(outer)
    return [m.rewrap(twice, base, other) is twice, twice(), m.unwrap(twice)[1]()]
""",
)

module(
    "util.tf_should_use",
    """
    dropped(m.should_use_result, lambda x: None)
    dropped(m.should_use_result, lambda x: x.name)
    dropped(m.should_use_result, lambda x: x.mark_used())
    dropped(m.must_use_result_or_fatal, lambda x: None)
    str(m.should_use_result(tf.constant)(3))
    type(m.should_use_result(tf.constant)(3))
    """,
    """
import gc
from tensorflow.python.platform import tf_logging

def dropped(decorate, use):
    calls, real = [], (tf_logging.error, tf_logging.fatal)
    tf_logging.error = lambda text: calls.append(["error", text.splitlines()[:4]])
    tf_logging.fatal = lambda text: calls.append(["fatal", text.splitlines()[:4]])
    try:
        with tf.Graph().as_default():
            value = decorate(lambda: tf.constant(1))()
            use(value)
            del value
        gc.collect()
    finally:
        tf_logging.error, tf_logging.fatal = real
    return calls
""",
)

module(
    "util.module_wrapper",
    """
    m.get_rename_v2("tf.get_variable")
    m.get_rename_v2("tf.nn.relu")
    m.get_rename_v2("x")
    m.contains_deprecation_decorator([])
    m.has_deprecation_decorator(tf.nn.relu)
    m.has_deprecation_decorator(tf.nn.dynamic_rnn)
    [wrapper.a, wrapper.b, repr(wrapper), dir(wrapper)[-2:]]
    call(lambda: wrapper.c)
    changed()
    """,
    """
import types
inner = types.ModuleType("mm")
inner.a, inner.b = 1, 2
wrapper = m.TFModuleWrapper(inner, "mm")

def changed():
    wrapper.d = 4
    found = inner.d
    del wrapper.d
    return [found, hasattr(inner, "d")]
""",
)

module(
    "util.nest",
    """
    m._packed_nest_with_indices([1, [2]], ["a", "b"], 0, m.is_sequence)
    m._sequence_like((1,), [2])
    list(m._yield_value({"b": 1, "a": 2}))
    m._is_mapping({})
    m._is_mapping([])
    m._is_mapping_view({}.values())
    [str(m._DotString()), repr(m._DOT)]
    list(m._yield_flat_up_to([1, [2]], [1, [[2]]], m.is_sequence))
    m._STRUCTURES_HAVE_MISMATCHING_LENGTHS
    m._INPUT_TREE_SMALLER_THAN_SHALLOW_TREE
    m._STRUCTURES_HAVE_MISMATCHING_TYPES
    m._SHALLOW_TREE_HAS_INVALID_KEYS
    m._IF_SHALLOW_IS_SEQ_INPUT_MUST_BE_SEQ
    """,
)

module(
    "util.tf_stack",
    """
    names()
    within(Hidden())
    within(Mapper())
    names()
    call(m.StackTraceFilter().get_filtered_filenames)
    call(m.StackTraceMapper().get_effective_source_map)
    """,
    """
def stack():
    found = m.extract_stack()
    return [found[i] for i in range(len(found))]

def names():
    return [frame.name for frame in stack()][-2:]

def within(transform):
    with transform:
        return names()

HERE = stack()[-1].filename
LINE = stack.__code__.co_firstlineno + 1

class Hidden(m.StackTraceFilter):
    def get_filtered_filenames(self):
        return {HERE}

class Mapper(m.StackTraceMapper):
    def get_effective_source_map(self):
        return {(HERE, LINE): ("other.py", 7, "zed")}
""",
)

module(
    "util.function_utils",
    """
    m._is_bound_method("".join)
    m._is_bound_method(C().f)
    m._is_callable_object(C())
    m._is_callable_object(3)
    m.get_disabled_rewriter_config()
    """,
    """
class C(object):
    def f(self):
        pass
    def __call__(self):
        pass
""",
)

module(
    "util.dispatch",
    """
    handled()
    m.DISPATCH_ATTR
    call(m.add_dispatch_list, m.add_dispatch_list(lambda: 0))
    """,
    """
class D(m.OpDispatcher):
    def handle(self, args, kwargs):
        return ["handled", args]

def handled():
    function = m.add_dispatch_list(lambda x: x)
    D().register(function)
    return m.dispatch(function, 3)
""",
)

module(
    "data.util.sparse",
    """
    m.as_dense_shapes({"a": tf.TensorShape([3]), "b": tf.TensorShape([2])}, classes)
    m.as_dense_types({"a": tf.int32, "b": tf.float32}, classes)
    element()
    element()["a"].shape
    m.serialize_many_sparse_tensors({"a": many, "b": 1})
    [[op.name, op.type] for op in tf.get_default_graph().get_operations()]
    """,
    """
classes = {"a": tf.SparseTensor, "b": tf.Tensor}
one = tf.SparseTensor([[0]], [1], [1])
many = tf.SparseTensor([[0, 0]], [1], [1, 1])

def element():
    said = m.serialize_sparse_tensors({"a": one, "b": tf.constant(1)})
    shapes = {"a": tf.TensorShape([1]), "b": tf.TensorShape([])}
    return m.deserialize_sparse_tensors(said, {"a": tf.int32, "b": tf.int32}, shapes, classes)
""",
)
