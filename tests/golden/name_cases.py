"""Names of TF's internal modules: expressions, and what they give or raise.

Runs under the real TensorFlow 1.15 (Python 3.7), too.
"""

from __future__ import annotations

import importlib
import re

import numpy as np

# A module below tensorflow.python -> expressions. They see its names, `tf`, `np`, `call`, which
# gives what a function raises, and what SETUP[module] defines.
EXPRESSIONS = {}
SETUP = {}


def module(name, text, setup=""):
    EXPRESSIONS[name] = [line.strip() for line in text.strip().splitlines() if line.strip()]
    SETUP[name] = setup


def call(function, *args, **kwargs):
    """What a call raises, or gives."""
    try:
        result = function(*args, **kwargs)
    except Exception as error:
        text = str(getattr(error, "message", error))
        return [type(error).__name__, text.split("\n\nOriginal stack")[0].split("\n\t [[")[0]]
    return result


def plain(value):
    """A value as JSON can hold it, without what depends on the place or the run."""
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if isinstance(value, dict):
        return {str(key): plain(value[key]) for key in sorted(value, key=str)}
    if isinstance(value, np.ndarray):
        return [value.dtype.name, np.round(value, 4).tolist()]
    if isinstance(value, (bool, int, float, type(None))):
        return value
    if isinstance(value, type):
        return value.__name__
    text = re.sub(r"0x[0-9a-f]+", "0x", str(value))
    return re.sub(r"<class '[\w.]+\.", "<class '", text)


def run(tf, name):
    """What the expressions of a module give, in a graph of their own."""
    found = importlib.import_module("tensorflow.python." + name)
    scope = {"tf": tf, "np": np, "call": call, "m": found}
    said = []
    with tf.Graph().as_default():
        exec(SETUP[name], scope)
        for text in EXPRESSIONS[name]:
            said.append(plain(call(lambda text=text: eval(text, scope))))
    return said


module(
    "framework.test_ops",
    """
    labelled("overload_1")
    initialized()
    m.float_output()
    m.two_float_outputs()
    m.default_attrs().node_def
    call(m.attr_enum, "x")
    call(m.attr_min, 3)
    call(m.binary, 1, "a")
    call(m.old)
    call(m.requires_older_graph_version)
    call(m.kernel_label_required, 1)
    """,
    """
def labelled(label):
    with tf.Session() as s, tf.get_default_graph()._kernel_label_map({"KernelLabel": label}):
        return s.run(m.kernel_label())

def initialized():
    handle = m.stub_resource_handle_op(container="a", shared_name="b")
    with tf.control_dependencies([m.resource_create_op(handle)]):
        after = m.resource_initialized_op(handle)
    with tf.Session() as s:
        return s.run(after)
""",
)

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

module(
    "framework.op_def_library",
    """
    call(lib.apply_op, "unknown")
    lib.apply_op("Simple", a=3)
    call(lib.apply_op, "Simple")
    call(lib.apply_op, "Simple", a="x")
    call(lib.apply_op, "Simple", a=3, b=4)
    lib.apply_op("Attr", a=3).node_def
    call(lib.apply_op, "Attr", a="s")
    call(lib.apply_op, "Attr", a=[1])
    call(lib.apply_op, "Attr")
    lib.apply_op("OutT", T=tf.float32)
    call(lib.apply_op, "OutT", T="x")
    lib.apply_op("ReservedInput", input_=3).name
    lib.apply_op("ReservedAttr", range_=3).name
    call(lib.apply_op, "TwoIntInputs", a=1, b=2, c=4, d=3)
    lib.apply_op("NIntsIn", a=[1, 2]).node_def
    call(lib.apply_op, "NIntsIn", a=3)[0]
    lib.apply_op("TypeList", a=["x", 2]).node_def
    call(lib.apply_op, "TypeList", a=3)
    call(lib.apply_op, "RefIn", a=1)
    lib._apply_op_helper("Simple", a=3)[:2]
    lib._apply_op_helper("MixedStruct", n_a=2)[:2]
    lib.apply_op("Simple", a=3, name="nn")
    lib.apply_op("MixedStruct", n_a=2)
    lib.apply_op("ComplexStruct", n_a=1, n_b=2, t_c=[tf.int32])
    lib.apply_op("None").name
    lib.apply_op("AttrBoolList", a=[True, False]).node_def
    call(lib.apply_op, "AttrFloat", a="bad")
    lib.apply_op("OutTypeList", T=[tf.float32])
    lib.apply_op("PolymorphicDefaultOut")
    call(lib.apply_op, "Simple", a=tf.constant(1.0))
    """,
    """
from tensorflow.python.framework import test_ops
lib = test_ops._op_def_lib
""",
)

