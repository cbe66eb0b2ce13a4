"""`tensorflow.python.util.deprecation_wrapper`, the name that `module_wrapper` had."""

from tf1compat.api.util.module_wrapper import TFModuleWrapper as DeprecationWrapper

__all__ = ["DeprecationWrapper"]
