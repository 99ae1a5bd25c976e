"""HTML pages, static assets and bundles."""
