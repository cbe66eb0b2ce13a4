"""`python -m tf1compat …`: a script sees what it would see under Python itself."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

import tf1compat
from tf1compat.launcher import run

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(tf1compat.__file__)))


def _launch(*arguments, python=("-m", "tf1compat"), cwd=None, **env):
    path = env.pop("PYTHONPATH", ROOT)
    return subprocess.run(
        [sys.executable, *python, *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": path, **env},
    )


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(textwrap.dedent(text))
        return path

    return write


WHAT_A_SCRIPT_SEES = """
    import sys
    print(sys.argv, __name__, __file__, sys.path[0])
    print(__package__, __spec__, __builtins__.__name__, __doc__, __annotations__)
    print(sys.modules["__main__"].__dict__ is globals(), type(__loader__).__name__)
    import beside
"""


def test_script_sees_what_python_gives(write, tmp_path):
    script = write("script.py", WHAT_A_SCRIPT_SEES)
    write("beside.py", "print(__name__, __file__)")
    ours = _launch("script.py", "-a", "--help", cwd=tmp_path)
    assert ours.stderr == ""
    assert ours.stdout == _launch("script.py", "-a", "--help", python=(), cwd=tmp_path).stdout
    assert str(script) in ours.stdout


def test_module(write, tmp_path):
    write("package/__init__.py", "")
    write("package/beside.py", "print(__name__)")
    write(
        "package/__main__.py",
        """
        import sys
        from . import beside
        print(sys.argv, __name__, __file__, sys.path[0], __package__, __spec__.name)
        """,
    )
    for name in ("package", "package.__main__"):
        ours = _launch("-m", name, "x", cwd=tmp_path)
        theirs = _launch(name, "x", python=("-m",), cwd=tmp_path)
        assert (ours.stdout, ours.stderr) == (theirs.stdout, "")
    missing = _launch("-m", "package.nothing", cwd=tmp_path)
    assert missing.returncode == 1
    assert "No module named package.nothing" in missing.stderr


def test_code(tmp_path):
    code = "import sys; print(sys.argv, __name__, repr(sys.path[0]))"
    ours = _launch("-c", code, "1", cwd=tmp_path)
    assert ours.stdout == _launch("-c", code, "1", python=(), cwd=tmp_path).stdout


def test_folder(write, tmp_path):
    write("program/__main__.py", "import sys, helper; print(sys.argv, __name__)")
    write("program/helper.py", "print('helper')")
    assert _launch("program", "1", cwd=tmp_path).stdout == "helper\n['program', '1'] __main__\n"


@pytest.mark.parametrize(
    ("code", "status", "error"),
    [
        ("import sys; sys.exit(3)", 3, ""),
        ("import sys; sys.exit('bye')", 1, "bye\n"),
        ("raise SystemExit", 0, ""),
        ("import os; os._exit(4)", 4, ""),
    ],
)
def test_exit_status(code, status, error):
    result = _launch("-c", code)
    assert (result.returncode, result.stderr) == (status, error)


@pytest.mark.parametrize(
    "source",
    [
        "def f():\n    return 1 / 0\nf()\n",
        "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ValueError('v') from e\n",
        "x = = 1\n",
        "import broken\n",
        "import sys\nsys.excepthook = lambda t, e, tb: print('mine', t, e)\n1 / 0\n",
    ],
)
def test_tracebacks_are_the_script_s_own(write, tmp_path, source):
    write("script.py", source)
    write("broken.py", "y = = 2\n")
    ours = _launch("script.py", cwd=tmp_path)
    theirs = _launch("script.py", python=(), cwd=tmp_path)
    assert (ours.returncode, ours.stdout) == (theirs.returncode, theirs.stdout)
    assert ours.stderr == theirs.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_interrupt(write):
    script = write("script.py", "import time\nprint('up', flush=True)\ntime.sleep(60)\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "tf1compat", str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": ROOT},
    )
    assert process.stdout.readline() == "up\n"
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=30)
    assert process.returncode == -signal.SIGINT
    assert error.endswith("KeyboardInterrupt\n")
    assert "launcher" not in error


def test_missing_script(tmp_path):
    result = _launch("nothing.py", cwd=tmp_path)
    theirs = _launch("nothing.py", python=(), cwd=tmp_path)
    assert (result.returncode, result.stderr) == (theirs.returncode, theirs.stderr)


def test_numpy_scalars_print_as_numpy_1_did():
    code = "import numpy as np; print([np.float32(5)], repr(np.int64(3)), np.float, np.Inf)"
    assert _launch("-c", code).stdout == "[5.0] 3 <class 'float'> inf\n"


def test_python_2_script_and_module(write, tmp_path):
    write("script.py", "import helper\nprint helper.double(2), 1 / 2\n")
    write("helper.py", "def double(x):\n    print 'doubling'\n    return 2 * x\n")
    result = _launch("script.py", cwd=tmp_path)
    assert result.stdout == "doubling\n4 0\n"
    note = "is Python 2, translated to Python 3"
    assert result.stderr.splitlines() == [
        f"tf1compat: {tmp_path / 'script.py'} {note}; / between integers rounds down",
        f"tf1compat: {tmp_path / 'helper.py'} {note}",
    ]
    assert not (tmp_path / "__pycache__").exists()


def test_tensorflow_is_tf1compat(write, tmp_path):
    script = write(
        "script.py",
        """
        import subprocess, sys
        import tensorflow as tf
        print(tf.__version__, tf.Graph.__module__.partition(".")[0])
        child = "import tensorflow as tf; print(tf.__version__, tf.Graph.__module__[:9])"
        print(subprocess.check_output([sys.executable, "-c", child], text=True), end="")
        """,
    )
    result = _launch(script)
    assert (result.stdout, result.stderr) == ("1.15.5 tf1compat\n1.15.5 tf1compat\n", "")


def test_shim_on_the_python_path():
    """The folder alone is enough, even where tf1compat is not installed."""
    code = (
        "import tensorflow.compat.v1 as tf; import tensorflow; "
        "from tensorflow.python.framework import ops; "
        "print(tf.__version__, tensorflow.compat.v1 is tf, ops.Graph is tf.Graph)"
    )
    path = _launch("path").stdout.strip()
    assert path == run.SITE
    result = _launch("-c", code, python=(), PYTHONPATH=path, cwd="/")
    assert (result.stdout, result.stderr) == ("1.15.5 True True\n", "")


def test_integer_gradients():
    code = "from tf1compat.core import options; print(options.integer_gradients)"
    assert _launch("-c", code).stdout == "False\n"
    assert _launch("--integer-gradients", "-c", code).stdout == "True\n"
    assert _launch("-c", code, TF1COMPAT_INTEGER_GRADIENTS="1").stdout == "True\n"


def test_command_line():
    version = _launch("--version")
    assert version.stdout == f"tf1compat {tf1compat.__version__} (TensorFlow 1.15.5)\n"
    assert _launch("--help").stdout == run.USAGE
    assert (_launch().returncode, _launch().stderr) == (2, run.USAGE)
    unknown = _launch("--nonsense")
    assert unknown.returncode == 2
    assert unknown.stderr.startswith("Unknown option: --nonsense\nusage:")
    assert _launch("-c").stderr.startswith("Argument expected for the -c option\n")


def test_coverage():
    result = _launch("coverage", "--summary", "tf.errors", "ops")
    assert result.returncode == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("tf.errors: ")
    assert lines[1].startswith("ops: ")
    assert lines[1].endswith(" of 1284")
    unknown = _launch("coverage", "tf.nonsense")
    assert (unknown.returncode, unknown.stdout) == (2, "TF 1.15 has no module tf.nonsense\n")
