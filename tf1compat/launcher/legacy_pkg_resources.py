"""`pkg_resources`, which came with setuptools until its release 82, by what Python has today."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.resources
import io
import os
from collections.abc import Iterable, Iterator
from importlib.metadata import EntryPoint
from typing import IO, Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.version import InvalidVersion, Version

from tf1compat.launcher.legacy_python import LooseVersion


class ResolutionError(Exception):
    """A package that is asked for is not there as asked."""


class DistributionNotFound(ResolutionError):
    """A package is not installed."""

    def __str__(self) -> str:
        return f"The '{self.args[0]}' distribution was not found and is required by the application"


class VersionConflict(ResolutionError):
    """A package is installed in another version: the distribution, and what was asked for."""

    def __str__(self) -> str:
        return f"{self.args[0]} is installed but {self.args[1]} is required"


class UnknownExtra(ResolutionError):
    """A package has no such extra."""


class Distribution:
    """An installed package."""

    def __init__(self, found: importlib.metadata.Distribution):
        self._found = found
        self.project_name: str = found.metadata["Name"]
        self.key = self.project_name.lower()
        self.version = found.version
        self.parsed_version = parse_version(found.version)
        self.location = str(found.locate_file(""))

    def __str__(self) -> str:
        return f"{self.project_name} {self.version}"

    def requires(self, extras: Iterable[str] = ()) -> list[Requirement]:
        """What it wants to have installed with it.

        Args:
          extras: names of its extras that are wanted too.

        Returns:
          The requirements.
        """
        wanted = [Requirement(line) for line in self._found.requires or ()]
        return [
            requirement
            for requirement in wanted
            if requirement.marker is None
            or any(requirement.marker.evaluate({"extra": extra}) for extra in ("", *extras))
        ]

    def get_entry_map(self, group: str | None = None) -> dict[str, Any]:
        """Its entry points: name -> entry point, of one group or by group."""
        groups: dict[str, dict[str, EntryPoint]] = {}
        for point in self._found.entry_points:
            groups.setdefault(point.group, {})[point.name] = point
        return groups if group is None else groups.get(group, {})


def parse_version(v: str) -> Any:
    """`pkg_resources.parse_version`: compares as releases do."""
    try:
        return Version(v)
    except InvalidVersion:
        return LooseVersion(v)


def parse_requirements(strs: str | Iterable[str]) -> Iterator[Requirement]:
    """`pkg_resources.parse_requirements`: a requirement a line, but of comments.

    Args:
      strs: a text, or lines.

    Returns:
      An iterator over the requirements.
    """
    for line in strs.splitlines() if isinstance(strs, str) else strs:
        line = line.partition(" #")[0].strip()
        if line and not line.startswith("#"):
            yield Requirement(line)


def get_distribution(dist: Any) -> Any:
    """`pkg_resources.get_distribution`: the installed package of that name.

    Args:
      dist: a requirement, e.g. "tensorflow", or what this returned.

    Returns:
      A Distribution.

    Raises:
      DistributionNotFound: it is not installed.
      VersionConflict: in another version.
    """
    return dist if isinstance(dist, Distribution) else require(str(dist))[0]


def require(*requirements: str) -> list[Distribution]:
    """`pkg_resources.require`: the installed packages, as asked for.

    Args:
      *requirements: e.g. "tensorflow>=1.4".

    Returns:
      One distribution each.

    Raises:
      DistributionNotFound: one is not installed.
      VersionConflict: one is there in another version.
    """
    found = []
    for text in requirements:
        requirement = Requirement(text)
        try:
            distribution = Distribution(importlib.metadata.distribution(requirement.name))
        except importlib.metadata.PackageNotFoundError:
            raise DistributionNotFound(text, None) from None
        if not requirement.specifier.contains(distribution.version, prereleases=True):
            raise VersionConflict(distribution, requirement)
        found.append(distribution)
    return found


def iter_entry_points(group: str, name: str | None = None) -> Iterator[EntryPoint]:
    """`pkg_resources.iter_entry_points`: what installed packages offer.

    Args:
      group: of the entry points.
      name: of one of them; None for all.

    Returns:
      An iterator.
    """
    for point in importlib.metadata.entry_points(group=group):
        if name is None or point.name == name:
            yield point


def load_entry_point(dist: str, group: str, name: str) -> Any:
    """`pkg_resources.load_entry_point`: the object that a package offers.

    Args:
      dist: the package.
      group: of the entry point.
      name: of the entry point.

    Returns:
      What it stands for.

    Raises:
      ImportError: there is none of that name.
    """
    points = get_distribution(dist).get_entry_map(group)
    if name not in points:
        raise ImportError(f"Entry point {(group, name)!r} not found")
    return points[name].load()


def resource_filename(package_or_requirement: str, resource_name: str) -> str:
    """`pkg_resources.resource_filename`: the path of a file beside a module."""
    module = importlib.import_module(package_or_requirement)
    return os.path.join(os.path.dirname(str(module.__file__)), *resource_name.split("/"))


def resource_string(package_or_requirement: str, resource_name: str) -> bytes:
    """`pkg_resources.resource_string`: the bytes of a file beside a module."""
    with open(resource_filename(package_or_requirement, resource_name), "rb") as file:
        return file.read()


def resource_stream(package_or_requirement: str, resource_name: str) -> IO[bytes]:
    """`pkg_resources.resource_stream`: a file beside a module, to be read."""
    return io.BytesIO(resource_string(package_or_requirement, resource_name))


def resource_exists(package_or_requirement: str, resource_name: str) -> bool:
    """`pkg_resources.resource_exists`: whether a file is beside a module."""
    return os.path.exists(resource_filename(package_or_requirement, resource_name))


def resource_isdir(package_or_requirement: str, resource_name: str) -> bool:
    """`pkg_resources.resource_isdir`: whether a folder is beside a module."""
    return os.path.isdir(resource_filename(package_or_requirement, resource_name))


def resource_listdir(package_or_requirement: str, resource_name: str) -> list[str]:
    """`pkg_resources.resource_listdir`: what is in a folder beside a module."""
    return os.listdir(resource_filename(package_or_requirement, resource_name))


def declare_namespace(packageName: str) -> None:
    """`pkg_resources.declare_namespace`: Python 3 has packages in several folders by itself."""


class _WorkingSet:
    """`pkg_resources.working_set`: the installed packages."""

    def __iter__(self) -> Iterator[Distribution]:
        return map(Distribution, importlib.metadata.distributions())

    @property
    def by_key(self) -> dict[str, Distribution]:
        """Name in small letters -> distribution."""
        return {distribution.key: distribution for distribution in self}


working_set = _WorkingSet()
RequirementParseError = InvalidRequirement
