"""Files as `tf.gfile` and `tf.io.gfile` offer them: plain files of the operating system, TF's
errors.

The functions of `tf.gfile` and those of `tf.io.gfile` differ in the names of their parameters only.
"""

from __future__ import annotations

import binascii
import errno
import fnmatch
import os
import re
import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tf1compat.api.util.compat import as_bytes, as_str_any
from tf1compat.api.util.deprecation import deprecated_args
from tf1compat.core import errors
from tf1compat.core.export import tf_export
from tf1compat.core.file_names import local
from tf1compat.core.typing import Name

_MODES = ("r", "w", "a", "r+", "w+", "a+")
_BLOCK = 16 * 1024 * 1024

# TF's class for what the operating system says; anything else is UnknownError.
_ERRORS: dict[int, type] = {
    **dict.fromkeys(
        (errno.EINVAL, errno.ENAMETOOLONG, errno.E2BIG, errno.EDESTADDRREQ, errno.EDOM),
        errors.InvalidArgumentError,
    ),
    **dict.fromkeys((errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.ESRCH), errors.NotFoundError),
    **dict.fromkeys((errno.EEXIST, errno.EADDRNOTAVAIL, errno.EALREADY), errors.AlreadyExistsError),
    **dict.fromkeys((errno.EPERM, errno.EACCES, errno.EROFS), errors.PermissionDeniedError),
    **dict.fromkeys(
        (errno.ENOTEMPTY, errno.EISDIR, errno.ENOTDIR, errno.EADDRINUSE, errno.EBADF, errno.EBUSY),
        errors.FailedPreconditionError,
    ),
    **dict.fromkeys(
        (errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.EMLINK, errno.ENFILE, errno.ENOMEM),
        errors.ResourceExhaustedError,
    ),
    **dict.fromkeys((errno.EFBIG, errno.EOVERFLOW, errno.ERANGE), errors.OutOfRangeError),
    **dict.fromkeys((errno.ENOSYS, errno.ENOTSUP, errno.EXDEV), errors.UnimplementedError),
    **dict.fromkeys((errno.EAGAIN, errno.EINTR, errno.ENOLCK), errors.UnavailableError),
}


def _local(path: Any) -> bytes:
    return local(as_bytes(path))


def tf_error(path: Any, error: OSError) -> errors.OpError:
    """What the operating system says about `path`, as one of `tf.errors`."""
    error_class: Any = _ERRORS.get(error.errno or 0, errors.UnknownError)
    return error_class(None, None, f"{as_str_any(path)}; {os.strerror(error.errno or 0)}")


@contextmanager
def errors_of(path: Any) -> Iterator[None]:
    """Within it an OSError becomes TF's error about `path`."""
    try:
        yield
    except OSError as error:
        raise tf_error(path, error) from None


