"""Names that Python and libraries removed since TF 1.15's day, and what stands for them today.

Tables of data for legacy.py.  A place is "module:attribute", or "module:" for the module itself.
"""

from __future__ import annotations

import collections.abc

from tf1compat.launcher.legacy_libraries import LIBRARIES

_PYTHON = "tf1compat.launcher.legacy_python"
_NUMPY = "tf1compat.launcher.legacy_numpy"
_IMAGES = "tf1compat.launcher.legacy_images"
_SCIPY = "tf1compat.launcher.legacy_scipy"
_NOSE = "tf1compat.launcher.legacy_nose"
_AST = "tf1compat.launcher.legacy_ast"

_LITERALS = ("Bytes", "Ellipsis", "NameConstant", "Num", "Str")

PYTHON: dict[str, dict[str, str]] = {
    "ast": {
        **{name: f"{_AST}:AST.{name}" for name in _LITERALS},
        "Constant.n": f"{_AST}:value",
        "Constant.s": f"{_AST}:value",
        "ExtSlice": f"{_AST}:extended_slice",
        "Index": f"{_AST}:index",
    },
    "asyncio": {
        "coroutine": "types:coroutine",
    },
    "base64": {"decodestring": "base64:decodebytes", "encodestring": "base64:encodebytes"},
    "cgi": {"escape": "html:escape"},
    "collections": {name: f"collections.abc:{name}" for name in collections.abc.__all__},
    "configparser": {
        "ConfigParser.readfp": "configparser:ConfigParser.read_file",
        "RawConfigParser.readfp": "configparser:RawConfigParser.read_file",
        "SafeConfigParser": "configparser:ConfigParser",
    },
    "fractions": {"gcd": "math:gcd"},
    "html.parser": {
        "HTMLParseError": f"{_PYTHON}:HTMLParseError",
        "HTMLParser.unescape": f"{_PYTHON}:unescape",
    },
    "importlib": {"find_loader": f"{_PYTHON}:find_loader"},
    "gettext": {"lgettext": "gettext:gettext"},
    "inspect": {
        "formatargspec": f"{_PYTHON}:formatargspec",
        "getargspec": f"{_PYTHON}:getargspec",
        "getmoduleinfo": f"{_PYTHON}:getmoduleinfo",
    },
    "itertools": {
        "ifilter": "builtins:filter",
        "imap": "builtins:map",
        "izip": "builtins:zip",
        "ifilterfalse": "itertools:filterfalse",
        "izip_longest": "itertools:zip_longest",
    },
    "os": {"errno": "errno:", "getcwdu": "os:getcwd"},
    "locale": {"format": f"{_PYTHON}:format_number"},
    "logging": {"_levelNames": f"{_PYTHON}:level_names"},
    "operator": {
        "div": f"{_PYTHON}:floordiv",
        "isCallable": "builtins:callable",
        "isSequenceType": f"{_PYTHON}:is_sequence",
        "sequenceIncludes": "operator:contains",
    },
    "pkgutil": {"ImpImporter": "importlib.machinery:FileFinder"},
    "platform": {
        "dist": f"{_PYTHON}:linux_distribution",
        "linux_distribution": f"{_PYTHON}:linux_distribution",
    },
    "sqlite3": {"OptimizedUnicode": "builtins:str"},
    "string": {
        **{
            name: f"builtins:str.{name}"
            for name in (
                "capitalize count expandtabs find index ljust lower lstrip replace rfind rindex "
                "rjust rstrip split splitlines strip swapcase title translate upper zfill"
            ).split()
        },
        "atof": "builtins:float",
        "atoi": "builtins:int",
        "atol": "builtins:int",
        "join": f"{_PYTHON}:join",
        "letters": "string:ascii_letters",
        "lowercase": "string:ascii_lowercase",
        "maketrans": "builtins:str.maketrans",
        "uppercase": "string:ascii_uppercase",
    },
    "sys": {
        "exc_clear": f"{_PYTHON}:exc_clear",
        "maxint": "sys:maxsize",
        "setcheckinterval": f"{_PYTHON}:setcheckinterval",
        "setdefaultencoding": f"{_PYTHON}:setdefaultencoding",
    },
    "threading": {
        "Thread.isAlive": "threading:Thread.is_alive",
        "_Event": "threading:Event",
        "_Timer": "threading:Timer",
        "_sleep": "time:sleep",
        "_time": "time:monotonic",
    },
    "time": {"clock": "time:process_time"},
    "types": {
        "BooleanType": "builtins:bool",
        "ClassType": "builtins:type",
        "DictType": "builtins:dict",
        "FloatType": "builtins:float",
        "IntType": "builtins:int",
        "ListType": "builtins:list",
        "LongType": "builtins:int",
        "NoneType": f"{_PYTHON}:NoneType",
        "StringType": "builtins:str",
        "StringTypes": f"{_PYTHON}:STRING_TYPES",
        "TupleType": "builtins:tuple",
        "TypeType": "builtins:type",
        "UnicodeType": "builtins:str",
    },
    "typing": {"io": "typing:", "re": "typing:"},
    "unittest": {
        "TestCase.assertEquals": "unittest:TestCase.assertEqual",
        "TestCase.assertItemsEqual": "unittest:TestCase.assertCountEqual",
        "TestCase.assertNotEquals": "unittest:TestCase.assertNotEqual",
        "TestCase.assertRaisesRegexp": "unittest:TestCase.assertRaisesRegex",
        "TestCase.assertNotRegexpMatches": "unittest:TestCase.assertNotRegex",
        "TestCase.assertAlmostEquals": "unittest:TestCase.assertAlmostEqual",
        "TestCase.assertDictContainsSubset": f"{_PYTHON}:assertDictContainsSubset",
        "TestCase.assertNotAlmostEquals": "unittest:TestCase.assertNotAlmostEqual",
        "TestCase.assertRegexpMatches": "unittest:TestCase.assertRegex",
        "TestCase.assert_": "unittest:TestCase.assertTrue",
        "TestCase.failIf": "unittest:TestCase.assertFalse",
        "TestCase.failUnless": "unittest:TestCase.assertTrue",
        "TestCase.failUnlessEqual": "unittest:TestCase.assertEqual",
        "TestCase.failUnlessRaises": "unittest:TestCase.assertRaises",
        "_TextTestResult": "unittest:TextTestResult",
        "findTestCases": f"{_PYTHON}:find_test_cases",
        "makeSuite": f"{_PYTHON}:make_suite",
    },
    "urllib.parse": {
        "splitattr": "urllib.parse:_splitattr",
        "splithost": "urllib.parse:_splithost",
        "splitport": "urllib.parse:_splitport",
        "splitquery": "urllib.parse:_splitquery",
        "splittype": "urllib.parse:_splittype",
    },
    "xml.etree.ElementTree": {
        "ElementTree.getiterator": f"{_PYTHON}:getiterator",
    },
}

