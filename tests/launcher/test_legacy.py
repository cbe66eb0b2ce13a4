"""Names that Python, NumPy, SciPy and Pillow removed."""

import importlib
import json
import subprocess
import sys
import textwrap
from pathlib import Path

import library_cases
import numpy as np
import pytest
import recording

from tf1compat.launcher import (
    legacy_changed,
    legacy_images,
    legacy_names,
    legacy_numpy,
    legacy_python,
)

ROOT = Path(__file__).parents[2]
NAMES = recording.read_json(str(ROOT / "tests/golden/data/library_names.json.gz"))
VALUES = json.loads((ROOT / "tests/golden/data/library_values.json").read_text())
OPTIONAL = (
    "PIL",
    "cv2",
    "gast",
    "h5py",
    "jinja2",
    "matplotlib",
    "mpl_toolkits",
    "networkx",
    "pandas",
    "scipy",
    "skimage",
    "sklearn",
    "yaml",
)


def _skip_without(library):
    if library in OPTIONAL:
        pytest.importorskip(library)


@pytest.mark.parametrize("library", ["", "numpy", *OPTIONAL])
def test_every_replacement_exists(library):
    """Once the launcher is there, every name of the tables is in its module."""
    _skip_without(library or "numpy")
    modules = [
        name
        for name in {**legacy_names.TABLE, **legacy_changed.CHANGED}
        if (name.partition(".")[0] if name.startswith(("numpy", *OPTIONAL)) else "") == library
    ]
    output = _run(f"""
        import importlib, warnings
        warnings.simplefilter("ignore")
        from tf1compat.launcher import legacy_changed, legacy_names
        for module_name in {modules}:
            module = importlib.import_module(module_name)
            for name, place in legacy_names.TABLE.get(module_name, {{}}).items():
                try:
                    value = module
                    for part in name.split("."):
                        value = getattr(value, part)
                except Exception as error:
                    print(module_name, name, place, type(error), error)
            for place in legacy_changed.CHANGED.get(module_name, {{}}).values():
                assert callable(legacy.resolve(place))
    """)
    assert output == ""


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


def test_universal_newlines(tmp_path):
    """Mode U, which Python 3.11 refuses, reads as it did; where it never was one it is refused."""
    (tmp_path / "file").write_bytes(b"a\r\nb")
    output = _run(f"""
        import codecs, io
        name = {str(tmp_path / "file")!r}
        for mode in ("rU", "U", "rbU", "Ub", "r"):
            with open(name, mode) as file:
                print(repr(file.read()))
        with io.open(name, mode="rU", encoding="ascii") as a, codecs.open(name, "rU", "ascii") as b:
            print(repr(a.read()), repr(b.read()), open is io.open)
        for mode in ("wU", "rU+", "a U"):
            try:
                open(name, mode)
            except ValueError:
                print("refused")
    """)
    text, data = r"'a\nb'", r"b'a\r\nb'"
    assert output.splitlines() == [
        text, text, data, data, text, rf"{text} 'a\r\nb' True", *["refused"] * 3
    ]  # fmt: skip


