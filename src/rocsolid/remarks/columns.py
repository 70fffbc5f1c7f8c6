"""Checks of columns: groups that explain an AUC, clusters, and a copy of the label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from rocsolid.remarks.remark import Remark


class GroupsExplain(Remark):
    """Most of an AUC comes from which group a row is in.

    If groups differ in their share of positives, a score that depends on the group ranks rows of
    different groups well. Here even the upper limit of the AUC within groups is less than half as
    far above chance as the AUC of all pairs. With within= that
    column is examined; columns of segments, clusters and folds are too, up to 262,144 rows, and
    every column with check_columns=True (--check-columns).

    What to do: look at the AUC within groups, with within= set to the column of groups. It measures
    what the score adds if the group is known.

    >>> import rocsolid as rs
    >>> task, y = [i // 50 for i in range(400)], [i % 50 < 5 + 40 * (i // 200) for i in range(400)]
    >>> s = [one + 0.01 * (7 * i % 50) for i, one in enumerate(task)]
    >>> rs.auc(y, s, within=task).warnings[0]
    'Among rows of the same group the AUC is 0.3333 (at most 0.4102 with 95 %), not 0.8925: it ...'
    """

    code = "ROC017"
    finding = True

    def __new__(cls, column: str, value: float, high: float, pooled: float, share: float) -> Self:
        return cls.says(
            f"Among rows of the same {column} the AUC is {value:.4f} (at most {high:.4f} with "
            f"95 %), not {pooled:.4f}: it is mostly about the {column}, and "
            f"{100 * (1.0 - share):.1f} % of the pairs span two."
        )


class GroupsOfOneClass(Remark):
    """Groups without a positive or without a negative have no pairs within the group.

    These groups do not count in a value within groups. Their rows still form pairs with rows of
    other groups.
    """

    code = "ROC018"
    severity = "note"
    quotes = "counts"

    def __new__(cls, count: int, column: str) -> Self:
        rows = "1 group has" if count == 1 else f"{count:,} groups have"
        return cls.says(f"{rows} rows of one class only, and no pair within ({column}).")


class CopiesLabel(Remark):
    """A score has one value for all positives and another one for all negatives.

    Such a score is a copy of the label, or a code for it. A model's score hardly ever takes two
    values that separate the classes perfectly. Scores are examined with check_columns=True
    (--check-columns).

    What to do: check whether the column is the label, or a decision that was made with the label.

    >>> import rocsolid as rs
    >>> table = {"ill": [0, 1] * 20, "code": ["A", "B"] * 20, "flag": [2.5, 7.0] * 20}
    >>> rs.evaluate(table, label="ill", scores="flag", check_columns=True).results[0].warnings[0]
    'The score has one value in each class, so it is a copy of the label.'
    """

    code = "ROC019"
    finding = True
    quotes = "nothing"
    sentence = "The score has one value in each class, so it is a copy of the label."


class ColumnsExamined(Remark):
    """The columns that check_columns=True (--check-columns) examined.

    A column needs at least two values, and five rows of each on average. See ROC017.
    """

    code = "ROC020"
    severity = "note"
    quotes = "nothing"

    def __new__(cls, names: Sequence[str]) -> Self:
        if not names:
            return cls.says("No column was examined: none has two values, and five rows of each.")
        return cls.says(f"Columns examined: {', '.join(names)}.")


class ClustersOfOneClass(Remark):
    """Nearly all clusters have rows of one class only.

    The precision of the AUC then depends on the number of clusters of each class. At most 5 % of
    the clusters of several rows have both classes, and at most a tenth of those expected if labels
    were shuffled (at least 15).

    What to do: report the clusters of each class with the AUC.
    """

    code = "ROC021"
    severity = "note"
    quotes = "counts"

    def __new__(
        cls, pure: int, repeated: int, shuffled: float, positive: int, negative: int
    ) -> Self:
        return cls.says(
            f"{pure:,} of {repeated:,} clusters of two rows or more have one class "
            f"({shuffled:,.0f} if labels were shuffled): the AUC compares {positive:,} clusters "
            f"with positives and {negative:,} with negatives."
        )
