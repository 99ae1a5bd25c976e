"""The companion as a player, and the private hands of phones."""
