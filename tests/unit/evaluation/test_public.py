"""A public report is made of rounded numbers alone."""

from __future__ import annotations

import dataclasses
import io
import itertools
import json
import pickle
import re
import struct
from functools import cache
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.errors import ExposedError, InputError
from rocsolid.evaluation.page import page_of
from rocsolid.evaluation.public.page import PUBLIC_FORMS, WITHHELD, public_page
from rocsolid.evaluation.public.public_answer import public_answer
from rocsolid.evaluation.public.public_numbers import finest, without_audit
from rocsolid.evaluation.public.relabelled import as_published
from rocsolid.evaluation.public.segments import SEGMENT_ROWS
from rocsolid.evaluation.rows_answer import rows_answer
from rocsolid.remarks.remark import Remark
from rocsolid.report.blocks import TERMINAL
from rocsolid.report.data import MADE_UP, Page
from rocsolid.report.html import render


def table(n: int = 240, seed: int = 11) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 3 == 0)
    return {
        "ill": y.astype(int),
        "risk": rng.normal(size=n) + y,
        "lab": np.round(rng.normal(size=n) + 1.2 * y, 1),
        "site": np.array(["north", "south", "tiny"])[
            np.where(np.arange(n) < 9, 2, np.arange(n) % 2)
        ],
        "weight": rng.random(n) + 0.5,
        "patient": np.arange(n) // 2,
    }


def evaluated(**more: Any) -> Any:
    return rs.evaluate(table(), label="ill", scores=["risk", "lab"], **more)


def html_of(evaluation: Any) -> str:
    """The page of everything that the rules on class sizes allow, whatever its audit would say."""
    return render(public_page(dataclasses.replace(without_audit(evaluation.basis), audit=MADE_UP)))


@cache
def published(by: str | None = None) -> Any:
    """The finest page: it has the most numbers, and needs no search for one that is safer."""
    return evaluated(by=by).public(max_posterior=1, max_exposed=240)


def test_every_field_of_a_page_is_published_by_a_rule_or_withheld_by_one() -> None:
    """A section that someone adds is withheld until it is decided on, and then this fails."""
    fields = {field.name for field in dataclasses.fields(Page)}
    assert set(PUBLIC_FORMS) | set(WITHHELD) == fields
    assert not set(PUBLIC_FORMS) & set(WITHHELD)


@pytest.mark.slow
def test_a_withheld_field_is_empty_and_said_to_be() -> None:
    evaluation = evaluated(by="site")
    private, public = page_of(evaluation, command="rocsolid x"), public_page(published("site"))
    for name, said in WITHHELD.items():
        assert getattr(private, name)
        assert not getattr(public, name)
        assert said in public.left_out


@pytest.mark.slow
def test_what_would_spell_out_labels_is_not_there() -> None:
    evaluation = evaluated(by="site")
    html = published("site").to_html()
    for part in evaluation.parts:
        assert part.overall.fingerprint not in html
        assert f"{part.overall.value:.4f}" not in html
    for text in ("data-fpr", "data-cut", "secret.csv", 'class="band"', 'class="mark"', "Threshold"):
        assert text not in html
    assert len(max(re.findall(r"\d+\.(\d+)", re.sub(r"<style>.*?</style>", "", html)), key=len)) < 7


@pytest.mark.slow
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"by": "site"},
        {"measures": ["auc", "partial_auc(fpr<=0.1)", "partial_auc(tpr>=0.9, scale=mcclish)"]},
        {"sample_weight": "weight"},
        {"cluster": "patient"},
        {"interval": "hinge"},
        {"interval": "betting", "alternative": "greater"},
        {"interval": "bootstrap", "resamples": 200},
    ],
)
def test_rounded_limits_hold_what_the_unrounded_ones_hold(more: dict[str, Any]) -> None:
    evaluation = evaluated(**more)
    private = {(r.score, r.measure, str(r.by)): r for r in evaluation.results}
    published = without_audit(evaluation.basis).results
    assert published
    for result in published:
        full = private[result.score, result.measure, str(result.by)]
        unit = 10.0**-result.decimals
        assert abs(result.value - full.value) <= unit / 2 + 1e-12
        pairs = [(result.interval, full.interval)]
        if result.certified is not None and full.certified.method == result.certified.method:
            pairs.append((result.certified, full.certified))
        for rounded, exact in pairs:
            assert rounded.low <= exact.low
            assert rounded.high >= exact.high
            assert exact.low - rounded.low < 3 * unit  # widened by what a value stands for, too


