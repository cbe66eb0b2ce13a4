"""Records which names TensorFlow 1.15 has, public and internal, as tf1compat's package data.

Run under the real TensorFlow 1.15 (see setup.sh), with the two lists of its public names and
signatures, {dotted name: "function (x, y)" | {"class": ...} | "value ..." | "module"}:

    python -W ignore oracle/record_api_names.py tf1compat/core/data \\
        tf115_api.json tf115_contrib_api.json

It writes three tables:

    api_names.json.gz     dotted public name without "tf." -> its signature "(x, y, name=None)" when
                          it is a function, "class (self, ...)" with its constructor's when it is a
                          class, else "module" or "value"; "=nn.relu" below compat.v2 for the same
                          object as that
    module_names.json.gz  full name of an internal module (below tensorflow.python, .contrib, .core
                          and so on) -> {attribute: where it really lives}, which is one of
                              "nn.relu"         the public name of the same object, at home here
                              "=nn.relu"        the same for an object from another module
                              "@pkg.module"     the attribute is that module, which need not be TF's
                              "pkg.module:"     the object is defined in that module under the same
                                                name ("pkg.module:other" under another one)
                              "%Relu"           the function that differentiates that op type
                          and under the key "" the names, separated by spaces, that are the
                          module's own and not public; private ones (`_concat`) are among them
    renamed_names.json.gz public name without "tf." -> what TF 2 calls it, without "tf.", where that
                          is another name: what a program is told at its first use
"""

import gzip
import importlib
import inspect
import json
import os
import pkgutil
import re
import sys
import types

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf
from tensorflow.python.framework import ops
from tensorflow.tools.compatibility import all_renames_v2

ROOTS = (
    "tensorflow.python",
    "tensorflow.core",
    "tensorflow.contrib",
    "tensorflow.examples",
    "tensorflow.lite",
    "tensorflow.tools",
)
ALIASED = ("tensorflow.python.", "tensorflow.contrib.", "tensorflow.core.", "tensorflow_estimator.")
SKIP = re.compile(
    r"(_test|_testlib|testdata|test_files|benchmark\w*|pywrap_tensorflow_internal)(\.|$)"
)
OWN_ROOTS = ("tensorflow", "tensorflow_estimator")
# Not what there is only while TensorFlow is recorded.
LOCAL = ("__main__", "sitecustomize")
SHARED = (int, float, str, bytes, tuple, list, dict, frozenset, type(None))
FUTURE = {"absolute_import", "division", "print_function", "unicode_literals"}


def plain(module_name):
    """The name under which scripts import a module."""
    return re.sub(r"^tensorflow_core\b", "tensorflow", module_name)


def reference_names(paths):
    """The public names with their signatures, from the lists."""
    public = {}
    for path in paths:
        with open(path) as file:
            for name, what in json.load(file).items():
                if name.split(".")[-1] in FUTURE or name == "flags.tf_decorator":
                    continue
                if isinstance(what, dict):
                    public[name] = ("class " + what["members"].get("__init__", "")).strip()
                elif what.startswith(("function ", "callable ")):
                    public[name] = what.split(" ", 1)[1]
                else:
                    public[name] = what.split(" ", 1)[0]
    return public


def more_names(public):
    """Adds what the lists leave out: tf.compat, tf.lite, tf.contrib.eager and the doors to the
    internal packages.
    """
    for prefix, module in (
        ("compat", tf.compat),
        ("lite", tf.lite),
        ("lite.constants", tf.lite.constants),
        ("contrib.eager", tf.contrib.eager),
    ):
        public[prefix] = "module"
        for name in dir(module):
            if name.startswith("_") or name in FUTURE:
                continue
            value = getattr(module, name)
            is_module = isinstance(value, types.ModuleType)
            public[prefix + "." + name] = "module" if is_module else signature(value)
    doors = ("contrib", "python", "core", "tools", "compiler", "raw_ops")
    for name in doors + ("flags", "app.flags", "test.mock"):
        public[name] = "module"
    for name in [name for name in public if name.startswith("flags.")]:
        public["app." + name] = public[name]


