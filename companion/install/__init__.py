"""The companion as a service of a Debian machine: installed, updated, put back, removed."""

from companion.install.installer import Installation, Machinery, this_machinery

__all__ = ["Installation", "Machinery", "this_machinery"]
