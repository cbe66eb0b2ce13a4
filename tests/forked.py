"""Runs `python -m tf1compat …` in processes forked from one that has imported everything: importing
takes longer than most scripts that tests run.

What is asked of the process that forks, and what it answers, are lines of JSON.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
_TIER = "TF1COMPAT_TIER"  # Is read when tf1compat is imported.


def launch(
    *arguments: Any, cwd: str | Path | None = None, **env: str
) -> subprocess.CompletedProcess[str]:
    """Does what `subprocess.run` of `python -m tf1compat` does, and gives what that gives.

    Args:
      arguments: of tf1compat: a script and its own, as a rule.
      cwd: the folder it runs in; None: this process's.
      env: the variables of its environment that are not this process's.
    """
    command = ["tf1compat", *map(str, arguments)]
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder) / name) for name in ("out", "err")]
        asked = {
            "command": command,
            "cwd": str(cwd or Path.cwd()),
            "env": os.environ | {"PYTHONPATH": str(ROOT)} | env,
            "files": files,
        }
        server = _server((os.environ | env).get(_TIER))
        server.stdin.write(json.dumps(asked) + "\n")
        server.stdin.flush()
        code = int(server.stdout.readline())
        return subprocess.CompletedProcess(
            command, code, *(Path(name).read_text(encoding="utf-8") for name in files)
        )


@functools.cache
def _server(tier: str | None) -> Any:
    """The process that forks those of a tier; it ends with this one."""
    env = os.environ | {"PYTHONPATH": str(ROOT)} | ({_TIER: tier} if tier else {})
    pipe = subprocess.PIPE
    command = [sys.executable, "-W", "ignore", __file__]
    server = subprocess.Popen(command, env=env, stdin=pipe, stdout=pipe, text=True)
    atexit.register(_end, server)
    return server


def _end(server: Any) -> None:
    server.stdin.close()
    server.wait()
    server.stdout.close()


def _serve() -> dict[str, Any] | None:
    """Forks for whatever is asked; what is asked of a process is returned in that process."""
    asked, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for line in iter(asked.readline, ""):
        child = os.fork()
        if child == 0:
            asked.close()
            answers.close()
            return json.loads(line)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), file=answers, flush=True)
    return None


def _become(command: Sequence[str], cwd: str, env: dict[str, str], files: Sequence[str]) -> None:
    """Is the process that was asked for, from here to its end."""
    for number, name in enumerate(files, start=1):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT), number)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    sys.path[0] = cwd
    sys.path[1:1] = [path for path in env["PYTHONPATH"].split(os.pathsep) if path not in sys.path]
    sys.argv = list(command)
    runpy.run_module("tf1compat", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    import jax  # noqa: F401

    from tf1compat import namespace

    namespace.tensorflow()
    if (process := _serve()) is not None:
        _become(**process)
