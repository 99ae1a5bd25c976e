"""The line that brings a library of the system: typed once, it is enough, in a service and in a checkout."""

import subprocess
import sys

import pytest

from companion.common.process import system_package_command

PRINT_COMMAND = "from companion.common.process import *; print(system_package_command('python3-lgpio'))"


@pytest.mark.parametrize(
    ("prefix", "path", "command"),
    [
        ("/usr", ["/usr/lib/python3/dist-packages"], "sudo apt-get install python3-lgpio"),
        (
            "/opt/companion/v1",
            ["/opt/companion/v1/lib/python3.13/site-packages", "/usr/lib/python3/dist-packages"],
            "sudo apt-get install python3-lgpio",
        ),
        (
            "/home/ann/my table/.venv",
            ["/usr/lib/python3.13", "/home/ann/my table/.venv/lib/python3.13/site-packages"],
            "sudo apt-get install python3-lgpio && python3 -m venv --system-site-packages '/home/ann/my table/.venv'",
        ),
    ],
    ids=["the system's Python", "the service", "a checkout"],
)
def test_the_line_suits_the_environment(monkeypatch, prefix, path, command):
    monkeypatch.setattr(sys, "prefix", prefix)
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    monkeypatch.setattr(sys, "path", path)
    assert system_package_command("python3-lgpio") == command


def test_the_line_opens_an_environment_to_the_systems_packages_and_keeps_what_it_has(tmp_path):
    home = tmp_path / "an environment"
    make = [sys.executable, "-m", "venv", "--without-pip"]
    subprocess.run([*make, home], check=True)
    (kept,) = home.glob("lib/python*/site-packages")
    (kept / "kept.py").touch()
    ask = [home / "bin/python", "-c", PRINT_COMMAND]
    line = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip()
    assert line.endswith(f"&& python3 -m venv --system-site-packages '{home}'")
    subprocess.run([*make, *line.partition("-m venv ")[2].replace("'", "").split(maxsplit=1)], check=True)
    again = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip()
    assert again == "sudo apt-get install python3-lgpio"
    assert (kept / "kept.py").exists()
