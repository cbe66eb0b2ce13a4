"""Names that libraries for data, plots and images removed since TF 1.15's day.

Tables of data for legacy.py, as those of legacy_names.py.
"""

from __future__ import annotations

_AST = "tf1compat.launcher.legacy_ast"
_H5PY = "tf1compat.launcher.legacy_h5py"
_KEYWORDS = "tf1compat.launcher.legacy_keywords"
_MATPLOTLIB = "tf1compat.launcher.legacy_matplotlib"
_NETWORKX = "tf1compat.launcher.legacy_networkx"
_NOSE = "tf1compat.launcher.legacy_nose"
_PANDAS = "tf1compat.launcher.legacy_pandas"
_SKLEARN = "tf1compat.launcher.legacy_sklearn"

_GRAPHS = ("DiGraph", "Graph", "MultiDiGraph", "MultiGraph")
_LITERALS = ("Bytes", "Ellipsis", "NameConstant", "Num", "Str")

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
    "sklearn.utils": {
        "safe_indexing": "sklearn.utils:_safe_indexing",
        "testing": "sklearn.utils._testing:",
    },
    "sklearn.utils.fixes": {"signature": "inspect:signature"},
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
        "DataFrame.clip_lower": f"{_PANDAS}:clip_lower",
        "DataFrame.clip_upper": f"{_PANDAS}:clip_upper",
        "DataFrame.from_items": f"{_PANDAS}:from_items",
        "DataFrame.get_values": f"{_PANDAS}:get_values",
        "DataFrame.tshift": f"{_PANDAS}:tshift",
        "DatetimeIndex.week": f"{_PANDAS}:week",
        "DatetimeIndex.weekday_name": f"{_PANDAS}:weekday_name",
        "DatetimeIndex.weekofyear": f"{_PANDAS}:week",
        "Index.contains": "pandas:Index.__contains__",
        "Index.get_duplicates": f"{_PANDAS}:get_duplicates",
        "Index.get_values": f"{_PANDAS}:get_values",
        "MultiIndex.labels": "pandas:MultiIndex.codes",
        "MultiIndex.set_labels": "pandas:MultiIndex.set_codes",
        "Series.clip_lower": f"{_PANDAS}:clip_lower",
        "Series.clip_upper": f"{_PANDAS}:clip_upper",
        "Series.compress": f"{_PANDAS}:compress",
        "Series.from_array": "pandas:Series",
        "Series.get_values": f"{_PANDAS}:get_values",
        "Series.imag": f"{_PANDAS}:imag",
        "Series.ptp": f"{_PANDAS}:ptp",
        "Series.real": f"{_PANDAS}:real",
        "Series.set_value": f"{_PANDAS}:set_item",
        "Series.tshift": f"{_PANDAS}:tshift",
        "Series.valid": "pandas:Series.dropna",
        "lib": "pandas._libs.lib:",
        "tools": "pandas.tools:",
        "tslib": "pandas._libs.tslib:",
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
    "pandas.core": {"index": "pandas.core.index:"},
    "pandas.core.index": {
        name: f"pandas:{name}"
        for name in ("CategoricalIndex", "DatetimeIndex", "Index", "MultiIndex", "RangeIndex")
    },
    "pandas.core.indexes.accessors": {
        "DatetimeProperties.week": f"{_PANDAS}:week",
        "DatetimeProperties.weekday_name": f"{_PANDAS}:weekday_name",
        "DatetimeProperties.weekofyear": f"{_PANDAS}:week",
    },
    "pandas.io.formats.style": {
        "Styler.hide_index": "pandas.io.formats.style:Styler.hide",
        "Styler.render": "pandas.io.formats.style:Styler.to_html",
    },
    "pandas.io.json": {"json_normalize": "pandas:json_normalize"},
    "pandas.tools": {"merge": "pandas:", "plotting": "pandas.plotting:"},
    "pandas.util": {"testing": "pandas._testing:"},
}

