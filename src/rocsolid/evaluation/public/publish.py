"""Publish the finest page that its own audit accepts, or name the limits that would pass."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from typing import Any, TypeVar

import numpy as np

from rocsolid.answer.answer import Answer
from rocsolid.errors import ExposedError
from rocsolid.evaluation.public.candidate import Candidate
from rocsolid.evaluation.public.exposure_limits import MAX_POSTERIOR, Limits
from rocsolid.evaluation.public.judge import judged
from rocsolid.evaluation.public.ladder import PublicPages
from rocsolid.evaluation.public.likelihood import likelihood
from rocsolid.evaluation.public.prior import number
from rocsolid.evaluation.public.proof import Proof
from rocsolid.evaluation.segment_evidence import EvaluationNumbers

_NEARLY = 0.999  # probabilities above it are all but certain
_N = TypeVar("_N", int, float)


def publish(
    evaluation: EvaluationNumbers,
    *,
    max_exposed: int = 0,
    max_posterior: float = MAX_POSTERIOR,
    max_bits: float | None = None,
    ledger: str | PathLike[str] | None = None,
    id: Any = None,
    prior: Any = None,
) -> Answer:
    """Return the finest page that its own audit accepts, with that audit.

    The AUC and the limits of its intervals have the decimals of `public_decimals`, with limits
    rounded outward; the curve has at most ten steps (`public_curve`). The page is coarsened step
    by step (`stages`) while more than ``max_exposed`` labels are certain, could be certain, or are
    likelier than ``max_posterior``, or while the page could reveal more than ``max_bits`` on
    average. If no page passes, `ExposedError` is raised. With a ``ledger``, and the name of each
    row as ``id``, a page must pass together with all earlier publications, and is recorded. With a
    ``prior`` probability of each row, it must also pass for a reader who believed these.

    >>> from rocsolid.evaluation.evaluate_table import evaluate
    >>> table = {"y": [0, 1] * 30, "s": [i * i % 61 + 9 * (i % 2) for i in range(60)]}
    >>> page = publish(evaluate(table, label="y", scores="s").basis)
    >>> print(page.results[0].text, [(c.low.tolist(), c.high.tolist()) for _, c in page.curves])
    0.64 [([7, 13, 15, 23, 27], [8, 14, 16, 24, 28])]
    """
    given = evaluation, max_exposed, max_posterior, max_bits, ledger, id, prior
    while True:
        ladder = PublicPages.of(*given)
        chosen = next(ladder.passing(), None)
        if chosen is None:
            if ladder.refusal_recorded():
                # a recorded refusal counts for the next page
                raise _none_holds(ladder, ladder if ledger is None else PublicPages.of(*given))
            continue
        page = ladder.page(*chosen)
        if ladder.recorded(chosen[0], page):
            return page


def _none_holds(ladder: PublicPages, after: PublicPages) -> ExposedError:
    """Return the refusal, with the limits that would pass ``after`` it was recorded."""
    limits, max_bits = ladder.limits, ladder.max_bits
    kept = "every label uncertain"
    if limits.exposed:
        kept = f"all labels but {limits.exposed:,} uncertain"
    if limits.posterior < 1.0:
        kept += f", and none likelier than {limits.posterior:g}"
    if max_bits is not None:
        kept += f", and reveals at most {max_bits:g} bits on average"
    proofs = list(_proofs(after))
    why = _why(ladder, proofs[-1]) if proofs else ""
    passing = list(_limits_that_pass(after, proofs) if proofs else _bits_that_pass(after))
    fix = "evaluate fewer scores or more rows"
    if passing:
        fix = f"allow that with {' or '.join(passing)}"
    return ExposedError(
        f"no page of these {ladder.evaluation.n_rows:,} rows could be found that keeps {kept}{why}",
        where="the audit of the public page",
        fix=f"{fix}, or keep the page private",
    )


def _proofs(ladder: PublicPages) -> Iterator[Proof]:
    """Yield the proofs of all pages if all labelings are tried, else that of the coarsest page."""
    if ladder.every is not None:
        yield from (proof for _, proof in ladder.each())
    elif ladder.stages:
        page = ladder.stages[-1].bare
        proof = judged(
            Candidate(ladder.evaluation, page), ladder.limits, pages=ladder.count, finest=False,
            always=True,
        )  # fmt: skip
        assert proof is not None
        yield ladder.with_others(page, proof)


def _why(ladder: PublicPages, proof: Proof) -> str:
    """Return a clause on the coarsest page."""
    limits, together, prior = ladder.limits, proof.together, proof.prior
    if ladder.rule_alone and ladder.every is not None and ladder.every.outcome.merged:
        return "; with a page for these labels, a refusal of other labels would expose labels"
    if together is not None and together.pages:
        return f"; of its coarsest page, {together.clause}"
    if prior is not None and not prior.holds:
        return (
            "; for a reader who believed the prior, its coarsest page changes the odds of a "
            f"label by a factor of {number(prior.factor)}"
        )
    if ladder.every is not None:
        return ""
    likely = likelihood(Candidate(ladder.evaluation, ladder.stages[-1].bare), None)
    assert likely is not None
    sizes = ladder.evaluation.parts[0].sizes
    share = max(sizes) / sum(sizes)
    if share > limits.posterior:
        return f"; the class sizes alone make a label as likely as {share:.3f}"
    if limits.above(likely.surest).any():
        return f"; its coarsest page makes a label as likely as {likely.text}"
    return ""


def _limits_that_pass(ladder: PublicPages, proofs: Sequence[Proof]) -> Iterator[str]:
    """Yield the least limits with which a page passes, one limit at a time."""
    limits = ladder.limits
    certain = min(map(_certain, proofs))
    if certain <= limits.exposed:
        likeliest = min(_likeliest(proof, limits.exposed) for proof in proofs)
        least = math.ceil(1000 * max(likeliest, limits.posterior) - 1e-9)
        values = [each / 1000 for each in range(least, round(1000 * _NEARLY))] + [1.0]
        posterior = _least(values, lambda each: _passes(ladder, Limits(limits.exposed, each)))
        if posterior is not None:
            yield f"max_posterior={posterior:g}"
    units = len(proofs[-1].surest)
    above = min(_above(proof, limits) for proof in proofs)
    counts = range(max(above, limits.exposed + 1), units + 1)
    exposed = _least(counts, lambda each: _passes(ladder, Limits(each, limits.posterior)))
    if exposed is not None:
        yield f"max_exposed={exposed}"


def _bits_that_pass(ladder: PublicPages) -> Iterator[str]:
    if ladder.coarsest is not None:
        bits = math.ceil(100 * ladder.bits(ladder.coarsest)) / 100
        if next(ladder.with_bits(bits).passing(), None) is not None:
            yield f"max_bits={bits:g}"


def _passes(ladder: PublicPages, limits: Limits) -> bool:
    """Return whether a page passes; if not all labelings are tried, its proof says so already."""
    return ladder.every is None or next(ladder.with_limits(limits).passing(), None) is not None


def _least(values: Sequence[_N], passes: Callable[[_N], bool]) -> _N | None:
    """Return the first value that passes, if all after it pass, by bisection."""
    if not values or not passes(values[-1]):
        return None
    first, last = 0, len(values) - 1
    middle = first  # often the first value passes
    while first < last:
        if passes(values[middle]):
            last = middle
        else:
            first = middle + 1
        middle = (first + last) // 2
    return values[last]


def _certain(proof: Proof) -> int:
    together = 0 if proof.together is None else proof.together.exposed
    infinite = proof.prior is not None and proof.prior.factor == math.inf
    return max(proof.exposed, together, proof.prior.above if infinite and proof.prior else 0)


def _likeliest(proof: Proof, exposed: int) -> float:
    """Return the least `max_posterior` with which a page passes."""
    falling = np.sort(proof.surest)[::-1]
    readers = [float(falling[exposed]) if exposed < len(falling) else 0.5]
    if proof.together is not None and proof.together.above > exposed:
        readers.append(proof.together.likeliest)
    if proof.prior is not None and proof.prior.above > exposed:
        factor = proof.prior.factor
        readers.append(1.0 if factor == math.inf else factor / (1.0 + factor))
    return max(readers)


def _above(proof: Proof, limits: Limits) -> int:
    """Return the least `max_exposed` with which a page passes."""
    above = int(limits.above(proof.surest).sum()) if limits.posterior < 1.0 else 0
    prior = 0 if proof.prior is None else proof.prior.above
    if proof.together is not None:
        above = max(above, proof.together.exposed)
        above = max(above, proof.together.above if limits.posterior < 1.0 else 0)
    return max(proof.exposed, above, prior)