class FileIO:
    """A file, as TF 1.15 opens it: at its first read or write.

    Args:
      name: the path.
      mode: "r", "w", "a", "r+", "w+" or "a+", and "b" where `read` is to give bytes.

    Raises:
      InvalidArgumentError: there is no such mode.
    """

    def __init__(self, name: Name, mode: str):
        self.__name = name
        self.__mode = mode
        self._read_buf: Any = None
        self._writable_file: Any = None
        self._binary_mode = "b" in mode
        mode = mode.replace("b", "")
        if mode not in _MODES:
            raise errors.InvalidArgumentError(
                None, None, "mode is not 'r' or 'w' or 'a' or 'r+' or 'w+' or 'a+'"
            )
        self._read_check_passed = mode in ("r", "r+", "a+", "w+")
        self._write_check_passed = mode != "r"

    @property
    def name(self) -> Any:
        """The path."""
        return self.__name

    @property
    def mode(self) -> str:
        """The mode that it was opened in."""
        return self.__mode

    def _reader(self) -> Any:
        if self._read_buf is None:
            if not self._read_check_passed:
                raise errors.PermissionDeniedError(None, None, "File isn't open for reading")
            with errors_of(self.__name):
                self._read_buf = open(_local(self.__name), "rb")  # noqa: SIM115
        return self._read_buf

    def _writer(self) -> Any:
        if self._writable_file is None:
            if not self._write_check_passed:
                raise errors.PermissionDeniedError(None, None, "File isn't open for writing")
            # As in TF, "r+" empties the file when it is first written to.
            with errors_of(self.__name):
                self._writable_file = open(  # noqa: SIM115
                    _local(self.__name), "ab" if "a" in self.__mode else "wb"
                )
        return self._writable_file

    def _prepared(self, value: bytes) -> Any:
        return value if self._binary_mode else value.decode()

    def size(self) -> int:
        """The file's size in bytes."""
        return stat(self.__name).length

    def write(self, file_content: Any) -> None:
        """Appends text or bytes."""
        writer = self._writer()
        with errors_of(self.__name):
            writer.write(as_bytes(file_content))

    def read(self, n: int = -1) -> Any:
        """The next `n` bytes, or all the rest: as str, or as bytes in a binary mode."""
        reader = self._reader()
        with errors_of(self.__name):
            return self._prepared(reader.read(n))

    @deprecated_args(
        None,
        "position is deprecated in favor of the offset argument.",
        "position",
        module="tensorflow.python.lib.io.file_io",
    )
    def seek(self, offset: Any = None, whence: int = 0, position: Any = None) -> None:
        """Moves to where the next read starts.

        Args:
          offset: in bytes.
          whence: what from: 0 the start, 1 the present place, 2 the end.
          position: deprecated name of `offset`.

        Raises:
          TypeError: neither or both of `offset` and `position` are given.
          InvalidArgumentError: the place is before the start, or there is no such `whence`.
          OutOfRangeError: the place is behind the end.
        """
        reader = self._reader()
        if offset is None and position is None:
            raise TypeError("seek(): offset argument required")
        if offset is not None and position is not None:
            raise TypeError("seek(): offset and position may not be set simultaneously.")
        place: Any = offset if position is None else position
        if whence == 1:
            place += self.tell()
        elif whence == 2:
            place += self.size()
        elif whence != 0:
            raise errors.InvalidArgumentError(
                None,
                None,
                f"Invalid whence argument: {whence}. Valid values are 0, 1, or 2.",
            )
        if place < 0:
            raise errors.InvalidArgumentError(
                None, None, f"Seeking to a negative position: {place}"
            )
        size = self.size()
        reader.seek(min(place, size))
        if place > size:
            raise errors.OutOfRangeError(None, None, "reached end of file")

    def readline(self) -> Any:
        r"""The next line with its \n, as in TF without any \r; empty at the end of the file."""
        reader = self._reader()
        with errors_of(self.__name):
            return self._prepared(reader.readline().replace(b"\r", b""))

    def readlines(self) -> list[Any]:
        """All the lines that are left."""
        return list(iter(self.readline, self._prepared(b"")))

    def tell(self) -> int:
        """Where the next read or write starts."""
        return self._reader().tell() if self._read_check_passed else self._writer().tell()

    def __enter__(self) -> FileIO:
        return self

    def __exit__(self, unused_type: Any, unused_value: Any, unused_traceback: Any) -> None:
        self.close()

    def __iter__(self) -> FileIO:
        return self

    def next(self) -> Any:
        """The next line.

        Raises:
          StopIteration: there is none.
        """
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def __next__(self) -> Any:
        return self.next()

    def __del__(self) -> None:
        for file in (self.__dict__.get("_read_buf"), self.__dict__.get("_writable_file")):
            if file is not None:
                file.close()

    def flush(self) -> None:
        """Hands what was written to the operating system."""
        if self._writable_file is not None:
            with errors_of(self.__name):
                self._writable_file.flush()

    def close(self) -> None:
        """Closes the file; a later read or write opens it again."""
        if self._read_buf is not None:
            self._read_buf.close()
            self._read_buf = None
        if self._writable_file is not None:
            with errors_of(self.__name):
                self._writable_file.close()
            self._writable_file = None

    def seekable(self) -> bool:
        """True."""
        return True


class FileStatistics:
    """What is known of a path: `length` in bytes, `mtime_nsec`, `is_directory`."""

    __slots__ = ("is_directory", "length", "mtime_nsec")

    def __init__(self, length: int = -1, mtime_nsec: int = 0, is_directory: bool = False):
        self.length = length
        self.mtime_nsec = mtime_nsec
        self.is_directory = is_directory


