"""Runs ngspice and reads what it measures."""

import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.common.errors import CompanionError


class SpiceError(CompanionError, OSError):
    """ngspice is missing or failed."""


def has_ngspice() -> bool:
    """Return whether ngspice is installed."""
    return shutil.which("ngspice") is not None


def run_ngspice(lines: Sequence[str]) -> Mapping[str, float]:
    """Run a circuit and return the values that its control section prints, by name.

    Raises SpiceError with what ngspice said if it fails.
    """
    said = _run(lines)
    values = {name: float(value) for name, value in re.findall(r"^(\S+) = (\S+)$", said, re.MULTILINE)}
    if not values:
        raise SpiceError("ngspice printed no values. Check the circuit.")
    return values


def record_voltage(lines: Sequence[str], node: str, step_s: float, end_s: float) -> list[tuple[float, float]]:
    """Run a circuit and return the voltage of a node as pairs of seconds and volts, one each `step_s`."""
    control = [".control", f"tran {step_s} {end_s}", f"linearize v({node})", f"print v({node})", ".endc", ".end"]
    rows = re.findall(r"^(\d+)\t(\S+)\t$", _run(["voltage", *lines, *control]), re.MULTILINE)
    return [(int(n) * step_s, float(volts)) for n, volts in rows]


def _run(lines: Sequence[str]) -> str:
    if not has_ngspice():
        raise SpiceError("ngspice is missing. Install it: sudo apt-get install ngspice")
    with TemporaryDirectory() as folder:
        circuit = Path(folder) / "circuit.cir"
        circuit.write_text("\n".join([*lines, ""]), "utf-8")
        done = subprocess.run(["ngspice", "-b", circuit], capture_output=True, text=True, cwd=folder, check=False)
    if done.returncode not in (0, 1) or "rror" in done.stderr:
        raise SpiceError(f"ngspice failed. Look at its message: {done.stderr[-300:]}")
    return done.stdout
