"""Which names say, when they are first asked for, that TF 2 has others."""

import logging

import tensorflow as tf
import tensorflow.compat.v1 as v1


class Handler(logging.Handler):
    def emit(self, record):
        said = record.getMessage().strip()
        print("-", said.split(": ", 1)[-1].split("\n")[0])


logger = logging.getLogger("tensorflow")
logger.handlers, logger.propagate = [Handler()], False


def show(module, names):
    print(names)
    for name in names.split():
        getattr(module, name)


show(v1, "Session placeholder train")
show(tf, "placeholder Session Variable FixedLenFeature to_int32 AUTO_REUSE log Session nn train")
show(tf.train, "AdamOptimizer Saver Saver Checkpoint")
show(tf.keras.layers, "Dense CuDNNLSTM")
show(tf.estimator, "Estimator inputs")
show(tf.layers, "dense Dense")
print("a function")
hasattr(tf, "ConfigProto")
tf.app.run
from tensorflow.train import AdagradOptimizer, MomentumOptimizer  # noqa: E402

print("imported", AdagradOptimizer.__name__, MomentumOptimizer.__name__)
show(tf.train, "MomentumOptimizer AdagradOptimizer FtrlOptimizer")
exec("tf.metrics.accuracy")
show(tf.metrics, "accuracy mean")
print("contrib")
contrib = tf.contrib
print("asked for")
show(contrib, "layers slim")
show(contrib.data, "AUTOTUNE Counter")
show(v1.losses, "get_losses")
show(tf.compat.v2.losses, "Reduction")

from tensorflow.python.util import module_wrapper  # noqa: E402

for name in ("tf.Session", "tf.log", "tf.nn.relu", "tf.train.Saver", "Session", "tf.gfile.Exists"):
    print(name, module_wrapper.get_rename_v2(name))
