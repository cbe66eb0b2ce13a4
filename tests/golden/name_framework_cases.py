"""Names below tensorflow.python of framework: see `name_runs`."""

from __future__ import annotations

from name_runs import module

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
