"""What a conversion is asked for."""

from __future__ import annotations

import enum
from typing import Any

from tf1compat.core.export import tf_export

_ENTITIES = (
    "AgAnno",
    "AnnotatedDef",
    "Base",
    "EntityContext",
    "ProgramContext",
    "apply_",
    "standard_analysis",
)


@tf_export("autograph.experimental.Feature")
class Feature(enum.Enum):
    """Conversions that can be asked for one by one."""

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"

    @classmethod
    def all(cls) -> tuple[Feature, ...]:
        """All of them, as a tuple."""
        return tuple(cls)

    @classmethod
    def all_but(cls, exclude: Any) -> tuple[Feature, ...]:
        """All of them but one or some."""
        excluded = exclude if isinstance(exclude, list | tuple | set) else (exclude,)
        return tuple(set(cls.all()) - {*excluded, cls.ALL})


class ConversionOptions:
    """Options of a conversion.

    Args:
      recursive: whether functions that are called are converted too.
      user_requested: whether a user asked for this very function: then it is converted wherever
        it comes from.
      internal_convert_user_code: whether functions are converted at all.
      optional_features: `Feature`s: one, several or None.
    """

    def __init__(
        self,
        recursive: bool = False,
        user_requested: bool = False,
        internal_convert_user_code: bool = True,
        optional_features: Any = Feature.ALL,
    ):
        self.recursive = recursive
        self.user_requested = user_requested
        self.internal_convert_user_code = internal_convert_user_code
        if optional_features is None:
            optional_features = ()
        elif isinstance(optional_features, Feature):
            optional_features = (optional_features,)
        self.optional_features = frozenset(optional_features)

    def as_tuple(self) -> tuple[Any, ...]:
        """All of them."""
        return (
            self.recursive,
            self.user_requested,
            self.internal_convert_user_code,
            self.optional_features,
        )

    def __hash__(self) -> int:
        return hash(self.as_tuple())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ConversionOptions) and self.as_tuple() == other.as_tuple()

    def uses(self, feature: Feature) -> bool:
        """Whether a feature is asked for."""
        return Feature.ALL in self.optional_features or feature in self.optional_features

    def call_options(self) -> ConversionOptions:
        """The options for functions that a converted one calls."""
        return ConversionOptions(
            recursive=self.recursive,
            user_requested=False,
            internal_convert_user_code=self.recursive,
            optional_features=self.optional_features,
        )

    def __str__(self) -> str:
        return "ConversionOptions[{}]"

    def to_ast(self) -> Any:
        """The syntax tree of code that makes them."""
        from tf1compat.api.autograph.pyct import parser

        if self == STANDARD_OPTIONS:
            return parser.parse_expression("ag__.STD")
        features = "".join(f"ag__.{feature}, " for feature in self.optional_features)
        return parser.parse_expression(
            f"ag__.ConversionOptions(recursive={self.recursive}, "
            f"user_requested={self.user_requested}, optional_features=({features}), "
            f"internal_convert_user_code={self.internal_convert_user_code})"
        )


STANDARD_OPTIONS = ConversionOptions(recursive=True, optional_features=None)


def __getattr__(name: str) -> Any:
    """What works on syntax trees is loaded late: it needs gast, which conversions don't."""
    if name.startswith("__") or name not in _ENTITIES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from tf1compat.api.autograph.core import entities

    return getattr(entities, name)
