"""What test suites take from `tensorflow.python.framework.test_util` beside its test case:
decorators that run tests in other ways or not at all, and comparisons of graphs.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import inspect
import itertools
import os
import socket
import unittest
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_util, control_flow_util_v2
from tf1compat.api.eager.context import eager_mode, graph_mode
from tf1compat.api.framework.equal_graph_def import assert_equal_graph_def
from tf1compat.api.functions import script_ops
from tf1compat.api.functions.function import function as tf_function
from tf1compat.api.training import server_lib
from tf1compat.api.variables import variables
from tf1compat.core import context, export, ops, tensor_shape
from tf1compat.core.export import tf_export
from tf1compat.core.graph import Graph

Test = Callable[..., Any]
_PREFIX = unittest.TestLoader.testMethodPrefix


def is_gpu_available(
    cuda_only: bool = False, min_cuda_compute_capability: tuple[int, int] | None = None
) -> bool:
    """As `tf.test.is_gpu_available`."""
    return export.find("test.is_gpu_available")(cuda_only, min_cuda_compute_capability)


def is_xla_enabled() -> bool:
    """Whether TF would compile graphs with its own XLA bridge: never."""
    return False


def IsGoogleCudaEnabled() -> bool:  # noqa: N802
    """Whether there is an NVIDIA GPU."""
    return export.find("test.is_built_with_cuda")()


def IsBuiltWithROCm() -> bool:  # noqa: N802
    """Whether there is an AMD GPU."""
    return export.find("test.is_built_with_rocm")()


def IsMklEnabled() -> bool:  # noqa: N802
    """Whether TF uses MKL: never."""
    return False


def GpuSupportsHalfMatMulAndConv() -> bool:  # noqa: N802
    """Whether a GPU multiplies float16 matrices."""
    return is_gpu_available(min_cuda_compute_capability=(5, 3))


def InstallStackTraceHandler() -> None:  # noqa: N802
    """Nothing: Python's `faulthandler` does this."""


# Devices


@contextlib.contextmanager
def device(use_gpu: bool) -> Iterator[None]:
    """Ops are placed on the first GPU, if it is wanted and there is one, else on the CPU."""
    name = "/device:GPU:0" if use_gpu and is_gpu_available() else "/device:CPU:0"
    with ops.device(name):
        yield


@contextlib.contextmanager
def use_gpu() -> Iterator[None]:
    """Ops are placed on the first GPU if there is one."""
    with device(use_gpu=True):
        yield


@contextlib.contextmanager
def force_gpu() -> Iterator[None]:
    """Ops are placed on the first GPU."""
    with ops.device("/device:GPU:0"):
        yield


@contextlib.contextmanager
def force_cpu() -> Iterator[None]:
    """Ops are placed on the CPU."""
    with ops.device("/device:CPU:0"):
        yield


# Decorators of test methods. Many may be used with parentheses and without.


def _with_or_without_arguments(decorate: Callable[[Test], Test], func: Test | None) -> Any:
    return decorate if func is None else decorate(func)


def _only_for_methods(f: Any, name: str) -> None:
    if inspect.isclass(f):
        raise ValueError(f"`{name}` only supports test methods.")


def _tests_of(cls: type) -> Iterator[tuple[str, Test]]:
    """The test methods that a class itself defines."""
    for name, value in list(cls.__dict__.items()):
        if callable(value) and name.startswith(_PREFIX):
            yield name, value


def skip_if(condition: Any) -> Callable[[Test], Test]:
    """Decorator: the test does nothing if a condition, or what it returns, is true."""

    def decorate(fn: Test) -> Test:
        @functools.wraps(fn)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            skip = condition() if callable(condition) else condition
            return None if skip else fn(*args, **kwargs)

        return wrapper

    return decorate


def _unless(condition: Callable[[], bool], text: str) -> Callable[[Test], Test]:
    """Decorator: the test is skipped, with a text, where a condition does not hold."""

    def decorate(f: Test) -> Test:
        @functools.wraps(f)
        def decorated(self: Any, *args: Any, **kwargs: Any) -> Any:
            if not condition():
                self.skipTest(text)
            return f(self, *args, **kwargs)

        return decorated

    return decorate


def run_v1_only(reason: str, func: Any = None) -> Any:
    """Decorator of methods and classes: what TF 2 would skip. All runs here."""
    if not isinstance(reason, str):
        raise ValueError(f"'reason' should be string, got {type(reason)}")
    return _with_or_without_arguments(lambda f: f, func)


def deprecated_graph_mode_only(func: Any = None) -> Any:
    """Decorator of methods and classes: what TF 2 would run with graphs. So does all here."""
    return _with_or_without_arguments(lambda f: f, func)


