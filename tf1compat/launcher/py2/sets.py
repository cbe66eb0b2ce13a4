"""Python 2's `sets`."""

Set = set
ImmutableSet = frozenset
