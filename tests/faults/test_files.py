"""Files with mistakes in them, and writers that are killed or find no room."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import mutations
import numpy as np
import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
# Files of each kind that are read; with --faults-long.
QUICK, LONG = 60, 12_000


def _python(*args: Any, **more: Any) -> subprocess.Popen:
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    env = {**os.environ, "PYTHONPATH": path, "TF1COMPAT_TIER": "host", **more.pop("env", {})}
    command = [sys.executable, "-W", "ignore", *map(str, args)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env, **more)


def test_mutations(tmp_path: Path, long: bool) -> None:
    """A clean error or the right answer: no crash, no hang, no memory without bound."""
    count = LONG if long else QUICK
    process = _python(HERE / "mutations.py", ",".join(mutations.KINDS), count, 1, tmp_path)
    text, _ = process.communicate(timeout=3600 if long else 300)
    assert process.returncode == 0, f"the reader ends with {process.returncode}"
    for kind, result in json.loads(text).items():
        assert not result["bad"], kind
        counts = result["counts"]
        assert sum(counts.get(how, 0) for how in ("refused", "read", mutations.OF_HDF5)) == count


_WRITERS = {
    "saver": """
v = tf.Variable(np.zeros(200000), name="v")
put = tf.assign(v, tf.placeholder(tf.float64, [200000], "x"))
saver, session = tf.train.Saver(max_to_keep=3), tf.Session()
def write(i):
    session.run(put, {"x:0": np.full(200000, i)})
    saver.save(session, "model", i, write_meta_graph=False)
""",
    "object": """
v = tf.Variable(np.zeros(200000), name="v")
put = tf.assign(v, tf.placeholder(tf.float64, [200000], "x"))
session = tf.Session(); saver = tf.train.Checkpoint(v=v)
def write(i):
    session.run(put, {"x:0": np.full(200000, i)}); saver.save("model", session=session)
""",
    "events": """
writer = tf.summary.FileWriter(".")
def write(i):
    value = tf.Summary.Value(tag="loss", simple_value=i)
    writer.add_summary(tf.Summary(value=[value]), i); writer.flush()
""",
    "saved_model": """
v = tf.Variable(np.zeros(200000), name="v")
put = tf.assign(v, tf.placeholder(tf.float64, [200000], "x"))
session = tf.Session()
def write(i):
    session.run(put, {"x:0": np.full(200000, i)})
    tf.saved_model.simple_save(session, f"model/{i}", {"v": v}, {"v": v})
""",
    "cache": """
import jax
from pathlib import Path
from tf1compat.runtime.compile import cache
program = jax.jit(lambda x: x * 2 + 1).lower(1.0).compile()
def write(i):
    cache._store(Path(f"cache/{i}"), program)
""",
}


def _latest(tf: Any, kind: str, folder: Path) -> int:
    """The number of the newest content that can be read; what is incomplete ends the events."""
    if kind == "events":
        (path,) = folder.glob("events.*")
        steps = []
        try:
            for event in tf.train.summary_iterator(str(path)):
                steps += [event.step] if event.HasField("summary") else []
        except tf.errors.DataLossError:
            pass
        assert steps == list(range(len(steps)))
        return len(steps) - 1
    if kind == "saved_model":
        whole = [path for path in folder.glob("model/*") if (path / "saved_model.pb").exists()]
        return max(_loaded_model(tf, path) for path in whole)
    if kind == "cache":
        whole = [path for path in folder.glob("cache/*") if path.name.isdigit()]
        return max(_loaded_program(path) for path in whole)
    newest = tf.train.latest_checkpoint(str(folder))
    reader = tf.train.NewCheckpointReader(newest)
    name = "v" if kind == "saver" else "v/.ATTRIBUTES/VARIABLE_VALUE"
    value = reader.get_tensor(name)
    assert (value == value[0]).all()
    return int(value[0])


def _loaded_model(tf: Any, path: Path) -> int:
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.saved_model.loader.load(session, ["serve"], str(path))
        value = session.run(graph.get_tensor_by_name("v:0"))
    assert (value == int(path.name)).all()
    return int(path.name)


def _loaded_program(path: Path) -> int:
    import jax

    from tf1compat.runtime.compile import cache

    lowered = jax.jit(lambda x: x * 2 + 1).lower(1.0)
    program = cache._load(path, lowered, jax.devices()[:1])
    assert program is not None and program(3.0) == 7.0
    return int(path.name)


# Forks a writer for each folder, kills it some seconds after it wrote twice, and prints what it
# wrote last.
_KILLED = """
import os, signal, sys, time
import numpy as np
from tf1compat import namespace
tf = namespace.tensorflow()
for folder, seconds in zip(sys.argv[1::2], sys.argv[2::2]):
    os.mkdir(folder)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.chdir(folder)
        {writer}
        for i in range(10**6):
            write(i)
            os.write(writing, b"%d\\n" % i)
    os.close(writing)
    with open(reading) as said:
        last = [said.readline() for _ in range(2)]
        time.sleep(float(seconds))
        os.kill(child, signal.SIGKILL)
        last += said.read().split()
    os.waitpid(child, 0)
    print(int(last[-1]), flush=True)
