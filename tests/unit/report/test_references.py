"""The works behind the methods of a page, in full below them."""

from __future__ import annotations

from dataclasses import replace

from rocsolid.report.data import Note, Page
from rocsolid.report.html import render


def test_each_work_stands_once_in_full_below_the_methods(page: Page) -> None:
    notes = (
        Note("hinge", "One.", (), "Hoeffding 1963, section 5"),
        Note("kl", "Two.", (), "Hoeffding 1963, Theorem 1; Massart 1990 & others"),
    )
    text = render(replace(page, notes=notes))
    assert text.count("Probability inequalities for sums of bounded random variables") == 1
    assert text.count("Annals of Probability 18, 1269-1283.") == 1
    assert text.index("Hoeffding, W. (1963)") > text.index("Massart 1990 &amp; others")


def test_a_page_whose_methods_name_no_work_has_no_references(page: Page) -> None:
    assert "References" not in render(page)
