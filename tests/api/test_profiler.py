"""tf.profiler against TensorFlow 1.15."""

from __future__ import annotations

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
    found = profiler.profile_name_scope(builder.trainable_variables_parameter())
    printed = capsys.readouterr().out
    assert found.total_parameters == 6
    assert printed.startswith("Parsing Inputs...\n\n=========================Options====")
    assert "-select                     params\n-output                     stdout:\n" in printed
    assert "\n  w (2x3, 6/6 params)\n\n======================End of Report====" in printed
    profiler.profile_operations(builder(builder.float_operation()).with_empty_output().build())
    assert capsys.readouterr().out == "Parsing Inputs...\n"


@pytest.mark.parametrize(
    ("what", "kwargs"),
    [
        ("cmd='graph'", {"cmd": "graph"}),
        ("attribute 'micros'", {"options": {"select": ["micros"]}}),
        ("output 'timeline'", {"options": {"output": "timeline:outfile=t"}}),
    ],
)
def test_what_is_not_measured(tf, what, kwargs):
    with pytest.raises(NotImplementedError, match=what):
        tf.profiler.profile(**kwargs)
