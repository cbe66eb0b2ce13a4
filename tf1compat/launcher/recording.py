"""`python -m tf1compat record`, `python -m tf1compat compare`."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable


def record(arguments: list[str], run_script: Callable[[str, list[str]], None]) -> int:
    """Records a script.

    Args:
      arguments: the command line.
      run_script: runs a script with its arguments.
    """
    from tf1compat.core import tensor_proto
    from tf1compat.migrate import recorder
    from tf1compat.runtime.session import BaseSession

    options = recorder.parser("python -m tf1compat record").parse_args(arguments)
    header = {"tensorflow": "tf1compat", "argv": [options.script, *options.arguments]}
    made = recorder.Recorder(
        options.output, tensor_proto.make_ndarray, options.tensors, options.every, header
    )
    made.attach(BaseSession)
    try:
        run_script(options.script, options.arguments)
    finally:
        made.close()
    return 0


def compare(arguments: list[str]) -> int:
    """Compares a recording with another, or with a run of a script here.

    Returns:
      0 if they are the same; 1 if they differ; 2 if one can't be read.
    """
    from tf1compat.migrate import compare_report
    from tf1compat.migrate.compare import compare
    from tf1compat.migrate.recording import read

    parser = argparse.ArgumentParser(
        prog="python -m tf1compat compare",
        description="Says where two runs of a TF1 program part.",
    )
    parser.add_argument("first", help="a recording")
    parser.add_argument("--rtol", type=float, default=1e-4, help="the tolerance (1e-4)")
    parser.add_argument("--html", metavar="FILE", help="write a page with the curves too")
    parser.add_argument("second", help="a recording, or a script to run here")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="the script's arguments")
    options = parser.parse_args(arguments)
    try:
        wanted = read(options.first)
        if options.second.endswith(".tfrec"):
            found = read(options.second)
        else:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "run.tfrec")
                command = [sys.executable, "-m", "tf1compat", "record", "-o", path]
                for name in ("tensors", "every"):
                    command += [f"--{name}", str(wanted.about[name])]
                done = subprocess.run([*command, options.second, *options.arguments])
                if done.returncode:
                    print(f"{options.second} ended with status {done.returncode}", file=sys.stderr)
                found = read(path)
    except (OSError, ValueError) as error:
        print(f"tf1compat compare: {error}", file=sys.stderr)
        return 2
    comparison = compare(wanted, found, options.rtol)
    print(compare_report.as_text(comparison, wanted, found), end="")
    if options.html:
        with open(options.html, "w", encoding="utf-8") as file:
            file.write(compare_report.as_html(comparison, wanted, found))
    return int(not comparison.same)