module(
    "framework.op_def_registry",
    """
    m.get_registered_ops()["MatMul"]
    "Zzz" in m.get_registered_ops()
    "AssignAdd" in m._registered_ops
    """,
)

module(
    "framework.traceable_stack",
    """
    pushed()
    made()
    """,
    """
def pushed():
    stack = m.TraceableStack()
    said = [stack.push_obj(3), stack.push_obj(5, offset=0), stack.push_obj(7, offset=1000)]
    said += [stack.pop_obj(), list(stack.peek_objs()), len(stack), stack.peek_top_obj()]
    first, = [x for x in stack.peek_traceable_objs() if x.obj == 3]
    other = stack.copy()
    other.push_obj(8)
    return said + [first.lineno, first.copy_metadata().obj, len(stack), len(other)]

def made():
    one = m.TraceableObject(3)
    said = [one.obj, one.filename, one.lineno, one.set_filename_and_line_from_caller()]
    return said + [one.lineno, m.TraceableObject.SUCCESS, one.HEURISTIC_USED, one.FAILURE]
""",
)

module(
    "framework.device_spec",
    """
    m.DeviceSpecV2(job="a", device_type="gpu", device_index=2).to_string()
    m.DeviceSpecV2.from_string("/job:b/cpu:0").replace(job="z").to_string()
    m.DeviceSpecV2(job="a") == m.DeviceSpecV2(job="a")
    m.DeviceSpecV2(job="a") == m.DeviceSpecV1(job="a")
    m.DeviceSpecV2(job="q").make_merged_spec(m.DeviceSpecV2(task=3)).to_string()
    m.DeviceSpecV2(job="a").parse_from_string("/cpu:0").to_string()
    call(setattr, m.DeviceSpecV2(job="a"), "job", "b")[0]
    m.DeviceSpecV1.from_string("/gpu:1").make_merged_spec(m.DeviceSpecV1(job="a")).to_string()
    changed()
    """,
    """
def changed():
    spec = m.DeviceSpecV1(job="a")
    spec.job, spec.task, spec.device_type, spec.device_index, spec.replica = "b", 1, "gpu", "2", 0
    return [spec.to_string(), m.DeviceSpecV1().parse_from_string("/job:x").job]
""",
)

module(
    "framework.tensor_util",
    """
    m.ShapeEquals(tf.make_tensor_proto([1, 2]), [2])
    m.ShapeEquals(tf.make_tensor_proto([1, 2]), tf.TensorShape([3]).as_proto())
    call(m.ShapeEquals, 3, [2])
    call(m.ShapeEquals, tf.make_tensor_proto([1, 2]), 3)
    m.TensorShapeProtoToList(tf.TensorShape([2, None]).as_proto())
    m.GetFromNumpyDTypeDict({np.float32: 1}, np.dtype("float32"))
    call(m._check_int, [1, "a"])
    m._check_int(1)
    call(m._check_str, ["a", b"b", 1])
    call(m._check_bool, 1)
    call(m._check_not_tensor, [tf.constant(1)])
    m.ExtractBitsFromFloat16(1.5)
    m.ExtractBitsFromBFloat16(np.float32(1.5))
    sorted(x.name for x in m._TENSOR_CONTENT_TYPES)
    sorted(x.name for x in m._TF_TO_IS_OK)
    """,
)

