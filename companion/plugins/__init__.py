"""The bundled plugins (`companion.plugin`). The core imports none of them."""
