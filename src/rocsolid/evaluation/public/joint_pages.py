"""The labels that a reader of several public pages and releases can infer, by row name."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.evaluation.public.exact_readers import rounded_rank_sums
from rocsolid.evaluation.public.exposure_limits import Known, Limits
from rocsolid.evaluation.public.together import (
    Joined,
    completed,
    estimated,
    labelings_counted,
    unchanged,
)
from rocsolid.inputs.groups import codes
from rocsolid.inputs.row_ids import ids_of_units
from rocsolid.inputs.tables import read_table
from rocsolid.leaks.evidence import released
from rocsolid.leaks.joint import Joint, Verdict
from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.release.statements import Statements
from rocsolid.results.plain import attributes, plain

_FLOATS = NDArray[np.float64]
_SEARCHED = 256  # units whose labelings are searched, because lattices of more are slow
_WORK = 5_000_000  # partial labelings that such a search examines
_LIKELIER = {
    "exact": "The probabilities are exact.",
    "drawn": "The probabilities are bounds from drawn labelings.",
    "independent": "The probabilities come from an attack that treats labels as independent.",
}


@dataclass(frozen=True, eq=False, kw_only=True)
class JointPages(Joint):
    """The labelings of all units that fit several pages and releases together.

    ``names`` has a row of each unit, in the order of ``posterior``. ``how`` is the type of the
    posterior: "exact", a bound from "drawn" labelings, or an attack that treats labels as
    "independent". ``unchanged`` marks the units whose label is the same in all labelings that fit,
    and so certain, or, if those were not counted, in all labelings that were found. ``unused``
    lists the numbers on the pages that were not used, which can only reveal more.
    """

    names: tuple[str, ...]
    how: Known
    unchanged: NDArray[np.bool_]
    unused: tuple[str, ...]

    def explain(self) -> str:
        """Return the result in words."""
        of = counted(len(self.names), "unknown label")
        publications = counted(self.releases, "publication")
        if self.exact:
            count = "one labeling fits" if self.count == 1 else f"{self.count:,} labelings fit"
            certain = f"{int(self.unchanged.sum()):,} of {of} are certain."
            text = f"{self.verdict.capitalize()}: {count} the {publications}. {certain}"
        else:
            text = (
                f"{self.verdict.capitalize()}: the labelings that fit the {publications} were not "
                f"counted. For {int(self.unchanged.sum()):,} of {of} no labeling with the other "
                "label was found."
            )
        unused = f" Not used: {'; '.join(self.unused)}." if self.unused else ""
        return f"{text} {self.probabilities}{unused}"

    @property
    def probabilities(self) -> str:
        return _LIKELIER[self.how]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; the keys are stable."""
        return {
            **attributes(self, "verdict count releases how"),
            "units": len(self.names),
            **plain(attributes(self, "names posterior unchanged unused")),
            **attributes(self, "entropy_before surprise_bits surprise_exact"),
        }