run_deprecated_v1 = deprecated_graph_mode_only


def run_v2_only(func: Test | None = None) -> Any:
    """Decorator: the test is skipped, for this is no TF 2."""

    def decorate(f: Test) -> Test:
        _only_for_methods(f, "run_v2_only")
        return _unless(lambda: False, "Test is only compatible with v2")(f)

    return _with_or_without_arguments(decorate, func)


def run_gpu_only(func: Test | None = None) -> Any:
    """Decorator: the test is skipped where there is no GPU."""

    def decorate(f: Test) -> Test:
        _only_for_methods(f, "run_gpu_only")
        return _unless(is_gpu_available, "Test requires GPU")(f)

    return _with_or_without_arguments(decorate, func)


def run_cuda_only(func: Test | None = None) -> Any:
    """Decorator: the test is skipped where there is no NVIDIA GPU."""

    def decorate(f: Test) -> Test:
        _only_for_methods(f, "run_cuda_only")
        return _unless(lambda: is_gpu_available(cuda_only=True), "Test requires CUDA GPU")(f)

    return _with_or_without_arguments(decorate, func)


def run_in_graph_and_eager_modes(
    func: Test | None = None,
    config: Any = None,
    use_gpu: bool = True,
    reset_test: bool = True,
    assert_no_eager_garbage: bool = False,
) -> Any:
    """Decorator: the test runs in a session, and then again eagerly.

    Args:
      func: the test; None if the decorator is used with arguments.
      config: the session's ConfigProto.
      use_gpu: whether ops may go to a GPU.
      reset_test: whether the test case is torn down and set up again in between.
      assert_no_eager_garbage: whether the eager run must leave nothing to the garbage collector.

    Returns:
      The test, or a decorator.

    Raises:
      ValueError: it is given a class.
    """

    def decorate(f: Test) -> Test:
        if inspect.isclass(f):
            raise ValueError(
                "`run_in_graph_and_eager_modes` only supports test methods. Did you mean to use "
                "`run_all_in_graph_and_eager_modes`?"
            )

        @functools.wraps(f)
        def decorated(self: Any, *args: Any, **kwargs: Any) -> None:
            with (
                contextlib.suppress(unittest.SkipTest),
                graph_mode(),
                self.test_session(use_gpu=use_gpu, config=config),
            ):
                f(self, *args, **kwargs)

            def run_eagerly(self: Any, **kwargs: Any) -> None:
                with contextlib.nullcontext() if use_gpu else ops.device("/device:CPU:0"):
                    f(self, *args, **kwargs)

            run: Test = run_eagerly
            if assert_no_eager_garbage:
                ops.reset_default_graph()
                run = assert_no_new_tensors(assert_no_garbage_created(run_eagerly))
            if reset_test:
                self.tearDown()
                self._tempdir = ""
            with ops.Graph().as_default(), eager_mode():
                if reset_test:
                    self.setUp()
                run(self, **kwargs)

        return decorated

    return _with_or_without_arguments(decorate, func)


def run_all_in_graph_and_eager_modes(cls: Any) -> Any:
    """Class decorator: `run_in_graph_and_eager_modes` for all tests but those named
    `testSkipEager…`.
    """
    for name in dir(cls):
        skipped = name.startswith(("testSkipEager", "test_skip_eager")) or name == "test_session"
        value = getattr(cls, name, None)
        if name.startswith(_PREFIX) and not skipped and callable(value):
            setattr(cls, name, run_in_graph_and_eager_modes(value))
    return cls


def build_as_function_and_v1_graph(func: Test | None = None) -> Any:
    """Decorator: the test becomes two, one in a graph and one in a `tf.function`."""

    def decorate(f: Test) -> Any:
        if inspect.isclass(f):
            raise ValueError("`run_in_graph_mode_and_function` only supports test methods.")

        from absl.testing import parameterized

        @parameterized.named_parameters(("_v1_graph", "v1_graph"), ("_function", "function"))
        @functools.wraps(f)
        def decorated(self: Any, run_mode: str, *args: Any, **kwargs: Any) -> None:
            with ops.Graph().as_default():
                if run_mode == "v1_graph":
                    f(self, *args, **kwargs)
                    return
                with eager_mode():
                    tf_function(lambda: f(self, *args, **kwargs), autograph=False)()

        return decorated

    return _with_or_without_arguments(decorate, func)