@pytest.mark.slow
def test_the_certified_interval_of_all_rows_adds_nothing_to_the_value() -> None:
    """Two data sets whose AUCs round alike have the same one, to the last digit."""
    found: dict[float, set[Any]] = {}
    for seed in range(40):
        evaluation = rs.evaluate(table(60, seed), label="ill", scores="risk")
        result = without_audit(evaluation.basis).results[0]
        assert result.certified is not None
        found.setdefault(result.value, set()).add((result.certified.low, result.certified.high))
    assert max(map(len, found.values())) == 1
    assert len(found) < 40


@pytest.mark.slow
def test_small_segments_are_left_out_without_a_reason() -> None:
    published = without_audit(evaluated(by="site").basis)
    shown = {str(r.by) for r in published.results if r.by is not None}
    assert shown == {"{'site': 'north'}", "{'site': 'south'}"}
    assert all(r.n_pos is None for r in published.results if r.by is not None)
    assert "2 of 3 segments are shown" in published.left_out[0]
    assert str(SEGMENT_ROWS) in published.left_out[0]


def swapped(start: Any) -> Any:
    """Exchange a positive and a negative with neighbouring scores, where nothing rounds otherwise.

    The labels differ then, and so do the exact curve and its page.
    """
    order = np.argsort(-start["risk"])
    public = html_of(rs.evaluate(start, label="ill", scores="risk"))
    for a, b in itertools.pairwise(order):
        if start["ill"][a] != start["ill"][b]:
            labels = start["ill"].copy()
            labels[[a, b]] = labels[[b, a]]
            other = rs.evaluate({**start, "ill": labels}, label="ill", scores="risk")
            if html_of(other) == public:
                return other
    raise AssertionError("no exchange leaves the page as it is")


def test_other_labels_give_the_same_public_page_with_its_drawing() -> None:
    start = table()
    other = swapped(start)
    first = rs.evaluate(start, label="ill", scores="risk")
    assert without_audit(first.basis).curves
    assert first.to_html() != other.to_html()


def every_form(answer: Any) -> dict[str, Any]:
    """All that can be read of an answer, or written."""
    return {
        "page": answer.to_html(title="t", command="rocsolid secret.csv"),
        "markdown": answer.to_markdown(),
        "latex": answer.to_latex(),
        "json": json.dumps(answer.to_dict(), default=str),
        "frame": repr(answer.to_frame().to_dict("list")),
        "notebook": answer._repr_html_(),
        "card": answer.to_card().decode(),
        "cards": [entry._repr_html_() for entry in answer.entries],
        "terminal": repr(answer.blocks(TERMINAL)),
        "text": str(answer),
        "line": repr(answer),
        "entries": [repr(entry) for entry in answer.entries],
        "checks": answer.checks,
        "works": rs.cite(answer).sentences,
        "pickle": pickle.dumps(answer),
    }


@pytest.mark.slow
def test_other_labels_give_the_same_in_every_form() -> None:
    start = table()
    forms = []
    for one in (rs.evaluate(start, label="ill", scores="risk"), swapped(start)):
        numbers = dataclasses.replace(without_audit(one.basis), audit=MADE_UP)
        forms.append(repr(every_form(public_answer(numbers))))
    assert forms[0] == forms[1]


