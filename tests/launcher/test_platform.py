"""`tf.flags`, `tf.app`, `tf.logging`, `tf.compat`, …: printed text as recorded from TF 1.15.5."""

import re
import subprocess
import sys
import textwrap

import pytest

import tf1compat

tf = tf1compat.tensorflow()

SCRIPT = """
    import sys
    import tf1compat
    tf1compat.install()
    import tensorflow as tf

    tf.flags.DEFINE_integer("steps", 5, "number of steps")
    tf.app.flags.DEFINE_string("name", "x", "the name")
    tf.flags.DEFINE_bool("go", False, "go")
    FLAGS = tf.flags.FLAGS

    def main(argv):
        print(argv[1:], FLAGS.steps, FLAGS.name, FLAGS.go)
        tf.logging.info("shown since app.run")
        tf.logging.fatal("text")
        if FLAGS.steps == 7:
            return 3
        if FLAGS.steps == 9:
            sys.exit("bye")

    if "implicit" in sys.argv:
        print(FLAGS.steps)
    if __name__ == "__main__":
        tf.app.run()
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    path = tmp_path_factory.mktemp("flags") / "script.py"
    path.write_text(textwrap.dedent(SCRIPT))
    return path


def _run(*arguments):
    return subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True)


@pytest.mark.parametrize(
    ("arguments", "status", "output"),
    [
        (["--steps=6", "--go", "extra"], 0, "['extra'] 6 x True\n"),
        (["--steps", "7", "--unknown=1", "--name=b"], 3, "['--unknown=1'] 7 b False\n"),
        (["--steps=9"], 1, "[] 9 x False\n"),
        (["--nogo", "--", "--steps=3"], 0, "['--', '--steps=3'] 5 x False\n"),
        (["--steps=3", "implicit"], 0, "3\n['implicit'] 3 x False\n"),
    ],
)
def test_app_run(script, arguments, status, output):
    result = _run(script, *arguments)
    assert result.returncode == status
    assert result.stdout == output
    lines = [line for line in result.stderr.splitlines() if line and "The name tf." not in line]
    assert lines[0] == "INFO:tensorflow:shown since app.run"
    assert re.fullmatch(
        r"I\d{4} [\d:]{8}\.\d{6} +\d+ script\.py:14\] shown since app\.run", lines[1]
    )
    assert lines[2] == "CRITICAL:tensorflow:text"
    assert re.fullmatch(r"E\d{4} .* script\.py:15\] CRITICAL - text", lines[3])
    assert lines[4:] == (["bye"] if status == 1 else [])


def test_help(script):
    result = _run(script, "--help")
    assert result.returncode == 1
    assert "number of steps\n    (default: '5')\n    (an integer)" in result.stdout
    assert f"USAGE: {script} [flags]" in result.stdout
    assert f"\n{script}:\n  --[no]go: go" in result.stdout  # The flags are the script's own.


def test_flags_take_old_keywords(caplog):
    values = tf.flags.FLAGS
    try:
        tf.flags.DEFINE_float(flag_name="tf1compat_rate", default_value=0.5, docstring="rate")
        assert "(flag_name, default_value, docstring) is deprecated" in caplog.text
        assert values["tf1compat_rate"].help == "rate"
        assert "tf1compat_rate" in values
        assert isinstance(values, tf.flags.FlagValues)
    finally:
        delattr(values, "tf1compat_rate")
    assert tf.app.flags.DEFINE_float is tf.flags.DEFINE_float


def test_logging_lines():
    code = """
        import tf1compat
        tf1compat.install()
        import tensorflow as tf
        print(tf.logging.get_verbosity())
        tf.logging.info("hidden")
        tf.logging.warning("warn %d", 3)
        tf.logging.set_verbosity(tf.logging.INFO)
        tf.logging.info("shown %s", "a")
        tf.logging.error("e")
        tf.logging.debug("hidden")
        tf.logging.vlog(tf.logging.INFO, "vlog")
        tf.logging.TaskLevelStatusMessage("status")
        for i in range(4):
            tf.logging.log_every_n(tf.logging.INFO, "every %d", 2, i)
        for i in range(4):
            tf.logging.log_first_n(tf.logging.INFO, "first %d", 2, i)
        tf.logging.log_if(tf.logging.INFO, "if %d", True, 3)
        tf.logging.log_if(tf.logging.INFO, "not", False)
    """
    result = _run("-c", textwrap.dedent(code))
    assert result.stdout == "30\n"
    # TF counts the calls of a program that is one file together: nothing is the "first" any more.
    assert result.stderr.splitlines() == [
        "WARNING:tensorflow:warn 3",
        "INFO:tensorflow:shown a",
        "ERROR:tensorflow:e",
        "INFO:tensorflow:vlog",
        "ERROR:tensorflow:status",
        "INFO:tensorflow:every 0",
        "INFO:tensorflow:every 2",
        "INFO:tensorflow:if 3",
    ]


def test_logging_leaves_a_configured_root_logger_alone():
    code = """
        import logging
        logging.basicConfig(level=logging.INFO)
        import tf1compat
        tf1compat.install()
        import tensorflow as tf
        print(tf.get_logger().handlers, tf.logging.get_verbosity())
        tf.logging.info("once")
    """
    result = _run("-c", textwrap.dedent(code))
    assert result.stdout == "[] 20\n"
    assert result.stderr == "INFO:tensorflow:once\n"


def test_strings():
    assert tf.compat.as_bytes("é") == b"\xc3\xa9"
    assert tf.compat.as_bytes(bytearray(b"x")) == b"x"
    assert tf.compat.as_str(b"\xc3\xa9") == tf.compat.as_text("é") == "é"
    assert tf.compat.as_str_any(3) == "3"
    for function in (tf.compat.as_bytes, tf.compat.as_text):
        with pytest.raises(TypeError, match="^Expected binary or unicode string, got 3$"):
            function(3)
    assert isinstance(3, tf.compat.integral_types)
    assert not isinstance(3.0, tf.compat.integral_types)
    assert tf.compat.bytes_or_text_types == (bytes, str)


def test_path_to_str(tmp_path):
    assert tf.compat.path_to_str(tmp_path) == str(tmp_path)
    assert tf.compat.path_to_str(b"x") == b"x"


def test_forward_compatibility(monkeypatch):
    assert tf.compat.forward_compatible(2019, 8, 20)
    assert not tf.compat.forward_compatible(2019, 8, 21)
    with tf.compat.forward_compatibility_horizon(2019, 9, 1):
        assert tf.compat.forward_compatible(2019, 8, 31)
    assert not tf.compat.forward_compatible(2019, 8, 31)
    # The variable is read when the date is set, as at the end of a horizon.
    with monkeypatch.context() as patch:
        patch.setenv("TF_FORWARD_COMPATIBILITY_DELTA_DAYS", "1")
        assert not tf.compat.forward_compatible(2019, 8, 21)
        with tf.compat.forward_compatibility_horizon(2019, 9, 1):
            pass
        assert tf.compat.forward_compatible(2019, 8, 21)
    with tf.compat.forward_compatibility_horizon(2019, 9, 1):
        pass
    assert not tf.compat.forward_compatible(2019, 8, 21)


def test_disable_v2_behavior_leaves_graph_mode():
    tf.compat.v1.disable_v2_behavior()
    assert not tf.executing_eagerly()


def test_resources_lie_beside_the_caller():
    folder = __file__.rpartition("/")[0]
    assert tf.resource_loader.get_data_files_path() == folder
    assert tf.resource_loader.get_path_to_datafile("a.txt") == f"{folder}/a.txt"
    assert tf.resource_loader.get_root_dir_with_all_resources() == folder
    assert tf.sysconfig.get_link_flags()[0] == f"-L{tf.sysconfig.get_lib()}"


def test_client_helpers():
    from tf1compat.api.util import all_util, tf_inspect
    from tf1compat.core import tf_decorator

    def target(a, b=2, *c, **d):
        """Doc."""

    def wrapper(*args, **kwargs):
        return target(*args, **kwargs)

    wrapped = tf_decorator.make_decorator(target, wrapper, "deco")
    assert (wrapped.__name__, wrapped.__doc__) == ("target", "Doc.")
    decorators, inner = tf_decorator.unwrap(wrapped)
    assert [d.decorator_name for d in decorators] == ["deco"]
    assert inner is target
    assert tf_inspect.getargspec(target) == (["a", "b"], "c", "d", (2,))
    assert tf_inspect.isfunction(target)
    assert all_util.make_all(__name__, [_Documented]) == ["SCRIPT", "pytest"]


class _Documented:
    """@@SCRIPT and @@pytest, not @@nothing."""