module(
    "framework.common_shapes",
    """
    m.call_cpp_shape_fn(tf.constant(1.0).op)["shapes"]
    m.matmul_shape(tf.matmul(tf.zeros([2, 3]), tf.zeros([3, 4])).op)
    m.get2d_conv_output_size(10, 10, 3, 3, 2, 2, b"VALID")
    call(m.get2d_conv_output_size, 10, 10, 3, 3, 2, 2, "VALID")
    """,
)

module(
    "framework.composite_tensor_utils",
    """
    m.is_composite_or_composite_value(value(2))
    m.is_composite_or_composite_value(tf.constant(1))
    m.get_shape(tf.SparseTensor([[0]], [1], [1]))
    m.append_composite_tensor(value(2), value(2))
    call(m.append_composite_tensor, value(2), value(3))[0]
    call(m.append_composite_tensor, value(2), 3)
    m.append_composite_tensor(tf.SparseTensor([[0, 0]], [1], [1, 1]),
        tf.SparseTensor([[0, 0]], [1], [1, 1])).indices.name
    """.replace("[1, 1]),\n        tf", "[1, 1]), tf"),
    """
def value(width):
    return tf.SparseTensorValue(np.array([[0, 0]]), np.array([1]), np.array([1, width]))
""",
)

module(
    "framework.constant_op",
    """
    m._tensor_shape_tensor_conversion_function(tf.TensorShape([1, 2]))
    call(m._tensor_shape_tensor_conversion_function, tf.TensorShape([1, None]))
    call(m._tensor_shape_tensor_conversion_function, tf.TensorShape([1]), tf.float32)
    m._dimension_tensor_conversion_function(tf.Dimension(2))
    call(m._dimension_tensor_conversion_function, tf.Dimension(None))
    m._constant_tensor_conversion_function([1, 2], tf.int64, "named")
    """,
)

module(
    "framework.ops",
    """
    m._NodeDef("Op", "name")
    m._NodeDef("Op", "name", tf.DeviceSpec(job="a"))
    m._NodeDef("Op", "name", lambda op: "x")
    [m._device_string(tf.DeviceSpec(job="w")), m._error_prefix("x"), m._error_prefix(None)]
    [m._as_graph_element(3), m._as_graph_element(variable).name]
    call(m._assert_same_graph, tf.constant(1, name="aa"), elsewhere)
    [m._op_to_colocate_with(x, graph) and m._op_to_colocate_with(x, graph).name for x in seen]
    call(m._operation_conversion_error, elsewhere.op)
    statistic(3, None)
    call(statistic, 3, 4, "w")
    call(m.RegisterStatistics, "A", 3)
    call(m.RegisterStatistics, 3, "flops")
    call(m.RegisterStatistics, "a,b", "flops")
    registered()
    m.get_stats_for_node_def(graph, tf.NodeDef(op="Nobody"), "flops").value
    [m._default_graph_stack.get_default() is graph, m._default_session_stack.get_default()]
    [m._VALID_OP_NAME_REGEX.pattern, m._VALID_SCOPE_NAME_REGEX.pattern, m._USE_C_API]
    [m._MUTATION_LOCK_GROUP, m._SESSION_RUN_LOCK_GROUP]
    made("FloatOutput", "op1", [], [tf.float32])
    call(made, "FloatOutput", "invalid'op", [], [tf.float32])
    call(m.Operation, 3, graph, [], [])
    call(m.Operation, m._NodeDef("a", "op1"), 3, [], [])
    call(made, "FloatOutput", "op2", [3], [])
    call(made, "FloatOutput", "op2", None, None, [1])
    call(made, "IntInputIntOutput", "op3", given, [tf.int32], None, [tf.int32])
    made("None", "op5")
    made("RefOutputFloatOutput", "op6", [], [m.dtypes.float32_ref, tf.float32])
    m.Operation(on_cpu, graph, control_inputs=[elsewhere_op]).node_def
    """,
    """
from tensorflow.python.framework import test_ops
graph = tf.get_default_graph()
variable = tf.Variable(1.0, name="v")
with tf.Graph().as_default():
    elsewhere = tf.constant(1)
elsewhere_op = tf.no_op("before")
given = [tf.constant(1.0, name="given")]
on_cpu = m._NodeDef("None", "op7", "/device:CPU:0")
seen = [None, variable, tf.constant(2, name="c"), 5]

def statistic(value, more, kind="flops"):
    found = m.OpStats("flops", value)
    found += m.OpStats(kind, more)
    return [found.value, found.statistic_type]

def registered():
    register = m.RegisterStatistics("Registered%d" % id(graph), "flops")
    register(lambda graph, node: m.OpStats("flops", 20))
    node = tf.NodeDef(op="Registered%d" % id(graph))
    return [m.get_stats_for_node_def(graph, node, "flops").value, call(register, 3)[0]]

def made(op_type, name, inputs=None, types=None, control=None, input_types=None):
    op = m.Operation(m._NodeDef(op_type, name), graph, inputs, types, control, input_types)
    return [op.name, op.outputs] + list(op.outputs)
""",
)

