"""What TF's tests call of its C API, and of the eager context beside it."""

import collections

import tensorflow as tf
from tensorflow.python import pywrap_tensorflow as c_api
from tensorflow.python.eager import backprop, context, core
from tensorflow.python.framework import c_api_util

tf.compat.v1.enable_eager_execution()


def show(function, *args):
    try:
        print(function(*args))
    except (core._FallbackException, core._NotOkStatusException) as error:
        print(type(error).__name__)
    except (RuntimeError, TypeError, ValueError, tf.errors.OpError) as error:
        print(type(error).__name__, error)


here = context.context()
here.configure_collective_ops("/job:worker/replica:0/task:0", device_filters=["/job:ps"])

# What is said of op types.
definitions = c_api_util.ApiDefMap()
show(lambda: [name in definitions.op_names() for name in ("Add", "ConcatV2", "Nope")])
show(definitions.get_op_def, "Add")
show(definitions.get_op_def, "Nope")
for op_type in ("Add", "ConcatV2", "Conv2D", "FIFOQueueV2"):
    show(definitions.get_api_def, op_type)
show(definitions.put_api_def, "")
for texts in [
    ['description: <<END\n*NOTE*: "a" \\ b\n  more\nEND\nsummary: "s"'],
    [
        'out_arg { name: "z" rename_to: "w" description: "d" }',
        'out_arg { name: "z" description: "e"}',
    ],
    ['description_prefix: "P" description_suffix: "S" visibility: HIDDEN endpoint { name: "a.b" }'],
    ['description_prefix: "P" description: "D"', 'description_prefix: "Q" description_suffix: "T"'],
    ['arg_order: "y" arg_order: "x" attr { name: "T" rename_to: "U" default_value { i: 3 } }'],
    ['arg_order: "y"'],
    ['arg_order: "x" arg_order: "r"'],
    ['in_arg { name: "zz" }'],
    ['attr { name: "zz" }'],
]:
    definitions = c_api_util.ApiDefMap()
    for text in texts:
        show(definitions.put_api_def, 'op {\n graph_op_name: "Add"\n' + text + "\n}")
    show(definitions.get_api_def, "Add")

# Numbers and switches.
names = [name for name in dir(c_api) if name.startswith(("TF_ATTR_", "TFE_DEVICE_PLACEMENT"))]
names += ["TF_" + name for name in "OK DATA_LOSS UNAUTHENTICATED FLOAT COMPLEX UINT64 HALF".split()]
show(lambda: [(name, getattr(c_api, name)) for name in names])
show(lambda: backprop.op_attr_type("Add", "T") == int(c_api.TF_ATTR_TYPE))
show(lambda: [c_api.TF_DataTypeSize(number) for number in range(1, 24)])
show(lambda: [c_api.IsGoogleCudaEnabled(), c_api.IsBuiltWithROCm(), c_api.IsMklEnabled()])
show(lambda: c_api.TF_bfloat16_type() is tf.bfloat16.as_numpy_dtype)
show(c_api.TF_SetXlaConstantFoldingDisabled, True)
show(c_api.TF_GetXlaConstantFoldingDisabled)
show(c_api.TF_SetXlaConstantFoldingDisabled, False)
show(c_api.TF_SetXlaEnableLazyCompilation, False)
show(c_api.TF_SetXlaEnableLazyCompilation, True)
show(c_api.TF_SetXlaAutoJitMode, "")

# Structures.
pair = collections.namedtuple("pair", "a b")
values = [1, [1], (1,), {1: 2}, pair(1, 2), "x", {1: 2}.values(), {1}]
values += [tf.Variable(1.0), tf.SparseTensor([[0]], [1.0], [2]), tf.constant(1)]
values += [values[-2]._type_spec]
kinds = "Sequence SequenceOrComposite CompositeTensor TypeSpec Mapping MappingView Attrs Tensor"
for value in values:
    said = [getattr(c_api, "Is" + kind)(value) for kind in kinds.split()]
    said += [c_api.IsResourceVariable(value), c_api.IsVariable(value)]
    show(lambda: said + [c_api.IsSequenceForData(value), c_api.IsNamedtuple(value, True)])
show(lambda: [c_api.Flatten([1, (2, {3: 4})]), c_api.FlattenForData([1, (2, [3])])])
show(c_api.SameNamedtuples, pair(1, 2), pair(3, 4))
show(c_api.SameNamedtuples, pair(1, 2), (3, 4))
show(c_api.TFE_Py_RegisterExceptionClass, str)
show(c_api.TFE_Py_RegisterExceptionClass, core._NotOkStatusException)
graphs = [tf.Graph(), tf.Graph()]
with graphs[1].as_default():
    tf.constant(1, name="one")
texts = [graph.as_graph_def().SerializeToString() for graph in graphs]
show(c_api.EqualGraphDefWrapper, *texts)
show(c_api.EqualGraphDefWrapper, texts[1], texts[0])
show(c_api.EqualGraphDefWrapper, texts[1], texts[1])
attrs = [tf.compat.v1.AttrValue(i=i).SerializeToString() for i in (1, 2)]
show(c_api.EqualAttrValueWrapper, *attrs)
show(c_api.EqualAttrValueWrapper, attrs[0], attrs[0])

# Operations.
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])


def run(op_type, *args):
    result = c_api.TFE_Py_FastPathExecute(
        here._handle, here.device_name, op_type, None, None, *args
    )
    if isinstance(result, list):
        return [tensor.numpy().tolist() for tensor in result]
    return result if result is None else result.numpy().tolist()


show(run, "MatMul", x, x, "transpose_a", False, "transpose_b", True)
show(run, "IdentityN", [x, x])
show(run, "Split", 0, x, "num_split", 2)
show(run, "Pack", [x, x], "N", 2, "axis", 1)
show(run, "Pack", [x, x])
show(run, "ConcatV2", [x, x], 0)
show(run, "Unique", tf.constant([1, 1]))
show(run, "ReadVariableOp", values[8].handle, "dtype", tf.float32)
show(run, "Add", values[8], 1.0)
show(run, "NoOp")
show(run, "MatMul", x)
show(run, "MatMul", x, tf.constant([1.0]))
with tf.GradientTape() as tape:
    tape.watch(x)
    y = c_api.TFE_Py_FastPathExecute(here._handle, here.device_name, "Mul", None, None, x, x)
show(lambda: tape.gradient(y, x).numpy().tolist())
seen = []
c_api.TFE_Py_FastPathExecute(
    here._handle, here.device_name, "MatMul", "name", [lambda *a: seen.append(a)], x, x
)
show(lambda: [(s[0], len(s[1]), len(s[3]), s[4]) for s in seen])

# The context.
config = here.config
show(lambda: sorted(config.device_count.items()))
config.ClearField("device_count")
show(lambda: config)
show(tf.config.get_soft_device_placement)
show(lambda: [here.executing_eagerly()])
show(here.configure_collective_ops)
cache = context._EagerTensorCache(max_items=2, max_tensor_size=3)
for key, size in [("a", 2), ("b", 4), ("c", 1), ("d", 1)]:
    cache.put(key, tf.zeros([size]))
    show(lambda: [other for other in "abcd" if cache.get(other) is not None])
cache.flush()
show(cache.get, "c")
show(lambda: [type(kept()).__name__ for kept in (here.zeros_cache, here.ones_rank_cache)])
other = context.Context()
other.scope_name, other.summary_writer = "foo", "writer"
show(lambda: [other.scope_name, here.scope_name, other.summary_writer, here.summary_writer])
other.execution_mode = context.ASYNC
show(lambda: [other.execution_mode, here.execution_mode, other.device_name])
