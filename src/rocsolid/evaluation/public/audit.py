"""The disclosure of a public page, computed from the page and the scores, so it adds nothing.

A reader who has the scores can compute every figure here. Only the choice of the page and the type
of the proof depend on the labels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from rocsolid.evaluation.public.coarseness import CoarseCounts
from rocsolid.evaluation.public.prior import PriorExposure
from rocsolid.evaluation.public.proof import SHARES, Proof
from rocsolid.evaluation.public.public_numbers import PublicNumbers, gap_forms, restricted
from rocsolid.evaluation.public.relabelled import (
    NAMES,
    SHARED,
    label_bits_of,
    label_units,
    labelings_left,
    labels_at_stake,
)
from rocsolid.evaluation.public.segments import RoundedResult
from rocsolid.evaluation.segment_evidence import EvaluationNumbers
from rocsolid.leaks.labeling_count import LabelingCount, number_text
from rocsolid.leaks.query_bits import loses_by_rounding
from rocsolid.report.data import LeakReport
from rocsolid.report.text import Cells

COUNTED_ROWS = 1_000_000
"""The limit on rows, in total over scores, whose labelings are counted; a few seconds of work."""

_UNKNOWN_SCORES = (
    "Someone who has neither the scores nor their order has no row to attach a label to. They "
    "learn the number of positives, and so the share that they would guess for anyone."
)
_GAPS = (
    "Scores that lack different rows have different class sizes. Someone who knows which rows "
    "lack which score learns from two of them how many of those rows are positive."
)
_NEVER_SAFE = (
    "No figure here shows that publishing is safe. A reader who trusts the scores, knows some "
    "labels or has other publications on the same labels knows more."
)


def audit(evaluation: EvaluationNumbers, published: PublicNumbers, proof: Proof) -> LeakReport:
    evaluation = restricted(evaluation, published.coarseness)
    first = published.overall[0]
    before = label_bits_of(evaluation)
    average = sum(bits for _, bits in published.forms)
    texts = {result.score: result.text for result in published.overall if result.measure == "auc"}
    aucs = [(part, texts[part.score]) for part in evaluation.by_score if part.score in texts]
    counted = labelings_left(aucs, label_units(evaluation), COUNTED_ROWS)
    parts = published.curves
    unit = NAMES[published.unit][0]
    tables = [
        _told(published), _likely(published, proof), *_changed(proof.prior),
        *_left(counted, before, unit),
        *_tenths(parts), *_cuts(parts),
    ]  # fmt: skip
    return LeakReport(
        public=True,
        banner=_banner(published, proof),
        verdict=" ".join(
            [
                *proof.sentences(published.n_units, NAMES[published.unit][1]),
                _average(average, before),
            ]
        ),
        readers=(
            _holds_scores(published, first),
            *SHARED.get(published.unit, ()),
            *([_GAPS] if any(gap_forms(evaluation)) else []),
            _UNKNOWN_SCORES,
            _NEVER_SAFE,
        ),
        tables=tuple(tables),
        uncounted=_uncounted(evaluation, published, proof, len(counted), before),
        likeliest=proof.worst[0],
    )


def _banner(published: PublicNumbers, proof: Proof) -> str:
    places = sorted({result.decimals for result in published.results})
    text = (
        f"Public report: rounded to {' or '.join(map(str, places))} "
        f"decimal{'s' if places != [1] else ''}; "
    )
    text += "curves at a few rounded points; " if published.curves else "without curves; "
    text += "no path, thresholds, ranks, bands or fingerprints."
    if proof.exposed:
        knows = "knows" if proof.how == "counted" else "could know"
        text += (
            f" Even so, someone with the scores {knows} {proof.exposed:,} of "
            f"{published.n_units:,} labels for certain from it; the author of the page allowed "
            "that."
        )
    return text + " What it still reveals is listed below."


def _average(average: float, before: float) -> str:
    if average >= before:
        return (
            f"The numbers on this page could contain {average:,.0f} bits, and the labels have "
            f"only {before:,.0f}: that count sets no limit to what the page reveals."
        )
    return (
        f"On average the page reveals at most {average:,.0f} of {before:,.0f} label bits, "
        "whatever a reader believed before."
    )


def _holds_scores(published: PublicNumbers, first: RoundedResult) -> str:
    text = (
        "Someone who has the scores of the rows, or only their order with its ties, can rule "
        f"out labelings. They know the class sizes ({first.n_pos:,} and {first.n_neg:,})"
    )
    if published.asked:
        text += ", and are assumed to know which row is in which segment"
    lossless = [
        result
        for result in published.overall
        if result.n_pos
        and result.n_neg
        and result.measure == "auc"
        and not loses_by_rounding(result.n_pos * result.n_neg, result.decimals)
    ]
    if lossless:
        text += ". There are so few rows that rounding hides nothing of the AUC"
    return text + "."


def _told(published: PublicNumbers) -> Cells:
    rows = [(text, f"{bits:,.1f}") for text, bits in published.forms]
    rows.append(("Together", f"{sum(bits for _, bits in published.forms):,.1f}"))
    return Cells(
        "The most that each part can reveal to someone who knows the class sizes. A bit is the "
        "answer to one yes-or-no question; a part with a number of possible forms reveals at "
        "most the logarithm (base 2) of that number. This holds for every reader, on average; "
        "and such a page can multiply anyone's probability of guessing all labels by at most "
        "2^bits. For labels that differ from the reader's expectation, a page can "
        "reveal more than its average.",
        ("On this page", "Average bits, at most"),
        tuple(rows),
    )


_HOW = {
    "exact": "They are exact: all labelings were tried.",
    "drawn": "They come from labelings drawn from all that give the page, or its values and "
    "curve alone, and allow for four standard errors of the draws.",
    "independent": "They are approximate: labels are treated as independent, and limits of "
    "intervals and p-values are ignored.",
}


def _likely(published: PublicNumbers, proof: Proof) -> Cells:
    times = published.n_units / len(proof.surest)
    shares = [share for share in SHARES if share < proof.likeliest]
    rows = [
        (f"above {share:g}", f"{round(times * int((proof.surest > share).sum())):,}")
        for share in shares
    ]
    right = min(published.n_units, math.ceil(times * float(proof.surest.sum())))
    rows.append((f"the likeliest: {proof.likeliest:.3f}", "1"))
    return Cells(
        "The certainty of guesses by someone who considers all labelings that give the page "
        f"equally likely. {_HOW[proof.posterior]} Guessing the likelier label of each is right "
        f"for {right:,} of {published.n_units:,} at most, on average.",
        ("Probability of the likelier label", "Labels"),
        tuple(rows),
        names=0,
    )


def _changed(exposure: PriorExposure | None) -> list[Cells]:
    if exposure is None:
        return []
    rows = zip(exposure.before.tolist(), exposure.after.tolist(), strict=True)
    return [
        Cells(
            "The labels whose odds the page changes most, for a reader who believed the prior.",
            ("Probability of a positive label, before", "With the page"),
            tuple((f"{before:.3f}", f"{after:.3f}") for before, after in rows),
        )
    ]


def _cuts(parts: Sequence[tuple[str, CoarseCounts]]) -> list[Cells]:
    """Return the best cut of each curve for guessing one label above and the other below."""
    if not parts:
        return []
    rows = []
    for score, counts in parts:
        above, right, label = counts.best_cut()
        n = counts.n_pos + counts.n_neg
        where = f"{label} above {above:,} rows from the top, the other below"
        rows.append((score, where, f"{right:,} of {n:,} ({100 * right / n:.3g} %)"))
    return [
        Cells(
            "The number of right guesses that one cut of the coarse curve guarantees, with one "
            "label for all rows above it and the other for all below.",
            ("Score", "Guess", "Right, at least"),
            tuple(rows),
        )
    ]


def _left(counted: list[tuple[str, str, LabelingCount]], before: float, unit: str) -> list[Cells]:
    if not counted:
        return []
    rows = tuple(
        (score, text, number_text(labelings), f"{labelings.surprise_bits:,.1f}")
        for score, text, labelings in counted
    )
    return [
        Cells(
            f"A labeling gives each {unit} its label. The table counts the labelings that have the "
            f"published class sizes and fit the rounded AUC of one score. To a reader who does not "
            f"trust the score at all, these labelings are equally likely. Without the AUC, "
            f"{before:,.0f} bits are unknown to this reader. A good AUC is a surprise that reveals "
            f"more than the average of the table above. Counts are exact, or right to the digits "
            f"shown.",
            ("Score", "AUC", "Labelings that fit", "Surprise, in bits"),
            rows,
        )
    ]


def _tenths(parts: Sequence[tuple[str, CoarseCounts]]) -> list[Cells]:
    if not parts:
        return []
    rows = []
    for score, counts in parts:
        rows_by_part = counts.parts()
        sure = [max(low / size, 1 - high / size) for size, low, high in rows_by_part]
        i = max(range(len(rows_by_part)), key=sure.__getitem__)
        size, low, high = rows_by_part[i]
        where = f"{i + 1} of {len(rows_by_part)} from the top, {size:,} rows"
        rows.append((score, where, f"{low:,} to {high:,}", f"{100 * sure[i]:.3g} %"))
    return [
        Cells(
            "The rows about which the coarse curve reveals most, by rank. Guessing the more "
            "common label for each of them is right for at least the given share.",
            ("Score", "Part", "Positives", "Guessed right, at least"),
            tuple(rows),
        )
    ]


def _uncounted(
    evaluation: EvaluationNumbers,
    published: PublicNumbers,
    proof: Proof,
    counted: int,
    before: float,
) -> tuple[str, ...]:
    sentences = []
    if proof.how != "counted":
        sentences.append(
            "The number of labelings that fit all numbers of the page together: each further "
            "number can only reduce the number that fit its AUC."
        )
        if not proof.by_rule:
            sentences.append(
                f"The information in the choice of this page among {proof.pages:,} pages: finer "
                "pages were refused. The choice is counted as bits above, but the labelings "
                "that were found might have got a finer page."
            )
    if published.unit != "cluster" and evaluation.cluster is not None:
        sentences.append(
            "For readers who know clusters whose rows share a label: the labels of some "
            "clusters differ, so each row counts separately here."
        )
    free = labels_at_stake(evaluation)
    labels = free if isinstance(free, int) else len(free)
    scores = len({part.score for part in evaluation.parts})
    if counted < scores:
        sentences.append(
            f"The labelings that the AUC leaves, for {scores - counted:,} of {scores:,} "
            "scores: its rows are weighted, not available, or too many to count while a page is "
            "made."
        )
    sentences += [
        "The publication of the class sizes: they rule out every labeling with another number "
        f"of positives, {labels - before:,.0f} of {labels:,} bits.",
        "Knowledge from elsewhere: if the score is good, the highest-ranked rows are likely "
        "positive, with or without this page.",
        "All other past or future publications about the same labels, including earlier "
        "versions of this page: keep a record and limit the total.",
    ]
    return tuple(sentences)