module(
    "eager.execute",
    """
    call(m.make_bool, 3, "x")
    m.make_bool(True, "x")
    call(m.make_float, "a", "x")
    call(m.make_int, "s", "x")
    m.make_int(1.0, "x")
    call(m.make_str, 3, "x")
    m.make_str("3", "x")
    m.make_type("float", "x")
    call(m.make_type, "zz", "x")
    m.make_shape([1, None], "x")
    call(m.make_shape, "a", "x")
    m.make_shape(tf.TensorShape(None), "x")
    m.make_tensor("dtype: DT_INT32", "x")
    call(m.make_tensor, 3, "x")
    eagerly(lambda: m.execute(b"AddV2", 1, [tf.constant(1.0), tf.constant(2.0)], FLOAT, ctx())[0])
    eagerly(lambda: m.args_to_matching_eager([1, tf.constant(2.0)], ctx())[1][0])
    call(eagerly, lambda: m.args_to_matching_eager([1, "a"], ctx()))[0]
    eagerly(lambda: m.convert_to_mixed_eager_tensors([1, 2.0], ctx())[0])
    """,
    """
from tensorflow.python.eager import context
FLOAT = ("T", tf.float32.as_datatype_enum)

def ctx():
    context.context().ensure_initialized()
    return context.context()

def eagerly(function):
    with context.eager_mode():
        ctx()
        value = function()
        return value.numpy() if hasattr(value, "numpy") else value
""",
)

module(
    "eager.tape",
    """
    walked(lambda x, tape: x * 3.0)
    walked(own)
    call(walked, lambda x, tape: tf.constant(1.0))[0]
    """,
    """
from tensorflow.python.eager import context, imperative_grad

def own(x, tape):
    y = tf.constant(7.0)
    m.record_operation("Mine", [y], [x], lambda grad: [grad * 10.0])
    return y

def walked(function):
    with context.eager_mode():
        x = tf.constant(2.0)
        tape = m.push_new_tape()
        m.watch(tape, x)
        said = [m.could_possibly_record()]
        try:
            y = function(x, tape)
        finally:
            m.pop_tape(tape)
        said.append(m.could_possibly_record())
        return said + [imperative_grad.imperative_grad(tape, [y], [x])[0].numpy()]
""",
)

module(
    "eager.monitoring",
    """
    [counter.get_cell("a").increase_by(3), counter.get_cell("a").value()]
    counter.get_cell("b").value()
    call(counter.get_cell)
    call(m.Counter, "test/names/counter", "again")
    [sampler.get_cell().add(x) for x in (1.0, 5.0)]
    sampler.get_cell().value()
    [gauge.get_cell().set(4), gauge.get_cell().value()]
    [flag.get_cell().set(True), flag.get_cell().value()]
    [text.get_cell("z").set("v"), text.get_cell("z").value()]
    """,
    """
counter = m.Counter("test/names/counter", "it", "label")
sampler = m.Sampler("test/names/sampler", m.ExponentialBuckets(1.0, 2.0, 2), "it")
gauge = m.IntGauge("test/names/gauge", "it")
flag = m.BoolGauge("test/names/flag", "it")
text = m.StringGauge("test/names/text", "it", "label")
""",
)

