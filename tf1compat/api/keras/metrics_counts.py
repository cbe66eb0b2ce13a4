"""The metrics of `tf.keras.metrics` that count right and wrong predictions."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.keras import backend
from tf1compat.api.keras.metrics import Metric, exported
from tf1compat.api.keras.utils import metrics_utils
from tf1compat.api.keras.utils.generic_utils import settings
from tf1compat.api.keras.utils.metrics_utils import AUCCurve, AUCSummationMethod, ConfusionMatrix
from tf1compat.api.math import math_ops
from tf1compat.api.metrics import confusion_matrix
from tf1compat.api.random import init_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.typing import DTypeLike, Name, TensorLike

_NAMES = {kind: kind.name.lower() for kind in ConfusionMatrix}


class _Counts(Metric):
    """Variables that count, one number for each threshold."""

    thresholds: Any

    def _add_counts(self, size: int, *kinds: ConfusionMatrix) -> None:
        self._kinds = kinds
        for kind in kinds:
            name = _NAMES[kind]
            setattr(self, name, self.add_weight(name, shape=(size,), initializer=init_ops.Zeros))

    def _update(
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: Any, **kwargs: Any
    ) -> Any:
        return metrics_utils.update_confusion_matrix_variables(
            {kind: getattr(self, _NAMES[kind]) for kind in self._kinds}, y_true, y_pred,
            thresholds=self.thresholds, sample_weight=sample_weight, **kwargs,
        )  # fmt: skip

    def update_state(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> Any:
        """Counts a batch."""
        return self._update(y_true, y_pred, sample_weight)

    def reset_states(self) -> None:
        """Sets all counts to 0."""
        zeros = np.zeros((len(self.thresholds),))
        backend.batch_set_value([(v, zeros) for v in self.variables])


class _ConfusionMatrixConditionCount(Metric):
    """One kind of right or wrong predictions."""

    def __init__(
        self, confusion_matrix_cond: Any, thresholds: TensorLike | None = None, name: Name = None,
        dtype: DTypeLike | None = None,
    ):  # fmt: skip
        super().__init__(name=name, dtype=dtype)
        self._confusion_matrix_cond = confusion_matrix_cond
        self.init_thresholds = thresholds
        self.thresholds = metrics_utils.parse_init_thresholds(thresholds, default_threshold=0.5)
        self.accumulator = self.add_weight(
            "accumulator", shape=(len(self.thresholds),), initializer=init_ops.Zeros
        )

    def update_state(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> Any:
        """Counts a batch."""
        return metrics_utils.update_confusion_matrix_variables(
            {self._confusion_matrix_cond: self.accumulator}, y_true, y_pred,
            thresholds=self.thresholds, sample_weight=sample_weight,
        )  # fmt: skip

    def result(self) -> Any:
        """The count, or one for each threshold."""
        only = len(self.thresholds) == 1
        return ops.convert_to_tensor(self.accumulator[0] if only else self.accumulator)

    reset_states = _Counts.reset_states  # pyright: ignore
    get_config = settings("thresholds", thresholds=lambda self: self.init_thresholds)


def _count(cls_name: str, kind: ConfusionMatrix) -> Any:
    def __init__(  # noqa: N807
        self: Any,
        thresholds: TensorLike | None = None,
        name: Name = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        _ConfusionMatrixConditionCount.__init__(self, kind, thresholds, name, dtype)

    what = kind.name.lower().replace("_", " ")
    cls = type(
        cls_name,
        (_ConfusionMatrixConditionCount,),
        {"__init__": __init__, "__module__": __name__, "__doc__": f"The number of {what}."},
    )
    return exported(cls)


FalsePositives = _count("FalsePositives", ConfusionMatrix.FALSE_POSITIVES)
FalseNegatives = _count("FalseNegatives", ConfusionMatrix.FALSE_NEGATIVES)
TrueNegatives = _count("TrueNegatives", ConfusionMatrix.TRUE_NEGATIVES)
TruePositives = _count("TruePositives", ConfusionMatrix.TRUE_POSITIVES)


class _Share(_Counts):
    """The share of true positives.

    Args:
      thresholds: predictions above are positive; 0.5 by default.
      top_k: only the `top_k` best predictions of a sample may be positive.
      class_id: the class that counts; None for all.
      name, dtype: see `Metric`.
    """

    _other: ConfusionMatrix

    def __init__(
        self, thresholds: TensorLike | None = None, top_k: Any = None, class_id: Any = None,
        name: Name = None,
        dtype: DTypeLike | None = None,
    ):  # fmt: skip
        super().__init__(name=name, dtype=dtype)
        self.init_thresholds = thresholds
        self.top_k = top_k
        self.class_id = class_id
        self.thresholds = metrics_utils.parse_init_thresholds(
            thresholds, default_threshold=0.5 if top_k is None else metrics_utils.NEG_INF
        )
        self._add_counts(len(self.thresholds), ConfusionMatrix.TRUE_POSITIVES, self._other)

    def update_state(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> Any:
        """Counts a batch."""
        return self._update(y_true, y_pred, sample_weight, top_k=self.top_k, class_id=self.class_id)

    def result(self) -> Any:
        """The share, or one for each threshold."""
        positives: Any = self.true_positives  # pyright: ignore[reportAttributeAccessIssue]
        others = getattr(self, _NAMES[self._other])
        result = math_ops.div_no_nan(positives, positives + others)
        return result[0] if len(self.thresholds) == 1 else result

    get_config = settings(
        "thresholds", "top_k", "class_id", thresholds=lambda self: self.init_thresholds
    )


@exported
class Precision(_Share):
    """How many of the positive predictions are right. Args: see `Recall`."""

    _other = ConfusionMatrix.FALSE_POSITIVES


@exported
class Recall(_Share):
    """How many of the positive targets are found.

    Args:
      thresholds: predictions above are positive; 0.5 by default.
      top_k: only the `top_k` best predictions of a sample may be positive.
      class_id: the class that counts; None for all.
      name, dtype: see `Metric`.
    """

    _other = ConfusionMatrix.FALSE_NEGATIVES


_ALL = (
    ConfusionMatrix.TRUE_POSITIVES,
    ConfusionMatrix.TRUE_NEGATIVES,
    ConfusionMatrix.FALSE_POSITIVES,
    ConfusionMatrix.FALSE_NEGATIVES,
)


def _inner_thresholds(count: int) -> list[float]:
    return [(i + 1) * 1.0 / (count - 1) for i in range(count - 2)]


class SensitivitySpecificityBase(_Counts):
    """The best value of one where the other is a given one."""

    true_positives: Any
    true_negatives: Any
    false_positives: Any
    false_negatives: Any

    def __init__(
        self,
        value: TensorLike,
        num_thresholds: int = 200,
        name: Name = None,
        dtype: DTypeLike | None = None,
    ):
        super().__init__(name=name, dtype=dtype)
        if num_thresholds <= 0:
            raise ValueError("`num_thresholds` must be > 0.")
        self.value = value
        self._add_counts(num_thresholds, *_ALL)
        if num_thresholds == 1:
            self.thresholds = [0.5]
        else:
            self.thresholds = [0.0, *_inner_thresholds(num_thresholds), 1.0]

    def _at(self, wanted: tuple[Any, Any], given: tuple[Any, Any]) -> Any:
        """The share wanted[0] of wanted where the share given[0] of given is nearest the value."""
        shares = math_ops.div_no_nan(given[0], given[0] + given[1])
        nearest = math_ops.argmin(math_ops.abs(shares - self.value), axis=0)
        nearest = math_ops.cast(nearest, dtypes.int32)
        return math_ops.div_no_nan(wanted[0][nearest], wanted[0][nearest] + wanted[1][nearest])


@exported
class SensitivityAtSpecificity(SensitivitySpecificityBase):
    """The sensitivity where the specificity is a given one."""

    def __init__(
        self,
        specificity: float,
        num_thresholds: int = 200,
        name: Name = None,
        dtype: DTypeLike | None = None,
    ):
        if specificity < 0 or specificity > 1:
            raise ValueError("`specificity` must be in the range [0, 1].")
        super().__init__(specificity, num_thresholds=num_thresholds, name=name, dtype=dtype)
        self.specificity = specificity
        self.num_thresholds = num_thresholds

    def result(self) -> Any:
        """The sensitivity."""
        return self._at(
            (self.true_positives, self.false_negatives),
            (self.true_negatives, self.false_positives),
        )

    get_config = settings("num_thresholds", "specificity")


@exported
class SpecificityAtSensitivity(SensitivitySpecificityBase):
    """The specificity where the sensitivity is a given one."""

    def __init__(
        self,
        sensitivity: float,
        num_thresholds: int = 200,
        name: Name = None,
        dtype: DTypeLike | None = None,
    ):
        if sensitivity < 0 or sensitivity > 1:
            raise ValueError("`sensitivity` must be in the range [0, 1].")
        super().__init__(sensitivity, num_thresholds=num_thresholds, name=name, dtype=dtype)
        self.sensitivity = sensitivity
        self.num_thresholds = num_thresholds

    def result(self) -> Any:
        """The specificity."""
        return self._at(
            (self.true_negatives, self.false_positives),
            (self.true_positives, self.false_negatives),
        )

    get_config = settings("num_thresholds", "sensitivity")


@exported
class AUC(_Counts):
    """The area under a curve.

    Args:
      num_thresholds: at how many places the curve is worked out.
      curve: "ROC" or "PR".
      summation_method: "interpolation", "minoring" or "majoring".
      name, dtype: see `Metric`.
      thresholds: the places, instead of their number.
    """

    true_positives: Any
    true_negatives: Any
    false_positives: Any
    false_negatives: Any

    def __init__(
        self, num_thresholds: int = 200, curve: Any = "ROC",
        summation_method: Any = "interpolation", name: Name = None, dtype: Any = None,
        thresholds: Any = None,
    ):  # fmt: skip
        if thresholds is not None:
            num_thresholds = len(thresholds) + 2
            inner = sorted(thresholds)
        else:
            if num_thresholds <= 1:
                raise ValueError("`num_thresholds` must be > 1.")
            inner = _inner_thresholds(num_thresholds)
        if not isinstance(curve, AUCCurve):
            curve = AUCCurve.from_str(curve)
        if not isinstance(summation_method, AUCSummationMethod):
            summation_method = AUCSummationMethod.from_str(summation_method)
        super().__init__(name=name, dtype=dtype)
        small = backend.epsilon()
        self.num_thresholds = num_thresholds
        self.thresholds = [0.0 - small, *inner, 1.0 + small]
        self.curve = curve
        self.summation_method = summation_method
        self._add_counts(num_thresholds, *_ALL)

    def interpolate_pr_auc(self) -> Any:
        """The area under the precision-recall curve, interpolated as Davis and Goadrich do."""
        last = self.num_thresholds - 1
        true = self.true_positives
        dtp = true[:last] - true[1:]
        p = true + self.false_positives
        dp = p[:last] - p[1:]
        slope = math_ops.div_no_nan(dtp, math_ops.maximum(dp, 0), name="prec_slope")
        intercept = true[1:] - math_ops.multiply(slope, p[1:])
        ratio = array_ops.where(
            math_ops.logical_and(p[:last] > 0, p[1:] > 0),
            math_ops.div_no_nan(p[:last], math_ops.maximum(p[1:], 0), name="recall_relative_ratio"),
            array_ops.ones_like(p[1:]),
        )
        return math_ops.reduce_sum(
            math_ops.div_no_nan(
                slope * (dtp + intercept * math_ops.log(ratio)),
                math_ops.maximum(true[1:] + self.false_negatives[1:], 0),
                name="pr_auc_increment",
            ),
            name="interpolate_pr_auc",
        )

    def result(self) -> Any:
        """The area."""
        interpolated = self.summation_method == AUCSummationMethod.INTERPOLATION
        if self.curve == AUCCurve.PR and interpolated:
            return self.interpolate_pr_auc()
        true = self.true_positives
        recall = math_ops.div_no_nan(true, true + self.false_negatives)
        if self.curve == AUCCurve.ROC:
            x = math_ops.div_no_nan(
                self.false_positives, self.false_positives + self.true_negatives
            )
            y = recall
        else:
            y = math_ops.div_no_nan(true, true + self.false_positives)
            x = recall
        last = self.num_thresholds - 1
        if interpolated:
            heights = (y[:last] + y[1:]) / 2.0
        elif self.summation_method == AUCSummationMethod.MINORING:
            heights = math_ops.minimum(y[:last], y[1:])
        else:
            heights = math_ops.maximum(y[:last], y[1:])
        return math_ops.reduce_sum(math_ops.multiply(x[:last] - x[1:], heights), name=self.name)

    get_config = settings(
        "num_thresholds", "curve", "summation_method", "thresholds",
        curve=lambda self: self.curve.value,
        summation_method=lambda self: self.summation_method.value,
        thresholds=lambda self: self.thresholds[1:-1],
    )  # fmt: skip


def _vector(x: Any) -> Any:
    return array_ops.reshape(x, [-1]) if x.shape.ndims > 1 else x


@exported
class MeanIoU(Metric):
    """The mean over classes of intersection over union."""

    def __init__(self, num_classes: int, name: Name = None, dtype: DTypeLike | None = None):
        super().__init__(name=name, dtype=dtype)
        self.num_classes = num_classes
        self.total_cm = self.add_weight(
            "total_confusion_matrix", shape=(num_classes, num_classes),
            initializer=init_ops.Zeros, dtype=dtypes.float64,
        )  # fmt: skip

    def update_state(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> Any:
        """Counts a batch."""
        labels, predictions = self._own(y_true), _vector(self._own(y_pred))
        matrix = confusion_matrix.confusion_matrix(
            _vector(labels), predictions, self.num_classes, dtype=dtypes.float64,
            weights=None if sample_weight is None else _vector(sample_weight),
        )  # fmt: skip
        return self.total_cm.assign_add(matrix)

    def _own(self, x: Any) -> Any:
        return math_ops.cast(x, dtype=self._dtype)

    def result(self) -> Any:
        """The mean over the classes that are there."""
        rows, columns = (
            self._own(math_ops.reduce_sum(self.total_cm, axis=axis)) for axis in (0, 1)
        )
        right = self._own(array_ops.diag_part(self.total_cm))
        union = rows + columns - right
        present = math_ops.reduce_sum(self._own(math_ops.not_equal(union, 0)))
        iou = math_ops.div_no_nan(right, union)
        return math_ops.div_no_nan(math_ops.reduce_sum(iou, name="mean_iou"), present)

    def reset_states(self) -> None:
        """Sets all counts to 0."""
        backend.set_value(self.total_cm, np.zeros((self.num_classes, self.num_classes)))

    get_config = settings("num_classes")
