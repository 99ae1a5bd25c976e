"""Pages: templates, static assets, bundles."""
