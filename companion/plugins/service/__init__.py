"""Install, update, roll back and remove the companion as a systemd service on Debian."""

from companion.plugin import Plugin

PLUGIN = Plugin(name="service", commands={"service": "companion.plugins.service.service_command:service"})
