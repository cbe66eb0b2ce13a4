"""Lists of slices and of arrays as indices of arrays: tuples, in the NumPy of TF 1.15's day."""

import numpy as np

x = np.arange(24).reshape(2, 3, 4)
part = [slice(None)] * 3
part[1] = slice(0, 2)
rows, columns = np.array([0, 1]), np.array([1, 2])
pair = [rows, columns, 0]
print(x[part].tolist(), x[pair].tolist())
print(x[[rows, columns]].tolist())
print(x[[[0, 1], [1, 2]]].tolist())
y = x.copy()
y[part] = 0
y[pair] += 5
print(y.tolist())
print(x[[0, 1]].shape, x[[rows[0], columns[0]]].shape, x[[None, 0]].shape, x[[Ellipsis, 0]].shape)


class Windows(object):
    def __init__(self):
        self.sizes = [slice(i, i + 1) for i in range(3)]
        self.x = x

    def get(self):
        return self.x[self.sizes].tolist()

    def __getitem__(self, key):
        return type(key).__name__


windows = Windows()
print(windows.get(), windows[part], windows[[part]])
several = [[0, 1]] * 40
print(x[several].shape, x[0][[0]].shape)
shape = list(x.shape)
print(np.arange(9)[shape].tolist(), np.arange(9)[shape[0]], {1: 2}[shape[0] - 1])
named = np.zeros(2, [("a", int), ("b", float), ("c", int)])
fields = list("ab")
print(named[fields].dtype.names, named[["a", "c"]].dtype.names)
