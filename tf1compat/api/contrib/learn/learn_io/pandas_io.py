"""Data frames as arrays (`tensorflow.contrib.learn.python.learn.learn_io.pandas_io`)."""

from __future__ import annotations

import sys
from typing import Any

from tf1compat.api.util.deprecation import deprecated
from tf1compat.core.export import tf_export

HAS_PANDAS = True
PANDAS_DTYPES = {
    **{f"{sign}int{size}": "int" for sign in ("", "u") for size in (8, 16, 32, 64)},
    **{f"float{size}": "float" for size in (16, 32, 64)},
    "bool": "i",
}
_access_instead = deprecated(None, "Please access pandas data directly.")


def _is_frame(data: Any) -> bool:
    # Who has a data frame has imported pandas.
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)


def _bad_columns(data: Any) -> list[tuple[str, str]]:
    kinds = [(str(column), data[column].dtype.name) for column in data]
    return [(column, kind) for column, kind in kinds if kind not in PANDAS_DTYPES]


@tf_export("contrib.learn.extract_pandas_data")
@_access_instead
def extract_pandas_data(data: Any) -> Any:
    """A data frame as a float array; anything else as it is.

    Args:
      data: a data frame of numbers, or something else.

    Returns:
      A float32 array, or `data`.

    Raises:
      ValueError: a column has no numbers.
    """
    if not _is_frame(data):
        return data
    if bad := _bad_columns(data):
        said = ", ".join(f"'{column}' type='{kind}'" for column, kind in bad)
        raise ValueError(
            f"Data types for extracting pandas data must be int, float, or bool. Found: {said}"
        )
    return data.values.astype("float")


@tf_export("contrib.learn.extract_pandas_matrix")
@_access_instead
def extract_pandas_matrix(data: Any) -> Any:
    """A data frame as an array; anything else as it is.

    Args:
      data: a data frame, or something else.

    Returns:
      An array, or `data`.
    """
    return data.to_numpy() if _is_frame(data) else data


@tf_export("contrib.learn.extract_pandas_labels")
@_access_instead
def extract_pandas_labels(labels: Any) -> Any:
    """A data frame of one column as an array; anything else as it is.

    Args:
      labels: a data frame or series, or something else.

    Returns:
      An array, or `labels`.

    Raises:
      ValueError: it has several columns, or no numbers.
    """
    if not _is_frame(labels):
        return labels
    if len(labels.columns) > 1:
        raise ValueError("Only one column for labels is allowed.")
    if bad := _bad_columns(labels):
        said = ", ".join(f"'{column}' type={kind}" for column, kind in bad)
        raise ValueError(
            f"Data types for extracting labels must be int, float, or bool. Found: {said}"
        )
    return labels.values


def _not_dask(data: Any) -> Any:
    if type(data).__module__.startswith("dask."):
        raise NotImplementedError(
            "tf.contrib.learn: dask's data are not supported by tf1compat; compute() them first"
        )
    return data


@tf_export("contrib.learn.extract_dask_data")
@deprecated(None, "Please feed input to tf.data to support dask.")
def extract_dask_data(data: Any) -> Any:
    """What is not dask's, as it is.

    Args:
      data: anything.

    Returns:
      `data`.

    Raises:
      NotImplementedError: it is dask's.
    """
    return _not_dask(data)


@tf_export("contrib.learn.extract_dask_labels")
@deprecated(None, "Please feed input to tf.data to support dask.")
def extract_dask_labels(labels: Any) -> Any:
    """See `extract_dask_data`.

    Args:
      labels: anything.

    Returns:
      `labels`.
    """
    return _not_dask(labels)