def also_run_as_tf_function(f: Test) -> Test:
    """Decorator: the function runs eagerly, and then in a `tf.function`."""

    @functools.wraps(f)
    def decorated(*args: Any, **kwargs: Any) -> None:
        def bound() -> None:
            f(*args, **kwargs)

        with eager_mode():
            bound()
            tf_function(bound, autograph=False)()

    return decorated


def py_func_if_in_function(f: Test) -> Test:
    """Decorator: within a function being recorded, the call becomes a `tf.py_func`."""

    @functools.wraps(f)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        if not getattr(ops.get_default_graph(), "_building_function", False):
            return f(*args, **kwargs)
        places = [i for i, x in enumerate(args) if isinstance(x, (ops.Tensor, variables.Variable))]

        def inner(*values: Any) -> Any:
            whole = list(args)
            for i, value in zip(places, values):
                whole[i] = value
            return f(*whole, **kwargs)

        return script_ops.py_func(inner, [args[i] for i in places], [])

    return decorated


def enable_control_flow_v2(fn: Test) -> Test:
    """Decorator: the test runs with functional control flow."""
    return _switched(fn, control_flow_util, "ENABLE_CONTROL_FLOW_V2")


def enable_output_all_intermediates(fn: Test) -> Test:
    """Decorator: in the test, functional conditionals and loops return all that they compute."""
    return _switched(fn, control_flow_util_v2, "_EXPERIMENTAL_OUTPUT_ALL_INTERMEDIATES_OVERRIDE")


def _switched(fn: Test, module: Any, switch: str) -> Test:
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        before = getattr(module, switch)
        setattr(module, switch, True)
        try:
            return fn(*args, **kwargs)
        finally:
            setattr(module, switch, before)

    return wrapper


def with_control_flow_v2(cls: Any) -> Any:
    """Class decorator: adds each test once more, with functional control flow."""
    if control_flow_util.ENABLE_CONTROL_FLOW_V2:
        return cls
    for name, value in dict(vars(cls)).items():
        left_alone = getattr(value, "_disable_control_flow_v2", False)
        if callable(value) and name.startswith("test") and not left_alone:
            setattr(cls, f"{name}WithControlFlowV2", enable_control_flow_v2(value))
    return cls


def disable_control_flow_v2(unused_msg: str) -> Callable[[Test], Test]:
    """Decorator: `with_control_flow_v2` leaves the test alone."""

    def wrapper(func: Test) -> Test:
        func._disable_control_flow_v2 = True  # type: ignore[attr-defined]
        return func

    return wrapper


def _as_it_is(test_or_class: Any) -> Any:
    return test_or_class


# What these turn on is always on here, or has no counterpart.
enable_c_shapes = _as_it_is
with_c_shapes = _as_it_is
with_c_api = _as_it_is


def disable_xla(description: str) -> Callable[..., Any]:
    """Decorator: the test is left out where TF's XLA bridge is on; it never is."""
    return lambda func=None: _with_or_without_arguments(_as_it_is, func)


no_xla_auto_jit = disable_xla
xla_allow_fallback = disable_xla


def enable_tf_xla_constant_folding(description: str) -> Callable[..., Any]:
    """Decorator: the test runs with constant folding, as all do here."""
    if not isinstance(description, str):
        raise ValueError(f"'description' should be string, got {type(description)}")
    return disable_xla(description)


def use_deterministic_cudnn(func: Test | None = None) -> Any:
    """Decorator: the test runs with `TF_CUDNN_DETERMINISTIC` set."""

    def decorate(f: Test) -> Test:
        @functools.wraps(f)
        def decorated(self: Any, *args: Any, **kwargs: Any) -> Any:
            before = os.environ.get("TF_CUDNN_DETERMINISTIC", "")
            os.environ["TF_CUDNN_DETERMINISTIC"] = "true"
            result = f(self, *args, **kwargs)
            os.environ["TF_CUDNN_DETERMINISTIC"] = before
            return result

        return decorated

    return _with_or_without_arguments(decorate, func)


def for_all_test_methods(
    decorator: Callable[..., Any], *args: Any, **kwargs: Any
) -> Callable[[Any], Any]:
    """Class decorator: `decorator(*args, **kwargs)` for all tests."""

    def decorate(cls: Any) -> Any:
        for name in dir(cls):
            value = getattr(cls, name)
            if callable(value) and name.startswith("test") and name != "test_session":
                setattr(cls, name, decorator(*args, **kwargs)(value))
        return cls

    return decorate


