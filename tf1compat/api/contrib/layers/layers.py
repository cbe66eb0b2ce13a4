"""The layers in one module (`tensorflow.contrib.layers.python.layers.layers`)."""

# ruff: noqa: F403
from tf1compat.api.contrib.layers import (
    batch_normalization,
    dense,
    pooling,
    shaping,
)  # fmt: skip
from tf1compat.api.contrib.layers import (
    convolution as _convolution,
)
from tf1compat.api.contrib.layers import (
    gdn as _gdn,
)
from tf1compat.api.contrib.layers.batch_normalization import *
from tf1compat.api.contrib.layers.convolution import *
from tf1compat.api.contrib.layers.dense import *
from tf1compat.api.contrib.layers.gdn import *
from tf1compat.api.contrib.layers.layer_variables import (  # noqa: F401
    add_to_collections as _add_variable_to_collections,
)  # fmt: skip
from tf1compat.api.contrib.layers.pooling import *
from tf1compat.api.contrib.layers.shaping import *
from tf1compat.api.contrib.layers.shaping import poincare_normalize  # noqa: F401

DATA_FORMAT_NCHW = "NCHW"
DATA_FORMAT_NHWC = "NHWC"
DATA_FORMAT_NCDHW = "NCDHW"
DATA_FORMAT_NDHWC = "NDHWC"

__all__ = sorted(
    name
    for module in (batch_normalization, _convolution, dense, _gdn, pooling, shaping)
    for name in module.__all__
)
