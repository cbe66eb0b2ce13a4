"""`tf.contrib.distributions.Mixture`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.contrib.distributions import distribution_util
from tf1compat.api.distributions import categorical, distribution, util
from tf1compat.api.distributions.moved import moved
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.queues import data_flow_ops
from tf1compat.core import ops, tensor_util
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import Name, TensorLike


def _refuse_bad_components(cat: Any, components: Any) -> None:
    if not isinstance(cat, categorical.Categorical):
        raise TypeError(f"cat must be a Categorical distribution, but saw: {cat}")
    if not components:
        raise ValueError("components must be a non-empty list or tuple")
    if not isinstance(components, (list, tuple)):
        raise TypeError(f"components must be a list or tuple, but saw: {components}")
    if not all(isinstance(c, distribution.Distribution) for c in components):
        raise TypeError(
            f"all entries in components must be Distribution instances but saw: {components}"
        )
    if not all(c.dtype == components[0].dtype for c in components):
        raise TypeError(
            "All components must have the same dtype, but saw dtypes: "
            f"{[(c.name, c.dtype) for c in components]}"
        )


@tf_export("contrib.distributions.Mixture")
class Mixture(distribution.Distribution):
    """A mixture of distributions, of which a categorical one chooses for each draw."""

    @moved("mixture", "tf.contrib.distributions")
    def __init__(
        self,
        cat: Any,
        components: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        use_static_graph: bool = False,
        name: Name = "Mixture",
    ) -> None:
        """A mixture.

        Args:
          cat: a `Categorical` distribution of as many classes as there are components.
          components: a list of distributions of the same batch and event shapes and dtype.
          validate_args: whether the batch shapes are checked when the graph runs.
          allow_nan_stats: see `Distribution`.
          use_static_graph: whether a sample draws from all components, and takes one of the draws;
            its shapes are known then.
          name: scope of the ops.

        Raises:
          TypeError: an argument is of another kind, or the components' dtypes differ.
          ValueError: there is no component, their number is not that of the classes, or the rank of
            an event is not known.
        """
        parameters = dict(locals())
        _refuse_bad_components(cat, components)
        event_shape, batch_shape = components[0].event_shape, cat.batch_shape
        for component in components:
            event_shape = event_shape.merge_with(component.event_shape)
            batch_shape = batch_shape.merge_with(component.batch_shape)
        if event_shape.ndims is None:
            raise ValueError(
                "Expected to know rank(event_shape) from components, but none of the components "
                "provide a static number of ndims"
            )
        with ops.name_scope(name, values=[cat.logits]) as name:
            count = tensor_util.constant_value(cat.event_size)
            if count is None:
                raise ValueError(
                    "Could not infer number of classes from cat and unable to compare this value "
                    "to the number of components passed in."
                )
            if count != len(components):
                raise ValueError(
                    f"cat.num_classes != len(components): {count} vs. {len(components)}"
                )
            shape = cat.batch_shape_tensor()
            rank = array_ops.size(shape)
            self._assertions = []
            if validate_args:
                shapes = [component.batch_shape_tensor() for component in components]
                ranks = [array_ops.size(shape) for shape in shapes]
                for own, others in ((rank, ranks), (shape, shapes)):
                    for i, other in enumerate(others):
                        text = f"components[{i}] batch shape must match cat batch shape"
                        self._assertions.append(check_ops.assert_equal(own, other, message=text))
            self._cat, self._components = cat, list(components)
            self._num_components = int(count)
            self._static_event_shape, self._static_batch_shape = event_shape, batch_shape
            self._use_static_graph = use_static_graph
        parents = [p for d in (cat, *components) for p in d._graph_parents]
        super().__init__(
            components[0].dtype,
            distribution.NOT_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            parents,
            name,
        )

    cat = attribute("_cat", "The distribution that chooses a component.")
    components: list[Any] = attribute("_components", "The components.")
    num_components: int = attribute("_num_components", "How many components there are.")

    def _checked(self) -> Any:
        return ops.control_dependencies(self._assertions)

    def _batch_shape_tensor(self) -> Any:
        return self._cat.batch_shape_tensor()

    def _batch_shape(self) -> Any:
        return self._static_batch_shape

    def _event_shape_tensor(self) -> Any:
        return self._components[0].event_shape_tensor()

    def _event_shape(self) -> Any:
        return self._static_event_shape

    def _cat_probs(self, log_probs: bool) -> list[Any]:
        softmax = nn_ops.log_softmax if log_probs else nn_ops.softmax
        return array_ops.unstack(softmax(self.cat.logits), num=self.num_components, axis=-1)

    def _expand_to_event_rank(self, x: TensorLike) -> Any:
        for _ in self.event_shape.as_list():
            x = array_ops.expand_dims(x, -1)
        return x

    def _mean(self) -> Any:
        with self._checked():
            means = [component.mean() for component in self.components]
            probs = [self._expand_to_event_rank(p) for p in self._cat_probs(log_probs=False)]
            return math_ops.add_n([p * mean for p, mean in zip(probs, means, strict=True)])

    def _stddev(self) -> Any:
        with self._checked():
            means = [component.mean() for component in self.components]
            widths = [component.stddev() for component in self.components]
            probs = self._cat_probs(log_probs=False)
            means, widths = array_ops.stack(means, axis=-1), array_ops.stack(widths, axis=-1)
            probs = [self._expand_to_event_rank(p) for p in probs]
            probs = array_ops.stack(probs, axis=-1) * array_ops.ones_like(means)
            rows = [
                array_ops.reshape(x, [-1, len(self.components)]) for x in (probs, means, widths)
            ]
            stddev = distribution_util.mixture_stddev(*rows)
            return array_ops.reshape(stddev, array_ops.shape(probs)[:-1])

    def _log_prob(self, x: TensorLike) -> Any:
        return self._log_of_mixture("log_prob", x)

    def _log_cdf(self, x: TensorLike) -> Any:
        return self._log_of_mixture("log_cdf", x)

    def _log_of_mixture(self, method: str, x: TensorLike) -> Any:
        with self._checked():
            x = ops.convert_to_tensor(x, name="x")
            values = [getattr(component, method)(x) for component in self.components]
            probs = self._cat_probs(log_probs=True)
            terms = [p + value for p, value in zip(probs, values, strict=True)]
            return math_ops.reduce_logsumexp(array_ops.stack(terms, 0), [0])

    def entropy_lower_bound(self, name: str = "entropy_lower_bound") -> Any:
        """The mean of the components' entropies: the mixture's is no lower.

        Args:
          name: scope of the ops.

        Returns:
          A tensor of the batch shape.
        """
        with self._name_scope(name, values=[self.cat.logits]), self._checked():
            entropies = [component.entropy() for component in self.components]
            probs = self._cat_probs(log_probs=False)
            return math_ops.add_n([p * h for p, h in zip(probs, entropies, strict=True)])

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        return self._sample_all(n, seed) if self._use_static_graph else self._sample_few(n, seed)

    def _sample_all(self, n: Any, seed: Any) -> Any:
        """Draws from all components, and masks those not chosen."""
        chosen = self.cat.sample(n, seed=seed)
        draws = []
        for component in self.components:
            seed = util.gen_new_seed(seed, "mixture")
            draws.append(component.sample(n, seed=seed))
        event_ndims = self._static_event_shape.ndims
        x = array_ops.stack(draws, -event_ndims - 1)
        dtype = x.dtype.as_numpy_dtype
        mask = array_ops.one_hot(
            indices=chosen,
            depth=self._num_components,
            on_value=np.ones([], dtype=dtype),
            off_value=np.zeros([], dtype=dtype),
        )
        mask = distribution_util.pad_mixture_dimensions(mask, self, self._cat, event_ndims)
        return math_ops.reduce_sum(x * mask, axis=-1 - event_ndims)

    def _sample_few(self, n: Any, seed: Any) -> Any:
        """Draws as many batches from each component as it was chosen for, and joins them."""
        with self._checked():
            n = ops.convert_to_tensor(n, name="n")
            known = tensor_util.constant_value(n)
            n = n if known is None else int(known)
            chosen = self.cat.sample(n, seed=seed)
            static_shape = chosen.get_shape()
            if static_shape.is_fully_defined():
                shape, size = static_shape.as_list(), static_shape.num_elements()
            else:
                shape, size = array_ops.shape(chosen), array_ops.size(chosen)
            if self.batch_shape.is_fully_defined():
                batch_size = self.batch_shape.num_elements()
            else:
                batch_size = math_ops.reduce_prod(self.batch_shape_tensor())
            if self.event_shape.is_fully_defined():
                event_shape = np.array(self.event_shape.as_list(), dtype=np.int32)
            else:
                event_shape = self.event_shape_tensor()

            def by_component(numbers: Any) -> Any:
                return data_flow_ops.dynamic_partition(
                    data=numbers, partitions=chosen, num_partitions=self.num_components
                )

            places = by_component(array_ops.reshape(math_ops.range(0, size), shape))
            of_one = array_ops.tile(math_ops.range(0, batch_size), [n])
            batches = by_component(array_ops.reshape(of_one, shape))
            draws = []
            for i, component in enumerate(self.components):
                count = array_ops.size(places[i])
                seed = util.gen_new_seed(seed, "mixture")
                x = component.sample(count, seed=seed)
                # A draw is of all batches; only one of them is wanted.
                wanted = batch_size * math_ops.range(count) + batches[i]
                flat = array_ops.concat([[count * batch_size], event_shape], 0)
                x = array_ops.reshape(x, flat)
                draws.append(array_ops.gather(x, wanted, name="samples_class_c_gather"))
            flat = data_flow_ops.dynamic_stitch(indices=places, data=draws)
            x = array_ops.reshape(flat, array_ops.concat([shape, self.event_shape_tensor()], 0))
            x.set_shape(TensorShape(static_shape).concatenate(self.event_shape))
            return x