@pytest.mark.slow
def test_nothing_that_is_left_out_can_be_reached() -> None:
    """No form has an exact number, and no object behind them is one of the private evaluation."""
    private, answer = evaluated(by="site"), published("site")
    exact = {
        number
        for one in private.results
        for number in (one.value, one.low, one.high, one.std_error, one.certified.low)
    }
    shown = {number for one in answer.results for number in (one.value, one.low, one.high)}
    shown |= {end for one in answer.results if one.certified for end in dataclasses.astuple(
        one.certified)[:2]}  # fmt: skip
    prints = [part.overall.fingerprint for part in private.parts]
    forms = every_form(answer)
    assert len(exact - shown) > 15
    for name, form in forms.items():
        text = form if isinstance(form, bytes) else repr(form).encode()
        for number in exact - shown:
            assert struct.pack(">d", number) not in text, name
            assert f"{number:.4f}".encode() not in text, name
        assert not any(one.encode() in text for one in prints), name
        assert b"secret.csv" not in text
    assert reachable(forms["pickle"]).isdisjoint(reachable(pickle.dumps(private.basis)) - ON_BOTH)
    again = every_form(pickle.loads(forms["pickle"]))
    assert {**again, "pickle": b""} == {**forms, "pickle": b""}


ON_BOTH = {"WholeArea", "Interval"}
"""Classes of which both kinds of answer are made: a measure, and limits."""


def reachable(pickled: bytes) -> set[str]:
    """The classes and functions of this package that a pickle names."""
    names: set[str] = set()

    class Reader(pickle.Unpickler):
        def find_class(self, module: str, name: str) -> Any:
            if module.startswith("rocsolid"):
                names.add(name)
            return super().find_class(module, name)

    Reader(io.BytesIO(pickled)).load()
    return names


@pytest.mark.slow
def test_a_public_answer_is_not_published_again() -> None:
    with pytest.raises(InputError, match="is already public"):
        published().public(max_bits=1)
    with pytest.raises(InputError, match="is already public"):
        published().to_html(public=True)


@pytest.mark.slow
def test_coordinates_are_those_of_the_rounded_counts() -> None:
    page = published()
    html = page.to_html()
    lines = re.findall(r'<path d="([^"]*)" class="line"', html.partition("coarse-0")[2])
    assert len(lines) == len(page.curves) == 2
    for line, (_, counts) in zip(lines, page.curves, strict=True):
        numbers = [int(text) for text in re.findall(r"-?\d+", line.replace("-", " -"))]
        assert max(map(abs, numbers)) <= 2000
        fpr, tpr = counts.rates
        assert (counts.high - counts.low >= counts.step - 1).all()
        dots = re.findall(r'd="M(\d+) (\d+)h0"', html)
        expected = {
            (str(round(2000 * x)), str(round(2000 * y)))
            for x, y in zip(fpr.tolist(), tpr.tolist(), strict=True)
        }
        assert expected <= set(dots)


@pytest.mark.slow
def test_json_and_the_page_have_the_same_numbers() -> None:
    plain = json.loads(json.dumps(published("site").to_dict()))
    assert plain["public"] is True
    assert plain["audit"]["banner"].startswith("Public report")
    html = published("site").to_html()
    for result in plain["results"]:
        assert f"{result['value']:.{result['decimals']}f}" in html
        assert not {"std_error", "exact", "ties", "fingerprint", "settings"} & set(result)


def test_a_warning_with_figures_about_labels_is_replaced() -> None:
    rough = {**table(), "lab": np.round(table()["lab"])}
    evaluation = rs.evaluate(rough, label="ill", scores="lab")
    assert any("% of the pairs" in text for text in evaluation.results[0].warnings)
    (said,) = without_audit(evaluation.basis).results[0].warnings
    assert said.startswith("More than 5 % of the pairs of rows")


