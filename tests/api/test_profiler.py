"""tf.profiler against TensorFlow 1.15."""

from __future__ import annotations

import numpy as np
import pytest
from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("profiler")


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


def test_what_is_printed(tf, capsys):
    tf.get_variable("w", [2, 3])
    builder = tf.profiler.ProfileOptionBuilder
    profiler = tf.profiler.Profiler()
    assert capsys.readouterr().out == "Parsing Inputs...\n"
    found = profiler.profile_name_scope(builder.trainable_variables_parameter())
    printed = capsys.readouterr().out
    assert found.total_parameters == 6
    assert printed.startswith("\n=========================Options====")
    assert "-select                     params\n-output                     stdout:\n" in printed
    assert "\n  w (2x3, 6/6 params)\n\n======================End of Report====" in printed
    profiler.profile_operations(builder(builder.float_operation()).with_empty_output().build())
    assert capsys.readouterr().out == ""


def test_files_for_pprof(tf, capsys):
    builder = tf.profiler.ProfileOptionBuilder
    options = builder(builder.float_operation()).with_pprof_output("p").build()
    with pytest.raises(NotImplementedError, match="files for pprof are not supported by tf1compat"):
        tf.profiler.profile(cmd="code", options=options)
    tf.profiler.profile(cmd="op", options=options)
    assert capsys.readouterr().err == "Only 'code' view supports pprof output now.\n"


def test_an_unknown_output(tf, capsys):
    tf.profiler.profile(options={"output": "paper"})
    assert "Unknown output type: paper, Valid types: file,none,pprof," in capsys.readouterr().out


def make_product(tf):
    return tf.matmul(tf.ones([20, 20]), tf.placeholder(tf.float32, [20, 20], name="x"), name="y")


def test_lines_of_code(tf, capsys):
    """What a traced run on the host took, at the lines that made it."""
    y = make_product(tf)
    metadata = tf.RunMetadata()
    with tf.Session() as session:
        trace = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        session.run(y, {"x:0": np.ones([20, 20])}, options=trace, run_metadata=metadata)
    builder = tf.profiler.ProfileOptionBuilder
    options = builder(builder.time_and_memory()).select(["bytes", "micros", "float_ops"])
    options.with_node_names(show_name_regexes=[".*test_profiler.py.*"])
    found = tf.profiler.profile(run_meta=metadata, cmd="code", options=options.build())
    (caller,) = found.children
    (line,) = caller.children
    assert caller.name.endswith(":test_lines_of_code")
    assert line.name.endswith(":make_product")
    assert line.total_requested_bytes == 1600
    assert line.total_exec_micros > 0
    assert line.total_float_ops == 16000
    printed = capsys.readouterr()
    assert "code view ignores account_displayed_op_only" in printed.err
    assert f"\n    {line.name} (1.60KB/1.60KB, " in printed.out
