"""Names that Python, NumPy, SciPy and Pillow removed since TF 1.15's day, given back to scripts.

One table: module -> {name: what stands for it today}.  A replacement is "module:attribute" and is
imported when the module is; a name that the module still has is left alone.  Modules that are gone
altogether have a table too.  The launcher installs this for the scripts it runs; the library
doesn't.
"""

from __future__ import annotations

import collections.abc
import functools
import importlib
import importlib.abc
import sys
import types
import warnings
from importlib.machinery import ModuleSpec, PathFinder
from typing import Any

# Now, because it needs modules that are about to be hooked.
from tf1compat.launcher import legacy_python  # noqa: F401

_PYTHON = "tf1compat.launcher.legacy_python"
_NUMPY = "tf1compat.launcher.legacy_numpy"
_IMAGES = "tf1compat.launcher.legacy_images"

PYTHON: dict[str, dict[str, str]] = {
    "base64": {"decodestring": "base64:decodebytes", "encodestring": "base64:encodebytes"},
    "cgi": {"escape": "html:escape"},
    "collections": {name: f"collections.abc:{name}" for name in collections.abc.__all__},
    "fractions": {"gcd": "math:gcd"},
    "html.parser": {"HTMLParser.unescape": f"{_PYTHON}:unescape"},
    "inspect": {"getargspec": f"{_PYTHON}:getargspec"},
    "itertools": {
        "ifilter": "builtins:filter",
        "imap": "builtins:map",
        "izip": "builtins:zip",
        "izip_longest": "itertools:zip_longest",
    },
    "os": {"errno": "errno:", "getcwdu": "os:getcwd"},
    "platform": {
        "dist": f"{_PYTHON}:linux_distribution",
        "linux_distribution": f"{_PYTHON}:linux_distribution",
    },
    "string": {
        "join": f"{_PYTHON}:join",
        "letters": "string:ascii_letters",
        "lowercase": "string:ascii_lowercase",
        "maketrans": "builtins:str.maketrans",
        "uppercase": "string:ascii_uppercase",
    },
    "sys": {"maxint": "sys:maxsize"},
    "threading": {"Thread.isAlive": "threading:Thread.is_alive"},
    "time": {"clock": "time:perf_counter"},
    "unittest": {
        "TestCase.assertEquals": "unittest:TestCase.assertEqual",
        "TestCase.assertItemsEqual": "unittest:TestCase.assertCountEqual",
        "TestCase.assertNotEquals": "unittest:TestCase.assertNotEqual",
        "TestCase.assertRaisesRegexp": "unittest:TestCase.assertRaisesRegex",
        "TestCase.assertRegexpMatches": "unittest:TestCase.assertRegex",
        "TestCase.assert_": "unittest:TestCase.assertTrue",
    },
}

NUMPY: dict[str, dict[str, str]] = {
    "numpy": {
        "Inf": "numpy:inf",
        "Infinity": "numpy:inf",
        "NAN": "numpy:nan",
        "NINF": f"{_NUMPY}:negative_infinity",
        "NZERO": f"{_NUMPY}:negative_zero",
        "NaN": "numpy:nan",
        "PINF": "numpy:inf",
        "PZERO": f"{_NUMPY}:positive_zero",
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
        "trapz": "numpy:trapezoid",
        "typeDict": "numpy:sctypeDict",
        "uint0": "numpy:uintp",
        "unicode": "builtins:str",
        "unicode_": "numpy:str_",
    },
    "numpy.random": {"random_integers": f"{_NUMPY}:random_integers"},
}

SCIPY: dict[str, dict[str, str]] = {
    "scipy.integrate": {
        "cumtrapz": "scipy.integrate:cumulative_trapezoid",
        "simps": "scipy.integrate:simpson",
        "trapz": "scipy.integrate:trapezoid",
    },
    "scipy.misc": {
        "bytescale": f"{_IMAGES}:bytescale",
        "comb": "scipy.special:comb",
        "derivative": f"{_NUMPY}:derivative",
        "factorial": "scipy.special:factorial",
        "fromimage": f"{_IMAGES}:fromimage",
        "imread": f"{_IMAGES}:imread",
        "imresize": f"{_IMAGES}:imresize",
        "imrotate": f"{_IMAGES}:imrotate",
        "imsave": f"{_IMAGES}:imsave",
        "logsumexp": "scipy.special:logsumexp",
        "toimage": f"{_IMAGES}:toimage",
    },
    "scipy.ndimage": {"imread": f"{_IMAGES}:imread"},
    "scipy.signal": {
        name: f"scipy.signal.windows:{name}"
        for name in ("blackman", "gaussian", "hamming", "hann", "kaiser", "triang")
    },
}

PILLOW: dict[str, dict[str, str]] = {
    "PIL.Image": {
        "ANTIALIAS": "PIL.Image:Resampling.LANCZOS",
        "CUBIC": "PIL.Image:Resampling.BICUBIC",
        "LINEAR": "PIL.Image:Resampling.BILINEAR",
    },
}

# Modules that are gone: their contents today, as a module, or as a table like those above.
MODULES: dict[str, str | dict[str, str]] = {
    "imp": {
        "load_source": f"{_PYTHON}:load_source",
        "new_module": "types:ModuleType",
        "reload": "importlib:reload",
    },
    "scipy.misc": {},
    "xml.etree.cElementTree": "xml.etree.ElementTree",
}

TABLE: dict[str, dict[str, str]] = {**PYTHON, **NUMPY, **SCIPY, **PILLOW}


def install() -> None:
    """Restores the names in modules imported so far, and in the others when they are imported."""
    for name in TABLE:
        if name in sys.modules:
            _restore(sys.modules[name])
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


def _restore(module: types.ModuleType, table: dict[str, str] | None = None) -> None:
    for name, replacement in (TABLE[module.__name__] if table is None else table).items():
        *path, last = name.split(".")
        owner = functools.reduce(getattr, path, module)
        with warnings.catch_warnings():  # NumPy warns of some names that it is about to reuse.
            warnings.simplefilter("ignore")
            missing = not hasattr(owner, last)
        if missing:
            setattr(owner, last, _resolve(replacement))


def _resolve(replacement: str) -> Any:
    module_name, _, path = replacement.partition(":")
    return functools.reduce(
        getattr, path.split(".") if path else (), importlib.import_module(module_name)
    )


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if fullname not in TABLE and fullname not in MODULES:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None:
            if fullname in TABLE and spec.loader is not None:
                spec.loader = _RestoringLoader(spec.loader)
            return spec
        if fullname in MODULES:
            return ModuleSpec(fullname, _GoneLoader())
        return None


class _RestoringLoader(importlib.abc.Loader):
    """Loads a module as its own loader does, and restores names in it."""

    def __init__(self, loader: Any):
        self._loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> types.ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: types.ModuleType) -> None:
        assert module.__spec__ is not None
        module.__loader__ = module.__spec__.loader = self._loader
        with warnings.catch_warnings():  # That scipy.misc is deprecated: it is here to be empty.
            if module.__name__ in MODULES:
                warnings.simplefilter("ignore", DeprecationWarning)
            self._loader.exec_module(module)
        _restore(module)


class _GoneLoader(importlib.abc.Loader):
    """Makes a module that no longer exists."""

    def create_module(self, spec: ModuleSpec) -> types.ModuleType | None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        contents = MODULES[module.__name__]
        if isinstance(contents, str):
            sys.modules[module.__name__] = importlib.import_module(contents)
        else:
            _restore(module, {**contents, **TABLE.get(module.__name__, {})})
