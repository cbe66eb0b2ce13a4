"""`tensorflow.python.platform.build_info`: TF's build for CPUs, whose graphs tf1compat records."""

is_rocm_build = False
is_cuda_build = False
