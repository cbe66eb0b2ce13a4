"""Expressions of TF 1.15's day, for record_library_names.py and the launcher's tests."""

IMPORTS = """
import numpy as np
import scipy.integrate, scipy.interpolate, scipy.linalg, scipy.misc, scipy.signal
import scipy.spatial.distance, scipy.special, scipy.stats
from scipy import integrate, interpolate, misc, signal, special, stats
from scipy.spatial import distance
x = np.arange(12) % 5 * 1.0
image = (np.arange(60) * 7 % 256).reshape(4, 5, 3).astype(np.uint8)
"""

CASES = [
    "signal.ricker(7, 2.0)",
    "signal.cwt(x, signal.ricker, [1, 2])",
    "abs(signal.morlet(5, 3.0))",
    "signal.qmf([1, 2, 3, 4])",
    "signal.bspline(np.array([-1.2, 0, 0.5, 1.9, 3]), 3)",
    "signal.quadratic(np.array([-1.2, 0, 0.5, 1.5]))",
    "signal.cmplx_sort(np.array([3, 1, 2]))[1]",
    "signal.hamming(5)",
    "signal.step2(([1.0], [1.0, 1.0]), T=np.array([0, 1.0, 2.0]))[1]",
    "integrate.romberg(np.sin, 0, 2)",
    "integrate.quadrature(np.exp, 0, 1)[0]",
    "integrate.simps([1, 4, 2, 7, 5], [0, 1, 2, 3, 4])",
    "integrate.simps([1.0, 4, 2, 7])",
    "integrate.simps([1.0, 4, 2, 7], even='first')",
    "integrate.simps([[1.0, 4], [2, 7], [3, 1], [0, 1]], dx=0.5, axis=0)",
    "integrate.cumtrapz([1, 2, 4], [0, 1, 3], initial=0)",
    "interpolate.interp2d([0, 1, 2], [0, 1], [[1, 2, 3], [4, 6, 8]])([0.5, 1.5, 3], [0.25])",
    "interpolate.interp2d(np.arange(5), np.arange(4), np.outer(np.arange(4) ** 2,"
    " np.arange(5) ** 2) + 1, kind='cubic')([0.5, 1.5], [0.25, 2.5])",
    "misc.central_diff_weights(5, 2)",
    "misc.derivative(np.exp, 0.5, dx=0.1, n=2, order=5)",
    "misc.factorial(5)",
    "misc.comb(5, 2)",
    "misc.imresize(image, (2, 3))",
    "misc.imresize(image, 0.5, interp='nearest')",
    "misc.imresize(image[:, :, 0], 200)",
    "misc.bytescale(np.array([0.0, 0.5, 2.0]))",
    "misc.imfilter(image, 'blur')",
    "misc.fromimage(misc.toimage(image), flatten=True)",
    "special.sph_harm(1, 2, 0.3, 0.7).real",
    "special.btdtr(1.0, 2.0, 0.3)",
    "stats.binom_test(3, 15, 0.1)",
    "stats.itemfreq([2, 1, 2])",
    "stats.find_repeats([1, 2, 2, 3, 3, 3])",
    "stats.frechet_r.pdf(1.0, 2.0)",
    "distance.wminkowski([1, 2], [3, 5], 2, [0.5, 2])",
    "distance.kulsinski([1, 0, 1], [1, 1, 0])",
    "scipy.linalg.pinv2(np.array([[1.0, 2], [3, 4]]))",
    "scipy.log(-1.0).imag",
    "scipy.mean([1, 2])",
    "np.array([3.0]).tostring() == np.array([3.0]).tobytes()",
    "float(np.array([3.0])) + int(np.array([[2]]))",
    "'%d %.1f' % (np.array([3.0]), np.array([2.5]))",
    "np.arange(4).ptp() + np.int32(3).ptp()",
    "np.cross([[1, 2]], [[3, 4]])",
    "np.cross([1, 2], [3, 4, 5])",
    "np.fromstring(b'\\x01\\x02', dtype=np.uint8)",
    "np.reshape([1, 2], newshape=(2, 1))",
    "np.percentile([1, 2, 3, 4], 40, interpolation='nearest')",
    "np.histogram([1, 2, 2], bins=2, normed=True)[0]",
    "np.unravel_index(3, dims=(2, 2))",
    "np.array([[1, 2], [3]]).shape",
    "np.array(np.arange(3), copy=False, dtype=np.float32)",
    "np.cast['f']([1, 2])",
    "np.trapz([1, 2, 4], [0, 1, 3])",
    "np.in1d([[1, 2], [3, 4]], [2, 3])",
    "np.asfarray([1, 2])",
    "np.maximum_sctype(np.int8) is np.int64",
    "np.find_common_type([np.float32], [np.float64]) == np.float32",
]
