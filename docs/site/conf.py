"""How Sphinx makes the documents: `docs/site/documents.py` gathers them and calls it."""

from pathlib import Path

project = "The cribbage board that knows"
author = "The cribbage companion contributors"
extensions = ["myst_parser"]
root_doc = "index"
include_patterns = ["index.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "api.md", "help/*.md", "docs/**.md"]
myst_heading_anchors = 4
html_theme = "furo"
html_title = project
html_static_path = [str(Path(__file__).parent / "documents.css"), str(Path(__file__).parents[2] / "web/icon.svg")]
html_css_files = ["documents.css"]
html_favicon = str(Path(__file__).parents[2] / "web/icon.svg")
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"top_of_page_buttons": []}
highlight_language = "text"
nitpicky = True
suppress_warnings = ["misc.highlighting_failure"]  # an example of a file may be cut