def pages_together(
    published: Sequence[tuple[Any, Any]],
    *,
    id: str,
    cluster: str | None = None,
    frequency: str | None = None,
) -> JointPages:
    """Find the labelings that fit public pages and released AUCs of tables with common rows.

    ``published`` has a pair for each publication: the table of the scores, and the page. A page is
    a public answer, its JSON as a file or a dictionary, or text such as "risk=0.83,n_pos=20": the
    AUC of a score of the table and the number of positives. ``id`` is the column that names the
    rows in each table. ``cluster`` is the column of rows that share a label; it may be ``id``, so
    that visits and patients can be joined. ``frequency`` is the column of equal rows.

    A page reports whether lower scores are better and its positive label, which must be the same on
    all pages. The AUCs over all rows, the class sizes and the curves are used. All labelings that
    fit are counted for one ranking, and for a few dozen units of several rankings. Otherwise
    labelings are drawn, or an attack treats labels as independent.

    >>> first = {"name": list("abcd"), "risk": [4, 3, 2, 1]}
    >>> second = {"name": list("abc"), "risk": [4, 3, 2]}
    >>> known = pages_together(
    ...     [(first, "risk=1/4,n_pos=2"), (second, "risk=1/2,n_pos=1")], id="name"
    ... )
    >>> known.verdict, known.count, dict(zip(known.names, known.posterior.tolist()))
    ('unique', 1, {'a': 0.0, 'b': 1.0, 'c': 0.0, 'd': 1.0})
    """
    if not published:
        raise InputError("there is no publication", where="published", value=published)
    unused: dict[str, None] = {}
    pages = [_page(page) for _, page in published]
    labels = {page["pos_label"] for page in pages if "pos_label" in page}
    if len(labels) > 1:
        raise InputError(
            "the pages have different positive labels", where="published",
            value=sorted("1" if label is None else label for label in labels),
            fix="write all pages with the same pos_label",
        )  # fmt: skip
    stated = [
        _statements(table, page, (id, cluster, frequency), unused)
        for (table, _), page in zip(published, pages, strict=True)
    ]
    joined = Joined.of(stated)
    units = joined.weights.shape[1]
    names = [""] * units
    for row_id in sorted(joined.unit, reverse=True):
        names[joined.unit[row_id]] = row_id.decode()
    how: Known
    counted_all, how = labelings_counted(joined, _SEARCHED, _WORK), "exact"
    verdict: Verdict
    if counted_all is not None:
        count, share = round(counted_all.labelings), counted_all.share
        same = (share == 0.0) | (share == 1.0)
        verdict = "unique" if count == 1 else "ambiguous"
    else:
        count, first = None, completed(joined, {})
        if first is None:
            raise InputError(
                "no labeling was found that fits all pages", where="published",
                fix="check the tables, their row names and the pages",
            )  # fmt: skip
        same = unchanged(joined, first, 0)
        drawn, surest, how = estimated(joined, Limits(units))
        share = np.clip(np.where(drawn >= 0.5, surest, 1.0 - surest), 0.0, 1.0)
        if how == "drawn":
            same &= (drawn == 0.0) | (drawn == 1.0)
        verdict = "undetermined" if same.all() else "ambiguous"
    place = np.argsort(np.array(names, dtype=object), kind="stable")
    return JointPages(
        verdict, None, None, count, share[place], how == "exact", len(stated), 0, float(units),
        frozenset(), names=tuple(names[at] for at in place.tolist()), how=how,
        unchanged=same[place], unused=tuple(unused),
    )  # fmt: skip


