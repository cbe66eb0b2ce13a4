"""`python -m tf1compat …`: a script sees what it would see under Python itself."""

import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import tf1compat
from tf1compat.launcher import coverage, old_promotion, run, without_kernel

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
        # An instruction that belongs to no line.
        "def f(): 1 / 0\nf.__code__ = f.__code__.replace(co_linetable=b'')\nf()\n",
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
    # A shell's background jobs ignore the signal, and so would what they start.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "tf1compat", str(script)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": ROOT},
        )
    finally:
        signal.signal(signal.SIGINT, before)
    assert process.stdout.readline() == "up\n"
    for _ in range(6):  # Python drops one that comes in a destructor, as a user would notice.
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=10)
            break
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
    beside = {"PYTHONPYCACHEPREFIX": "", "PYTHONDONTWRITEBYTECODE": ""}
    result = _launch("script.py", cwd=tmp_path, **beside)
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
        print(tf.__version__, tf.__file__.split("/")[-2])
        child = "import tensorflow as tf; print(tf.__version__, tf.__file__.split('/')[-2])"
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


def _refuses(x):
    """Has no word of it here."""
    if x:
        raise NotImplementedError(f"tf.this of {x} is not supported by tf1compat: use tf.that")
    raise NotImplementedError("tf.this is not supported by tf1compat: use tf.that")


def _refuses_some(x):
    if x:
        raise NotImplementedError("tf.this of x is not supported by tf1compat")
    return x


def _abstract(x):
    """As TF's own, which is not supported by tf1compat's docstring."""
    raise NotImplementedError()


def test_coverage_counts_what_only_refuses_as_missing(monkeypatch):
    class Refused:
        __init__ = _refuses

    class Below(Refused):
        pass

    for value in (_refuses, Refused, Below):
        assert coverage.only_refuses(value), value
    for value in (_refuses_some, _abstract, 3, list, object):
        assert not coverage.only_refuses(value), value
    # What is registered is looked at, so that no list of names can go stale.
    assert "relu" in coverage.names()["tf.nn"][0]
    monkeypatch.setitem(coverage.export._exports, "nn.relu", _refuses)
    assert "relu" in coverage.names()["tf.nn"][1]


def test_coverage_knows_packages_of_contrib_that_have_no_public_names():
    table = coverage.names()
    assert "expectation" in table["tf.contrib.bayesflow.python.ops.monte_carlo_impl"][0]
    assert table["tf.contrib.ignite.python.ops.ignite_dataset_ops"][1]


def test_coverage_says_what_to_use_instead():
    printed = _launch("coverage", "tf.lite").stdout
    assert "not here: Interpreter" in printed
    assert "instead: write a SavedModel" in printed


def test_coverage_says_which_op_types_are_not_run():
    present, missing = coverage.op_types()
    reasons = without_kernel.reasons([*present, *missing])
    listed = {name for names in reasons.values() for name in names}
    # What is said not to run has no kernel.
    assert listed <= set(missing)
    text = _launch("coverage", "ops").stdout
    assert "    not run (of Google's cloud services): BigQueryReader BigtableClient" in text


def test_coverage_of_what_is_read_no_further():
    command = [sys.executable, "-m", "tf1compat", "coverage"]
    env = {**os.environ, "PYTHONPATH": ROOT}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
    ) as process:
        assert process.stdout.readline().startswith("tf: ")
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 0


@pytest.mark.parametrize(
    "module",
    ["tpu", "cluster_resolver", "timeseries", "memory_stats", "compiler.xla", "optimizer_v2"],
)
def test_coverage_knows_all_of_contrib(module):
    from tf1compat.core import api_names

    start = f"contrib.{module}."
    assert any(name.startswith(start) for name in api_names.public())


def test_import_without_install():
    code = """
        import importlib.util
        import tf1compat
        print(importlib.util.find_spec("tensorflow"))
        import tensorflow
    """
    result = _launch("-c", textwrap.dedent(code), python=())
    if "Traceback" not in result.stderr:
        pytest.skip("a TensorFlow is installed")
    assert result.stdout == "None\n"
    assert (
        "ModuleNotFoundError: No module named 'tensorflow'. tf1compat takes its place after "
        in (result.stderr)
    )


def test_paths_of_stack_traces_are_whole(write, tmp_path):
    script = write(
        "script.py",
        """
        import tensorflow as tf
        import helper
        tf.Session().run(helper.build())
        """,
    )
    helper = write(
        "folder/helper.py",
        """
        import tensorflow as tf
        def build():
            return tf.log(tf.placeholder(tf.float32, name="x"))
        """,
    )
    error = _launch(script, PYTHONPATH=os.pathsep.join([ROOT, str(helper.parent)])).stderr
    _, _, trace = error.partition("Original stack trace for 'x':\n")
    assert trace.splitlines()[:4] == [
        f'  File "{script}", line 4, in <module>',
        "    tf.Session().run(helper.build())",
        f'  File "{helper}", line 4, in build',
        '    return tf.log(tf.placeholder(tf.float32, name="x"))',
    ]


