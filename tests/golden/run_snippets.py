"""Runs scripts by the launcher, each in a process forked from one that has imported everything.

    python run_snippets.py FOLDER script …

What a script prints is left in FOLDER/<name>.out, what goes to its standard error in
FOLDER/<name>.err.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
import traceback

SECONDS = 120


def run(path, folder):
    """Runs one script as `python -m tf1compat path` would; called in the forked child."""
    stem = os.path.join(folder, os.path.splitext(os.path.basename(path))[0])
    for number, suffix in ((1, ".out"), (2, ".err")):
        target = os.open(stem + suffix, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(target, number)
    signal.alarm(SECONDS)
    sys.argv = ["tf1compat", path]
    try:
        runpy.run_module("tf1compat", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if end.code:
            print("exit code", end.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def main():
    from tf1compat import namespace

    namespace.tensorflow()
    folder, paths = sys.argv[1], sys.argv[2:]
    running = 0
    for path in paths:
        if running >= (os.cpu_count() or 1):
            os.wait()
            running -= 1
        if os.fork() == 0:
            run(path, folder)
        running += 1
    while running:
        os.wait()
        running -= 1


if __name__ == "__main__":
    main()