def test_a_warning_with_counts_of_rows_alone_stays() -> None:
    """The class sizes of all rows are published, so that such a figure tells nothing new."""
    few = {"ill": [1] * 8 + [0] * 60, "lab": np.random.default_rng(2).normal(size=68)}
    few["lab"][9] = np.nan
    evaluation = rs.evaluate(few, label="ill", scores="lab", nan="omit")
    counts = evaluation.results[0].warnings
    assert len(counts) == 2
    assert all(text.quotes == "counts" for text in counts)
    assert without_audit(evaluation.basis).results[0].warnings == counts
    (part,) = evaluation.parts
    told = dataclasses.replace(part.overall, warnings=(*map(Remark.says, counts),))
    bare = dataclasses.replace(part, overall=told)  # the same words, not known to be counts
    hidden = without_audit(dataclasses.replace(evaluation.basis, parts=(bare,))).results[0].warnings
    assert not set(hidden) & set(counts)


@pytest.mark.slow
def test_p_values_are_published_by_class_only() -> None:
    ((a, b, p),) = published().pairs[0].pairs
    assert (a, b) == ("risk", "lab")
    assert p in {"below 0.001", "below 0.01", "below 0.05", "0.05 or more"}


@pytest.mark.slow
def test_both_kinds_say_which_they_are() -> None:
    evaluation = evaluated()
    assert "<strong>Private report:</strong>" in evaluation.to_html()
    assert "<strong>Public report:</strong>" in published().to_html()


@pytest.mark.slow
def test_too_many_rows_to_try_are_said_to_be_uncounted() -> None:
    audit = published().audit
    assert audit is not None
    assert any("all numbers of the page together" in text for text in audit.uncounted)
    assert "whatever a reader believed before" in audit.verdict
    assert "safe" not in audit.banner


def test_without_rows_there_is_no_curve_and_no_count_and_the_rest_is_the_same() -> None:
    """As where an engine adds up the rows where they are."""
    full = evaluated()
    parts = tuple(dataclasses.replace(part, rows=None) for part in full.parts)
    bare = rows_answer(dataclasses.replace(full.basis, parts=parts)).public(max_exposed=240)
    assert not bare.curves
    assert [r.value for r in bare.results] == [r.value for r in without_audit(full.basis).results]
    assert bare.audit is not None
    assert any("for 2 of 2 scores" in text for text in bare.audit.uncounted)


@pytest.mark.slow
def test_a_cut_beside_a_large_block_of_ties_is_left_out() -> None:
    n = 200
    y = np.arange(n) % 2
    score = np.where(np.arange(n) < 155, 0.0, np.arange(n))
    ((_, counts),) = without_audit(
        rs.evaluate({"y": y, "s": score}, label="y", scores="s").basis
    ).curves
    sizes = np.diff(np.concatenate(([0], counts.above, [n])))
    assert sizes.min() >= n / 10 / 2
    assert counts.above.tolist() == [20, 40]


def with_gaps(*, missing: dict[str, Any]) -> Any:
    data = table(90)
    for score, rows in missing.items():
        data[score] = np.where(np.isin(np.arange(len(data["ill"])), rows), np.nan, data[score])
    return rs.evaluate(data, label="ill", scores=["risk", "lab"], nan="omit")


def test_a_score_whose_class_sizes_give_labels_away_is_withheld() -> None:
    ill = np.flatnonzero(table(90)["ill"])
    found = with_gaps(missing={"lab": ill[:3]}).public()
    assert [result.score for result in found.overall] == ["risk"]
    assert "the scores lab" in found.left_out[0]
    allowed = with_gaps(missing={"lab": ill[:3]}).public(max_exposed=3)
    assert [result.score for result in allowed.overall] == ["risk", "lab"]
    assert allowed.audit is not None
    assert "could know 3 of 90 labels" in allowed.audit.banner
    assert any("different class sizes" in text for text in allowed.audit.readers)


def test_both_scores_may_lack_rows_that_the_class_sizes_give_away() -> None:
    ill, well = np.flatnonzero(table(90)["ill"]), np.flatnonzero(table(90)["ill"] == 0)
    missing = {"risk": [ill[0], well[0]], "lab": [ill[0], ill[1]]}
    assert len(with_gaps(missing=missing).public().overall) == 1  # two rows differ