# One function for each of the two public names.


@tf_export("gfile.Exists")
def file_exists(filename: Any) -> bool:
    """Whether there is something at a path.

    Args:
      filename: the path.

    Returns:
      A bool.
    """
    return file_exists_v2(filename)


@tf_export("io.gfile.exists")
def file_exists_v2(path: Any) -> bool:
    """Whether there is something at a path.

    Args:
      path: the path.

    Returns:
      A bool.
    """
    return os.path.exists(_local(path))


@tf_export("gfile.Remove")
def delete_file(filename: Any) -> None:
    """Deletes a file.

    Args:
      filename: the path.

    Raises:
      NotFoundError: there is none.
    """
    delete_file_v2(filename)


@tf_export("io.gfile.remove")
def delete_file_v2(path: Any) -> None:
    """Deletes a file.

    Args:
      path: the path.

    Raises:
      NotFoundError: there is none.
    """
    with errors_of(path):
        os.unlink(_local(path))


def read_file_to_string(filename: Any, binary_mode: bool = False) -> Any:
    """A file's contents, as str or as bytes."""
    with FileIO(filename, "rb" if binary_mode else "r") as file:
        return file.read()


def lines_of(text: bytes) -> list[bytes]:
    r"""The lines of a file: each ends at \n or \r\n, and the last is not an empty one."""
    *lines, rest = (line.removesuffix(b"\r") for line in text.split(b"\n"))
    return [*lines, rest] if rest else lines


def write_string_to_file(filename: Any, file_content: Any) -> None:
    """Writes text or bytes to a file, in place of what it held."""
    with FileIO(filename, "w") as file:
        file.write(file_content)


@tf_export("gfile.Glob")
def get_matching_files(filename: Any) -> list[str]:
    """The paths that match a pattern, or any of a list of patterns.

    Args:
      filename: a pattern, or a list of them.

    Returns:
      The paths, sorted.
    """
    return get_matching_files_v2(filename)


@tf_export("io.gfile.glob")
def get_matching_files_v2(pattern: Any) -> list[str]:
    """The paths that match a pattern, or any of a list of patterns.

    Args:
      pattern: `*` and `?` match anything but a slash, `[…]` one of some characters.

    Returns:
      The paths, in the order in which the operating system lists a directory.

    Raises:
      NotFoundError: there is no directory where the pattern starts.
    """
    patterns = [pattern] if isinstance(pattern, str) else pattern
    return [path for each in patterns for path in matching_paths(as_str_any(each))]


def _matcher(pattern: str) -> Callable[[str], Any]:
    """Matches a name against a pattern of the shell's: what `fnmatch` knows, backslashes that take
    a sign for itself, and `[^…]`."""

    def rewritten(found: re.Match[str]) -> str:
        sign = found[1]
        if sign is None:
            return "[!"
        return f"[{sign}]" if sign in "*?[" else sign

    return re.compile(fnmatch.translate(re.sub(r"\\(.)|\[\^", rewritten, pattern))).match


def matching_paths(pattern: str) -> list[str]:
    """The paths that match one pattern; those in the working directory start with "./"."""
    here = local(pattern)
    if here != pattern:
        return [f"file://{path}" for path in matching_paths(here)]
    wild = re.search(r"[*?\[\\]", pattern)
    fixed = os.path.dirname(pattern[: wild.start()] if wild else pattern)
    parts = pattern[len(fixed) :].removeprefix("/").split("/")
    found = [fixed or "."]
    with errors_of(found[0]):
        os.listdir(found[0])
    for depth, part in enumerate(parts):
        matches = _matcher(part)
        last = depth == len(parts) - 1
        below = []
        for folder in found:
            try:
                names = os.listdir(folder)
            except OSError:
                continue
            paths = [os.path.join(folder, name) for name in names if matches(name)]
            below += paths if last else [path for path in paths if os.path.isdir(path)]
        found = below
    return found


@tf_export("gfile.MkDir")
def create_dir(dirname: Any) -> None:
    """Makes a directory, in one that is there.

    Args:
      dirname: the path.
    """
    create_dir_v2(dirname)