def _page(page: Any) -> Mapping[str, Any]:
    """Return the JSON of a page, or the same keys for a released AUC."""
    if hasattr(page, "to_dict"):
        page = page.to_dict()
    if isinstance(page, str) and "=" in page and not Path(page).exists():
        return _written(page)
    if isinstance(page, str | PathLike):
        try:
            page = json.loads(Path(page).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InputError(
                f"the page cannot be read: {error}", where="page", value=str(page),
                fix='pass the file of a page in JSON, or a text such as "risk=0.83,n_pos=20"',
            ) from error  # fmt: skip
    if not (isinstance(page, Mapping) and page.get("public") is True and page.get("results")):
        raise InputError(
            "this is not the JSON of a public page", where="page",
            fix="write one with `rocsolid publish --choose N --json` or `evaluate --public --json`",
        )  # fmt: skip
    return page


def _written(text: str) -> Mapping[str, Any]:
    """Return the page of a text.

    >>> _written("risk=0.83,n_pos=20")["results"][0]["auc"]
    '0.83'
    """
    score, _, rest = text.partition("=")
    auc, _, sizes = rest.partition(",")
    name, _, n_pos = sizes.partition("=")
    if name.strip() != "n_pos" or not n_pos.strip().isdigit():
        raise InputError(
            "a released AUC needs the number of positives", where="page", value=text,
            fix='write it like "risk=0.83,n_pos=20"',
        )  # fmt: skip
    result = {"score": score.strip(), "measure": "auc", "by": None}
    return {"results": [result | {"auc": auc.strip(), "n_pos": int(n_pos)}]}


def _statements(
    table: Any,
    page: Mapping[str, Any],
    columns: tuple[str, str | None, str | None],
    unused: dict[str, None],
) -> Statements:
    """Return the statements of a page about the rows of its table."""
    id, cluster, frequency = columns
    aucs = []
    for result in page["results"]:
        if result["measure"] == "auc" and result["by"] is None:
            aucs.append(result)
        else:
            unused["segments" if result["by"] is not None else f"{result['measure']}"] = None
    if page.get("comparisons"):
        unused["comparisons"] = None
    if not aucs:
        raise InputError("the page has no AUC of all rows", where="page", value=list(unused))
    read = read_table(
        table,
        numbers=[*(result["score"] for result in aucs), *([frequency] if frequency else [])],
        keys=list(dict.fromkeys([id, *([cluster] if cluster else [])])),
    )
    unit = np.arange(len(read)) if cluster is None else codes(read[cluster])[0]
    ids, unit_of_id = ids_of_units(read[id], unit, f"column {id!r} of {read.source}")
    times = np.ones(len(read), dtype=np.intp)
    if frequency is not None:
        times = read[frequency].astype(np.intp)
    rows = np.repeat(np.arange(len(read)), times)
    sign = -1.0 if page.get("lower_is_better") else 1.0
    scored = [sign * read[result["score"]].astype(np.float64)[rows] for result in aucs]
    lines = list(_lines(aucs, scored, page.get("curves", ()), read.source))
    weights = [np.bincount(unit[rows], line, int(unit.max()) + 1) for line, _, _ in lines]
    ends = np.array([ends for _, *ends in lines], dtype=np.int64)
    return Statements.of(
        [row_id.encode() for row_id in ids], unit_of_id, np.rint(weights).astype(np.int64),
        ends[:, 0], ends[:, 1],
    )  # fmt: skip


def _lines(
    aucs: Sequence[Mapping[str, Any]],
    scored: Sequence[_FLOATS],
    curves: Sequence[Mapping[str, Any]],
    source: str,
) -> Iterator[tuple[_FLOATS, int, int]]:
    """Yield weights of the rows with the range of their sum: class sizes, AUCs and curves."""
    for result, score in zip(aucs, scored, strict=True):
        present = np.isfinite(score)
        n, n_pos = int(present.sum()), int(result["n_pos"])
        if not 0 < n_pos < n or n != n_pos + result.get("n_neg", n - n_pos):
            raise InputError(
                f"the page is about other rows than the table, which has {n:,} rows with a score",
                where=f"column {result['score']!r} of {source}",
                value={size: result[size] for size in ("n_pos", "n_neg") if size in result},
                fix="pass the table of the page",
            )
        ranks = np.zeros(len(score))
        ranks[present] = doubled_ranks(score[present])
        if "auc" in result:
            sums = released(result["auc"]).doubled_rank_sums(n, n_pos)
        else:
            text = f"{result['value']:.{result['decimals']}f}"
            sums = rounded_rank_sums(text, result["decimals"], n_pos, n - n_pos)
        if not sums:
            raise InputError(
                "no labeling of these rows has this AUC",
                where=f"column {result['score']!r} of {source}", value=result.get("auc", None),
                fix="check the scores and the number of positives",
            )  # fmt: skip
        yield present.astype(np.float64), n_pos, n_pos
        yield ranks, sums[0], sums[-1]
        for curve in curves:
            if curve["score"] != result["score"]:
                continue
            falling = np.sort(score[present])[::-1]
            ends = zip(
                curve["rows_above"], curve["positives_from"], curve["positives_to"], strict=True
            )
            for above, low, high in ends:
                yield (score >= falling[above - 1]).astype(np.float64), low, high
