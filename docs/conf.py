"""Sphinx's settings for the site. `build.py` lays the pages out and then runs Sphinx on them."""

from __future__ import annotations

import re
from typing import Any

import reference_pages
from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx

import rocsolid

project = "rocsolid"
version = release = rocsolid.__version__
copyright = "the rocsolid developers, MIT licence"
extensions = ["myst_parser", "sphinx_design", "sphinx_copybutton"]
nitpicky = True
# types in signatures: those of other libraries, and short names that two classes have
nitpick_ignore_regex = [("py:class", ".*")]
suppress_warnings = ["ref.python"]

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_dmath_allow_space = myst_dmath_allow_digits = False  # else `$5 and $6` would be a formula
myst_heading_anchors = 4
html_math_renderer = "mathml"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
python_maximum_signature_line_length = 88
toc_object_entries_show_parents = "hide"

html_theme = "pydata_sphinx_theme"
html_title = "rocsolid"
html_static_path = ["_static"]
templates_path = ["_templates"]
html_extra_path = ["extra"]
html_css_files = ["site.css"]
html_js_files = ["search.js"]
html_use_index = False  # the page "Reference" lists every name
html_copy_source = html_show_sourcelink = False
html_show_search_summary = False  # it is fetched, which a page opened from disk may not do
html_sidebars = {"index": []}
html_theme_options = {
    "show_prev_next": True,
    "header_links_before_dropdown": 8,
    "secondary_sidebar_items": {"**": ["page-toc"], "index": []},
    "footer_start": ["copyright"],
    "footer_end": [],
    "navigation_with_keys": False,
    "show_toc_level": 2,
}


def setup(app: Sphinx) -> None:
    app.add_html_math_renderer("mathml", (_inline, None), (_display, None))
    app.connect("doctree-read", _name_heads)
    app.connect("html-page-context", _plain_parameters)


def _name_heads(_: Sphinx, doctree: nodes.document) -> None:
    """A screen reader reads the head of each column: one without words gets an unseen one."""
    for head in list(doctree.findall(nodes.thead)):
        empty = [cell for cell in head.findall(nodes.entry) if not cell.astext().strip()]
        if len(empty) == len(list(head.findall(nodes.entry))):  # a list of two columns
            head.parent.remove(head)
            continue
        for cell in empty:
            cell += nodes.inline("", "row", classes=["visually-hidden"])


def _plain_parameters(*page: Any) -> None:
    """Sphinx writes parameters as a list of meanings without their terms, which is no list."""
    context = page[3]
    body = re.sub(
        r'(<span class="sig-paren">\(</span>)\s*<dl>(.*?)</dl>',
        lambda found: f'{found[1]}<span class="parameters">{_spans(found[2])}</span>',
        context.get("body", ""),
        flags=re.DOTALL,
    )
    context["body"] = re.sub(
        r'<dt class="sig[^>]*id="([\w.]+)".*?</dt>', _linked, body, flags=re.DOTALL
    )


def _linked(signature: re.Match[str]) -> str:
    """A signature whose parameters link to their descriptions."""
    addresses = reference_pages.LINKS.get(signature[1], {})

    def link(name: re.Match[str]) -> str:
        address = addresses.get(name[3])
        return f'{name[1]}<a href="{address}">{name[2]}</a>' if address else name[0]

    return re.sub(
        r'(<em class="sig-param">(?:<span class="o"><span class="pre">\*+</span></span>)?)'
        r'(<span class="n"><span class="pre">(\w+)</span></span>)',
        link,
        signature[0],
    )


def _spans(meanings: str) -> str:
    return meanings.replace("<dd>", "<span>").replace("</dd>", "</span>")


def _inline(translator: Any, node: nodes.math) -> None:
    translator.body.append(convert(node.astext()))
    raise nodes.SkipNode


def _display(translator: Any, node: nodes.math_block) -> None:
    formula = convert(node.astext(), display="block")
    translator.body.append(f'<div class="math" tabindex="0">{formula}</div>')  # it may scroll
    raise nodes.SkipNode