module(
    "eager.execution_callbacks",
    """
    seen()
    call(checked, lambda: tf.math.log(tf.constant(-1.0)))
    call(m.seterr, inf_or_nan="bad")
    """,
    """
from tensorflow.python.eager import context

def seen():
    calls = []
    with context.eager_mode():
        m.add_execution_callback(lambda *args: calls.append([args[0], len(args)]))
        tf.add(tf.constant(1.0), tf.constant(2.0))
        m.clear_execution_callbacks()
    return calls

def checked(function):
    with context.eager_mode():
        m.add_execution_callback(m.inf_nan_callback)
        try:
            function()
        finally:
            m.clear_execution_callbacks()
""",
)

module(
    "eager.lift_to_graph",
    """
    copied(sources=[a], add_sources=True)
    call(copied)
    call(copied, sources=[a], disallowed_placeholders={a.op})
    """,
    """
a = tf.placeholder(tf.float32, name="a")
b = a * 2.0 + tf.identity(1.0)

def copied(**kwargs):
    graph = tf.Graph()
    copies = m.lift_to_graph([b], graph, **kwargs)
    return [sorted(op.name for op in graph.get_operations()), copies[b]]
""",
)

module(
    "eager.graph_only_ops",
    """
    m.graph_zeros_like(tf.constant(1.0)).op.node_def
    m.graph_placeholder(tf.float32, [2, None], name="p").op.node_def
    """,
)

module(
    "keras.utils.vis_utils",
    """
    drawn(model)
    drawn(model, show_shapes=True, show_layer_names=False, rankdir="LR", dpi=7)
    drawn(model, expand_nested=True)
    drawn(Own())
    plotted()
    call(without)
    """,
    '''
class Node(object):
    def __init__(self, name, label):
        self.name, self.label = name, label
    def get_name(self):
        return self.name

class Dot(object):
    """As much of pydot as is asked for."""
    Node = Node
    def __init__(self, **options):
        self.said, self.nodes, self.edges = [sorted(options.items())], [], []
    def create(self):
        pass
    def set(self, *option):
        self.said.append(list(option))
    def set_node_defaults(self, **options):
        self.said.append(sorted(options.items()))
    def add_node(self, node):
        self.nodes.append(node)
    def get_nodes(self):
        return self.nodes
    def get_node(self, name):
        return [node for node in self.nodes if node.name == name]
    def get_edge(self, *edge):
        return edge in self.edges
    def add_edge(self, edge):
        self.edges.append(edge)
    def add_subgraph(self, dot):
        self.said.append(dot)
    def write(self, *args, **kwargs):
        self.said.append([args, sorted(kwargs.items())])
        written.append(self.said[-1])

written = []

class pydot(object):
    Dot = Cluster = Dot
    Node = Node
    @staticmethod
    def Edge(a, b):
        return (a, b)

m.pydot = pydot
layers = tf.keras.layers
inner = tf.keras.Sequential([layers.Dense(2, input_shape=(3,), name="i1"),
                             layers.Dense(3, name="i2")], name="inner")
wrapped = tf.keras.Sequential([layers.Dense(3, input_shape=(3,), name="w1")], name="wrapped")
x = tf.keras.Input((4, 3), name="in")
y = layers.TimeDistributed(wrapped, name="td")(x)
y = layers.TimeDistributed(layers.Dense(3, name="per_step"), name="steps")(y)
y = layers.Flatten(name="flat")(layers.Dropout(0.5, name="drop")(y))
z = inner(layers.Dense(3, name="d")(y))
model = tf.keras.Model(x, layers.Add(name="sum")([z, inner(z)]), name="model")

class Own(tf.keras.Model):
    def call(self, x):
        return x

def described(dot, names):
    names.update((node.name, node.label.split(":")[0]) for node in dot.nodes)
    said = [described(x, names) if isinstance(x, Dot) else x for x in dot.said]
    return [said, [node.label for node in dot.nodes]]

def drawn(model, **options):
    names, dot = {}, m.model_to_dot(model, **options)
    said = described(dot, names)
    return said + [[[names[a], names[b]] for a, b in dot.edges]]

def plotted():
    m.plot_model(model, "x.svg")
    m.plot_model(model, "name")
    return written

def without():
    m.pydot = None
    m.model_to_dot(model)
''',
)

