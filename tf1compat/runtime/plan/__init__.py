"""What a `Session.run` has to do, worked out once per set of fetches and feeds: prune, order
effects, partition.

Every pass is a function of plain data:

    prune(targets, feeds)        -> the operations that the fetches need, in an order that respects
                                    every edge; each loop is one step, and what nobody reads only
                                    waits
    order_effects(ops, feeds)    -> which version of each variable every operation sees
    branches.group(ops, ...)     -> the same with each conditional as one step
    partition(ops, feeds, cuts)  -> levels: a device region (one XLA program), then host steps, and
                                    so on
    towers.group(steps, ...)     -> a region's, with the operations of towers that match across
                                    devices as one step
"""

from tf1compat.runtime.plan.effects import Effects as Effects
from tf1compat.runtime.plan.effects import Versions as Versions
from tf1compat.runtime.plan.effects import order_effects as order_effects
from tf1compat.runtime.plan.effects import reads_last as reads_last
from tf1compat.runtime.plan.feeds import FOLD_ELEMENTS as FOLD_ELEMENTS
from tf1compat.runtime.plan.feeds import Feeds as Feeds
from tf1compat.runtime.plan.feeds import is_constant as is_constant
from tf1compat.runtime.plan.feeds import refuse_mistyped as refuse_mistyped
from tf1compat.runtime.plan.feeds import refuse_references as refuse_references
from tf1compat.runtime.plan.order import Cycle as Cycle
from tf1compat.runtime.plan.order import topological as topological
from tf1compat.runtime.plan.partition import Level as Level
from tf1compat.runtime.plan.partition import partition as partition
from tf1compat.runtime.plan.placement import may_wait as may_wait
from tf1compat.runtime.plan.prune import prune as prune
from tf1compat.runtime.plan.references import Local as Local
from tf1compat.runtime.plan.references import handed_on as handed_on
from tf1compat.runtime.plan.references import input_group as input_group
from tf1compat.runtime.plan.references import is_reference as is_reference
from tf1compat.runtime.plan.references import is_view as is_view
from tf1compat.runtime.plan.references import may_grow as may_grow
from tf1compat.runtime.plan.references import source_of as source_of
from tf1compat.runtime.plan.references import variable_key as variable_key
from tf1compat.runtime.plan.references import views_on_the_way as views_on_the_way
from tf1compat.runtime.plan.steps import flat as flat
from tf1compat.runtime.plan.steps import gate_tensors as gate_tensors
from tf1compat.runtime.plan.steps import gates as gates
from tf1compat.runtime.plan.steps import members as members
from tf1compat.runtime.plan.steps import random_ops as random_ops
