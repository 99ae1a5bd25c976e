"""The HTTP server: waitress with limits and TLS."""