module(
    "keras.engine.input_spec",
    """
    [m.to_tensor_shape(m.InputSpec(shape=[2, None])), m.to_tensor_shape(m.InputSpec(ndim=3))]
    [m.to_tensor_shape(m.InputSpec(ndim=3, axes={1: 4, -1: 5})), m.to_tensor_shape(m.InputSpec())]
    m.to_tensor_spec(m.InputSpec(shape=[2]), tf.float32)
    m.to_tensor_spec(m.InputSpec(shape=[2], dtype="int32"))
    m.to_tensor_spec(3)
    m.to_tensor_spec(m.InputSpec(ndim=2))
    """,
)

module(
    "keras.engine.training_utils",
    """
    [m.list_to_tuple([1, 2]), m.list_to_tuple({"a": [1]})]
    m.standardize_sample_or_class_weights(None, ["a"], "sample_weight")
    call(m.standardize_sample_or_class_weights, [1], ["a", "b"], "sample_weight")
    m.standardize_sample_or_class_weights({"a": 1}, ["a", "b"], "class_weight")
    call(m.assert_not_batched, data.batch(2))
    call(m.assert_not_batched, data.batch(2).map(lambda x: x))
    m.assert_not_batched(data.map(lambda x: x))
    call(m.assert_not_shuffled, data.shuffle(2))
    call(m.assert_not_shuffled, 3)
    m.is_eager_dataset_or_iterator(data)
    sliced(5, 2, (0, 2), (2, 4), (4, 5))
    sliced(2, 2, (0, 2))
    call(sliced, 2, 2, (0, 2), extra=1)
    joined(2, 2, 1)
    call(joined, 2, 3)
    [m.is_feature_layer(tf.keras.layers.Dense(1)), m.is_feature_layer(features)]
    """,
    """
data = tf.data.Dataset.range(3)
features = tf.keras.layers.DenseFeatures([tf.feature_column.numeric_column("a")])

def sliced(total, size, *places, **more):
    found = m.SliceAggregator(total, size)
    found.create(np.zeros([size, 1]))
    for i, (start, end) in enumerate(places):
        found.aggregate(np.full([end - start + more.get("extra", 0), 1], i), start, end)
    found.finalize()
    return found.results

def joined(size, *sizes):
    found = m.ConcatAggregator(size)
    found.create(np.ones([size]))
    for i, n in enumerate(sizes):
        found.aggregate(np.full([n], i))
    found.finalize()
    return found.results
""",
)

module(
    "keras.utils.layer_utils",
    """
    names(m.gather_trainable_weights(True, layers, []))
    names(m.gather_non_trainable_weights(True, layers, []))
    names(m.gather_trainable_weights(True, layers, extra))
    names(m.gather_non_trainable_weights(True, layers, extra))
    names(m.gather_trainable_weights(False, layers, extra))
    names(m.gather_non_trainable_weights(False, layers, extra))
    """,
    """
layers = [tf.keras.layers.Dense(1), tf.keras.layers.BatchNormalization()]
for layer in layers:
    layer.build([1, 2])
extra = [tf.Variable(1.0, name="own"), tf.Variable(1.0, trainable=False, name="other")]

def names(variables):
    return [variable.name for variable in variables]
""",
)

