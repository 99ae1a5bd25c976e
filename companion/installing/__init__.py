"""The companion as a service of a Debian machine: installed, updated, put back, removed."""

from companion.installing.installation import Installation
from companion.installing.machinery import Machinery, this_machinery

__all__ = ["Installation", "Machinery", "this_machinery"]
