"""What `tensorflow.python.distribute`'s helpers of tests do: cases as in internal_cases.py."""

from __future__ import annotations

from internal_cases import case, error, internal


@case
def combinations_of_strategies(tf):
    module = internal("distribute.combinations")
    strategies = internal("distribute.strategy_combinations")
    said = []
    for name in sorted(dir(strategies)):
        if name.startswith(
            ("distributions_and", "all_strategy", "strategy_minus", "tpu_strategy_comb")
        ):
            said.append([name, [str(list(c.items())) for c in getattr(strategies, name)()]])
    gpus, tpus = module.GPUCombination(), module.TPUCombination()
    one = strategies.one_device_strategy
    for kwargs in (
        {}, {"d": one}, {"d": strategies.tpu_strategy}, {"required_gpus": 99},
        {"d": strategies.mirrored_strategy_with_two_gpus}, {"required_tpu": True},
        {"required_tpus": True, "required_tpu": True}, {"d": one, "required_gpus": 1},
        {"d": one, "required_tpus": True},
    ):  # fmt: skip
        said.append([error(c.should_execute_combination, kwargs) for c in (gpus, tpus)])
    made = module.DistributionParameter().modified_arguments({"d": one, "x": 1}, ["d"])
    said.append([[key, type(value).__name__] for key, value in made.items()])
    said.append([type(p).__name__ for p in gpus.parameter_modifiers() + tpus.parameter_modifiers()])
    named = module.NamedDistribution("n", lambda: 5, required_gpus=2)
    said.append([repr(named), named.strategy, named.required_gpus, named.required_tpu])
    for fn in strategies.optimizers_v1_and_v2:
        said.append([repr(fn), type(fn()).__name__])
    return said + [error(strategies.set_virtual_cpus_to_at_least, 0)]