module(
    "keras.utils.kernelized_utils",
    """
    run(m.exact_gaussian_kernel(x, y, 2.0))
    run(m.exact_laplacian_kernel(x, y, 2.0))
    run(m.inner_product(x, y))
    call(m._align_matrices, x, tf.ones([2, 3]))
    call(m._to_matrix, tf.ones([1, 2, 3]))
    [m._to_matrix(tf.ones([2])), m._align_matrices(x, y)]
    [[op.name, op.type] for op in tf.get_default_graph().get_operations()]
    """,
    """
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
y = tf.constant([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]])

def run(value):
    with tf.Session() as s:
        return s.run(value)
""",
)

module(
    "keras.model_subclassing_test_util",
    """
    graph(lambda: m.SimpleTestModel(use_bn=True, use_dp=True, num_classes=2)(tf.ones([2, 3])))
    graph(lambda: m.SimpleConvTestModel(2)(tf.ones([1, 4, 4, 1])))
    graph(lambda: m.MultiIOTestModel(use_bn=True, use_dp=True)([tf.ones([2, 3]), tf.ones([2, 3])]))
    graph(lambda: m.NestedTestModel1()(tf.ones([2, 3])))
    graph(lambda: m.NestedTestModel2()(tf.ones([2, 3])))
    graph(lambda: m.get_nested_model_3(3, 2)(tf.ones([2, 3])))
    graph(lambda: m.CustomCallModel()(tf.ones([2, 3]), tf.ones([2, 3]), fiddle_with_output="yes"))
    graph(lambda: m.TrainingNoDefaultModel()(tf.ones([2, 3]), True))
    graph(lambda: m.TrainingMaskingModel()(tf.ones([2, 3])))
    """,
    """
import hashlib

def graph(function):
    with tf.Graph().as_default():
        outputs = function()
        names = ["%s:%s" % (op.name, op.type) for op in tf.get_default_graph().get_operations()]
        return [outputs, len(names), hashlib.md5(" ".join(names).encode()).hexdigest()]
""",
)

module(
    "ops.linalg.linear_operator_test_util",
    """
    sorted(name for name in dir(Square) if name.startswith(("test_to", "test_matmul__sha")))
    passed(Square, 4)
    passed(Narrow, 4)
    failed(Wrong)
    run(tf.abs(m.random_normal([2], dtype=tf.complex64, seed=1)))
    run(m.random_sign_uniform([3], minval=1.0, maxval=2.0, seed=1))
    run(m.random_positive_definite_matrix([2, 2], tf.float32, force_well_conditioned=True))
    run(m.random_normal_correlated_columns([2, 3], seed=1))
    call(m.random_normal_correlated_columns, [2])
    [[op.name, op.type] for op in tf.get_default_graph().get_operations()]
    """,
    """
import unittest
tf.set_random_seed(7)

class Square(m.SquareLinearOperatorDerivedClassTest):
    @staticmethod
    def dtypes_to_test():
        return [tf.float64]
    @staticmethod
    def operator_shapes_infos():
        return [m.OperatorShapesInfo((1, 3, 3))]
    def operator_and_matrix(self, info, dtype, use_placeholder, ensure_self_adjoint_and_pd=False):
        matrix = m.random_positive_definite_matrix(list(info.shape), dtype, True)
        fed = tf.placeholder_with_default(matrix, shape=None) if use_placeholder else matrix
        known = True if ensure_self_adjoint_and_pd else None
        operator = tf.linalg.LinearOperatorFullMatrix(
            fed, is_square=True, is_self_adjoint=known, is_positive_definite=known)
        return operator, matrix

class Narrow(m.NonSquareLinearOperatorDerivedClassTest):
    @staticmethod
    def dtypes_to_test():
        return [tf.float64]
    def operator_and_matrix(self, info, dtype, use_placeholder, ensure_self_adjoint_and_pd=False):
        matrix = m.random_normal(info.shape, dtype=dtype)
        fed = tf.placeholder_with_default(matrix, shape=None) if use_placeholder else matrix
        return tf.linalg.LinearOperatorFullMatrix(fed, is_square=False), matrix

class Wrong(Square):
    def operator_and_matrix(self, info, dtype, use_placeholder, ensure_self_adjoint_and_pd=False):
        operator, matrix = super(Wrong, self).operator_and_matrix(
            info, dtype, use_placeholder, ensure_self_adjoint_and_pd)
        return operator, matrix + 1.0

for cls in (Square, Narrow, Wrong):
    if cls is not Wrong:
        m.add_tests(cls)

def result(cls, prefix):
    names = sorted(name for name in dir(cls) if name.startswith(prefix))
    found = unittest.TestResult()
    unittest.TestSuite(cls(name) for name in names).run(found)
    return found

def passed(cls, count):
    found = result(cls, "test_")
    return [found.testsRun, len(found.failures), len(found.errors)]

def failed(cls):
    return [len(result(cls, "test_" + name).failures) for name in ("to_dense", "det_", "solve__")]

def run(value):
    with tf.Session() as s:
        return s.run(value)
""",
)

