"""`import tensorflow` with the folder above on PYTHONPATH: tf1compat takes the place."""

import os
import sys

try:
    import tf1compat
except (
    ModuleNotFoundError
):  # Not installed: this file lies in a checkout, <root>/tf1compat/launcher/site/tensorflow.
    sys.path.append(os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 4)))
    import tf1compat

tf1compat.install()
sys.modules["tensorflow"] = tf1compat.tensorflow()
