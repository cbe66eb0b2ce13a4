"""Compiled programs on disk: a later process loads what an earlier one compiled.

JAX's own cache is one setting for the whole process: switching it on would also cache what the user
compiles with JAX, and fix the folder for good. So the compiled programs of sessions, and only
these, are kept here through `jax.experimental.serialize_executable`; where the user has given JAX a
cache, it is left to JAX. Measured on a CPU: 3 ms to load a small program that takes 80 ms to
compile.

The folder is `tf1compat` in the user's cache folder; the environment variable TF1COMPAT_CACHE_DIR
names another one, or is `off`. A program in it is code, so a folder or file that others can write
is not used.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import os
import platform
import stat
import sys
import tempfile
import threading
import warnings
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import jaxlib.version
from jax.experimental import serialize_executable

_logger = logging.getLogger("tf1compat")

VARIABLE = "TF1COMPAT_CACHE_DIR"
# When the folder has grown past this, what was not used for longest goes, down to half of it.
LIMIT_BYTES = 2 << 30
_SUFFIX = ".xla"

_pruned: set[Path] = set()
_said: set[str] = set()
_lock = threading.Lock()


def compiled(traced: Any, devices: Sequence[Any] = ()) -> Any:
    """The executable of a traced program, from the folder if it is there.

    Args:
      traced: what `jax.jit(f, keep_unused=True).trace(...)` gives. All arguments are kept, because
        the text of a program does not say which ones were dropped.
      devices: those that it is for, if it is for several.

    Returns:
      A callable with the arguments of `f`. It refuses other shapes and dtypes with a TypeError.
    """
    lowered = traced.lower()
    device: Any = jnp.zeros(()).device
    options = _options() if device.platform == "cpu" else {}
    make = functools.partial(_made, lowered, options)
    folder = cache_folder()
    if folder is None or (devices and not lowered.in_tree.num_leaves):
        # Without arguments JAX takes what it loads to be for one device.
        return make()
    text = lowered.as_text()
    if "callback" in text:
        # The program holds the address of a Python function of this process.
        return make()
    if _open_to_others(folder):
        return make()
    devices = devices or [device]
    path = folder / (_key(text, devices, options) + _SUFFIX)
    found = _load(path, lowered, devices)
    if found is None:
        found = make()
        _store(path, found)
    return found


def cache_folder() -> Path | None:
    """The folder of the compiled programs, or None where they are not kept by us."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return None if chosen.lower() == "off" else Path(chosen).expanduser()
    config: Any = jax.config
    if config.jax_compilation_cache_dir or not config.jax_enable_compilation_cache:
        return None
    return _user_folder()


def _user_folder() -> Path | None:
    root = os.environ.get("XDG_CACHE_HOME")
    if not root and sys.platform == "win32":
        root = os.environ.get("LOCALAPPDATA")
    try:
        if not root:
            home = Path.home()
            root = home / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    except RuntimeError:  # a user without a home
        return None
    return Path(root) / "tf1compat"


def _options() -> dict[str, Any]:
    """What XLA is told of programs for a CPU, where the user's flags do not say it.

    `lax.optimization_barrier` is kept to the end, so that what it holds is computed once: else XLA
    forgets it before it fuses.
    """
    name = "xla_disable_hlo_passes"
    return {} if name in os.environ.get("XLA_FLAGS", "") else {name: "cse_barrier_expander"}


def _made(lowered: Any, options: dict[str, Any]) -> Any:
    try:
        return lowered.compile(options)
    except jax.errors.JaxRuntimeError as error:
        if "No such compile option" not in str(error):
            raise
        return lowered.compile()  # Another version of XLA, which is not told so.


