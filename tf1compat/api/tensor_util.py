"""`tensorflow.python.framework.tensor_util`: defined in core, for sparse tensors."""

from tf1compat.core.tensor_util import *  # noqa: F403
