"""`tf.sysconfig`: the flags to compile custom ops with.

The names exist, so that build scripts which print them go on; there is no library to link to, and
`tf.load_op_library` says so.
"""

from __future__ import annotations

import os
import platform

import tf1compat
from tf1compat.api.framework.versions import CXX11_ABI_FLAG, MONOLITHIC_BUILD
from tf1compat.core.export import export_constant, tf_export

export_constant("sysconfig.CXX11_ABI_FLAG", CXX11_ABI_FLAG)
export_constant("sysconfig.MONOLITHIC_BUILD", MONOLITHIC_BUILD)


@tf_export("sysconfig.get_lib")
def get_lib() -> str:
    """The directory of the package."""
    return os.path.dirname(os.path.abspath(tf1compat.__file__))


@tf_export("sysconfig.get_include")
def get_include() -> str:
    """The directory where TF keeps its C++ headers."""
    return os.path.join(get_lib(), "include")


@tf_export("sysconfig.get_compile_flags")
def get_compile_flags() -> list[str]:
    """The compiler flags for custom ops."""
    return [f"-I{get_include()}", f"-D_GLIBCXX_USE_CXX11_ABI={CXX11_ABI_FLAG}"]


@tf_export("sysconfig.get_link_flags")
def get_link_flags() -> list[str]:
    """The linker flags for custom ops."""
    is_mac = platform.system() == "Darwin"
    name = "-ltensorflow_framework.1" if is_mac else "-l:libtensorflow_framework.so.1"
    return [f"-L{get_lib()}", name]
