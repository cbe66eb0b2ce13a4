"""Records in which modules TensorFlow 1.15 defines its public classes and functions, as data.

Run under the real TensorFlow 1.15 (see setup.sh):

    python -W ignore oracle/record_class_modules.py tf1compat/core/data

It reads the public names there (`api_names.json.gz`) and writes `class_modules.json.gz`:
{module: the public names of the classes and functions that it defines, separated by spaces}. That
is what `str` of a class, the `repr` of an object and the last line of a traceback show, and what
pickles name. Messages are left out, as their classes are protobuf's.
"""

import gzip
import json
import os
import re
import sys
import types

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

KINDS = (type, types.FunctionType)
MADE = ("compat.v2.", "raw_ops.")  # the functions there are made of others


def public_symbols(names):
    """Pairs of a public name and what has it, also of what a public module holds."""
    for name in sorted(names):
        value = tf
        for part in name.split("."):
            value = getattr(value, part, None)
        if isinstance(value, KINDS):
            yield name, value
        elif isinstance(value, types.ModuleType):
            for attribute in dir(value):
                member = getattr(value, attribute)
                inside = "{}.{}".format(name, attribute)
                if isinstance(member, KINDS) and attribute[0] != "_" and inside not in names:
                    yield inside, member


def main():
    folder = sys.argv[1]
    with gzip.open(os.path.join(folder, "api_names.json.gz"), "rt") as file:
        names = {name for name in json.load(file) if not name.startswith("compat.v1.")}
    names.add("contrib.distributions.bijectors")  # the one public module that is not listed
    modules = {}
    for name, symbol in public_symbols(names):
        is_found = symbol.__name__ == name.rpartition(".")[2]  # by what looks for it in the module
        is_found = is_found and not (symbol.__module__ or "").endswith("_internal")
        if not isinstance(symbol, type) and (name.startswith(MADE) or not is_found):
            continue
        module = re.sub(r"^tensorflow_core\b", "tensorflow", symbol.__module__ or "")
        if re.match(r"tensorflow(_estimator)?\.", module) and not module.endswith("_pb2"):
            modules.setdefault(module, []).append(name)
    table = {module: " ".join(modules[module]) for module in sorted(modules)}
    # No time in the header, so that the same facts make the same file.
    with open(os.path.join(folder, "class_modules.json.gz"), "wb") as raw:
        with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as file:
            file.write(json.dumps(table, separators=(",", ":")).encode())


if __name__ == "__main__":
    main()
