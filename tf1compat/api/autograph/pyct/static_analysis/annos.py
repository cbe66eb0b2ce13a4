"""Keys of what static analysis notes at nodes."""

from __future__ import annotations

import enum


class NoValue(enum.Enum):
    """Keys whose values only describe them."""

    def __repr__(self) -> str:
        return self.name


class NodeAnno(NoValue):
    """The keys, besides those of `anno`."""

    IS_LOCAL = "Whether the symbol belongs to the function."
    IS_PARAM = "Whether the symbol is a parameter of the function."
    IS_MODIFIED_SINCE_ENTRY = "Whether the symbol was written since the block began."
    ARGS_SCOPE = "The scope of a call's arguments."
    COND_SCOPE = "The scope of a statement's test."
    ITERATE_SCOPE = "The scope of a loop's targets."
    BODY_SCOPE = "The scope of a statement's body."
    ORELSE_SCOPE = "The scope of a statement's else branch."
