"""The possible public pages of an evaluation, judged from the finest to the coarsest."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from numbers import Real
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.answer.answer import Answer
from rocsolid.dataclass import dataclass
from rocsolid.errors import ExposedError, InputError
from rocsolid.evaluation.public.audit import audit
from rocsolid.evaluation.public.candidate import Candidate
from rocsolid.evaluation.public.coarseness import Coarseness, Stage, stages
from rocsolid.evaluation.public.every_labeling import EveryLabeling, can_try
from rocsolid.evaluation.public.exposure_limits import Limits
from rocsolid.evaluation.public.judge import judged
from rocsolid.evaluation.public.prior import (
    PriorExposure,
    joint_prior,
    prior_exposure,
    prior_of,
    prior_of_labelings,
    prior_together,
    worst,
)
from rocsolid.evaluation.public.proof import Proof
from rocsolid.evaluation.public.public_answer import public_answer
from rocsolid.evaluation.public.public_numbers import has_curve, without_audit
from rocsolid.evaluation.public.relabelled import as_published, label_bits_of
from rocsolid.evaluation.public.segments import large_segments
from rocsolid.evaluation.public.table_in_ledger import TableInLedger, other_numbers
from rocsolid.evaluation.segment_evidence import EvaluationNumbers
from rocsolid.leaks.simulate import public_decimals

_SHARE = 0.5  # the share of the label bits that the values alone may reveal on average
_NORMAL = math.log2(math.sqrt(2 * math.pi * math.e))  # bits of a normal value, in units of σ


@dataclass(frozen=True, slots=True, eq=False)
class PublicPages:
    """The possible pages of an evaluation, from the finest to the coarsest.

    Coarser pages omit the curve and the requested interval before decimals, decimals before
    segments, and segments before scores. ``count`` is the number of pages before ``max_bits``, and
    ``coarsest`` the last of them. With a ``ledger`` every number on a page is a sum over labels, so
    that pages can be combined, or all labelings are tried.
    """

    evaluation: EvaluationNumbers
    limits: Limits
    max_bits: float | None
    stages: tuple[Stage, ...]
    count: int
    coarsest: Coarseness | None
    every: EveryLabeling | None
    ledger: TableInLedger | None = None
    prior: NDArray[np.float64] | None = None

    @classmethod
    def of(
        cls, evaluation: EvaluationNumbers, max_exposed: int, max_posterior: float,
        max_bits: float | None, ledger: str | PathLike[str] | None = None, id: Any = None,
        prior: Any = None,
    ) -> PublicPages:  # fmt: skip
        limits = Limits.checked(max_exposed, max_posterior)
        _check(max_bits)
        measures = (scored.measure for scored in evaluation.parts)
        own = next((measure for measure in measures if measure.of_probabilities), None)
        if own is not None:
            raise InputError(
                "a public page knows the order of scores only, and this measure needs their values",
                where="measure", value=own.name,
                fix="leave the measure out, or keep the page private",
            )  # fmt: skip
        if any(part.reduced is not None and part.clustered for part in evaluation.parts):
            raise ExposedError(
                "which clusters share a label is not known: an engine reduced the rows where they "
                "are",
                where=evaluation.source,
                fix="evaluate in memory, or keep the page private",
            )
        evaluation = as_published(evaluation)
        table = None
        if (ledger is None) != (id is None):
            raise InputError(
                "a ledger needs the names of the rows, and names are for a ledger",
                where="ledger, id", fix="give both, or neither",
            )  # fmt: skip
        if ledger is not None:
            table = TableInLedger.open(ledger, id, evaluation)
        believed = None if prior is None else prior_of(evaluation, prior)
        return cls._within(evaluation, limits, max_bits, table, believed)

    @classmethod
    def _within(
        cls, evaluation: EvaluationNumbers, limits: Limits, max_bits: float | None,
        ledger: TableInLedger | None, prior: NDArray[np.float64] | None,
    ) -> PublicPages:  # fmt: skip
        sums = ledger is not None and other_numbers(evaluation) is None
        reached = _linear(evaluation) if sums else _stages(evaluation)
        tried = can_try(evaluation)
        if not (tried or limits.exposed):
            reached = [stage for stage in reached if _could_hold(evaluation, stage)]
        count = sum(map(len, reached))
        coarsest = reached[-1].bare if reached else None
        if max_bits is not None:

            def fits(page: Coarseness) -> bool:
                return _bits(evaluation, page, count, ledger) <= max_bits

            reached = [
                Stage(stage.bare, tuple(page for page in stage.richer if fits(page)))
                for stage in reached
                if fits(stage.bare)
            ]
        pages = [page for stage in reached for page in stage.pages]
        every = EveryLabeling(evaluation, pages, limits, ledger) if tried else None
        if ledger is not None and not (every is not None and every.in_ledger):
            ledger.check_tried(evaluation)
        return cls(
            evaluation, limits, max_bits, tuple(reached), count, coarsest, every, ledger, prior
        )

    def with_limits(self, limits: Limits) -> PublicPages:
        """Return the same pages with other limits."""
        every = None if self.every is None else self.every.with_limits(limits)
        return replace(self, limits=limits, every=every)

    def with_bits(self, max_bits: float) -> PublicPages:
        """Return the pages with another limit on the bits."""
        return self._within(self.evaluation, self.limits, max_bits, self.ledger, self.prior)

    def bits(self, page: Coarseness) -> float:
        """Return the bound on the average bits that `max_bits` limits."""
        return _bits(self.evaluation, page, self.count, self.ledger)

    @property
    def rule_alone(self) -> bool:
        """Whether all labelings were tried, and no other reader can refuse the page they choose."""
        in_ledger = self.every is not None and self.every.in_ledger
        return self.every is not None and self.prior is None and (self.ledger is None or in_ledger)

    def passing(self) -> Iterator[tuple[Coarseness, Proof]]:
        """Yield the pages that pass, the finest first.

        If all labelings are tried, the first page is the chosen page. A prior, or a ledger whose
        labelings are too many, may refuse that page and accept a coarser page, which passes by its
        numbers alone.
        """
        for page, proof in self._passing_alone():
            judged_page = self.with_others(page, proof)
            if judged_page.holds:
                yield page, judged_page

    def _passing_alone(self) -> Iterator[tuple[Coarseness, Proof]]:
        if self.every is None:
            yield from ((page, proof) for page, proof in self._judged() if proof is not None)
            return
        chosen = self.every.outcome.chosen
        if chosen is not None:
            yield chosen
        if chosen is not None and not self.rule_alone:
            after = self.every.choices.index(chosen[0]) + 1
            coarser = self.every.choices[after:]
            every = self.every.each()
            yield from ((page, proof) for page, proof in every if page in coarser)

    def each(self) -> Iterator[tuple[Coarseness, Proof]]:
        """Yield every page with its proof, whether it passes or not."""
        if self.every is not None:
            every: Iterable[tuple[Coarseness, Proof | None]] = self.every.each()
        else:
            every = self._judged(always=True)
        for page, proof in every:
            if proof is not None:
                yield page, self.with_others(page, proof)

    def with_others(self, coarseness: Coarseness, proof: Proof) -> Proof:
        """Judge a page also for readers of earlier publications and for readers with a prior."""
        page = Candidate(self.evaluation, coarseness)
        counted = self.every is not None and self.every.in_ledger
        if self.ledger is not None and not counted:
            together = self.ledger.together(page, self.limits)
            proof = replace(proof, together=together)
        if self.prior is not None:
            proof = replace(proof, prior=self.changed_odds(page, self.prior))
        return proof

    def changed_odds(self, page: Candidate, prior: NDArray[np.float64]) -> PriorExposure:
        """Judge a page for readers with a prior, of this page and of all earlier publications."""
        earlier = () if self.ledger is None else self.ledger.pages
        if self.every is not None and self.every.in_ledger:
            left = self.every.left
            priors = joint_prior(prior, left.unit, left.labelings.shape[1])
            readers = self.every.readers(page.coarseness)
            return replace(self._changed_for(readers, priors), pages=len(earlier))
        alone = prior_exposure(page, prior, self.limits)
        if self.ledger is None or not earlier:
            return alone
        joined, unit = self.ledger.joined(page)
        priors = joint_prior(prior, unit, joined.weights.shape[1])
        together = prior_together(joined, priors, self.limits)
        return worst((alone, replace(together, pages=len(earlier))))

    def _changed_for(
        self, readers: Sequence[NDArray[np.intp]], priors: NDArray[np.float64]
    ) -> PriorExposure:
        """Judge the labelings that are left for each reader, if all labelings were tried."""
        assert self.every is not None
        labelings = self.every.left.labelings
        return worst(
            [prior_of_labelings(labelings[members], priors, self.limits) for members in readers]
        )

    def recorded(self, coarseness: Coarseness, page: Answer) -> bool:
        """Record a page in the ledger; False if the ledger has changed since it was read."""
        if self.ledger is None:
            return True
        candidate = Candidate(self.evaluation, coarseness)
        bits = sum(bits for _, bits in page.basis.forms)
        bits = 0.0 if self.ledger.repeats(candidate) else bits
        labelings = giving = None
        if self.every is not None and self.every.in_ledger:
            outcome = self.every.outcome
            if outcome.chosen is not None and outcome.chosen[0] == coarseness:
                labelings = outcome.labelings
            if other_numbers(self.evaluation) is not None or self.every.unit_restricts:
                giving = self.every.giving(coarseness)
        return self.ledger.add(candidate, bits, labelings, giving)

    def refusal_recorded(self) -> bool:
        """Record a refusal if all labelings were tried; False if the ledger has changed.

        The recorded labelings have the true class sizes, so a refusal of every labeling counts as
        a publication of the class sizes.
        """
        if self.ledger is None or self.every is None or not self.every.in_ledger:
            return True
        if self.prior is None:
            labelings = self.every.outcome.labelings
        else:
            left = self.every.left
            priors = joint_prior(self.prior, left.unit, left.labelings.shape[1])
            labelings = self.every.without_page(
                lambda readers: self._changed_for(readers, priors).holds
            )
        assert self.coarsest is not None
        candidate = Candidate(self.evaluation, self.coarsest)
        return self.ledger.add(candidate, 0.0, labelings, refused=True)

    def _judged(self, *, always: bool = False) -> Iterator[tuple[Coarseness, Proof | None]]:
        """Yield the pages of each stage whose barest page holds.

        A label that is certain on the barest page is also certain on the other pages of the stage.
        """
        finest = self.stages[0].pages[0] if self.stages else None
        for stage in self.stages:
            bare, *richer = (
                partial(
                    judged, Candidate(self.evaluation, page), self.limits, pages=self.count,
                    finest=page == finest, always=always,
                )
                for page in (stage.bare, *stage.richer)
            )  # fmt: skip
            barest = bare()
            for page, judge in zip(stage.richer, richer, strict=True):
                proof = None if barest is None else judge()
                if proof is not None and barest is not None:
                    proof = proof.with_readers_of(barest)
                yield page, proof
            yield stage.bare, barest

    def page(self, coarseness: Coarseness, proof: Proof) -> Answer:
        bare = without_audit(self.evaluation, coarseness)
        bits = math.log2(proof.pages)
        forms = (*bare.forms, ("which of the pages this is", bits)) if bits else bare.forms
        drawn = "the audit drew labelings, seed 0"
        randomness = (bare.randomness, *([drawn] if proof.random else []))
        bare = replace(bare, forms=forms, randomness="; ".join(filter(None, randomness)))
        numbers = replace(bare, audit=audit(self.evaluation, bare, proof))
        return public_answer(numbers, self.evaluation.library)


def _check(max_bits: float | None) -> None:
    real = isinstance(max_bits, Real) and not isinstance(max_bits, bool)
    if max_bits is not None and not (real and max_bits >= 0):
        raise InputError("max_bits must be a number of bits, 0 or more", value=max_bits)


def _stages(evaluation: EvaluationNumbers) -> list[Stage]:
    parts = evaluation.by_score
    return list(
        stages(
            len(parts),
            decimals=public_decimals(*parts[0].sizes),
            segments=bool(large_segments(evaluation).any()),
            curve=any(map(has_curve, parts)),
        )
    )


def _linear(evaluation: EvaluationNumbers) -> list[Stage]:
    """Return the pages for a ledger: without segments, comparisons and requested intervals."""
    return [
        Stage(stage.bare, (replace(stage.bare, curve=1), replace(stage.bare, curve=2)))
        for stage in _stages(evaluation)
        if not stage.bare.segments
    ]


def _could_hold(evaluation: EvaluationNumbers, stage: Stage) -> bool:
    """Return whether the values alone leave enough unknown for scores that rank at random.

    The check uses only class sizes and the number of values: a starting point that depended on the
    labels would reveal something about them.
    """
    bits = 0.0
    for part in evaluation.by_score[: stage.bare.scores]:
        m, n = part.sizes
        sigma = math.sqrt((m + n + 1) / (12 * m * n))
        places = stage.bare.places(public_decimals(m, n))
        bits += max(0.0, math.log2(sigma * 10**places) + _NORMAL)
    return bits <= _SHARE * label_bits_of(evaluation)


def _bits(
    evaluation: EvaluationNumbers, page: Coarseness, pages: int, ledger: TableInLedger | None
) -> float:
    most = sum(bits for _, bits in without_audit(evaluation, page).forms)
    bits = min(label_bits_of(evaluation), most + math.log2(pages))
    if ledger is None:
        return bits
    return ledger.spent + (0.0 if ledger.repeats(Candidate(evaluation, page)) else bits)
