"""Runs a script, a module or a line of code as Python would, with tf1compat as TensorFlow."""

from __future__ import annotations

import builtins
import importlib
import importlib.util
import logging
import os
import signal
import sys
import types
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from typing import Any, NoReturn

import tf1compat

USAGE = """\
usage: python -m tf1compat [OPTION…] SCRIPT [ARGUMENT…]
       python -m tf1compat [OPTION…] -m MODULE [ARGUMENT…]
       python -m tf1compat [OPTION…] -c CODE [ARGUMENT…]
       python -m tf1compat path
       python -m tf1compat coverage [--summary] [NAME…]
       python -m tf1compat report [--format text|json|html] [-o FILE] PATH…
       python -m tf1compat record [-o FILE] [--tensors N] SCRIPT [ARGUMENT…]
       python -m tf1compat compare [--rtol X] [--html FILE] FILE (FILE | SCRIPT [ARGUMENT…])
       python -m tf1compat migrate [-o FILE] [--to jax|flax] (GRAPH | SCRIPT [ARGUMENT…])
       python -m tf1compat --version

Runs a TensorFlow 1 program: its `import tensorflow` gives tf1compat.

  --integer-gradients  tf.gradients also walks through integer tensors, as TensorFlow did before 1.8
                       (or set TF1COMPAT_INTEGER_GRADIENTS=1)
  --tf-version VERSION the release that the program is told it has, for libraries that refuse 1.15;
                       with 2.x, tensorflow.compat.v1 has what it has there besides
                       (or set TF1COMPAT_TF_VERSION)
  --np N               run N processes that work together, for programs that use Horovod
  --profile[=FILE]     say where the time went, on standard error, and write a trace file
                       (tf1compat_profile.json)
  path                 print the folder that, on PYTHONPATH, makes `import tensorflow` work anywhere
  coverage             print which of TF 1.15's public names and op types there are
  report               print what sources use of TensorFlow and what there is of it; runs none
  record               run a script, and write down what its sessions run
  migrate              write a saved graph, or what a script trains, as JAX source, with its weights
                       and a test
  compare              say where two such recordings, or a recording and a script, part
"""

_HERE = os.path.dirname(os.path.abspath(__file__))
SITE = os.path.join(_HERE, "site")


def main(arguments: list[str] | None = None) -> int:
    """The command line; `arguments` without the program's name.

    Returns:
      The exit status, where the program doesn't exit by itself.
    """
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if arguments and arguments[0] in ("--np", "-np"):
        return _several(arguments[1:])
    profile = None
    if arguments and arguments[0].partition("=")[0] == "--profile":
        profile = arguments.pop(0).partition("=")[2] or "tf1compat_profile.json"
    # By the environment, so that it holds in child processes too.
    while arguments and arguments[0] in ("--integer-gradients", "--tf-version"):
        if arguments.pop(0) == "--integer-gradients":
            os.environ["TF1COMPAT_INTEGER_GRADIENTS"] = "1"
        elif arguments:
            os.environ["TF1COMPAT_TF_VERSION"] = arguments.pop(0)
    if not arguments:
        print(USAGE, end="", file=sys.stderr)
        return 2
    what, *rest = arguments
    if profile is not None:
        from tf1compat.launcher import profile as profile_lib

        profile_lib.start(profile)
    if what in ("-h", "--help"):
        print(USAGE, end="")
    elif what in ("-V", "--version"):
        print(f"tf1compat {tf1compat.__version__} (TensorFlow 1.15.5)")
    elif what == "path":
        print(SITE)
    elif what == "coverage":
        from tf1compat.launcher import coverage

        return _quietly(coverage.main, rest)
    elif what == "report":
        from tf1compat.launcher.report import output

        return _quietly(output.main, rest)
    elif what == "record":
        from tf1compat.launcher import recording

        return recording.record(rest, _run_script)
    elif what == "compare":
        from tf1compat.launcher import recording

        return _quietly(recording.compare, rest)
    elif what == "migrate":
        from tf1compat.launcher import migrating

        return _quietly(lambda rest: migrating.main(rest, _run_script), rest)
    elif what in ("-m", "-c"):
        if not rest:
            print(f"Argument expected for the {what} option\n{USAGE}", end="", file=sys.stderr)
            return 2
        (_run_module if what == "-m" else _run_code)(rest[0], rest[1:])
    elif what.startswith("-") and what != "-":
        print(f"Unknown option: {what}\n{USAGE}", end="", file=sys.stderr)
        return 2
    else:
        _run_script(what, rest)
    return 0


def _several(arguments: list[str]) -> int:
    """Runs a script in several processes; `arguments` begin with their number."""
    from tf1compat.launcher import processes

    count, *rest = arguments or [""]
    if not (count.isdecimal() and int(count) > 0 and rest):
        print(f"--np takes a number of processes and a script\n{USAGE}", end="", file=sys.stderr)
        return 2
    return processes.run(int(count), rest)