"""


@pytest.mark.parametrize("kind", _WRITERS)
def test_killed_writer(tf: Any, kind: str, tmp_path: Path, long: bool) -> None:
    """Whenever a writer is killed, the newest complete content is there."""
    random = np.random.RandomState(len(kind))
    folders = [tmp_path / str(turn) for turn in range(100 if long else 1)]
    script = _KILLED.format(writer=textwrap.indent(_WRITERS[kind].strip(), " " * 8).lstrip())
    turns = [part for folder in folders for part in (folder, random.uniform(0, 0.1))]
    with _python("-c", script, *turns, cwd=tmp_path) as process:
        assert process.stdout is not None
        for folder in folders:
            last = int(process.stdout.readline())
            assert _latest(tf, kind, folder) >= last, "something complete is lost"
            shutil.rmtree(folder)
    assert process.returncode == 0


# In front of a script: its files may have so many bytes.
_LIMITED = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))
"""


_SAVE = """
import numpy as np
from tf1compat import namespace
tf = namespace.tensorflow()
v = tf.Variable(np.ones(200000), name="v")
session = tf.Session(); session.run(v.initializer)
try:
    tf.train.Saver().save(session, {path!r})
    print("saved")
except (tf.errors.OpError, OSError, ValueError) as error:
    print(type(error).__name__)
    assert not isinstance(error, tf.errors.OutOfRangeError) or error.message.startswith({path!r})
print(session.run(v)[0])
"""


@pytest.mark.parametrize(
    ("path", "limit", "expected"),
    [
        ("model", 100_000, {"OutOfRangeError"}),
        ("/proc/model", None, {"ValueError", "NotFoundError", "PermissionDeniedError"}),
        ("gone/model", None, {"saved"}),
    ],
    ids=["no_room", "read_only", "no_folder"],
)
def test_no_place_to_save(tmp_path: Path, path: str, limit: int | None, expected: set) -> None:
    """A clean error, and the session goes on."""
    before = "" if limit is None else _LIMITED.format(size=limit)
    process = _python("-c", before + _SAVE.format(path=path), cwd=tmp_path)
    text, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    said, value = text.split()
    assert said in expected and value == "1.0"
    assert not list(tmp_path.glob("*.index")) and not list(tmp_path.glob("*.tempstate*"))


@pytest.mark.parametrize("case", ["no_home", "open_to_all", "read_only", "no_room"])
def test_cache_folder(tmp_path: Path, case: str) -> None:
    """Wherever compiled programs can't be kept, programs are compiled and run."""
    folder = tmp_path / "cache"
    folder.mkdir()
    env, before = {"TF1COMPAT_CACHE_DIR": str(folder)}, ""
    if case == "no_home":
        env = {"HOME": "/nonexistent", "XDG_CACHE_HOME": "", "TF1COMPAT_CACHE_DIR": ""}
    elif case == "open_to_all":
        folder.chmod(0o777)
    elif case == "read_only":
        env["TF1COMPAT_CACHE_DIR"] = "/proc/cache"
    else:
        before = _LIMITED.format(size=1000)
    script = (
        "from tf1compat import namespace\ntf = namespace.tensorflow()\n"
        "print(tf.Session().run(tf.constant(1) + tf.placeholder_with_default(2, [])))"
    )
    process = _python("-c", before + script, cwd=tmp_path, env={**env, "TF1COMPAT_TIER": "xla"})
    text, _ = process.communicate(timeout=60)
    assert process.returncode == 0 and text.split() == ["3"]
    if case != "no_home":
        assert not list(folder.iterdir())