def generate_combinations_with_testcase_name(**kwargs: Any) -> list[Any]:
    """All combinations of arguments, for `parameterized.named_parameters`.

    Args:
      **kwargs: for each argument a value or a list of values.

    Returns:
      Ordered dicts with a value for each argument, and a `testcase_name` made of them.
    """
    names = sorted(kwargs)
    choices = [kwargs[name] if isinstance(kwargs[name], list) else [kwargs[name]] for name in names]

    def plain(value: Any) -> str:
        return "".join(filter(str.isalnum, str(value)))

    found = []
    for values in itertools.product(*choices):
        combination = OrderedDict(zip(names, values))
        text = "".join(f"_{plain(name)}_{plain(value)}" for name, value in combination.items())
        found.append(OrderedDict([*combination.items(), ("testcase_name", f"_test{text}")]))
    return found


# Leaks


def assert_no_new_pyobjects_executing_eagerly(f: Test) -> Test:
    """Decorator: run eagerly again and again, the test makes no more objects."""

    @functools.wraps(f)
    def decorated(self: Any, *args: Any, **kwargs: Any) -> None:
        with eager_mode():
            gc.disable()
            for _ in range(2):
                f(self, *args, **kwargs)
            gc.collect()
            before = len(gc.get_objects())
            for _ in range(3):
                f(self, *args, **kwargs)
            gc.collect()
            after = len(gc.get_objects())
            assert after <= before, (
                f"new_count({after}) is not less than or equal to previous_count({before})"
            )
            gc.enable()

    return decorated


def assert_no_new_tensors(f: Test) -> Test:
    """Decorator: the test leaves no tensor, variable or shape behind."""

    def is_ours(obj: Any) -> bool:
        kinds = (
            ops.Tensor,
            variables.Variable,
            tensor_shape.Dimension,
            tensor_shape.TensorShape,
        )
        try:
            return isinstance(obj, kinds)
        except ReferenceError:
            return False

    @functools.wraps(f)
    def decorated(self: Any, **kwargs: Any) -> Any:
        gc.collect()
        before = {id(obj) for obj in gc.get_objects() if is_ours(obj)}
        eager = context.executing_eagerly()
        with ops.Graph().as_default(), eager_mode() if eager else contextlib.nullcontext():
            result = f(self, **kwargs)
        gc.collect()
        left = [obj for obj in gc.get_objects() if is_ours(obj) and id(obj) not in before]
        if left:
            raise AssertionError(f"{len(left)} Tensors not deallocated after test: {left}")
        return result

    return decorated


def assert_no_garbage_created(f: Test) -> Test:
    """Decorator: the test makes no reference cycles."""

    @functools.wraps(f)
    def decorated(self: Any, **kwargs: Any) -> Any:
        gc.disable()
        gc.collect()
        flags = gc.get_debug()
        gc.set_debug(gc.DEBUG_SAVEALL)
        before = len(gc.garbage)
        try:
            result = f(self, **kwargs)
            gc.collect()
            self.assertEqual(before, len(gc.garbage))
        finally:
            del gc.garbage[before:]
            gc.set_debug(flags)
            gc.enable()
        return result

    return decorated


# Graphs


def assert_ops_in_graph(expected_ops: dict[str, str], graph: Graph) -> dict[str, Any]:
    """A graph has nodes of these names and op types.

    Args:
      expected_ops: names -> op types.
      graph: a `tf.Graph`.

    Returns:
      Names -> NodeDefs.

    Raises:
      ValueError: it has not.
    """
    found = {}
    for node in graph.as_graph_def().node:
        if node.name not in expected_ops:
            continue
        if expected_ops[node.name] != node.op:
            raise ValueError(
                f"Expected op for node {node.name} is different. {expected_ops[node.name]} vs "
                f"{node.op}"
            )
        found[node.name] = node
    if set(expected_ops) != set(found):
        raise ValueError(
            f"Not all expected ops are present. Expected {expected_ops.keys()}, found "
            f"{found.keys()}"
        )
    return found


def assert_meta_graph_protos_equal(tester: Any, a: Any, b: Any) -> None:
    """Two MetaGraphDefs are equal; they are emptied on the way."""
    tester.assertEqual(set(a.collection_def), set(b.collection_def))
    for key in a.collection_def:
        mine, theirs = a.collection_def[key], b.collection_def[key]
        kind = ops.get_collection_proto_type(key)
        if kind is None:
            tester.assertEqual(mine, theirs)
            continue
        tester.assertEqual(len(mine.bytes_list.value), len(theirs.bytes_list.value))
        for pair in zip(mine.bytes_list.value, theirs.bytes_list.value):
            tester.assertProtoEquals(*(kind.FromString(item) for item in pair))
    for message in (a, b):
        message.ClearField("collection_def")
    assert_equal_graph_def(a.graph_def, b.graph_def, checkpoint_v2=True)
    tester.assertProtoEquals(a.graph_def.versions, b.graph_def.versions)
    for message in (a, b):
        message.ClearField("graph_def")
    tester.assertProtoEquals(a, b)


