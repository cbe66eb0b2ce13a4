"""Names that Python and libraries removed since TF 1.15's day, and what stands for them today.

Tables of data for legacy.py.  A place is "module:attribute", or "module:" for the module itself.
"""

from __future__ import annotations

import collections.abc

_PYTHON = "tf1compat.launcher.legacy_python"
_RANDOM = "tf1compat.launcher.legacy_random"
_NUMPY = "tf1compat.launcher.legacy_numpy"
_IMAGES = "tf1compat.launcher.legacy_images"
_SCIPY = "tf1compat.launcher.legacy_scipy"
_NOSE = "tf1compat.launcher.legacy_nose"
_SKLEARN = "tf1compat.launcher.legacy_sklearn"
_PANDAS = "tf1compat.launcher.legacy_pandas"
_KEYWORDS = "tf1compat.launcher.legacy_keywords"
_MATPLOTLIB = "tf1compat.launcher.legacy_matplotlib"
_AST = "tf1compat.launcher.legacy_ast"
_H5PY = "tf1compat.launcher.legacy_h5py"
_NETWORKX = "tf1compat.launcher.legacy_networkx"

_GRAPHS = ("DiGraph", "Graph", "MultiDiGraph", "MultiGraph")
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
        "asarray_chkfinite": "numpy.lib:asarray_chkfinite",
        "bytes0": "numpy:bytes_",
        "cast": f"{_NUMPY}:cast",
        "clongfloat": "numpy:clongdouble",
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
    "numpy.ma": {"rank": "numpy:ndim"},
    "numpy.random": {
        "random_integers": f"{_NUMPY}:random_integers",
        "ranf": "numpy.random:random_sample",
        "sample": "numpy.random:random_sample",
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


SKLEARN: dict[str, dict[str, str]] = {
    "sklearn.decomposition": {"RandomizedPCA": "sklearn.decomposition:PCA"},
    "sklearn.covariance": {
        "GraphLasso": "sklearn.covariance:GraphicalLasso",
        "GraphLassoCV": "sklearn.covariance:GraphicalLassoCV",
        "graph_lasso": "sklearn.covariance:graphical_lasso",
    },
    "sklearn.cross_validation": {
        "KFold": f"{_SKLEARN}:KFold",
        "LeaveOneOut": f"{_SKLEARN}:LeaveOneOut",
        "ShuffleSplit": f"{_SKLEARN}:ShuffleSplit",
        "StratifiedKFold": f"{_SKLEARN}:StratifiedKFold",
        "StratifiedShuffleSplit": f"{_SKLEARN}:StratifiedShuffleSplit",
        "cross_val_predict": "sklearn.model_selection:cross_val_predict",
        "cross_val_score": "sklearn.model_selection:cross_val_score",
        "permutation_test_score": "sklearn.model_selection:permutation_test_score",
        "train_test_split": "sklearn.model_selection:train_test_split",
    },
    "sklearn.datasets": {
        "fetch_mldata": f"{_SKLEARN}:fetch_mldata",
        "load_boston": f"{_SKLEARN}:load_boston",
    },
    "sklearn.grid_search": {
        name: f"sklearn.model_selection:{name}"
        for name in ("GridSearchCV", "ParameterGrid", "ParameterSampler", "RandomizedSearchCV")
    },
    "sklearn.lda": {"LDA": "sklearn.discriminant_analysis:LinearDiscriminantAnalysis"},
    "sklearn.learning_curve": {
        name: f"sklearn.model_selection:{name}" for name in ("learning_curve", "validation_curve")
    },
    "sklearn.metrics": {
        "calinski_harabaz_score": "sklearn.metrics:calinski_harabasz_score",
        "jaccard_similarity_score": f"{_SKLEARN}:jaccard_similarity_score",
        "scorer": "sklearn.metrics._scorer:",
    },
    "sklearn.preprocessing": {"Imputer": f"{_SKLEARN}:Imputer"},
    "sklearn.qda": {"QDA": "sklearn.discriminant_analysis:QuadraticDiscriminantAnalysis"},
    "sklearn.utils": {"testing": "sklearn.utils._testing:"},
    "sklearn.utils.testing": {
        "SkipTest": "unittest:SkipTest",
        **{
            f"assert_{name}": f"{_NOSE}:assert_{name}"
            for name in (
                "dict_equal equal false greater greater_equal in less less_equal not_equal not_in "
                "raises raises_regex raises_regexp true"
            ).split()
        },
    },
    "sklearn.utils.linear_assignment_": {"linear_assignment": f"{_SKLEARN}:linear_assignment"},
}

PANDAS: dict[str, dict[str, str]] = {
    "pandas": {
        "DataFrame.append": f"{_PANDAS}:append",
        "DataFrame.applymap": "pandas:DataFrame.map",
        "DataFrame.as_matrix": f"{_PANDAS}:as_matrix",
        "DataFrame.from_csv": f"{_PANDAS}:from_csv",
        "DataFrame.get_dtype_counts": f"{_PANDAS}:get_dtype_counts",
        "DataFrame.get_value": f"{_PANDAS}:get_value",
        "DataFrame.iteritems": "pandas:DataFrame.items",
        "DataFrame.ix": f"{_PANDAS}:ix",
        "DataFrame.lookup": f"{_PANDAS}:lookup",
        "DataFrame.mad": f"{_PANDAS}:mad",
        "DataFrame.set_value": f"{_PANDAS}:set_value",
        "DataFrame.sort": f"{_PANDAS}:sort",
        "Index.is_monotonic": "pandas:Index.is_monotonic_increasing",
        "Float64Index": "pandas:Index",
        "Int64Index": "pandas:Index",
        "Panel": f"{_PANDAS}:Panel",
        "Series.append": f"{_PANDAS}:append",
        "Series.as_matrix": f"{_PANDAS}:as_matrix",
        "Series.get_value": f"{_PANDAS}:get_value",
        "Series.iteritems": "pandas:Series.items",
        "Series.ix": f"{_PANDAS}:ix",
        "Series.mad": f"{_PANDAS}:mad",
        "Series.nonzero": f"{_PANDAS}:nonzero",
        "Series.order": "pandas:Series.sort_values",
        "Series.ravel": f"{_PANDAS}:ravel",
        "Series.reshape": f"{_PANDAS}:reshape",
        "TimeSeries": "pandas:Series",
        "UInt64Index": "pandas:Index",
        "datetime": "datetime:datetime",
        "ewma": f"{_PANDAS}:ewma",
        "groupby": "pandas:DataFrame.groupby",
        "match": f"{_PANDAS}:match",
        "np": "numpy:",
        "scatter_matrix": "pandas.plotting:scatter_matrix",
        "value_counts": "pandas:Series.value_counts",
        **{
            f"rolling_{name}": f"{_PANDAS}:rolling_{name}"
            for name in "apply count kurt max mean median min quantile skew std sum var".split()
        },
    },
}

MATPLOTLIB: dict[str, dict[str, str]] = {
    "matplotlib.axes": {
        "Axes.get_axis_bgcolor": "matplotlib.axes:Axes.get_facecolor",
        "Axes.hold": f"{_MATPLOTLIB}:hold",
        "Axes.ishold": f"{_MATPLOTLIB}:is_held",
        "Axes.set_axis_bgcolor": "matplotlib.axes:Axes.set_facecolor",
        "Axes.set_color_cycle": f"{_MATPLOTLIB}:set_color_cycle",
    },
    "matplotlib.backend_bases": {
        "FigureCanvasBase.set_window_title": f"{_MATPLOTLIB}:set_window_title",
    },
    "matplotlib.cm": {
        "get_cmap": "matplotlib.pyplot:get_cmap",
        "register_cmap": f"{_MATPLOTLIB}:register_cmap",
        "spectral": f"{_MATPLOTLIB}:spectral",
        "spectral_r": f"{_MATPLOTLIB}:spectral_r",
    },
    "matplotlib.mlab": {
        "bivariate_normal": f"{_MATPLOTLIB}:bivariate_normal",
        "find": f"{_MATPLOTLIB}:find",
        "frange": f"{_MATPLOTLIB}:frange",
        "griddata": "scipy.interpolate:griddata",
        "normpdf": f"{_MATPLOTLIB}:normpdf",
        "rms_flat": f"{_MATPLOTLIB}:rms_flat",
    },
    "matplotlib.pyplot": {
        "hold": f"{_MATPLOTLIB}:hold",
        "ishold": f"{_MATPLOTLIB}:is_held",
        "normpdf": f"{_MATPLOTLIB}:normpdf",
        "over": f"{_MATPLOTLIB}:over",
        "register_cmap": f"{_MATPLOTLIB}:register_cmap",
        "spectral": f"{_MATPLOTLIB}:set_spectral",
    },
}

OTHERS: dict[str, dict[str, str]] = {
    "cgi": {
        "escape": "html:escape",
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
    "gast": {
        **{name: f"{_AST}:GAST.{name}" for name in _LITERALS},
        "Constant.n": f"{_AST}:value",
        "Constant.s": f"{_AST}:value",
        "ExtSlice": f"{_AST}:extended_slice",
        "Index": f"{_AST}:index",
        "Module.type_ignores": f"{_AST}:type_ignores",
        "Name.annotation": f"{_AST}:NOTHING",
        "arguments.posonlyargs": f"{_AST}:posonlyargs",
        **{
            f"{name}.type_params": f"{_AST}:type_params"
            for name in ("AsyncFunctionDef", "ClassDef", "FunctionDef")
        },
        **{
            f"{name}.type_comment": f"{_AST}:NOTHING"
            for name in (
                "Assign",
                "AsyncFor",
                "AsyncFunctionDef",
                "AsyncWith",
                "For",
                "FunctionDef",
                "Name",
                "With",
            )
        },
    },
    "h5py": {"Dataset.value": f"{_H5PY}:value", "File.fid": f"{_H5PY}:fid"},
    "imghdr": {"what": f"{_PYTHON}:image_type"},
    "imp": {
        "NullImporter": "builtins:object",
        "PKG_DIRECTORY": f"{_PYTHON}:PKG_DIRECTORY",
        "PY_COMPILED": f"{_PYTHON}:PY_COMPILED",
        "PY_SOURCE": f"{_PYTHON}:PY_SOURCE",
        "acquire_lock": f"{_PYTHON}:nothing",
        "find_module": f"{_PYTHON}:find_module",
        "get_suffixes": f"{_PYTHON}:get_suffixes",
        "load_module": f"{_PYTHON}:load_module",
        "load_source": f"{_PYTHON}:load_source",
        "lock_held": f"{_PYTHON}:nothing",
        "new_module": "types:ModuleType",
        "release_lock": f"{_PYTHON}:nothing",
        "reload": "importlib:reload",
    },
    "networkx": {
        # Graphs keep the order of their nodes and edges, as dicts do.
        **{f"Ordered{name}": f"networkx:{name}" for name in _GRAPHS},
        "Graph.node": f"{_NETWORKX}:node",
        **{
            name: f"{_NETWORKX}:{name}"
            for name in (
                "biconnected_component_subgraphs connected_component_subgraphs from_numpy_matrix "
                "read_gpickle strongly_connected_component_subgraphs to_numpy_matrix "
                "to_scipy_sparse_matrix weakly_connected_component_subgraphs write_gpickle"
            ).split()
        },
        "from_scipy_sparse_matrix": "networkx:from_scipy_sparse_array",
        "pagerank_numpy": "networkx:pagerank",
        "pagerank_scipy": "networkx:pagerank",
    },
    "pipes": {"quote": "shlex:quote"},
    "skimage.measure": {
        "compare_mse": "skimage.metrics:mean_squared_error",
        "compare_nrmse": f"{_KEYWORDS}:compare_nrmse",
        "compare_psnr": f"{_KEYWORDS}:compare_psnr",
        "compare_ssim": f"{_KEYWORDS}:compare_ssim",
        "structural_similarity": f"{_KEYWORDS}:compare_ssim",
    },
    "skimage.util": {"pad": "numpy:pad"},
    "tensorboard.summary": {
        name: f"tensorboard.summary.v1:{name}"
        for name in (
            "audio_pb",
            "custom_scalar",
            "custom_scalar_pb",
            "histogram_pb",
            "image_pb",
            "pr_curve",
            "pr_curve_pb",
            "pr_curve_raw_data_op",
            "pr_curve_raw_data_pb",
            "pr_curve_streaming_op",
            "scalar_pb",
            "text_pb",
        )
    },
}

TABLE: dict[str, dict[str, str]] = {
    **PYTHON,
    **NUMPY,
    **SCIPY,
    **PILLOW,
    **SKLEARN,
    **PANDAS,
    **MATPLOTLIB,
    **OTHERS,
}

# Modules that are gone: the module that has their contents today; "" where TABLE, or SciPy's rule,
# says what is in them.
MODULES: dict[str, str] = {
    **dict.fromkeys(
        [name for name in OTHERS if not name.startswith("skimage")]
        + ["scipy.misc", "scipy.ndimage.io", "scipy.sparse.linalg.eigen"]
        + ["scipy.sparse.linalg.isolve", "scipy.sparse.linalg.dsolve", "scipy.io.harwell_boeing"]
        + ["numpy.core.umath_tests", "sklearn.cross_validation", "sklearn.externals"]
        + ["sklearn.grid_search", "sklearn.lda", "sklearn.learning_curve", "sklearn.qda"]
        + ["sklearn.utils.linear_assignment_", "pandas.tools", "pandas.util"],
        "",
    ),
    "IPython.html": "notebook",
    "IPython.html.widgets": "ipywidgets",
    "dummy_threading": "threading",
    "keras.utils.np_utils": "keras.utils",
    "mock": "unittest.mock",
    "nose.tools": _NOSE,
    "pkg_resources": "tf1compat.launcher.legacy_pkg_resources",
    "numpy.compat": f"{_NUMPY}_compat",
    "numpy.compat.py3k": f"{_NUMPY}_compat",
    "numpy.dual": "numpy.linalg",
    "numpy.fft.fftpack": "numpy.fft",
    "numpy.fft.helper": "numpy.fft",
    "numpy.lib.arraypad": "numpy",
    "numpy.testing.utils": "numpy.testing",
    "pandas.io.data": "pandas_datareader.data",
    "pandas.lib": "pandas._libs.lib",
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
    "skimage.filter": "skimage.filters",
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
    "sklearn.feature_extraction.hashing": "sklearn.feature_extraction._hash",
    "sklearn.feature_selection.from_model": "sklearn.feature_selection._from_model",
    "sklearn.manifold.spectral_embedding_": "sklearn.manifold._spectral_embedding",
    "sklearn.metrics.scorer": "sklearn.metrics._scorer",
    "sklearn.neighbors.dist_metrics": "sklearn.metrics._dist_metrics",
    "sklearn.neighbors.kde": "sklearn.neighbors._kde",
    "sklearn.svm.classes": "sklearn.svm._classes",
    "sklearn.tree.tree": "sklearn.tree._classes",
}

# Functions whose arguments were renamed or dropped: what makes, of today's, one with both.
CHANGED: dict[str, dict[str, str]] = {
    **dict.fromkeys(("builtins", "codecs", "io"), {"open": f"{_KEYWORDS}:universal_newlines"}),
    "gast": {"arguments": f"{_AST}:arguments"},
    "h5py": {
        "AttributeManager.__getitem__": f"{_H5PY}:decodable",
        "AttributeManager.create": f"{_H5PY}:bytes_of_one_length",
        "Dataset.__array__": f"{_H5PY}:reading_texts",
        "Dataset.__getitem__": f"{_H5PY}:reading_texts",
        "File.__init__": f"{_H5PY}:opening_to_write",
    },
    "_pytest.assertion.rewrite": {
        "PYC_TAIL": "tf1compat.launcher.legacy_pytest:apart",
        "rewrite_asserts": "tf1compat.launcher.legacy_pytest:rewriting_numpy",
    },
    "h5py._hl.dataset": {"AsStrView.__getitem__": f"{_H5PY}:viewing_texts"},
    "matplotlib": {"use": f"{_KEYWORDS}:without_warn"},
    "matplotlib.axes": {
        "Axes.grid": f"{_KEYWORDS}:b_is_visible",
        "Axes.hist": f"{_KEYWORDS}:normed_is_density",
        "Axes.plot": f"{_KEYWORDS}:without_hold",
    },
    "matplotlib.pyplot": {
        "axes": f"{_KEYWORDS}:axes",
        "axis": f"{_KEYWORDS}:without_hold",
        "gca": f"{_KEYWORDS}:gca",
        "grid": f"{_KEYWORDS}:b_is_visible",
        "hist": f"{_KEYWORDS}:normed_is_density",
        "plot": f"{_KEYWORDS}:without_hold",
        "savefig": f"{_KEYWORDS}:without_frameon",
        "subplot": f"{_KEYWORDS}:axisbg_is_facecolor",
    },
    "matplotlib.style": {"use": f"{_KEYWORDS}:seaborn_styles"},
    "pkg_resources": {"working_set": "tf1compat.launcher.distribution:in_working_set"},
    "numpy": {
        "array2string": f"{_KEYWORDS}:without_style",
        "cross": f"{_KEYWORDS}:cross",
        "fromstring": f"{_KEYWORDS}:fromstring",
        "histogram": f"{_KEYWORDS}:normed_is_density",
        "histogram2d": f"{_KEYWORDS}:normed_is_density",
        "histogramdd": f"{_KEYWORDS}:normed_is_density",
        "nanpercentile": f"{_KEYWORDS}:interpolation_is_method",
        "percentile": f"{_KEYWORDS}:interpolation_is_method",
        "ravel_multi_index": f"{_KEYWORDS}:dims_is_shape",
        "reshape": f"{_KEYWORDS}:newshape_is_shape",
        "unravel_index": f"{_KEYWORDS}:dims_is_shape",
        **dict.fromkeys(
            ("column_stack", "dstack", "hstack", "stack", "vstack"), f"{_KEYWORDS}:of_iterators"
        ),
    },
    "pandas": {
        "DataFrame.__getitem__": f"{_KEYWORDS}:sets_of_labels",
        "DataFrame.drop": f"{_KEYWORDS}:positional_axis",
        "DataFrame.fillna": f"{_KEYWORDS}:fill_method",
        "DataFrame.to_csv": f"{_KEYWORDS}:line_terminator",
        "Series.__getitem__": f"{_KEYWORDS}:sets_of_labels",
        "Series.__setitem__": f"{_KEYWORDS}:sets_of_labels",
        "Series.fillna": f"{_KEYWORDS}:fill_method",
        "concat": f"{_KEYWORDS}:positional_axis",
        "read_csv": f"{_KEYWORDS}:read_csv",
    },
    "pandas.core.indexing": dict.fromkeys(
        ("_LocationIndexer.__getitem__", "_LocationIndexer.__setitem__"),
        f"{_KEYWORDS}:sets_of_labels",
    ),
    "random": {
        name: f"{_RANDOM}:{name.rpartition('.')[2]}"
        for function in ("randrange", "sample", "seed", "shuffle")
        for name in (function, f"Random.{function}")
    },
    "scipy.interpolate": {"interp2d": f"{_KEYWORDS}:interp2d"},
    "scipy.linalg": {
        "eigh": f"{_KEYWORDS}:eigh",
        "solve": f"{_KEYWORDS}:sym_pos",
    },
    "scipy.sparse.linalg": dict.fromkeys(
        ("bicg", "bicgstab", "cg", "cgs", "gmres"), f"{_KEYWORDS}:tol_is_rtol"
    ),
    "skimage.filters": {"median": f"{_KEYWORDS}:selem_is_footprint"},
    "skimage.filters.rank": dict.fromkeys(
        ("autolevel", "enhance_contrast", "entropy", "equalize", "gradient", "maximum", "mean")
        + ("mean_bilateral", "median", "minimum", "modal", "otsu", "percentile", "threshold"),
        f"{_KEYWORDS}:selem_is_footprint",
    ),
    "skimage.io": {"imread": f"{_KEYWORDS}:as_grey"},
    "skimage.morphology": dict.fromkeys(
        ("binary_closing", "binary_dilation", "binary_erosion", "binary_opening", "black_tophat")
        + ("closing", "dilation", "erosion", "flood", "flood_fill", "h_maxima", "h_minima")
        + ("local_maxima", "local_minima", "opening", "reconstruction", "white_tophat"),
        f"{_KEYWORDS}:selem_is_footprint",
    ),
    "skimage.transform": {"pyramid_expand": f"{_KEYWORDS}:multichannel"},
    "sklearn.feature_extraction.text": dict.fromkeys(
        ("CountVectorizer", "TfidfVectorizer"), f"{_KEYWORDS}:feature_names"
    ),
    "sklearn.preprocessing": {"OneHotEncoder": f"{_KEYWORDS}:sparse_is_sparse_output"},
    "yaml": dict.fromkeys(("load", "load_all"), f"{_KEYWORDS}:without_loader"),
}
