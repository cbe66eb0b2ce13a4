"""Calls with unusual arguments: what each records, gives and refuses.

Runs under the real TensorFlow 1.15 (Python 3.7) as well as under this project's Python.
"""

from __future__ import annotations

import numpy as np
import recording


def fed(value, dtype, shape=None):
    """A placeholder of which only `shape` is known, and its feed."""
    return Fed(np.array(value), dtype, shape)


class Fed:
    def __init__(self, value, dtype, shape):
        self.value, self.dtype, self.shape = value, dtype, shape


def second_order(tf, y, *xs):
    return tf.gradients(tf.gradients(y, xs), xs)


def resource(tf, name="x"):
    """A resource variable that is not initialized where outcomes are found."""
    variable = tf.Variable([1.0, 2.0], name=name, use_resource=True, collections=[name])
    tf.Variable(0.0, name="initialized", use_resource=True)
    return variable


def number(tf, value):
    return tf.AttrValue(i=value)


def colocated_constant(tf, other):
    with tf.colocate_with(other):
        return tf.constant(1.0)


def dead(tf):
    """Three tensors, of which the second alone has no value."""
    gone = tf.raw_ops.Switch(data=1.0, pred=True).output_false
    return [tf.constant(2.0, name="y"), tf.identity(gone, name="x"), tf.constant(3.0, name="w")]


def adagrad_da(tf):
    variable = tf.Variable([1.0, 2.0], name="v")
    step = tf.train.get_or_create_global_step()
    optimizer = tf.train.AdagradDAOptimizer(1, step, l1_regularization_strength=1)
    with tf.control_dependencies([optimizer.minimize(variable * variable)]):
        return tf.identity(variable)


def number_as_name(tf):
    with tf.variable_scope("scope"):
        return tf.get_variable(5, [2])