def get_node_def_from_graph(node_name: str, graph_def: Any) -> Any:
    """The node of that name, or None."""
    return next((node for node in graph_def.node if node.name == node_name), None)


def set_producer_version(graph: Graph, producer_version: int) -> None:
    """Makes a graph one that a version of TF made."""
    graph_def = export.find("GraphDef")()
    graph_def.versions.producer = producer_version
    with graph.as_default():
        export.find("import_graph_def")(graph_def)
    assert graph.graph_def_versions.producer, producer_version


# Orders of dimensions

_TO_CHANNELS_FIRST = {4: [0, 3, 1, 2], 5: [0, 4, 1, 2, 3]}
_TO_CHANNELS_LAST = {4: [0, 2, 3, 1], 5: [0, 2, 3, 4, 1]}


def _reordered(value: Any, orders: dict[int, list[int]]) -> Any:
    if isinstance(value, ops.Tensor):
        return array_ops.transpose(value, orders[value.shape.ndims])  # type: ignore[index]
    return [value[i] for i in orders[len(value)]]


def NHWCToNCHW(input_tensor: Any) -> Any:  # noqa: N802
    """A tensor, or a shape, with the channels first."""
    return _reordered(input_tensor, _TO_CHANNELS_FIRST)


def NCHWToNHWC(input_tensor: Any) -> Any:  # noqa: N802
    """A tensor, or a shape, with the channels last."""
    return _reordered(input_tensor, _TO_CHANNELS_LAST)


def _in_fours(value: Any, to_last: bool) -> Any:
    """A tensor, or a shape, with the channels in fours: `[..., 4]` after the other dimensions."""
    is_tensor = isinstance(value, ops.Tensor)
    shape: list[Any] = list(value.shape.as_list() if is_tensor else value)
    if not to_last:
        if shape[-1] % 4 != 0:
            raise ValueError(
                "Last dimension of input must be evenly divisible by 4 to convert to NCHW_VECT_C."
            )
        shape = [*shape[:-1], shape[-1] // 4, 4]
        order = [0, len(shape) - 2, *range(1, len(shape) - 2), len(shape) - 1]
        if is_tensor:
            return array_ops.transpose(array_ops.reshape(value, shape), order)
        return [shape[i] for i in order]
    if shape[-1] != 4:
        raise ValueError("Last dimension of NCHW_VECT_C must be 4.")
    order = [0, *range(2, len(shape) - 1), 1, len(shape) - 1]
    channels_last = [shape[i] for i in order[:-1]]
    channels_last[-1] *= 4
    if is_tensor:
        return array_ops.reshape(array_ops.transpose(value, order), channels_last)
    return channels_last


def NHWCToNCHW_VECT_C(input_shape_or_tensor: Any) -> Any:  # noqa: N802
    """A tensor, or a shape, with the channels in fours, from channels last."""
    return _in_fours(input_shape_or_tensor, to_last=False)


def NCHW_VECT_CToNHWC(input_shape_or_tensor: Any) -> Any:  # noqa: N802
    """A tensor, or a shape, with the channels last, from channels in fours."""
    return _in_fours(input_shape_or_tensor, to_last=True)


@tf_export("test.create_local_cluster")
def create_local_cluster(
    num_workers: int,
    num_ps: int,
    protocol: str = "grpc",
    worker_config: Any = None,
    ps_config: Any = None,
) -> Any:
    """Servers of a cluster, all in this process.

    Args:
      num_workers, num_ps: how many there are of each job.
      protocol: "grpc".
      worker_config, ps_config: their `ConfigProto`s.

    Returns:
      (workers, parameter servers): lists of `tf.train.Server`.
    """
    counts = {"worker": num_workers, "ps": num_ps}
    with contextlib.ExitStack() as held:
        # Each is held until all are known, so that none comes twice.
        spec = {job: [_unused(held) for _ in range(n)] for job, n in counts.items()}
    configs = {"worker": worker_config, "ps": ps_config}
    servers = {
        job: [
            server_lib.Server(
                spec, job_name=job, protocol=protocol, task_index=i, config=configs[job]
            )
            for i in range(n)
        ]
        for job, n in counts.items()
    }
    return servers["worker"], servers["ps"]


def _unused(held: contextlib.ExitStack) -> str:
    """An address of this machine that nobody listens at."""
    found = held.enter_context(socket.socket())
    found.bind(("localhost", 0))
    return f"localhost:{found.getsockname()[1]}"