NUMPY: dict[str, dict[str, str]] = {
    "numpy": {
        "ComplexWarning": "numpy.exceptions:ComplexWarning",
        "DataSource": "numpy.lib.npyio:DataSource",
        "RankWarning": "numpy.exceptions:RankWarning",
        "VisibleDeprecationWarning": "numpy.exceptions:VisibleDeprecationWarning",
        "AxisError": "numpy.exceptions:AxisError",
        "TooHardError": "numpy.exceptions:TooHardError",
        "ModuleDeprecationWarning": "numpy.exceptions:ModuleDeprecationWarning",
        "add_docstring": "numpy.lib:add_docstring",
        "add_newdoc": "numpy.lib:add_newdoc",
        "asarray_chkfinite": "numpy.lib:asarray_chkfinite",
        "bytes0": "numpy:bytes_",
        "cast": f"{_NUMPY}:cast",
        "chararray": "numpy.char:chararray",
        "clongfloat": "numpy:clongdouble",
        "compare_chararrays": "numpy.char:compare_chararrays",
        "compat": f"{_NUMPY}_compat:",
        "deprecate": f"{_NUMPY}:deprecate",
        "disp": f"{_NUMPY}:disp",
        "geterrobj": "numpy:geterr",
        "issubclass_": f"{_NUMPY}:issubclass_",
        "issctype": f"{_NUMPY}:issctype",
        "loads": "pickle:loads",
        "longcomplex": "numpy:clongdouble",
        "math": "math:",
        "maximum_sctype": f"{_NUMPY}:maximum_sctype",
        "mafromtxt": "numpy:genfromtxt",
        "ndfromtxt": "numpy:genfromtxt",
        "nbytes": f"{_NUMPY}:nbytes",
        "recfromcsv": f"{_NUMPY}:recfromcsv",
        "recfromtxt": f"{_NUMPY}:recfromtxt",
        "safe_eval": "ast:literal_eval",
        "sctype2char": f"{_NUMPY}:sctype2char",
        "set_string_function": f"{_NUMPY}:set_string_function",
        "source": f"{_NUMPY}:source",
        "void0": "numpy:void",
        "Inf": "numpy:inf",
        "Infinity": "numpy:inf",
        "NAN": "numpy:nan",
        "NINF": f"{_NUMPY}:negative_infinity",
        "NZERO": f"{_NUMPY}:negative_zero",
        "NaN": "numpy:nan",
        "PINF": "numpy:inf",
        "PZERO": f"{_NUMPY}:positive_zero",
        "MachAr": f"{_NUMPY}:MachAr",
        "alen": f"{_NUMPY}:alen",
        "alltrue": "numpy:all",
        "asfarray": f"{_NUMPY}:asfarray",
        "asscalar": f"{_NUMPY}:asscalar",
        "bool": "builtins:bool",
        "bool8": "numpy:bool_",
        "byte_bounds": "numpy.lib.array_utils:byte_bounds",
        "cfloat": "numpy:complex128",
        "complex": "builtins:complex",
        "complex_": "numpy:complex128",
        "cumproduct": "numpy:cumprod",
        "fastCopyAndTranspose": f"{_NUMPY}:copy_and_transpose",
        "format_parser": "numpy.rec:format_parser",
        "find_common_type": f"{_NUMPY}:find_common_type",
        "float": "builtins:float",
        "float_": "numpy:float64",
        "in1d": f"{_NUMPY}:in1d",
        "infty": "numpy:inf",
        "int": "builtins:int",
        "int0": "numpy:intp",
        "issubsctype": "numpy:issubdtype",
        "long": "builtins:int",
        "longfloat": "numpy:longdouble",
        "mat": "numpy:asmatrix",
        "msort": f"{_NUMPY}:msort",
        "object": "builtins:object",
        "object0": "numpy:object_",
        "obj2sctype": f"{_NUMPY}:obj2sctype",
        "product": "numpy:prod",
        "rank": "numpy:ndim",
        "round_": "numpy:round",
        "row_stack": "numpy:vstack",
        "sctypes": f"{_NUMPY}:sctypes",
        "singlecomplex": "numpy:complex64",
        "sometrue": "numpy:any",
        "str": "builtins:str",
        "str0": "numpy:str_",
        "string_": "numpy:bytes_",
        "trapz": f"{_NUMPY}:trapz",
        "typeDict": "numpy:sctypeDict",
        "uint0": "numpy:uintp",
        "unicode": "builtins:str",
        "unicode_": "numpy:str_",
    },
    "numpy.core.umath_tests": {"inner1d": f"{_NUMPY}:inner1d"},
    "numpy.core.machar": {"MachAr": f"{_NUMPY}:MachAr"},
    "numpy.lib.npyio": {
        "NpzFile.iteritems": "collections.abc:Mapping.items",
        "NpzFile.iterkeys": "collections.abc:Mapping.keys",
    },
    "numpy.ma": {"rank": "numpy:ndim"},
    "numpy.random": {
        "random_integers": f"{_NUMPY}:random_integers",
        "ranf": "numpy.random:random_sample",
        "sample": "numpy.random:random_sample",
    },
    "numpy.testing": {
        "Tester": f"{_NUMPY}_testing:Tester",
        "dec": f"{_NUMPY}_testing:",
        "raises": f"{_NOSE}:raises",
        "run_module_suite": f"{_NUMPY}_testing:run_module_suite",
    },
}