@tf_export("io.gfile.mkdir")
def create_dir_v2(path: Any) -> None:
    """Makes a directory, in one that is there.

    Args:
      path: the path.

    Raises:
      NotFoundError: the one that it is to lie in is not there.
    """
    with errors_of(path):
        try:
            if path:  # The working directory is there.
                os.mkdir(_local(path))
        except FileExistsError:
            pass  # TF takes whatever is there already for the directory.


@tf_export("gfile.MakeDirs")
def recursive_create_dir(dirname: Any) -> None:
    """Makes a directory and those that it lies in, as far as they are not there.

    Args:
      dirname: the path.
    """
    recursive_create_dir_v2(dirname)


@tf_export("io.gfile.makedirs")
def recursive_create_dir_v2(path: Any) -> None:
    """Makes a directory and those that it lies in, as far as they are not there.

    Args:
      path: the path.
    """
    missing = []
    rest = as_str_any(path)
    while rest and not os.path.exists(_local(rest)):
        missing.append(rest)
        rest = os.path.dirname(rest)
    for each in reversed(missing):
        create_dir_v2(each)


@tf_export("gfile.Copy")
def copy(oldpath: Any, newpath: Any, overwrite: bool = False) -> None:
    """Copies a file.

    Args:
      oldpath: the file to copy.
      newpath: where the copy goes.
      overwrite: whether it may replace a file.

    Raises:
      AlreadyExistsError: there is a file already, and it is not to be overwritten.
    """
    copy_v2(oldpath, newpath, overwrite)


