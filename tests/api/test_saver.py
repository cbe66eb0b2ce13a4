"""tf.train.Saver, checkpoints and meta graphs against what TensorFlow 1.15 recorded."""

from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("saver")


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)