SCIPY: dict[str, dict[str, str]] = {
    "scipy": {"random": "numpy.random:"},
    "scipy.integrate": {
        "cumtrapz": f"{_SCIPY}:cumtrapz",
        "quadrature": f"{_SCIPY}:quadrature",
        "romberg": f"{_SCIPY}:romberg",
        "simps": f"{_SCIPY}:simps",
        "trapz": f"{_SCIPY}:trapz",
    },
    "scipy.io": {"byteordercodes": "scipy.io.matlab._byteordercodes:"},
    "scipy.linalg": {
        "kron": "numpy:kron",
        "pinv2": "scipy.linalg:pinv",
        "tri": "numpy:tri",
        "tril": "numpy:tril",
        "triu": "numpy:triu",
    },
    "scipy.misc": {
        "ascent": "scipy.datasets:ascent",
        "bytescale": f"{_IMAGES}:bytescale",
        "central_diff_weights": f"{_SCIPY}:central_diff_weights",
        "comb": "scipy.special:comb",
        "derivative": f"{_NUMPY}:derivative",
        "electrocardiogram": "scipy.datasets:electrocardiogram",
        "face": "scipy.datasets:face",
        "factorial": "scipy.special:factorial",
        "factorial2": "scipy.special:factorial2",
        "factorialk": "scipy.special:factorialk",
        "fromimage": f"{_IMAGES}:fromimage",
        "imfilter": f"{_IMAGES}:imfilter",
        "imread": f"{_IMAGES}:imread",
        "imresize": f"{_IMAGES}:imresize",
        "imrotate": f"{_IMAGES}:imrotate",
        "imsave": f"{_IMAGES}:imsave",
        "imshow": f"{_IMAGES}:imshow",
        "info": "numpy:info",
        "logsumexp": "scipy.special:logsumexp",
        "pade": "scipy.interpolate:pade",
        "toimage": f"{_IMAGES}:toimage",
    },
    "scipy.ndimage": {"imread": f"{_IMAGES}:imread"},
    "scipy.ndimage.io": {"imread": f"{_IMAGES}:imread"},
    "scipy.signal": {
        "bspline": f"{_SCIPY}:bspline",
        "cmplx_sort": f"{_SCIPY}:cmplx_sort",
        "cubic": f"{_SCIPY}:cubic",
        "cwt": f"{_SCIPY}:cwt",
        "hanning": "scipy.signal.windows:hann",
        "impulse2": "scipy.signal:impulse",
        "lsim2": f"{_SCIPY}:lsim2",
        "morlet": f"{_SCIPY}:morlet",
        "qmf": f"{_SCIPY}:qmf",
        "quadratic": f"{_SCIPY}:quadratic",
        "ricker": f"{_SCIPY}:ricker",
        "step2": "scipy.signal:step",
        **{
            name: f"scipy.signal.windows:{name}"
            for name in (
                "barthann bartlett blackman blackmanharris bohman boxcar chebwin cosine "
                "exponential flattop gaussian general_gaussian hamming hann kaiser nuttall parzen "
                "triang tukey"
            ).split()
        },
    },
    "scipy.signal.windows": {"hanning": "scipy.signal.windows:hann"},
    "scipy.sparse": {"spmatrix.A": f"{_SCIPY}:dense", "spmatrix.H": f"{_SCIPY}:adjoint"},
    "scipy.sparse.linalg": {
        "arpack": "scipy.sparse.linalg._eigen.arpack:",
        "iterative": "scipy.sparse.linalg._isolve.iterative:",
        "linsolve": "scipy.sparse.linalg._dsolve.linsolve:",
        "utils": "scipy.sparse.linalg._isolve.utils:",
    },
    "scipy.spatial.distance": {
        "kulsinski": f"{_SCIPY}:kulsinski",
        "matching": "scipy.spatial.distance:hamming",
        "sokalmichener": "scipy.spatial.distance:rogerstanimoto",
        "wminkowski": f"{_SCIPY}:wminkowski",
    },
    "scipy.special": {
        "btdtr": "scipy.special:betainc",
        "btdtri": "scipy.special:betaincinv",
        "sph_harm": f"{_SCIPY}:sph_harm",
    },
    "scipy.stats": {
        "binom_test": f"{_SCIPY}:binom_test",
        "chisqprob": f"{_SCIPY}:chisqprob",
        "find_repeats": f"{_SCIPY}:find_repeats",
        "frechet_l": "scipy.stats:weibull_max",
        "frechet_r": "scipy.stats:weibull_min",
        "gilbrat": "scipy.stats:gibrat",
        "itemfreq": f"{_SCIPY}:itemfreq",
        "median_absolute_deviation": f"{_SCIPY}:median_absolute_deviation",
        "nanmean": "numpy:nanmean",
        "nanmedian": "numpy:nanmedian",
        "nanstd": "numpy:nanstd",
        "trapz": "scipy.stats:trapezoid",
    },
}