module(
    "ops.parallel_for.test_util",
    """
    result(lambda case: case._test_loop_fn(lambda i: tf.cast(i, tf.float32) * 2.0, 3))
    result(lambda case: case.run_and_assert_equal([tf.constant(1.0)], [tf.constant(2.0)]))
    """,
    """
def result(function):
    class Case(m.PForTestCase):
        def runTest(self):
            with self.cached_session():
                function(self)
    import unittest
    found = unittest.TestResult()
    Case().run(found)
    return [len(found.failures), len(found.errors)]
""",
)

module(
    "ops.image_ops_impl",
    """
    call(m._AssertAtLeast3DImage, tf.zeros([2, 2]))
    m._AssertAtLeast3DImage(tf.zeros([2, 2, 3])).name
    call(m._AssertGrayscaleImage, tf.zeros([2, 2, 3]))
    [m._ImageDimensions(tf.zeros([2, 3, 4]), 3), len(m._ImageDimensions(unknown, 3))]
    [m._is_tensor(unknown), m._is_tensor(np.zeros(1))]
    run(m._fspecial_gauss(3, 1.5))
    [run(x) for x in m._ssim_per_channel(image, image * 0.9, filter_size=3)]
    call(m._verify_compatible_image_shapes, image, image[:, :2])[0]
    m._is_png(b"x")
    [[op.name, op.type] for op in tf.get_default_graph().get_operations()]
    """,
    """
unknown = tf.placeholder(tf.float32, [None, None, None])
image = tf.constant(np.linspace(0.0, 1.0, 48, dtype=np.float32).reshape([1, 4, 4, 3]))

def run(value):
    with tf.Session() as s:
        return s.run(value)
""",
)

module(
    "ops.variables",
    """
    m._try_guard_against_uninitialized_dependencies("name", v + 1.0)
    m._find_initialized_value_for_variable(v.op)
    m._has_cycle((v + 1.0).op, {})
    """,
    """
v = tf.Variable(1.0, name="v")
""",
)

module(
    "training.input",
    """
    m._as_tensor_list_list([[1, 2], [3, 4]])
    call(m._as_tensor_list_list, [])
    m._as_tensor_list({"b": 1, "a": 2})
    m._as_original_type({"b": 1, "a": 2}, [3, 4])
    m._as_original_type([1], 3)
    """,
)

module(
    "training.tracking.data_structures",
    """
    names(m.List([tf.keras.layers.Dense(1, name="d")]))
    call(m.Mapping, a=1)
    call(m.List, ["a"])
    call(m.List([]).append, 3)
    call(m.Mapping().__setitem__, 3, tf.keras.layers.Dense(1))
    [repr(m.Mapping(a=[1])), repr(m.List([[]]))]
    """,
    """
def names(layers):
    return [layer.name for layer in layers.layers]
""",
)

module(
    "layers.utils",
    """
    m.object_list_uid([]) == ""
    """,
    """
a = tf.placeholder(tf.float32)
b = a * 2.0
""",
)
