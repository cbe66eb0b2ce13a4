"""Files to download, and data that is made in the background
(`tensorflow.python.keras.utils.data_utils`)."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import inspect
import multiprocessing
import os
import queue
import random
import shutil
import tarfile
import threading
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from multiprocessing.pool import ThreadPool
from typing import Any

import numpy as np

from tf1compat.api.keras.utils.progbar import Progbar
from tf1compat.core.export import tf_export

_KINDS = {
    "tar": (tarfile.is_tarfile, tarfile.open),
    "zip": (zipfile.is_zipfile, zipfile.ZipFile),
}


def is_generator_or_sequence(x: Any) -> bool:
    """Whether it is a generator or a `Sequence`."""
    return inspect.isgenerator(x) or isinstance(x, Sequence)


# Files.


def _extract_archive(file_path: str, path: str = ".", archive_format: Any = "auto") -> bool:
    """Unpacks an archive; whether it is one."""
    if archive_format is None:
        return False
    if archive_format == "auto":
        archive_format = ["tar", "zip"]
    for kind in [archive_format] if isinstance(archive_format, str) else archive_format:
        is_kind, opened = _KINDS[kind]
        if not is_kind(file_path):
            continue
        with opened(file_path) as archive:
            try:
                if kind == "tar":
                    archive.extractall(path, filter="data")  # pyright: ignore
                else:
                    archive.extractall(path)
            except (tarfile.TarError, RuntimeError, KeyboardInterrupt):
                if os.path.isfile(path):
                    os.remove(path)
                elif os.path.exists(path):
                    shutil.rmtree(path)
                raise
        return True
    return False


@tf_export("keras.utils.get_file")
def get_file(
    fname: str, origin: str, untar: bool = False, md5_hash: Any = None, file_hash: Any = None,
    cache_subdir: str = "datasets", hash_algorithm: str = "auto", extract: bool = False,
    archive_format: Any = "auto", cache_dir: Any = None,
) -> str:  # fmt: skip
    """The path of a file, which is downloaded if it is not there yet.

    Args:
      fname: its name.
      origin: its URL.
      untar: whether to unpack it, as "<fname>.tar.gz".
      md5_hash, file_hash: what its contents must be.
      cache_subdir: the folder in `cache_dir` that it comes to.
      hash_algorithm: "auto", "md5" or "sha256".
      extract: whether to unpack it.
      archive_format: "auto", "tar", "zip", or None.
      cache_dir: "~/.keras" by default.

    Returns:
      A path.

    Raises:
      Exception: it can't be downloaded.
    """
    if cache_dir is None:
        cache_dir = os.path.join(os.path.expanduser("~"), ".keras")
    if md5_hash is not None and file_hash is None:
        file_hash, hash_algorithm = md5_hash, "md5"
    base = os.path.expanduser(cache_dir)
    if not os.access(base, os.W_OK):
        base = os.path.join("/tmp", ".keras")
    folder = os.path.join(base, cache_subdir)
    os.makedirs(folder, exist_ok=True)
    unpacked = os.path.join(folder, fname)
    path = unpacked + ".tar.gz" if untar else unpacked
    missing = not os.path.exists(path)
    if (
        not missing
        and file_hash is not None
        and not validate_file(path, file_hash, algorithm=hash_algorithm)
    ):
        print(
            "A local file was found, but it seems to be incomplete or outdated because the "
            f"{hash_algorithm} file hash does not match the original value of {file_hash} so we "
            "will re-download the data."
        )
        missing = True
    if missing:
        print("Downloading data from", origin)
        _download(origin, path)
    if untar:
        if not os.path.exists(unpacked):
            _extract_archive(path, folder, "tar")
        return unpacked
    if extract:
        _extract_archive(path, folder, archive_format)
    return path


def _download(origin: str, path: str) -> None:
    progbar: Any = None

    def progress(count: int, block_size: int, total_size: int) -> None:
        nonlocal progbar
        if progbar is None:
            progbar = Progbar(None if total_size == -1 else total_size)
        else:
            progbar.update(count * block_size)

    try:
        try:
            urllib.request.urlretrieve(origin, path, progress)
        except urllib.error.HTTPError as e:
            raise Exception(f"URL fetch failure on {origin}: {e.code} -- {e.msg}") from None
        except urllib.error.URLError as e:
            raise Exception(
                f"URL fetch failure on {origin}: {e.errno} -- {e.reason}\nWithout access to it, "
                f"put a copy of that file at {path}, where it is looked for first."
            ) from None
    except (Exception, KeyboardInterrupt):
        if os.path.exists(path):
            os.remove(path)
        raise


def _hash_file(fpath: str, algorithm: str = "sha256", chunk_size: int = 65535) -> str:
    hasher = hashlib.sha256() if algorithm == "sha256" else hashlib.md5()
    with open(fpath, "rb") as file:
        while chunk := file.read(chunk_size):
            hasher.update(chunk)
    return hasher.hexdigest()


def validate_file(
    fpath: str, file_hash: str, algorithm: str = "auto", chunk_size: int = 65535
) -> bool:
    """Whether a file has the contents of a hash."""
    sha256 = algorithm == "sha256" or (algorithm == "auto" and len(file_hash) == 64)
    return _hash_file(fpath, "sha256" if sha256 else "md5", chunk_size) == str(file_hash)


# Data.


@tf_export("keras.utils.Sequence")
class Sequence:
    """Base class of data sets that are lists of batches: `__getitem__` and `__len__`."""

    def __getitem__(self, index: int) -> Any:
        """A batch."""
        raise NotImplementedError

    def __len__(self) -> int:
        """The number of batches."""
        raise NotImplementedError

    def on_epoch_end(self) -> None:
        """Called when all batches have been used."""

    def __iter__(self) -> Iterator[Any]:
        """All batches, once."""
        for i in range(len(self)):
            yield self[i]


def iter_sequence_infinite(seq: Any) -> Iterator[Any]:
    """The batches of a sequence, again and again."""
    while True:
        yield from seq


# What the workers of other processes know: uid -> sequence or generator.
_shared: dict[int, Any] = {}
_pools: list[Any] = []
_uids = iter(range(1 << 62))


@tf_export("keras.experimental.terminate_keras_multiprocessing_pools")
def terminate_keras_multiprocessing_pools(
    grace_period: float = 0.1, use_sigkill: bool = False
) -> list[str]:
    """Ends the processes that make data.

    Args:
      grace_period: how long to wait for them, in seconds.
      use_sigkill: whether to kill those that don't end.

    Returns:
      What is still there.
    """
    workers = [worker for pool in _pools for worker in getattr(pool, "_pool", ()) or ()]
    for pool in _pools:
        pool.close()
        pool.terminate()
    _pools.clear()
    for worker in workers:
        worker.join(grace_period)
        if worker.is_alive() and use_sigkill:
            worker.kill()
            worker.join(grace_period)
    return [
        f"worker still alive: {worker.name}, pid={worker.pid}, hash={hash(worker)}"
        for worker in workers
        if worker.is_alive()
    ]


@functools.cache
def get_worker_id_queue() -> Any:
    """The queue into which processes put their ids when they become workers."""
    return multiprocessing.Queue()


def init_pool(seqs: Any) -> None:
    """Says what a worker knows.

    Args:
      seqs: sequences or generators, by uid.
    """
    global _shared
    _shared = seqs


def init_pool_generator(gens: Any, random_seed: int | None = None, id_queue: Any = None) -> None:
    """Makes a process a worker of its own seed.

    Args:
      gens: what it knows, by uid.
      random_seed: NumPy's seed, to which its id is added; None to leave NumPy's generator.
      id_queue: a queue into which its id is put.
    """
    _share(gens, random_seed)
    if id_queue is not None:
        id_queue.put(multiprocessing.current_process().ident, block=True, timeout=0.1)


def _share(shared: Any, random_seed: Any = None) -> None:
    """Makes a process a worker."""
    init_pool(shared)
    process = multiprocessing.current_process()
    process.name = f"Keras_worker_{process.name}"
    if random_seed is not None:
        np.random.seed(random_seed + process.ident)


def get_index(uid: int, i: int) -> Any:
    """Batch `i` of a shared sequence."""
    return _shared[uid][i]


def next_sample(uid: int) -> Any:
    """What a shared generator yields next."""
    return next(_shared[uid])


@tf_export("keras.utils.SequenceEnqueuer")
class SequenceEnqueuer:
    """Base class of what makes batches in the background.

    Args:
      sequence: a `Sequence` or generator.
      use_multiprocessing: whether in processes, rather than threads.
    """

    random_seed: Any = None

    def __init__(self, sequence: Any, use_multiprocessing: bool = False):
        self.sequence = sequence
        self.use_multiprocessing = use_multiprocessing
        self.uid = next(_uids)
        self.workers = 0
        self.executor_fn: Any = None
        self.queue: Any = None
        self.run_thread: Any = None
        self.stop_signal: Any = None

    def is_running(self) -> bool:
        """Whether it has been started and not stopped."""
        return self.stop_signal is not None and not self.stop_signal.is_set()

    def start(self, workers: int = 1, max_queue_size: int = 10) -> None:
        """Begins to make batches.

        Args:
          workers: the number of threads or processes.
          max_queue_size: how many batches may be ready.
        """
        if self.use_multiprocessing:
            self.executor_fn = self._processes(workers)
        else:
            self.executor_fn = lambda _: ThreadPool(workers)
        self.workers = workers
        self.queue = queue.Queue(max_queue_size)
        self.stop_signal = threading.Event()
        self.run_thread = threading.Thread(target=self._run, daemon=True)
        self.run_thread.start()

    def _processes(self, workers: int) -> Callable[[Any], Any]:
        def made(shared: Any) -> Any:
            pool = multiprocessing.Pool(
                workers, initializer=_share, initargs=(shared, self.random_seed)
            )
            _pools.append(pool)
            return pool

        return made

    def _send_sequence(self) -> None:
        _shared[self.uid] = self.sequence

    def stop(self, timeout: Any = None) -> None:
        """Ends; waits at most `timeout` seconds."""
        self.stop_signal.set()
        with self.queue.mutex:
            self.queue.queue.clear()
            self.queue.unfinished_tasks = 0
            self.queue.not_full.notify()
        self.run_thread.join(timeout)
        _shared[self.uid] = None

    def __del__(self) -> None:
        if self.is_running():
            self.stop()

    def _run(self) -> None:
        raise NotImplementedError

    def get(self) -> Iterator[Any]:
        """The batches, as they are ready."""
        raise NotImplementedError


@tf_export("keras.utils.OrderedEnqueuer")
class OrderedEnqueuer(SequenceEnqueuer):
    """Makes the batches of a `Sequence` in the background, in order.

    Args:
      sequence: the sequence.
      use_multiprocessing: whether in processes, rather than threads.
      shuffle: whether batches change places for each epoch.
    """

    def __init__(self, sequence: Any, use_multiprocessing: bool = False, shuffle: bool = False):
        super().__init__(sequence, use_multiprocessing)
        self.shuffle = shuffle

    def _wait_queue(self) -> None:
        while self.queue.unfinished_tasks and not self.stop_signal.is_set():
            time.sleep(0.01)

    def _run(self) -> None:
        order = list(range(len(self.sequence)))
        self._send_sequence()
        while self._run_epoch(order):
            self.sequence.on_epoch_end()
            self._send_sequence()

    def _run_epoch(self, order: list[int]) -> bool:
        """Makes the batches of an epoch; whether there is to be another one."""
        if self.shuffle:
            random.shuffle(order)
        with contextlib.closing(self.executor_fn(_shared)) as executor:
            for i in order:
                if self.stop_signal.is_set():
                    return False
                self.queue.put(executor.apply_async(get_index, (self.uid, i)), block=True)
            self._wait_queue()
        return not self.stop_signal.is_set()

    def get(self) -> Iterator[Any]:
        """The batches, as they are ready."""
        try:
            while self.is_running():
                inputs = self.queue.get(block=True).get()
                self.queue.task_done()
                if inputs is not None:
                    yield inputs
        except Exception:
            self.stop()
            raise


@tf_export("keras.utils.GeneratorEnqueuer")
class GeneratorEnqueuer(SequenceEnqueuer):
    """Runs a generator in the background.

    Args:
      sequence: the generator.
      use_multiprocessing: whether in processes, rather than threads.
      random_seed: of the processes.
    """

    def __init__(self, sequence: Any, use_multiprocessing: bool = False, random_seed: Any = None):
        super().__init__(sequence, use_multiprocessing)
        self.random_seed = random_seed

    def _run(self) -> None:
        self._send_sequence()
        with contextlib.closing(self.executor_fn(_shared)) as executor:
            while not self.stop_signal.is_set():
                self.queue.put(executor.apply_async(next_sample, (self.uid,)), block=True)

    def get(self) -> Iterator[Any]:
        """What the generator yields, as it is ready."""
        while self.is_running():
            try:
                inputs = self.queue.get(block=True).get()
            except StopIteration:
                break
            except Exception as error:
                self.stop()
                if "generator already executing" in str(error):
                    raise RuntimeError(
                        "Your generator is NOT thread-safe. Keras requires a thread-safe generator "
                        "when `use_multiprocessing=False, workers > 1`. "
                    ) from None
                raise
            self.queue.task_done()
            if inputs is not None:
                yield inputs
        else:
            return
        last = []
        while self.queue.qsize() > 0:
            last.append(self.queue.get(block=True))
        for made in last:
            made.wait()
        for made in last:
            if made.successful() and made.get() is not None:
                yield made.get()
