"""How the documentation is built: `sphinx-build -W docs OUT`. Docstrings are plain text and are shown as they are."""

from __future__ import annotations

import tidegate

project = "Tidegate"
author = "the Tidegate authors"
release = version = tidegate.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
html_theme = "alabaster"
html_theme_options = {"description": "Where gradients flow, and what stops them", "page_width": "1100px"}
html_title = f"Tidegate {release}"
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
autodoc_typehints = "signature"
autodoc_member_order = "alphabetical"
nitpicky = False


def as_plain_text(app: object, what: str, name: str, found: object, options: object, lines: list[str]) -> None:
    """Show a docstring as it is written: its markup is for people, and isn't reStructuredText."""
    text = [line.rstrip() for line in lines]
    while text and not text[-1]:
        text.pop()
    lines[:] = ["::", "", *[f"    {line}" for line in text], ""] if text else []


def setup(app: object) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", as_plain_text)
