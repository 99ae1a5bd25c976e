"""Checks of this machine for `companion doctor`. Each failed check has one line that says how to fix it."""

from companion.doctor.checks import CHECKS, run_checks
from companion.doctor.system import CheckResult, Machine, User, this_machine

__all__ = ["CHECKS", "CheckResult", "Machine", "User", "run_checks", "this_machine"]
