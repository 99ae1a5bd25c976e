"""All that is looked at, in the order in which one would mend it."""

from collections.abc import Callable

from companion.doctor import host_checks, pi_checks
from companion.doctor.system import Check, Machine

CHECKS: tuple[Callable[[Machine], Check], ...] = (
    pi_checks.model,
    host_checks.system,
    host_checks.settings,
    pi_checks.packages,
    pi_checks.interfaces,
    host_checks.groups,
    host_checks.udev,
    host_checks.modem,
    host_checks.serial,
    pi_checks.memory,
    pi_checks.sound,
    pi_checks.power,
    host_checks.disk,
    host_checks.clock,
    host_checks.port,
    host_checks.journal,
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
