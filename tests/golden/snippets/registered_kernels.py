"""Which kernels there are, as messages."""

from tensorflow.core.framework import kernel_def_pb2
from tensorflow.python.framework import kernels

found = kernels.get_all_registered_kernels()
print(type(found) is kernel_def_pb2.KernelList, len(found.kernel) > 1000)
for name in ("MatMul", "XlaSend", "nonsense"):
    devices = {kernel.device_type for kernel in kernels.get_registered_kernels_for_op(name).kernel}
    print(name, "CPU" in devices)
kernel = kernel_def_pb2.KernelDef(op="a", label="b")
kernel.constraint.add(name="T").allowed_values.list.type.append(1)
print(kernel)
