"""One module a subject. Its function `add_routes(app, site)` adds its routes."""
