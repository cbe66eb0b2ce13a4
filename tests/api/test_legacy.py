"""Kinds of things that old programs and libraries met, against TensorFlow 1.15."""

from __future__ import annotations

import pytest
from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("legacy")


@GOLDENS.cases()
def test_case(tf, group, name):
    if group == "jpegs":
        pytest.importorskip("simplejpeg")
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


def test_ragged_lists_are_equal(tf):
    class Test(tf.test.TestCase):
        def runTest(self):
            pass

    Test().assertAllEqual([[1, 2], [3]], [[1, 2], [3]])
    with pytest.raises(AssertionError, match="not equal"):
        Test().assertAllEqual([[1, 2], [3]], [[1, 2], [4]])
    with pytest.raises(TypeError, match="Error: a has <class 'NoneType'>, but b has"):
        Test().assertAllClose(None, None)
