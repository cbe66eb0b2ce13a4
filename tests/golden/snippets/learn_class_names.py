"""The classes of tf.contrib.learn's monitors and heads, as programs print them."""

import re

import tensorflow as tf

tf.compat.v1.logging.set_verbosity("FATAL")
learn = tf.contrib.learn
monitors = learn.monitors
for monitor in (
    monitors.EveryN(),
    monitors.StopAtStep(1),
    monitors.PrintTensor(["x"]),
    monitors.NanLoss("loss"),
    monitors.StepCounter(),
    monitors.RunHookAdapterForMonitors([]),
):
    print(re.sub(" at 0x.*", "", repr(monitor)))
for head in (
    learn.regression_head(),
    learn.poisson_regression_head(),
    learn.multi_class_head(2),
    learn.multi_class_head(3),
    learn.multi_label_head(3),
    learn.binary_svm_head(),
    learn.multi_head([learn.regression_head(head_name="a")]),
):
    print(type(head))