# A line, the NumPy from which on it fails, what the line under the traceback says.
ADVICE = [
    ("tf.reduce_summ", "near names: tf.reduce_sum"),
    ("tf.contrib.layer", "near names: tf.contrib.layers"),
    ("tf.relu", "tf.nn.relu"),
    ("tf.nn.Session", "near names: tf.Session"),
    ("from tensorflow.contrib.layers import conv2dd", "near names: tf.contrib.layers.conv2d"),
    ("np.zeros(3) == np.zeros(2)", "np.array_equal"),
    ("bool(np.zeros(0))", "test x.size"),
    ("np.uint8(1) + 300", "no longer wraps"),
    ("np.zeros(2) + [[1, 2], [3]]", "dtype=object"),
    ("np.zeros((2, 3))[[slice(0, 1), slice(1)]]", "x[tuple(slices)]"),
]


@pytest.mark.parametrize(("line", "advice"), ADVICE)
def test_advice_under_the_traceback(write, tmp_path, line, advice):
    write("script.py", f"import numpy as np\nimport tensorflow as tf\n{line}\n")
    result = _launch("script.py", cwd=tmp_path)
    if not result.stderr:
        pytest.skip("this NumPy still takes it")
    assert result.returncode == 1
    last = result.stderr.splitlines()[-1]
    assert last.startswith("tf1compat: ")
    assert advice in last


# What old sources do with NumPy's arrays: a program, and what NumPy 1.16 printed.
OLD_NUMPY = """
    import array, math
    import numpy as np
    from xml.etree import ElementTree
    a = np.array([3.0])
    print(int(a), float(a), math.sqrt(a), "%d %.1f" % (a, a), "%.2f" % a)
    print(a.tostring() == a.tobytes(), a.ptp(), np.float32(1).tostring() == b"\\0\\0\\x80?")
    z = np.zeros(3)
    z[0] = a
    z[1] += a
    z[1] += 1
    z[2:] = [5]
    a.itemset(0, 5)
    print(z, a, a.newbyteorder().dtype.byteorder in "<>")
    print(np.array([[1, 2], [3]]).dtype, np.array(a, copy=False) is not None)
    several = [np.meshgrid([1, 2], [3]), np.gradient(np.eye(2)), np.atleast_2d(1, 2)]
    several.append(np.broadcast_arrays(1, [2]))
    print([type(x) is list for x in several], type(np.atleast_1d(1)) is np.ndarray)
    np.savez("uneven.npz", [np.zeros(2), np.ones(3)], even=[[1], [2]], uneven=([1], [2, 3]))
    np.save("uneven.npy", [[1, 2], [3]])
    loaded = np.load("uneven.npz", allow_pickle=True)
    print({key: (loaded[key].dtype.kind, loaded[key].shape) for key in sorted(loaded)})
    print(np.load("uneven.npy", allow_pickle=True), np.asanyarray([[1, 2], [3]]).shape)

    class Mine:
        ptp = 3
        def itemset(self, *args):
            return args
        def sum(self, values, more=0):
            return list(values), more
    print(Mine().ptp, Mine.ptp, Mine().itemset(1, 2))
    print(np.sum(k * k for k in range(4)), Mine().sum((k for k in "ab"), more=1))
    print(np.loads(b"I3\\n."), np.MachAr().eps == 2**-52, np.array2string(z, style=repr))
    d = {0: [1]}
    d["a"] = a
    d[0] += [2]
    print(d)
    order = []
    def note(name, value):
        order.append(name)
        return value
    note("target", d)[note("key", "b")] = note("value", 1)
    note("t", z)[note("k", 0)] += note("v", a)
    print(order)
    element = ElementTree.fromstring("<a><b/></a>")
    print(element.getchildren()[0].tag, array.array("B", [1]).tostring())
    for bad in (lambda: int("x"), lambda: float(np.zeros(2)), lambda: "%d" % "x"):
        try:
            bad()
        except (TypeError, ValueError) as error:
            print(type(error).__name__)
"""


