"""Names of TF's internal modules, all of them: see `name_runs`."""

from __future__ import annotations

import name_eager_cases as name_eager_cases
import name_framework_cases as name_framework_cases
import name_op_cases as name_op_cases
import name_util_cases as name_util_cases
from name_runs import EXPRESSIONS as EXPRESSIONS
from name_runs import SETUP as SETUP
from name_runs import run as run
