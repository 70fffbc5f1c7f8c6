"""Build a public page from its audit: the finest page that makes no label certain."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from numbers import Real

from rocsolid.answer.answer import Answer
from rocsolid.errors import ExposedError, InputError
from rocsolid.evaluation.curve_panel import by_score
from rocsolid.evaluation.public.audit import audit
from rocsolid.evaluation.public.coarseness import Coarseness, Stage, stages
from rocsolid.evaluation.public.every_labeling import Proof, can_try, every_labeling
from rocsolid.evaluation.public.exposure_limits import MAX_POSTERIOR, Limits
from rocsolid.evaluation.public.judge import judged, likeliest
from rocsolid.evaluation.public.public_answer import public_answer
from rocsolid.evaluation.public.public_numbers import has_curve, without_audit
from rocsolid.evaluation.public.relabelled import as_published, labels_at_stake
from rocsolid.evaluation.segment_evidence import EvaluationNumbers
from rocsolid.leaks.half_tables import label_bits
from rocsolid.leaks.simulate import public_decimals

_SHARE = 0.5  # of the label bits that the values alone may be expected to tell
_NORMAL = math.log2(math.sqrt(2 * math.pi * math.e))  # bits of a normal value, in units of σ

_NEARLY = 0.999  # probabilities above it are all but certain

Judge = Callable[[Coarseness], Proof | None]


def publish(
    evaluation: EvaluationNumbers,
    *,
    max_exposed: int = 0,
    max_posterior: float = MAX_POSTERIOR,
    max_bits: float | None = None,
) -> Answer:
    """Return the finest page that its own audit accepts, with that audit.

    The AUC and the limits of its intervals have the decimals of `public_decimals`, with limits
    rounded outward; the curve has ten steps or fewer (`public_curve`). If more than ``max_exposed``
    labels are certain from the page, could be, or are likelier than ``max_posterior``, or if the
    page could reveal more than ``max_bits`` on average, it is coarsened step by step (`stages`)
    until it passes. If no page passes, `ExposedError` is raised.

    >>> from rocsolid.evaluation.evaluate_table import evaluate
    >>> table = {"y": [0, 1] * 30, "s": [i * i % 61 + 9 * (i % 2) for i in range(60)]}
    >>> found = publish(evaluate(table, label="y", scores="s").basis)
    >>> print(found.results[0].text, [(c.low.tolist(), c.high.tolist()) for _, c in found.curves])
    0.64 [([7, 13, 15, 23, 27], [8, 14, 16, 24, 28])]
    """
    limits = Limits.checked(max_exposed, max_posterior)
    _check(max_bits)
    if any(part.reduced is not None and part.clustered for part in evaluation.parts):
        raise ExposedError(
            "the clusters that share a label are unknown: an engine reduced the rows elsewhere",
            where=evaluation.source,
            fix="evaluate in memory, or keep the page private",
        )
    evaluation = as_published(evaluation)
    reached = _stages(evaluation)
    every = can_try(evaluation)
    if not (every or max_exposed):
        reached = [stage for stage in reached if _could_hold(evaluation, stage)]
    count = sum(map(len, reached))
    if max_bits is not None:
        reached = [
            Stage(stage.bare, tuple(page for page in stage.richer if fits(page)))
            for fits in [_within(evaluation, max_bits, count)]
            for stage in reached
            if fits(stage.bare)
        ]
    choices = [page for stage in reached for page in (*stage.richer, stage.bare)]
    if every:
        chosen = every_labeling(evaluation, choices, limits)
    else:
        chosen = _first(
            reached,
            lambda page: judged(evaluation, page, limits, pages=count, finest=page == choices[0]),
        )
    if chosen is None:
        raise _none_holds(evaluation, [] if every else reached, limits, max_bits)
    coarseness, proof = chosen
    bare = without_audit(evaluation, coarseness)
    bits = math.log2(proof.pages)
    forms = (*bare.forms, ("which of the pages this is", bits)) if bits else bare.forms
    bare = replace(bare, forms=forms)
    numbers = replace(bare, audit=audit(evaluation, bare, proof))
    return public_answer(numbers, evaluation.library)


def _check(max_bits: float | None) -> None:
    real = isinstance(max_bits, Real) and not isinstance(max_bits, bool)
    if max_bits is not None and not (real and max_bits >= 0):
        raise InputError("max_bits must be a number of bits, 0 or more", value=max_bits)


def _none_holds(
    evaluation: EvaluationNumbers, reached: list[Stage], limits: Limits, max_bits: float | None
) -> ExposedError:
    kept = "every label uncertain"
    if limits.exposed:
        kept = f"all labels but {limits.exposed:,} uncertain"
    if limits.posterior < 1.0:
        kept += f", and none likelier than {limits.posterior:g}"
    if max_bits is not None:
        kept += f", and reveals at most {max_bits:g} bits on average"
    why, fix = "", "evaluate fewer scores or more rows, or allow more with max_exposed="
    likely = likeliest(evaluation, reached[-1].bare) if reached else 0.0
    if likely > limits.posterior:
        first = evaluation.parts[0].overall
        share = max(first.n_pos, first.n_neg) / (first.n_pos + first.n_neg)
        likely = max(share, likely)
        of = "the class sizes alone make" if share > limits.posterior else "its coarsest page makes"
        how = f"as likely as {likely:.3f}" if likely < _NEARLY else f"likelier than {_NEARLY}"
        allowed = math.ceil(1000 * likely) / 1000 if likely < _NEARLY else 1
        why = f"; {of} a label {how}"
        fix = f"allow that with max_posterior={allowed:g}, or allow some with max_exposed="
    return ExposedError(
        f"no page of these {evaluation.n_rows:,} rows could be found that keeps {kept}{why}",
        where="the audit of the public page",
        fix=f"{fix} or max_bits=, or keep the page private",
    )


def _stages(evaluation: EvaluationNumbers) -> list[Stage]:
    parts = by_score(evaluation)
    whole = parts[0].overall
    return list(
        stages(
            len(parts),
            decimals=public_decimals(whole.n_pos, whole.n_neg),
            segments=evaluation.segments is not None,
            curve=any(map(has_curve, parts)),
        )
    )


def _could_hold(evaluation: EvaluationNumbers, stage: Stage) -> bool:
    """Whether the values alone leave enough unknown for scores that rank at random.

    The check uses only class sizes and the number of values: a starting point that depended on the
    labels would reveal something about them.
    """
    told = 0.0
    for part in by_score(evaluation)[: stage.bare.scores]:
        m, n = part.overall.n_pos, part.overall.n_neg
        sigma = math.sqrt((m + n + 1) / (12 * m * n))
        places = stage.bare.places(public_decimals(m, n))
        told += max(0.0, math.log2(sigma * 10**places) + _NORMAL)
    first = evaluation.parts[0].overall
    return told <= _SHARE * label_bits(labels_at_stake(evaluation), 0, [first.n_pos])


def _within(
    evaluation: EvaluationNumbers, max_bits: float, pages: int
) -> Callable[[Coarseness], bool]:
    first = evaluation.parts[0].overall
    before = label_bits(labels_at_stake(evaluation), 0, [first.n_pos])

    def fits(coarseness: Coarseness) -> bool:
        most = sum(bits for _, bits in without_audit(evaluation, coarseness).forms)
        return min(before, most + math.log2(pages)) <= max_bits

    return fits


def _first(reached: list[Stage], judge: Judge) -> tuple[Coarseness, Proof] | None:
    """The finest page of the first stage whose barest page passes.

    A label that is certain from the barest page is certain from the others.
    """
    for stage in reached:
        bare = judge(stage.bare)
        if bare is not None:
            for one in stage.richer:
                proof = judge(one)
                if proof is not None:
                    return one, proof.with_readers_of(bare)
            return stage.bare, bare
    return None
