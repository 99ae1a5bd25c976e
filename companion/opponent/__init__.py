"""The companion as an opponent, and the private hands of phones."""
