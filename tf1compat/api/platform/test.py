"""`tf.test`: running tests."""

from __future__ import annotations

import atexit
import inspect
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from typing import Any
from unittest import mock

from absl.testing import absltest

from tf1compat.api.framework.test_util import TensorFlowTestCase
from tf1compat.api.platform import app, benchmark
from tf1compat.core.export import export_constant, tf_export

TestCase = TensorFlowTestCase
Benchmark = benchmark.TensorFlowBenchmark
_temp_dir = ""

export_constant("test.mock", mock)


absltest_main = absltest.main


def g_main(argv: Sequence[str] | None) -> None:
    """Runs the tests of the script and exits.

    Args:
      argv: the command line.
    """
    absltest_main(argv=argv)


def StatefulSessionAvailable() -> bool:
    """Whether sessions of Google's own tests can be had: no."""
    return False


@tf_export("test.main")
def main(argv: Sequence[str] | None = None) -> None:
    """Parses flags, runs the tests of the script (or `--benchmarks=…` of it) and exits.

    Args:
      argv: the command line, `sys.argv` by default.
    """
    benchmark.benchmarks_main(
        lambda: app.run(
            main=g_main,
            argv=sys.argv if argv is None else argv,
        )
    )


@tf_export("test.get_temp_dir")
def get_temp_dir() -> str:
    """A directory for the tests of this process; it is deleted at the end."""
    global _temp_dir
    if not _temp_dir:
        _temp_dir = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        atexit.register(shutil.rmtree, _temp_dir, ignore_errors=True)
    return _temp_dir


GetTempDir = get_temp_dir


@tf_export("test.test_src_dir_path")
def test_src_dir_path(relative_path: str) -> str:
    """The path of a file below TF's root in Bazel's test sources ($TEST_SRCDIR).

    Args:
      relative_path: a path.

    Returns:
      A path.
    """
    return os.path.join(os.environ["TEST_SRCDIR"], "org_tensorflow/tensorflow", relative_path)


@tf_export("test.StubOutForTesting")
class StubOutForTesting:
    """Replaces attributes, and puts them back: at the end of a `with` block or at `CleanUp`."""

    def __init__(self) -> None:
        self.cache: list[tuple[Any, Any, str]] = []
        self.stubs: list[tuple[Any, str, Any]] = []

    def __del__(self) -> None:
        self.CleanUp()

    def __enter__(self) -> StubOutForTesting:
        return self

    def __exit__(self, unused_exc_type: Any, unused_exc_value: Any, unused_tb: Any) -> None:
        self.CleanUp()

    def CleanUp(self) -> None:  # noqa: N802
        """Puts everything back."""
        self.SmartUnsetAll()
        self.UnsetAll()

    def SmartSet(self, obj: Any, attr_name: str, new_attr: Any) -> None:  # noqa: N802
        """Replaces an attribute where it is defined: in the object, or in the class of it or of a
        base.

        Raises:
          AttributeError: there is no such attribute.
        """
        if inspect.ismodule(obj) or (
            not inspect.isclass(obj) and attr_name in getattr(obj, "__dict__", ())
        ):
            owner = obj
        else:
            mro = inspect.getmro(obj if inspect.isclass(obj) else type(obj))
            owner = mro[0]
            if not hasattr(obj, attr_name):
                raise AttributeError("Attribute not found.")
        self.stubs.append((owner, attr_name, _original(obj, attr_name)))
        setattr(owner, attr_name, new_attr)

    def SmartUnsetAll(self) -> None:  # noqa: N802
        """Puts back what `SmartSet` replaced."""
        for stub in reversed(self.stubs):
            setattr(*stub)
        self.stubs = []

    def Set(self, parent: Any, child_name: str, new_child: Any) -> None:  # noqa: N802
        """Replaces an attribute of an object."""
        self.cache.append((parent, _original(parent, child_name), child_name))
        setattr(parent, child_name, new_child)

    def UnsetAll(self) -> None:  # noqa: N802
        """Puts back what `Set` replaced."""
        for parent, old_child, child_name in reversed(self.cache):
            setattr(parent, child_name, old_child)
        self.cache = []


def _original(obj: Any, name: str) -> Any:
    """An attribute as it can be set again: a static method stays one."""
    value = getattr(obj, name)
    return (
        staticmethod(value)
        if isinstance(getattr(obj, "__dict__", {}).get(name), staticmethod)
        else value
    )