PILLOW: dict[str, dict[str, str]] = {
    "PIL": {"PILLOW_VERSION": "PIL:__version__"},
    "PIL.Image": {
        "ANTIALIAS": "PIL.Image:Resampling.LANCZOS",
        "CUBIC": "PIL.Image:Resampling.BICUBIC",
        "LINEAR": "PIL.Image:Resampling.BILINEAR",
        "Image.fromstring": "PIL.Image:Image.frombytes",
        "Image.tostring": "PIL.Image:Image.tobytes",
        "fromstring": "PIL.Image:frombytes",
    },
    "PIL.ImageDraw": {"ImageDraw.textsize": f"{_IMAGES}:textsize"},
    "PIL.ImageFont": {
        "FreeTypeFont.getsize": f"{_IMAGES}:getsize",
        "ImageFont.getsize": f"{_IMAGES}:getsize",
    },
}


OTHERS: dict[str, dict[str, str]] = {
    "cgi": {
        "escape": "html:escape",
        "parse_header": f"{_PYTHON}:parse_header",
        "parse_qs": "urllib.parse:parse_qs",
        "parse_qsl": "urllib.parse:parse_qsl",
    },
    "distutils": {},
    "distutils.dir_util": {
        "copy_tree": f"{_PYTHON}:copy_tree",
        "mkpath": f"{_PYTHON}:mkpath",
        "remove_tree": "shutil:rmtree",
    },
    "distutils.file_util": {"copy_file": "shutil:copy2", "move_file": "shutil:move"},
    "distutils.spawn": {"find_executable": "shutil:which"},
    "distutils.sysconfig": {
        "get_config_var": "sysconfig:get_config_var",
        "get_config_vars": "sysconfig:get_config_vars",
        "get_python_inc": f"{_PYTHON}:get_python_inc",
        "get_python_lib": f"{_PYTHON}:get_python_lib",
    },
    "distutils.util": {
        "get_platform": "sysconfig:get_platform",
        "strtobool": f"{_PYTHON}:strtobool",
    },
    "distutils.version": {
        "LooseVersion": f"{_PYTHON}:LooseVersion",
        "StrictVersion": f"{_PYTHON}:LooseVersion",
    },
    "nose": {"SkipTest": "unittest:SkipTest"},
    "nose.plugins": {},
    "nose.plugins.attrib": {"attr": f"{_NOSE}:attr"},
    "nose.plugins.skip": {"SkipTest": "unittest:SkipTest"},
    "imghdr": {"what": f"{_PYTHON}:image_type"},
    "imp": {
        "NullImporter": "builtins:object",
        "PKG_DIRECTORY": f"{_PYTHON}:PKG_DIRECTORY",
        "PY_COMPILED": f"{_PYTHON}:PY_COMPILED",
        "PY_SOURCE": f"{_PYTHON}:PY_SOURCE",
        "acquire_lock": f"{_PYTHON}:nothing",
        "cache_from_source": "importlib.util:cache_from_source",
        "find_module": f"{_PYTHON}:find_module",
        "get_magic": f"{_PYTHON}:get_magic",
        "get_suffixes": f"{_PYTHON}:get_suffixes",
        "load_module": f"{_PYTHON}:load_module",
        "load_source": f"{_PYTHON}:load_source",
        "lock_held": f"{_PYTHON}:nothing",
        "new_module": "types:ModuleType",
        "release_lock": f"{_PYTHON}:nothing",
        "reload": "importlib:reload",
        "source_from_cache": "importlib.util:source_from_cache",
    },
    "pipes": {"quote": "shlex:quote"},
}

