"""The layers in one module (`tensorflow.contrib.layers.python.layers.layers`)."""

# ruff: noqa: F403
from tf1compat.api.contrib.layers import (
    batch_normalization as _batch_normalization,
)
from tf1compat.api.contrib.layers import (
    convolution as _convolution,
)
from tf1compat.api.contrib.layers import (
    dense as _dense,
)
from tf1compat.api.contrib.layers import (
    gdn as _gdn,
)
from tf1compat.api.contrib.layers import (
    layer_variables as _layer_variables,
)
from tf1compat.api.contrib.layers import (
    pooling as _pooling,
)
from tf1compat.api.contrib.layers import (
    shaping as _shaping,
)
from tf1compat.api.contrib.layers.batch_normalization import *
from tf1compat.api.contrib.layers.convolution import *
from tf1compat.api.contrib.layers.dense import *
from tf1compat.api.contrib.layers.gdn import *
from tf1compat.api.contrib.layers.pooling import *
from tf1compat.api.contrib.layers.shaping import *

DATA_FORMAT_NCHW = "NCHW"
DATA_FORMAT_NHWC = "NHWC"
DATA_FORMAT_NCDHW = "NCDHW"
DATA_FORMAT_NDHWC = "NDHWC"

_inner_flatten = _shaping._inner_flatten
poincare_normalize = _shaping.poincare_normalize
_add_variable_to_collections = _layer_variables.add_to_collections
_build_variable_getter = _layer_variables.build_variable_getter
_model_variable_getter = _layer_variables.model_variable_getter

__all__ = sorted(
    name
    for module in (_batch_normalization, _convolution, _dense, _gdn, _pooling, _shaping)
    for name in module.__all__
)
