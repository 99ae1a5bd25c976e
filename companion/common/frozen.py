"""Frozen values changed quickly: every report of the sensors makes a dozen. Pure."""

import dataclasses
from typing import Any, TypeVar

T = TypeVar("T")


def replace(value: T, **changes: Any) -> T:
    """A frozen dataclass with some fields changed: `dataclasses.replace`, five times as fast where it has no slots.

    What such a value has computed of itself is taken over too.
    """
    try:
        kept = value.__dict__
    except AttributeError:
        return dataclasses.replace(value, **changes)  # type: ignore[type-var]
    assert changes.keys() <= value.__dataclass_fields__.keys()  # type: ignore[attr-defined]
    changed = object.__new__(type(value))
    changed.__dict__.update(kept, **changes)
    return changed
