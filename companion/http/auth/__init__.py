"""Access: join link, sessions, permissions, throttle."""