def more_contrib(public):
    """Adds the packages of tf.contrib that the lists leave out, as tpu and timeseries."""
    known = {name.split(".")[1] for name in public if name.startswith("contrib.")}
    for name in dir(tf.contrib):
        module = getattr(tf.contrib, name)
        if not name.startswith("_") and name not in known and isinstance(module, types.ModuleType):
            add_contrib(public, module, "contrib." + name)


def add_contrib(public, module, prefix):
    public[prefix] = "module"
    for name in dir(module):
        value = getattr(module, name)
        if name.startswith("_") or name in FUTURE:
            continue
        if isinstance(value, types.ModuleType):
            of_its_own = plain(value.__name__) == "tensorflow." + prefix + "." + name
            if of_its_own and not re.search(r"^(ops|proto|python)$|_pb2$", name):
                add_contrib(public, value, prefix + "." + name)
            continue
        home = plain(str(getattr(value, "__module__", "tensorflow")))
        # A package gathers names for users, as does what tf.contrib shows; a file has its own.
        gathers = hasattr(module, "__path__") or prefix.count(".") == 1
        if home == "tensorflow." + prefix or gathers and home.startswith("tensorflow"):
            public[prefix + "." + name] = signature(value)


def public_owners(public):
    """id(object) -> (object, its public name); the canonical name where there are several."""
    owners = {}
    for name in sorted(
        public, key=lambda name: (name.startswith("contrib"), name.count("."), name)
    ):
        try:
            value = lookup(name)
        except Exception:
            print("not found", name, file=sys.stderr)
            continue
        if isinstance(value, (types.ModuleType,) + SHARED):
            continue
        if name.startswith("contrib.") and not is_of_contrib(value):
            continue  # A contrib package that merely passes on what it imported.
        canonical = (getattr(value, "_tf_api_names_v1", None) or ("",))[0]
        if id(value) not in owners or name == canonical:
            owners[id(value)] = (value, name)
    return owners


def add_v2(public, owners, module, prefix):
    """Adds the names below tf.compat.v2; "=nn.relu" stands for the same object as tf.nn.relu."""
    for name in dir(module):
        dotted = prefix + name
        if name.startswith("_") or name in FUTURE or dotted in ("compat.v2.compat", "compat.v2.v2"):
            continue
        value = getattr(module, name)
        same = dotted[len("compat.v2.") :]
        if same == "raw_ops":
            public[dotted] = "=raw_ops"
        elif isinstance(value, types.ModuleType):
            if "_v2" in value.__name__ or ".v2" in value.__name__:
                public[dotted] = "module"
                add_v2(public, owners, value, dotted + ".")
        elif same in public and lookup(same) is value:
            public[dotted] = "=" + same
        elif id(value) in owners:
            public[dotted] = "=" + owners[id(value)][1]
        else:
            public[dotted] = signature(value)


def signature(value):
    if not callable(value):
        return "value"
    is_class = inspect.isclass(value)
    text = str(inspect.signature(value.__init__ if is_class else value))
    return ("class " if is_class else "") + re.sub(r" at 0x\w+", "", text)


def lookup(name):
    value = tf
    for part in name.split("."):
        value = getattr(value, part)
    return value


def is_of_contrib(value):
    return plain(str(getattr(value, "__module__", ""))).startswith(
        ("tensorflow.contrib", "tensorflow_estimator")
    )


def import_all():
    """Imports every module below ROOTS that can be imported."""
    for root in ROOTS:
        importlib.import_module(root)
        folder = os.path.join(
            os.path.dirname(tf.__file__),
            os.pardir,
            *root.replace("tensorflow", "tensorflow_core", 1).split("."),
        )
        for info in pkgutil.walk_packages([folder], root + ".", onerror=lambda name: None):
            if SKIP.search(info.name):
                continue
            try:
                importlib.import_module(info.name)
            except BaseException as error:
                print("skipped", info.name, type(error).__name__, file=sys.stderr)