# Each: name, function of `tf` and of placeholders, and what these are fed.
CASES = {
    "argmax/scalar": (lambda tf, x: tf.argmax(x, 0), fed(2.0, "float32")),
    "argmin/last of a scalar": (lambda tf, x: tf.argmin(x, -1), fed(2.0, "float32")),
    "pad/strings": (lambda tf, x: tf.pad(x, [[1, 0]]), fed([b"a", b"b"], "string")),
    "zeros_like/strings": (lambda tf, x: tf.zeros_like(x), fed([b"a", b"b"], "string")),
    "zeros_like/to strings": (
        lambda tf, x: tf.zeros_like(x, dtype="string"),
        fed([[1.0, 2.0]], "float32"),
    ),
    "fill/strings": (lambda tf, x: tf.fill(x, "a"), fed([2], "int32", [1])),
    "scatter_nd/strings": (
        lambda tf, x: tf.scatter_nd([[0], [2]], x, [4]),
        fed([b"a", b"b"], "string"),
    ),
    "range/vector": (lambda tf: tf.range([5]),),
    "linspace/vector": (lambda tf: tf.linspace([0.0], 1.0, 3),),
    "roll/more shifts than axes": (lambda tf: tf.roll([1, 2, 3], [1, 2], [0]),),
    "set_diag/rank from the diagonal": (
        lambda tf, x: tf.matrix_set_diag(x, [9.0, 8.0]),
        fed([[1.0, 2.0], [3.0, 4.0]], "float32"),
    ),
    "scatter_nd_update/rank": (
        lambda tf: tf.scatter_nd_update(tf.Variable([[1.0, 2.0]]), [0], [[1.0, 2.0]]),
    ),
    "conv2d/groups": (
        lambda tf: tf.nn.conv2d(
            np.zeros([1, 3, 3, 4], "f"), np.zeros([2, 2, 2, 3], "f"), 1, "SAME"
        ),
    ),
    "conv3d/depth": (
        lambda tf: tf.nn.conv3d(
            np.zeros([1, 3, 3, 3, 3], "f"), np.zeros([2, 2, 2, 2, 3], "f"), [1] * 5, "SAME"
        ),
    ),
    "weighted_cross_entropy/names": (
        lambda tf: tf.nn.weighted_cross_entropy_with_logits(
            targets=[0.0, 1.0], logits=[1.0, 2.0], pos_weight=2.0
        ),
    ),
    "gradients/sum over the axes of a broadcast": (
        lambda tf, x, y: second_order(tf, tf.math.xlogy(x, y), x, y),
        fed([0.5, 3.0], "float32", [2]),
        fed([[2.0], [1.5]], "float32", [2, 1]),
    ),
    "sets/ranks": (lambda tf: tf.sets.union([1, 2], [2, 3]),),
    "sets/ranks differ": (lambda tf: tf.sets.difference([[1, 2]], [2]),),
    "sets/first of unknown rank": (
        lambda tf, x: tf.sets.intersection(x, [1, 2]),
        fed([[1]], "int32"),
    ),
    "segments/negative count": (
        lambda tf: tf.sparse.segment_mean([1.0], [0], [0], num_segments=-1),
    ),
    "strings/join no list": (lambda tf: tf.strings.join(5),),
    "strings/split a matrix": (
        lambda tf, x: tf.strings.split(x, result_type="RaggedTensor"),
        fed([[b"a b"]], "string"),
    ),
    "strings/split one": (
        lambda tf: tf.strings.split([""], result_type="RaggedTensor").row_splits,
    ),
    "strings/split as TF 2 does": (
        lambda tf: tf.compat.v2.strings.split(["a b", "c"]).flat_values,
    ),
    "decode_csv/no columns": (lambda tf: tf.io.decode_csv(["1"], []),),
    "decode_csv/line break without quotes": (
        lambda tf: tf.io.decode_csv(["1,a\nb"], [[0], [""]], use_quote_delim=False),
    ),
    "decode_raw/fixed length": (
        lambda tf: tf.compat.v2.io.decode_raw(["abcd", "a"], tf.uint8, fixed_length=3),
    ),
    "identity_n/nothing": (lambda tf: tf.identity_n([]),),
    "edit_distance/ranks": (
        lambda tf: tf.edit_distance(
            tf.SparseTensor([[0, 0, 0]], [1], [1, 2, 2]), tf.SparseTensor([[0, 0]], [2], [2, 2])
        ),
    ),
    "confusion_matrix/nothing": (lambda tf: tf.math.confusion_matrix([], []),),
    "ragged/xor": (
        lambda tf: (
            (
                tf.ragged.constant([[True, False], []]) ^ tf.ragged.constant([[True, True], []])
            ).flat_values
        ),
    ),
    "ragged/print": (
        lambda tf: tf.print(tf.ragged.constant([[1], []]), output_stream="file:///dev/null"),
    ),
    "sparse/reshape index out of range": (
        lambda tf: tf.sparse.reshape(tf.SparseTensor([[0, 7]], [1.0], [2, 3]), [3, 2]),
    ),
    "sparse/times a scalar, index out of range": (
        lambda tf: tf.SparseTensor([[0, 7]], [1.0], [2, 3]) * 2.0,
    ),
    "Assert/vector": (
        lambda tf, x: tf.raw_ops.Assert(condition=x, data=["a"]),
        fed([True, False], "bool"),
    ),
    "lists/scatter a scalar": (
        lambda tf: tf.raw_ops.TensorListScatterIntoExistingList(
            input_handle=tf.raw_ops.TensorListReserve(
                element_shape=-1, num_elements=3, element_dtype=tf.float32
            ),
            tensor=[1.0],
            indices=0,
        ),
    ),
    "lists/split a scalar": (
        lambda tf: tf.raw_ops.TensorListSplit(tensor=1.0, element_shape=-1, lengths=[1]),
    ),
    "get_variable/number as a name": (lambda tf: number_as_name(tf),),
    "uninitialized/read": (lambda tf: resource(tf).read_value(),),
    "uninitialized/assign_add": (lambda tf: resource(tf).assign_add([1.0, 1.0], read_value=False),),
    "uninitialized/gather": (lambda tf: tf.gather(resource(tf), [0]),),
    "uninitialized/scatter": (
        lambda tf: tf.raw_ops.ResourceScatterAdd(
            resource=resource(tf).handle, indices=[0], updates=[1.0]
        ),
    ),
    "uninitialized/shape": (lambda tf: tf.raw_ops.VariableShape(input=resource(tf).handle),),
    "uninitialized/training": (
        lambda tf: tf.raw_ops.ResourceApplyGradientDescent(
            var=resource(tf).handle, alpha=0.1, delta=[1.0, 1.0]
        ),
    ),
    "uninitialized/slot": (
        lambda tf: tf.raw_ops.ResourceSparseApplyAdagrad(
            var=resource(tf).handle, accum=resource(tf, "y").handle, lr=0.1, grad=[1.0], indices=[0]
        ),
    ),
    "create_op/attrs of the inputs": (
        lambda tf, x: tf.get_default_graph().create_op("Neg", [x], [tf.float32]).outputs[0],
        fed([1.0], "float32"),
    ),
    "create_op/length of a list": (
        lambda tf, x: (
            tf.get_default_graph()
            .create_op("ConcatV2", [x, x, tf.constant(0)], [x.dtype], attrs={"N": number(tf, 2)})
            .outputs[0]
        ),
        fed([1.0], "float32"),
    ),
    "colocate_with/number": (lambda tf: colocated_constant(tf, 3),),
    "queue/negative count up to": (lambda tf: tf.FIFOQueue(2, tf.float32, [[]]).dequeue_up_to(-1),),
    "max_pool/unknown window": (
        lambda tf, x: tf.nn.max_pool(x, [1, 1, -1, 1], 1, "VALID"),
        fed(np.ones([1, 2, 2, 1]), "float32", [1, 2, 2, 1]),
    ),
    "random_gamma/slope": (
        lambda tf, x: tf.gradients(tf.random_gamma([3], x, [[1.0], [2.0]], seed=2), x),
        fed([0.5, 3.0], "float32", [2]),
    ),
    "switch/dead fetches": (lambda tf: dead(tf),),
    "switch/several dead fetches": (lambda tf: [dead(tf)[1], dead(tf)[1]],),
    "cross/shape of the other": (
        lambda tf, x: tf.linalg.cross(x, [[1.0, 2.0, 3.0]]),
        fed([[3.0, 1.0, 2.0]], "float32"),
    ),
    "random_normal/unknown mean": (
        lambda tf, x: tf.random.normal(tf.constant([2, 3]), mean=x, seed=3),
        fed(2.0, "float32"),
    ),
    "decode_csv/records before defaults": (lambda tf: tf.decode_csv([0.5], np.zeros(2)),),
    "sdca_shrink_l1/list before attr": (lambda tf: tf.train.sdca_shrink_l1({}, l1="a", l2=1.0),),
    "conv3d/no strides": (lambda tf: tf.nn.conv3d(np.zeros([1] * 5, "f"), np.zeros([1] * 5, "f")),),
    "dilation2d/no strides": (
        lambda tf: tf.nn.dilation2d(np.zeros([1] * 4, "f"), np.zeros([1] * 3, "f")),
    ),
    "conv1d/constraint before size": (lambda tf: tf.layers.Conv1D(3, [2, 2], bias_constraint=3),),
    "conv2d/initializer before regularizer": (
        lambda tf: tf.layers.Conv2D(1, 1, bias_initializer=3, activity_regularizer=3),
    ),
    "separable_conv1d/initializer before size": (
        lambda tf: tf.layers.SeparableConv1D(1, [1, 2], pointwise_initializer=3),
    ),
    "max_pooling1d/shape of four dimensions": (
        lambda tf: tf.constant(
            tf.layers.MaxPooling1D(2, 2).compute_output_shape([1, 4, 4, 2]).as_list()
        ),
    ),
    "random_shuffle_queue/keeps all": (lambda tf: tf.RandomShuffleQueue(4, 5, tf.int64).size(),),
    "random_shuffle_queue/keeps less than nothing": (
        lambda tf: tf.RandomShuffleQueue(4, -1, tf.int64).size(),
    ),
    "adagrad_da/whole learning rate": (lambda tf: adagrad_da(tf),),
    "fake_quant/gradient of another shape": (
        lambda tf: tf.quantization.fake_quant_with_min_max_vars_gradient(
            np.zeros([2, 1], "f"), np.zeros([2, 3], "f"), 0.0, 1.0
        ),
    ),
    "embedding_column/dimension before column": (
        lambda tf: tf.feature_column.embedding_column([1.0], -1),
    ),
}


def outcome(tf, function, *feeds):
    """Describes what a call records and, if it is run, gives; or what it raises."""
    with tf.Graph().as_default() as graph:
        places = [tf.placeholder(x.dtype, x.shape) for x in feeds]
        try:
            results = function(tf, *places)
        except Exception as error:
            return {"raised": [type(error).__name__, recording.error_text(error)]}
        found = {"graph": recording.describe_graph(graph)}
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            try:
                values = session.run(results, dict(zip(places, [x.value for x in feeds])))
            except Exception as error:
                found["raised"] = [type(error).__name__, recording.error_text(error)]
            else:
                found["values"] = recording.describe_value(values)
    return found
