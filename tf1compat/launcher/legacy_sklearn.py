"""What scikit-learn removed, as it was in 0.17 to 0.20 (see legacy_names.py)."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn import model_selection
from sklearn.impute import SimpleImputer


class _Splits:
    """A splitter that knows its data: iterating gives (train, test) indices."""

    def __init__(self, splitter: Any, y: Any):
        self._splitter, self._y = splitter, y

    def __len__(self) -> int:
        return self._splitter.get_n_splits(self._y)

    def __iter__(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        return iter(list(self._splitter.split(np.zeros(len(self._y)), self._y)))


class KFold(_Splits):
    """`sklearn.cross_validation.KFold`."""

    def __init__(self, n: int, n_folds: int = 3, shuffle: bool = False, random_state: Any = None):
        splitter = model_selection.KFold(
            n_folds, shuffle=shuffle, random_state=random_state if shuffle else None
        )
        super().__init__(splitter, np.zeros(n))


class StratifiedKFold(_Splits):
    """`sklearn.cross_validation.StratifiedKFold`."""

    def __init__(self, y: Any, n_folds: int = 3, shuffle: bool = False, random_state: Any = None):
        splitter = model_selection.StratifiedKFold(
            n_folds, shuffle=shuffle, random_state=random_state if shuffle else None
        )
        super().__init__(splitter, np.asarray(y))


class LeaveOneOut(_Splits):
    """`sklearn.cross_validation.LeaveOneOut`."""

    def __init__(self, n: int):
        super().__init__(model_selection.LeaveOneOut(), np.zeros(n))


class ShuffleSplit(_Splits):
    """`sklearn.cross_validation.ShuffleSplit`."""

    def __init__(
        self, n: int, n_iter: int = 10, test_size: Any = 0.1, train_size: Any = None,
        random_state: Any = None,
    ):  # fmt: skip
        splitter = model_selection.ShuffleSplit(
            n_iter, test_size=test_size, train_size=train_size, random_state=random_state
        )
        super().__init__(splitter, np.zeros(n))


class StratifiedShuffleSplit(_Splits):
    """`sklearn.cross_validation.StratifiedShuffleSplit`."""

    def __init__(
        self, y: Any, n_iter: int = 10, test_size: Any = 0.1, train_size: Any = None,
        random_state: Any = None,
    ):  # fmt: skip
        splitter = model_selection.StratifiedShuffleSplit(
            n_iter, test_size=test_size, train_size=train_size, random_state=random_state
        )
        super().__init__(splitter, np.asarray(y))


class Imputer(SimpleImputer):
    """`sklearn.preprocessing.Imputer`, down the columns."""

    def __init__(
        self, missing_values: Any = "NaN", strategy: str = "mean", axis: int = 0,
        verbose: int = 0, copy: bool = True,
    ):  # fmt: skip
        if axis:
            raise NotImplementedError("Imputer(axis=1) is not supported by tf1compat")
        self.axis, self.verbose = axis, verbose
        if missing_values == "NaN":
            missing_values = np.nan
        super().__init__(missing_values=missing_values, strategy=strategy, copy=copy)


def linear_assignment(X: Any) -> np.ndarray:
    """`sklearn.utils.linear_assignment_.linear_assignment`: [n, 2] pairs of row and column."""
    from scipy.optimize import linear_sum_assignment

    return np.column_stack(linear_sum_assignment(X))


def jaccard_similarity_score(y_true: Any, y_pred: Any, **kwargs: Any) -> Any:
    """`sklearn.metrics.jaccard_similarity_score`: of single labels it is the accuracy."""
    from sklearn import metrics

    if np.ndim(y_true) == 1:
        return metrics.accuracy_score(y_true, y_pred, **kwargs)
    return metrics.jaccard_score(y_true, y_pred, average="samples")


def fetch_mldata(dataname: str, data_home: Any = None, **kwargs: Any) -> Any:
    """`sklearn.datasets.fetch_mldata`, from openml.org, where mldata.org's sets went."""
    from sklearn.datasets import fetch_openml

    name = {"mnist original": "mnist_784"}.get(dataname.lower(), dataname)
    found = fetch_openml(name, version=1, data_home=data_home, as_frame=False)
    try:
        found.target = found.target.astype(float)
    except ValueError:
        pass
    return found


def load_boston(return_X_y: bool = False) -> Any:
    """`sklearn.datasets.load_boston`, from openml.org."""
    from sklearn.datasets import fetch_openml

    found = fetch_openml("boston", version=1, as_frame=False)
    found.data, found.target = found.data.astype(float), found.target.astype(float)
    return (found.data, found.target) if return_X_y else found