TABLE: dict[str, dict[str, str]] = {
    **PYTHON,
    **NUMPY,
    **SCIPY,
    **PILLOW,
    **LIBRARIES,
    **OTHERS,
}

# Modules that are gone: the module that has their contents today; "" where TABLE, or SciPy's rule,
# says what is in them.
MODULES: dict[str, str] = {
    **dict.fromkeys(
        list(OTHERS)
        + ["scipy.misc", "scipy.ndimage.io", "scipy.sparse.linalg.eigen"]
        + ["scipy.sparse.linalg.isolve", "scipy.sparse.linalg.dsolve", "scipy.io.harwell_boeing"]
        + [
            "numpy.core.machar",
            "numpy.core.umath_tests",
            "sklearn.cross_validation",
            "sklearn.externals",
        ]
        + ["sklearn.grid_search", "sklearn.lda", "sklearn.learning_curve", "sklearn.qda"]
        + ["sklearn.utils.linear_assignment_", "pandas.core.index", "pandas.tools", "pandas.util"]
        + ["skimage.external", "skimage.util.montage"],
        "",
    ),
    "IPython.html": "notebook",
    "IPython.html.widgets": "ipywidgets",
    **{
        f"distutils.{name}": f"setuptools._distutils.{name}"
        for name in (
            "ccompiler cmd command command.build command.build_ext command.build_py "
            "command.install core dist errors extension log unixccompiler"
        ).split()
    },
    "dummy_threading": "threading",
    "keras.utils.np_utils": "keras.utils",
    "matplotlib.cbook.deprecation": "matplotlib._api.deprecation",
    "mock": "unittest.mock",
    "mpl_toolkits.axes_grid": "mpl_toolkits.axes_grid1",
    "mpl_toolkits.axes_grid.axes_grid": "mpl_toolkits.axes_grid1.axes_grid",
    "nose.tools": _NOSE,
    "pkg_resources": "tf1compat.launcher.legacy_pkg_resources",
    "numpy.compat": f"{_NUMPY}_compat",
    "numpy.compat.py3k": f"{_NUMPY}_compat",
    "numpy.dual": "numpy.linalg",
    "numpy.fft.fftpack": "numpy.fft",
    "numpy.fft.helper": "numpy.fft",
    "numpy.lib.arraypad": "numpy",
    "numpy.testing.decorators": f"{_NUMPY}_testing",
    "numpy.testing.nosetester": f"{_NUMPY}_testing",
    "numpy.testing.utils": "numpy.testing",
    "pandas.io.data": "pandas_datareader.data",
    "pandas.lib": "pandas._libs.lib",
    "pandas.tools.merge": "pandas",
    "pandas.tools.plotting": "pandas.plotting",
    "pandas.tslib": "pandas._libs.tslib",
    "pandas.util.testing": "pandas._testing",
    "scipy.io.harwell_boeing.hb": "scipy.io._harwell_boeing.hb",
    "scipy.misc.common": "scipy.misc",
    "scipy.misc.doccer": "scipy._lib.doccer",
    "scipy.misc.pilutil": "scipy.misc",
    "scipy.signal.sigtools": "scipy.signal._sigtools",
    "scipy.signal.wavelets": "scipy.signal",
    "scipy.signal.windows.windows": "scipy.signal.windows",
    "scipy.sparse.linalg.dsolve.linsolve": "scipy.sparse.linalg._dsolve.linsolve",
    "scipy.sparse.linalg.eigen.arpack": "scipy.sparse.linalg._eigen.arpack",
    "scipy.sparse.linalg.eigen.arpack.arpack": "scipy.sparse.linalg._eigen.arpack.arpack",
    "scipy.sparse.linalg.eigen.lobpcg": "scipy.sparse.linalg._eigen.lobpcg",
    "scipy.sparse.linalg.eigen.lobpcg.lobpcg": "scipy.sparse.linalg._eigen.lobpcg.lobpcg",
    "scipy.sparse.linalg.interface": "scipy.sparse.linalg._interface",
    "scipy.sparse.sparsetools": "scipy.sparse._sparsetools",
    **{
        f"scipy.sparse.linalg.isolve.{name}": f"scipy.sparse.linalg._isolve.{name}"
        for name in "iterative lgmres lsmr lsqr minres utils".split()
    },
    **{
        f"scipy.ndimage.{name}": f"scipy.ndimage._{name}"
        for name in "filters fourier interpolation measurements morphology".split()
    },
    "skimage.external.tifffile": "tifffile",
    "skimage.filter": "skimage.filters",
    "skimage.morphology.grey": "skimage.morphology.gray",
    "skimage.morphology.selem": "skimage.morphology.footprints",
    "sklearn.cluster.hierarchical": "sklearn.cluster._agglomerative",
    "sklearn.cluster.k_means_": "sklearn.cluster._kmeans",
    "sklearn.datasets.base": "sklearn.datasets._base",
    "sklearn.datasets.samples_generator": "sklearn.datasets._samples_generator",
    "sklearn.datasets.svmlight_format": "sklearn.datasets._svmlight_format_io",
    "sklearn.decomposition.nmf": "sklearn.decomposition._nmf",
    "sklearn.ensemble.gradient_boosting": "sklearn.ensemble._gb",
    "sklearn.ensemble.weight_boosting": "sklearn.ensemble._weight_boosting",
    "sklearn.externals.joblib": "joblib",
    "sklearn.externals.six": "six",
    "sklearn.externals.six.moves": "six.moves",
    "sklearn.feature_extraction.hashing": "sklearn.feature_extraction._hash",
    "sklearn.feature_selection.from_model": "sklearn.feature_selection._from_model",
    "sklearn.manifold.spectral_embedding_": "sklearn.manifold._spectral_embedding",
    "sklearn.metrics.scorer": "sklearn.metrics._scorer",
    "sklearn.neighbors.dist_metrics": "sklearn.metrics._dist_metrics",
    "sklearn.neighbors.kde": "sklearn.neighbors._kde",
    "sklearn.svm.classes": "sklearn.svm._classes",
    "sklearn.tree.tree": "sklearn.tree._classes",
}
