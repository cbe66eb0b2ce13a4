"""`CompositeTensor`: the base of what is made of several tensors, such as a SparseTensor."""

from __future__ import annotations

import abc
from typing import Any

from tf1compat.core import nest


class CompositeTensor(abc.ABC):
    """A value made of tensors, which ops that expand composites take apart (as in TF 1.15).

    A subclass says by `_type_spec` how; the rest follows from that.
    """

    @property
    @abc.abstractmethod
    def _type_spec(self) -> Any:
        """The `TypeSpec` of this value."""

    def _to_components(self) -> Any:
        """A structure of the tensors that it is made of."""
        return self._type_spec._to_components(self)

    def _component_metadata(self) -> Any:
        """What `_from_components` needs besides the tensors."""
        return self._type_spec

    @classmethod
    def _from_components(cls, components: Any, metadata: Any) -> Any:
        """The value of its tensors and of what `_component_metadata` gave."""
        return metadata._from_components(components)

    def _shape_invariant_to_type_spec(self, shape: Any) -> Any:
        """The spec of a loop variable with this invariant.

        Raises:
          NotImplementedError: the class has no such.
        """
        raise NotImplementedError(f"{type(self).__name__}._shape_invariant_to_type_spec")

    @property
    def _is_graph_tensor(self) -> bool:
        """Whether its tensors belong to a graph: they are not eager."""
        tensors = nest.flatten(self, expand_composites=True)
        return any(hasattr(tensor, "graph") for tensor in tensors)

    def _consumers(self) -> list[Any]:
        """The operations that use one of its tensors."""
        found: dict[Any, None] = {}
        for tensor in nest.flatten(self, expand_composites=True):
            if tensor is not None:
                found.update(dict.fromkeys(tensor.consumers()))
        return list(found)


def replace_composites_with_components(structure: Any) -> Any:
    """A structure with each composite in it replaced by the list of its components."""
    if isinstance(structure, CompositeTensor):
        return replace_composites_with_components(structure._to_components())
    if not nest.is_sequence(structure):
        return structure
    return nest.map_structure(
        replace_composites_with_components, structure, expand_composites=False
    )
