"""Names that Python, NumPy, SciPy and Pillow removed."""

import importlib
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from tf1compat.launcher import legacy, legacy_images, legacy_numpy, legacy_python


def _optional(module):
    return module.partition(".")[0] in ("scipy", "PIL")


@pytest.mark.parametrize(
    ("module", "name"),
    [(module, name) for module, names in legacy.TABLE.items() for name in names],
)
def test_every_replacement_exists(module, name):
    if _optional(module):
        pytest.importorskip(module.partition(".")[0])
    assert legacy._resolve(legacy.TABLE[module][name]) is not NotImplemented


def _run(code):
    code = "from tf1compat.launcher import legacy; legacy.install()\n" + textwrap.dedent(code)
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True
    )
    assert result.stderr == ""
    return result.stdout


def test_python_names():
    output = _run("""
        import collections, fractions, inspect, os, string, threading, time, unittest
        from collections import Mapping
        import xml.etree.cElementTree as ET
        import xml.etree.ElementTree
        print(isinstance({}, Mapping), isinstance({}, collections.MutableMapping))
        print(fractions.gcd(12, 18), inspect.getargspec(lambda a, b=1: 0).args)
        print(os.errno.EEXIST == 17, string.letters[:3], string.join(["a", "b"], "-"))
        print(threading.Thread.isAlive is threading.Thread.is_alive, time.clock() > 0)
        print(ET.parse is xml.etree.ElementTree.parse)
        import sys
        print(sys.maxint == sys.maxsize)
    """)
    assert output.split() == ("True True 6 ['a', 'b'] True abc a-b True True True True".split())


def test_numpy_names():
    output = _run("""
        import numpy as np
        print(np.float, np.int, np.object, np.bool)
        print(np.float_ is np.float64, np.product([2, 3]), np.asscalar(np.array([3])), np.NaN)
        print(np.in1d([[1, 2], [3, 4]], [2, 3]), np.alltrue([True, False]))
        print(np.find_common_type([np.float32], [np.int64]))
    """)
    assert output.splitlines() == [
        "<class 'float'> <class 'int'> <class 'object'> <class 'numpy.bool'>",
        "True 6 3 nan",
        "[False  True  True False] False",
        "float32",
    ]


def test_scipy_and_pillow_names():
    pytest.importorskip("scipy")
    pytest.importorskip("PIL")
    output = _run("""
        import scipy, scipy.misc
        from scipy.misc import imresize, logsumexp
        from scipy.integrate import simps
        from PIL import Image
        print(logsumexp([0.0]), scipy.misc.imresize is imresize, simps([1, 1, 1]))
        print(Image.ANTIALIAS == Image.LANCZOS)
    """)
    assert output.splitlines() == ["0.0 True 2.0", "True"]


def test_names_that_exist_are_left_alone():
    assert importlib.import_module("collections").OrderedDict
    output = _run("import numpy as np; print(np.prod is np.product, np.sum.__module__)")
    assert output == "True numpy\n"


def test_gone_modules():
    output = _run("""
        import sys
        sys.modules.pop("imp", None)
        from tf1compat.launcher.legacy import _GoneLoader
        from importlib.machinery import ModuleSpec
        from importlib.util import module_from_spec
        spec = ModuleSpec("imp", _GoneLoader())
        imp = module_from_spec(spec)
        spec.loader.exec_module(imp)
        print(sorted(name for name in vars(imp) if not name.startswith("_")))
    """)
    assert output == "['load_source', 'new_module', 'reload']\n"


def test_functions():
    with pytest.raises(ValueError, match="keyword-only parameters or annotations"):
        legacy_python.getargspec(lambda *, a: a)
    assert legacy_numpy.derivative(lambda x: x**3, 1.0, dx=1e-3) == pytest.approx(3.0, abs=1e-5)
    assert legacy_numpy.derivative(lambda x: x**3, 1.0, dx=1e-3, n=2, order=5) == pytest.approx(
        6.0, abs=1e-6
    )
    np.random.seed(0)
    drawn = {int(legacy_numpy.random_integers(2)) for _ in range(50)}
    assert drawn == {1, 2}


# By hand: (value - cmin) * (high - low) / (cmax - cmin) + low, rounded half up.
def test_bytescale():
    data = np.array([[0.0, 0.5], [1.0, 2.0]])
    assert legacy_images.bytescale(data).tolist() == [[0, 64], [128, 255]]
    assert legacy_images.bytescale(data, cmin=0, cmax=1).tolist() == [[0, 128], [255, 255]]
    assert legacy_images.bytescale(data, high=200, low=100).tolist() == [[100, 125], [150, 200]]


def test_images_round_trip(tmp_path):
    pytest.importorskip("PIL")
    image = np.arange(4 * 5 * 3, dtype=np.uint8).reshape(4, 5, 3)
    path = tmp_path / "image.png"
    legacy_images.imsave(path, image)
    assert (legacy_images.imread(path) == image).all()
    assert legacy_images.imread(path, flatten=True).dtype == np.float32
    assert legacy_images.imread(path, mode="L").shape == (4, 5)
    grey = image[:, :, 0]
    legacy_images.imsave(path, grey)
    assert (legacy_images.imread(path) == grey).all()


@pytest.mark.parametrize(
    ("size", "shape"), [(50, (2, 4)), (0.5, (2, 4)), ((3, 7), (3, 7)), (200, (8, 16))]
)
def test_imresize(size, shape):
    pytest.importorskip("PIL")
    image = np.full((4, 8, 3), 7, np.uint8)
    resized = legacy_images.imresize(image, size)
    assert resized.shape == (*shape, 3)
    assert (resized == 7).all()


def test_image_errors():
    pytest.importorskip("PIL")
    with pytest.raises(ValueError, match="suitable array shape"):
        legacy_images.toimage(np.zeros((2, 2, 5)))
    with pytest.raises(ValueError, match="interp must be one of"):
        legacy_images.imresize(np.zeros((2, 2), np.uint8), 50, interp="magic")