def test_numpy_names():
    output = _run("""
        import numpy as np
        print(np.float, np.int, np.object, np.bool)
        print(np.float_ is np.float64, np.product([2, 3]), np.asscalar(np.array([3])), np.NaN)
        print(np.alltrue([True, False]))
        print(np.find_common_type([np.float32], [np.int64]))
    """)
    assert output.splitlines() == [
        "<class 'float'> <class 'int'> <class 'object'> <class 'numpy.bool'>",
        "True 6 3 nan",
        "False",
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


def test_names_are_looked_up_when_they_are_asked_for():
    pytest.importorskip("scipy")
    output = _run("""
        import sys
        import numpy, scipy, fractions, unittest, xml.etree.ElementTree
        print([name for name in sys.modules if name in ("scipy.special", "PIL", "pandas")])
        from numpy import *
        print(product([2, 3]), float(array(3)), "int" in numpy.__all__)
    """)
    assert output.splitlines() == ["[]", "6 3.0 False"]


def test_gone_modules():
    output = _run("""
        import sys, warnings
        warnings.simplefilter("ignore")
        for name in ("imp", "distutils", "cgi", "pipes", "imghdr"):
            for module in [m for m in sys.modules if m.partition(".")[0] == name]:
                del sys.modules[module]

        class Gone:
            def find_spec(self, fullname, path=None, target=None):
                return None

        from importlib.machinery import PathFinder
        find = PathFinder.find_spec
        names = ("imp", "distutils", "cgi", "pipes", "imghdr")
        PathFinder.find_spec = lambda name, *a: None if name.partition(".")[0] in names else find(
            name, *a)
        sys.meta_path[:] = [f for f in sys.meta_path if "distutils" not in repr(f).lower()]
        import imp, cgi, pipes, imghdr
        from distutils.version import LooseVersion, StrictVersion
        from distutils.util import strtobool
        print(cgi.escape("<"), pipes.quote("a b"), imghdr.what(None, b"GIF89a"))
        print(LooseVersion("1.10") > "1.9", StrictVersion("1.0") == StrictVersion("1.0"))
        print(strtobool("Yes"), LooseVersion("1.15.0-rc1").version)
        print(imp.find_module("string")[1].endswith("string.py"), imp.new_module("m").__name__)
    """)
    assert output.splitlines() == [
        "&lt; 'a b' gif",
        "True True",
        "1 [1, 15, 0, 'rc', 1]",
        "True m",
    ]


def test_sparse_matrices():
    pytest.importorskip("scipy")
    output = _run(
        """
        import numpy as np
        from scipy import sparse
        m = sparse.csr_matrix(np.array([[1, 2j], [0, 3]]))
        print(m.A.tolist(), m.H.A.tolist(), sparse.coo_matrix([[0, 1]]).A.tolist())
        """
    )
    assert output == "[[(1+0j), 2j], [0j, (3+0j)]] [[(1+0j), 0j], [-2j, (3+0j)]] [[0, 1]]\n"


def test_scipy_1_2():
    """All public modules and names of SciPy 1.2, but for those that scipy_gone.tsv lists."""
    pytest.importorskip("scipy")
    lines = (ROOT / "tests/launcher/scipy_gone.tsv").read_text().splitlines()
    gone = dict(line.split("\t") for line in lines if not line.startswith("#"))
    output = _run(f"""
        import importlib, json, sys, warnings
        warnings.simplefilter("ignore")
        sys.path[:0] = [{str(ROOT / "tests/golden")!r}]
        import recording
        names = recording.read_json({str(ROOT / "tests/golden/data/library_names.json.gz")!r})
        missing = {{}}
        for module_name, names in names["scipy"].items():
            try:
                module = importlib.import_module(module_name)
            except ImportError:
                missing[module_name] = ["*"]
                continue
            missing[module_name] = [name for name in names if not hasattr(module, name)]
        print(json.dumps(missing))
    """)
    unexpected = {}
    for module, names in json.loads(output).items():
        listed = gone.get(module, "").split()
        rest = [name for name in names if name not in listed]
        if rest:
            unexpected[module] = rest
    assert unexpected == {}


def test_values(tmp_path):
    """What expressions of the day gave then, they give now, run as a script."""
    pytest.importorskip("scipy")
    pytest.importorskip("PIL")
    lines = ["import json", "import warnings", "warnings.simplefilter('ignore')"]
    lines += [library_cases.IMPORTS, "values = {}"]
    lines += [f"values[{text!r}] = {text}" for text in library_cases.CASES]
    lines += [
        "def plain(value):",
        "    several = isinstance(value, tuple)",
        "    return [plain(v) for v in value] if several else np.asarray(value).tolist()",
        "print(json.dumps({text: plain(value) for text, value in values.items()}))",
    ]
    script = tmp_path / "script.py"
    script.write_text("\n".join(lines))
    result = subprocess.run(
        [sys.executable, "-m", "tf1compat", str(script)], capture_output=True, text=True, cwd=ROOT
    )
    assert result.stderr == ""
    values = json.loads(result.stdout)
    assert list(values) == list(VALUES) == library_cases.CASES
    for text, value in values.items():
        expected = VALUES[text]
        if isinstance(expected, bool):
            assert value is expected, text
            continue
        flat, flat_expected = (_flat(v) for v in (value, expected))
        if any(isinstance(v, str) for v in flat_expected):
            assert flat == flat_expected, text
        else:
            np.testing.assert_allclose(flat, flat_expected, 1e-6, 1e-9, err_msg=text)
            assert np.shape(value) == np.shape(expected) or isinstance(value, list), text


def _flat(value):
    if not isinstance(value, list):
        return [value]
    return [item for part in value for item in _flat(part)]


LIBRARIES = {
    "matplotlib": """
        import matplotlib
        matplotlib.use("Agg", warn=False)
        import matplotlib.pyplot as plt
        from matplotlib import mlab
        plt.hold(True)
        counts, bins, _ = plt.hist([1, 2, 2, 3], normed=True)
        print(round(counts.sum() * (bins[1] - bins[0]), 6))
        ax = plt.subplot(111, axisbg="y")
        plt.grid(b=True)
        plt.plot([1], [2], hold=True)
        plt.gca(projection="3d")
        plt.figure().canvas.set_window_title("x")
        ax.set_color_cycle(["r", "b"])
        plt.style.use("seaborn-whitegrid")
        print(ax.get_axis_bgcolor(), plt.axes(ax) is ax, plt.cm.spectral(0.5)[:1])
        print(round(mlab.normpdf(0, 0, 1), 6), round(mlab.bivariate_normal(0.0, 0.0), 6))
        == 1.0
        == (0.75, 0.75, 0.0, 1) True (0.0,)
        ax = plt.figure().gca(projection="3d")
        figure = plt.figure()
        print(ax.w_xaxis is ax.xaxis, matplotlib.tri.triangulation.Triangulation.__name__)
        from mpl_toolkits.mplot3d import Axes3D
        print(Axes3D(figure) in figure.axes, len(figure.axes))
        plt.figure()
        print(plt.bar(left=[1], height=[2])[0].get_x(), plt.barh([1], [2])[0].get_height())
        plt.grid("off")
        plt.tick_params(labelbottom="off")
        plt.gcf().canvas.draw()
        lines = plt.gca().xaxis.get_gridlines() + plt.gca().xaxis.get_ticklabels()
        print([line.get_visible() for line in lines if line.get_visible()])
        matplotlib.rcParams["text.latex.unicode"] = True
        matplotlib.rcParams["axes.color_cycle"] = ["r", "g"]
        print(matplotlib.rcParams["axes.prop_cycle"].by_key(), "jet" in plt.cm.cmap_d)
        import datetime
        print(type(plt.plot_date([datetime.datetime(2019, 1, 1)], [1])[0]).__name__)
        == 0.398942 0.159155
        == True Triangulation
        == True 1
        == 0.6 0.8
        == []
        == {'color': ['r', 'g']} True
        == Line2D
    """,
    "pandas": """
        import pandas as pd
        from pandas.tools.plotting import scatter_matrix
        df = pd.DataFrame({"a": [1, 2, 3], "b": [4.0, 5.0, 6.0]}, index=list("xyz"))
        print(df.ix["x", "a"], df.ix[0, "b"], df.ix[0:2, ["a"]].values.tolist())
        print(df.append({"a": 9, "b": 1.0}, ignore_index=True).shape, df.as_matrix().shape)
        print(df.a.append(df.b).tolist(), [name for name, _ in df.iteritems()])
        print(pd.rolling_mean(df.a, 2).tolist(), df.drop("a", 1).columns.tolist())
        print(df.sort("b", ascending=False).index.tolist(), df.lookup(["x"], ["b"]).tolist())
        print(df.get_value("y", "b"), df.a.nonzero()[0].tolist(), df.a.reshape(3, 1).shape)
        df.ix["x", "a"] = 7
        print(df.a.tolist(), df.fillna(method="ffill").shape, pd.concat([df, df], 1).shape)
        print(df.loc[{"z"}].shape, df[{"b"}].shape, df.loc["y", {"a": 0}].map(float).tolist())
        series = df.a.copy()
        df.loc[{"z"}, "b"], series[{"y"}] = 8.0, 5
        print(df.values.tolist(), series[{"y"}].tolist())
        == 1 4.0 [[1], [2]]
        == (4, 2) (3, 2)
        == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] ['a', 'b']
        == [nan, 1.5, 2.5] ['b']
        == ['z', 'y', 'x'] [4.0]
        == 5.0 [0, 1, 2] (3, 1)
        == [7, 2, 3] (3, 2) (3, 4)
        == (1, 2) (3, 1) [2.0]
        mixed = pd.DataFrame.from_items([("a", [1, 2]), ("b", ["x", "y"])])
        print(mixed.mean().tolist(), mixed.groupby("a").mean().shape, mixed.corr().shape)
        print(mixed.a.clip_lower(2).tolist(), mixed.a.real.tolist(), mixed.get_values().shape)
        pd.set_option("display.max_colwidth", -1)
        from pandas.io.json import json_normalize
        print(json_normalize({"a": {"b": 1}}).columns.tolist(), pd.core.index.Index is pd.Index)
        days = pd.DatetimeIndex(["2019-01-01", "2019-01-07"])
        print(list(days.weekday_name), pd.Series(days).dt.weekofyear.tolist())
        pd.util.testing.assert_frame_equal(mixed, mixed)
        print(pd.MultiIndex.from_product([[1], [2, 3]]).labels[1].tolist())
        == [[7.0, 4.0], [2.0, 5.0], [3.0, 8.0]] [5]
        == [1.5] (2, 0) (1, 1)
        == [2, 2] [1, 2] (2, 2)
        == ['a.b'] True
        == ['Tuesday', 'Monday'] [1, 2]
        == [0, 1]
    """,
    "sklearn": """
        import numpy as np
        from sklearn.cross_validation import KFold, train_test_split
        from sklearn.externals import joblib
        from sklearn.grid_search import GridSearchCV
        from sklearn.utils.linear_assignment_ import linear_assignment
        from sklearn.preprocessing import Imputer, OneHotEncoder
        from sklearn.datasets.samples_generator import make_blobs
        from sklearn.linear_model.logistic import LogisticRegression
        from sklearn.cluster.k_means_ import KMeans
        from sklearn.feature_extraction.text import CountVectorizer
        print(len(KFold(10, n_folds=5)), [test.tolist() for _, test in KFold(4, 2)])
        print(linear_assignment(np.array([[2, 1], [1, 2]])).tolist())
        print(Imputer().fit_transform([[1.0], [np.nan], [3.0]]).ravel().tolist())
        print(OneHotEncoder(sparse=False).fit_transform([[0], [1]]).tolist())
        vectorizer = CountVectorizer()
        vectorizer.fit(["bb aa"])
        print(vectorizer.get_feature_names())
        from sklearn.cluster import AgglomerativeClustering
        from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
        from sklearn.linear_model import LinearRegression
        from sklearn.manifold import TSNE
        from sklearn.metrics import mean_squared_error
        from sklearn.tree import DecisionTreeClassifier
        from sklearn.utils import check_array
        points = np.array([[0.0], [1.0], [9.0], [10.0]])
        print(sorted(KMeans(n_clusters=2, n_jobs=2, random_state=0).fit(points).predict(points)))
        print(AgglomerativeClustering(2, affinity="euclidean").fit(points).n_clusters)
        print(LinearRegression(normalize=False).fit(points, points[:, 0]).coef_.round(6).tolist())
        forest = RandomForestClassifier(bootstrap=False, max_features="auto", presort=False)
        print(forest.fit(points, [0, 0, 1, 1]).predict([[0.0], [10.0]]).tolist())
        bagging = BaggingClassifier(base_estimator=DecisionTreeClassifier(), n_estimators=2)
        print(bagging.fit(points, [0, 0, 1, 1]).n_features_in_, mean_squared_error([1.0], [3.0]))
        error = mean_squared_error([1.0], [3.0], squared=False)
        print(error, "n_clusters" in KMeans().get_params())
        print(check_array([[1.0]], force_all_finite=True).tolist())
        print(TSNE(n_iter=300).n_components)
        == 5 [[0, 1], [2, 3]]
        == [[0, 1], [1, 0]]
        == [1.0, 2.0, 3.0]
        == [[1.0, 0.0], [0.0, 1.0]]
        == ['aa', 'bb']
        == [0, 0, 1, 1]
        == 2
        == [1.0]
        == [0, 1]
        == 1 4.0
        == 2.0 True
        == [[1.0]]
        == 2
    """,
    "skimage": """
        import numpy as np
        from skimage.measure import compare_psnr, compare_ssim
        from skimage.morphology import dilation, disk
        image = np.arange(300).reshape(10, 10, 3).astype(np.uint8)
        print(float(compare_ssim(image, image, multichannel=True)))
        print(round(float(compare_psnr(image, image + np.uint8(1), 255)), 2))
        print(int(dilation(np.eye(3, dtype=np.uint8), selem=disk(1)).sum()))
        from skimage.color import grey2rgb, rgb2gray, rgb2grey
        from skimage.draw import circle
        from skimage.feature import greycomatrix, greycoprops
        from skimage.filter import gaussian_filter
        from skimage.morphology import watershed
        from skimage.transform import rescale
        print(rescale(image, 0.5, multichannel=True).shape, len(circle(5, 5, 2)[0]))
        print(rgb2gray(image[..., 0]).shape, rgb2grey(image).shape, grey2rgb(image[..., 0]).shape)
        matrix = greycomatrix(image[:4, :4, 0] % 4, [1], [0], levels=4)
        print(matrix.sum(), greycoprops(matrix, "contrast").shape)
        print(gaussian_filter(image, 1, multichannel=True).shape)
        print(watershed(image[..., 0], image[..., 0] % 2).shape)
        == 1.0
        == 24.75
        == 7
        == (5, 5, 3) 9
        == (10, 10) (10, 10) (10, 10, 3)
        == 12 (1, 1)
        == (10, 10, 3)
        == (10, 10)
    """,
    "networkx": """
        import warnings
        warnings.simplefilter("ignore")
        import networkx as nx
        graph = nx.DiGraph()
        nx.Graph.add_path(graph, [1, 2, 3])
        print(next(graph.edges_iter()), list(graph.nodes_iter(data=True)), list(graph.node))
        print(list(graph.predecessors_iter(3)), dict(graph.in_degree_iter()))
        print("nodes" in nx.info(graph))
        print(list(graph.selfloop_edges()), nx.to_numpy_matrix(graph).sum())
        == (1, 2) [(1, {}), (2, {}), (3, {})] [1, 2, 3]
        == [2] {1: 0, 2: 1, 3: 1}
        == True
        == [] 2.0
    """,
}


def test_what_is_not_installed_is_not_given():
    """A library that is optional to a script is missing, and not an empty module."""
    output = _run("""
        import importlib.machinery
        find = importlib.machinery.PathFinder.find_spec
        names = ("h5py", "networkx", "skimage", "gast", "pandas", "sklearn", "matplotlib")
        importlib.machinery.PathFinder.find_spec = (
            lambda name, *a: None if name.partition(".")[0] in names else find(name, *a)
        )
        for name in names:
            try:
                importlib.import_module(name)
            except ModuleNotFoundError as error:
                print(error.name, end=" ")
    """)
    assert output.split() == "h5py networkx skimage gast pandas sklearn matplotlib".split()


def test_marks_of_numpys_tests():
    """`numpy.testing.dec` marks, skips and expects failures as with nose."""
    output = _run("""
        import unittest
        from numpy.testing import Tester, dec, raises
        from numpy.testing.decorators import skipif, slow
        from numpy.compat.py3k import asbytes

        @dec.slow
        def test_slow():
            return asbytes("seen")

        @skipif(lambda: True, "no display")
        def test_display():
            raise AssertionError

        @dec.knownfailureif(False)
        @raises(ZeroDivisionError)
        def test_raises():
            return 1 / 0

        print(test_slow.slow, test_slow(), test_raises())
        for test in (test_display, Tester().test):
            try:
                test()
            except (unittest.SkipTest, NotImplementedError) as error:
                print(type(error).__name__, str(error)[:20])
    """)
    assert output.splitlines() == [
        "True b'seen' None",
        "SkipTest no display",
        "NotImplementedError numpy.testing.Tester",
    ]


def test_python_names_of_later_removals():
    output = _run("""
        import json, sqlite3, threading, unittest
        from tf1compat.launcher.legacy_python import parse_header
        print(json.loads("[1]", encoding="utf8"), json.dumps({"a": 1}, encoding="latin1"))
        print(threading._Timer is threading.Timer, sqlite3.OptimizedUnicode is str)
        print(parse_header('form-data; name="a b"; size=3'), parse_header("text/html"))
        print(unittest._TextTestResult is unittest.TextTestResult)
    """)
    assert output.splitlines() == [
        '[1] {"a": 1}',
        "True True",
        "('form-data', {'name': 'a b', 'size': '3'}) ('text/html', {})",
        "True",
    ]


@pytest.mark.parametrize("library", LIBRARIES)
def test_library(library, tmp_path):
    """Where the library is installed: what its versions of TF 1.15's day took, it takes."""
    pytest.importorskip(library)
    lines = textwrap.dedent(LIBRARIES[library]).strip().splitlines()
    script = tmp_path / "script.py"
    script.write_text("\n".join(line for line in lines if not line.startswith("== ")))
    result = subprocess.run(
        [sys.executable, "-m", "tf1compat", str(script)], capture_output=True, text=True, cwd=ROOT
    )
    assert result.stderr == ""
    assert result.stdout.splitlines() == [line[3:] for line in lines if line.startswith("== ")]


def test_functions():
    with pytest.raises(ValueError, match="keyword-only parameters or annotations"):
        legacy_python.getargspec(lambda *, a: a)
    assert legacy_numpy.derivative(lambda x: x**3, 1.0, dx=1e-3) == pytest.approx(3.0, abs=1e-5)
    assert legacy_numpy.derivative(lambda x: x**3, 1.0, dx=1e-3, n=2, order=5) == pytest.approx(
        6.0, abs=1e-6
    )
    # As NumPy 1.18 says.
    cast, nbytes = legacy_numpy.cast, legacy_numpy.nbytes
    assert (len(cast), len(nbytes)) == (24, 24)
    assert cast["int"](2.7) == 2 and cast["float32"]([1, 2]).dtype == np.float32
    assert [nbytes[key] for key in ("float32", bool, np.dtype("c8"), "S", np.longlong)] == [
        4, 1, 8, 0, 8,
    ]  # fmt: skip
    with pytest.raises(KeyError, match="None"):
        cast["nope"]
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


def test_literal_node_classes():
    """`gast.Num` and the like are kinds of Constant, as `ast.Num` still is until Python 3.13."""
    pytest.importorskip("gast")
    output = _run("""
        import gast
        call = gast.parse("f(1, 'a', None, True, b'x', ...)").body[0].value
        kinds = gast.Num, gast.Str, gast.NameConstant, gast.Bytes, gast.Ellipsis
        print([[kind.__name__ for kind in kinds if isinstance(arg, kind)] for arg in call.args])
        print(call.args[0].n, call.args[1].s, isinstance(gast.Num(3), gast.Num))
        print(gast.dump(gast.Index(gast.Str(s="b"))))
    """)
    assert output.splitlines() == [
        "[['Num'], ['Str'], ['NameConstant'], ['NameConstant'], ['Bytes'], ['Ellipsis']]",
        "1 a True",
        "Constant(value='b', kind=None)",
    ]


def test_nodes_without_later_fields():
    """Nodes are made with the fields that gast 0.2 had."""
    pytest.importorskip("gast")
    output = _run("""
        import ast, gast
        name = gast.Name("x", gast.Param(), None)
        arguments = gast.arguments([name], None, [], [], None, [])
        body = [gast.Return(gast.Name("x", gast.Load(), None))]
        module = gast.Module([gast.FunctionDef("f", arguments, body, [], None)])
        other = gast.Module([gast.ClassDef("A", [], [], [gast.Pass()], [])])
        other.type_ignores.append(1)
        print(name.type_comment, arguments.posonlyargs, module.type_ignores, other.type_ignores)
        print(ast.unparse(ast.fix_missing_locations(gast.gast_to_ast(module))))
        print(len(gast.parse("def f(a, b=1, *c): pass").body[0].args.args))
    """)
    assert output.splitlines() == ["None [] [] [1]", "def f(x):", "    return x", "2"]


def test_networkx_names(tmp_path):
    pytest.importorskip("networkx")
    output = _run(f"""
        import warnings; warnings.simplefilter("ignore")  # That np.matrix is not for new code.
        import networkx as nx
        graph = nx.OrderedMultiDiGraph([(0, 1), (1, 2)])
        nx.write_gpickle(graph, {str(tmp_path / "graph")!r})
        print(nx.read_gpickle({str(tmp_path / "graph")!r}).node[1])
        print((nx.to_numpy_matrix(graph) * nx.to_numpy_matrix(graph)).tolist())
        print([g.number_of_edges() for g in nx.weakly_connected_component_subgraphs(graph)])
        print(nx.from_numpy_matrix(nx.to_numpy_matrix(graph)).number_of_edges())
    """)
    product = "[[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]"
    assert output.splitlines() == ["{}", product, "[2]", "2"]


def test_h5py_2(tmp_path):
    pytest.importorskip("h5py")
    output = _run(f"""
        import h5py, numpy as np
        path = {str(tmp_path / "weights.h5")!r}
        with h5py.File(path) as file:
            file.attrs["version"] = b"2.2.4"
            file.attrs["names"] = [b"a", b"bb"]
            file["x"] = np.arange(3)
        with h5py.File(path) as file:
            file["y"] = 1
            print(file.attrs["version"].decode("utf8"), file.attrs.get("names")[1].decode())
            print(file["x"].value, file.mode)
        with h5py.File(path, "r") as file:
            print(sorted(file), file.mode, file.fid == file.id)
            print(file.attrs["names"].dtype, file.attrs["names"].tolist())
    """)
    lines = ["2.2.4 bb", "[0 1 2] r+", "['x', 'y'] r True", "|S2 [b'a', b'bb']"]
    assert output.splitlines() == lines


def test_texts_of_datasets(tmp_path):
    """As h5py 2 read them; `asstr`, which h5py 3 has for it, goes on working."""
    pytest.importorskip("h5py")
    output = _run(f"""
        import h5py, numpy as np
        text = h5py.special_dtype(vlen=str)
        with h5py.File({str(tmp_path / "texts.h5")!r}, "w") as file:
            file["s"], file["b"] = "text \u00e9", b"bytes"
            file.create_dataset("two", data=np.array([["a", "b"], ["c", "d"]], object), dtype=text)
            file.create_dataset("rows", shape=(2,), dtype=[("n", text), ("v", "i4")])
            file["rows"][0] = ("q", 3)
            file["fixed"] = np.array([b"a", b"bb"])
            print(repr(file["s"][()]), repr(file["s"].value), repr(file["s"][...]), file["b"][()])
            print(file["two"][1], file["two"][0, 1], file["two"][0:0].shape, file["fixed"][1])
            print(np.array(file["two"]).tolist(), [x.tolist() for x in file["two"]])
            print(file["rows"][0], repr(file["rows"][0]["n"]), file["rows"]["n"], file["rows"]["v"])
            print(file["s"].asstr()[()], file["two"].asstr()[1], file["s"][()].decode("utf8"))
    """)
    assert output.splitlines() == [
        "'text \u00e9' 'text \u00e9' array('text \u00e9', dtype=object) b'bytes'",
        "['c' 'd'] b (0, 2) b'bb'",
        "[['a', 'b'], ['c', 'd']] [['a', 'b'], ['c', 'd']]",
        "('q', 3) 'q' ['q' ''] [3 0]",
        "text \u00e9 ['c' 'd'] text \u00e9",
    ]


def test_yaml_without_a_loader():
    pytest.importorskip("yaml")
    assert _run("import yaml; print(yaml.load('a: [1, b]'))") == "{'a': [1, 'b']}\n"