def _quietly(command: Callable[[list[str]], int], arguments: list[str]) -> int:
    """Runs a command whose output somebody may stop reading, as `head` does."""
    try:
        status = command(arguments)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _prepare(first_path: str) -> None:
    """Makes this process one in which TF1 scripts run; `first_path` is their `sys.path[0]`."""
    sys.path[0:1] = [first_path, SITE]
    # Children that the program starts find tensorflow too.
    inherited = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = SITE + (os.pathsep + inherited if inherited else "")

    import numpy as np

    from tf1compat.launcher import legacy, sources

    np.set_printoptions(legacy="1.25")  # 5.0, not np.float32(5.0)
    # Scripts turn on INFO for all loggers (tf.app.run does); JAX's notes would be among theirs.
    logging.getLogger("jax").setLevel(logging.WARNING)
    sources.install()
    legacy.install()
    tf1compat.install()


def _run_script(path: str, arguments: list[str]) -> None:
    sys.argv = [path, *arguments]
    if os.path.isdir(path):  # As Python does: the folder's __main__.py, with the folder importable.
        folder, file = os.path.abspath(path), os.path.join(os.path.abspath(path), "__main__.py")
    else:
        folder, file = os.path.dirname(os.path.realpath(path)), os.path.abspath(path)
    try:
        with sys.stdin.buffer if path == "-" else open(file, "rb") as source:
            data = source.read()
    except OSError as error:
        print(
            f"{sys.executable}: can't open file '{file}': [Errno {error.errno}] {error.strerror}",
            file=sys.stderr,
        )
        raise SystemExit(2) from None
    if path == "-":
        folder, file = "", "<stdin>"
    _prepare(folder)
    _run(data, file, __loader__=SourceFileLoader("__main__", file))


def _run_code(code: str, arguments: list[str]) -> None:
    sys.argv = ["-c", *arguments]
    _prepare("")
    _run(code.encode(), "<string>")


def _run_module(name: str, arguments: list[str]) -> None:
    sys.argv = ["-m", *arguments]
    _prepare(os.getcwd())
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and name.startswith("tensorflow."):
            # A module of ours has no source under that name.
            module = importlib.import_module(name)
            # The tools' `main` takes what is parsed already.
            main = getattr(module, "run_main", None) or getattr(module, "main", None)
            if main is not None:
                main()
                return
        if spec is not None and spec.submodule_search_locations is not None:
            spec = importlib.util.find_spec(f"{name}.__main__")
    except ImportError as error:
        print(
            f"{sys.executable}: Error while finding module specification for {name!r} "
            f"({type(error).__name__}: {error})",
            file=sys.stderr,
        )
        raise SystemExit(1) from None
    if spec is None or spec.origin is None or not isinstance(spec.loader, SourceFileLoader):
        print(f"{sys.executable}: No module named {name}", file=sys.stderr)
        raise SystemExit(1)
    sys.argv[0] = spec.origin
    data = spec.loader.get_data(spec.origin)
    _run(data, spec.origin, __spec__=spec, __loader__=spec.loader, __package__=spec.parent)


def _run(data: bytes, file: str, **attributes: Any) -> None:
    """Runs source code as the module `__main__`."""
    from tf1compat.launcher import sources

    module = types.ModuleType("__main__")
    if not file.startswith("<"):
        attributes["__file__"] = file
    vars(module).update(__builtins__=builtins, __annotations__={}, **attributes)
    sys.modules["__main__"] = module
    try:
        in_package = bool(attributes.get("__package__"))
        source = sources.compile_source(data, file, in_package)
        sources.Loader.assume_python2 = source.builtins is not None
        source.run(vars(module))
    except SystemExit:
        raise
    except BaseException as error:
        _report_and_exit(error)


def _report_and_exit(error: BaseException) -> NoReturn:
    """Ends the process as an uncaught exception does, without showing the launcher's frames."""
    from tf1compat.launcher import hints

    seen: BaseException | None = error
    while seen is not None:
        seen.__traceback__ = _without_launcher(seen.__traceback__)
        seen = seen.__cause__ or seen.__context__
    advice = hints.advice(error)
    if advice is not None:
        error.add_note(f"tf1compat: {advice}")
    sys.excepthook(type(error), error, error.__traceback__)
    if isinstance(error, KeyboardInterrupt) and os.name == "posix":
        # So that the shell sees a program stopped by Ctrl-C.
        sys.stdout.flush()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    raise SystemExit(1)


def _without_launcher(traceback: types.TracebackType | None) -> types.TracebackType | None:
    frames = []
    while traceback is not None:
        file = traceback.tb_frame.f_code.co_filename
        if not os.path.dirname(file).startswith(_HERE) and not file.startswith("<frozen importlib"):
            frames.append(traceback)
        traceback = traceback.tb_next
    result = None
    for found in reversed(frames):
        found.tb_next = result  # Not a new one, which must have a line: not all code has.
        result = found
    return result