MATPLOTLIB: dict[str, dict[str, str]] = {
    "matplotlib.axes": {
        "Axes.get_axis_bgcolor": "matplotlib.axes:Axes.get_facecolor",
        "Axes.hold": f"{_MATPLOTLIB}:hold",
        "Axes.ishold": f"{_MATPLOTLIB}:is_held",
        "Axes.set_axis_bgcolor": "matplotlib.axes:Axes.set_facecolor",
        "Axes.plot_date": f"{_MATPLOTLIB}:plot_date",
        "Axes.set_color_cycle": f"{_MATPLOTLIB}:set_color_cycle",
    },
    "matplotlib.backend_bases": {
        "FigureCanvasBase.set_window_title": f"{_MATPLOTLIB}:set_window_title",
    },
    "matplotlib.cbook": {
        "is_numlike": f"{_MATPLOTLIB}:is_numlike",
        "is_string_like": f"{_MATPLOTLIB}:is_string_like",
        "iterable": "numpy:iterable",
        "mplDeprecation": "matplotlib:MatplotlibDeprecationWarning",
    },
    "matplotlib.cm": {
        "cmap_d": "matplotlib:colormaps",
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
        "plot_date": f"{_MATPLOTLIB}:plot_date_here",
        "register_cmap": f"{_MATPLOTLIB}:register_cmap",
        "spectral": f"{_MATPLOTLIB}:set_spectral",
    },
    "mpl_toolkits.mplot3d.axes3d": {
        f"Axes3D.w_{name}axis": f"{_MATPLOTLIB}:w_{name}axis" for name in "xyz"
    },
}

IMAGES: dict[str, dict[str, str]] = {
    "cv2": {
        "CV_AA": "cv2:LINE_AA",
        "CV_LOAD_IMAGE_COLOR": "cv2:IMREAD_COLOR",
        "CV_LOAD_IMAGE_GRAYSCALE": "cv2:IMREAD_GRAYSCALE",
        "CV_LOAD_IMAGE_UNCHANGED": "cv2:IMREAD_UNCHANGED",
    },
    "skimage.color": {
        "grey2rgb": "skimage.color:gray2rgb",
        "rgb2grey": f"{_KEYWORDS}:rgb2grey",
    },
    "skimage.draw": {"circle": f"{_KEYWORDS}:circle"},
    "skimage.feature": {
        "greycomatrix": "skimage.feature:graycomatrix",
        "greycoprops": "skimage.feature:graycoprops",
        "register_translation": "skimage.registration:phase_cross_correlation",
    },
    "skimage.filters": {"gaussian_filter": "skimage.filters:gaussian"},
    "skimage.measure": {
        "compare_mse": "skimage.metrics:mean_squared_error",
        "compare_nrmse": f"{_KEYWORDS}:compare_nrmse",
        "compare_psnr": f"{_KEYWORDS}:compare_psnr",
        "compare_ssim": f"{_KEYWORDS}:compare_ssim",
        "structural_similarity": f"{_KEYWORDS}:compare_ssim",
    },
    "skimage.morphology": {
        "skeletonize_3d": "skimage.morphology:skeletonize",
        "watershed": "skimage.segmentation:watershed",
    },
    "skimage.util": {"pad": "numpy:pad"},
    "skimage.util.montage": {"montage2d": "skimage.util:montage"},
}

GRAPHS: dict[str, dict[str, str]] = {
    "networkx": {
        # Graphs keep the order of their nodes and edges, as dicts do.
        **{f"Ordered{name}": f"networkx:{name}" for name in _GRAPHS},
        "DiGraph.predecessors_iter": "networkx:DiGraph.predecessors",
        "DiGraph.successors_iter": "networkx:DiGraph.successors",
        **{
            f"Graph.{name}": f"networkx:{name}"
            for name in (
                "add_cycle add_path add_star nodes_with_selfloops number_of_selfloops "
                "selfloop_edges"
            ).split()
        },
        "Graph.adjacency_iter": "networkx:Graph.adjacency",
        "Graph.neighbors_iter": "networkx:Graph.neighbors",
        "Graph.node": f"{_NETWORKX}:node",
        **{
            f"Graph.{name}_iter": f"{_NETWORKX}:{name}_iter"
            for name in ("degree", "edges", "nodes")
        },
        **{
            f"DiGraph.{name}_iter": f"{_NETWORKX}:{name}_iter"
            for name in ("in_degree", "in_edges", "out_degree", "out_edges")
        },
        "from_pandas_dataframe": "networkx:from_pandas_edgelist",
        "info": f"{_NETWORKX}:info",
        "to_pandas_dataframe": "networkx:to_pandas_adjacency",
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
}

SYNTAX: dict[str, dict[str, str]] = {
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
}

LIBRARIES: dict[str, dict[str, str]] = {
    **SKLEARN,
    **PANDAS,
    **MATPLOTLIB,
    **IMAGES,
    **GRAPHS,
    **SYNTAX,
    "h5py": {"Dataset.value": f"{_H5PY}:value", "File.fid": f"{_H5PY}:fid"},
    "jinja2": {
        "Markup": "markupsafe:Markup",
        "contextfilter": "jinja2:pass_context",
        "contextfunction": "jinja2:pass_context",
        "environmentfilter": "jinja2:pass_environment",
        "escape": "markupsafe:escape",
        "evalcontextfilter": "jinja2:pass_eval_context",
    },
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
