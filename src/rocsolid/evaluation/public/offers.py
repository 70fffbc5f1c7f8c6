"""The pages that `rs.publish` may publish, the information in each, and the best page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from os import PathLike
from typing import Annotated, Any, Literal

from rocsolid.answer.answer import Answer, AnswerKind
from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.errors import ExposedError, InputError
from rocsolid.evaluation.public.coarseness import Coarseness
from rocsolid.evaluation.public.exposure_limits import MAX_POSTERIOR
from rocsolid.evaluation.public.ladder import PublicPages
from rocsolid.evaluation.public.prior import number
from rocsolid.evaluation.public.proof import Proof
from rocsolid.evaluation.public.public_numbers import without_audit
from rocsolid.evaluation.public.relabelled import NAMES, label_bits_of
from rocsolid.evaluation.public.table_in_ledger import values_of_rows
from rocsolid.report.blocks import Form, TextBlock
from rocsolid.report.text import Cells
from rocsolid.results.json_schema import Count
from rocsolid.results.plain import Plain, aligned

_SIGNS = {"exact": "", "drawn": "≤ ", "independent": "≈ "}
_UNPROVEN = {"exact": "", "drawn": "≤ ", "independent": "≤ "}
_RULE = (
    "The list runs from the finest page to the coarsest. Coarser pages first lose the curve and "
    "the requested interval, then decimals, then segments, then scores."
)
_MEANING = (
    "certain: labels that are certain; after ≤, labels that were not shown to be uncertain. "
    "likeliest: the largest probability of a label for a reader who has the scores. A value "
    "without a sign is exact and rounded up, ≤ marks a bound from drawn labelings, and ≈ marks the "
    "result of an attack that treats labels as independent."
)
_ODDS = (
    "odds: the largest factor by which the page changes the odds of a label, for a reader with the "
    "prior; the page says whether the factor is exact, a bound or an attack's."
)
_PRIVATE = "The list depends on the labels: keep the list private, and publish one page."


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer(Plain):
    """A page that may be published, and the information that it reveals."""

    number: Annotated[Count, "The number of the page, from 1."]
    scores: Annotated[tuple[str, ...], "The scores on the page."]
    decimals: Annotated[Count, "The decimals of the first value."]
    cuts: Annotated[Count, "The cuts of each curve; 0 without curves."]
    segments: Annotated[Count, "The segments on the page."]
    compared: Annotated[bool, "Whether the page reports which scores differ significantly."]
    interval: Annotated[bool, "Whether the page has the requested interval."]
    odds: Annotated[
        float | None,
        "The largest factor by which the page changes the odds of a label, for a reader with the "
        "prior; null without a prior, and if a label becomes certain.",
    ]  # fmt: skip
    certain: Annotated[
        Count, "The number of labels that are certain, or not shown to be uncertain."
    ]
    likeliest: Annotated[float, "The probability of the likeliest label."]
    known: Annotated[
        str, Literal["exact", "drawn", "independent"],
        "Whether this probability is exact, a bound from drawn labelings, or the result of an "
        "attack that treats labels as independent.",
    ]  # fmt: skip
    bits: Annotated[float, "An upper bound on the bits that the page reveals on average."]
    passes: Annotated[bool, "Whether the page exposes no more than the limits allow."]


@dataclass(frozen=True, slots=True, eq=False)
class Offers:
    """The pages of one evaluation; ``best`` is the number of the first page that passes."""

    ladder: PublicPages
    pages: tuple[tuple[Coarseness, Proof], ...]
    offers: tuple[Offer, ...]
    best: int | None
    unit: str
    label: str = field(default="")

    def page(self, number: int | None = None) -> Answer:
        """Return the public answer of a page, the best page by default.

        A page that does not pass is also available; its audit states what the page reveals.
        """
        page_number = self.best if number is None else number
        in_ledger = self.ladder.ledger is not None
        more = "allow more with max_posterior= or max_exposed="
        if page_number is None:
            self._record_refusal(page_number)
            choose = "" if in_ledger else "choose a page by its number, or "
            raise ExposedError(
                "no page passes", where="the pages that may be published",
                fix=f"{choose}allow more with max_posterior=, max_exposed= or max_bits=",
            )  # fmt: skip
        if not 1 <= page_number <= len(self.pages):
            raise InputError(
                "there is no such page", where="the pages that may be published", value=number,
                fix=f"use a number from 1 to {len(self.pages)}",
            )  # fmt: skip
        coarseness, proof = self.pages[page_number - 1]
        page = self.ladder.page(coarseness, proof)
        if in_ledger:
            if not self.offers[page_number - 1].passes:
                fix = f"choose a page that passes, or {more}; keep this refusal secret, because it "
                fix += "is not recorded"
                if self.best is None:
                    self._record_refusal(page_number)
                    fix = more
                raise ExposedError(
                    "the page does not pass, and a ledger records only pages that pass",
                    where="the pages that may be published", value=page_number, fix=fix,
                )  # fmt: skip
            if not self.ladder.recorded(coarseness, page):
                raise _changed(page_number)
        return page

    def _record_refusal(self, page_number: int | None) -> None:
        if not self.ladder.refusal_recorded():
            raise _changed(page_number)


def _changed(page_number: int | None) -> InputError:
    return InputError(
        "another page was recorded in the ledger after this list was made",
        where="the pages that may be published", value=page_number, fix="list the pages again",
    )  # fmt: skip


def publish(
    data: Any,
    *,
    max_exposed: int = 0,
    max_posterior: float = MAX_POSTERIOR,
    max_bits: float | None = None,
    ledger: str | PathLike[str] | None = None,
    id: str | None = None,
    prior: str | None = None,
    **keywords: Any,
) -> Answer:
    """List the pages of a table that may be published, and the information that each reveals.

    ``data`` and ``keywords`` have the same meaning as in `rs.evaluate`. The answer has ``offers``,
    from the finest page to the coarsest. ``best`` is the number of the first page on which at most
    ``max_exposed`` labels are certain or likelier than ``max_posterior``, and which reveals at most
    ``max_bits`` on average. ``page(number)`` is the public answer of a page, the best page by
    default. The list depends on the labels and is private.

    ``ledger`` is the file of a ledger, which starts as an empty file, and ``id`` the column that
    names the rows. Each page is then judged together with all earlier publications in the ledger
    about these rows, whose bits count too. ``page`` records the page before it returns, and refuses
    a page that does not pass.

    ``prior`` is the column of a reader's probabilities of a positive label, before the page: the
    calibrated probabilities of a model, for independent labels. A label then also counts as exposed
    if the page changes its odds by a factor above L/(1 − L), with L = ``max_posterior``: a label
    with a prior of one half would become likelier than L.

    >>> table = {"y": [0, 1] * 30, "s": [i * i % 61 + 9 * (i % 2) for i in range(60)]}
    >>> answer = publish(table, label="y", scores="s")
    >>> offer = answer.offers[answer.best - 1]
    >>> offer.number, offer.decimals, offer.cuts, offer.certain, offer.passes
    (1, 2, 5, 0, True)
    >>> answer.page().results[0].text
    '0.64'
    """
    from rocsolid.evaluation.evaluate_table import evaluate

    evaluation = evaluate(data, **keywords)
    if evaluation.kind.publish is None:
        raise InputError(
            "this answer has no public form", where=evaluation.source,
            fix="leave out qid, fold, across and within: values of a table can be published",
        )  # fmt: skip
    rows = values_of_rows(data, id, prior)
    return offers_of(evaluation.basis, max_exposed, max_posterior, max_bits, ledger, **rows)


def offers_of(
    evaluation: Any, max_exposed: int, max_posterior: float, max_bits: float | None,
    ledger: str | PathLike[str] | None = None, id: Any = None, prior: Any = None,
) -> Answer:  # fmt: skip
    ladder = PublicPages.of(evaluation, max_exposed, max_posterior, max_bits, ledger, id, prior)
    pages = tuple(ladder.each())
    if not ladder.rule_alone:
        best = next((number for number, (_, proof) in enumerate(pages, 1) if proof.holds), None)
    else:
        chosen = next(ladder.passing(), None)
        best = None
        if chosen is not None:
            best = 1 + [page for page, _ in pages].index(chosen[0])
            pages = (*pages[: best - 1], chosen, *pages[best:])
    offers = tuple(
        _offer(ladder, number, *page, passes=best is not None and number >= best and page[1].holds)
        for number, page in enumerate(pages, 1)
    )
    numbers = without_audit(ladder.evaluation)
    basis = Offers(ladder, pages, offers, best, NAMES[numbers.unit][1], numbers.label)
    return Answer(OFFERS, numbers.source, basis=basis, library=evaluation.library)


def _offer(
    ladder: PublicPages, number: int, coarseness: Coarseness, proof: Proof, *, passes: bool
) -> Offer:
    page = ladder.page(coarseness, proof).basis
    results, together = page.overall, proof.together
    likeliest, known = proof.worst
    return Offer(
        number=number,
        scores=tuple(dict.fromkeys(result.score for result in results)),
        decimals=results[0].decimals,
        cuts=max((len(counts.above) for _, counts in page.curves), default=0),
        segments=len({str(result.by) for result in page.results if result.by is not None}),
        compared=bool(page.pairs),
        interval=coarseness.limits,
        odds=None if proof.prior is None else proof.prior.factor,
        certain=max(proof.exposed, 0 if together is None else together.exposed),
        likeliest=likeliest,
        known=known,
        bits=min(label_bits_of(ladder.evaluation), sum(bits for _, bits in page.forms)),
        passes=passes,
    )


def _cells(answer: Answer) -> Cells:
    offers: tuple[Offer, ...] = answer.basis.offers
    optional = {
        "scores": any(len(offer.scores) != len(offers[0].scores) for offer in offers),
        "segments": any(page.segments for page, _ in answer.basis.pages),
        "compared": any(offer.compared for offer in offers),
        "odds": any(offer.odds is not None for offer in offers),
    }
    kept = [name for name, needed in optional.items() if needed]
    heads = ("page", "decimals", "cuts", "interval", *kept, "certain", "likeliest", "bits", "")
    rows = []
    for offer, (page, _) in zip(offers, answer.basis.pages, strict=True):
        shown = {
            "scores": str(len(offer.scores)),
            "segments": str(offer.segments) if page.segments else "no",
            "compared": "yes" if offer.compared else "no",
            "odds": "" if offer.odds is None else number(offer.odds),
        }
        verdict = "best" if offer.number == answer.basis.best else "" if offer.passes else "exposes"
        rows.append((
            str(offer.number), str(offer.decimals), str(offer.cuts),
            "yes" if offer.interval else "no", *(shown[name] for name in kept),
            f"{_UNPROVEN[offer.known] if offer.certain else ''}{offer.certain:,}",
            f"{_SIGNS[offer.known]}{offer.likeliest:.3f}",
            f"{offer.bits:.0f}", verdict,
        ))  # fmt: skip
    return Cells(f"{answer.source}: pages to publish.", heads, tuple(rows))


def _blocks(answer: Answer, form: Form) -> Iterator[TextBlock]:
    verdict = () if form.verdict else _verdict(answer)
    offers: tuple[Offer, ...] = answer.basis.offers
    odds = [_ODDS] if any(offer.odds is not None for offer in offers) else []
    yield TextBlock(
        said=verdict, cells=_cells(answer) if offers else None,
        notes=(_RULE, _MEANING, *odds, _PRIVATE) if offers else (_PRIVATE,),
    )  # fmt: skip


def _verdict(answer: Answer) -> tuple[str, ...]:
    best, offers = answer.basis.best, answer.basis.offers
    limits, max_bits = answer.basis.ladder.limits, answer.basis.ladder.max_bits
    certain = f"At most {counted(limits.exposed, 'label')}" if limits.exposed else "No label"
    may = f"{certain} may be certain, or likelier than {limits.posterior:g}."
    if max_bits is not None:
        may += f" Pages that could reveal more than {max_bits:g} bits are not listed."
    if best is None:
        none = f"None of {len(offers)} pages" if offers else "No page"
        return (f"{none} passes. {may}",)
    return (f"Page {best} of {len(offers)} is the finest that passes. {may}",)


def _text(answer: Answer) -> list[str]:
    cells = _cells(answer)
    return [*_verdict(answer), *aligned([cells.heads, *cells.rows])]


def _publish(answer: Answer, **how: Any) -> Answer:  # noqa: ARG001
    page: Answer = answer.basis.page()
    return page


OFFERS = AnswerKind(
    "source label unit best offers", _blocks, _verdict, publish=_publish, text=_text
)
