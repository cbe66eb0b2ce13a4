"""Private helpers of TF's images, Keras, devices, datasets, debugger and AutoGraph."""

import tensorflow as tf
from tensorflow.python.autograph.operators import control_flow
from tensorflow.python.autograph.utils import ag_logging
from tensorflow.python.autograph.utils import testing as autograph_testing
from tensorflow.python.debug.cli import evaluator
from tensorflow.python.distribute import input_ops, mirrored_strategy
from tensorflow.python.keras import backend
from tensorflow.python.ops import image_ops_impl

tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.FATAL)


def show(function, *args, **kwargs):
    try:
        print(function(*args, **kwargs))
    except (AssertionError, TypeError, ValueError) as error:
        print(type(error).__name__, error)


def nodes(make, *args, **kwargs):
    with tf.Graph().as_default() as graph:
        made = [t if isinstance(t, tf.Tensor) else t for t in args]
        show(make, *[t() if callable(t) else t for t in made], **kwargs)
        print([(op.name, op.type) for op in graph.get_operations()])


def image(*shape):
    return lambda: tf.compat.v1.placeholder(tf.float32, shape)


unknown = lambda: tf.compat.v1.placeholder(tf.float32)  # noqa: E731
for check in ("_Check3DImage", "_CheckAtLeast3DImage", "_CheckGrayscaleImage"):
    function = getattr(image_ops_impl, check)
    for given in [
        image(2, 3, 1), image(2, 3), image(2, 0, 3), image(2, None, 3), image(1, 2, 3, 4), unknown,
    ]:  # fmt: skip
        nodes(function, given)
        nodes(function, given, require_static=False)
nodes(image_ops_impl._Assert3DImage, image(2, None, 3))
nodes(image_ops_impl._Assert3DImage, image(2, 3, 3))
nodes(image_ops_impl._assert, True, TypeError, "text")
nodes(image_ops_impl._assert, False, TypeError, "text")
nodes(image_ops_impl._assert, lambda: tf.constant(True), TypeError, "text")
show(lambda: [image_ops_impl._rgb_to_yiq_kernel, image_ops_impl._yiq_to_rgb_kernel])
show(lambda: [image_ops_impl._rgb_to_yuv_kernel, image_ops_impl._yuv_to_rgb_kernel])
show(lambda: image_ops_impl._MSSSIM_WEIGHTS)

# Keras.
for name, shape in [("1d", (2, 3, 4)), ("2d", (2, 3, 4, 5)), ("3d", (2, 3, 4, 5, 6))]:
    function = getattr(backend, "_preprocess_conv%s_input" % name)
    nodes(function, image(*shape), "channels_first")
    nodes(function, image(*shape), "channels_last")
nodes(backend._preprocess_conv2d_input, image(2, 3, 4, 5), "channels_first", force_transpose=True)
show(lambda: [backend._get_available_gpus(), backend._has_nchw_support()])
for device in (None, "/cpu:0", "/job:worker/gpu:1"):
    with tf.device(device):
        show(lambda: backend._get_current_tf_device().to_string())
        show(lambda: [backend._is_current_explicit_device(kind) for kind in ("cpu", "GPU")])
show(backend._is_current_explicit_device, "TPU")
nodes(backend._to_tensor, [1, 2], "float32")
nodes(backend._constant_to_tensor, 3, "float16")

# Devices of tasks.
far = ["/job:worker/task:%d/device:GPU:%d" % pair for pair in [(0, 0), (0, 1), (2, 0), (2, 1)]]
for devices in [["/cpu:0", "/gpu:0"], far, far[:3], ["/cpu:0", far[0]], [far[0], "/cpu:0"],
                ["/job:worker"], [], ["/job:worker/task:0/gpu:1"], far[:2]]:  # fmt: skip
    show(mirrored_strategy._is_device_list_local, devices)
    show(mirrored_strategy._group_device_list, devices)
    show(mirrored_strategy._infer_num_gpus_per_worker, devices)
cluster = {"worker": ["a:1", "b:2"], "ps": ["c:3"], "chief": ["d:4"]}
show(mirrored_strategy._cluster_spec_to_device_list, cluster, 0)
show(mirrored_strategy._cluster_spec_to_device_list, cluster, 2)
show(mirrored_strategy._cpu_device, far[0])
show(mirrored_strategy._is_gpu_device, far[0])

# Datasets.
with tf.Graph().as_default() as graph:
    dataset = tf.data.Dataset.range(5).map(lambda x: x + 1).batch(2)
    count = len(graph.get_operations())
    clone = input_ops._clone_dataset(dataset)
    print(
        [(op.name, op.type, [t.name for t in op.inputs]) for op in graph.get_operations()[count:]]
    )
    value = tf.compat.v1.data.make_one_shot_iterator(clone).get_next()
    with tf.compat.v1.Session() as session:
        show(session.run, value)

# Names of dumped tensors.
for name in [
    "hidden_0/MatMul:0",
    "hidden_0/MatMul:0[3]",
    "/job:worker/replica:0/task:1/gpu:0:hidden_0/MatMul:0",
    "/job:worker/replica:0/task:1/gpu:0:hidden_0/MatMul:1:DebugNumericSummary",
    "foo:1:DebugNanCount[2]",
    "foo",
    "/job:ps/replica:0/task:2/cpu:0:foo:1:2:3",
]:
    show(evaluator._parse_debug_tensor_name, name)

# AutoGraph.
show(lambda: [ag_logging.VERBOSITY_VAR_NAME, ag_logging.DEFAULT_VERBOSITY])
show(lambda: [ag_logging.verbosity_level, ag_logging.echo_log_to_stdout])
show(lambda: [
    control_flow.LIMIT_PYTHON_ITERATIONS, control_flow.PYTHON_MAX_ITERATIONS,
    control_flow.WARN_INEFFICIENT_UNROLL, control_flow.INEFFICIENT_UNROLL_MIN_ITERATIONS,
    control_flow.INEFFICIENT_UNROLL_MIN_OPS,
])  # fmt: skip


def loop(n, record):
    @tf.function
    def function():
        i = 0
        while i < n:
            if record:
                tf.constant(i)
            i += 1
        for j in range(n):
            if record:
                tf.constant(j)
        return tf.constant(0)

    with tf.Graph().as_default():
        function.get_concrete_function()


ag_logging.echo_log_to_stdout = True
control_flow.INEFFICIENT_UNROLL_MIN_ITERATIONS = 4
show(loop, 4, True)
show(loop, 7, True)
show(loop, 20, False)
control_flow.INEFFICIENT_UNROLL_MIN_OPS = 2
show(loop, 20, True)
control_flow.INEFFICIENT_UNROLL_MIN_OPS = 1
control_flow.WARN_INEFFICIENT_UNROLL = False
show(loop, 20, True)
control_flow.PYTHON_MAX_ITERATIONS = 5
show(loop, 5, False)
try:
    loop(7, False)
except ValueError as error:
    print(str(error).strip().split("\n")[-1].strip())
fake = autograph_testing.fake_tf()
show(lambda: [type(fake).__name__, fake.__name__])
show(lambda: [hasattr(fake, name) for name in "matmul Graph mat_mul reduce_sum nothing".split()])