def _key(text: str, devices: Sequence[Any], options: dict[str, Any]) -> str:
    """A name for what XLA would make: of the program, the versions, the device and the flags.

    How arguments and results are nested is no part of it: XLA knows flat lists, which the text
    describes, and a program is loaded with the nesting that it is wanted with.
    """
    device = devices[0]
    parts = (
        text,
        jax.__version__,
        jaxlib.version.__version__,
        device.client.platform_version,
        device.device_kind,
        " ".join(str(device.id) for device in devices),
        repr(options),
        os.environ.get("XLA_FLAGS", ""),
        os.environ.get("LIBTPU_INIT_ARGS", ""),
        _processor(),
    )
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode())
        digest.update(b"\0")
    return digest.hexdigest()


@functools.cache
def _processor() -> str:
    """The processor with its instruction sets: machine code for one need not run on another."""
    name = f"{platform.machine()} {platform.processor()}"
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return name
    facts = {line for line in lines if line.startswith(("flags", "Features", "model name"))}
    return "\n".join([name, *sorted(facts)])


def _load(path: Path, lowered: Any, devices: Sequence[Any]) -> Any:
    """The executable in a file; None if there is none that can be used."""
    try:
        with open(path, "rb") as file:
            if _is_open_to_others(os.fstat(file.fileno())):
                _warn_of_others(path)
                return None
            content = file.read()
    except OSError:
        return None
    try:
        found = serialize_executable.deserialize_and_load(
            zlib.decompress(content),
            lowered.in_tree,
            lowered.out_tree,
            backend=devices[0].client,
            execution_devices=devices,
        )
    except Exception:
        # Cut short by a full disk, or of a build of jaxlib that shares its version with ours: the
        # new one takes its place.
        return None
    try:
        os.utime(path)
    except OSError:
        pass
    return found


def _open_to_others(folder: Path) -> bool:
    """Whether somebody else could put code into the folder; says so, if it is the case."""
    try:
        is_open = _is_open_to_others(folder.stat())
    except OSError:  # There is none yet.
        return False
    if is_open:
        _warn_of_others(folder)
    return is_open


def _is_open_to_others(status: os.stat_result) -> bool:
    if os.name != "posix":
        return False
    writable = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return bool(writable) or status.st_uid != os.geteuid()


def _warn_of_others(path: Path) -> None:
    if _once(f"others: {path}"):
        warnings.warn(
            f"Compiled programs in {path} are not used: it belongs to another user, or others can "
            f"write to it, and what it holds is run as code. `chmod go-w {path}` closes it; "
            f"{VARIABLE} names another folder, or is `off`.",
            stacklevel=3,
        )


def _once(message: str) -> bool:
    """Whether this is the first time in this process."""
    with _lock:
        new = message not in _said
        _said.add(message)
    return new


def _store(path: Path, executable: Any) -> None:
    """Keeps an executable, unless it can't be kept: speed is all that is lost."""
    try:
        content = zlib.compress(serialize_executable.serialize(executable)[0], 1)
    except Exception as error:  # What can't be serialised says so in many ways: MemoryError, too.
        if _once("serialize"):
            _logger.debug("A compiled program can't be kept: %r", error)
        return
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write(path, content)
        _prune(path.parent)
    except OSError as error:
        if os.environ.get(VARIABLE):
            warnings.warn(
                f"Compiled programs are not kept in {path.parent} ({VARIABLE}): {error}",
                stacklevel=2,
            )


def _write(path: Path, content: bytes) -> None:
    """Writes a file that other processes see whole or not at all."""
    number, name = tempfile.mkstemp(dir=path.parent, prefix="new-")
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _prune(folder: Path) -> None:
    """Once a process: deletes what was not used for longest, if the folder is too large."""
    with _lock:
        if folder in _pruned:
            return
        _pruned.add(folder)
    found = []
    for entry in os.scandir(folder):
        try:
            status = entry.stat()
        except OSError:  # another process deleted it
            continue
        found.append((status.st_mtime, status.st_size, entry.path))
    total = sum(size for _, size, _ in found)
    if total <= LIMIT_BYTES:
        return
    for _, size, name in sorted(found):
        if total <= LIMIT_BYTES // 2:
            return
        try:
            os.unlink(name)
        except OSError:
            continue
        total -= size
