"""Records the public modules and names of libraries as they were in TF 1.15's day.

Run under Python 3.7 with the old versions:

    pip install scipy==1.2.3 numpy==1.16.6 scikit-learn==0.20.4 pandas==0.24.2 matplotlib==3.0.3
    python -W ignore record_library_names.py data/library_names.json.gz data/library_values.json

It writes {library: {module: [names]}}, and what the expressions of library_cases.py give.  A
module's names are those of `__all__`, or else all that don't begin with an underscore and are the
library's own.
"""

import gzip
import importlib
import json
import pkgutil
import re
import sys
import types

import library_cases
import numpy as np

SKIP = re.compile(r"(^|\.)(_\w*|tests?|testing|setup\w*|conftest|benchmarks?|__main__)(\.|$)")
LIBRARIES = ("numpy", "scipy", "sklearn", "pandas", "matplotlib.pyplot")


def modules(root):
    """The library and all public modules of it that can be imported."""
    package = importlib.import_module(root)
    yield package
    for info in pkgutil.walk_packages(
        getattr(package, "__path__", ()), root + ".", onerror=lambda name: None
    ):
        if not SKIP.search(info.name):
            try:
                yield importlib.import_module(info.name)
            except Exception as error:
                print("skipped", info.name, error, file=sys.stderr)


FUTURE = {"absolute_import", "division", "print_function", "unicode_literals"}


def names(module, root):
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return sorted(set(listed) - FUTURE)
    found = []
    for name, value in vars(module).items():
        home = getattr(value, "__module__", None) or module.__name__
        if not name.startswith("_") and not isinstance(value, types.ModuleType):
            if str(home).split(".")[0] == root.split(".")[0]:
                found.append(name)
    return sorted(found)


def plain(value):
    """A value as JSON has it."""
    if isinstance(value, tuple):
        return [plain(part) for part in value]
    return np.asarray(value).tolist()


def main(path, values_path):
    namespace = {}
    exec(library_cases.IMPORTS, namespace)
    values = {text: plain(eval(text, namespace)) for text in library_cases.CASES}
    with open(values_path, "w") as file:
        json.dump(values, file, indent=1)
    table = {
        root: {module.__name__: names(module, root) for module in modules(root)}
        for root in LIBRARIES
    }
    text = json.dumps(table, separators=(",", ":"), sort_keys=True)
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as file:
        file.write(text.encode())
    for root, found in table.items():
        print(root, len(found), "modules,", sum(map(len, found.values())), "names")


if __name__ == "__main__":
    main(*sys.argv[1:])
