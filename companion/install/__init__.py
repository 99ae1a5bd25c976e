"""Install, update, roll back and remove the companion as a systemd service on Debian."""

from companion.install.installer import HostMachine, Installer, this_machine

__all__ = ["HostMachine", "Installer", "this_machine"]