def test_gaps_that_hide_the_labels_are_bits_and_none_is_certain() -> None:
    found = with_gaps(missing={"lab": [0, 1, 2, 3, 4, 5, 6]}).public()
    assert 0 < found.overall[0].n_pos - found.overall[1].n_pos < 7
    assert dict(found.forms)["lab: class sizes, because other rows lack it"] == 3.0


def test_low_scores_are_said_to_be_the_positive_ones() -> None:
    said = "scored below a negative one"
    for evaluation, low in ((evaluated(lower_is_better=True), True), (evaluated(), False)):
        assert (said in evaluation.to_html()) == low
        assert (said in html_of(evaluation)) == low


def test_a_withheld_interval_is_not_made_up() -> None:
    """In its place stands the certified one, which the value and the class sizes give."""
    for evaluation in (evaluated(by="site"), evaluated(sample_weight="weight")):
        coarse = dataclasses.replace(finest(evaluation), limits=False)
        for result in without_audit(evaluation.basis, coarse).results:
            if result.by is None and result.certified is not None:
                assert result.interval == result.certified
                assert result.interval.method == "hinge"
            else:
                assert (result.interval.method, result.interval.vacuous) == ("none", True)
                assert "No interval is published." in result.sentences()


@pytest.mark.parametrize("bad", [{"max_exposed": -1}, {"max_exposed": True}, {"max_bits": "x"}])
def test_limits_of_what_is_given_away_are_checked(bad: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=next(iter(bad))):
        evaluated().public(**bad)


def test_bits_may_be_limited() -> None:
    """The whole page of this table could tell 58 bits, and the AUC to one decimal four."""
    evaluation = rs.evaluate(table(), label="ill", scores="risk")
    few = evaluation.public(max_bits=10)
    assert sum(bits for _, bits in few.forms) <= 10
    assert few.coarseness != finest(evaluation)
    with pytest.raises(ExposedError, match=r"at most 1 bits on average"):
        evaluation.public(max_bits=1)


@pytest.mark.slow
def test_whoever_knows_how_the_page_was_chosen_is_certain_of_no_label() -> None:
    """Each labeling that could have this page is published anew, by the whole procedure."""

    def evaluation(above: tuple[int, ...]) -> Any:
        labels = np.isin(np.arange(9), above).astype(int)
        table = {"y": labels, "s": -np.arange(9.0)}
        return rs.evaluate(table, label="y", scores="s", measures=["auc", "precision@2"])

    def said(numbers: Any) -> str:
        return json.dumps({**numbers.to_dict(), "audit": None}, default=str)

    page = evaluation((0, 4, 6)).public()
    left = []
    for above in itertools.combinations(range(9), 3):
        other = evaluation(above)
        if said(without_audit(as_published(other.basis), page.coarseness)) != said(page):
            continue
        try:
            found = other.public()
        except ExposedError:
            continue
        if said(found) == said(page):
            left.append(np.isin(np.arange(9), above))
    assert not np.all(left, axis=0).any()
    assert np.any(left, axis=0).all()
    assert f"All labelings were tried: {len(left):,} labelings give" in page.audit.verdict


def test_only_an_auc_is_called_reversed() -> None:
    """A small precision says nothing about the order of positives and negatives."""
    measures = ["auc", "pr_auc", "ppv(sensitivity=0.9, prevalence=0.02)"]
    columns = table()
    for sign, expected in (1.0, []), (-1.0, ["auc"]):
        turned = columns | {"risk": sign * columns["risk"]}
        evaluation = rs.evaluate(turned, label="ill", scores="risk", measures=measures)
        results = without_audit(evaluation.basis).results
        reversed_ones = [
            result.measure for result in results for remark in result.warnings
            if remark.code == "ROC011"
        ]  # fmt: skip
        assert reversed_ones == expected
