"""What client code of 2016 to 2019 does to TensorFlow's modules and classes."""

import subprocess
import sys

import tf1compat as tf


def test_graph_keys_are_plain_attributes():
    # As memory_saving_gradients.py does for TF 0.12.
    script = (
        "import tf1compat as tf\n"
        "tf.GraphKeys.VARIABLES = tf.GraphKeys.GLOBAL_VARIABLES\n"
        "tf.GraphKeys.MINE = 'mine'\n"
        "print(tf.GraphKeys.VARIABLES, tf.GraphKeys.MINE)"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.stdout == "variables mine\n"
    assert tf.GraphKeys.VARIABLES == "variables"
