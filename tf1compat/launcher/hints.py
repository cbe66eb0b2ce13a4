"""One line of advice under the traceback of an error that today's libraries made of old code."""

from __future__ import annotations

import difflib
import linecache
import re
import sys
import traceback

from tf1compat.core import api_names

_LEGACY = "pip install 'tf1compat[legacy]' brings an older NumPy and SciPy"

# (class of the error, text, the line that raised it, advice).
_Classes = type[BaseException] | tuple[type[BaseException], ...]
_HINTS: tuple[tuple[_Classes, str, str, str], ...] = (
    (
        TypeError,
        "only 0-dimensional arrays can be converted to Python scalars",
        "",
        f"NumPy {{numpy}} no longer takes an array with one element for a number; {_LEGACY}",
    ),
    (
        ValueError,
        r"setting an array element with a sequence\.$",
        "",
        f"NumPy {{numpy}} no longer puts an array with one element in a slot; {_LEGACY}",
    ),
    (
        ValueError,
        "inhomogeneous shape",
        "",
        "NumPy {numpy} makes no array of lists of different lengths unless dtype=object is given",
    ),
    (
        AttributeError,
        r"'numpy\.\w+' object has no attribute '(tostring|itemset|newbyteorder|ptp)'",
        "",
        f"NumPy {{numpy}} no longer has this method; {_LEGACY}, which has tostring; "
        "np.ptp(x) and x[i] = v do what the others did",
    ),
    (
        ValueError,
        "operands could not be broadcast together",
        r"[!=]=",
        "NumPy {numpy} no longer says False when arrays of different shapes are compared; "
        "np.array_equal does",
    ),
    (
        ValueError,
        "truth value of an empty array is ambiguous",
        "",
        "NumPy {numpy} no longer takes an empty array for False: test x.size",
    ),
    (
        OverflowError,
        r"Python integer -?\d+ out of bounds for u?int\d+",
        "",
        "NumPy {numpy} no longer wraps a Python integer around: convert it with np.array(x).astype",
    ),
    (
        IndexError,
        r"only integers, slices \(`:`\), ellipsis",
        "",
        "NumPy {numpy} takes no float for an index, and no list of slices: x[int(n)], "
        "x[tuple(slices)]",
    ),
    (
        ValueError,
        "Object arrays cannot be loaded when allow_pickle=False",
        "",
        "since NumPy 1.16.3 np.load runs no pickled code: if you trust the file, "
        "np.load(..., allow_pickle=True)",
    ),
    (
        (AttributeError, ImportError),
        r"module 'scipy[\w.]*' has no attribute|from 'scipy[\w.]*'|No module named 'scipy\.",
        "",
        f"SciPy {{scipy}} no longer has it; {_LEGACY}",
    ),
    (
        ImportError,
        r"No module named 'six'",
        "",
        "pip install six, or 'tf1compat[legacy]', which has it",
    ),
)


def advice(error: BaseException) -> str | None:
    """What to do about an uncaught error, if it is one that newer libraries make of old code, or
    of a name that TF hasn't."""
    text = str(error)
    unknown = _UNKNOWN_NAME.match(text)
    if unknown is not None and isinstance(error, (AttributeError, ImportError)):
        module, name = unknown["module"] or unknown["source"], unknown["name"] or unknown["import"]
        near = near_names(re.sub(r"^tensorflow(\._api\.v1|\.compat\.v1)?\.?", "", module), name)
        return f"near names: {', '.join(near)}" if near else None
    for kind, pattern, line_pattern, found in _HINTS:
        if isinstance(error, kind) and re.search(pattern, text):
            if re.search(line_pattern, _raising_line(error)):
                return found.format(numpy=_version("numpy"), scipy=_version("scipy"))
    return None


_UNKNOWN_NAME = re.compile(
    r"module '(?P<module>tensorflow[\w.]*)' has no attribute '(?P<name>\w+)'"
    r"|cannot import name '(?P<import>\w+)' from '(?P<source>tensorflow[\w.]*)'"
)


def near_names(module: str, name: str) -> list[str]:
    """Up to four public names of TF 1.15 that may be meant by one that there isn't.

    Args:
      module: the module in which it was looked for, without "tf.", e.g. "" or "nn".
      name: the name.

    Returns:
      Those of the same module that are spelt alike, and those spelt so in others, e.g.
      ["tf.nn.relu"].
    """
    table = api_names.public()
    start = f"{module}." if module else ""
    beside = [
        known[len(start) :]
        for known in table
        if known.startswith(start) and "." not in known[len(start) :]
    ]
    alike = difflib.get_close_matches(name, beside, 3, 0.75)
    elsewhere = [
        known
        for known in table
        if known.rpartition(".")[2] == name and not known.startswith("compat.v")
    ]
    elsewhere.sort(key=lambda known: (known.startswith("contrib"), known.count("."), known))
    found = [start + other for other in alike] + elsewhere[:2]
    return [f"tf.{known}" for known in dict.fromkeys(found)][:4]


def _raising_line(error: BaseException) -> str:
    frames = list(traceback.walk_tb(error.__traceback__))
    if not frames:
        return ""
    frame, line = frames[-1]
    return linecache.getline(frame.f_code.co_filename, line)


def _version(library: str) -> str:
    return getattr(sys.modules.get(library), "__version__", "of today")
