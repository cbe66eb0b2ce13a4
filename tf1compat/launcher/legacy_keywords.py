"""Arguments that libraries renamed or dropped: functions with the old ones too (legacy_names.py).

Each takes today's function and returns one that behaves alike, and understands the old arguments.
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any

Function = Callable[..., Any]


def _adapted(change: Callable[[dict[str, Any]], None]) -> Callable[[Function], Function]:
    """A decorator whose function lets `change` replace keyword arguments."""

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def adapted(*args: Any, **kwargs: Any) -> Any:
            change(kwargs)
            return function(*args, **kwargs)

        return adapted

    return decorate


def _renamed(**names: str) -> Callable[[Function], Function]:
    def change(kwargs: dict[str, Any]) -> None:
        for old, new in names.items():
            if old in kwargs:
                kwargs[new] = kwargs.pop(old)

    return _adapted(change)


def _without(*names: str) -> Callable[[Function], Function]:
    def change(kwargs: dict[str, Any]) -> None:
        for name in names:
            kwargs.pop(name, None)

    return _adapted(change)


axisbg_is_facecolor = _renamed(axisbg="facecolor")
bottom_is_y = _renamed(bottom="y")
left_is_x = _renamed(left="x")
dims_is_shape = _renamed(dims="shape")
interpolation_is_method = _renamed(interpolation="method")
line_terminator = _renamed(line_terminator="lineterminator")
newshape_is_shape = _renamed(newshape="shape")
without_style = _without("style")
as_grey = _renamed(as_grey="as_gray")
selem_is_footprint = _renamed(selem="footprint")
tol_is_rtol = _renamed(tol="rtol")


@functools.cache  # The functions of `io` and the builtins are one and stay it.
def universal_newlines(function: Function) -> Function:
    """Mode `rU`, gone in Python 3.11, read text as `r` does."""

    @functools.wraps(function)
    def opened(file: Any, mode: Any = "r", *args: Any, **kwargs: Any) -> Any:
        if isinstance(mode, str) and "U" in mode and not set(mode) & set("wax+"):
            mode = "rb" if "b" in mode else "r"
        return function(file, mode, *args, **kwargs)

    return opened


def without_loader(function: Function) -> Function:
    """`yaml.load` without a loader, which PyYAML 6 asks for: the full one, as PyYAML 5 took."""

    @functools.wraps(function)
    def load(stream: Any, Loader: Any = None) -> Any:
        import yaml  # pyright: ignore[reportMissingModuleSource]

        return function(stream, Loader or yaml.FullLoader)

    return load


of_savefig = _without("frameon", "papertype")
without_encoding = _without("encoding")
without_hold = _without("hold")
without_warn = _without("warn")


@_adapted
def normed_is_density(kwargs: dict[str, Any]) -> None:
    """`normed=True` of histograms."""
    if "normed" in kwargs:
        kwargs["density"] = bool(kwargs.pop("normed")) or kwargs.get("density")


@_adapted
def multichannel(kwargs: dict[str, Any]) -> None:
    """`multichannel=True` of scikit-image."""
    if "multichannel" in kwargs:
        kwargs["channel_axis"] = -1 if kwargs.pop("multichannel") else None


@_adapted
def sym_pos(kwargs: dict[str, Any]) -> None:
    """`sym_pos=True` of `scipy.linalg.solve`."""
    if kwargs.pop("sym_pos", False):
        kwargs["assume_a"] = "pos"


@_adapted
def eigh(kwargs: dict[str, Any]) -> None:
    """`eigvals=(low, high)` and `turbo` of `scipy.linalg.eigh`."""
    kwargs.pop("turbo", None)
    if "eigvals" in kwargs:
        kwargs["subset_by_index"] = kwargs.pop("eigvals")


# NumPy


def cross(function: Function) -> Function:
    """`np.cross`, also of vectors in the plane."""

    @functools.wraps(function)
    def adapted(
        a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: Any = None
    ) -> Any:
        import numpy as np

        if axis is not None:
            axisa = axisb = axisc = axis
        x, y = np.moveaxis(np.asarray(a), axisa, -1), np.moveaxis(np.asarray(b), axisb, -1)
        sizes = x.shape[-1], y.shape[-1]
        if sizes == (2, 2):
            return x[..., 0] * y[..., 1] - x[..., 1] * y[..., 0]
        if sizes in ((2, 3), (3, 2)):
            x, y = (
                v if v.shape[-1] == 3 else np.concatenate([v, np.zeros_like(v[..., :1])], -1)
                for v in (x, y)
            )
            return np.moveaxis(function(x, y), -1, axisc)
        return function(a, b, axisa, axisb, axisc)

    return adapted


def fromstring(function: Function) -> Function:
    """`np.fromstring`, also of bytes."""

    @functools.wraps(function)
    def adapted(
        string: Any, dtype: Any = float, count: int = -1, *, sep: str = "", like: Any = None
    ) -> Any:
        if sep:
            return function(string, dtype, count, sep=sep, like=like)
        import numpy as np

        data = string.encode("latin-1") if isinstance(string, str) else string
        return np.frombuffer(data, dtype, count).copy()

    return adapted


def of_iterators(function: Function) -> Function:
    """`np.vstack` and the like, also of an iterator."""

    @functools.wraps(function)
    def adapted(arrays: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(arrays, Iterator):
            arrays = list(arrays)
        return function(arrays, *args, **kwargs)

    return adapted


# SciPy


def interp2d(function: Any) -> Any:
    """`scipy.interpolate.interp2d`, which only says in SciPy 1.14 and later that it is gone."""
    from tf1compat.launcher import legacy_scipy

    try:
        function([0, 1], [0, 1], [[0, 0], [0, 0]])
    except NotImplementedError:
        return legacy_scipy.interp2d
    return function


# Matplotlib


def on_or_off(function: Function) -> Function:
    """`plt.grid("off")`, `plt.grid(b=True)`, `tick_params(labelbottom="off")`."""
    values = {"on": True, "off": False}

    @functools.wraps(function)
    def adapted(*args: Any, **kwargs: Any) -> Any:
        if "b" in kwargs:
            kwargs["visible"] = kwargs.pop("b")
        args = tuple(values.get(arg, arg) if isinstance(arg, str) else arg for arg in args)
        kwargs = {
            key: values.get(value, value) if isinstance(value, str) else value
            for key, value in kwargs.items()
        }
        return function(*args, **kwargs)

    return adapted


_GONE_PARAMS = (
    "animation.avconv_args animation.avconv_path animation.html_args backend.qt4 backend.qt5 "
    "datapath examples.directory keymap.all_axes mathtext.fallback_to_cm pgf.debug "
    "savefig.frameon savefig.jpeg_quality svg.image_noscale text.dvipnghack text.latex.preview "
    "text.latex.unicode verbose.fileo verbose.level"
).split()


def rc_params(function: Function) -> Function:
    """`rcParams["text.latex.unicode"] = True`, and other settings that nothing reads any more."""

    @functools.wraps(function)
    def adapted(self: Any, key: str, value: Any) -> None:
        if key == "axes.color_cycle":
            from matplotlib import cycler

            key, value = "axes.prop_cycle", cycler(color=list(value))
        if key not in _GONE_PARAMS:
            function(self, key, value)

    return adapted


def added_to_figure(function: Function) -> Function:
    """`Axes3D(figure)`, which put itself into the figure."""

    @functools.wraps(function)
    def adapted(self: Any, fig: Any, *args: Any, **kwargs: Any) -> None:
        function(self, fig, *args, **kwargs)
        if self not in fig.axes:
            fig.add_axes(self)

    return adapted


def axes(function: Function) -> Function:
    """`plt.axes`: an Axes as its argument makes it the current one; `axisbg` is `facecolor`."""

    @functools.wraps(function)
    def adapted(arg: Any = None, **kwargs: Any) -> Any:
        from matplotlib import axes, pyplot

        if isinstance(arg, axes.Axes):
            pyplot.sca(arg)
            return arg
        kwargs.pop("hold", None)
        return axisbg_is_facecolor(function)(arg, **kwargs)

    return adapted


def gca(function: Function) -> Function:
    """`plt.gca(projection="3d")`."""

    @functools.wraps(function)
    def adapted(**kwargs: Any) -> Any:
        if not kwargs:
            return function()
        from matplotlib import pyplot

        return pyplot.subplot(**kwargs)

    return adapted


def gca_of_figure(function: Function) -> Function:
    """`figure.gca(projection="3d")`."""

    @functools.wraps(function)
    def adapted(self: Any, **kwargs: Any) -> Any:
        return self.add_subplot(**kwargs) if kwargs else function(self)

    return adapted


def seaborn_styles(function: Function) -> Function:
    """`plt.style.use("seaborn-…")`."""

    @functools.wraps(function)
    def adapted(style: Any) -> Any:
        if isinstance(style, str) and style.partition("-")[0] == "seaborn":
            style = "seaborn-v0_8" + style.removeprefix("seaborn")
        return function(style)

    return adapted


# pandas


def of_numbers(function: Function) -> Function:
    """`df.mean()`: what columns of texts refuse is of the others, as it was."""

    @functools.wraps(function)
    def adapted(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return function(self, *args, **kwargs)
        except (TypeError, ValueError):
            if "numeric_only" in kwargs:
                raise
            return function(self, *args, numeric_only=True, **kwargs)

    return adapted


def unlimited_width(function: Function) -> Function:
    """`pandas.set_option("display.max_colwidth", -1)`, which is None today."""

    @functools.wraps(function)
    def adapted(*args: Any, **kwargs: Any) -> None:
        pairs = [
            (name, None if value == -1 and name.endswith("max_colwidth") else value)
            for name, value in zip(args[::2], args[1::2])
        ]
        function(*(part for pair in pairs for part in pair), **kwargs)

    return adapted


def positional_axis(function: Function) -> Function:
    """The second argument of `DataFrame.drop` and `pandas.concat` may be the axis."""
    first = 2 if "drop" in function.__name__ else 1  # `self` and the labels, or the objects.

    @functools.wraps(function)
    def adapted(*args: Any, **kwargs: Any) -> Any:
        if len(args) > first:
            kwargs["axis"] = args[first]
            args = args[:first]
        return function(*args, **kwargs)

    return adapted


def fill_method(function: Function) -> Function:
    """`fillna(method="ffill")`."""

    @functools.wraps(function)
    def adapted(self: Any, value: Any = None, method: Any = None, **kwargs: Any) -> Any:
        if method is None:
            return function(self, value, **kwargs)
        fill = self.ffill if method in ("ffill", "pad") else self.bfill
        return fill(**kwargs)

    return adapted


def sets_of_labels(function: Function) -> Function:
    """`df[{"a", "b"}]`, `df.loc[rows, {"a"}]`: a set or a dictionary of labels is an index."""

    @functools.wraps(function)
    def adapted(self: Any, key: Any, *values: Any) -> Any:
        if isinstance(key, tuple):
            key = tuple(_listed(part) for part in key)
        return function(self, _listed(key), *values)

    return adapted


def _listed(labels: Any) -> Any:
    return list(labels) if isinstance(labels, (set, dict)) else labels


@_adapted
def read_csv(kwargs: dict[str, Any]) -> None:
    """`error_bad_lines`, `warn_bad_lines`, `delim_whitespace` of `pandas.read_csv`."""
    errors, warns = kwargs.pop("error_bad_lines", None), kwargs.pop("warn_bad_lines", None)
    if errors is not None and not errors:
        kwargs["on_bad_lines"] = "skip" if warns is not None and not warns else "warn"
    if kwargs.pop("delim_whitespace", False):
        kwargs["sep"] = r"\s+"
    for gone in ("mangle_dupe_cols", "tupleize_cols"):
        kwargs.pop(gone, None)


# scikit-learn


def _initialized(change: Callable[[Function], Function], *names: str) -> Callable[[Any], Any]:
    """A change of a class whose constructor has none of these names any more."""

    def adapt(cls: Any) -> Any:
        if not set(names) & set(inspect.signature(cls.__init__).parameters):
            cls.__init__ = change(cls.__init__)
        return cls

    return adapt


affinity_is_metric = _initialized(_renamed(affinity="metric"), "affinity")
base_estimator_is_estimator = _initialized(_renamed(base_estimator="estimator"), "base_estimator")
n_iter_is_max_iter = _initialized(_renamed(n_iter="max_iter"), "n_iter")
sparse_is_sparse_output = _initialized(_renamed(sparse="sparse_output"), "sparse")
without_iid = _initialized(_without("iid"), "iid")
without_jobs = _initialized(_without("n_jobs", "precompute_distances"), "n_jobs")
without_multi_class = _initialized(_without("multi_class"), "multi_class")


@_adapted
def _not_normalized(kwargs: dict[str, Any]) -> None:
    if kwargs.get("normalize") in (False, "deprecated"):
        del kwargs["normalize"]


without_normalize = _initialized(_not_normalized, "normalize")


def of_trees(cls: Any) -> Any:
    """Arguments of forests: `min_impurity_split`, `presort`; `max_features="auto"`."""

    @_adapted
    def changed(kwargs: dict[str, Any]) -> None:
        for gone in ("min_impurity_split", "presort"):
            kwargs.pop(gone, None)
        if kwargs.get("max_features") == "auto":
            kwargs["max_features"] = "sqrt" if cls.__name__.endswith("Classifier") else 1.0

    return _initialized(changed)(cls)


def squared(function: Function) -> Function:
    """`mean_squared_error(squared=False)`: the root."""

    @functools.wraps(function)
    def adapted(*args: Any, squared: bool = True, **kwargs: Any) -> Any:
        error = function(*args, **kwargs)
        return error if squared else error**0.5

    return adapted


def force_all_finite(function: Function) -> Function:
    """`check_array(force_all_finite=)`, `ensure_all_finite` since scikit-learn 1.6."""
    if "force_all_finite" in inspect.signature(function).parameters:
        return function
    return _renamed(force_all_finite="ensure_all_finite")(function)


def feature_names(cls: Any) -> Any:
    """`CountVectorizer.get_feature_names`."""
    if not hasattr(cls, "get_feature_names"):
        cls.get_feature_names = lambda self: list(self.get_feature_names_out())
    return cls


# scikit-image


def rgb2gray(function: Function) -> Function:
    """`skimage.color.rgb2gray`, also of what is gray already or has an alpha channel."""

    @functools.wraps(function)
    def adapted(rgb: Any, *args: Any, **kwargs: Any) -> Any:
        import numpy as np
        from skimage import color

        image = np.asarray(rgb)
        if image.ndim == 2:
            return image
        if image.shape[-1] == 4:
            image = color.rgba2rgb(image)
        return function(image, *args, **kwargs)

    return adapted


def rgb2grey(rgb: Any) -> Any:
    """`skimage.color.rgb2grey`."""
    from skimage import color

    return color.rgb2gray(rgb)


def circle(r: float, c: float, radius: float, shape: Any = None) -> Any:
    """`skimage.draw.circle`: the pixels of a disk."""
    from skimage import draw

    return draw.disk((r, c), radius, shape=shape)


def compare_ssim(X: Any, Y: Any, **kwargs: Any) -> Any:
    """`skimage.measure.compare_ssim`."""
    from skimage.metrics import structural_similarity

    kwargs.setdefault("data_range", _data_range(X))
    return multichannel(structural_similarity)(X, Y, **kwargs)


def compare_psnr(im_true: Any, im_test: Any, data_range: Any = None, **kwargs: Any) -> Any:
    """`skimage.measure.compare_psnr`."""
    from skimage.metrics import peak_signal_noise_ratio

    return peak_signal_noise_ratio(im_true, im_test, data_range=data_range)


def compare_nrmse(im_true: Any, im_test: Any, norm_type: str = "Euclidean") -> Any:
    """`skimage.measure.compare_nrmse`."""
    from skimage.metrics import normalized_root_mse

    return normalized_root_mse(im_true, im_test, normalization=norm_type.lower())


def _data_range(image: Any) -> Any:
    import numpy as np

    image = np.asarray(image)
    return 2.0 if image.dtype.kind == "f" else float(np.iinfo(image.dtype).max)
