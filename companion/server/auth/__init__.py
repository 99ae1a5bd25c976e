"""Who may do what: invitations, sessions, permissions, login throttle."""
