"""`tf.test.TestCase`: absl's test case with sessions and comparisons of arrays, as in TF 1.15."""

from __future__ import annotations

import contextlib
import functools
import os
import random
import re
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from absl.testing import absltest
from google.protobuf import text_format

from tf1compat.api.framework import versions
from tf1compat.api.platform import tf_logging
from tf1compat.api.random import random_seed
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.util.protobuf import compare
from tf1compat.core import context, device, dtypes, errors, export, nest, scopes
from tf1compat.core.export import tf_export
from tf1compat.core.graph import Graph
from tf1compat.core.indexed_slices import IndexedSlices, IndexedSlicesValue
from tf1compat.core.object_arrays import object_array
from tf1compat.core.session_interface import SessionInterface
from tf1compat.core.sparse_tensor import SparseTensor, SparseTensorValue
from tf1compat.core.tensor import Tensor

_LOOSER = (  # dtypes -> the prefix of the tolerances that replace smaller ones
    ("float", (np.float32, np.complex64)),
    ("half", (np.float16,)),
    ("bfloat16", (dtypes.bfloat16.as_numpy_dtype,)),
)


def _is_ragged(value: Any) -> bool:
    """Whether a value is a RaggedTensor, or a fetched one."""
    return hasattr(value, "ragged_rank")


def _listed(wanted: np.ndarray, value: np.ndarray, limit: int = 10) -> str:
    """The elements of an array that are wanted, one a line, with their subscripts."""
    subscripts = np.argwhere(wanted)
    lines = [f"  {subscript} : {value[tuple(subscript)]}" for subscript in subscripts[:limit]]
    return "\n".join(lines + ["  ..."] * (len(subscripts) > limit))


