"""A fast `dataclasses.replace`: every sensor report needs a dozen calls. Pure."""

import dataclasses
from typing import Any, TypeVar

T = TypeVar("T")


def replace(value: T, **changes: Any) -> T:
    """Return a copy of a frozen dataclass with some fields changed; five times as fast if it has no slots.

    Without slots, values of cached properties are copied too.
    """
    try:
        fields_ = value.__dict__
    except AttributeError:
        return dataclasses.replace(value, **changes)  # type: ignore[type-var]
    assert changes.keys() <= value.__dataclass_fields__.keys()  # type: ignore[attr-defined]
    copy = object.__new__(type(value))
    copy.__dict__.update(fields_, **changes)
    return copy
