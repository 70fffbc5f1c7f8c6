"""The rows to certify on, refused where the measure cannot be computed from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.certificates.measured import CertificateQuestion
from rocsolid.certificates.row_hashes import Hashes, row_hashes
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs import positives
from rocsolid.inputs.grades import grades


@dataclass(frozen=True, slots=True, eq=False)
class NewRows:
    """Rows to certify on, with the keywords that say how to read them.

    ``hashes`` are those of the features, where there are any.
    """

    X: Any
    y: Any
    qid: Any
    sample_weight: Any
    cluster: Any
    pos_label: Any
    lower_is_better: bool
    hashes: Hashes | None

    @classmethod
    def of(
        cls, X: Any, y: Any, qid: Any, sample_weight: Any, cluster: Any, pos_label: Any,
        lower_is_better: bool,
    ) -> NewRows:  # fmt: skip
        hashes = None if X is None else row_hashes(X)
        return cls(X, y, qid, sample_weight, cluster, pos_label, lower_is_better, hashes)

    def labels(self, y: Any, of_lists: bool) -> NDArray[np.float64]:
        """Labels or grades as numbers, so that the same ones have the same hash."""
        if of_lists:
            return grades(y)
        return positives(y, pos_label=self.pos_label).astype(np.float64)


def new_rows(
    question: CertificateQuestion,
    X: Any,
    y: Any,
    qid: Any,
    sample_weight: Any,
    cluster: Any,
    pos_label: Any,
    lower_is_better: bool,
) -> NewRows:
    """The rows, refused where the measure cannot be had from them."""
    if y is None:
        raise InputError(
            "the labels of the rows are missing",
            where="y",
            fix="write certify(scorer, X, y), or certify(scores, y=y) for a column of scores",
        )
    if question.of_lists:
        for name, given in (("sample_weight", sample_weight), ("cluster", cluster)):
            if given is not None:
                raise UnsoundError(
                    f"no guarantee is known for a mean over queries with {name}",
                    where=name,
                    fix="leave it out; each query counts the same",
                )
        if qid is None:
            raise InputError(
                "a measure of ranked lists needs the query of each row",
                where="qid",
                fix="pass qid=; from a single query there is next to nothing to certify",
            )
    elif qid is not None:
        raise InputError(
            "qid is for measures of ranked lists",
            where="qid",
            fix='use measure="ndcg@10" or the like, or cluster= for rows that belong together',
        )
    return NewRows.of(X, y, qid, sample_weight, cluster, pos_label, lower_is_better)