@tf_export("test.TestCase")
class TensorFlowTestCase(absltest.TestCase):
    """A test case that starts every test with a fresh default graph and fixed seeds.

    Args:
      methodName: the method that this test runs.
    """

    def __init__(self, methodName: str = "runTest"):
        super().__init__(methodName)
        self._threads: list[_CheckedThread] = []
        self._tempdir = ""
        self._cached_session: Any = None
        self._cached_arguments: tuple[Any, ...] = ()

    def setUp(self) -> None:
        super().setUp()
        self._ClearCachedSession()
        random.seed(random_seed.DEFAULT_GRAPH_SEED)
        np.random.seed(random_seed.DEFAULT_GRAPH_SEED)
        context.thread.graphs.clear()  # A test that failed in `with graph.as_default()` left one.
        scopes.reset_default_graph()
        random_seed.set_random_seed(random_seed.DEFAULT_GRAPH_SEED)
        if self.id().endswith(".test_session"):
            self.skipTest("Not a test.")

    def tearDown(self) -> None:
        for thread in self._threads:
            thread.check_termination()
        self._ClearCachedSession()
        super().tearDown()

    def get_temp_dir(self) -> str:
        """A directory of this test's own."""
        from tf1compat.api.platform import test

        if not self._tempdir:
            self._tempdir = tempfile.mkdtemp(dir=test.get_temp_dir())
        return self._tempdir

    # Sessions

    @contextlib.contextmanager
    def session(
        self,
        graph: Graph | None = None,
        config: Any = None,
        use_gpu: bool = False,
        force_gpu: bool = False,
    ) -> Iterator[Any]:
        """A new session, it and its graph the defaults; ops are pinned to the CPU or a GPU."""
        if context.executing_eagerly():
            yield EagerSessionWarner()
            return
        new_session = _new_session(graph, config, force_gpu)
        with new_session as session, _pinned(session, use_gpu, force_gpu):
            yield session

    @contextlib.contextmanager
    def cached_session(
        self,
        graph: Graph | None = None,
        config: Any = None,
        use_gpu: bool = False,
        force_gpu: bool = False,
    ) -> Iterator[Any]:
        """As `session`, but the same one throughout a test.

        Raises:
          ValueError: the arguments are others than those of the first call.
        """
        if context.executing_eagerly():
            yield FakeEagerSession(self)
            return
        arguments = (graph, config, force_gpu)
        session = self._session_of_test(*arguments)
        for name, ours, first in zip(
            ("graph", "config", "force_gpu value"), arguments, self._cached_arguments
        ):
            if ours is not first:
                raise ValueError(
                    f"The {name} used to get the cached session is different than the one that "
                    "was used to create the session. Maybe create a new session with self.session()"
                )
        with session.as_default(), _pinned(session, use_gpu, force_gpu):
            yield session

    @contextlib.contextmanager
    @deprecated(None, "Use `self.session()` or `self.cached_session()` instead.")
    def test_session(
        self,
        graph: Graph | None = None,
        config: Any = None,
        use_gpu: bool = False,
        force_gpu: bool = False,
    ) -> Iterator[Any]:
        """`session` if there is a graph, else `cached_session` with whatever arguments."""
        if self.id().endswith(".test_session"):
            self.skipTest("Not a test.")
        if context.executing_eagerly():
            yield None
        elif graph is not None:
            with self.session(graph, config, use_gpu, force_gpu) as session:
                yield session
        else:
            session = self._session_of_test(graph, config, force_gpu)
            with session.as_default(), _pinned(session, use_gpu, force_gpu):
                yield session

    def _session_of_test(self, graph: Any, config: Any, force_gpu: bool) -> Any:
        if self._cached_session is None:
            self._cached_session = _new_session(graph, config, force_gpu)
            self._cached_arguments = (graph, config, force_gpu)
        return self._cached_session

    def _ClearCachedSession(self) -> None:
        if self._cached_session is not None:
            self._cached_session.close()
            self._cached_session = None

    def _eval_tensor(self, tensor: Any) -> Any:
        return _eager_value(tensor)

    def _eval_helper(self, tensors: Any) -> Any:
        return None if tensors is None else nest.map_structure(self._eval_tensor, tensors)

    def evaluate(self, tensors: Any) -> Any:
        """The values of tensors, in the same structure, by the default session or the test's."""
        if context.executing_eagerly():
            return self._eval_helper(tensors)
        session = scopes.get_default_session()
        if session is not None:
            return session.run(tensors)
        with self.test_session() as session:
            return session.run(tensors)

    def checkedThread(
        self,
        target: Callable[..., Any],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> _CheckedThread:
        """A thread whose exceptions fail this test when it is joined."""
        thread = _CheckedThread(self, target, args or (), kwargs or {})
        self._threads.append(thread)
        return thread

    @contextlib.contextmanager
    def captureWritesToStream(self, stream: Any) -> Iterator[CapturedWrites]:
        """What is written to a stream (of this process: `sys.stderr`), C code's output included.

        Gives an object whose `contents()` is the text.
        """
        stream.flush()
        descriptor = stream.fileno()
        before = os.dup(descriptor)
        handle, path = tempfile.mkstemp(dir=self.get_temp_dir())
        os.dup2(handle, descriptor)
        try:
            yield CapturedWrites(path)
        finally:
            stream.flush()
            os.close(handle)
            os.dup2(before, descriptor)
            os.close(before)

    # Comparisons

    def _GetPyList(self, a: Any) -> Any:
        if isinstance(a, Tensor) or hasattr(a, "to_tensor"):  # The latter: a RaggedTensor.
            a = self.evaluate(a)
        if _is_ragged(a):
            return a.to_list()
        return a if isinstance(a, (list, tuple)) else np.asarray(a).tolist()

    def _ragged_lists(self, a: Any, b: Any, msg: Any) -> tuple[Any, Any]:
        """Two values, of which one is ragged, as nested lists; their ragged ranks are equal."""
        if not (isinstance(a, (list, tuple)) or isinstance(b, (list, tuple))):
            first, second = (getattr(value, "ragged_rank", 0) for value in (a, b))
            self.assertEqual(first, second, msg)
        return self._GetPyList(a), self._GetPyList(b)

    def _assertRaggedEqual(self, a: Any, b: Any, msg: str | None) -> None:
        self.assertEqual(*self._ragged_lists(a, b, msg), msg)

    def _assertRaggedClose(
        self, a: Any, b: Any, rtol: float, atol: float, msg: str | None = None
    ) -> None:
        lists = self._ragged_lists(a, b, msg)
        self._lists_close(*lists, rtol=rtol, atol=atol, path="", msg=msg or "")

    def _lists_close(self, a: Any, b: Any, rtol: float, atol: float, path: str, msg: str) -> None:
        self.assertEqual(type(a), type(b))
        if not isinstance(a, list):
            self._all_close(a, b, rtol, atol, path, msg)
            return
        self.assertLen(a, len(b), f"Length differs for {path}")
        for index, (x, y) in enumerate(zip(a, b)):
            self._lists_close(x, y, rtol, atol, f"{path}[{index}]", msg)

    def _GetNdArray(self, a: Any) -> np.ndarray:
        if isinstance(a, Tensor):
            a = self.evaluate(a)
        if isinstance(a, np.ndarray):
            return a
        objects = object_array(a)
        if objects is not None:
            return objects
        try:
            return np.array(a)
        except ValueError:  # Lists of uneven lengths were objects up to NumPy 1.23.
            return np.array(a, dtype=object)

    def assertNear(self, f1: float, f2: float, err: float, msg: str | None = None) -> None:
        """Two floats differ by at most `err`."""
        f1, f2 = float(np.asarray(f1).item()), float(np.asarray(f2).item())
        note = f" ({msg})" if msg is not None else ""
        self.assertTrue(f1 == f2 or abs(f1 - f2) <= err, f"{f1:f} != {f2:f} +/- {err:f}{note}")

    def assertArrayNear(
        self, farray1: Sequence[float], farray2: Sequence[float], err: float, msg: str | None = None
    ) -> None:
        """Two sequences of floats differ by at most `err`, element by element."""
        self.assertEqual(len(farray1), len(farray2), msg=msg)
        for f1, f2 in zip(farray1, farray2):
            self.assertNear(float(f1), float(f2), err, msg=msg)

    def assertNDArrayNear(
        self, ndarray1: np.ndarray, ndarray2: np.ndarray, err: float, msg: str | None = None
    ) -> None:
        """The norm of the difference of two arrays is less than `err`."""
        self.assertTrue(self._NDArrayNear(ndarray1, ndarray2, err), msg=msg)

    def _NDArrayNear(self, ndarray1: np.ndarray, ndarray2: np.ndarray, err: float) -> bool:
        return bool(np.linalg.norm(ndarray1 - ndarray2) < err)

    def assertAllClose(
        self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: str | None = None
    ) -> None:
        """Two structures (dicts, sequences) of arrays or tensors are near, element by element.

        Raises:
          ValueError: where one has a dict the other has none, or sequences differ in length.
        """
        if _is_ragged(a) or _is_ragged(b):
            self._assertRaggedClose(a, b, rtol, atol, msg)
        else:
            self._all_close(a, b, rtol, atol, "", msg or "")

    def _all_close(self, a: Any, b: Any, rtol: float, atol: float, path: str, msg: str) -> None:
        a = a._asdict() if hasattr(a, "_asdict") else a
        b = b._asdict() if hasattr(b, "_asdict") else b
        if isinstance(a, Mapping) != isinstance(b, Mapping):
            raise ValueError(f"Can't compare dict to non-dict, a{path} vs b{path}. {msg}")
        if isinstance(a, Mapping):
            text = f"mismatched keys: a{path} has keys {a.keys()}, but b{path} has keys {b.keys()}."
            self.assertCountEqual(a.keys(), b.keys(), msg=f"{text} {msg}")
            for key in a:
                self._all_close(a[key], b[key], rtol, atol, f"{path}[{key}]", msg)
            return
        note = f"Mismatched value: a{path} is different from b{path}. {msg}"
        try:
            self._assertArrayLikeAllClose(a, b, rtol, atol, note)
        except (TypeError, ValueError) as error:
            if not isinstance(a, (list, tuple)):
                if isinstance(error, TypeError):
                    kinds = f"a{path} has {type(a)}, but b{path} has {type(b)}"
                    error.args = (f"{error.args[0]} : Error: {kinds}. {msg}", *error.args[1:])
                raise
            if len(a) != len(b):
                raise ValueError(
                    f"Mismatched length: a{path} has {len(a)} items, "
                    f"but b{path} has {len(b)} items. {msg}"
                ) from None
            for index, (x, y) in enumerate(zip(a, b)):
                self._all_close(x, y, rtol, atol, f"{path}[{index}]", msg)

    def _assertArrayLikeAllClose(
        self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: str | None = None
    ) -> None:
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        contents = f" with contents {b}" if b.ndim <= 3 or b.size < 500 else ""
        self.assertEqual(
            a.shape, b.shape, f"Shape mismatch: expected {a.shape}, got {b.shape}{contents}."
        )
        if np.allclose(a, b, rtol=rtol, atol=atol):
            return
        far = (np.abs(a - b) > atol + rtol * np.abs(b)) | (np.isnan(a) != np.isnan(b))
        x, y = (a[far], b[far]) if a.ndim else (a, b)
        lines = [msg or "", *([f"not close where = {np.where(far)}"] if a.ndim else [])]
        lines += [f"not close lhs = {x}", f"not close rhs = {y}"]
        lines += [f"not close dif = {np.abs(x - y)}", f"not close tol = {atol + rtol * np.abs(y)}"]
        lines += [f"dtype = {a.dtype}, shape = {a.shape}"]
        np.testing.assert_allclose(
            a, b, rtol=rtol, atol=atol, err_msg="\n".join(lines), equal_nan=True
        )

    def assertAllCloseAccordingToType(
        self,
        a: Any,
        b: Any,
        rtol: float = 1e-6,
        atol: float = 1e-6,
        float_rtol: float = 1e-6,
        float_atol: float = 1e-6,
        half_rtol: float = 1e-3,
        half_atol: float = 1e-3,
        bfloat16_rtol: float = 1e-2,
        bfloat16_atol: float = 1e-2,
        msg: str | None = None,
    ) -> None:
        """As `assertAllClose`, with tolerances for the less precise of the two dtypes."""
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        given = locals()
        for prefix, kinds in _LOOSER:
            if a.dtype in kinds or b.dtype in kinds:
                rtol = max(rtol, given[f"{prefix}_rtol"])
                atol = max(atol, given[f"{prefix}_atol"])
        self.assertAllClose(a, b, rtol=rtol, atol=atol, msg=msg)

    def assertNotAllClose(self, a: Any, b: Any, **kwargs: Any) -> None:
        """`assertAllClose` would fail."""
        try:
            self.assertAllClose(a, b, **kwargs)
        except AssertionError:
            return
        raise AssertionError("The two values are close at all elements")

    def assertAllEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        """Two arrays or tensors have the same shape and values; NaN equals NaN."""
        if _is_ragged(a) or _is_ragged(b):
            self._assertRaggedEqual(a, b, msg)
            return
        msg = msg or ""
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        contents = f" Contents: {b}. \n{msg}." if b.ndim <= 3 or b.size < 500 else f" {msg}"
        self.assertEqual(
            a.shape, b.shape, f"Shape mismatch: expected {a.shape}, got {b.shape}.{contents}"
        )
        same = np.asarray(a == b)
        if a.dtype in (np.float16, np.float32, np.float64, dtypes.bfloat16.as_numpy_dtype):
            same = same | (np.isnan(a) & np.isnan(b))
        if same.all():
            return
        x, y = (a[~same], b[~same]) if a.ndim else (a, b)
        lines = [msg, *([f"not equal where = {np.where(~same)}"] if a.ndim else [])]
        lines += [f"not equal lhs = {x}", f"not equal rhs = {y}"]
        np.testing.assert_array_equal(a, b, err_msg="\n".join(lines))

    def assertNotAllEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        """`assertAllEqual` would fail."""
        try:
            self.assertAllEqual(a, b, msg)
        except AssertionError:
            return
        raise AssertionError("The two values are equal at all elements")

    def assertAllGreater(self, a: Any, comparison_target: Any) -> None:
        """Every element is greater than the target."""
        self.assertGreater(np.min(self._GetNdArray(a)).item(), comparison_target)

    def assertAllLess(self, a: Any, comparison_target: Any) -> None:
        """Every element is less than the target."""
        self.assertLess(np.max(self._GetNdArray(a)).item(), comparison_target)

    def assertAllGreaterEqual(self, a: Any, comparison_target: Any) -> None:
        """Every element is the target or greater."""
        self.assertGreaterEqual(np.min(self._GetNdArray(a)).item(), comparison_target)

    def assertAllLessEqual(self, a: Any, comparison_target: Any) -> None:
        """Every element is the target or less."""
        self.assertLessEqual(np.max(self._GetNdArray(a)).item(), comparison_target)

    def assertAllInRange(
        self,
        target: Any,
        lower_bound: Any,
        upper_bound: Any,
        open_lower_bound: bool = False,
        open_upper_bound: bool = False,
    ) -> None:
        """Every element lies between two bounds, which belong to the range unless they are open."""
        target = self._GetNdArray(target)
        if not np.issubdtype(target.dtype, np.floating) | np.issubdtype(target.dtype, np.integer):
            raise AssertionError(
                f"The value of {target} does not have an ordered numeric type, instead it "
                f"has type: {target.dtype}"
            )
        missing = np.isnan(target)
        if missing.any():
            raise AssertionError(
                f"{missing.sum()} of the {target.size} element(s) are NaN. "
                f"Subscripts(s) and value(s) of the NaN element(s):\n{_listed(missing, target)}"
            )
        below = target <= lower_bound if open_lower_bound else target < lower_bound
        above = target >= upper_bound if open_upper_bound else target > upper_bound
        outside = below | above
        if outside.any():
            left, right = "[("[open_lower_bound], "])"[open_upper_bound]
            raise AssertionError(
                f"{outside.sum()} of the {target.size} element(s) are outside the range "
                f"{left}{lower_bound}, {upper_bound}{right}. Subscript(s) and value(s) of the "
                f"offending elements:\n{_listed(outside, target)}"
            )

    def assertAllInSet(self, target: Any, expected_set: Any) -> None:
        """Every element is in the set."""
        others = np.setdiff1d(self._GetNdArray(target).flatten(), list(expected_set))
        if others.size:
            raise AssertionError(
                f"{others.size} unique element(s) are not in the set {expected_set}: {others}"
            )

    def assertDTypeEqual(self, target: Any, expected_dtype: Any) -> None:
        """An array or tensor has a dtype."""
        self.assertEqual(self._GetNdArray(target).dtype, expected_dtype)

    def assertShapeEqual(self, np_array: Any, tf_tensor: Any, msg: str | None = None) -> None:
        """An array has the static shape of a tensor.

        Raises:
          TypeError: they are no such things.
        """
        if not isinstance(np_array, (np.ndarray, np.generic)):
            raise TypeError("np_array must be a Numpy ndarray or Numpy scalar")
        if not isinstance(tf_tensor, Tensor):
            raise TypeError("tf_tensor must be a Tensor")
        self.assertAllEqual(np_array.shape, tf_tensor.get_shape().as_list(), msg=msg)

    def assertStartsWith(self, actual: str, expected_start: str, msg: str | None = None) -> None:
        """A string starts with another."""
        if not actual.startswith(expected_start):
            note = f" : {msg!r}" if msg else ""
            self.fail(f"{actual!r} does not start with {expected_start!r}{note}")

    def assertProtoEquals(
        self, expected_message_maybe_ascii: Any, message: Any, msg: str | None = None
    ) -> None:
        """A message equals another, or one in text form."""
        expected = expected_message_maybe_ascii
        if isinstance(expected, str):
            expected = text_format.Merge(expected, type(message)())
        if type(expected) is not type(message):
            self.fail(
                f"Can't compare protos of type {type(expected)} and {type(message)}. {msg or ''}"
            )
        self._AssertProtoEquals(expected, message, msg)

    def _AssertProtoEquals(self, a: Any, b: Any, msg: str | None = None) -> None:
        """Two messages are equal, or differ by the rounding of their floats."""
        if not compare.ProtoEq(a, b):
            compare.assertProtoEqual(self, a, b, normalize_numbers=True, msg=msg)

    def assertProtoEqualsVersion(
        self,
        expected: str,
        actual: Any,
        producer: int = versions.GRAPH_DEF_VERSION,
        min_consumer: int = versions.GRAPH_DEF_VERSION_MIN_CONSUMER,
        msg: str | None = None,
    ) -> None:
        """A GraphDef equals one in text form, which the version is added to."""
        header = f"versions {{ producer: {producer} min_consumer: {min_consumer} }};\n"
        self.assertProtoEquals(header + expected, actual, msg=msg)

    def assertDeviceEqual(self, device1: Any, device2: Any, msg: str | None = None) -> None:
        """Two names stand for the same device."""
        device1, device2 = device.canonical_name(device1), device.canonical_name(device2)
        self.assertEqual(device1, device2, f"Devices {device1} and {device2} are not equal. {msg}")

    @contextlib.contextmanager
    def assertRaisesWithPredicateMatch(
        self, exception_type: type[BaseException], expected_err_re_or_predicate: Any
    ) -> Iterator[None]:
        """An exception is raised that a function accepts or whose text has a pattern in it."""
        try:
            yield
            self.fail(f"{exception_type.__name__} not raised")
        except Exception as error:
            if isinstance(error, exception_type):
                if callable(expected_err_re_or_predicate):
                    if expected_err_re_or_predicate(error):
                        return
                else:
                    text = _error_text(error)
                    tf_logging.info(
                        "Searching within error strings: '%s' within '%s'",
                        expected_err_re_or_predicate,
                        text,
                    )
                    if re.search(expected_err_re_or_predicate, text):
                        return
            raise AssertionError(f"Exception of type {type(error)}: {error}") from error

    def assertRaisesOpError(self, expected_err_re_or_predicate: Any) -> Any:
        """As `assertRaisesWithPredicateMatch`, for `tf.errors.OpError`."""
        return self.assertRaisesWithPredicateMatch(errors.OpError, expected_err_re_or_predicate)

    # Names of Python 2's unittest.
    assertItemsEqual: Any = absltest.TestCase.assertCountEqual
    assertRaisesRegexp = absltest.TestCase.assertRaisesRegex


class EagerSessionWarner:
    """What `self.session()` gives in eager execution: no session."""

    def __getattr__(self, attr: str) -> Any:
        raise AttributeError(
            "Trying to access properties or call methods on the result of self.session(), "
            "self.cached_session(), etc while eager execution is enabled. If you're porting this "
            "test case to TF 2.0, either adapt the test to work with eager execution or insert a "
            "call to tf.disable_eager_execution() in the main() function of this test file."
        )


class FakeEagerSession:
    """What `self.cached_session()` gives in eager execution: it runs what has its value already.

    Args:
      test_case: the test case.
    """

    def __init__(self, test_case: TensorFlowTestCase):
        self._test_case = test_case

    def run(self, fetches: Any, *args: Any, **kwargs: Any) -> Any:
        """The values of eager tensors.

        Raises:
          RuntimeError: there are feeds or other arguments.
        """
        reason = (
            "not supported when eager execution is enabled (in this case, sess.run(t) is shorthand "
            "for t.numpy()"
        )
        if kwargs.pop("feed_dict", {}):
            raise RuntimeError(f"feed_dict is {reason}")
        if args or kwargs:
            raise RuntimeError(f"Optional args are {reason}")
        return self._test_case.evaluate(fetches)


def _new_session(graph: Any, config: Any, force_gpu: bool) -> Any:
    """A session that may place ops elsewhere than they say, unless they must be on a GPU."""
    if config is None:
        config = export.find("ConfigProto")(
            allow_soft_placement=not force_gpu, device_count={"CPU": context.cpus}
        )
    elif force_gpu and config.allow_soft_placement:
        config = export.find("ConfigProto")(allow_soft_placement=False)
    return _session_class()(graph=graph, config=config)


@functools.cache
def _session_class() -> type:
    """`ErrorLoggingSession`: the runtime's session class is not there yet when this is imported."""

    class ErrorLoggingSession(export.find("Session")):
        """A session that logs the errors of its runs."""

        def run(self, *args: Any, **kwargs: Any) -> Any:
            try:
                return super().run(*args, **kwargs)
            except Exception as error:
                if not isinstance(error, errors.OutOfRangeError):
                    tf_logging.error(str(error))
                raise

    return ErrorLoggingSession


def __getattr__(name: str) -> Any:
    if name == "ErrorLoggingSession":
        return _session_class()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class CapturedWrites:
    """What was written to a stream.

    Args:
      capture_location: the file that it went to.
    """

    def __init__(self, capture_location: str):
        self.capture_location = capture_location

    def contents(self) -> str:
        """The text so far."""
        with open(self.capture_location) as file:
            return file.read()


class _CheckedThread:
    def __init__(
        self,
        test: TensorFlowTestCase,
        target: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ):
        self._test, self._target, self._args, self._kwargs = test, target, args, kwargs
        self._thread = threading.Thread(target=self._run)
        self._exception: BaseException | None = None
        self._joined = False

    def _run(self) -> None:
        try:
            self._target(*self._args, **self._kwargs)
        except Exception as error:
            self._exception = error

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def join(self) -> None:
        """Waits for the thread; fails the test if it raised."""
        self._joined = True
        self._thread.join()
        if self._exception is not None:
            self._test.fail(f"Error in checkedThread: {self._exception}")

    def is_alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def check_termination(self) -> None:
        """Fails the test if the thread was not joined."""
        if not self._joined:
            self._test.fail("A checked thread was not joined.")


@contextlib.contextmanager
def _pinned(session: SessionInterface, use_gpu: bool, force_gpu: bool) -> Iterator[None]:
    device = None if use_gpu else "/device:CPU:0"
    if force_gpu:
        device = export.find("test.gpu_device_name")() or "/device:GPU:0"
    with session.graph.as_default(), session.graph.device(device):
        yield


def _eager_value(value: Any) -> Any:
    """The NumPy value of an eager tensor, of a function's result, of sparse values."""
    if value is None:
        return None
    if callable(value):
        return nest.map_structure(_eager_value, value())
    if isinstance(value, SparseTensor):
        parts = (value.indices, value.values, value.dense_shape)
        return SparseTensorValue(*(part.numpy() for part in parts))  # type: ignore[union-attr]
    if isinstance(value, IndexedSlices):
        parts = (value.values, value.indices, value.dense_shape)
        return IndexedSlicesValue(*map(_eager_value, parts))
    if _is_ragged(value):
        made = export.find("ragged.RaggedTensorValue")
        return made(_eager_value(value.values), _eager_value(value.row_splits))
    if not hasattr(value, "numpy"):
        raise ValueError(f"Unsupported type {type(value)}.")
    return value.numpy()


def _error_text(error: BaseException) -> str:
    if not isinstance(error, errors.OpError):
        return str(error)
    name = getattr(error.op, "name", None)
    return f"{error.message}\nCaused by: {name}" if name else str(error.message)