def test_old_sources_use_arrays_as_numpy_1_did(write, tmp_path):
    write("script.py", "from helper import *\n")
    write("helper.py", OLD_NUMPY)
    result = _launch("script.py", cwd=tmp_path)
    warnings = [line for line in result.stderr.splitlines() if "Warning" not in line]
    assert [line for line in warnings if not line.startswith("  ")] == []
    assert result.stdout.splitlines() == [
        "3 3.0 1.7320508075688772 3 3.0 3.00",
        "True 0.0 True",
        "[3. 4. 5.] [5.] True",
        "object True",
        "[True, True, True, True] True",
        "{'arr_0': ('O', (2,)), 'even': ('i', (2, 1)), 'uneven': ('O', (2,))}",
        "[list([1, 2]) list([3])] (2,)",
        "3 3 (1, 2)",
        "14 (['a', 'b'], 1)",
        "3 True [3. 4. 5.]",
        "{0: [1, 2], 'a': array([5.])}",
        "['value', 'target', 'key', 't', 'k', 'v']",
        "b b'\\x01'",
        "ValueError",
        "TypeError",
        "TypeError",
    ]


def test_warnings_of_arithmetic_name_the_source(write, tmp_path):
    write(
        "script.py",
        """\
import warnings
import numpy as np
def divide(x):
    return x / 0.0
for _ in range(2):
    divide(np.float32(1))
print(np.zeros(1) / np.zeros(1))
warnings.simplefilter("ignore")
divide(np.float64(1))
""",
    )
    result = _launch("script.py", cwd=tmp_path)
    path = tmp_path / "script.py"
    assert result.stdout == "[nan]\n"
    assert result.stderr.splitlines() == [
        f"{path}:4: RuntimeWarning: divide by zero encountered in scalar divide",
        "  return x / 0.0",
        f"{path}:7: RuntimeWarning: invalid value encountered in divide",
        "  print(np.zeros(1) / np.zeros(1))",
    ]


@pytest.mark.parametrize(
    ("values", "start", "result"),
    [
        ([0.1] * 10, (), 0.9999999999999999),  # Python 3.12 and later say 1.0.
        ([1e16, 1.0, -1e16], (0.5,), 0.0),
        ([1, 2], (3,), 6),
        ([[1], [2]], ([],), [1, 2]),
        (iter([np.float32(0.1), np.float32(0.2)]), (), np.float64(0.30000000447034836)),
    ],
)
def test_sums_of_old_sources(values, start, result):
    found = old_promotion.total(sum, values, *start)
    assert found == result and type(found) is type(result)


@pytest.mark.parametrize("start", ["", b"", bytearray()])
def test_old_sources_sum_no_texts(start):
    with pytest.raises(TypeError, match=r"sum\(\) can't sum "):
        old_promotion.total(sum, iter(["a"]), start)


# What NumPy 1.18 makes of lists of tensors, and what it and TF 1.15 printed.
OLD_TENSORS = """
    import numpy as np
    import tensorflow as tf
    s, t = tf.constant(3.0), tf.constant([1.0, 2.0])
    print(repr(np.array([t, s])))
    print([np.array(x).shape for x in ([s], [[s], [t]], [[s, s], [t]], [np.ones(2), s])])
    print(np.array([t, [s, 1]])[1], np.asarray((s, 2.0)).dtype, np.array([s], object)[0] is s)
    print(np.sum([s, t]), np.prod([[s, t], [t, t]], axis=0)[0].op.type, np.sum([1, 2]))
    for bad in (lambda: np.array(t), lambda: np.asarray([t, t], dtype=np.float32)):
        try:
            bad()
        except (NotImplementedError, ValueError) as error:
            print(type(error).__name__, error)
"""


def test_old_sources_put_tensors_in_arrays(write, tmp_path):
    write("script.py", OLD_TENSORS)
    result = _launch("script.py", cwd=tmp_path)
    assert result.stdout.splitlines() == [
        "array([<tf.Tensor 'Const_1:0' shape=(2,) dtype=float32>,",
        "       <tf.Tensor 'Const:0' shape=() dtype=float32>], dtype=object)",
        "[(1,), (2, 1), (2,), (2,)]",
        "[<tf.Tensor 'Const:0' shape=() dtype=float32>, 1] object True",
        'Tensor("add:0", shape=(2,), dtype=float32) Mul 3',
        "NotImplementedError Cannot convert a symbolic Tensor (Const_1:0) to a numpy array.",
        "ValueError setting an array element with a sequence.",
    ], result.stderr


def test_tools_of_tensorflow_run_as_modules(tmp_path):
    """Their `main` takes what is parsed already, so that the launcher runs what parses it."""
    tool = _launch("-m", "tensorflow.python.tools.inspect_checkpoint", cwd=tmp_path)
    assert tool.returncode == 1 and tool.stdout.startswith("Usage: inspect_checkpoint")
    tool = _launch("-m", "tensorflow.python.tools.saved_model_cli", "--version", cwd=tmp_path)
    assert (tool.returncode, tool.stdout.strip()) == (0, "0.1.0")
