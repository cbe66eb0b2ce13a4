"""`tf.contrib.learn.learn_runner`."""

from tf1compat.api.contrib.learn.learn_runner import run as run
from tf1compat.api.contrib.learn.learn_runner import tune as tune