def origin(value, name, module, module_name, owners):
    """Where a module's attribute really lives, in the form of the table; None to leave it out."""
    if isinstance(value, types.ModuleType):
        target = plain(value.__name__)
        if target.split(".")[0] in OWN_ROOTS:
            is_alias = target.startswith(ALIASED) and target != module_name + "." + name
        else:  # NumPy, `six` and the like, which client code also takes from here.
            is_alias = target not in LOCAL and sys.modules.get(target) is value
        return "@" + target if is_alias else None
    if id(value) in owners:
        home = plain(getattr(value, "__module__", None) or module_name)
        return ("" if home == module_name else "=") + owners[id(value)][1]
    if re.search(r"\.gen_\w+_ops$", module_name):
        return None
    home = plain(getattr(value, "__module__", None) or module_name)
    home_name = str(getattr(value, "__name__", name))
    if callable(value) and home != module_name:
        if not home.startswith("tensorflow"):
            return None
        home_module = sys.modules.get(home) or sys.modules.get(
            home.replace("tensorflow", "tensorflow_core", 1)
        )
        if getattr(home_module, home_name, None) is value:
            return home + ":" + ("" if home_name == name else home_name)
    return ""


def private_names(module, module_name):
    """The private functions, classes and values that a module defines itself."""
    if re.search(r"_pb2$|\.gen_\w+_ops$|^tensorflow\.python\.(keras\.api|pywrap)", module_name):
        return []
    found = []
    for name, value in vars(module).items():
        if re.match(r"__|_tf_api_|_tfmw_|_[a-z]$|[^_]", name) or isinstance(
            value, types.ModuleType
        ):
            continue
        home = getattr(value, "__module__", None) if callable(value) else module_name
        if isinstance(home, str) and plain(home) == module_name:
            found.append(name)
    return sorted(found)


def gradient_functions():
    """(module, function name) -> the op types that it differentiates."""
    found = {}
    for op_type, entry in ops._gradient_registry._registry.items():
        function = entry["type"]
        if function is not None:
            place = (plain(function.__module__), function.__name__)
            found.setdefault(place, []).append(op_type)
    return found


def modules_table(owners):
    table = {}
    gradients = gradient_functions()
    for full_name, module in sorted(sys.modules.items()):
        name = plain(full_name)
        if not isinstance(module, types.ModuleType) or name in table or SKIP.search(name):
            continue
        if not (name + ".").startswith(
            tuple(root + "." for root in ROOTS + ("tensorflow_estimator",))
        ):
            continue
        if "._api" in name or ".api._v" in name:
            continue
        names, own = {}, []
        for attribute in dir(module):
            if attribute.startswith("_") or attribute in FUTURE:
                continue
            try:
                where = origin(getattr(module, attribute), attribute, module, name, owners)
            except Exception:
                continue
            if where:
                names[attribute] = where
            elif where is not None:
                own.append(attribute)
        for (home, function), op_types in gradients.items():
            if home == name and hasattr(module, function):
                names[function] = "%" + min(op_types)
        own += [private for private in private_names(module, name) if private not in names]
        names[""] = " ".join(own)
        table[name] = names
    return table


def write(path, data):
    text = json.dumps(data, separators=(",", ":"), sort_keys=True)
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as file:
        file.write(text.encode())
    print(path, len(data), "entries,", os.path.getsize(path), "bytes")


def main(folder, *lists):
    import_all()
    public = reference_names(lists)
    more_names(public)
    more_contrib(public)
    owners = public_owners(public)
    write(os.path.join(folder, "module_names.json.gz"), modules_table(owners))
    renamed = all_renames_v2.symbol_renames.items()
    table = {old[len("tf.") :]: new[len("tf.") :] for old, new in renamed}
    write(os.path.join(folder, "renamed_names.json.gz"), table)
    add_v2(public, owners, tf.compat.v2, "compat.v2.")
    write(os.path.join(folder, "api_names.json.gz"), public)


if __name__ == "__main__":
    main(*sys.argv[1:])
