"""Steps that strategies take by themselves (`tensorflow.python.distribute.step_fn`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.eager import backprop
from tf1compat.core.export import tf_export


@tf_export("contrib.distribute.Step")
class Step:
    """What is called once for each step of a program.

    As in TF 1.15.

    Args:
      distribution: the strategy.
    """

    def __init__(self, distribution: Any):
        self._distribution = distribution

    @property
    def distribution(self) -> Any:
        """The strategy."""
        return self._distribution

    def initialize(self) -> Any:
        """The operations that have to be run before the first step."""
        return []

    def __call__(self) -> Any:
        """Records a step, or takes it in eager execution."""
        raise NotImplementedError("must be implemented in descendants")


@tf_export("contrib.distribute.StandardInputStep")
class StandardInputStep(Step):
    """A step that takes elements of a dataset.

    Args:
      dataset_fn: a function that makes the dataset.
      distribution: the strategy.
    """

    def __init__(self, dataset_fn: Callable[[], Any], distribution: Any):
        super().__init__(distribution)
        self._iterator = distribution.make_input_fn_iterator(lambda _: dataset_fn())

    def initialize(self) -> Any:
        """The initializers of the iterator."""
        return self._iterator.initialize()


@tf_export("contrib.distribute.StandardSingleLossStep")
class StandardSingleLossStep(StandardInputStep):
    """A step of training by one loss.

    Args:
      dataset_fn: a function that makes the dataset.
      loss_fn: a function of the context of the steps and an element that gives the loss.
      optimizer: a `tf.train.Optimizer`.
      distribution: the strategy.
      iterations_per_step: how many elements a step takes.
    """

    def __init__(
        self,
        dataset_fn: Callable[[], Any],
        loss_fn: Callable[[Any, Any], Any],
        optimizer: Any,
        distribution: Any,
        iterations_per_step: int = 1,
    ):
        super().__init__(dataset_fn, distribution)
        self._loss_fn = loss_fn
        self._optimizer = optimizer
        self._iterations_per_step = iterations_per_step

    def __call__(self) -> Any:
        """Gives the operation that takes a step."""
        gradients_of = backprop.implicit_grad(self._loss_fn)

        def gradients(*args: Any) -> Any:
            # Another replica's variables may be among them, with None; all replicas give the same.
            return [pair for pair in gradients_of(*args) if pair[0] is not None]

        def step(context: Any, inputs: Any) -> Any:
            extended = self.distribution.extended
            found = extended.call_for_each_replica(gradients, args=(context, inputs))
            return self._optimizer._distributed_apply(self.distribution, found)

        with self._distribution.scope():
            context = self.distribution.extended.experimental_run_steps_on_iterator(
                step, self._iterator, self._iterations_per_step
            )
            return context.run_op
