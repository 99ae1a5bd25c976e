"""What stands in the way of a board on this machine: each thing that is looked at, and the one line that mends it."""

from companion.doctor.checks import CHECKS, examine
from companion.doctor.system import Check, Machine, User, this_machine

__all__ = ["CHECKS", "Check", "Machine", "User", "examine", "this_machine"]
