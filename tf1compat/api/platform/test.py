"""`tf.test`: running tests."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from unittest import mock

from absl.testing import absltest

from tf1compat.api.framework.test_util import TensorFlowTestCase
from tf1compat.api.platform import app
from tf1compat.core.export import export_constant, tf_export

TestCase = TensorFlowTestCase
_temp_dir = ""

export_constant("test.mock", mock)


@tf_export("test.main")
def main(argv: Sequence[str] | None = None) -> None:
    """Parses flags, runs the tests of the script and exits."""
    app.run(
        main=lambda arguments: absltest.main(argv=arguments),
        argv=sys.argv if argv is None else argv,
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
    """The path of a file below TF's root in Bazel's test sources ($TEST_SRCDIR)."""
    return os.path.join(os.environ["TEST_SRCDIR"], "org_tensorflow/tensorflow", relative_path)