@tf_export("io.gfile.copy")
def copy_v2(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Copies a file.

    Args:
      src: the file to copy.
      dst: where the copy goes.
      overwrite: whether it may replace a file.

    Raises:
      AlreadyExistsError: there is a file already, and it is not to be overwritten.
    """
    _check_free(dst, overwrite)
    if os.path.isdir(_local(src)):
        # As in TF, an empty file is left, and it is what the error speaks of.
        write_string_to_file(dst, b"")
        raise tf_error(dst, OSError(errno.EINVAL, ""))
    with errors_of(src):
        source = open(_local(src), "rb")  # noqa: SIM115
    with source, errors_of(dst), open(_local(dst), "wb") as target:
        shutil.copyfileobj(source, target)


@tf_export("gfile.Rename")
def rename(oldname: Any, newname: Any, overwrite: bool = False) -> None:
    """Renames or moves a file.

    Args:
      oldname: the path.
      newname: the new path.
      overwrite: whether it may replace a file.

    Raises:
      AlreadyExistsError: there is a file already, and it is not to be overwritten.
    """
    rename_v2(oldname, newname, overwrite)


@tf_export("io.gfile.rename")
def rename_v2(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Renames or moves a file.

    Args:
      src: the path.
      dst: the new path.
      overwrite: whether it may replace a file.

    Raises:
      AlreadyExistsError: there is a file already, and it is not to be overwritten.
    """
    _check_free(dst, overwrite)
    with errors_of(src):
        os.rename(_local(src), _local(dst))


def _check_free(path: Any, overwrite: bool) -> None:
    if not overwrite and os.path.exists(_local(path)):
        raise errors.AlreadyExistsError(None, None, "file already exists")


def atomic_write_string_to_file(filename: str, contents: Any, overwrite: bool = True) -> None:
    """Writes a file that nobody sees half written."""
    temporary = f"{filename}.tmp{uuid.uuid4().hex}"
    write_string_to_file(temporary, contents)
    try:
        rename(temporary, filename, overwrite)
    except errors.OpError:
        delete_file(temporary)
        raise


@tf_export("gfile.DeleteRecursively")
def delete_recursively(dirname: Any) -> None:
    """Deletes a directory and everything in it.

    Args:
      dirname: the path.

    Raises:
      NotFoundError: there is none.
    """
    delete_recursively_v2(dirname)


@tf_export("io.gfile.rmtree")
def delete_recursively_v2(path: Any) -> None:
    """Deletes a directory and everything in it.

    Args:
      path: the path.

    Raises:
      NotFoundError: there is none.
    """
    if not os.path.exists(_local(path)):
        raise errors.NotFoundError(None, None, f"{as_str_any(path)} not found")
    with errors_of(path):
        if not os.path.isdir(_local(path)):
            raise NotADirectoryError(errno.ENOTDIR, "")
        shutil.rmtree(_local(path))


@tf_export("gfile.IsDirectory")
def is_directory(dirname: Any) -> bool:
    """Whether there is a directory at a path.

    Args:
      dirname: the path.

    Returns:
      A bool.
    """
    return is_directory_v2(dirname)


@tf_export("io.gfile.isdir")
def is_directory_v2(path: Any) -> bool:
    """Whether there is a directory at a path.

    Args:
      path: the path.

    Returns:
      A bool.
    """
    return os.path.isdir(_local(path))


@tf_export("gfile.ListDirectory")
def list_directory(dirname: Any) -> list[str]:
    """The names in a directory, in no order.

    Args:
      dirname: the path.

    Returns:
      Names, those of directories too, without "." and "..".

    Raises:
      NotFoundError: there is none.
    """
    return list_directory_v2(dirname)


@tf_export("io.gfile.listdir")
def list_directory_v2(path: Any) -> list[str]:
    """The names in a directory, in no order.

    Args:
      path: the path.

    Returns:
      Names, those of directories too, without "." and "..".

    Raises:
      NotFoundError: there is none.
    """
    if not is_directory(path):
        raise errors.NotFoundError(None, None, f"Could not find directory {path}")
    with errors_of(path):
        return [name.decode() for name in os.listdir(_local(path))]


@tf_export("gfile.Walk")
def walk(top: Any, in_order: bool = True) -> Iterator[tuple[str, list[str], list[str]]]:
    """The directories below one: (path, names of directories, names of files) of each.

    Args:
      top: where to start.
      in_order: whether a directory comes before what is in it.

    Yields:
      (path, names of directories, names of files), for `top` and each directory below it.
    """
    return walk_v2(top, in_order)


@tf_export("io.gfile.walk")
def walk_v2(
    top: Any, topdown: bool = True, onerror: Callable[[Exception], Any] | None = None
) -> Iterator[tuple[str, list[str], list[str]]]:
    """The directories below one: (path, names of directories, names of files) of each.

    Args:
      top: where to start.
      topdown: whether a directory comes before what is in it.
      onerror: called with the error where there is no directory.

    Yields:
      (path, names of directories, names of files), for `top` and each directory below it.
    """
    top = as_str_any(top)
    try:
        listing = list_directory(top)
    except errors.NotFoundError as error:
        if onerror is not None:
            onerror(error)
        return
    folders: list[str] = []
    files: list[str] = []
    for name in listing:
        (folders if is_directory(os.path.join(top, name)) else files).append(name)
    here = (top, folders, files)
    if topdown:
        yield here
    for name in folders:
        yield from walk_v2(os.path.join(top, name), topdown, onerror)
    if not topdown:
        yield here


@tf_export("gfile.Stat")
def stat(filename: Any) -> FileStatistics:
    """What is known of a path: `length`, `mtime_nsec`, `is_directory`.

    Args:
      filename: the path.

    Returns:
      A `FileStatistics`.

    Raises:
      NotFoundError: there is nothing.
    """
    return stat_v2(filename)


@tf_export("io.gfile.stat")
def stat_v2(path: Any) -> FileStatistics:
    """What is known of a path: `length`, `mtime_nsec`, `is_directory`.

    Args:
      path: the path.

    Returns:
      A `FileStatistics`.

    Raises:
      NotFoundError: there is nothing.
    """
    with errors_of(path):
        found = os.stat(_local(path))
    return FileStatistics(found.st_size, found.st_mtime_ns, os.path.isdir(_local(path)))


def filecmp(filename_a: Any, filename_b: Any) -> bool:
    """Whether two files have the same contents."""
    sizes = [FileIO(name, "rb").size() for name in (filename_a, filename_b)]
    return sizes[0] == sizes[1] and file_crc32(filename_a) == file_crc32(filename_b)


def file_crc32(filename: Any, block_size: int = _BLOCK) -> str:
    """The CRC-32 of a file, in hexadecimal."""
    crc = 0
    with FileIO(filename, "rb") as file:
        while chunk := file.read(block_size):
            crc = binascii.crc32(chunk, crc)
    return hex(crc)
