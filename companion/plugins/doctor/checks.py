"""The list of all checks, in the order in which to fix them."""

from collections.abc import Callable

from companion.plugins.doctor import host_checks, pi_checks
from companion.plugins.doctor.system import CheckResult, Machine

CHECKS: tuple[Callable[[Machine], CheckResult], ...] = (
    pi_checks.check_model,
    host_checks.check_system,
    host_checks.check_settings,
    pi_checks.check_packages,
    host_checks.check_plugins,
    pi_checks.check_interfaces,
    host_checks.check_groups,
    host_checks.check_udev,
    host_checks.check_modem,
    host_checks.check_serial,
    host_checks.check_reader,
    pi_checks.check_memory,
    pi_checks.check_sound,
    pi_checks.check_power,
    host_checks.check_disk,
    host_checks.check_clock,
    host_checks.check_port,
    host_checks.check_journal,
)


def run_checks(machine: Machine) -> list[CheckResult]:
    """Return the results of all checks. A check that raises gives a failed result."""
    return [_run_check(check, machine) for check in CHECKS]


def _run_check(check: Callable[[Machine], CheckResult], machine: Machine) -> CheckResult:
    try:
        return check(machine)
    except Exception as error:  # an unusual machine must not hide the other checks
        fix = "This is a bug of companion doctor. Please report it with this line."
        return CheckResult(
            check.__name__.removeprefix("check_"), False, f"This check failed with an error: {error}.", fix
        )
