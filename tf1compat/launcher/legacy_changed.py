"""Functions whose arguments Python and libraries renamed or dropped since TF 1.15's day.

A table of data for legacy.py, as those of legacy_names.py.
"""

from __future__ import annotations

_AST = "tf1compat.launcher.legacy_ast"
_H5PY = "tf1compat.launcher.legacy_h5py"
_KEYWORDS = "tf1compat.launcher.legacy_keywords"
_RANDOM = "tf1compat.launcher.legacy_random"

_OF_NUMBERS = "corr cov kurt mean median prod quantile sem skew std var".split()

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
    "json": dict.fromkeys(("dump", "dumps", "load", "loads"), f"{_KEYWORDS}:without_encoding"),
    "matplotlib": {
        "RcParams.__setitem__": f"{_KEYWORDS}:rc_params",
        "use": f"{_KEYWORDS}:without_warn",
    },
    "matplotlib.axes": {
        "Axes.bar": f"{_KEYWORDS}:left_is_x",
        "Axes.barh": f"{_KEYWORDS}:bottom_is_y",
        "Axes.grid": f"{_KEYWORDS}:on_or_off",
        "Axes.hist": f"{_KEYWORDS}:normed_is_density",
        "Axes.plot": f"{_KEYWORDS}:without_hold",
        "Axes.tick_params": f"{_KEYWORDS}:on_or_off",
    },
    "matplotlib.figure": {
        "Figure.gca": f"{_KEYWORDS}:gca_of_figure",
        "Figure.savefig": f"{_KEYWORDS}:of_savefig",
    },
    "matplotlib.pyplot": {
        "axes": f"{_KEYWORDS}:axes",
        "axis": f"{_KEYWORDS}:without_hold",
        "bar": f"{_KEYWORDS}:left_is_x",
        "barh": f"{_KEYWORDS}:bottom_is_y",
        "gca": f"{_KEYWORDS}:gca",
        "grid": f"{_KEYWORDS}:on_or_off",
        "hist": f"{_KEYWORDS}:normed_is_density",
        "plot": f"{_KEYWORDS}:without_hold",
        "savefig": f"{_KEYWORDS}:of_savefig",
        "subplot": f"{_KEYWORDS}:axisbg_is_facecolor",
        "tick_params": f"{_KEYWORDS}:on_or_off",
    },
    "matplotlib.style": {"use": f"{_KEYWORDS}:seaborn_styles"},
    "mpl_toolkits.mplot3d.axes3d": {"Axes3D.__init__": f"{_KEYWORDS}:added_to_figure"},
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
        **dict.fromkeys((f"DataFrame.{name}" for name in _OF_NUMBERS), f"{_KEYWORDS}:of_numbers"),
        "read_csv": f"{_KEYWORDS}:read_csv",
        "set_option": f"{_KEYWORDS}:unlimited_width",
    },
    "pandas.core.groupby.generic": dict.fromkeys(
        (f"DataFrameGroupBy.{name}" for name in ("mean", "median", "prod", "std", "var")),
        f"{_KEYWORDS}:of_numbers",
    ),
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
    "skimage.color": {"rgb2gray": f"{_KEYWORDS}:rgb2gray"},
    "skimage.feature": {"hog": f"{_KEYWORDS}:multichannel"},
    "skimage.filters": {
        "gaussian": f"{_KEYWORDS}:multichannel",
        "median": f"{_KEYWORDS}:selem_is_footprint",
    },
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
    "skimage.restoration": dict.fromkeys(
        ("denoise_bilateral", "denoise_nl_means", "denoise_tv_chambolle", "denoise_wavelet")
        + ("estimate_sigma", "inpaint_biharmonic"),
        f"{_KEYWORDS}:multichannel",
    ),
    "skimage.segmentation": dict.fromkeys(
        ("felzenszwalb", "random_walker", "slic"), f"{_KEYWORDS}:multichannel"
    ),
    "skimage.transform": dict.fromkeys(
        ("pyramid_expand", "pyramid_gaussian", "pyramid_laplacian", "pyramid_reduce", "rescale"),
        f"{_KEYWORDS}:multichannel",
    ),
    "sklearn.cluster": {
        "AgglomerativeClustering": f"{_KEYWORDS}:affinity_is_metric",
        "KMeans": f"{_KEYWORDS}:without_jobs",
        "MiniBatchKMeans": f"{_KEYWORDS}:without_jobs",
    },
    "sklearn.ensemble": {
        **dict.fromkeys(
            ("AdaBoostClassifier", "AdaBoostRegressor", "BaggingClassifier", "BaggingRegressor"),
            f"{_KEYWORDS}:base_estimator_is_estimator",
        ),
        **dict.fromkeys(
            ("ExtraTreesClassifier", "ExtraTreesRegressor", "GradientBoostingClassifier")
            + ("GradientBoostingRegressor", "RandomForestClassifier", "RandomForestRegressor"),
            f"{_KEYWORDS}:of_trees",
        ),
    },
    "sklearn.feature_extraction.text": dict.fromkeys(
        ("CountVectorizer", "TfidfVectorizer"), f"{_KEYWORDS}:feature_names"
    ),
    "sklearn.linear_model": {
        **dict.fromkeys(
            ("ElasticNet", "Lasso", "LassoCV", "LinearRegression", "Ridge", "RidgeCV"),
            f"{_KEYWORDS}:without_normalize",
        ),
        "LogisticRegression": f"{_KEYWORDS}:without_multi_class",
    },
    "sklearn.manifold": {"TSNE": f"{_KEYWORDS}:n_iter_is_max_iter"},
    "sklearn.metrics": {"mean_squared_error": f"{_KEYWORDS}:squared"},
    "sklearn.model_selection": dict.fromkeys(
        ("GridSearchCV", "RandomizedSearchCV"), f"{_KEYWORDS}:without_iid"
    ),
    "sklearn.preprocessing": {"OneHotEncoder": f"{_KEYWORDS}:sparse_is_sparse_output"},
    "sklearn.utils.validation": dict.fromkeys(
        ("check_X_y", "check_array"), f"{_KEYWORDS}:force_all_finite"
    ),
    "yaml": dict.fromkeys(("load", "load_all"), f"{_KEYWORDS}:without_loader"),
}
