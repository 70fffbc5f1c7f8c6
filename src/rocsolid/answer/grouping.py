"""The columns that group the rows of a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rocsolid.counts import both_classes, counted
from rocsolid.dataclass import dataclass

_CLUSTERS = "Obuchowski, Biometrics 53 (1997), 567-578"


@dataclass(frozen=True, slots=True)
class Grouping:
    cluster: str | None = None
    fold: str | None = None
    repeat: str | None = None

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences for the methods of an answer.

        >>> print(Grouping("patient").sentences[0])
        Rows are clustered by the column "patient": rows of one cluster may depend on each other,
        and variances sum over whole clusters (Obuchowski, Biometrics 53 (1997), 567-578).
        """
        sentences = []
        if self.cluster is not None:
            sentences.append(
                f'Rows are clustered by the column "{self.cluster}": rows of one cluster may '
                f"depend on each other, and variances sum over whole clusters ({_CLUSTERS})."
            )
        if self.fold is not None:
            repeats = ""
            if self.repeat is not None:
                repeats = f', and in repeats by the column "{self.repeat}"'
            sentences.append(f'Rows are in folds by the column "{self.fold}"{repeats}.')
        return tuple(sentences)

    def of_rows(self, rows: int, estimates: Iterable[Any], *, classes: bool = True) -> str:
        """The number of rows, with the clusters, folds and class sizes that all scores share.

        >>> import rocsolid as rs
        >>> pairs = [0, 0, 1, 1, 2, 2]
        >>> Grouping("eye").of_rows(6, [rs.auc([0, 1] * 3, [1, 2, 3, 4, 5, 6], cluster=pairs)])
        "6 rows in 3 clusters of 'eye', 3 positives and 3 negatives"
        >>> Grouping().of_rows(9, [rs.auc([0, 1], [1, 2])])
        '2 of 9 rows, 1 positive and 1 negative'
        """
        counts = {
            (each.settings.get("clusters"), each.settings.get("folds"), each.n_pos, each.n_neg)
            for each in estimates
            if hasattr(each, "n_pos")
        }
        if len(counts) != 1:
            return counted(rows, "row")
        ((clusters, folds, n_pos, n_neg),) = counts
        units = [self.of_clusters(clusters)] if clusters else []
        units += [counted(folds, "fold")] if folds else []
        text = counted(rows, "row")
        if n_pos + n_neg < rows:  # rows without a score
            text = f"{n_pos + n_neg:,} of {text}"
        text += f" in {' and '.join(units)}" if units else ""
        return f"{text}, {both_classes(n_pos, n_neg)}" if classes else text

    def of_clusters(self, count: int) -> str:
        """The number of clusters and their column.

        >>> Grouping("eye").of_clusters(3)
        "3 clusters of 'eye'"
        """
        of = "" if self.cluster is None else f" of {self.cluster!r}"
        return f"{counted(count, 'cluster')}{of}"
