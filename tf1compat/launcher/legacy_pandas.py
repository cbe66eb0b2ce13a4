"""What pandas removed, as it was in 0.18 to 0.25 (see legacy_names.py)."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd


def append(
    self: Any, other: Any, ignore_index: bool = False, verify_integrity: bool = False,
    sort: bool = False,
) -> Any:  # fmt: skip
    """`DataFrame.append`, `Series.append`: rows, a row (dict or named Series), or a list."""
    if isinstance(self, pd.DataFrame):
        if isinstance(other, dict):
            other = pd.Series(other)
        if isinstance(other, pd.Series):
            if other.name is None and not ignore_index:
                raise TypeError(
                    "Can only append a Series if ignore_index=True or if the Series has a name"
                )
            other = other.to_frame().T.infer_objects()
        elif isinstance(other, list) and not isinstance(other[0], pd.DataFrame):
            other = pd.DataFrame(other)
    others = list(other) if isinstance(other, (list, tuple)) else [other]
    parts = [part for part in [self, *others] if len(part)] or [self]
    joined = pd.concat(
        parts, ignore_index=ignore_index, verify_integrity=verify_integrity, sort=sort
    )
    return joined


def as_matrix(self: Any, columns: Any = None) -> np.ndarray:
    """`as_matrix`."""
    return (self if columns is None else self[columns]).values


def from_csv(
    path: Any, header: Any = 0, sep: str = ",", index_col: Any = 0, parse_dates: bool = True,
    encoding: Any = None, **kwargs: Any,
) -> Any:  # fmt: skip
    """`DataFrame.from_csv`."""
    return pd.read_csv(
        path, header=header, sep=sep, index_col=index_col, parse_dates=parse_dates,
        encoding=encoding,
    )  # fmt: skip


def get_dtype_counts(self: Any) -> Any:
    """`DataFrame.get_dtype_counts`."""
    return self.dtypes.astype(str).value_counts()


def get_value(self: Any, index: Any, col: Any = None, takeable: bool = False) -> Any:
    """`get_value`."""
    place = index if isinstance(self, pd.Series) else (index, col)
    return (self.iat if takeable else self.at)[place]


def set_value(self: Any, index: Any, col: Any, value: Any, takeable: bool = False) -> Any:
    """`DataFrame.set_value`."""
    if takeable:
        self.iat[index, col] = value
    else:
        self.at[index, col] = value
    return self


def set_item(self: Any, label: Any, value: Any, takeable: bool = False) -> Any:
    """`Series.set_value`."""
    (self.iat if takeable else self.at)[label] = value
    return self


def from_items(items: Any, columns: Any = None, orient: str = "columns") -> Any:
    """`DataFrame.from_items`: (column, values) pairs, or (row, values)."""
    return pd.DataFrame.from_dict(
        dict(items), orient=orient, columns=columns if orient == "index" else None
    )


def clip_lower(self: Any, threshold: Any, axis: Any = None, inplace: bool = False) -> Any:
    """`clip_lower`."""
    return self.clip(lower=threshold, axis=axis, inplace=inplace)


def clip_upper(self: Any, threshold: Any, axis: Any = None, inplace: bool = False) -> Any:
    """`clip_upper`."""
    return self.clip(upper=threshold, axis=axis, inplace=inplace)


def get_values(self: Any) -> np.ndarray:
    """`get_values`."""
    return np.asarray(self.values)


def get_duplicates(self: Any) -> Any:
    """`Index.get_duplicates`."""
    return self[self.duplicated()].unique()


def compress(self: Any, condition: Any) -> Any:
    """`Series.compress`."""
    return self[np.asarray(condition, bool)]


def ptp(self: Any) -> Any:
    """`Series.ptp`."""
    return self.max() - self.min()


def tshift(self: Any, periods: int = 1, freq: Any = None, axis: int = 0) -> Any:
    """`tshift`: the index moves, by its own frequency if no other is given."""
    return self.shift(periods, freq=freq or self.axes[axis].freq, axis=axis)


imag = property(lambda self: self.to_numpy().imag, doc="`Series.imag`.")
real = property(lambda self: self.to_numpy().real, doc="`Series.real`.")
week = property(lambda self: self.isocalendar().week, doc="`weekofyear` of dates.")
weekday_name = property(lambda self: self.day_name(), doc="`weekday_name` of dates.")


def lookup(self: Any, row_labels: Any, col_labels: Any) -> np.ndarray:
    """`DataFrame.lookup`."""
    rows, columns = self.index.get_indexer(row_labels), self.columns.get_indexer(col_labels)
    return self.to_numpy()[rows, columns]


def mad(self: Any, axis: Any = 0) -> Any:
    """`mad`: the mean absolute deviation from the mean."""
    if isinstance(self, pd.Series):
        return (self - self.mean()).abs().mean()
    return self.sub(self.mean(axis=axis), axis=1 - (axis or 0)).abs().mean(axis=axis)


def sort(self: Any, columns: Any = None, axis: int = 0, ascending: Any = True) -> Any:
    """`DataFrame.sort`."""
    if columns is None:
        return self.sort_index(axis=axis, ascending=ascending)
    return self.sort_values(columns, axis=axis, ascending=ascending)


def nonzero(self: Any) -> Any:
    """`Series.nonzero`."""
    return self.to_numpy().nonzero()


def ravel(self: Any, order: str = "C") -> np.ndarray:
    """`Series.ravel`."""
    return self.to_numpy().ravel(order)  # type: ignore[arg-type]


def reshape(self: Any, *shape: Any) -> np.ndarray:
    """`Series.reshape`."""
    return self.to_numpy().reshape(*shape)


def match(to_match: Any, values: Any, na_sentinel: int = -1) -> np.ndarray:
    """`pandas.match`: where each value is found."""
    found = pd.Index(values).get_indexer(to_match)
    return np.where(found < 0, na_sentinel, found)


class _MixedIndexer:
    """`ix`: by label, and by position where a key is an integer and the labels are not."""

    def __init__(self, owner: Any):
        self._owner = owner

    def __getitem__(self, key: Any) -> Any:
        return self._indexed(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        indexer, places = self._place(key)
        indexer[places] = value

    def _indexed(self, key: Any) -> Any:
        indexer, places = self._place(key)
        return indexer[places]

    def _place(self, key: Any) -> tuple[Any, Any]:
        several = isinstance(key, tuple)
        keys = key if several else (key,)
        by_position = [_is_position(part, axis) for part, axis in zip(keys, self._owner.axes)]
        if not any(by_position):
            return self._owner.loc, key
        places = [
            part if position else _position(part, axis)
            for part, position, axis in zip(keys, by_position, self._owner.axes)
        ]
        return self._owner.iloc, tuple(places) if several else places[0]


def _is_position(key: Any, axis: Any) -> bool:
    if axis.dtype.kind in "iu":
        return False
    if isinstance(key, slice):
        ends = [end for end in (key.start, key.stop) if end is not None]
        return bool(ends) and all(isinstance(end, (int, np.integer)) for end in ends)
    values = np.asarray(key)
    return values.dtype.kind in "iu"


def _position(key: Any, axis: Any) -> Any:
    """Where labels are."""
    if isinstance(key, slice):
        return axis.slice_indexer(key.start, key.stop, key.step)
    values = np.asarray(key)
    if values.dtype.kind == "b":
        return values
    return axis.get_indexer(values) if values.ndim else axis.get_loc(key)


ix = property(_MixedIndexer)


def _rolling(name: str) -> Callable[..., Any]:
    def rolling(
        arg: Any, window: int, *args: Any, min_periods: Any = None, center: bool = False
    ) -> Any:
        data = arg if isinstance(arg, (pd.Series, pd.DataFrame)) else pd.Series(arg)
        result = getattr(data.rolling(window, min_periods, center), name)(*args)
        return result if data is arg else result.to_numpy()

    rolling.__doc__ = f"`pandas.rolling_{name}`."
    return rolling


globals().update(
    {
        f"rolling_{name}": _rolling(name)
        for name in "apply count kurt max mean median min quantile skew std sum var".split()
    }
)


def ewma(arg: Any, com: Any = None, span: Any = None, halflife: Any = None, **kwargs: Any) -> Any:
    """`pandas.ewma`."""
    data = arg if isinstance(arg, (pd.Series, pd.DataFrame)) else pd.Series(arg)
    return data.ewm(com=com, span=span, halflife=halflife, **kwargs).mean()


class Panel:
    """`pandas.Panel`, which pandas has no successor for."""

    def __init__(self, *args: Any, **kwargs: Any):
        raise NotImplementedError(
            "pandas.Panel is gone since pandas 0.25: use a DataFrame with a MultiIndex, or xarray"
        )
