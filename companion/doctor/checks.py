"""All that is looked at, in the order in which one would mend it."""

from collections.abc import Callable

from companion.doctor import host, pi
from companion.doctor.machine import Check, Machine

CHECKS: tuple[Callable[[Machine], Check], ...] = (
    pi.model,
    host.system,
    host.settings,
    pi.packages,
    pi.interfaces,
    host.groups,
    host.udev,
    host.modem,
    host.serial,
    pi.memory,
    pi.sound,
    pi.power,
    host.disk,
    host.clock,
    host.port,
    host.journal,
)


def examine(machine: Machine) -> list[Check]:
    """Every check of this machine; one that fails by itself says so, and hides no other."""
    return [_made(check, machine) for check in CHECKS]


def _made(check: Callable[[Machine], Check], machine: Machine) -> Check:
    try:
        return check(machine)
    except Exception as error:  # a strange machine must not keep the other checks from being told
        fix = "Tell us, with this line: it is a fault of companion doctor."
        return Check(check.__name__, False, f"This could not be looked at: {error}.", fix)
