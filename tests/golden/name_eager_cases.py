"""Names below tensorflow.python of eager and keras: see `name_runs`."""

from __future__ import annotations

from name_runs import module

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
