"""Sphinx configuration: `make docs` builds docs/_build/html, with every warning an error and nothing from a network."""

from __future__ import annotations

import re
import sys
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parent))

from commands import use_commands
from mathml import use_mathml

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "certify"
author = "the certify authors"
project_copyright = author
version = release = installed_version("certify")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = "certify"
html_copy_source = False
html_show_sphinx = False
html_math_renderer = "mathml"

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_default_options = {"members": True}
napoleon_google_docstring = True
napoleon_numpy_docstring = False
python_use_unqualified_type_names = True

_LITERAL = re.compile(r"(``.*?``)")
_MARKUP = re.compile(r"([|*])|(?<=\w)(_)(?!\w)")


def _as_plain_text(*arguments: Any) -> None:
    """Escape what reStructuredText would take for markup: the docstrings are prose with mathematics in it."""
    lines: list[str] = arguments[5]
    example = False
    for index, line in enumerate(lines):
        example = line.lstrip().startswith(">>>") or (example and bool(line.strip()))
        if example:
            continue
        parts = _LITERAL.split(line)
        parts[::2] = [_apart(_MARKUP.sub(r"\\\g<0>", text), at, len(parts)) for at, text in enumerate(parts[::2])]
        lines[index] = "".join(parts)


def _apart(text: str, place: int, count: int) -> str:
    """Return a text between literals, set apart from them by an invisible space where it would touch one."""
    after = "\\ " if place > 0 and text and text[0] not in " .,;:)]}>-/'\"!?" else ""
    before = "\\ " if 2 * place + 1 < count and text and text[-1] not in " ([{<-/:'\"" else ""
    return f"{after}{text}{before}"


def setup(app: Sphinx) -> None:
    """Register the renderer of formulas and the reader of docstrings."""
    use_commands(app)
    use_mathml(app)
    app.connect("autodoc-process-docstring", _as_plain_text, priority=400)
