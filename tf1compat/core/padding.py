"""What the fact `padding` of op types speaks of.

How many distinct elements `Unique` finds is known to the run alone, while XLA's programs have fixed
shapes. So it may give as many as it was given: behind those that are meant come indices that no
table has. `padding` says what follows for the outputs of an op from what its inputs are: it is a
function `(op, the inputs' kinds) -> the kind of the first output`, or of all as a tuple; or
REFUSED, if the op has to be given what TF gives it.
"""

from __future__ import annotations

from collections.abc import Sequence

# Numbers of rows, of which the last ones may not be meant: they are in no table.
IDS = "ids"
# What belongs to IDS, row by row; the rows that are not meant hold anything.
ROWS = "rows"
# A shape, or a part of it, of which the first number counts those that are not meant too.
COUNT = "count"
# Which of IDS each element is: one that is meant. Whoever sees nothing else sees what TF gives.
PLACES = "places"
# The same of each of IDS; the last ones belong to those that are not meant.
ROW_PLACES = "places of rows"

# None is what would be the same without any of this.
Kinds = Sequence[str | None]

REFUSED = False
