"""Frozen values changed quickly: every report of the sensors makes four. Pure."""

from collections.abc import Mapping
from typing import Any, TypeVar

T = TypeVar("T")


def with_fields(value: T, changes: Mapping[str, Any]) -> T:
    """A frozen dataclass without slots, with some fields changed: `dataclasses.replace`, five times as fast.

    What the value has computed of itself is taken over too.
    """
    assert changes.keys() <= value.__dataclass_fields__.keys()  # type: ignore[attr-defined]
    changed = object.__new__(type(value))
    changed.__dict__.update(value.__dict__, **changes)
    return changed
