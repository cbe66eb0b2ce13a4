"""The version of TensorFlow: 1.15.5, or what programs are told (options.tf_version)."""

from __future__ import annotations

from tf1compat.core import options
from tf1compat.core.export import export_constant

VERSION = options.tf_version
GIT_VERSION = "v1.15.4-39-g3db52be"
COMPILER_VERSION = "7.3.1 20180303"
GRAPH_DEF_VERSION = 134
GRAPH_DEF_VERSION_MIN_CONSUMER = 0
GRAPH_DEF_VERSION_MIN_PRODUCER = 0
CXX11_ABI_FLAG = 0
MONOLITHIC_BUILD = 0

for _name in (
    "VERSION",
    "GIT_VERSION",
    "COMPILER_VERSION",
    "GRAPH_DEF_VERSION",
    "GRAPH_DEF_VERSION_MIN_CONSUMER",
    "GRAPH_DEF_VERSION_MIN_PRODUCER",
):
    export_constant(_name, globals()[_name])
    export_constant(f"version.{_name}", globals()[_name])

export_constant("CXX11_ABI_FLAG", CXX11_ABI_FLAG)
export_constant("MONOLITHIC_BUILD", MONOLITHIC_BUILD)
export_constant("__version__", VERSION)
export_constant("__git_version__", GIT_VERSION)
export_constant("__compiler_version__", COMPILER_VERSION)
export_constant("__cxx11_abi_flag__", CXX11_ABI_FLAG)
export_constant("__monolithic_build__", MONOLITHIC_BUILD)
